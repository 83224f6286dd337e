//! The characters in the arena: what is said about some ticks, read as people would. `UPDATE_EXPECTED=1` rewrites the
//! expected texts.

use std::fmt::Write as _;
use std::path::Path;
use treemind_arena::{Rules, Session, World, YARD};
use treemind_doc::Document;
use treemind_explain::{Explainer, Explanation};

/// Plays a character of the examples, and returns what is said about its ticks.
fn explained(file: &str, map: Option<&str>, name: Option<&str>, ticks: usize) -> Vec<Explanation> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let read = |name: &str| std::fs::read_to_string(examples.join(name)).unwrap();
    let document = Document::parse(&read(file), file);
    let map = map.map_or_else(|| YARD.to_owned(), read);
    let world = World::load(&map, Rules::default()).unwrap();
    let main = document.behaviour(None).unwrap();
    let mut session = Session::new(main, Some(&document), world).unwrap();
    let mut minded = session.minded().into_iter();
    let is_it = |who| name.is_none_or(|name| session.world().body(who).name() == name);
    let (who, nth) = minded.find(|(who, _)| is_it(*who)).unwrap();
    let agent = session.agent_of(who).unwrap();
    let mut explainer = Explainer::new(session.population_at(nth), agent);
    let mut traces = Vec::new();
    let mut all = Vec::new();
    while all.len() < ticks && session.agent_of(who) == Some(agent) {
        explainer.before_tick(session.population_at(nth));
        session.step_all_traced(&mut traces, None);
        explainer.after_tick(session.population_at(nth), &traces[nth]);
        all.push(explainer.explain(session.population_at(nth)));
    }
    all
}

/// The ticks in which something was cut off or a transition was taken.
fn turning_points(all: &[Explanation]) -> String {
    let mut out = String::new();
    for explanation in all {
        let mut changed = explanation.changed.iter();
        if changed
            .any(|reason| reason.text.contains("cut off") || reason.text.contains("` went to `"))
        {
            let _ = writeln!(out, "{explanation}");
        }
    }
    out
}

fn expect(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/expected")
        .join(name);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected.replace("\r\n", "\n") == found, "{name}:\n{found}");
}

#[test]
fn the_guard_says_why() {
    let all = explained("01-guard/guard.kdl", Some("01-guard/yard.map"), None, 400);
    expect("guard.txt", &turning_points(&all));
}

#[test]
fn the_robot_says_why() {
    let all = explained(
        "04-cleaning-robot/robot.kdl",
        Some("04-cleaning-robot/square.map"),
        None,
        400,
    );
    expect("robot.txt", &turning_points(&all));
}

#[test]
fn the_soldier_says_why() {
    let all = explained(
        "10-soldier/soldier.kdl",
        Some("10-soldier/valley.map"),
        None,
        600,
    );
    expect("soldier.txt", &turning_points(&all));
}

#[test]
fn the_child_says_why() {
    let all = explained("11-child/child.kdl", Some("11-child/home.map"), None, 400);
    expect("child.txt", &turning_points(&all));
}

#[test]
fn the_squad_says_why() {
    let all = explained(
        "06-squad/squad.kdl",
        Some("06-squad/ridge.map"),
        Some("gunner"),
        400,
    );
    expect("squad.txt", &turning_points(&all));
}
