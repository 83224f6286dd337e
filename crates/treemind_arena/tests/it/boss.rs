//! The boss: a tree and a machine that behave alike, against a hero who teases it.

use crate::Play;
use treemind_arena::{EventKind, Rules};

const TREE: Play = Play {
    document: "03-boss/boss.kdl",
    map: "03-boss/hall.map",
    what: "tree:boss",
};
const MACHINE: Play = Play {
    what: "machine:boss",
    ..TREE
};

#[test]
fn it_walks_up_misses_turns_and_strikes_in_the_hit_window() {
    let story = TREE.story(900);
    assert_eq!(
        story.about(&["boss", "damage", "dies"]),
        [
            "1: the boss stands",
            "159: the boss sees the hero",
            "159: the boss walks on",
            "233: the boss swings",
            "249: the boss walks on",
            "335: the boss swings",
            "341: the boss strikes",
            "341: the hero takes 25 damage, 135 left",
            "351: the boss stands",
            "352: the boss swings",
            "358: the boss strikes",
            "358: the hero takes 27 damage, 108 left",
            "368: the boss walks on",
            "368: the boss turns around",
            "369: the boss swings",
            "375: the boss strikes",
            "375: the hero takes 23 damage, 85 left",
            "385: the boss walks on",
            "591: the boss swings",
            "597: the boss strikes",
            "597: the hero takes 26 damage, 59 left",
            "607: the boss stands",
            "608: the boss swings",
            "614: the boss strikes",
            "614: the hero takes 26 damage, 33 left",
            "624: the boss stands",
            "625: the boss swings",
            "631: the boss strikes",
            "631: the hero takes 24 damage, 9 left",
            "641: the boss stands",
            "642: the boss swings",
            "648: the boss strikes",
            "648: the hero takes 25 damage, 0 left",
            "648: the hero dies",
            "658: the boss stands",
            "749: the boss loses track of the hero",
        ]
    );
    // In the swing of tick 233 the hero is away before the window opens; all other swings land in their sixth tick.
    let swings = story.ticks("boss", EventKind::Begins("swing"));
    let blows = story.ticks("boss", EventKind::Begins("blow"));
    let landed: Vec<u64> = swings[1..].iter().map(|tick| tick + 6).collect();
    assert_eq!(blows, landed);
    assert_eq!(story.ticks("boss", EventKind::Misses), [0; 0]);
}

#[test]
fn as_a_tree_and_as_a_machine_it_does_the_same_in_every_tick() {
    let (mut tree, mut machine) = (TREE.session(ROUNDS), MACHINE.session(ROUNDS));
    for tick in 1..=20_000 {
        let events = tree.step();
        assert_eq!(events, machine.step(), "tick {tick}");
        let worlds = [tree.world(), machine.world()];
        let [one, other] = worlds.map(|world| world.state_hash());
        assert_eq!(one, other, "tick {tick}");
    }
    assert!(tree.take_faults().is_empty() && machine.take_faults().is_empty());
}

const ROUNDS: Rules = Rules {
    seed: 3,
    rounds: true,
};
