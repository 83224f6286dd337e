//! The boss: a tree and a machine that behave alike, in a hall in which the enemy runs about.

use super::{Actor, Dice};
use std::time::Duration;
use treemind::blackboard::Value;

const FILE: &str = "03-boss/boss.kdl";
const DT: Duration = Duration::from_millis(100);

/// The boss with its body in the hall.
struct Boss {
    actor: Actor,
    place: f32,
    facing: f32,
    walks: bool,
}

impl Boss {
    fn new(actor: Actor) -> Self {
        Self {
            actor,
            place: 0.0,
            facing: 1.0,
            walks: false,
        }
    }

    /// A tick with the enemy at a place: what the boss does, by name.
    fn tick(&mut self, enemy: f32, dt: Duration) -> Vec<String> {
        if self.walks {
            self.place += self.facing * 1.5 * dt.as_secs_f32();
        }
        let ahead = (enemy - self.place) * self.facing;
        self.actor.given("ahead", Value::Float(ahead));
        let done = self.actor.tick(dt);
        let words: Vec<String> = done
            .iter()
            .map(|event| event.split(' ').nth(1).unwrap().to_owned())
            .collect();
        for word in &words {
            match word.as_str() {
                "turn" => self.facing = -self.facing,
                "walk" => self.walks = true,
                "stand" | "swing" => self.walks = false,
                _ => {}
            }
        }
        words
    }

    /// The ticks in which it does something, while the enemy stays at one place.
    fn story(&mut self, ticks: u64, enemy: f32) -> Vec<String> {
        let mut story = Vec::new();
        for _ in 0..ticks {
            let done = self.tick(enemy, DT).join(" ");
            if !done.is_empty() {
                story.push(format!("{}: {done}", self.actor.population.ticks()));
            }
        }
        story
    }
}

fn both() -> [Boss; 2] {
    [Actor::tree(FILE, "boss"), Actor::machine(FILE, "boss")].map(Boss::new)
}

#[test]
fn as_a_tree_and_as_a_machine_it_does_the_same_in_every_tick() {
    let mut seen = std::collections::BTreeMap::<String, u64>::new();
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let [mut tree, mut machine] = both();
        let (mut enemy, mut pace) = (50.0_f32, 0.0);
        for tick in 1..=1_000 {
            let dt = dice.step();
            let done = tree.tick(enemy, dt);
            assert_eq!(done, machine.tick(enemy, dt), "seed {seed}, tick {tick}");
            for word in done {
                *seen.entry(word).or_default() += 1;
            }
            // The enemy runs, stands, and leaps over the boss now and then.
            match dice.below(12) {
                0 => pace = dice.below(9) as f32 - 4.0,
                1 => enemy = tree.place + dice.below(30) as f32 - 15.0,
                _ => enemy += pace * dt.as_secs_f32(),
            }
        }
    }
    for (word, at_least) in [
        ("stand", 500),
        ("walk", 500),
        ("turn", 300),
        ("swing", 500),
        ("blow", 100),
    ] {
        assert!(seen[word] >= at_least, "{seen:?}");
    }
    assert!(seen["blow"] < seen["swing"], "{seen:?}");
}

#[test]
fn it_walks_up_strikes_once_in_a_swing_and_takes_breath() {
    for mut boss in both() {
        assert_eq!(boss.story(1, 50.0), ["1: stand"]);
        // 0.15 metres a tick: from 4 metres to 2.5 in ten. A swing takes eight ticks, its blow comes after three.
        assert_eq!(
            boss.story(30, 4.0),
            [
                "2: walk",
                "12: swing",
                "15: blow",
                "20: stand",
                "21: swing",
                "24: blow",
                "29: stand",
                "30: swing"
            ]
        );
    }
}

#[test]
fn a_blow_lands_only_inside_the_hit_window() {
    // The enemy leaves at the start of the swing. If it is back after 0.4 seconds, the blow lands; after 0.5 it is
    // too late.
    for (away, wanted) in [(3, vec!["6: blow"]), (4, vec![])] {
        for mut boss in both() {
            assert_eq!(boss.story(1, 50.0), ["1: stand"]);
            assert_eq!(boss.story(1, 2.0), ["2: swing"]);
            assert_eq!(boss.story(away, 8.0), [""; 0]);
            let story = boss.story(7 - away, 2.0);
            assert_eq!(story, wanted, "{away} ticks away");
            // It does not break off a swing either.
            assert_eq!(boss.story(1, 8.0), ["10: walk"]);
        }
    }
}

#[test]
fn it_turns_to_its_enemy_and_its_ranges_turn_with_it() {
    for mut boss in both() {
        // It does not see five metres behind its back, but it sees that far to the front.
        assert_eq!(boss.story(3, -5.0), ["1: stand"]);
        assert_eq!(boss.story(3, -3.0), ["4: walk turn"]);
        assert_eq!(boss.story(8, -5.0), [""; 0]);
        assert_eq!(boss.facing, -1.0);
        // Half a metre behind its back is in reach, and the boss strikes to the front.
        let near = boss.place + 0.2;
        assert_eq!(boss.story(4, near), ["15: swing turn", "18: blow"]);
    }
}
