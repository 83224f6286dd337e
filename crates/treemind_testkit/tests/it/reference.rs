//! The reference, rule by rule of `docs/semantics.md`, with every event. What the plain trace shows stands in
//! `conformance/`.

use std::time::Duration;
use treemind_core::{Behaviour, Event, NodeId, Status};
use treemind_testkit::conformance::{Scenario, behaviour_of};
use treemind_testkit::reference::Reference;
use treemind_testkit::scripts::{Scripts, parse_answers};

const TICK: Duration = Duration::from_millis(100);

fn behaviour(tree: &str) -> Behaviour {
    let scenario = Scenario {
        tree: format!("{tree}\n"),
        keys: "key n type=int default=0\nkey zero type=int default=0\n".to_owned(),
        leaves: "action flash instant=#true\naction go { param at type=int; }\n".to_owned(),
        ..Scenario::default()
    };
    behaviour_of(&scenario).expect("the tree is well formed")
}

/// The events as text: `sequence enter, a start, a RUNNING`.
fn shown(behaviour: &Behaviour, events: &[(NodeId, Event)]) -> String {
    let show = |(node, event): &(NodeId, Event)| {
        let label = behaviour.label(*node);
        match event {
            Event::Tick(status) => format!("{label} {status}"),
            Event::Stop(outcome) => format!("{label} stop {outcome}"),
            Event::Enter | Event::Start | Event::Abort | Event::Write | Event::Fault => {
                format!("{label} {}", format!("{event:?}").to_lowercase())
            }
        }
    };
    events.iter().map(show).collect::<Vec<String>>().join(", ")
}

/// Ticks a tree with a script (`a: S F; b: R`) and compares the events of each tick; `halt` in place of events
/// aborts the agent and compares what follows the colon.
fn expect(tree: &str, script: &str, ticks: &[&str]) {
    let behaviour = behaviour(tree);
    let mut scripts = Scripts::new(&behaviour);
    for line in script.split(';').filter(|line| !line.trim().is_empty()) {
        let (label, answers) = line
            .split_once(':')
            .expect("a line of a script has a colon");
        let answers = parse_answers(answers).expect("the answers are S, F, R, K");
        assert!(
            scripts.set(label.trim(), &answers),
            "no leaf is named {label}"
        );
    }
    let mut reference = Reference::new(&behaviour, 0, 0);
    for (index, wanted) in ticks.iter().enumerate() {
        let wanted = match wanted.strip_prefix("halt:") {
            Some(wanted) => {
                reference.abort(&mut scripts);
                wanted.trim()
            }
            None => {
                reference.tick(&mut scripts, TICK);
                wanted
            }
        };
        assert_eq!(
            shown(&behaviour, reference.events()),
            wanted,
            "step {index}"
        );
    }
}

#[test]
fn an_action_starts_answers_and_stops() {
    expect(
        "action a",
        "a: S F R R S",
        &[
            "a start, a SUCCESS, a stop success",
            "a start, a FAILURE, a stop failure",
            "a start, a RUNNING",
            "a RUNNING",
            "a SUCCESS, a stop success",
        ],
    );
}

#[test]
fn an_action_that_skips_first_is_stopped_without_abort() {
    expect(
        "action a",
        "a: K R K R",
        &[
            "a start, a SKIPPED, a stop aborted",
            "a start, a RUNNING",
            "a SKIPPED",
            "a RUNNING",
            "halt: a abort, a stop aborted",
            "halt:",
        ],
    );
}

#[test]
fn an_instant_action_that_runs_is_a_fault() {
    expect(
        "action flash",
        "flash: R K S",
        &[
            "flash start, flash fault, flash FAILURE, flash stop failure",
            "flash start, flash SKIPPED, flash stop aborted",
            "flash start, flash SUCCESS, flash stop success",
        ],
    );
}

#[test]
fn a_fault_in_an_argument_keeps_the_action_from_starting() {
    expect(
        "action go at=\"=1 / zero\"",
        "",
        &["go fault, go FAILURE", "halt:"],
    );
}

#[test]
fn leaves_of_the_engine_only_answer() {
    expect(
        "condition x not=#true",
        "x: S R K",
        &["x FAILURE", "x RUNNING", "x SKIPPED", "halt:"],
    );
    expect("check \"n == 0\"", "", &["check SUCCESS"]);
    expect(
        "check \"1 / zero == 0\"",
        "",
        &["check fault, check FAILURE"],
    );
    expect("set \"n = 1\"", "", &["set write, set SUCCESS"]);
    expect(
        "set \"n = 1; n = 1 / zero\"",
        "",
        &["set fault, set FAILURE"],
    );
    expect(
        "wait 0.1",
        "",
        &["wait RUNNING", "wait SUCCESS", "wait RUNNING", "halt:"],
    );
    expect("wait \"=0.0 - 1.0\"", "", &["wait fault, wait FAILURE"]);
    expect("succeed", "", &["succeed SUCCESS"]);
    expect("fail", "", &["fail FAILURE"]);
    expect("run", "", &["run RUNNING", "halt:", "run RUNNING"]);
}

