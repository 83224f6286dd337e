//! The reference, rule by rule of `docs/semantics.md`, with every event. The scenarios in `conformance/` cover what
//! the plain trace shows.

use std::time::Duration;
use treemind_core::behaviour::{Judging, Leaf, LeafKind, Parts, Skips, Threshold};
use treemind_core::{Behaviour, Event, Kind, LeafId, Node, NodeId, Status};
use treemind_testkit::conformance::{Scenario, behaviour_of};
use treemind_testkit::reference::Reference;
use treemind_testkit::scripts::{Scripts, letter, parse_answers};

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
            Event::Guard(status) => format!("{label} guard {status}"),
            Event::EnterState(state) => format!("{label} enter {state}"),
            Event::LeaveState(state) => format!("{label} leave {state}"),
            Event::Take(transition) => format!("{label} take {transition}"),
            Event::Refuse(transition, why) => {
                let why = format!("{why:?}").to_lowercase();
                format!("{label} refuse {transition}: {why}")
            }
            Event::Branch(test, way) => format!("{label} branch {test}: {way}"),
            Event::Sense(key) => format!("{label} sense {}", behaviour.key(*key).name),
            Event::Score(bits) => format!("{label} score {}", f32::from_bits(*bits)),
            _ => {
                format!("{label} {}", format!("{event:?}").to_lowercase())
            }
        }
    };
    events.iter().map(show).collect::<Vec<String>>().join(", ")
}

/// Ticks a tree with a script (`a: S F; b: R`) and compares the events of each tick; `halt` in place of events
/// aborts the agent and compares the events after the colon.
fn expect(tree: &str, script: &str, ticks: &[&str]) {
    expect_of(&behaviour(tree), script, ticks);
}

/// The same for a node that documents do not have, over actions `a`, `b` and `c`.
fn expect_kind(kind: Kind, script: &str, ticks: &[&str]) {
    let names = ["a", "b", "c"];
    let leaf = |name: &str| Leaf::new(name, LeafKind::ACTION);
    let action = |index| {
        let leaf = LeafId::new(index);
        Node::leaf(Kind::Action {
            leaf,
            args: Vec::new(),
        })
    };
    let parts = Parts {
        name: "t".to_owned(),
        enums: Vec::new(),
        keys: Vec::new(),
        leaves: names.map(leaf).to_vec(),
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: Node::with(kind, (0..names.len()).map(action).collect()),
    };
    let behaviour = Behaviour::new(parts).expect("the parts fit together");
    expect_answers(&behaviour, script, ticks);
}

/// Compares only the answers: `a S, b K; R`.
fn expect_answers(behaviour: &Behaviour, script: &str, ticks: &[&str]) {
    let mut scripts = scripts(behaviour, script);
    let mut reference = Reference::new(behaviour, 0, 0);
    for (index, wanted) in ticks.iter().enumerate() {
        let answer = reference.tick(&mut scripts, TICK);
        let show = |(node, event): &(NodeId, Event)| match event {
            Event::Tick(status) if *node != behaviour.root() => {
                Some(format!("{} {}", behaviour.label(*node), letter(*status)))
            }
            Event::Abort => Some(format!("{} abort", behaviour.label(*node))),
            _ => None,
        };
        let events: Vec<String> = reference.events().iter().filter_map(show).collect();
        let given = format!("{}; {}", events.join(", "), letter(answer));
        assert_eq!(given, *wanted, "step {index}");
    }
}

fn expect_of(behaviour: &Behaviour, script: &str, ticks: &[&str]) {
    let mut scripts = scripts(behaviour, script);
    let mut reference = Reference::new(behaviour, 0, 0);
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
        assert_eq!(shown(behaviour, reference.events()), wanted, "step {index}");
    }
}

