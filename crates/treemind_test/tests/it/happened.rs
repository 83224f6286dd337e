//! Tests that are made of what happened to an agent.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program, Status, Trace, Value};
use treemind_doc::{Document, Said};
use treemind_test::{Happened, Made, Wanted, make, run};

const GUARD: &str = "blackboard { key health type=float default=100.0; }
leaves { condition see-enemy; action attack; action patrol; action run-away; action sleep; }
tree guard {
    reactive-selector {
        reactive-sequence { check \"health < 20\"; condition see-enemy; action run-away; }
        sequence { condition see-enemy; action attack; }
        action patrol
    }
}
tree other { action sleep; }
test \"patrol, then attack\" { tick; expect active=patrol; }
main tree=guard
";

/// A game: the guard sees an enemy from tick 5 on, and loses a bit of health in each tick. Notes the ticks from one on.
fn happened(text: &str, from: u64, to: u64) -> Happened {
    let document = Document::parse(text, "guard.kdl");
    let behaviour = document.behaviour(None).expect("it is good");
    let mut host = Scripted::new(&behaviour, 1);
    let health = behaviour.key_id("health").expect("a key");
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut trace = Trace::with_values();
    let mut happened = Happened::since(from);
    for name in ["attack", "patrol", "run-away"] {
        host.set(0, name, &[Status::Running]);
    }
    host.set(0, "sleep", &[Status::Success]);
    for tick in 1..=to {
        let answer = if tick < 5 {
            Status::Failure
        } else {
            Status::Success
        };
        host.set(0, "see-enemy", &[answer]);
        let left = 80.0 - 7.3 * tick as f32;
        population
            .set(0, health, Value::Float(left))
            .expect("it fits");
        trace.clear();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        match tick < from {
            true => happened.recall(&population, 0, &trace),
            false => happened.note(&population, 0, &trace),
        }
    }
    happened
}

fn made(text: &str, (from, to): (u64, u64), wanted: &Wanted) -> Result<Made, Said> {
    let document = Document::parse(text, "guard.kdl");
    let read = |test: &str| Ok(Document::parse(&format!("{text}\n{test}"), "guard.kdl"));
    let wanted = Wanted {
        dt: 0.1,
        ..wanted.clone()
    };
    make(&document, &happened(text, from, to), &wanted, &read)
}

#[test]
fn facts_are_given_and_what_followed_is_expected() {
    let made = made(GUARD, (1, 11), &Wanted::default()).expect("it happened");
    let expected = "test \"patrol, then attack, then run-away\" tree=guard {
    tick
    expect active=patrol
    tick 3
    expect active=patrol
    leaf see-enemy answers=\"S\"
    tick
    expect active=attack inactive=patrol
    tick 3
    expect active=attack
    given health=14.0
    tick
    expect active=run-away inactive=attack
    tick 2
    expect active=run-away
}
";
    assert_eq!(made.text, expected);
    assert_eq!(made.wrong, None);
    assert_eq!(made.proposed, [""; 0]);
    let report = run(
        &Document::parse(&format!("{GUARD}\n{expected}"), "guard.kdl"),
        "run-away",
    );
    let report = report.unwrap_or_else(|errors| panic!("{errors}"));
    assert!(report.passed() && report.outcomes.len() == 1);
}

/// What begins and ends in one tick is expected, too, also while something else runs.
#[test]
fn actions_that_answer_at_once_are_expected() {
    let (leaves, rest) = GUARD.split_once("tree guard").expect("a tree");
    let (_, main) = rest.split_once("main").expect("what runs");
    let text = format!(
        "{leaves}tree guard {{ sequence {{ action sleep; action patrol; }}; }}\nmain{main}"
    );
    let made = made(&text, (1, 4), &Wanted::default()).expect("it happened");
    assert_eq!(made.wrong, None, "{}", made.text);
    let lines: Vec<&str> = made.text.lines().map(str::trim).collect();
    assert!(
        lines.contains(&"expect active=patrol ran=sleep"),
        "{lines:?}"
    );
    assert!(lines.contains(&"expect active=patrol"), "{lines:?}");
    assert_eq!(made.proposed, [""; 0]);
}

