//! Tests of a document that are run in the studio, through the web socket.

use crate::program::{Studio, Talk};
use crate::server::{english, until};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A guard with a test that passes, one that fails, one that fails at random, and one of another tree.
pub(crate) const GUARD: &str = "blackboard { key health type=float default=100.0; }
leaves { condition see-enemy; action attack; action patrol; action run-away; }
tree guard {
    reactive-selector {
        reactive-sequence { check \"health < 20\"; condition see-enemy; action run-away; }
        sequence { condition see-enemy; action attack; }
        action patrol
    }
}
tree fish { run; }
main tree=guard

test \"walks its round\" tree=guard { tick; expect active=patrol; }
test \"never fights\" tree=guard { leaf see-enemy answers=\"S\"; tick 3; expect active=patrol; }
test \"is never afraid\" tree=guard {
    random runs=50 ticks=50 { leaf see-enemy answers=\"S F\"; key health min=0.0 max=100.0; }
    never run-away
}
test \"swims\" tree=fish { tick; expect running; }
";

/// A decision tree whose second question is better asked first.
pub(crate) const WATCH: &str = "main decide=watch
blackboard { key far type=float default=9.0; }
leaves { action patrol; action look-around; }
decide watch {
    test \"far < 1\" { action patrol; }
    test \"far > 5\" { action look-around; }
    action patrol
}
";

pub(crate) fn folder(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, text).expect("it is written");
    (folder, path)
}

/// The tests as a page sees them when it is so.
fn tests(talk: &mut Talk, is_so: impl Fn(&Value) -> bool) -> Value {
    let view = until(talk, r#""mind": 0, "tests": 0"#, |view| {
        is_so(&view["tests"])
    });
    view["tests"].clone()
}

fn ask(talk: &mut Talk, test: &Value) {
    talk.say(&json!({"say": "test", "test": test}).to_string());
}

fn is_over(tests: &Value) -> bool {
    tests["is_running"] == false && tests["tests"].as_array().is_some_and(|all| !all.is_empty())
}

/// How each test went.
fn states(tests: &Value) -> Vec<(&str, &str)> {
    let all = tests["tests"].as_array().expect("a list").iter();
    let both = all.map(|one| (one["id"].as_str(), one["state"].as_str()));
    both.map(|(id, state)| (id.expect("an id"), state.expect("a state")))
        .collect()
}

#[test]
fn tests_run_when_a_page_shows_them_and_those_that_an_edit_touches() {
    let (_folder, path) = folder(GUARD);
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    let all = tests(&mut talk, is_over);
    assert_eq!(
        states(&all),
        [
            ("walks its round", "passed"),
            ("never fights", "failed"),
            ("is never afraid", "failed"),
            ("swims", "passed")
        ]
    );
    let failure = &all["tests"][1]["failure"];
    let expected = json!({"says": "{} is running", "with": ["`patrol`"]});
    assert_eq!(failure["expected"], expected);
    assert_eq!(failure["tick"], 3);
    let fixed = &all["tests"][2]["failure"]["fixed"];
    assert!(fixed.to_string().contains("found by chance"), "{fixed}");
    let covered = &all["covered"];
    assert_eq!(covered["reached"], covered["total"]);
    let guard = covered["definitions"].as_array().expect("a list").iter();
    let guard: Vec<&Value> = guard.filter(|one| one["name"] == "guard").collect();
    assert_eq!(guard[0]["lines"].as_array().expect("a list").len(), 9);

    // Only what the edit touches is run again: what has run stays as it was, to the millisecond.
    ask(&mut talk, &json!({"do": "by", "which": "hand"}));
    let changed = GUARD.replace("{ run; }", "{ fail; }");
    std::fs::write(&path, changed).expect("it is written");
    let touched = tests(&mut talk, |tests| tests["tests"][3]["state"] == "stale");
    assert_eq!(states(&touched)[1], ("never fights", "failed"));
    ask(&mut talk, &json!({"do": "by", "which": "touched"}));
    let done = tests(&mut talk, |tests| tests["tests"][3]["state"] == "failed");
    assert_eq!(states(&done)[0], ("walks its round", "passed"));
    ask(&mut talk, &json!({"do": "run", "ids": ["nothing"]}));
    tests(&mut talk, is_over);
}

