//! Recordings in the studio, while they are written.

use crate::program::{Studio, Talk, root};
use crate::server::until;
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program};
use treemind_doc::Document;
use treemind_recording::Recorder;

const GUARD: &str = "examples/01-guard/guard.kdl";
const TICK: Duration = Duration::from_millis(100);

/// The bytes of a recording of the guard in the arena.
fn recorded(folder: &Path, ticks: u64) -> Vec<u8> {
    let film = folder.join("whole.mcap");
    let run = Command::new(env!("CARGO_BIN_EXE_treemind"))
        .args(["run", GUARD, "--no-ui", "--quiet", "--ticks"])
        .arg(ticks.to_string())
        .arg("--record")
        .arg(&film)
        .current_dir(root())
        .output()
        .expect("the program starts");
    assert!(run.status.success());
    std::fs::read(&film).expect("it is there")
}

/// What a page shows after a tick.
fn at(talk: &mut Talk, tick: u64) -> Value {
    talk.say(&format!(r#"{{"say": "go", "tick": {tick}}}"#));
    until(talk, r#""mind": 0"#, |view| {
        view["tick"] == tick && view["is_jumping"] == false
    })
}

/// A recording of a game in the arena gets another end when there is more of it, and shows what a whole one shows.
#[test]
fn a_recording_of_the_arena_ends_later_when_more_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = recorded(folder.path(), 400);
    let path = folder.path().join("growing.mcap");
    let mut file = std::fs::File::create(&path).expect("a file");
    let (half, rest) = whole.split_at(whole.len() / 2);
    file.write_all(half).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    let view = until(&mut talk, r#""mind": 0"#, |_| true);
    let end = view["end"].as_u64().expect("it has an end");
    assert!((64..400).contains(&end), "{end}");
    at(&mut talk, end);
    file.write_all(rest).expect("it is written");
    until(&mut talk, r#""mind": 0"#, |view| view["end"] == 400);
    let other = Studio::start(&[folder.path().join("whole.mcap").to_str().expect("a path")]);
    let mut of_whole = other.talk();
    for tick in [390, end + 1, 30] {
        let shown = [&mut talk, &mut of_whole].map(|talk| {
            let view = at(talk, tick);
            ["marks", "keys", "explanation", "does", "scene"].map(|part| view[part].clone())
        });
        assert!(shown[0].iter().all(|part| !part.is_null()), "{shown:?}");
        assert_eq!(shown[0], shown[1], "{tick}");
    }
}

/// A recording of another game is followed like a game that runs, as long as it grows; then it has an end.
#[test]
fn a_recording_is_followed_while_it_is_written() {
    let text = "leaves { action dig; }\ntree miner { repeat forever { sequence { wait 0.5; action dig; }; }; }";
    let document = Document::read(text.as_bytes(), "miner.kdl");
    let behaviour = document.behaviour(None).expect("it has no mistakes");
    let mut host = Scripted::new(&behaviour, 2);
    let mut miners = Population::new(Arc::new(Program::new(behaviour)), 2);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.mcap");
    let mut recorder = Recorder::create(&path, &document).expect("a recorder");
    let mut play = |recorder: &mut Recorder, ticks: u64| {
        (0..ticks).for_each(|_| {
            recorder.tick(&mut miners, &mut host, TICK);
        });
        recorder.flush();
    };
    play(&mut recorder, 30);
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    let view = until(&mut talk, r#""mind": 0"#, |view| view["tick"] == 30);
    assert_eq!(
        (&view["is_live"], &view["secs"]),
        (&true.into(), &3.0.into())
    );
    play(&mut recorder, 200);
    let view = until(&mut talk, r#""mind": 1"#, |view| view["tick"] == 230);
    assert_eq!(view["agents"].as_array().map(Vec::len), Some(2), "{view}");
    recorder.finish().expect("it is all written");
    let view = until(&mut talk, r#""mind": 0"#, |view| view["end"] == 230);
    assert_eq!(
        (&view["is_live"], &view["tick"]),
        (&false.into(), &230.into())
    );
    assert_eq!(at(&mut talk, 7)["secs"], 0.7);
}

/// Another recording that is renamed over the open one, or written into it anew, is noticed.
#[test]
fn a_recording_that_is_replaced_is_shown_from_its_beginning() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (recorded(folder.path(), 60), recorded(folder.path(), 100));
    let path = folder.path().join("shown.mcap");
    std::fs::write(&path, &first).expect("it is written");
    let studio = Studio::start(&[path.to_str().expect("a path")]);
    let mut talk = studio.talk();
    at(&mut talk, 40);
    let other = folder.path().join("other.mcap");
    std::fs::write(&other, &second).expect("it is written");
    std::fs::rename(&other, &path).expect("it is renamed");
    let view = until(&mut talk, r#""mind": 0"#, |view| view["end"] == 100);
    let told = view["reloaded"]["lines"][0].to_string();
    assert!(told.contains("replaced by another file"), "{told}");
    at(&mut talk, 90);
    std::fs::write(&path, &first).expect("it is written");
    until(&mut talk, r#""mind": 0"#, |view| view["end"] == 60);
}
