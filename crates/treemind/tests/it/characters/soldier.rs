//! The soldier: a machine, a tree and a machine with decision trees that behave alike, and a machine that chooses
//! trees.

use super::{Actor, Dice, R, S};
use std::time::Duration;
use treemind::blackboard::Value;

const FILE: &str = "10-soldier/soldier.kdl";
const DT: Duration = Duration::from_millis(100);

fn alike() -> [Actor; 3] {
    [
        Actor::machine(FILE, "soldier"),
        Actor::tree(FILE, "soldier"),
        Actor::machine(FILE, "deciding-soldier"),
    ]
}

#[test]
fn as_a_machine_as_a_tree_and_with_decision_trees_it_does_the_same_in_every_tick() {
    let mut seen = std::collections::BTreeMap::<String, u64>::new();
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let mut all = alike();
        for tick in 1..=1_000 {
            let dt = dice.step();
            let one_in = |dice: &mut Dice, sides| dice.below(sides) == 0;
            // Nobody is near in the first tick, in which a machine only begins.
            if tick > 1 {
                for (key, often) in [("enemy_seen", 5), ("safe", 8)] {
                    if one_in(&mut dice, often) {
                        let value = Value::Bool(one_in(&mut dice, 2));
                        all.iter_mut().for_each(|actor| actor.given(key, value));
                    }
                }
                for (key, most) in [("enemy_strength", 4), ("health", 100)] {
                    if one_in(&mut dice, 10) {
                        let value = Value::Float(dice.below(most + 1) as f32);
                        all.iter_mut().for_each(|actor| actor.given(key, value));
                    }
                }
            }
            let [machine, tree, deciding] = all.each_mut().map(|actor| actor.tick(dt));
            assert_eq!(machine, tree, "seed {seed}, tick {tick}");
            assert_eq!(machine, deciding, "seed {seed}, tick {tick}");
            for event in machine {
                *seen.entry(event).or_default() += 1;
            }
        }
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
    assert!(seen.values().all(|count| *count > 500), "{seen:?}");
}

#[test]
fn it_flees_from_the_strong_until_it_is_safe_though_it_sees_them_no_more() {
    for mut soldier in alike() {
        assert_eq!(soldier.story(3, DT), ["1: tick take-post SUCCESS"]);
        soldier.given("enemy_seen", Value::Bool(true));
        assert_eq!(soldier.story(3, DT), ["4: tick open-fire SUCCESS"]);
        soldier.given("health", Value::Float(20.0));
        assert_eq!(soldier.story(3, DT), ["7: tick run-for-cover SUCCESS"]);
        soldier.given("enemy_seen", Value::Bool(false));
        assert_eq!(soldier.story(3, DT), [""; 0]);
        soldier.given("safe", Value::Bool(true));
        assert_eq!(soldier.story(3, DT), ["13: tick take-post SUCCESS"]);
        soldier.given("enemy_seen", Value::Bool(true));
        soldier.given("health", Value::Float(90.0));
        soldier.given("enemy_strength", Value::Float(3.0));
        assert_eq!(soldier.story(1, DT), ["16: tick run-for-cover SUCCESS"]);
    }
}

#[test]
fn it_follows_another_tree_when_ammunition_runs_low() {
    let mut soldier = Actor::machine(FILE, "careful-soldier")
        .answers("patrol", &[R])
        .answers("aim", &[R, S])
        .answers("burst", &[R, S])
        .answers("crawl-to-depot", &[R, S])
        .answers("take-ammo", &[S]);
    assert_eq!(soldier.story(2, DT), ["2: tick patrol RUNNING"]);
    soldier.given("enemy_seen", Value::Bool(true));
    soldier.given("ammo", Value::Int(11));
    assert_eq!(
        soldier.story(3, DT),
        [
            "3: tick aim RUNNING; halt patrol",
            "4: tick aim SUCCESS; tick burst RUNNING",
            "5: tick burst SUCCESS"
        ]
    );
    assert_eq!(soldier.get("ammo"), Value::Int(6));
    // From here on the other tree runs: its last burst, then to the depot as soon as nobody is in the way.
    assert_eq!(soldier.story(2, DT), ["7: tick burst SUCCESS"]);
    soldier.given("enemy_seen", Value::Bool(false));
    assert_eq!(
        soldier.story(4, DT),
        [
            "9: tick crawl-to-depot RUNNING",
            "10: tick crawl-to-depot SUCCESS; tick take-ammo SUCCESS"
        ]
    );
    assert_eq!(soldier.get("ammo"), Value::Int(30));
    assert_eq!(soldier.story(1, DT), ["12: tick patrol RUNNING"]);
}

#[test]
fn what_it_has_begun_is_broken_off_when_there_is_none_left_for_it() {
    let mut soldier = Actor::machine(FILE, "careful-soldier").answers("patrol", &[R]);
    soldier.story(2, DT);
    soldier.given("ammo", Value::Int(0));
    assert_eq!(soldier.story(1, DT), ["3: halt patrol"]);
}