#[test]
fn composites_and_decorators_enter_and_answer() {
    expect(
        "sequence { invert { action a; }; succeed; }",
        "a: F R",
        &[
            "sequence enter, invert enter, a start, a FAILURE, a stop failure, invert SUCCESS, \
             succeed SUCCESS, sequence SUCCESS",
            "sequence enter, invert enter, a start, a RUNNING, invert RUNNING, sequence RUNNING",
            "halt: a abort, a stop aborted",
        ],
    );
}

#[test]
fn a_memory_list_aborts_what_is_open_before_it_answers() {
    expect(
        "sequence { action a; action b; }",
        "a: R K; b: S",
        &[
            "sequence enter, a start, a RUNNING, sequence RUNNING",
            "sequence enter, a SKIPPED, b start, b SUCCESS, b stop success, a abort, \
             a stop aborted, sequence SUCCESS",
        ],
    );
}

#[test]
fn a_reactive_list_aborts_after_the_answer_that_took_over() {
    expect(
        "reactive-selector { condition x; action a; }",
        "x: F R; a: R",
        &[
            "reactive-selector enter, x FAILURE, a start, a RUNNING, reactive-selector RUNNING",
            "reactive-selector enter, x RUNNING, a abort, a stop aborted, \
             reactive-selector RUNNING",
        ],
    );
}

#[test]
fn a_parallel_aborts_in_child_order_before_it_answers() {
    expect(
        "parallel { action a; action b; action c; }",
        "a: R; b: R; c: F",
        &[
            "parallel enter, a start, a RUNNING, b start, b RUNNING, c start, c FAILURE, \
             c stop failure, a abort, a stop aborted, b abort, b stop aborted, parallel FAILURE",
        ],
    );
}

#[test]
fn a_monitor_aborts_before_it_answers() {
    expect(
        "monitor { condition x; action a; }",
        "x: S F; a: R",
        &[
            "monitor enter, x SUCCESS, a start, a RUNNING, monitor RUNNING",
            "monitor enter, x FAILURE, a abort, a stop aborted, monitor FAILURE",
        ],
    );
}

#[test]
fn a_random_selector_drops_a_child_that_skips() {
    expect(
        "random-selector { action a; }",
        "a: R K S",
        &[
            "random-selector enter, a start, a RUNNING, random-selector RUNNING",
            "random-selector enter, a SKIPPED, a abort, a stop aborted, random-selector SKIPPED",
            "random-selector enter, a start, a SUCCESS, a stop success, random-selector SUCCESS",
        ],
    );
}

#[test]
fn a_loop_ticks_its_child_again_within_one_visit() {
    expect(
        "repeat 2 yields=never { succeed; }",
        "",
        &["repeat enter, succeed SUCCESS, succeed SUCCESS, repeat SUCCESS"],
    );
    expect(
        "repeat \"1 / zero\" { succeed; }",
        "",
        &["repeat enter, repeat fault, repeat FAILURE"],
    );
    expect("retry 0 { succeed; }", "", &["retry enter, retry FAILURE"]);
}

#[test]
fn a_loop_that_skips_is_live_with_a_count_only() {
    for (script, is_live) in [("a: S K", true), ("a: R K", false)] {
        let behaviour = behaviour("repeat 3 { action a; }");
        let mut scripts = Scripts::new(&behaviour);
        let (label, answers) = script
            .split_once(':')
            .expect("a line of a script has a colon");
        scripts.set(
            label,
            &parse_answers(answers).expect("the answers are S, F, R, K"),
        );
        let mut reference = Reference::new(&behaviour, 0, 0);
        assert_eq!(reference.tick(&mut scripts, TICK), Status::Running);
        assert_eq!(reference.tick(&mut scripts, TICK), Status::Skipped);
        assert_eq!(reference.is_live(behaviour.root()), is_live, "{script}");
    }
}

#[test]
fn a_spinning_loop_faults_before_it_answers() {
    let behaviour = behaviour("repeat forever yields=never { succeed; }");
    let mut scripts = Scripts::new(&behaviour);
    let mut reference = Reference::new(&behaviour, 0, 0);
    for _ in 0..2 {
        assert_eq!(reference.tick(&mut scripts, TICK), Status::Running);
        let events = reference.events();
        assert_eq!(events.len(), 1_003);
        let last = shown(&behaviour, &events[1_000..]);
        assert_eq!(last, "succeed SUCCESS, repeat fault, repeat RUNNING");
    }
}
