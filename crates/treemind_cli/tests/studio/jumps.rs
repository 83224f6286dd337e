//! Work for a page: it has a limit, and ends with the page.

use crate::program::Studio;
use crate::server::{english, lines_of, until};
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
        let why = english(&refused["why"]);
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
fn each_page_has_its_file_and_agent_and_a_file_that_nobody_looks_at_rests() {
    let studio = Studio::start(&[]);
    let (mut one, mut other) = (studio.talk(), studio.talk());
    one.say(r#"{"say": "hello"}"#);
    let files = one.hear()["files"].clone();
    let of = |nth: usize, mind: usize| format!(r#""file": {}, "mind": {mind}"#, files[nth]);
    one.say(r#"{"say": "pause"}"#);
    let stands = until(&mut one, &of(0, 0), |view| view["is_paused"] == true);
    // What the other page says is about its own file.
    let view = until(&mut other, &of(1, 0), |view| {
        view["tick"].as_u64() > Some(2)
    });
    assert_eq!(view["file"], files[1]);
    other.say(r#"{"say": "break", "mind": 0, "line": "n1"}"#);
    other.say(r#"{"say": "go", "tick": 300}"#);
    let view = until(&mut other, &of(1, 0), |view| view["tick"] == 300);
    assert_eq!(view["breakpoints"][0]["line"], "n1");
    let view = until(&mut one, &of(0, 0), |_| true);
    for part in ["tick", "last", "file", "breakpoints"] {
        assert_eq!(view[part], stands[part], "{part}");
    }
    // Two pages with one file have one time, and an agent each.
    let mut village = files.as_array().expect("a list").iter();
    let village = village.position(|file| file == "12-village/village.kdl");
    let village = village.expect("an example with several agents");
    until(&mut one, &of(village, 1), |_| true);
    one.say(r#"{"say": "go", "tick": 9}"#);
    let views = [(&mut one, 1), (&mut other, 0)].map(|(page, mind)| {
        until(page, &of(village, mind), |view| {
            view["is_jumping"] == false && view["mind"] == mind
        })
    });
    assert_eq!([&views[0]["tick"], &views[1]["tick"]], [9, 9]);
    // Whoever comes back finds it where it was left; after many others it plays anew, and has its breakpoints.
    let view = until(&mut other, &of(1, 0), |_| true);
    assert_eq!(
        (&view["tick"], &view["is_paused"]),
        (&300.into(), &true.into())
    );
    let others =
        (0..files.as_array().map_or(0, Vec::len)).filter(|nth| ![1, village].contains(nth));
    for nth in others.take(6) {
        until(&mut other, &of(nth, 0), |_| true);
    }
    let view = until(&mut other, &of(1, 0), |_| true);
    assert!(view["last"].as_u64() < Some(300), "{}", view["last"]);
    assert_eq!(view["breakpoints"][0]["line"], "n1");
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

#[test]
fn a_key_that_is_held_stays_as_it_is_whatever_the_arena_writes() {
    let studio = Studio::start(&[
        "examples/01-guard/guard.kdl",
        "examples/12-village/village.kdl",
    ]);
    let cases = [
        ("01-guard/guard", "health", "11"),
        ("12-village/village", "danger", "5"),
    ];
    for (name, key, value) in cases {
        let mut talk = studio.talk();
        let wish = format!(r#""file": "examples/{name}.kdl", "mind": 0"#);
        let view = until(&mut talk, &wish, |_| true);
        let keys = view["definition"]["behaviour"]["keys"].as_array();
        let nth = keys
            .expect("keys")
            .iter()
            .position(|one| one["name"] == key);
        let nth = nth.expect("a key");
        let mut at = |tick: u64, say: &str| {
            talk.say(&format!(r#"{{"say": "go", "tick": {tick}}}"#));
            until(&mut talk, &wish, |view| {
                view["tick"] == tick && view["is_jumping"] == false
            });
            talk.say(&format!(
                r#"{{"say": "{say}", "mind": 0, "key": "{key}", "value": "{value}"}}"#
            ));
            let view = until(&mut talk, &wish, |_| true);
            // Where it was before stays known.
            assert_eq!(view["film"]["keys"][nth][0][0], 1, "{name} {say}");
            let held = view["held"].as_array().expect("a list").len();
            (view["keys"][nth]["value"].clone(), held)
        };
        let before = at(100, "pause");
        assert_ne!(before.0, value, "{name}");
        assert_eq!(at(100, "hold"), (before.0.clone(), 1));
        let held = (value.into(), 1);
        assert_eq!(at(140, "pause"), held, "{name}");
        // Back, and the same way again.
        assert_eq!(at(99, "pause").1, 0);
        assert_eq!(at(100, "pause"), (before.0.clone(), 1));
        assert_eq!(at(120, "pause"), held, "{name}");
        // Released there, the game goes on without it, and knows from when to when it was held.
        assert_eq!(at(120, "release").1, 0);
        let after = at(121, "pause");
        assert!(after.0 != value && after.1 == 0, "{name} {after:?}");
        assert_eq!(at(119, "pause"), held, "{name}");
        assert_eq!(at(121, "pause"), after, "{name}");
    }
}

#[test]
fn a_transition_with_a_history_says_where_it_leads_now() {
    let robot = "examples/04-cleaning-robot/robot.kdl";
    let studio = Studio::start(&[robot]);
    let mut talk = studio.talk();
    let mut at = |tick: u64| {
        talk.say(&format!(r#"{{"say": "go", "tick": {tick}}}"#));
        let view = until(&mut talk, r#""mind": 0"#, |view| {
            view["tick"] == tick && view["is_jumping"] == false
        });
        let [clean, on_duty] = ["clean history=", "on-duty history="].map(|text| {
            let lines = view["definition"]["behaviour"]["lines"].as_array();
            let mut lines = lines.expect("lines").iter();
            lines.position(|line| line["text"].as_str().is_some_and(|own| own.contains(text)))
        });
        let all = view["returns"].as_array().expect("a list").iter();
        let all = all.map(|one| {
            let line = one["line"].as_u64().map(|line| line as usize);
            let what = [clean, on_duty].iter().position(|known| *known == line);
            (what, one["states"][0].clone(), one["is_remembered"].clone())
        });
        all.collect::<Vec<_>>()
    };
    let told = |clean: &str, on_duty: &str, is_remembered: bool| {
        let is_so = serde_json::Value::Bool(is_remembered);
        vec![
            (Some(0), clean.into(), is_so.clone()),
            (Some(1), on_duty.into(), is_so),
        ]
    };
    // It charges until it hides in tick 596, and has left cleaning while it picked something up.
    assert_eq!(at(597), told("pick-up", "charge", true));
    // While a state is active, it would be left first: then it comes back to what is active now.
    assert_eq!(at(100), told("dump", "dump", true));
    // A state that was never left begins.
    assert_eq!(at(0), told("search", "clean", false));
}
