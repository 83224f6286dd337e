//! Documents that are edited through the web socket.

use crate::program::{Studio, Talk};
use crate::server::until;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const GUARD: &str = "blackboard { key health type=float default=100.0; }
leaves { action patrol; action run-away; }
tree guard {
    selector {
        action run-away when=\"health < 20\"
        action patrol
    }
}
";

pub(crate) fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    std::fs::write(&path, GUARD).expect("it is written");
    (folder, path)
}

pub(crate) fn studio(path: &Path) -> Studio {
    Studio::start(&[path.to_str().expect("a path")])
}

/// The sheet that a page sees when it is so.
pub(crate) fn sheet(talk: &mut Talk, is_so: impl Fn(&Value) -> bool) -> Value {
    let view = until(talk, r#""mind": 0, "sheet": 0"#, |view| {
        is_so(&view["sheet"])
    });
    view["sheet"].clone()
}

pub(crate) fn edit(talk: &mut Talk, edit: &Value) {
    talk.say(&json!({"say": "edit", "edit": edit}).to_string());
}

/// The id of the node whose first value is this.
fn id(sheet: &Value, word: &str, first: &str) -> u64 {
    let nodes = sheet["nodes"].as_array().expect("a list");
    let mut found = nodes.iter();
    let found = found.rfind(|node| node["word"] == word && node["values"][0] == first);
    found.expect("it is there")["id"]
        .as_u64()
        .expect("a number")
}

pub(crate) fn on_disk(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a text")
}

/// An edit is written into the file at once, the game continues with it, and another page sees it and takes it back.
#[test]
fn an_edit_is_on_disk_in_the_game_and_in_all_pages() {
    let (_folder, path) = folder();
    let studio = studio(&path);
    let [mut anna, mut bert] = [studio.talk(), studio.talk()];
    let before = sheet(&mut anna, Value::is_object);
    assert_eq!(
        (&before["undo"], &before["files"][0]["text"]),
        (&Value::Null, &GUARD.into())
    );
    let flee = id(&before, "action", "run-away");
    edit(
        &mut anna,
        &json!({"do": "set", "id": flee, "name": "when", "value": "health < 35"}),
    );
    let seen = sheet(&mut bert, |sheet| !sheet["undo"].is_null());
    assert_eq!(
        seen["undo"],
        json!({"label": {"says": "set {} of {}", "with": ["when", "action"]}, "by": "1"})
    );
    assert_eq!(id(&seen, "action", "run-away"), flee);
    let changed = GUARD.replace("health < 20", "health < 35");
    assert_eq!(on_disk(&path), changed);
    let view = until(&mut anna, r#""mind": 0"#, |view| {
        view["reloaded"]["is_done"] == true
    });
    assert_eq!(view["definition"]["texts"][0]["text"], *changed);
    edit(&mut bert, &json!({"do": "undo"}));
    sheet(&mut anna, |sheet| sheet["files"][0]["text"] == GUARD);
    assert_eq!(on_disk(&path), GUARD);
}

