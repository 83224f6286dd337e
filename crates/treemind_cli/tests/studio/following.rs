//! The studio follows the documents on disk, and what its page says about them works.

use crate::program::{Studio, Talk, root};
use crate::server::until;
use serde_json::Value;
use std::path::PathBuf;
use tempfile::TempDir;

/// A copy of an example with its map, in a folder of its own.
struct Copy {
    folder: TempDir,
    name: &'static str,
}

impl Copy {
    fn of(example: &str, name: &'static str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let from = root().join("examples").join(example);
        for entry in std::fs::read_dir(from).expect("an example") {
            let path = entry.expect("a file").path();
            let to = folder.path().join(path.file_name().expect("a name"));
            if path.is_file() {
                std::fs::copy(&path, to).expect("a copy");
            }
        }
        Self { folder, name }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.path()).expect("a text")
    }

    fn write(&self, text: &str) {
        std::fs::write(self.path(), text).expect("a file");
    }

    fn studio(&self) -> Studio {
        Studio::start(&[self.path().to_str().expect("a path")])
    }
}

/// The view after the change with this number.
fn changed(talk: &mut Talk, nth: u64) -> Value {
    until(talk, r#""mind": 0"#, |view| view["reloaded"]["nth"] == nth)
}

#[test]
fn a_document_is_followed_and_mistakes_keep_the_last_good_one() {
    let guard = Copy::of("01-guard", "guard.kdl");
    let good = guard.text();
    let studio = guard.studio();
    let mut talk = studio.talk();
    talk.say(r#"{"say": "go", "tick": 40}"#);
    let before = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 40);
    guard.write(&good.replace("action run-away", "actoin run-away"));
    let view = changed(&mut talk, 1);
    assert_eq!(view["reloaded"]["is_done"], false);
    let lines = view["reloaded"]["lines"].to_string();
    assert!(lines.contains("actoin"), "{lines}");
    // Pages have the new text, what is wrong with it and where, beside the definition that plays.
    let draft = &view["definition"]["draft"];
    let text = draft["texts"][0]["text"].as_str().expect("a text");
    assert!(text.contains("actoin run-away"), "{text}");
    let problem = &draft["problems"][0];
    let [line, from, last, to] =
        [0, 1, 2, 3].map(|nth| problem["at"][nth].as_u64().expect("a number"));
    let marked = text.lines().nth(line as usize - 1).expect("a line");
    assert_eq!(
        (last, &marked[from as usize..to as usize]),
        (line, "actoin")
    );
    let help = serde_json::json!({ "says": "did you mean `{}`?", "with": ["action"] });
    assert_eq!(problem["help"], help);
    assert_eq!(problem["severity"], "error");
    assert_eq!(
        view["definition"]["problems"],
        before["definition"]["problems"]
    );
    assert_eq!(
        (&view["tick"], &view["does"]),
        (&40.into(), &before["does"])
    );
    guard.write(&good.replace("health < 20", "health < 45"));
    let view = changed(&mut talk, 2);
    assert_eq!(view["reloaded"]["is_done"], true, "{}", view["reloaded"]);
    assert_eq!(view["definition"]["draft"], Value::Null);
    let lines = view["definition"]["behaviour"]["lines"].to_string();
    assert!(lines.contains("health < 45"), "{lines}");
    assert_eq!(view["tick"], 40);
    // Earlier ticks are those of the old document, and later ones those of the new one, by whichever way one comes there.
    for (tick, has) in [(44, true), (39, false), (41, true), (12, false), (40, true)] {
        talk.say(&format!(r#"{{"say": "go", "tick": {tick}}}"#));
        let view = until(&mut talk, r#""mind": 0"#, |view| {
            view["tick"] == tick && view["is_jumping"] == false
        });
        let lines = view["definition"]["behaviour"]["lines"].to_string();
        assert_eq!(lines.contains("health < 45"), has, "tick {tick}: {lines}");
        let text = view["definition"]["texts"][0]["text"].to_string();
        assert_eq!(text.contains("health < 45"), has, "tick {tick}");
    }
    // It is gone for a while, as when an editor saves: nothing is lost.
    std::fs::remove_file(guard.path()).expect("a file");
    let view = changed(&mut talk, 3);
    assert_eq!(view["reloaded"]["is_done"], false, "{}", view["reloaded"]);
    guard.write(&good);
    let view = changed(&mut talk, 4);
    assert_eq!(
        (&view["reloaded"]["is_done"], &view["tick"]),
        (&true.into(), &40.into())
    );
}

#[test]
fn a_document_that_does_not_play_plays_as_soon_as_it_is_mended() {
    let guard = Copy::of("01-guard", "guard.kdl");
    let good = guard.text();
    guard.write(&good.replace("action run-away", "actoin run-away"));
    let studio = guard.studio();
    let mut talk = studio.talk();
    let view = until(&mut talk, r#""mind": 0"#, |view| {
        view["definition"].is_object()
    });
    assert_eq!(
        view["definition"]["refusal"]["says"],
        "the document has errors"
    );
    guard.write(&good.replace("action run-away", "action run-awai"));
    let view = changed(&mut talk, 1);
    assert_eq!(view["definition"]["refusal"], Value::Null);
    // A leaf that the arena does not have is one without code.
    assert_eq!(view["stubs"][0]["leaf"], "run-awai");
    guard.write(&good);
    let view = changed(&mut talk, 2);
    assert_eq!(view["definition"]["refusal"], Value::Null);
    talk.say(r#"{"say": "go", "tick": 190}"#);
    let view = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 190);
    assert_eq!(view["does"], "run-away");
}

#[cfg(unix)]
#[test]
fn a_document_that_becomes_a_pipe_does_not_hold_anything_up() {
    let guard = Copy::of("01-guard", "guard.kdl");
    let studio = guard.studio();
    let mut talk = studio.talk();
    until(&mut talk, r#""mind": 0"#, |view| {
        view["tick"].as_u64() > Some(2)
    });
    std::fs::remove_file(guard.path()).expect("a file");
    let made = std::process::Command::new("mkfifo")
        .arg(guard.path())
        .status();
    assert!(made.expect("mkfifo starts").success());
    let view = changed(&mut talk, 1);
    assert_eq!(view["reloaded"]["is_done"], false, "{}", view["reloaded"]);
    let tick = view["tick"].as_u64();
    until(&mut talk, r#""mind": 0"#, |view| {
        view["tick"].as_u64() > tick
    });
}

