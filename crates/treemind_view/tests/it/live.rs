//! The view of the example in a terminal: its keys, and how it ends.

use crate::plays::played;
use rustix::process::Signal;
use std::os::unix::process::ExitStatusExt as _;
use treemind_testkit::terminal::Terminal;

fn start(plays: &str) -> Terminal {
    Terminal::start(played(plays))
}

fn has(text: &str) -> impl Fn(&[String]) -> bool {
    let text = text.to_owned();
    move |rows| rows.iter().any(|row| row.contains(&text))
}

/// Waits until the header names a tick; returns the screen.
#[track_caller]
fn at_tick(terminal: &mut Terminal, tick: u64) -> Vec<String> {
    let wanted = format!(" tick {tick} ");
    terminal.shows(&wanted, |rows| rows[0].contains(&wanted))
}

/// The rows that do not say whether it is paused, and how fast.
fn picture(rows: &[String]) -> Vec<String> {
    let is_foot = |nth: usize| nth == 0 || nth + 1 == rows.len();
    let rows = rows.iter().enumerate().filter(|(nth, _)| !is_foot(*nth));
    rows.map(|(_, row)| row.clone()).collect()
}

#[test]
fn it_pauses_steps_goes_back_and_says_why() {
    let mut terminal = start("museum paused");
    let first = at_tick(&mut terminal, 1);
    assert!(terminal.is_raw());
    for wanted in [
        "┌ museum ─",
        ".....1....D.....2...T......3...",
        "┌ 4 agents ─",
        "▸guard-1",
        "4door",
        "blackboard of guard-1",
        "▶ patrol",
        "PAUSED",
    ] {
        assert!(has(wanted)(&first), "no {wanted:?} in {first:#?}");
    }
    // Forward: the game plays on, tick by tick.
    let mut seen = vec![picture(&first)];
    for tick in 2..=9 {
        terminal.press(".");
        seen.push(picture(&at_tick(&mut terminal, tick)));
    }
    assert!(has("guard-2  hunt")(&seen[5]), "{:#?}", seen[5]);
    // Back: every tick is as it was, with the panel that the game drew then.
    for tick in (1..9).rev() {
        terminal.press(",");
        let rows = at_tick(&mut terminal, tick);
        assert_eq!(picture(&rows), seen[tick as usize - 1], "tick {tick}");
    }
    // To a tick that the game has not played yet, and why it does what it does there.
    terminal.press("g45\r");
    at_tick(&mut terminal, 45);
    terminal.press("y");
    let why = terminal.shows("the reasons", has("why; y or Esc closes this"));
    assert!(
        has("tick 45 (4.50 s), guard-1: `guard` answered running")(&why),
        "{why:#?}"
    );
    terminal.press("y");
    terminal.shows("the tree again", |rows| !has("why; y or Esc")(rows));
    // Another agent: a machine.
    terminal.press("adoor\r");
    let door = terminal.shows("the door", |rows| rows[0].starts_with(" door 4/4 "));
    assert!(
        has("┌ machine: ")(&door) && has("near = ")(&door),
        "{door:#?}"
    );
    // On again, past what was played before.
    terminal.press(" ");
    terminal.shows("a later tick", |rows| {
        let tick = rows[0].split(" tick ").nth(1);
        let tick = tick.and_then(|rest| rest.split(' ').next()?.parse::<u64>().ok());
        tick.is_some_and(|tick| tick > 47)
    });
    terminal.press("q");
    let (status, text) = terminal.end();
    assert_eq!(status.code(), Some(0));
    assert!(text.contains(" s, no faults"), "{text}");
}

#[test]
fn the_page_shows_the_example_as_it_is() {
    let page = include_str!("../../../../docs/terminal-view.md");
    let (_, after) = page.split_once("```text\n").unwrap();
    let (shown, _) = after.split_once("```").unwrap();
    let mut terminal = start("museum paused");
    at_tick(&mut terminal, 1);
    terminal.press("g45\r");
    let found = at_tick(&mut terminal, 45).join("\n");
    assert!(
        shown == format!("{found}\n"),
        "the page does not show\n{found}"
    );
    terminal.press("q");
    assert_eq!(terminal.end().0.code(), Some(0));
}