/// What made an agent do what it does is not read again while it does that, and what was read before a reload is not known.
#[test]
fn what_the_keys_held_is_given_where_it_was_not_read_again() {
    let text = "blackboard { key noise type=float; key other type=int default=7; }
leaves { action bark; action nap; }
tree dog { reactive-selector { action bark when=\"noise > 0.5\"; action nap; }; }
main tree=dog
";
    let document = Document::parse(text, "dog.kdl");
    let behaviour = document.behaviour(None).expect("it is good");
    let mut host = Scripted::new(&behaviour, 1);
    let [noise, other] = ["noise", "other"].map(|key| behaviour.key_id(key).expect("a key"));
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut trace = Trace::with_values();
    let mut happened = Happened::since(4);
    for name in ["bark", "nap"] {
        host.set(0, name, &[Status::Running]);
    }
    population
        .set(0, noise, Value::Float(1.0))
        .expect("it fits");
    population.set(0, other, Value::Int(9)).expect("it fits");
    for tick in 1..=8 {
        trace.clear();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        match tick {
            1 | 2 => {}
            3 => happened.hold(&population, 0),
            _ => happened.note(&population, 0, &trace),
        }
    }
    let read = |test: &str| Ok(Document::parse(&format!("{text}\n{test}"), "dog.kdl"));
    let wanted = Wanted {
        dt: 0.1,
        ..Wanted::default()
    };
    let made = make(&document, &happened, &wanted, &read).expect("it happened");
    assert_eq!(made.wrong, None, "{}", made.text);
    assert!(
        made.text.contains("    given noise=1.0\n    tick"),
        "{}",
        made.text
    );
    assert!(!made.text.contains("other"), "{}", made.text);
}

#[test]
fn a_stretch_begins_with_what_holds_then() {
    let wanted = Wanted {
        never: vec!["patrol".to_owned()],
        ..Wanted::default()
    };
    let made = made(GUARD, (6, 10), &wanted).expect("it happened");
    assert_eq!(made.wrong, None, "{}", made.text);
    assert_eq!(made.proposed, ["patrol"]);
    assert!(
        made.text
            .starts_with("test \"attack, then run-away\" tree=guard {\n    leaf see-enemy"),
        "{}",
        made.text
    );
    assert!(
        made.text.ends_with("    never patrol\n}\n"),
        "{}",
        made.text
    );
}

#[test]
fn a_fact_is_made_to_happen() {
    let fact = |line: &str| Wanted {
        facts: vec![(3, line.to_owned())],
        name: "hurt early".to_owned(),
        ..Wanted::default()
    };
    let wanted = fact("leaf see-enemy answers=\"S\"");
    let found = made(GUARD, (1, 4), &wanted).expect("it happens");
    assert_eq!(found.wrong, None, "{}", found.text);
    let expected =
        "    leaf see-enemy answers=\"S\"\n    tick\n    expect active=attack inactive=patrol\n";
    assert!(found.text.contains(expected), "{}", found.text);
    for wrong in [
        "given helth=3.0",
        "fly",
        "}",
        "given health=3.0 }",
        "tick 1 {",
    ] {
        assert!(made(GUARD, (1, 4), &fact(wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn what_it_remembers_from_before_is_said() {
    let text = GUARD.replace("reactive-selector {", "selector {").replace(
        "action patrol\n",
        "sequence { action sleep; action patrol; }\n",
    );
    // It has slept before the stretch.
    let mut document = text.clone();
    document = document.replace(
        "test \"patrol, then attack\" { tick; expect active=patrol; }\n",
        "",
    );
    let parsed = Document::parse(&document, "guard.kdl");
    let behaviour = parsed.behaviour(None).expect("it is good");
    let mut host = Scripted::new(&behaviour, 1);
    host.set(0, "see-enemy", &[Status::Failure]);
    host.set(0, "sleep", &[Status::Success]);
    host.set(0, "patrol", &[Status::Running]);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut trace = Trace::with_values();
    let mut happened = Happened::since(3);
    for tick in 1..=6 {
        trace.clear();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        if tick >= 3 {
            happened.note(&population, 0, &trace);
        }
    }
    let read = |test: &str| Ok(Document::parse(&format!("{document}\n{test}"), "guard.kdl"));
    let wanted = Wanted {
        dt: 0.1,
        ..Wanted::default()
    };
    let made = make(&parsed, &happened, &wanted, &read).expect("it happened");
    let wrong = made.wrong.expect("it is another one").to_string();
    assert!(
        wrong.starts_with("in tick 3, `patrol` ran, but `sleep` runs"),
        "{wrong}"
    );
}

/// What runs in both is not named as if it differed.
#[test]
fn what_it_has_done_before_is_said_by_its_actions() {
    let document = "leaves { action stand instant=#true; }\ntree boss { sequence name=rest { action stand; run; }; }\n";
    let parsed = Document::parse(document, "boss.kdl");
    let behaviour = parsed.behaviour(None).expect("it is good");
    let mut host = Scripted::new(&behaviour, 1);
    host.set(0, "stand", &[Status::Success]);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut trace = Trace::with_values();
    let mut happened = Happened::since(3);
    for tick in 1..=5 {
        trace.clear();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        if tick >= 3 {
            happened.note(&population, 0, &trace);
        }
    }
    let read = |test: &str| Ok(Document::parse(&format!("{document}\n{test}"), "boss.kdl"));
    let wanted = Wanted {
        dt: 0.1,
        ..Wanted::default()
    };
    let made = make(&parsed, &happened, &wanted, &read).expect("it happened");
    let wrong = made.wrong.expect("it is another one").to_string();
    assert!(
        wrong.starts_with("in tick 3, no action ran, but `stand` runs in a new agent"),
        "{wrong}"
    );
}