fn scripts(behaviour: &Behaviour, script: &str) -> Scripts {
    let mut scripts = Scripts::new(behaviour);
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
    scripts
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

#[test]
fn a_catch_follows_the_abort_of_what_was_tried() {
    expect(
        "try-catch on-abort=#true { action a; sequence { action b; }; }",
        "a: R K; b: S R",
        &[
            "try-catch enter, a start, a RUNNING, try-catch RUNNING",
            "halt: a abort, a stop aborted, sequence enter, b start, b SUCCESS, b stop success, \
             sequence SUCCESS",
            "try-catch enter, a start, a SKIPPED, a stop aborted, try-catch SKIPPED",
            "halt: sequence enter, b start, b RUNNING, sequence RUNNING, b abort, b stop aborted",
            "halt:",
        ],
    );
    expect(
        "try-catch { action a; action b; }",
        "a: F; b: R K",
        &[
            "try-catch enter, a start, a FAILURE, a stop failure, b start, b RUNNING, \
             try-catch RUNNING",
            "try-catch enter, b SKIPPED, b abort, b stop aborted, try-catch FAILURE",
        ],
    );
}

#[test]
fn a_choice_aborts_the_old_before_it_starts_the_new() {
    expect(
        "reactive-if { condition x; action a; action b; }",
        "x: S F K; a: R; b: R",
        &[
            "reactive-if enter, x SUCCESS, a start, a RUNNING, reactive-if RUNNING",
            "reactive-if enter, x FAILURE, a abort, a stop aborted, b start, b RUNNING, \
             reactive-if RUNNING",
            "reactive-if enter, x SKIPPED, reactive-if SKIPPED",
            "halt: b abort, b stop aborted",
        ],
    );
    expect(
        "switch \"1 / zero\" { case 1 { action a; }; default { action b; }; }",
        "",
        &["switch enter, switch fault, switch FAILURE"],
    );
}

#[test]
fn decorators_that_do_not_tick_their_child_still_enter_and_answer() {
    expect(
        "run-once { action a; }",
        "a: F",
        &[
            "run-once enter, a start, a FAILURE, a stop failure, run-once FAILURE",
            "run-once enter, run-once FAILURE",
        ],
    );
    expect(
        "limit \"1 / zero\" { action a; }",
        "",
        &["limit enter, limit fault, limit FAILURE"],
    );
    expect(
        "delay 0.1 { action a; }",
        "a: R",
        &[
            "delay enter, delay RUNNING",
            "delay enter, a start, a RUNNING, delay RUNNING",
            "halt: a abort, a stop aborted",
            "delay enter, delay RUNNING",
        ],
    );
    expect(
        "timeout 0.1 { action a; }",
        "a: R",
        &[
            "timeout enter, a start, a RUNNING, timeout RUNNING",
            "timeout enter, a abort, a stop aborted, timeout FAILURE",
        ],
    );
    expect(
        "chance 0 { action a; }",
        "",
        &["chance enter, chance FAILURE"],
    );
}

#[test]
fn a_cooldown_reads_its_seconds_as_the_run_ends() {
    expect(
        "cooldown \"=1 / zero\" { action a; }",
        "a: S R",
        &[
            "cooldown enter, a start, a SUCCESS, a stop success, cooldown fault, cooldown SUCCESS",
            "cooldown enter, a start, a RUNNING, cooldown RUNNING",
            "halt: a abort, a stop aborted, cooldown fault",
            "halt:",
        ],
    );
}

#[test]
fn what_lasts_for_life_is_not_kept_open() {
    for tree in [
        "run-once",
        "limit 1",
        "cooldown 5.0",
        "timeout 5.0",
        "chance 1",
    ] {
        let behaviour = behaviour(&format!("{tree} {{ action a; }}"));
        let mut scripts = scripts(&behaviour, "a: S");
        let mut reference = Reference::new(&behaviour, 0, 0);
        assert_eq!(reference.tick(&mut scripts, TICK), Status::Success);
        assert!(!reference.is_live(behaviour.root()), "{tree}");
    }
}

fn parallel(success: Threshold, failure: Threshold, skips: Skips) -> Kind {
    Kind::Parallel {
        success,
        failure,
        skips,
        judging: Judging::default(),
    }
}

#[test]
fn a_parallel_meets_all_but_some() {
    let but_one = parallel(Threshold::AllBut(1), Threshold::AllBut(1), Skips::Absent);
    expect_kind(
        but_one.clone(),
        "a: R; b: S; c: S",
        &["a R, b S, c S, a abort; S"],
    );
    expect_kind(
        but_one.clone(),
        "a: F; b: R; c: F",
        &["a F, b R, c F, b abort; F"],
    );
    // One skipped and one successful child are two of three, as soon as not all of them are skipped.
    expect_kind(but_one.clone(), "a: K; b: S", &["a K, b S; S"]);
    expect_kind(
        but_one.clone(),
        "a: K; b: K; c: R",
        &["a K, b K, c R, c abort; S"],
    );
    expect_kind(but_one, "a: K; b: K; c: K", &["a K, b K, c K; K"]);
}

#[test]
fn a_parallel_of_an_imported_dialect_counts_skips_even_when_all_are() {
    let even_all = |success, failure| parallel(success, failure, Skips::AbsentEvenAll);
    let all = even_all(Threshold::All, Threshold::Exactly(1));
    expect_kind(all.clone(), "a: K; b: K; c: K", &["a K, b K, c K; S"]);
    expect_kind(all, "a: K; b: F; c: K", &["a K, b F; F"]);
    let but_one = even_all(Threshold::AllBut(1), Threshold::Exactly(1));
    expect_kind(but_one, "a: K; b: K; c: K", &["a K, b K; S"]);
    let failing = even_all(Threshold::Exactly(1), Threshold::All);
    expect_kind(failing, "a: K; b: K; c: K", &["a K, b K, c K; F"]);
}

#[test]
fn a_parallel_meets_exactly_at_the_moment_of_a_look() {
    let exactly = |success, failure| {
        let (success, failure) = (Threshold::Exactly(success), Threshold::Exactly(failure));
        parallel(success, failure, Skips::Pending)
    };
    // At the first look, there are exactly zero failures.
    expect_kind(exactly(2, 0), "a: R", &["a R, a abort; F"]);
    expect_kind(exactly(0, 1), "a: R", &["a R, a abort; S"]);
    expect_kind(exactly(0, 1), "a: S; b: F", &["a S, b F; F"]);
    expect_kind(exactly(3, 2), "a: F", &["a F; F"]);
    expect_kind(
        exactly(3, 3),
        "a: S; b: K S; c: S",
        &["a S, b K, c S; R", "b S; S"],
    );
}

#[test]
fn a_parallel_with_a_threshold_of_none_has_met_it() {
    let none = |success, failure| {
        let (success, failure) = (Threshold::Count(success), Threshold::Count(failure));
        parallel(success, failure, Skips::Absent)
    };
    expect_kind(none(0, 3), "a: R", &["a R, a abort; S"]);
    expect_kind(none(3, 0), "a: R", &["a R, a abort; F"]);
    expect_kind(none(0, 3), "a: K", &["a K; S"]);
}

#[test]
fn a_parallel_all_that_bears_no_failure_at_all_fails() {
    let kind = Kind::ParallelAll { max_failures: 0 };
    expect_kind(kind, "a: S; b: R S; c: S", &["a S, b R, c S; R", "b S; F"]);
}
