//! Lists that agents share, from a game's point of view.

use crate::trees::{DT, Play};
use treemind::blackboard::{Entity, Value};
use treemind::blackboard::{Held, KeyId};
use treemind::prelude::*;

const DOCUMENT: &str = r#"
leaves { action look; action report { param whom type=entity; }; }
blackboard scope=group { key spotted type=entity list=8; }
blackboard { key whom type=entity; }
tree wolf {
    sequence {
        action look
        for-each whom in="{spotted}" { action report whom="{whom}"; }
        succeed
    }
}"#;

const SPOTTED: KeyId = KeyId::new(0);

/// Which enemies agents see in a tick, and which they report.
#[derive(Default)]
struct World {
    seen: Vec<(usize, u64)>,
    forgets: Option<usize>,
    reported: Vec<(usize, u64)>,
    full: usize,
}

fn play(agents: usize) -> Play<World> {
    let document = Document::parse(DOCUMENT, "wolf.kdl");
    let wolf = document
        .behaviour(None)
        .expect("the document has no errors");
    let mut registry = Registry::<World>::new();
    registry
        .action("look", |world: &mut World, me: &mut Agent| {
            let index = me.index();
            if world.forgets == Some(index) {
                me.unset("spotted");
            }
            let seen = world.seen.iter().filter(|(agent, _)| *agent == index);
            for (_, whom) in seen {
                world.full += usize::from(!me.push("spotted", Entity(*whom)));
            }
            Status::Success
        })
        .action("report", |world: &mut World, me: &mut Agent| {
            let Entity(whom) = me.arg("whom");
            world.reported.push((me.index(), whom));
            Status::Success
        });
    Play::new(wolf, &registry, World::default(), agents)
}

fn spotted(play: &Play<World>, group: u32) -> Vec<u64> {
    let Held::List(list) = play.population.shared_held(SPOTTED, group) else {
        panic!("the key is a list");
    };
    let whom = |item| match item {
        Value::Entity(whom) => whom,
        other => panic!("{other} is no entity"),
    };
    list.iter().map(whom).collect()
}

#[test]
fn a_pack_keeps_one_list_of_whom_its_members_see() {
    for agents in [3, 65, 1_500] {
        let mut play = play(agents);
        let last = agents - 1;
        play.population.set_group(1, 1);
        play.world.seen = vec![(last, 30), (0, 10), (0, 11), (1, 20)];
        play.tick();
        assert_eq!(play.world.reported, []);
        assert_eq!(spotted(&play, 0), [10, 11, 30], "{agents} agents");
        assert_eq!(spotted(&play, 1), [20]);
        play.world.seen.clear();
        play.tick();
        let mut reported = play.world.reported.clone();
        reported.retain(|(agent, _)| [0, 1, last].contains(agent));
        reported.sort_unstable();
        let wanted = [(0, 10), (0, 11), (0, 30), (1, 20)];
        assert_eq!(reported[..4], wanted);
        assert_eq!(reported[4..], [(last, 10), (last, 11), (last, 30)]);
        // An agent that forgets does so for all, and the agents after it start the list again.
        play.world.forgets = Some(0);
        play.world.seen = (0..9).map(|whom| (last, whom)).collect();
        play.tick();
        assert_eq!(spotted(&play, 0), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(play.world.full, 1);
    }
}

#[test]
fn a_tick_in_which_all_add_all_they_may_for_the_first_time_allocates_nothing() {
    for agents in [1, 65, 1_000] {
        let mut play = play(agents);
        (0..agents).for_each(|agent| play.population.set_group(agent, agent as u32 % 3));
        play.world.reported.reserve(agents * 8);
        (0..3).for_each(|_| play.tick());
        play.world.seen = (0..agents)
            .flat_map(|agent| (0..8).map(move |whom| (agent, whom)))
            .collect();
        let counted = allocation_counter::measure(|| {
            play.population
                .tick(&mut play.bound.host(&mut play.world), DT);
        });
        assert_eq!(counted.count_total, 0, "{agents} agents");
        assert_eq!(spotted(&play, 0), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
