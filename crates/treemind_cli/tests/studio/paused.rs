//! Edits of a game that is paused: what is shown of its tick stays, as far as it is still there.

use crate::editing::{edit, studio};
use crate::program::Talk;
use crate::server::until;
use serde_json::{Value, json};

/// A guard with a condition that is asked first, and a list that does nothing but look around.
const GUARD: &str = "blackboard { key health type=float default=100.0; key looked type=int; }
leaves { action patrol; action run-away; }
tree guard {
    parallel success=2 {
        reactive-selector name=choose {
            sequence name=flee { check \"health < 20\" name=weak; action run-away; }
            action patrol
        }
        repeat forever name=again { sequence name=look { wait 0.5; set \"looked += 1\"; }; }
    }
}
";

/// A page that looks at a game.
struct Looks {
    talk: Talk,
    text: String,
}

impl Looks {
    /// The view of a tick, with everything that is known.
    fn at(&mut self, tick: u64) -> Value {
        self.talk
            .say(&json!({"say": "go", "tick": tick}).to_string());
        until(&mut self.talk, r#""mind": 0"#, |view| {
            view["tick"] == tick && view["is_jumping"] == false
        })
    }

    /// The same tick after the text was changed.
    fn after(&mut self, text: &str) -> Value {
        let nth = |view: &Value| view["reloaded"]["nth"].as_u64().unwrap_or(0);
        let known = nth(&until(&mut self.talk, r#""mind": 0"#, |_| true));
        let all = self.text.encode_utf16().count();
        edit(
            &mut self.talk,
            &json!({"do": "type", "file": 0, "from": 0, "to": all, "text": text}),
        );
        text.clone_into(&mut self.text);
        let view = until(&mut self.talk, r#""mind": 0"#, |view| nth(view) > known);
        assert_eq!(view["reloaded"]["is_done"], true, "{view}");
        view
    }
}

fn looks() -> (tempfile::TempDir, crate::program::Studio, Looks) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, GUARD).expect("it is written");
    let studio = studio(&path);
    let talk = studio.talk();
    let text = GUARD.to_owned();
    (folder, studio, Looks { talk, text })
}

/// For each line of the outline with a mark its label and the mark.
fn marks(view: &Value) -> Vec<(String, Value)> {
    let lines = view["definition"]["behaviour"]["lines"].as_array();
    let lines = lines.expect("lines").iter();
    let marks = view["marks"].as_array().expect("marks").iter();
    let all = lines.zip(marks).filter(|(_, mark)| **mark != "");
    all.map(|(line, mark)| {
        (
            line["label"].as_str().unwrap_or("").to_owned(),
            mark.clone(),
        )
    })
    .collect()
}

/// The mark of the line with a label.
fn mark(view: &Value, label: &str) -> Value {
    let marks = marks(view);
    let found = marks.iter().find(|(known, _)| known == label);
    found.map_or(json!(""), |(_, mark)| mark.clone())
}

fn lane<'a>(view: &'a Value, key: &str) -> &'a Value {
    let keys = view["definition"]["behaviour"]["keys"].as_array();
    let place = keys
        .expect("keys")
        .iter()
        .position(|one| one["name"] == key);
    &view["film"]["keys"][place.expect("a key")]
}

/// What is shown of a tick.
const SHOWN: [&str; 10] = [
    "tick",
    "last",
    "does",
    "doc",
    "marks",
    "returns",
    "keys",
    "explanation",
    "film",
    "known_since",
];

#[test]
fn a_comment_changes_nothing_that_is_shown() {
    let (_folder, _studio, mut page) = looks();
    let before = page.at(30);
    assert_eq!(before["does"], "patrol");
    let text = format!("// what a guard does\n{}", page.text);
    let after = page.after(&text);
    for part in SHOWN {
        assert_eq!(before[part], after[part], "{part}");
    }
    // It plays on as without the comment.
    let on = page.at(40);
    let (_folder, _studio, mut other) = looks();
    let wanted = other.at(40);
    for part in SHOWN {
        assert_eq!(wanted[part], on[part], "{part}");
    }
}

/// Nodes and keys come and go, in front of those that stay and behind them.
#[test]
fn what_is_still_there_keeps_its_marks_and_lanes() {
    let (_folder, _studio, mut page) = looks();
    let before = page.at(30);
    let text = page.text.replace("; set \"looked += 1\"", "");
    let text = text.replace("key health", "key alarm type=bool; key health");
    let text = text.replace("key looked type=int; ", "");
    let after = page.after(&text);
    assert_eq!(after["does"], "patrol");
    let stays = |view: &Value| {
        let mut all = marks(view);
        all.retain(|(label, _)| label != "set");
        all
    };
    assert_eq!(stays(&before), stays(&after));
    assert_eq!(before["film"]["does"], after["film"]["does"]);
    assert_eq!(lane(&before, "health"), lane(&after, "health"));
    assert_eq!(lane(&after, "alarm"), &json!([]));
    let on = page.at(35);
    assert_eq!(on["film"]["does"], json!([[1, 35, "patrol"]]));
    assert_eq!(lane(&on, "health"), &json!([[1, 35, "100"]]));
    assert_eq!(lane(&on, "alarm"), &json!([[31, 35, "false"]]));
    // A key that comes back has its lane again.
    let back = page.after(GUARD);
    let looked = lane(&back, "looked").as_array().expect("bars").clone();
    assert_eq!(looked[0], lane(&before, "looked")[0], "{looked:?}");
}

/// What is wrapped does not go on, which is said: it is cut off, and begins again.
#[test]
fn what_is_wrapped_is_shown_as_cut_off_and_the_rest_goes_on() {
    let (_folder, _studio, mut page) = looks();
    let before = page.at(30);
    let text = page.text.replace("wait 0.5", "timeout 90.0 { wait 0.5; }");
    let after = page.after(&text);
    assert_eq!(mark(&after, "wait"), "cut");
    for label in ["choose", "patrol", "flee", "weak"] {
        assert_eq!(mark(&after, label), mark(&before, label), "{label}");
    }
    assert_eq!(after["does"], "patrol");
    let on = page.at(31);
    assert_eq!(mark(&on, "wait"), "run");

    // The same of what it does.
    let text = page.text.replace(
        "            action patrol",
        "            timeout 90.0 { action patrol; }",
    );
    let after = page.after(&text);
    assert_eq!(mark(&after, "patrol"), "cut");
    assert_eq!(after["does"], Value::Null);
    assert_eq!(after["film"]["does"], json!([[1, 31, "patrol", 1]]));
    let on = page.at(40);
    assert_eq!(on["does"], "patrol");
    assert_eq!(
        on["film"]["does"],
        json!([[1, 31, "patrol", 1], [32, 40, "patrol"]])
    );
}

/// One can go back before an edit and over it again, and finds what was there.
#[test]
fn a_tick_behind_an_edit_is_the_same_however_one_comes_there() {
    let (_folder, _studio, mut page) = looks();
    let early = page.at(20);
    page.at(30);
    let text = page.text.replace("wait 0.5", "wait 0.7");
    let text = text.replace("key health", "key alarm type=bool; key health");
    let here = page.after(&text);
    let later = page.at(60);
    let text = page.text.replace("key alarm type=bool; ", "");
    let text = text.replace("name=weak; action", "name=weak; wait 1.0; action");
    let again = page.after(&text);
    let end = page.at(80);
    let but_film = || {
        SHOWN
            .into_iter()
            .filter(|part| !["film", "last"].contains(part))
    };
    for (tick, wanted) in [(20, &early), (60, &again), (30, &here), (80, &end)] {
        let view = page.at(tick);
        for part in but_film() {
            assert_eq!(view[part], wanted[part], "{part} at {tick}");
        }
        // What was played after it stays, too.
        assert_eq!(lane(&view, "looked"), lane(&end, "looked"), "at {tick}");
        assert_eq!(view["film"]["does"], end["film"]["does"], "at {tick}");
    }
    assert_eq!(later["does"], again["does"]);
    assert_eq!(end["film"], page.at(80)["film"]);
}

/// A machine is in the state in which it was, also where others came.
#[test]
fn a_machine_stays_in_its_state() {
    let (_folder, _studio, mut page) = looks();
    let machine = "leaves { action patrol; action run-away; }
machine guard {
    initial calm
    state calm { do { action patrol; }; transition to=tired after=1.0; }
    state tired { do { action patrol name=amble; }; }
}
";
    page.after(machine);
    let before = page.at(40);
    let states = before["film"]["states"].clone();
    assert_eq!(states.as_array().map(Vec::len), Some(3), "{states}");
    let text = page.text.replace(
        "    state calm",
        "    state odd { transition to=calm on=never; }\n    state calm",
    );
    let text = text.replace("leaves { ", "leaves { event never; ");
    let after = page.after(&text);
    let known = |view: &Value| {
        let mut marks = marks(view);
        marks.retain(|(label, _)| !label.contains("odd"));
        marks
    };
    assert_eq!(known(&before), known(&after));
    assert_eq!(after["film"]["states"], states);
    assert_eq!(after["does"], "amble");
}

/// Everybody in a crowd keeps what is shown of it.
#[test]
fn a_crowd_keeps_what_is_shown_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["village.kdl", "village.map"] {
        let from = crate::program::root()
            .join("examples/12-village")
            .join(name);
        std::fs::copy(from, folder.path().join(name)).expect("a copy");
    }
    let path = folder.path().join("village.kdl");
    let text = std::fs::read_to_string(&path).expect("a text");
    let studio = studio(&path);
    let talk = studio.talk();
    let mut page = Looks { talk, text };
    let before = page.at(120);
    let text = format!("// a village\n{}", page.text);
    let after = page.after(&text);
    for part in [
        "does",
        "marks",
        "keys",
        "explanation",
        "film",
        "crowd",
        "scene",
    ] {
        assert_eq!(before[part], after[part], "{part}");
    }
    // What is new is an action that nobody does yet.
    let text = page.text.replace(
        "transition to=everyday done=any }",
        "transition to=everyday done=any; }",
    );
    let text = text.replace(
        "sequence { action go place=home;",
        "sequence { action work name=aside secs=0.1; action go place=home;",
    );
    let after = page.after(&text);
    assert_eq!(before["does"], after["does"]);
    let (was, is) = (&before["film"]["shares"], &after["film"]["shares"]);
    let count = |shares: &Value, tick: usize, action: &str| {
        let names = shares["actions"].as_array().expect("actions");
        let place = names
            .iter()
            .position(|name| name == action)
            .expect("an action");
        shares["ticks"][tick][1][place + 1].clone()
    };
    for action in was["actions"].as_array().expect("actions") {
        let action = action.as_str().expect("a name");
        assert_eq!(count(was, 100, action), count(is, 100, action), "{action}");
    }
    assert_eq!(count(is, 100, "aside"), 0);
    assert_eq!(before["film"]["does"], after["film"]["does"]);
}

