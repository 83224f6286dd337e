//! `treemind run --studio` of crowds, without a browser.

use crate::program::{Studio, Talk, root};
use serde_json::{Value, json};
use std::process::Command;

const VILLAGE: &str = "examples/12-village/village.kdl";

/// The first view in which something holds.
fn until(talk: &mut Talk, mind: u64, holds: impl Fn(&Value) -> bool) -> Value {
    let mut seen = 0;
    loop {
        talk.say(&json!({"say": "look", "nth": 1, "seen": seen, "mind": mind}).to_string());
        let view = talk.hear();
        assert_eq!(view["kind"], "view", "{view}");
        seen = view["state"].as_u64().expect("a number");
        if holds(&view) {
            return view;
        }
    }
}

fn at(talk: &mut Talk, mind: u64, tick: u64) -> Value {
    talk.say(&json!({"say": "go", "tick": tick}).to_string());
    until(talk, mind, |view| {
        view["tick"] == tick && view["is_jumping"] == false
    })
}

#[test]
fn a_crowd_of_run_is_shown_as_the_studio_shows_it() {
    let run = Studio::run(&[VILLAGE, "--agent", "8", "--at", "100"]);
    assert!(run.url.ends_with("/#agent=8"), "{}", run.url);
    let mut talk = run.talk();
    let begun = until(&mut talk, 7, |view| view["is_jumping"] == false);
    assert_eq!(
        (&begun["tick"], &begun["is_paused"]),
        (&json!(100), &json!(true))
    );
    let studio = Studio::start(&[VILLAGE]);
    let mut other = studio.talk();
    for tick in [100, 160, 130] {
        let (ours, theirs) = (at(&mut talk, 7, tick), at(&mut other, 7, tick));
        for part in ["does", "keys", "marks", "crowd", "scene", "explanation"] {
            assert_eq!(ours[part], theirs[part], "{part} in tick {tick}");
        }
    }
    // Another seed is another course, and `--agents` says how many there are.
    let few = Studio::run(&[VILLAGE, "--agents", "70", "--seed", "3", "--at", "100"]);
    let mut few = few.talk();
    let view = until(&mut few, 7, |view| view["is_jumping"] == false);
    assert_eq!(view["crowd"]["agents"], 70);
    assert_ne!(view["scene"], begun["scene"]);
}

#[test]
fn agents_and_threads_of_a_crowd_that_mean_nothing_are_refused() {
    for (args, reason) in [
        (&["--agent", "71"][..], "a number from 1 to 70"),
        (&["--agent", "nobody"], "a number from 1 to 70"),
        (&["--threads", "2"], "--threads"),
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_treemind"))
            .args(["run", VILLAGE, "--studio", "--agents", "70"])
            .args(args)
            .current_dir(root())
            .output()
            .expect("the program starts");
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && told.contains(reason), "{told}");
        assert!(run.stdout.is_empty(), "no address is printed");
    }
}

#[test]
fn a_saved_crowd_goes_on_in_the_studio_and_with_a_changed_document() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |name: &str| {
        let path = folder.path().join(name);
        path.to_str().expect("a path").to_owned()
    };
    for name in ["village.kdl", "village.map"] {
        let from = root().join("examples/12-village").join(name);
        std::fs::copy(from, of(name)).expect("a copy");
    }
    let (file, save) = (of("village.kdl"), of("day.save"));
    let played = [
        "--no-ui", "--quiet", "--agents", "70", "--ticks", "90", "--save", &save,
    ];
    let run = Command::new(env!("CARGO_BIN_EXE_treemind"))
        .args(["run", &file])
        .args(played)
        .status();
    assert!(run.expect("the program starts").success());
    let studio = Studio::run(&[&file, "--load", &save, "--watch", "--at", "90"]);
    let mut talk = studio.talk();
    let view = until(&mut talk, 3, |view| view["is_jumping"] == false);
    assert_eq!(
        (&view["tick"], &view["first"], &view["last"]),
        (&json!(90), &json!(90), &json!(90))
    );
    assert!(
        view["marks"].is_array(),
        "somebody is shown before the first tick"
    );
    let before = at(&mut talk, 3, 120);
    // A mistake changes nothing, and is reported.
    let text = std::fs::read_to_string(&file).expect("a text");
    std::fs::write(&file, text.replace("action drink", "actoin drink")).expect("a file");
    let view = until(&mut talk, 3, |view| view["reloaded"]["nth"] == 1);
    assert_eq!(view["reloaded"]["is_done"], false, "{}", view["reloaded"]);
    assert_eq!(
        (&view["tick"], &view["does"]),
        (&json!(120), &before["does"])
    );
    // What has changed is shown, and everybody goes on.
    let changed = text.replace("action hide secs=20.0", "action hide secs=25.0");
    assert_ne!(changed, text);
    std::fs::write(&file, changed).expect("a file");
    let view = until(&mut talk, 3, |view| view["reloaded"]["nth"] == 2);
    assert_eq!(view["reloaded"]["is_done"], true, "{}", view["reloaded"]);
    let lines = view["definition"]["behaviour"]["lines"].to_string();
    assert!(lines.contains("secs=25.0"), "{lines}");
    assert_eq!((&view["tick"], &view["first"]), (&json!(120), &json!(90)));
    assert_eq!(view["crowd"]["agents"], 70);
    let values = |view: &Value| -> Vec<Value> {
        let keys = view["keys"].as_array().expect("keys").iter();
        keys.map(|key| key["value"].clone()).collect()
    };
    assert_eq!(values(&view), values(&before));
    let later = at(&mut talk, 3, 150);
    assert!(later["explanation"].is_object(), "{later}");
    // The ticks before are those of the old document, and those after it are those of the new one, as they were.
    let again = at(&mut talk, 3, 119);
    let lines = again["definition"]["behaviour"]["lines"].to_string();
    assert!(lines.contains("secs=20.0"), "{lines}");
    assert!(again["explanation"].is_object(), "{again}");
    let again = at(&mut talk, 3, 150);
    let lines = again["definition"]["behaviour"]["lines"].to_string();
    assert!(lines.contains("secs=25.0"), "{lines}");
    for part in ["does", "keys", "marks", "explanation", "crowd", "scene"] {
        assert_eq!(again[part], later[part], "{part}");
    }
}