/// Whoever has not the token may watch, and changes nothing.
#[test]
fn editing_asks_for_the_token() {
    let (_folder, path) = folder();
    let studio = studio(&path);
    let mut guest = studio.talk_without_token();
    guest.say(r#"{"say": "hello"}"#);
    assert_eq!(guest.hear()["may_edit"], false);
    let tree = id(&sheet(&mut guest, Value::is_object), "tree", "guard");
    edit(&mut guest, &json!({"do": "remove", "ids": [tree]}));
    let refused = guest.hear();
    assert_eq!(refused["kind"], "refused");
    assert!(refused["why"].to_string().contains("token"), "{refused}");
    assert_eq!(on_disk(&path), GUARD);
    // What makes no sense is refused, too.
    let mut anna = studio.talk();
    for nonsense in [
        json!({"do": "fly"}),
        json!({"do": "remove", "ids": "all"}),
        json!({"do": "remove", "ids": [123_456]}),
        json!({"do": "type", "file": 9, "from": 0, "to": 0, "text": "x"}),
        json!({"do": "add", "text": "{{{", "spot": {"id": tree, "side": "after"}}),
    ] {
        edit(&mut anna, &nonsense);
        assert_eq!(anna.hear()["kind"], "refused", "{nonsense}");
    }
    assert_eq!(on_disk(&path), GUARD);
}

/// A server that can be reached from elsewhere lets nobody edit, even with the token, unless it was told to.
#[test]
fn beyond_this_machine_nobody_edits_unless_it_is_allowed() {
    let (_folder, path) = folder();
    let file = path.to_str().expect("a path");
    for may_edit in [false, true] {
        let allowed = if may_edit {
            &["--allow-edits"][..]
        } else {
            &[]
        };
        let studio = Studio::start(&[&["--bind", "0.0.0.0", file][..], allowed].concat());
        let mut talk = studio.talk();
        talk.say(r#"{"say": "hello"}"#);
        assert_eq!(talk.hear()["may_edit"], may_edit);
        let patrol = id(&sheet(&mut talk, Value::is_object), "action", "patrol");
        edit(&mut talk, &json!({"do": "remove", "ids": [patrol]}));
        if may_edit {
            sheet(&mut talk, |sheet| !sheet["undo"].is_null());
            assert_ne!(on_disk(&path), GUARD);
        } else {
            assert_eq!(talk.hear()["kind"], "refused");
            assert_eq!(on_disk(&path), GUARD);
        }
    }
}

/// An example in the program is no file: it says so.
#[test]
fn an_example_is_not_edited() {
    let studio = Studio::start(&[]);
    let mut talk = studio.talk();
    edit(&mut talk, &json!({"do": "undo"}));
    let refused = talk.hear();
    assert!(
        refused["why"].to_string().contains("treemind new"),
        "{refused}"
    );
}

/// A change by another program appears within a second, and can be taken back.
#[test]
fn changes_by_other_programs_appear() {
    let (_folder, path) = folder();
    let studio = studio(&path);
    let mut talk = studio.talk();
    sheet(&mut talk, Value::is_object);
    let theirs = GUARD.replace("health < 20", "health < 50");
    let begun = Instant::now();
    std::fs::write(&path, &theirs).expect("it is written");
    let seen = sheet(&mut talk, |sheet| sheet["files"][0]["text"] == *theirs);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(seen["undo"]["by"], "");
    edit(&mut talk, &json!({"do": "undo"}));
    sheet(&mut talk, |sheet| sheet["files"][0]["text"] == GUARD);
    assert_eq!(on_disk(&path), GUARD);
}

/// While edits wait to be saved, another program changes the file: both changes are in the document.
#[test]
fn a_change_on_disk_is_merged_with_what_is_not_saved() {
    let (_folder, path) = folder();
    let studio = studio(&path);
    let [mut anna, mut bert] = [studio.talk(), studio.talk()];
    let before = sheet(&mut anna, Value::is_object);
    sheet(&mut bert, Value::is_object);
    let patrol = id(&before, "action", "patrol");
    edit(&mut anna, &json!({"do": "save-at-once", "is_on": false}));
    edit(
        &mut anna,
        &json!({"do": "set", "id": patrol, "name": "doc", "value": "all day"}),
    );
    let waits = sheet(&mut anna, |sheet| !sheet["undo"].is_null());
    assert_eq!(waits["files"][0]["is_saved"], false);
    assert_eq!(on_disk(&path), GUARD);
    let theirs = GUARD.replace("health < 20", "health < 50");
    std::fs::write(&path, &theirs).expect("it is written");
    let wanted = theirs.replace(
        "action patrol\n    }",
        "action patrol doc=\"all day\"\n    }",
    );
    sheet(&mut bert, |sheet| sheet["files"][0]["text"] == *wanted);
    assert_eq!(on_disk(&path), theirs);
    edit(&mut anna, &json!({"do": "save", "whose": "mine"}));
    sheet(&mut bert, |sheet| sheet["files"][0]["is_saved"] == true);
    assert_eq!(on_disk(&path), wanted);
    // Each sees what the other has chosen.
    anna.say(&json!({"say": "chosen", "ids": [patrol]}).to_string());
    let view = until(&mut bert, r#""mind": 0, "sheet": 0"#, |view| {
        view["others"].is_array()
    });
    assert_eq!(view["others"], json!([{"who": "1", "ids": [patrol]}]));
    drop(anna);
    until(&mut bert, r#""mind": 0, "sheet": 0"#, |view| {
        view["others"].is_null()
    });
}

