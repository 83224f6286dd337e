//! Tests of a stretch before which something happened that the agent remembers.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program, Status, Trace, Value};
use treemind_doc::Document;
use treemind_test::{Happened, Made, Wanted, make, run};

/// Notes what happened in a game from one tick to another one; `game` gives facts and answers before each tick.
fn made(
    text: &str,
    (from, to): (u64, u64),
    game: impl Fn(u64, &mut Population, &mut Scripted),
) -> Made {
    let document = Document::parse(text, "guard.kdl");
    let behaviour = document.behaviour(None).expect("it is good");
    let mut host = Scripted::new(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut trace = Trace::with_values();
    let mut happened = Happened::since(from);
    for tick in 1..=to {
        game(tick, &mut population, &mut host);
        trace.clear();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        match tick < from {
            true => happened.recall(&population, 0, &trace),
            false => happened.note(&population, 0, &trace),
        }
    }
    let read = |test: &str| Ok(Document::parse(&format!("{text}\n{test}"), "guard.kdl"));
    let wanted = Wanted {
        dt: 0.1,
        ..Wanted::default()
    };
    make(&document, &happened, &wanted, &read).expect("it happened")
}

/// The test is good, and passes.
fn passes(text: &str, made: &Made) {
    assert_eq!(made.wrong, None, "{}", made.text);
    let document = Document::parse(&format!("{text}\n{}", made.text), "guard.kdl");
    let report = run(&document, "").unwrap_or_else(|errors| panic!("{errors}"));
    assert!(report.passed(), "{}", made.text);
}

const MACHINE: &str = "blackboard { key distance type=float default=100.0; }
leaves { action patrol; action chase; action shout instant=#true; action search; }
machine guard {
    initial calm
    state calm { do { action patrol; }; transition to=hunt when=\"distance < 20\"; }
    state hunt { do { sequence { action shout; action chase; }; }; transition to=lost when=\"distance > 50\"; }
    state lost { do { action search; }; transition to=calm after=4.0; transition to=hunt when=\"distance < 20\"; }
}
";

/// From tick 30 on, the enemy is near; from 60 on, it is gone. In each tick its distance is another one.
fn enemy(tick: u64, population: &mut Population, host: &mut Scripted) {
    let behaviour = population.program().behaviour();
    let distance = behaviour.key_id("distance").expect("a key");
    let about = match tick {
        0..30 => 90.0,
        30..60 => 10.0,
        _ => 70.0,
    };
    let value = Value::Float(about + 0.01 * tick as f32);
    population.set(0, distance, value).expect("it fits");
    for name in ["patrol", "chase", "search"] {
        host.set(0, name, &[Status::Running]);
    }
    host.set(0, "shout", &[Status::Success]);
}

#[test]
fn a_stretch_in_a_state_begins_with_what_led_into_it() {
    let made = made(MACHINE, (70, 75), enemy);
    passes(MACHINE, &made);
    let expected = "test \"lost\" machine=guard {
    // What led to it.
    given distance=11.0
    tick 2
    given distance=71.0
    tick 2
    expect active=\"lost search\"
    tick 5
    expect active=\"lost search\"
}
";
    assert_eq!(made.text, expected);
}

#[test]
fn a_stretch_goes_on_in_the_middle_of_a_sequence() {
    let made = made(MACHINE, (40, 62), enemy);
    passes(MACHINE, &made);
    assert!(made.text.contains("What led to it"), "{}", made.text);
}

/// Time that passed in a state counts.
#[test]
fn time_that_passed_before_is_led_to() {
    let made = made(MACHINE, (98, 103), enemy);
    passes(MACHINE, &made);
    assert!(made.text.contains("active=\"calm"), "{}", made.text);
}
