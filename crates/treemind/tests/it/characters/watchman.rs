//! The watchman: a decision tree.

use super::{Actor, Dice, F, R, S};
use std::time::Duration;
use treemind::blackboard::Value;

const FILE: &str = "09-watchman/watchman.kdl";
const DT: Duration = Duration::from_millis(100);

fn watchman() -> Actor {
    let mut watchman = Actor::decision(FILE, "watchman");
    for action in ["run-to-alarm", "walk-to-hut", "patrol", "look-around"] {
        watchman = watchman.answers(action, &[R]);
    }
    watchman
}

/// A value of the enumeration `weather`, by its name.
fn weather(watchman: &mut Actor, name: &str) {
    let key = watchman.behaviour.key_id("weather").unwrap();
    let value = watchman.behaviour.key(key).default;
    let Value::Enum(list, _) = value else {
        panic!("{value:?}");
    };
    let values = &watchman.behaviour.enums()[list.index()].values;
    let place = values.iter().position(|value| value == name).unwrap();
    watchman.given("weather", Value::Enum(list, place as u32));
}

#[test]
fn what_it_does_follows_from_what_is_the_case() {
    let mut watchman = watchman().answers("is-armed", &[S, S, F, F]);
    watchman.given("enemy_distance", Value::Float(2.0));
    assert_eq!(
        watchman.story(1, DT),
        ["1: tick is-armed SUCCESS; tick strike SUCCESS"]
    );
    watchman.given("enemy_distance", Value::Float(3.0));
    assert_eq!(
        watchman.story(1, DT),
        ["2: tick is-armed SUCCESS; tick strike SUCCESS"]
    );
    assert_eq!(
        watchman.story(1, DT),
        ["3: tick is-armed FAILURE; tick walk-to-hut RUNNING"]
    );
    // The hut is one task, whichever path leads there.
    weather(&mut watchman, "storm");
    watchman.given("enemy_distance", Value::Float(3.5));
    assert_eq!(watchman.story(1, DT), ["4: tick walk-to-hut RUNNING"]);
    watchman.given("alarm_on", Value::Bool(true));
    assert_eq!(
        watchman.story(1, DT),
        ["5: halt walk-to-hut; tick run-to-alarm RUNNING"]
    );
    watchman.given("alarm_on", Value::Bool(false));
    watchman.given("enemy_distance", Value::Float(1.0));
    assert_eq!(
        watchman.story(1, DT),
        ["6: tick is-armed FAILURE; halt run-to-alarm; tick walk-to-hut RUNNING"]
    );
}

/// How long each stay lasted, in ticks, by what was done. The last stay is cut off and left out.
fn stays(watchman: &mut Actor, ticks: u64) -> Vec<(String, u64)> {
    let mut stays: Vec<(String, u64)> = Vec::new();
    for _ in 0..ticks {
        let events = watchman.tick(DT);
        let running = events
            .iter()
            .find_map(|event| event.strip_suffix(" RUNNING"));
        let running = running.expect("there is always something to do").to_owned();
        match stays.last_mut() {
            Some((last, count)) if *last == running => *count += 1,
            _ => stays.push((running, 1)),
        }
    }
    stays.pop();
    stays
}

#[test]
fn on_quiet_nights_it_neither_flickers_nor_freezes() {
    let mut watchman = watchman();
    let stays = stays(&mut watchman, 10_000);
    let [patrols, stands] = ["tick patrol", "tick look-around"].map(|name| {
        let own = stays.iter().filter(|(done, _)| done == name);
        own.map(|(_, ticks)| *ticks).collect::<Vec<u64>>()
    });
    assert_eq!(patrols.len() + stands.len(), stays.len());
    // A draw holds for eight seconds, which are 80 ticks; several draws in a row may be the same.
    assert!(stays.iter().all(|(_, ticks)| ticks % 80 == 0), "{stays:?}");
    assert!(patrols.len() >= 20 && stands.len() >= 20, "{stays:?}");
    let longest = stays.iter().map(|(_, ticks)| *ticks).max();
    assert!(longest <= Some(80 * 14), "{longest:?}");
    // About two of every three draws are patrols.
    let (patrolled, stood): (u64, u64) = (patrols.iter().sum(), stands.iter().sum());
    let share = patrolled as f64 / (patrolled + stood) as f64;
    assert!((0.5..0.8).contains(&share), "{share}");
}

#[test]
fn through_10_000_ticks_of_all_kinds_nothing_is_done_for_ever() {
    let mut watchman = watchman();
    let mut dice = Dice(1);
    let (mut seen, mut last, mut stay, mut longest) = (
        std::collections::BTreeMap::<String, u64>::new(),
        String::new(),
        0_u64,
        0,
    );
    for _ in 0..10_000 {
        if dice.below(40) == 0 {
            let rings = dice.below(5) == 0;
            watchman.given("alarm_on", Value::Bool(rings));
            watchman.given("enemy_distance", Value::Float(dice.below(20) as f32));
            let armed = [S, F][dice.below(2) as usize];
            assert!(watchman.host.set_all("is-armed", &[armed]));
            let names = ["clear", "clear", "clear", "rain", "storm"];
            weather(&mut watchman, names[dice.below(5) as usize]);
        }
        let events = watchman.tick(dice.step());
        let done = events
            .iter()
            .find(|event| event.starts_with("tick") && !event.contains("is-armed"));
        let done = done.expect("there is always something to do").clone();
        stay = if done == last { stay + 1 } else { 1 };
        longest = stay.max(longest);
        *seen.entry(done.clone()).or_default() += 1;
        last = done;
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
    assert!(seen.values().all(|ticks| *ticks > 100), "{seen:?}");
    assert!(longest < 1_000, "{longest}");
}