#[test]
fn signals_and_control_c_leave_the_terminal_as_it_was() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut terminal = start("museum");
        terminal.shows("a tick", |rows| rows[0].contains(" tick "));
        terminal.signal(signal);
        let (status, _) = terminal.end();
        assert_eq!(status.signal(), Some(signal.as_raw()));
    }
    let mut terminal = start("museum");
    terminal.shows("a tick", |rows| rows[0].contains(" tick "));
    terminal.press("\u{3}");
    assert_eq!(terminal.end().0.code(), Some(0));
}

#[test]
fn a_panic_of_a_leaf_is_a_fault_and_that_of_the_game_closes_the_view() {
    let mut terminal = start("panics");
    at_tick(&mut terminal, 1);
    terminal.press("..");
    let rows = at_tick(&mut terminal, 3);
    assert!(terminal.is_raw());
    assert!(has("fault: counter-1: count: ")(&rows), "{rows:#?}");
    assert!(has("panicked: the leaf")(&rows), "{rows:#?}");
    assert!(rows[0].contains("1 fault"), "{rows:#?}");
    terminal.press("...");
    let (status, text) = terminal.end();
    assert_eq!(status.code(), Some(101));
    let after = text.rsplit("\u{1b}[?1049l").next().unwrap();
    assert!(after.contains("the game is broken"), "{after}");
}

#[test]
fn any_agent_of_a_crowd_can_be_shown() {
    let mut terminal = start("crowd");
    let rows = at_tick(&mut terminal, 1);
    assert!(has("200 of 5000 agents")(&rows), "{rows:#?}");
    terminal.press("g30\r");
    at_tick(&mut terminal, 30);
    terminal.press("acounter-4321\r");
    let rows = terminal.shows("the agent", has("blackboard of counter-4321"));
    assert!(has("count = 30")(&rows), "{rows:#?}");
    assert!(rows[0].starts_with(" counter-4321 201/201 "), "{rows:#?}");
    terminal.press(",,");
    let rows = at_tick(&mut terminal, 28);
    assert!(has("count = 28")(&rows), "{rows:#?}");
    assert!(rows[0].starts_with(" counter-4321 "), "{rows:#?}");
    // One of those that are listed, but not followed closely before.
    terminal.press("acounter-150\r");
    let rows = terminal.shows("the agent", has("blackboard of counter-150"));
    assert!(has("count = 28")(&rows), "{rows:#?}");
    terminal.press("y");
    let why = terminal.shows("the reasons", has("why; y or Esc closes this"));
    assert!(has("`count` is running")(&why), "{why:#?}");
    terminal.press("q");
    assert_eq!(terminal.end().0.code(), Some(0));
}

#[test]
fn an_agent_that_is_not_there_is_an_error() {
    let mut terminal = start("nobody");
    terminal.until("there is no agent `cook`; there are `guard-1`, `guard-2`, `guard-3`, `door`");
    // The view was never opened.
    assert!(!terminal.seen().contains("\u{1b}[?1049h"));
}

#[test]
fn a_game_without_agents_has_its_panel() {
    let mut terminal = start("empty");
    terminal.shows("a tick", |rows| rows[0].starts_with(" tick 1: "));
    terminal.press("...");
    let rows = terminal.shows("a tick", |rows| rows[0].starts_with(" tick 4: "));
    assert!(has("there are no agents; q quits")(&rows), "{rows:#?}");
    assert!(
        has("┌ stage ─")(&rows) && has("nobody is here")(&rows),
        "{rows:#?}"
    );
    terminal.press("\tyv2,,");
    terminal.shows("a tick", |rows| rows[0].starts_with(" tick 2: "));
    terminal.press("q");
    assert_eq!(terminal.end().0.code(), Some(0));
}