/// Two pages edit at the same time: changes come in one order, and both end with the same text, which is on disk.
#[test]
fn two_pages_edit_at_once() {
    let (_folder, path) = folder();
    let studio = studio(&path);
    let mut pages = [studio.talk(), studio.talk()];
    for round in 0..60_u64 {
        for (nth, talk) in pages.iter_mut().enumerate() {
            let now = sheet(talk, Value::is_object);
            let patrol = id(&now, "action", "patrol");
            edit(
                talk,
                &match (round + nth as u64) % 4 {
                    0 => {
                        json!({"do": "add", "text": format!("wait {round}.5"), "spot": {"id": patrol, "side": "before"}})
                    }
                    1 => {
                        json!({"do": "set", "id": patrol, "name": "doc", "value": format!("round {round} of {nth}")})
                    }
                    2 => {
                        json!({"do": "add", "text": "force-success", "spot": {"id": patrol, "side": "around"}})
                    }
                    _ => json!({"do": "undo"}),
                },
            );
        }
    }
    let texts = pages.map(|mut talk| {
        let last = sheet(&mut talk, |sheet| sheet["revision"].as_u64() >= Some(121));
        last["files"][0]["text"]
            .as_str()
            .expect("a text")
            .to_owned()
    });
    assert_eq!(texts[0], texts[1]);
    assert_eq!(on_disk(&path), texts[0]);
}

/// A program that is killed in the middle of edits leaves the old file or the new one. At a few moments here, at 50 with
/// `TREEMIND_THOROUGH`.
#[test]
fn a_program_that_is_killed_leaves_a_whole_file() {
    let moments: u64 = match std::env::var_os("TREEMIND_THOROUGH") {
        Some(_) => 50,
        None => 5,
    };
    let (_folder, path) = folder();
    let mut known = vec![GUARD.to_owned()];
    let (mut takes, mut middle) = (Duration::ZERO, 0);
    // The first time, it is not killed before all is done, which says how long that takes.
    for nth in 0..=moments {
        let studio = studio(&path);
        let mut talk = studio.talk();
        let flee = id(&sheet(&mut talk, Value::is_object), "action", "run-away");
        let begun = Instant::now();
        for value in 0..8 {
            let value = format!("health < {}", nth * 10 + value);
            let begin = known[0].find("when=\"").expect("a guard") + 6;
            let end = begin + known[0][begin..].find('"').expect("its end");
            known.push(format!("{}{value}{}", &known[0][..begin], &known[0][end..]));
            edit(
                &mut talk,
                &json!({"do": "set", "id": flee, "name": "when", "value": value}),
            );
        }
        if nth == 0 {
            sheet(&mut talk, |sheet| sheet["files"][0]["text"] == known[8]);
            takes = begun.elapsed();
        }
        std::thread::sleep(takes.mul_f64(chance(nth)));
        drop(studio);
        let text = on_disk(&path);
        let place = known.iter().position(|one| *one == text);
        let place = place.unwrap_or_else(|| panic!("it is none of them: {text}"));
        middle += u64::from((1..8).contains(&place));
        known = vec![text];
    }
    println!("killed at {moments} moments within {takes:?}, {middle} of them between two edits");
    assert!(moments < 50 || middle > 0, "no moment was in the middle");
}

