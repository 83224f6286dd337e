//! What has changed since the view that a page has.

use crate::program::Studio;
use crate::server::until;

/// What has changed, put into the view that is there.
fn patched(before: &serde_json::Value, delta: &serde_json::Value) -> serde_json::Value {
    let mut view = delta.clone();
    assert_eq!(delta["base"], before["state"], "{delta}");
    for name in delta["same"].as_array().expect("a list") {
        let name = name.as_str().expect("a name");
        view[name] = before[name].clone();
    }
    for (name, patch) in delta["patch"].as_object().expect("an object") {
        view[name] = changed(&before[name], patch);
    }
    view
}

fn changed(before: &serde_json::Value, patch: &serde_json::Value) -> serde_json::Value {
    if let (Some(before), Some(moves)) = (before.as_str(), patch.as_str()) {
        return moved(before, moves).into();
    }
    let mut now = before.clone();
    for item in patch.as_array().into_iter().flatten() {
        now[item[0].as_u64().expect("a place") as usize] = item[1].clone();
    }
    for (name, value) in patch["set"].as_object().into_iter().flatten() {
        now[name] = value.clone();
    }
    for (name, patch) in patch["patch"].as_object().into_iter().flatten() {
        now[name] = changed(&before[name], patch);
    }
    now
}

/// Points that have moved, as the page on the protocol says.
fn moved(before: &str, moves: &str) -> String {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let value = |digit: &char| DIGITS.find(*digit).expect("a digit") as i64;
    let (old, moves): (Vec<char>, Vec<char>) = (before.chars().collect(), moves.chars().collect());
    let (mut now, mut nth) = (Vec::new(), 0);
    while nth < moves.len() {
        let (at, digit) = (now.len(), value(&moves[nth]));
        match digit {
            63 => {
                now.extend(&moves[nth + 1..nth + 5]);
                nth += 4;
            }
            49.. => now.extend(&old[at..at + (4 << (digit - 48))]),
            _ => {
                for (at, by) in [(at, digit % 7 - 3), (at + 2, digit / 7 - 3)] {
                    let number = value(&old[at]) * 64 + value(&old[at + 1]) + by;
                    let digits = [number / 64, number % 64];
                    now.extend(digits.map(|digit| DIGITS.as_bytes()[digit as usize] as char));
                }
            }
        }
        nth += 1;
    }
    now.into_iter().collect()
}

#[test]
fn deltas_add_up_to_whole_views() {
    let guard = Studio::start(&["examples/01-guard/guard.kdl"]);
    let (sizes, whole_sizes) = deltas(&guard, 180, 20);
    assert!(sizes < whole_sizes, "{sizes} {whole_sizes}");
    // At 20 views a second, these are less than 200 kB; of more people, no more are drawn.
    let villagers = ["examples/12-village/village.kdl", "--agents", "4000"];
    let (sizes, _) = deltas(&Studio::run(&villagers), 220, 6);
    assert!(sizes / 6 < 10_000, "{sizes}");
}

/// The bytes of the deltas of so many ticks after a tick, and of whole views.
fn deltas(studio: &Studio, from: u64, ticks: u64) -> (u64, u64) {
    let (mut one, mut other) = (studio.talk(), studio.talk());
    one.say(&serde_json::json!({"say": "go", "tick": from}).to_string());
    until(&mut one, r#""mind": 0"#, |view| {
        view["tick"] == from && view["is_jumping"] == false
    });
    one.say(r#"{"say": "look", "delta": true}"#);
    let mut known = one.hear();
    assert!(known["base"].is_null());
    let (mut sizes, mut whole_sizes) = (0, 0);
    for tick in from + 1..=from + ticks {
        one.say(r#"{"say": "step"}"#);
        let (seen, opened) = (known["state"].clone(), known["opened"].clone());
        one.say(&format!(
            r#"{{"say": "look", "delta": true, "seen": {seen}, "opened": {opened}, "defined": 0, "since": {from}}}"#
        ));
        let delta = one.hear();
        assert_eq!(delta["tick"], tick);
        known = patched(&known, &delta);
        other.say(&format!(
            r#"{{"say": "look", "opened": {opened}, "defined": 0, "since": {from}}}"#
        ));
        let whole = other.hear();
        let parts = [
            "agents",
            "crowd",
            "does",
            "explanation",
            "keys",
            "marks",
            "scene",
        ];
        for part in parts {
            assert_eq!(known[part], whole[part], "{part} in tick {tick}");
        }
        sizes += delta.to_string().len();
        whole_sizes += whole.to_string().len();
    }
    // Who says to have seen something else gets everything.
    one.say(r#"{"say": "look", "delta": true, "seen": 1, "opened": 1, "defined": 0}"#);
    assert!(one.hear()["base"].is_null());
    (sizes as u64, whole_sizes as u64)
}

#[test]
fn after_a_reload_only_what_has_changed_of_the_definition_is_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    let text = include_str!("../../../../examples/01-guard/guard.kdl");
    std::fs::write(&path, text).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "pause"}"#);
    talk.say(r#"{"say": "look", "delta": true}"#);
    let first = talk.hear();
    assert!(first["definition"].is_object(), "{first}");
    let whole = first["definition"].to_string().len();
    std::fs::write(&path, text.replace("health < 20", "health < 30")).expect("it is written");
    let mut seen = first;
    loop {
        let (state, opened) = (seen["state"].clone(), seen["opened"].clone());
        talk.say(&format!(
            r#"{{"say": "look", "delta": true, "seen": {state}, "opened": {opened}, "defined": 0}}"#
        ));
        seen = talk.hear();
        if seen["definition_patch"].is_object() {
            break;
        }
        assert!(seen["definition"].is_null(), "{seen}");
    }
    let patch = seen["definition_patch"].to_string();
    assert!(patch.contains("30"), "{patch}");
    assert!(
        patch.len() * 5 < whole,
        "{} of {whole}: {patch}",
        patch.len()
    );
    // Who has another definition gets all of it.
    talk.say(r#"{"say": "look", "delta": true, "seen": 0, "opened": 1, "defined": 0}"#);
    assert!(talk.hear()["definition"].is_object());
}
