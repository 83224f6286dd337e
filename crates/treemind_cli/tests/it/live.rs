//! The live view in a terminal: however it ends, the terminal is left as it was before.
#![cfg(target_os = "linux")]

use crate::{command, data, examples, treemind_in};
use rustix::process::Signal;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use treemind_testkit::terminal::Terminal;

fn start(arguments: &str) -> Terminal {
    start_in(&data(), arguments)
}

fn start_in(folder: &Path, arguments: &str) -> Terminal {
    Terminal::start(command(folder, arguments))
}

#[test]
fn signals_leave_the_terminal_as_it_was() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let mut terminal = start("run guard.kdl --script day.txt");
        terminal.until("\u{1b}[?1000h");
        terminal.until("tick");
        assert!(terminal.is_raw());
        terminal.signal(signal);
        // It ends the way the signal ends programs, so that the process waiting for it can tell.
        assert_eq!(terminal.end().0.signal(), Some(signal.as_raw()));
    }
}

/// A game in a folder of its own, and how it is played there with all outputs.
fn recorded() -> (tempfile::TempDir, &'static str) {
    let here = tempfile::tempdir().unwrap();
    for name in ["castle.kdl", "castle.map"] {
        std::fs::copy(
            examples().join("13-hero").join(name),
            here.path().join(name),
        )
        .unwrap();
    }
    let line = "run castle.kdl --record game.mcap --save game.save --write-keys game.keys";
    (here, line)
}

/// What a game has written is whole.
fn is_finished(folder: &Path) {
    let replayed = treemind_in(folder, "replay game.mcap --no-ui", b"");
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    // A note would say that something is missing.
    assert!(!replayed.err.contains("note:"), "{}", replayed.err);
    assert!(!replayed.err.starts_with("0 ticks"), "{}", replayed.err);
    let saved = treemind_in(folder, "saved game.save", b"");
    assert_eq!(saved.code, 0, "{}", saved.err);
    assert!(folder.join("game.keys").exists());
}

#[test]
fn a_terminal_that_is_closed_ends_it_and_everything_is_finished() {
    let (here, line) = recorded();
    let mut terminal = start_in(here.path(), line);
    terminal.until("tick");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(terminal.hang_up().code(), Some(0));
    is_finished(here.path());
    // A replay ends, too, also while it is paused.
    let mut terminal = start_in(here.path(), "replay game.mcap --at 2");
    terminal.until("PAUSED");
    assert_eq!(terminal.hang_up().code(), Some(0));
}

#[test]
fn a_signal_ends_it_and_everything_is_finished() {
    for signals in [
        &[Signal::TERM][..],
        &[Signal::INT],
        &[Signal::HUP, Signal::HUP],
    ] {
        let (here, line) = recorded();
        let mut terminal = start_in(here.path(), line);
        terminal.until("tick");
        std::thread::sleep(std::time::Duration::from_millis(500));
        // A shell that ends and the system both send SIGHUP.
        signals.iter().for_each(|signal| terminal.signal(*signal));
        let status = match signals[0] {
            Signal::HUP => terminal.hang_up(),
            _ => terminal.end().0,
        };
        assert_eq!(status.signal(), Some(signals[0].as_raw()));
        is_finished(here.path());
    }
}

#[test]
fn a_key_ends_it_well() {
    let mut terminal = start("run guard.kdl --script day.txt");
    terminal.until("tick");
    terminal.press("q");
    assert_eq!(terminal.end().0.code(), Some(0));
}

/// Shows an example, changes its document, and waits until the view says so, and what it cost.
fn reloaded(example: &str, document: &str, (old, new): (&str, &str), arguments: &str, says: &str) {
    let example = examples().join(example);
    let here = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(example).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, here.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let mut terminal = start_in(here.path(), arguments);
    terminal.until("\u{1b}[?1000h");
    terminal.until("quit");
    let file = here.path().join(document);
    let text = std::fs::read_to_string(&file).unwrap();
    let changed = text.replace(old, new);
    assert_ne!(changed, text);
    std::fs::write(&file, changed).unwrap();
    terminal.until(says);
    terminal.until("read and checked in");
    terminal.until("swapped in");
    terminal.press("q");
    assert_eq!(terminal.end().0.code(), Some(0));
}

#[test]
fn the_view_of_a_crowd_says_what_was_reloaded_and_what_it_cost() {
    reloaded(
        "12-village",
        "village.kdl",
        ("hide secs=20.0", "hide secs=25.0"),
        "run village.kdl --agents 300 --watch",
        "reloaded village.kdl: nothing was aborted, read and checked in",
    );
}

#[test]
fn the_view_of_a_game_says_what_was_reloaded_and_what_it_cost() {
    reloaded(
        "01-guard",
        "guard.kdl",
        ("health < 20", "health < 21"),
        "run guard.kdl --watch",
        "reloaded guard.kdl: ",
    );
}
