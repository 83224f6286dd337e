//! Handles that are saved with the game and read again.

use serde::{Deserialize, Serialize};
use std::time::Duration;
use treemind::KeyError;
use treemind::blackboard::Entity;
use treemind::core::{Late, NodeId};
use treemind::events::To;
use treemind::leaves::Ticket;
use treemind::population::PopulationId;
use treemind::prelude::*;

const DT: Duration = Duration::from_millis(100);

const DOCUMENT: &str = "
    leaves { action dig reports=#true; action rest reports=#true; action greet { param whom type=entity; }; event call; }
    blackboard { key depth type=int; key friend type=entity; }
    tree digger { sequence { action dig; action rest; }; }
    tree greeter { sequence { action greet whom=\"{friend}\"; wait 10.0; }; }
";

/// A game's own type, which greets agents by their handles.
#[derive(Deserialize)]
struct Greet {
    whom: AgentId,
}

impl ActionType<World> for Greet {
    type State = ();

    fn update(&self, (): &mut (), world: &mut World, _: &mut Agent) -> Result<Status, TaskError> {
        world.greeted.push(self.whom);
        Ok(Status::Success)
    }
}

#[derive(Default)]
struct World {
    tickets: Vec<Ticket>,
    greeted: Vec<AgentId>,
}

fn leaves() -> Registry<World> {
    let mut leaves = Registry::<World>::new();
    for name in ["dig", "rest"] {
        let note = |world: &mut World, me: &mut Agent| world.tickets.push(me.ticket());
        leaves.action_with(name, update(|_, _| Status::Running).start(note));
    }
    leaves.action_type::<Greet>("greet");
    leaves
}

fn cast() -> Cast<World> {
    let mut cast = Cast::new(leaves());
    let text = format!("{DOCUMENT} archetype digger tree=digger\n archetype greeter tree=greeter");
    cast.add(&Document::parse(&text, "dig.kdl")).unwrap();
    cast
}

fn through_json<T: Serialize + for<'de> Deserialize<'de>>(value: &T) -> T {
    let text = serde_json::to_string(value).unwrap();
    let bytes = postcard::to_stdvec(value).unwrap();
    let again: T = serde_json::from_str(&text).unwrap();
    assert_eq!(postcard::to_stdvec(&again).unwrap(), bytes);
    postcard::from_bytes(&bytes).unwrap()
}

#[test]
fn a_handle_that_is_read_again_is_the_same_agent_or_nobody() {
    let mut cast = cast();
    let mut world = World::default();
    let diggers = cast.spawn("digger", 3).unwrap();
    let saved = through_json(&diggers);
    assert_eq!(saved, diggers);
    assert_eq!(
        serde_json::to_string(&diggers[0]).unwrap(),
        diggers[0].to_bits().to_string()
    );
    let friend: Entity = through_json(&Entity::from(diggers[1]));
    assert_eq!(friend, Entity::from(diggers[1]));
    let id: PopulationId = through_json(&diggers[0].population());
    assert_eq!(id, diggers[0].population());

    cast.set(saved[1], "depth", 7_i64).unwrap();
    assert_eq!(cast.get::<i64>(diggers[1], "depth"), Ok(7));
    // Somebody else lives at its index later.
    cast.remove(diggers[1], &mut world).unwrap();
    let other = cast.spawn("digger", 1).unwrap()[0];
    assert_eq!(other.index(), diggers[1].index());
    assert_eq!(cast.get::<i64>(saved[1], "depth"), Err(KeyError::Dead));
    assert!(!cast.is_alive(saved[1]) && cast.is_alive(other));
}

#[test]
fn handles_of_elsewhere_are_errors() {
    let zero = serde_json::from_str::<AgentId>("0")
        .unwrap_err()
        .to_string();
    assert_eq!(zero, "0 is not the handle of an agent");
    for nobody in [
        "16777216",
        "-1",
        "1.5",
        "\"1\"",
        "null",
        "18446744073709551616",
    ] {
        assert!(serde_json::from_str::<AgentId>(nobody).is_err(), "{nobody}");
    }
    let mut cast = cast();
    let mut world = World::default();
    cast.spawn("digger", 2).unwrap();
    cast.step(&mut world, DT);
    let before = cast.save();
    // Of another generation, index and population, and all bits.
    for bits in [2_u64, (2 << 24) | 1, (1 << 52) | 1, (9 << 52) | 1, u64::MAX] {
        let stray: AgentId = serde_json::from_str(&bits.to_string()).unwrap();
        let ticket = Ticket {
            agent: stray,
            node: NodeId::new(1),
            run: 1,
        };
        assert!(!cast.is_alive(stray));
        assert_eq!(
            cast.get::<i64>(stray, "depth"),
            Err(KeyError::Dead),
            "{stray:?}"
        );
        assert_eq!(cast.set(stray, "depth", 1_i64), Err(KeyError::Dead));
        assert!(cast.set_group(stray, 1).is_err());
        assert!(cast.remove(stray, &mut world).is_err());
        assert!(cast.take_out(&[stray]).is_err());
        assert!(cast.send(To::Agent(stray), "call", &[]).is_err());
        assert_eq!(cast.finish(through_json(&ticket), true), Err(Late::Dead));
        cast.remove_many(&[stray], &mut world);
    }
    assert!(cast.save() == before);
}

#[test]
fn a_ticket_that_is_read_again_ends_its_run_and_no_other() {
    let mut cast = cast();
    let mut world = World::default();
    let digger = cast.spawn("digger", 1).unwrap()[0];
    cast.step(&mut world, DT);
    let ticket = world.tickets[0];
    let saved = through_json(&ticket);
    assert_eq!(saved, ticket);
    for other in [
        Ticket {
            run: ticket.run + 1,
            ..saved
        },
        Ticket {
            node: NodeId::new(2),
            ..saved
        },
        Ticket {
            node: NodeId::new(4_000_000_000),
            ..saved
        },
    ] {
        assert_eq!(
            cast.finish(through_json(&other), true),
            Err(Late::Over),
            "{other:?}"
        );
    }
    assert_eq!(cast.finish(saved, true), Ok(()));
    assert_eq!(cast.finish(saved, true), Err(Late::Over));
    cast.step(&mut world, DT);
    assert_eq!(world.tickets.len(), 2, "it rests now");
    assert_eq!(cast.finish(saved, true), Err(Late::Over));
    cast.remove(digger, &mut world).unwrap();
    assert_eq!(
        cast.finish(through_json(&world.tickets[1]), true),
        Err(Late::Dead)
    );
}

#[test]
fn handles_go_with_a_saved_cast_and_are_parameters() -> Result<(), Box<dyn std::error::Error>> {
    let mut cast = cast();
    let mut world = World::default();
    let digger = cast.spawn("digger", 1)?[0];
    let greeters = cast.spawn("greeter", 2)?;
    cast.set(greeters[0], "friend", Entity::from(digger))
        .unwrap();
    let saved = (cast.save(), through_json(&greeters));
    let text = format!("{DOCUMENT} archetype digger tree=digger\n archetype greeter tree=greeter");
    let mut again = Cast::restore(&saved.0, &[&Document::parse(&text, "dig.kdl")], leaves())?;
    again.step(&mut world, DT);
    assert_eq!(world.greeted, [digger]);
    // The other has no friend: its field is not read as somebody.
    let faults = again.take_faults();
    let shown: Vec<String> = faults
        .iter()
        .flat_map(|(_, all)| all.iter().map(|one| one.to_string()))
        .collect();
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert!(
        shown[0].contains("0 is not the handle of an agent"),
        "{shown:?}"
    );
    assert!(saved.1.iter().all(|one| again.is_alive(*one)));
    Ok(())
}