/// What stands in code quotes behind each place where the page has these words.
fn shown<'p>(page: &'p str, words: &str) -> Vec<&'p str> {
    let pieces = page.split(words).skip(1);
    let code = pieces.filter_map(|piece| piece.split_once('`')?.1.split('`').next());
    code.collect()
}

#[test]
fn the_conditions_that_the_page_shows_are_conditions() {
    let page = root().join("docs/studio.md");
    let page = std::fs::read_to_string(page).expect("a page");
    let all = shown(&page, "written as in documents, such as");
    let [stops, holds] = all[..] else {
        panic!("{all:?}");
    };
    let studio = Studio::start(&[
        "examples/01-guard/guard.kdl",
        "examples/12-village/village.kdl",
    ]);
    let mut talk = studio.talk();
    let condition = serde_json::json!(stops);
    talk.say(&format!(
        r#"{{"say": "break", "mind": 0, "line": "n6", "if": {condition}}}"#
    ));
    let view = until(&mut talk, r#""mind": 0"#, |view| {
        view["breakpoints"][0].is_object()
    });
    assert_eq!(view["breakpoints"][0]["wrong"], Value::Null);
    let wish = format!(
        r#""file": "examples/12-village/village.kdl", "mind": 0, "where": {}"#,
        serde_json::json!(holds)
    );
    let view = until(&mut talk, &wish, |view| view["crowd"]["found"].is_object());
    assert_eq!(view["crowd"]["found"]["wrong"], Value::Null, "{holds}");
}