/// Of a document that did not play and still does not, a page says only why; it says when it plays at last.
#[test]
fn edits_of_what_does_not_play_are_not_told() {
    let (_folder, path) = crate::editing::folder();
    std::fs::write(&path, "tree guard { action patrol; }\n").expect("it is written");
    let studio = studio(&path);
    let talk = studio.talk();
    let text = "tree guard { action patrol; }\n".to_owned();
    let mut page = Looks { talk, text };
    let typed = |page: &mut Looks, text: &str| {
        let all = page.text.encode_utf16().count();
        edit(
            &mut page.talk,
            &json!({"do": "type", "file": 0, "from": 0, "to": all, "text": text}),
        );
        text.clone_into(&mut page.text);
        until(&mut page.talk, r#""mind": 0"#, |view| {
            view["definition"]["texts"][0]["text"] == text
        })
    };
    let view = typed(&mut page, "tree guard { action walk; }\n");
    assert!(!view["definition"]["refusal"].is_null(), "{view}");
    assert_eq!(view["reloaded"], Value::Null);
    let view = typed(
        &mut page,
        "leaves { action walk; }\ntree guard { action walk; }\n",
    );
    assert_eq!(view["definition"]["refusal"], Value::Null);
    let line = view["reloaded"]["lines"][0].to_string();
    assert!(line.contains("plays from its beginning"), "{line}");
}