/// A number from 0 to 1 that looks like chance, the same in every run.
fn chance(nth: u64) -> f64 {
    let mixed = (nth + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A leaf of an imported file that is renamed in one document is renamed in the other one that plays with it.
#[test]
fn a_leaf_that_two_documents_import_is_renamed_in_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("lib")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(at(name), text).expect("it is written");
    write("lib/common.kdl", "leaves { action go }\n");
    for name in ["a", "b"] {
        let text = format!("import \"lib/common.kdl\"\ntree {name} {{ action go }}\n");
        write(&format!("{name}.kdl"), &text);
    }
    let studio = studio(folder.path());
    let name_of = |name: &str| at(name).to_str().expect("a path").to_owned();
    let look = |name: &str| format!(r#""mind": 0, "sheet": 0, "file": "{}""#, name_of(name));
    let mut other = studio.talk();
    let other_sees = |other: &mut Talk, text: &str| {
        let text = format!("import \"lib/common.kdl\"\ntree b {{ action {text} }}\n");
        let seen = until(other, &look("b.kdl"), |view| {
            view["sheet"]["files"][0]["text"] == *text
        });
        assert_eq!(seen["sheet"]["problems"], json!([]));
    };
    other_sees(&mut other, "go");
    let mut talk = studio.talk();
    let seen = until(&mut talk, &look("a.kdl"), |view| view["sheet"].is_object());
    let go = id(&seen["sheet"], "action", "go");
    edit(
        &mut talk,
        &json!({"do": "rename", "id": go, "name": "walk"}),
    );
    let told = |says: &str| json!([{"says": says, "with": [name_of("b.kdl")]}]);
    let said = told("renamed in other documents, too: {}");
    until(&mut talk, &look("a.kdl"), |view| {
        view["sheet"]["told"] == said
    });
    assert!(on_disk(&at("lib/common.kdl")).contains("action walk"));
    other_sees(&mut other, "walk");
    edit(&mut talk, &json!({"do": "undo"}));
    other_sees(&mut other, "go");
    assert!(on_disk(&at("lib/common.kdl")).contains("action go"));
}

/// Whoever ends the program with edits that are not saved is told which, and where they are.
#[cfg(unix)]
#[test]
fn the_end_tells_of_edits_that_are_not_saved() {
    let (folder, path) = folder();
    let told = folder.path().join("told");
    let script = format!("exec \"$0\" \"$@\" 2>'{}'", told.display());
    for is_kept in [true, false] {
        let mut studio = Studio::by_script(&script, &[path.to_str().expect("a path")]);
        let mut talk = studio.talk();
        edit(&mut talk, &json!({"do": "save-at-once", "is_on": false}));
        let look = r#""mind": 0, "sheet": 0, "delta": true"#;
        let seen = until(&mut talk, look, |view| view["sheet"].is_object());
        let flee = id(&seen["sheet"], "action", "run-away");
        edit(&mut talk, &json!({"do": "remove", "ids": [flee]}));
        until(&mut talk, look, |view| {
            view["sheet"]["files"][0]["is_saved"] == false
        });
        let other = (!is_kept).then(|| studio.talk());
        if let Some(mut other) = other {
            drop(talk);
            // The program has heard that the page is closed when it has answered this for a while.
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(500) {
                until(&mut other, r#""mind": 0"#, |view| view.is_object());
            }
        }
        let signal = std::process::Command::new("kill")
            .args(["-INT", &studio.id().to_string()])
            .status();
        assert!(signal.expect("a signal").success());
        assert!(studio.ends_within(Duration::from_secs(10)));
        let said = on_disk(&told);
        let port = studio.host().rsplit_once(':').expect("a port").1;
        let wanted = match is_kept {
            true => format!(
                "not saved: the edits of {}. The page keeps them, and offers them when the studio is started again on the same files with `--port {port}`",
                path.display()
            ),
            false => format!(
                "not saved, and lost, because no page is open that keeps them: the edits of {}",
                path.display()
            ),
        };
        assert!(said.contains(&wanted), "{said}");
        assert_eq!(on_disk(&path), GUARD);
    }
}
