//! The view without a terminal: a log.

use crate::plays::played;
use std::io::Read as _;
use std::process::{Output, Stdio};

fn ran(game: &str) -> (Vec<String>, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = played(game).output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(0), "{stderr}");
    let stdout = String::from_utf8(stdout).unwrap();
    // The rest is of the program with the tests.
    let lines = stdout.lines().filter(|line| line.contains(" s  "));
    (lines.map(str::to_owned).collect(), stderr)
}

#[test]
fn the_log_has_the_events_of_all_agents_and_ends_after_six_hundred_ticks() {
    let (lines, told) = ran("museum");
    assert_eq!(
        lines[..8],
        [
            "     1     0.10 s  guard-1: hear-thief answers failure",
            "     1     0.10 s  guard-1: patrol starts",
            "     1     0.10 s  guard-2: hear-thief answers failure",
            "     1     0.10 s  guard-2: patrol starts",
            "     1     0.10 s  guard-3: hear-thief answers failure",
            "     1     0.10 s  guard-3: patrol starts",
            "     1     0.10 s  door: door enters shut",
            "     4     0.40 s  guard-2: hear-thief answers success",
        ]
    );
    let told = told.lines().last();
    assert_eq!(told, Some("600 ticks, 60.00 s, no faults"));
    let has = |text: &str| lines.iter().any(|line| line.contains(text));
    assert!(has("the thief was caught, and escapes"));
    assert!(has("door: door takes shut → open when=\"near\""));
}

#[test]
fn faults_go_to_standard_error() {
    let (lines, told) = ran("faults");
    assert!(told.contains("fault: tick 3: counter-1: count: panicked: the leaf is broken\n"));
    assert!(told.ends_with("6 ticks, 0.30 s, 1 fault\n"), "{told}");
    assert!(!lines.iter().any(|line| line.contains("broken")));
}

#[test]
fn agents_of_a_cast_come_and_go() {
    let (lines, told) = ran("cast");
    let of = |tick: &str| -> Vec<&str> {
        let lines = lines
            .iter()
            .filter(|line| line.trim_start().starts_with(tick));
        lines.filter_map(|line| line.split(" s  ").nth(1)).collect()
    };
    assert_eq!(
        of("1 "),
        [
            "cook: cook starts",
            "guest-1: eat starts",
            "guest-1: eat ends with success",
            "guest-2: eat starts",
            "guest-2: eat ends with success",
        ]
    );
    assert_eq!(of("4 ").last(), Some(&"there are 3 guests now"));
    let fifth = of("5 ");
    assert!(fifth.contains(&"guest-3: eat starts"), "{fifth:?}");
    assert!(told.ends_with("12 ticks, 0.60 s, no faults\n"), "{told}");
}

#[test]
fn a_changed_document_goes_on() {
    let (lines, told) = ran("reload");
    assert_eq!(
        lines,
        [
            "     1     0.05 s  patrol starts",
            "     5     0.25 s  sleep starts",
        ]
    );
    assert!(told.ends_with("9 ticks, 0.45 s, no faults\n"), "{told}");
}

#[test]
fn ticks_without_the_view_are_left_out() {
    let (lines, told) = ran("gap");
    // The tick without the view is the one in which it ended its first patrol.
    assert_eq!(lines, ["    10     0.15 s  patrol starts"]);
    assert!(told.ends_with("13 ticks, 0.30 s, no faults\n"), "{told}");
}

#[test]
fn a_log_that_nobody_reads_on_ends_the_game() {
    let mut child = played("museum for long")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 1_000];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let mut told = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut told).unwrap();
    child.wait().unwrap();
    assert!(told.contains(" s, no faults"), "{told}");
    assert!(!told.contains("100000 ticks"), "{told}");
}