/// What a node did says nothing about what it has become.
#[test]
fn what_is_written_otherwise_has_no_mark_until_it_runs() {
    let (_folder, _studio, mut page) = looks();
    let before = page.at(30);
    let text = page.text.replace("health < 20", "health < 25");
    // Keys have other numbers then.
    let text = text.replace("key health", "key alarm type=bool; key health");
    let after = page.after(&text);
    assert_eq!(mark(&before, "weak"), "fail");
    assert_eq!(mark(&after, "weak"), "");
    let others = |view: &Value| {
        let mut all = marks(view);
        all.retain(|(label, _)| label != "weak");
        all
    };
    assert_eq!(others(&before), others(&after));
    assert_eq!(marks(&page.at(31)), marks(&before));

    let machine = "blackboard { key health type=float default=100.0; }
leaves { action patrol; action run-away; }
machine guard {
    initial calm
    state calm { do { action patrol; }; transition to=hurt when=\"health < 20\"; transition to=gone when=\"health < 0\"; }
    state hurt { do { action run-away; }; }
    state gone
}
";
    page.after(machine);
    let before = marks(&page.at(40));
    let after = marks(&page.after(&machine.replace("health < 20", "health < 25")));
    let refused = |marks: &[(String, Value)]| {
        let all = marks.iter().filter(|(_, mark)| mark[0] == "fail");
        all.count()
    };
    assert_eq!(
        (refused(&before), refused(&after)),
        (2, 1),
        "{before:?} {after:?}"
    );
}

/// A change that is undone leaves what was shown of the tick: the reasons, and the mark of what was changed.
#[test]
fn what_is_undone_shows_the_tick_as_it_was() {
    let (_folder, _studio, mut page) = looks();
    let before = page.at(30);
    let because = |view: &Value| view["explanation"]["because"].clone();
    assert_ne!(because(&before), json!([]), "{}", before["explanation"]);
    let text = page.text.replace("health < 20", "health < 25");
    let changed = page.after(&text);
    assert_eq!(because(&changed), Value::Null, "{}", changed["explanation"]);
    // Also by way of another change.
    let text = page.text.replace("wait 0.5", "wait 0.7");
    page.after(&text);
    let back = page.after(GUARD);
    for part in SHOWN {
        assert_eq!(before[part], back[part], "{part}");
    }
    let on = page.at(31);
    let (_folder, _studio, mut other) = looks();
    let wanted = other.at(31);
    for part in SHOWN {
        assert_eq!(wanted[part], on[part], "{part}");
    }

    // What was cut off by it did not come back with it.
    let text = page
        .text
        .replace("action patrol\n", "timeout 90.0 { action patrol; }\n");
    page.after(&text);
    let back = page.after(GUARD);
    assert_eq!(back["does"], Value::Null);
    assert_eq!(because(&back), Value::Null, "{}", back["explanation"]);
    assert_eq!(page.at(32)["does"], "patrol");
}