#[test]
fn long_tests_hold_up_nobody_and_are_stopped() {
    let long = GUARD.replace(
        "{ tick; expect running",
        "{ tick 1000000; tick 1000000; expect running",
    );
    let (_folder, path) = folder(&long);
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    tests(&mut talk, |tests| tests["tests"][3]["state"] == "waiting");
    // The game goes on meanwhile, and every question is answered at once.
    let begun = Instant::now();
    let view = until(&mut talk, r#""mind": 0"#, |_| true);
    let tick = view["tick"].as_u64().expect("a tick");
    until(&mut talk, r#""mind": 0"#, |view| {
        view["tick"].as_u64() > Some(tick + 3)
    });
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    ask(&mut talk, &json!({"do": "stop"}));
    let stopped = tests(&mut talk, is_over);
    assert_eq!(states(&stopped)[3], ("swims", "stale"));
    // So does a newer edit.
    ask(&mut talk, &json!({"do": "run", "ids": []}));
    tests(&mut talk, |tests| tests["tests"][3]["state"] == "waiting");
    std::fs::write(&path, GUARD).expect("it is written");
    tests(&mut talk, |tests| tests["tests"][3]["state"] == "passed");
}

#[test]
fn a_failing_test_is_a_recording() {
    let (_folder, path) = folder(GUARD);
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    tests(&mut talk, is_over);
    ask(&mut talk, &json!({"do": "open", "id": "is never afraid"}));
    let opened = tests(&mut talk, |tests| !tests["opened"].is_null());
    let (file, tick) = (&opened["opened"]["file"], &opened["opened"]["tick"]);
    let look = format!(r#""mind": 0, "file": {file}"#);
    talk.say(&json!({"say": "go", "tick": tick}).to_string());
    let view = until(&mut talk, &look, |view| view["file"] == *file);
    talk.say(&json!({"say": "go", "tick": tick}).to_string());
    let there = until(&mut talk, &look, |view| {
        view["tick"] == *tick && view["does"] == "run-away"
    });
    assert_eq!((&there["end"], &view["file"]), (tick, file));
    assert!(
        there["explanation"].to_string().contains("health"),
        "{there}"
    );
    // There are no others.
    talk.say(r#"{"say": "look", "mind": 0, "file": "guard.kdl · swims"}"#);
    let mut refused = talk.hear();
    while refused["kind"] != "refused" {
        refused = talk.hear();
    }
    assert!(
        refused["why"].to_string().contains("no such file"),
        "{refused}"
    );
}

/// What a page sees of a test that was made.
fn drafted(talk: &mut Talk, of: &Value, nth: u64) -> Value {
    ask(talk, &json!({"do": "draft", "of": of}));
    let tests = tests(talk, |tests| tests["draft"]["nth"] == nth);
    tests["draft"].clone()
}

/// A studio with the guard of the examples, which has played so many ticks.
fn played(ticks: u64) -> (TempDir, PathBuf, Studio, Talk) {
    let text = include_str!("../../../../examples/01-guard/guard.kdl");
    let (folder, path) = folder(text);
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    until(&mut talk, r#""mind": 0"#, |_| true);
    talk.say(&json!({"say": "go", "tick": ticks}).to_string());
    until(&mut talk, r#""mind": 0"#, |view| view["tick"] == ticks);
    (folder, path, studio, talk)
}

#[test]
fn a_test_is_made_of_what_happened_and_added() {
    let (_folder, path, _studio, mut talk) = played(240);
    let before = std::fs::read_to_string(&path).expect("a text");
    let of = |from: u64, to: u64, never: &[&str]| json!({"mind": 0, "from": from, "to": to, "name": "", "never": never, "facts": []});
    let draft = drafted(&mut talk, &of(150, 200, &[]), 1);
    assert_eq!(draft["wrong"], Value::Null, "{draft}");
    assert_eq!(draft["refusal"], Value::Null);
    let text = draft["text"].as_str().expect("a text");
    assert!(text.contains("active=run-away inactive=attack"), "{text}");
    let proposed = draft["proposed"].as_array().expect("a list");
    assert!(!proposed.is_empty());
    let never = proposed[0].as_str().expect("a name");
    let draft = drafted(&mut talk, &of(150, 200, &[never]), 2);
    let text = draft["text"].as_str().expect("a text").to_owned();
    assert!(text.contains(&format!("    never {never}\n}}")), "{text}");
    ask(&mut talk, &json!({"do": "add"}));
    let added = tests(&mut talk, |tests| {
        tests["draft"].is_null()
            && is_over(tests)
            && states(tests).iter().all(|(_, state)| *state == "passed")
    });
    let after = std::fs::read_to_string(&path).expect("a text");
    assert_eq!(after, format!("{before}\n{text}"));
    assert!(
        states(&added)
            .last()
            .is_some_and(|(id, _)| text.contains(id))
    );
    // It is one step of the history.
    talk.say(r#"{"say": "edit", "edit": {"do": "undo"}}"#);
    until(&mut talk, r#""mind": 0, "sheet": 0"#, |view| {
        view["sheet"]["files"][0]["text"] == *before
    });
    assert_eq!(std::fs::read_to_string(&path).expect("a text"), before);
    for wrong in [of(0, 5, &[]), of(9, 3, &[]), of(1, 999_999, &[])] {
        ask(&mut talk, &json!({"do": "draft", "of": wrong}));
        assert_eq!(talk.hear()["kind"], "refused");
    }
}

#[test]
fn it_plays_again_from_here_with_the_changed_document() {
    let (_folder, path, _studio, mut talk) = played(240);
    let text = std::fs::read_to_string(&path).expect("a text");
    let changed = text.replacen("health < 20", "health < 50", 1);
    assert_ne!(text, changed);
    std::fs::write(&path, changed).expect("it is written");
    until(&mut talk, r#""mind": 0"#, |view| {
        view["reloaded"]["nth"] == 1
    });
    talk.say(r#"{"say": "again"}"#);
    assert_eq!(talk.hear()["kind"], "refused");
    talk.say(r#"{"say": "go", "tick": 100}"#);
    let old = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 100);
    assert!(
        old["definition"]["texts"]
            .to_string()
            .contains("health < 20")
    );
    talk.say(r#"{"say": "again"}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 240);
    assert!(
        view["definition"]["texts"]
            .to_string()
            .contains("health < 50")
    );
    let earlier = &view["earlier"];
    assert_eq!(
        (&earlier["from"], &earlier["to"], &earlier["compared"]),
        (&json!(100), &json!(240), &json!(240))
    );
    // The earlier run fled in tick 190; it flees before that now.
    let first = &earlier["differences"][0];
    assert_eq!(
        (&first["what"], &first["now"]),
        (&json!("does"), &json!("run-away")),
        "{earlier}"
    );
    let tick = first["tick"].as_u64().expect("a tick");
    assert!((101..190).contains(&tick), "{tick}");
    let does = earlier["lanes"]["does"].as_array().expect("a list");
    assert!(
        does.iter().any(|bar| bar[0] == 190 && bar[2] == "run-away"),
        "{does:?}"
    );
    let without = until(&mut talk, r#""mind": 0, "earlier": 1"#, |_| true);
    assert_eq!(without["earlier"]["lanes"], Value::Null);
    let line = english(&view["reloaded"]["lines"][0]);
    assert!(line.starts_with("played again from tick 100"), "{line}");
}

/// What a page wrote into a key is written again when it is played again with a changed document.
#[test]
fn what_was_written_is_written_again() {
    let text = "main tree=count
blackboard { key mark type=int default=0; key beats type=int default=0; }
tree count { sequence { set \"beats += 1\"; wait 0.2; }; }
";
    let (_folder, path) = folder(text);
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    let go = |talk: &mut Talk, tick: u64| {
        talk.say(&format!(r#"{{"say": "go", "tick": {tick}}}"#));
        let view = until(talk, r#""mind": 0"#, |view| view["tick"] == tick);
        view["keys"][0]["value"].as_str().map(str::to_owned)
    };
    until(&mut talk, r#""mind": 0"#, |_| true);
    go(&mut talk, 60);
    talk.say(r#"{"say": "set", "mind": 0, "key": "mark", "value": "7"}"#);
    assert_eq!(go(&mut talk, 90).as_deref(), Some("7"));
    std::fs::write(&path, text.replace("wait 0.2", "wait 0.3")).expect("it is written");
    until(&mut talk, r#""mind": 0"#, |view| {
        view["reloaded"]["nth"] == 1
    });
    assert_eq!(go(&mut talk, 20).as_deref(), Some("0"));
    talk.say(r#"{"say": "again"}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 90);
    assert_eq!(view["keys"][0]["value"], "7");
    assert_eq!(go(&mut talk, 60).as_deref(), Some("0"));
    assert_eq!(go(&mut talk, 61).as_deref(), Some("7"));
}

/// A page in the past adds a test, or a comment: nothing plays otherwise then, and what was played after it stays.
#[test]
fn what_changes_nothing_keeps_what_was_played_after_it() {
    let (_folder, path, _studio, mut talk) = played(240);
    talk.say(r#"{"say": "go", "tick": 100}"#);
    until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 100);
    let text = std::fs::read_to_string(&path).expect("a text");
    let test = "test \"walks\" tree=guard { tick; expect active=patrol; }";
    let mut write = |text: String, nth: u64| {
        std::fs::write(&path, text).expect("it is written");
        until(&mut talk, r#""mind": 0"#, |view| {
            view["reloaded"]["nth"] == nth
        })
    };
    let view = write(format!("{text}\n{test}\n"), 1);
    assert_eq!((&view["tick"], &view["last"]), (&json!(100), &json!(240)));
    let texts = view["definition"]["texts"].to_string();
    assert!(texts.contains("walks"), "{texts}");
    let view = write(format!("// A guard.\n{text}\n{test}\n"), 2);
    assert_eq!((&view["tick"], &view["last"]), (&json!(100), &json!(240)));
    // The places of the nodes are those in the text as it is now.
    let places = view["definition"]["places"].to_string();
    assert_ne!(places, "[]");
    let view = write(text.replacen("health < 20", "health < 50", 1), 3);
    assert_eq!((&view["tick"], &view["last"]), (&json!(100), &json!(100)));
}

/// A key that gets another name while the game runs keeps what it holds.
#[test]
fn a_renamed_key_keeps_its_value() {
    let text = "main tree=count
blackboard { key beats type=int default=0; }
tree count { sequence { set \"beats += 1\"; wait 0.2; }; }
";
    let (_folder, path) = folder(text);
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    let sheet = until(&mut talk, r#""mind": 0, "sheet": 0"#, |_| true);
    talk.say(r#"{"say": "go", "tick": 60}"#);
    let held = |view: &Value| view["keys"][0]["value"].as_str().map(str::to_owned);
    let before = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 60);
    let beats: u32 = held(&before)
        .and_then(|text| text.parse().ok())
        .expect("a number");
    assert!(beats > 1, "{beats}");
    let id = &sheet["sheet"]["keys"][0]["id"];
    for (name, nth) in [("heart", 1), ("heart_beats", 2)] {
        let edit = json!({"do": "rename", "id": id, "name": name});
        talk.say(&json!({"say": "edit", "edit": edit}).to_string());
        let view = until(&mut talk, r#""mind": 0"#, |view| {
            view["reloaded"]["nth"] == nth
        });
        let lines = view["reloaded"]["lines"].as_array().expect("a list");
        let kept = lines
            .iter()
            .any(|line| english(line).contains("keeps its value"));
        assert!(kept, "{lines:?}");
        if nth == 2 {
            break;
        }
        // What a page writes before the next tick is kept, too.
        let beats = beats + 400;
        talk.say(
            &json!({"say": "set", "mind": 0, "key": name, "value": beats.to_string()}).to_string(),
        );
    }
    let beats = beats + 400;
    talk.say(r#"{"say": "go", "tick": 61}"#);
    let after = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 61);
    let now: u32 = held(&after)
        .and_then(|text| text.parse().ok())
        .expect("a number");
    assert!(now == beats || now == beats + 1, "{beats} {now}");
    assert!(!after["keys"].to_string().contains("typed"), "{after}");

    // Whoever goes back to a tick before it had the name, and edits there, keeps what it held there.
    talk.say(r#"{"say": "go", "tick": 30}"#);
    let before = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 30);
    let sheet = until(&mut talk, r#""mind": 0, "sheet": 0"#, |_| true);
    let nodes = sheet["sheet"]["nodes"].as_array().expect("a list");
    let wait = nodes.iter().find(|node| node["word"] == "wait");
    let wait = &wait.expect("a wait")["id"];
    let edit = json!({"do": "set", "id": wait, "name": "0", "value": "5.0"});
    talk.say(&json!({"say": "edit", "edit": edit}).to_string());
    until(&mut talk, r#""mind": 0"#, |view| {
        view["reloaded"]["nth"] == 3
    });
    talk.say(r#"{"say": "go", "tick": 31}"#);
    let after = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 31);
    let [then, now] = [&before, &after].map(|view| {
        let text = held(view).expect("a value");
        text.parse::<u32>().expect("a number")
    });
    assert!(then > 1 && (now == then || now == then + 1), "{then} {now}");
    let kept = "it had this value before its name changed";
    let says = after["keys"].to_string();
    assert!(now != then || says.contains(kept), "{says}");
}

/// One of a crowd is made a test of as anybody else.
#[test]
fn a_test_is_made_of_one_of_a_crowd() {
    let text = include_str!("../../../../examples/12-village/village.kdl");
    let map = include_str!("../../../../examples/12-village/village.map");
    let (_folder, path) = folder(text);
    std::fs::write(
        path.with_extension("map"),
        map.replace("crowd 2000", "crowd 60"),
    )
    .expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    talk.say(r#"{"say": "go", "tick": 120}"#);
    until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 120);
    let of = json!({"mind": 7, "from": 1, "to": 100, "name": "", "never": [], "facts": []});
    let draft = drafted(&mut talk, &of, 1);
    assert_eq!(draft["wrong"], Value::Null, "{draft}");
    let made = draft["text"].as_str().expect("a text");
    assert!(
        made.contains("machine=villager") && made.contains("active="),
        "{made}"
    );
    ask(&mut talk, &json!({"do": "add"}));
    tests(&mut talk, |tests| {
        tests["draft"].is_null()
            && is_over(tests)
            && states(tests).iter().all(|(_, state)| *state == "passed")
    });
}

/// A stretch in the middle of a state, a sequence or a wait begins with what led to it.
#[test]
fn a_stretch_in_the_middle_makes_a_test_that_passes() {
    let mut failing = Vec::new();
    for example in [
        "02-pet/pet",
        "03-boss/boss",
        "05-intruder/intruder",
        "11-child/child",
        "01-guard/guard",
    ] {
        let path = format!(
            "{}/../../examples/{example}.kdl",
            env!("CARGO_MANIFEST_DIR")
        );
        let studio = Studio::start(&[&path]);
        let mut talk = studio.talk();
        until(&mut talk, r#""mind": 0"#, |_| true);
        talk.say(r#"{"say": "go", "tick": 600}"#);
        until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 600);
        for (nth, from) in [30, 95, 170, 255, 340, 415, 530].into_iter().enumerate() {
            let of = json!({"mind": 0, "from": from, "to": from + 30, "name": "", "never": [], "facts": []});
            let draft = drafted(&mut talk, &of, nth as u64 + 1);
            if draft["wrong"] != Value::Null || draft["refusal"] != Value::Null {
                failing.push(format!("{example}, from tick {from}: {draft}"));
            }
        }
    }
    assert!(failing.is_empty(), "{failing:#?}");
}
