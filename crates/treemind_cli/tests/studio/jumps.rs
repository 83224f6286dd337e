//! Work for a page: it has a limit, and ends with the page.

use crate::program::Studio;
use crate::server::{lines_of, until};
use serde_json::json;

#[test]
fn a_jump_has_a_limit_says_where_it_leads_and_ends_with_its_page() {
    let studio = Studio::start(&["examples/12-village/village.kdl"]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "pause"}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| view["is_paused"] == true);
    let last = view["last"].as_u64().expect("a tick");
    for tick in ["1000000000000", "18446744073709551615"] {
        talk.say(&format!(r#"{{"say": "go", "tick": {tick}}}"#));
        let refused = talk.hear();
        assert_eq!(refused["kind"], "refused");
        let why = refused["why"].as_str().expect("a reason");
        assert!(why.contains("100000 ticks"), "{why}");
        assert!(why.contains(&(last + 100_000).to_string()), "{why}");
    }
    // A jump that would take minutes shows how far it is, and ends when another one is asked for.
    talk.say(r#"{"say": "go", "tick": 90000}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| {
        view["tick"].as_u64() > Some(last)
    });
    assert_eq!(
        (&view["goal"], &view["is_jumping"]),
        (&90_000.into(), &true.into())
    );
    talk.say(&format!(r#"{{"say": "go", "tick": {last}}}"#));
    let view = until(&mut talk, r#""mind": 0"#, |view| {
        view["is_jumping"] == false
    });
    assert_eq!(
        (&view["tick"], &view["goal"]),
        (&last.into(), &serde_json::Value::Null)
    );
    // And when the page that wants it has gone, though another one looks.
    let mut other = studio.talk();
    until(&mut other, r#""mind": 0"#, |view| view["is_paused"] == true);
    talk.say(r#"{"say": "go", "tick": 90000}"#);
    until(&mut talk, r#""mind": 0"#, |view| view["is_jumping"] == true);
    drop(talk);
    let view = until(&mut other, r#""mind": 0"#, |view| {
        view["is_jumping"] == false
    });
    assert!(view["tick"].as_u64() < Some(90_000), "{}", view["tick"]);
}

#[test]
fn nothing_plays_while_nobody_looks() {
    let studio = Studio::start(&["examples/01-guard/guard.kdl"]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "speed", "factor": 64}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| {
        view["tick"].as_u64() > Some(100)
    });
    drop(talk);
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let before = view["tick"].as_u64().expect("a tick");
    let mut talk = studio.talk();
    talk.say(r#"{"say": "look", "nth": 1}"#);
    let tick = talk.hear()["tick"].as_u64().expect("a tick");
    // At this speed it would make 1900 ticks in that time.
    assert!(tick < before + 950, "{before} to {tick}");
}

#[test]
fn short_flashes_are_kept_for_whoever_looked_away() {
    let studio = Studio::start(&["examples/01-guard/guard.kdl"]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "go", "tick": 150}"#);
    until(&mut talk, r#""mind": 0"#, |view| {
        view["tick"] == 150 && view["is_jumping"] == false
    });
    talk.say(r#"{"say": "play"}"#);
    until(&mut talk, r#""mind": 0"#, |view| {
        view["tick"].as_u64() > Some(210)
    });
    talk.say(r#"{"say": "pause"}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| view["is_paused"] == true);
    let (tick, attack) = (view["tick"].clone(), lines_of(&view, "n9"));
    let opened = &view["opened"];
    let mut look_since = |since: u64| {
        talk.say(&format!(
            r#"{{"say": "look", "opened": {opened}, "defined": 0, "since": {since}}}"#
        ));
        let view = talk.hear();
        assert_eq!(view["marks"][attack], "", "it was cut off long ago");
        let flashes = view["flashes"].as_array().expect("a list").clone();
        flashes.contains(&json!([attack, "cut"]))
    };
    // It was cut off in tick 190.
    assert!(!look_since(209));
    assert!(!look_since(190));
    assert!(look_since(189));
    // Whoever jumps there has seen nothing of it.
    talk.say(r#"{"say": "go", "tick": 100}"#);
    talk.say(&format!(r#"{{"say": "go", "tick": {tick}}}"#));
    let jumped = until(&mut talk, r#""mind": 0, "since": 100"#, |view| {
        view["tick"] == tick && view["is_jumping"] == false
    });
    assert_eq!(jumped["flashes"], json!([]));
    assert_eq!(jumped["marks"], view["marks"]);
}
