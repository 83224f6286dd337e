//! The live view in a terminal: however it ends, the terminal is left as it was before.
#![cfg(target_os = "linux")]

use crate::{command, data, examples};
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
