//! Casts: archetypes of several documents in one world.

use crate::trees::DT;
use treemind::blackboard::Value;
use treemind::leaves::{Late, Ticket};
use treemind::population::Dead;
use treemind::population::Newborn;
use treemind::prelude::*;
use treemind::{CastError, KeyError};

/// The runs that began and have not ended, and what was done.
#[derive(Default)]
struct World {
    open: Vec<AgentId>,
    tickets: Vec<Ticket>,
}

fn leaves() -> Registry<World> {
    let mut leaves = Registry::new();
    leaves
        .action_with(
            "live",
            update(|_: &mut World, _: &mut Agent| Status::Running)
                .start(|world: &mut World, me: &mut Agent| world.open.push(me.id()))
                .stop(|world: &mut World, me: &mut Agent, _| {
                    let id = me.id();
                    let nth = world.open.iter().position(|open| *open == id);
                    world.open.remove(nth.expect("it was started"));
                }),
        )
        .action("call", |_: &mut World, me: &mut Agent| {
            me.spawn("sheep", &[("wool", Value::Int(1))]);
            Status::Success
        })
        .action_with(
            "think",
            update(|_: &mut World, _: &mut Agent| Status::Running)
                .start(|world: &mut World, me: &mut Agent| world.tickets.push(me.ticket())),
        )
        .reports();
    leaves
}

const SHEEP: &str = r#"
leaves { action live; }
blackboard scope=world { key alarm type=int; }
blackboard { key wool type=int default=3; key luck type=int; }
tree sheep { sequence { set "luck = random(0, 1000000)"; action live; } }
archetype sheep tree=sheep
archetype lamb tree=sheep every=2 { given wool=0; }
"#;

