//! The soldier: a machine, a tree, a machine with decision trees, and a machine that chooses trees.

use crate::Play;
use treemind_arena::{EventKind, Rules};

pub(crate) const MACHINE: Play = Play {
    document: "10-soldier/soldier.kdl",
    map: "10-soldier/valley.map",
    what: "machine:soldier",
};
const TREE: Play = Play {
    what: "tree:soldier",
    ..MACHINE
};
const DECIDING: Play = Play {
    what: "machine:deciding-soldier",
    ..MACHINE
};
pub(crate) const CAREFUL: Play = Play {
    what: "machine:careful-soldier",
    ..MACHINE
};

#[test]
fn it_shoots_the_weak_and_takes_cover_from_the_strong_and_when_it_is_hurt() {
    let story = MACHINE.story(2_200);
    assert_eq!(
        story.about(&[
            "soldier takes",
            "soldier opens",
            "soldier runs",
            "soldier sees",
            "soldier loses track",
            "dies",
            "comes in"
        ]),
        [
            "1: the soldier takes its post",
            "60: the scout comes in",
            "277: the soldier sees the scout",
            "277: the soldier opens fire",
            "357: the scout dies",
            "357: the soldier takes its post",
            "457: the soldier loses track of the scout",
            "520: the brute comes in",
            "798: the soldier sees the brute",
            "798: the soldier runs for cover",
            "899: the soldier loses track of the brute",
            "899: the soldier takes its post",
            "931: the soldier sees the brute",
            "931: the soldier runs for cover",
            "1032: the soldier loses track of the brute",
            "1059: the soldier takes its post",
            "1092: the soldier sees the brute",
            "1092: the soldier runs for cover",
            "1193: the soldier loses track of the brute",
            "1193: the soldier takes its post",
            "1640: the stalker comes in",
            "1698: the soldier sees the stalker",
            "1698: the soldier opens fire",
            "1717: the soldier takes 18 damage, 82 left",
            "1733: the soldier takes 17 damage, 65 left",
            "1749: the soldier takes 19 damage, 46 left",
            "1765: the soldier takes 17 damage, 29 left",
            "1765: the soldier runs for cover",
            "1781: the soldier takes 18 damage, 11 left",
            "1896: the soldier loses track of the stalker",
            "1896: the soldier takes its post",
            "1928: the soldier sees the stalker",
            "1928: the soldier opens fire",
            "1949: the soldier takes its post",
            "2029: the soldier loses track of the stalker",
        ]
    );
}

#[test]
fn in_three_forms_it_does_the_same_in_every_tick() {
    let rules = Rules {
        seed: 5,
        rounds: true,
    };
    let mut all = [MACHINE, TREE, DECIDING].map(|play| play.session(rules));
    for tick in 1..=20_000 {
        let events = all.each_mut().map(|session| session.step().to_vec());
        assert_eq!(events[0], events[1], "tick {tick}: the tree");
        assert_eq!(events[0], events[2], "tick {tick}: the one that decides");
        let hashes = all.each_ref().map(|session| session.world().state_hash());
        assert_eq!(
            (hashes[0], hashes[0]),
            (hashes[1], hashes[2]),
            "tick {tick}"
        );
    }
    assert!(
        all.into_iter()
            .all(|mut session| session.take_faults().is_empty())
    );
}

#[test]
fn the_careful_one_flees_from_the_strong_and_follows_another_tree_when_ammunition_runs_low() {
    let story = CAREFUL.story(2_200);
    assert_eq!(
        story.about(&[
            "crawls",
            "takes ammunition",
            "has reloaded",
            "dies",
            "runs for cover"
        ]),
        [
            "338: the scout dies",
            "775: the soldier runs for cover",
            "931: the soldier runs for cover",
            "1172: the soldier runs for cover",
            "1505: the soldier runs for cover",
            "1689: the stalker dies",
            "1691: the soldier crawls to the depot",
            "1829: the soldier takes ammunition",
            "1868: the soldier has reloaded",
            "2034: the soldier runs for cover",
        ]
    );
    // It hits about every second time, and goes for more before it is out of rounds.
    let shots = story.events.iter().filter(|event| match event.what {
        EventKind::Misses => true,
        EventKind::IsHit { .. } => event.who != story.world().find("soldier"),
        _ => false,
    });
    assert_eq!(shots.count(), 23);
}