const SHEPHERD: &str = r#"
import "sheep.kdl"
leaves { action call; action think reports=#true; }
tree shepherd { sequence { action call; set "alarm = 7"; action think; } }
archetype shepherd tree=shepherd
"#;

fn read(name: &str, text: &str) -> Document {
    Document::read_with(text.as_bytes(), name, |_| {
        Ok::<_, &str>(SHEEP.as_bytes().to_vec())
    })
}

fn cast() -> Cast<World> {
    let mut cast = Cast::new(leaves()).with_seed(5);
    cast.add(&read("sheep.kdl", SHEEP)).expect("it is right");
    cast.add(&read("shepherd.kdl", SHEPHERD))
        .expect("it is right");
    cast
}

fn refused(cast: &mut Cast<World>, name: &str, text: &str) -> String {
    let before: Vec<String> = cast.archetypes().map(str::to_owned).collect();
    let populations = cast.society().ids().count();
    let error = cast.add(&read(name, text)).expect_err("it is wrong");
    assert_eq!(cast.archetypes().collect::<Vec<_>>(), before);
    assert_eq!(cast.society().ids().count(), populations);
    error.to_string()
}

#[test]
fn agents_of_archetypes_live_in_populations_of_what_they_run() {
    let mut cast = cast();
    assert_eq!(
        cast.archetypes().collect::<Vec<_>>(),
        ["sheep", "lamb", "shepherd"]
    );
    let mut world = World::default();
    let flock = [
        cast.spawn("sheep", 2).unwrap(),
        cast.spawn("lamb", 1).unwrap(),
    ]
    .concat();
    let shepherd = cast.spawn("shepherd", 1).unwrap()[0];
    assert!(
        flock
            .iter()
            .all(|one| one.population() == flock[0].population())
    );
    assert_ne!(flock[0].population(), shepherd.population());
    let wool = |cast: &Cast<World>, agent| cast.get::<i64>(agent, "wool");
    assert_eq!(
        [wool(&cast, flock[1]), wool(&cast, flock[2])],
        [Ok(3), Ok(0)]
    );
    assert_eq!(
        cast.society().population(flock[0].population()).interval(2),
        2
    );

    assert_eq!(cast.step(&mut world, DT).running, 4);
    assert_eq!(cast.get::<i64>(flock[0], "alarm"), Ok(7));
    let newborns = cast
        .society()
        .population(flock[0].population())
        .newborns()
        .to_vec();
    let [
        Newborn {
            id: born, parent, ..
        },
    ] = newborns[..]
    else {
        panic!("{newborns:?}");
    };
    assert_eq!((parent, wool(&cast, born)), (shepherd, Ok(1)));

    cast.set(born, "wool", 9_i64).unwrap();
    assert_eq!(cast.remove(flock[1], &mut world), Ok(()));
    assert_eq!(cast.remove(flock[1], &mut world), Err(Dead));
    assert_eq!(wool(&cast, flock[1]), Err(KeyError::Dead));
    assert_eq!(cast.set(flock[1], "wool", 1_i64), Err(KeyError::Dead));
    assert!(!cast.is_alive(flock[1]) && cast.is_alive(born));
    let next = cast.spawn("sheep", 1).unwrap()[0];
    assert_eq!(
        (next.index(), next.generation(), wool(&cast, next)),
        (1, 2, Ok(3))
    );

    let ticket = world.tickets[0];
    assert_eq!(ticket.agent, shepherd);
    assert_eq!(cast.finish(ticket, true), Ok(()));
    assert_eq!(cast.finish(ticket, true), Err(Late::Over));
    assert_eq!(cast.step(&mut world, DT).success, 1);
    assert_eq!(world.open.len(), 4);
    cast.remove_many(&[shepherd, flock[1], flock[0], shepherd], &mut world);
    assert_eq!(cast.finish(ticket, true), Err(Late::Dead));
    assert_eq!(world.open.len(), 3);
    cast.stop(&mut world);
    assert!(world.open.is_empty() && cast.take_faults().is_empty());
}

#[test]
fn what_is_wrong_is_told_with_its_files_and_nothing_is_added() {
    let mut cast = cast();
    assert_eq!(
        refused(
            &mut cast,
            "wolves.kdl",
            "leaves { action live; }\ntree w { action live; }\narchetype sheep tree=w"
        ),
        "there are two archetypes `sheep`: sheep.kdl:6:11 and wolves.kdl:3:11; `add_as` gives those of a document a prefix"
    );
    let wolves = "leaves { action live; }\nblackboard scope=world { key alarm type=bool; }\ntree wolf { sequence { check \"alarm\"; action live; } }";
    let error = refused(&mut cast, "wolves.kdl", wolves);
    assert!(
        error.contains("default=0` in `sheep` (sheep.kdl:3:")
            && error.ends_with("default=false` in `wolf` (wolves.kdl:2:30)"),
        "{error}"
    );
    let error = refused(
        &mut cast,
        "wolves.kdl",
        "leaves { action bite; }\ntree wolf { action bite; }",
    );
    assert_eq!(error, "`wolf`: the action `bite` is not registered");
    let error = cast
        .add(&read("wolves.kdl", "tree wolf {"))
        .expect_err("it is wrong");
    assert!(matches!(error, CastError::Document(_)));
    let error = cast.spawn("sheeps", 1).expect_err("there is none");
    assert_eq!(
        error.to_string(),
        "there is no archetype `sheeps`; did you mean `sheep`?"
    );
}

#[test]
fn one_document_can_be_there_twice_under_another_name() {
    let mut cast = cast();
    cast.add(&read("sheep.kdl", SHEEP)).expect("it is the same");
    assert_eq!(cast.archetypes().len(), 3);
    let other = SHEEP.replace("default=3", "default=5");
    cast.add_as("black", &read("black.kdl", &other))
        .expect("it has a prefix");
    let [white, black] = ["sheep", "black/sheep"].map(|name| cast.spawn(name, 1).unwrap()[0]);
    assert_eq!(
        [white, black].map(|agent| cast.get::<i64>(agent, "wool")),
        [Ok(3), Ok(5)]
    );
}

#[test]
fn seeds_depend_on_the_cast_and_on_the_population() {
    let luck = |seed: u64| {
        let mut cast = Cast::new(leaves()).with_seed(seed);
        cast.add(&read("sheep.kdl", SHEEP)).unwrap();
        cast.add_as("black", &read("black.kdl", &format!("{SHEEP}\n")))
            .unwrap();
        let agents = ["sheep", "black/sheep"].map(|name| cast.spawn(name, 1).unwrap()[0]);
        cast.step(&mut World::default(), DT);
        agents.map(|agent| cast.get::<i64>(agent, "luck").unwrap())
    };
    let [one, other] = luck(5);
    assert_ne!(one, other);
    assert_eq!(luck(5), [one, other]);
    assert_ne!(luck(6)[0], one);
}
