//! Random cases are rich enough: everything that nodes can do happens, and runs last several ticks.

use std::collections::{BTreeMap, BTreeSet};
use treemind_core::behaviour::{Parts, PlacedNode};
use treemind_core::{Behaviour, Event, FaultKind, Kind, NodeId};
use treemind_testkit::compare::{ScriptedAgent, case_of_seed, reference_of};
use treemind_testkit::generate::{Op, Profile, random_parts, report_of};
use treemind_testkit::random::Random;
use treemind_testkit::reference::{deliver, hand_out, settle};

/// What happened over some cases.
#[derive(Default)]
struct Seen {
    /// How often each kind of node had each event.
    events: BTreeMap<String, u64>,
    /// What guards did and which statements ran, by the kind of node.
    around: BTreeMap<String, u64>,
    faults: BTreeMap<String, u64>,
    ticks: u64,
    running: u64,
    aborts: u64,
    /// How many actions the host reported as finished.
    finished: u64,
    largest: usize,
    deepest: u32,
}

fn play(seed: u64, seen: &mut Seen) {
    let case = case_of_seed(seed, 1, 10);
    let behaviour = case.behaviour().expect("a case's parts fit together");
    let mut leaves = ScriptedAgent::new(&case, &behaviour, 0);
    let mut reference = reference_of(&case, &behaviour, 0, 0);
    seen.largest = seen.largest.max(behaviour.nodes().len());
    seen.deepest = behaviour
        .nodes()
        .iter()
        .map(|node| node.depth + 1)
        .fold(seen.deepest, u32::max);
    for step in &case.steps {
        if step
            .ops
            .iter()
            .any(|op| matches!(op, Op::AbortAll | Op::Abort(0)))
        {
            reference.abort(&mut leaves);
        }
        for op in &step.ops {
            if let Op::Tell(0, event, values) = op {
                reference.send(*event, values);
            }
            if let Op::Finish(label, salt) = op
                && let Some(success) = report_of(*salt, 0)
            {
                let ids = behaviour.node_ids();
                for node in ids.filter(|node| behaviour.label(*node) == label) {
                    seen.finished += u64::from(reference.report_end(node, success));
                }
            }
        }
        reference.tick(&mut leaves, step.dt);
        settle(&mut [&mut reference]);
        hand_out(&mut [&mut reference]);
        deliver(&mut [&mut reference]);
        leaves.forget_calls();
        seen.ticks += 1;
        for &(node, event) in reference.events() {
            let kind = behaviour.node(node).kind.keyword();
            let what = match event {
                Event::Sense(_) => format!("{kind} Sense"),
                Event::Found(..) => format!("{kind} Found"),
                event => format!("{kind} {event:?}"),
            };
            *seen.events.entry(what).or_default() += 1;
            seen.aborts += u64::from(event == Event::Abort);
            let is_around = match event {
                Event::Guard(_) => true,
                Event::Write => kind != "set" && kind != "unset",
                _ => false,
            };
            if is_around {
                *seen.around.entry(format!("{kind} {event:?}")).or_default() += 1;
            }
        }
        seen.running += u64::from(reference.is_live(NodeId::new(0)));
    }
    for fault in reference.faults() {
        let kind = behaviour.node(fault.node).kind.keyword();
        let what = match &fault.kind {
            // It does not matter which key, limit or event it was.
            FaultKind::Unset(_) => "Unset".to_owned(),
            FaultKind::LoopBudget(_) => "LoopBudget".to_owned(),
            FaultKind::TurnBudget(_) => "TurnBudget".to_owned(),
            FaultKind::EventLost { .. } => "EventLost".to_owned(),
            other => format!("{other:?}"),
        };
        *seen.faults.entry(format!("{kind} {what}")).or_default() += 1;
    }
}

/// What has not happened often enough.
fn missing(seen: &Seen) -> Vec<String> {
    let mut missing = Vec::new();
    macro_rules! need {
        ($holds:expr, $($what:tt)*) => {
            if !$holds {
                missing.push(format!($($what)*));
            }
        };
    }
    let has = |what: &str| seen.events.get(what).copied().unwrap_or(0) >= 8;
    let answers = ["Success", "Failure", "Running", "Skipped"];
    let inner = [
        "sequence",
        "selector",
        "sticky-sequence",
        "reactive-sequence",
        "reactive-selector",
        "monitor",
        "parallel",
        "parallel-all",
        "random-selector",
        "random-sequence",
        "weighted-selector",
        "utility-selector",
        "if",
        "reactive-if",
        "try-catch",
        "switch",
        "simple-parallel",
        "subtree-by",
        "node",
        "interruptible",
        "service",
        "semaphore",
        "invert",
        "force-success",
        "force-failure",
        "until-failure",
        "until-success",
        "keep-running-until-failure",
        "run-once",
        "limit",
        "cooldown",
        "timeout",
        "delay",
        "chance",
        "for-each",
        "repeat",
        "retry",
        "on-change",
        "scope",
    ];
    for kind in inner.iter().chain(&["action", "condition"]) {
        for answer in answers {
            let impossible = matches!(
                (*kind, answer),
                (
                    "force-success" | "until-failure" | "until-success",
                    "Failure"
                ) | ("force-failure", "Success")
                    | ("keep-running-until-failure", "Success" | "Skipped")
            );
            need!(
                impossible || has(&format!("{kind} Tick({answer})")),
                "{kind} {answer}"
            );
        }
    }
    let bare = [
        "check",
        "set",
        "unset",
        "wait",
        "succeed",
        "fail",
        "run",
        "interrupt",
        "changed",
        "log",
        "emit",
        "received",
        "wait-for-event",
    ];
    for kind in inner.iter().chain(&["action", "condition"]).chain(&bare) {
        let around = |what: &str| seen.around.contains_key(&format!("{kind} {what}"));
        for answer in ["Success", "Failure", "Skipped"] {
            need!(around(&format!("Guard({answer})")), "{kind} {answer}");
        }
        let writes = matches!(*kind, "set" | "unset") || around("Write");
        need!(writes, "{kind} writes nothing");
    }
    for what in [
        "action Start",
        "action Abort",
        "action Stop(Aborted)",
        "action Fault",
        "condition Fault",
        "check Tick(Success)",
        "check Tick(Failure)",
        "check Fault",
        "set Write",
        "set Fault",
        "unset Write",
        "for-each Fault",
        "wait Tick(Running)",
        "wait Tick(Success)",
        "wait Fault",
        "received Tick(Success)",
        "received Tick(Failure)",
        "received Write",
        "wait-for-event Tick(Success)",
        "wait-for-event Tick(Running)",
        "repeat Fault",
        "retry Fault",
        "until-failure Fault",
        "until-success Fault",
        "limit Fault",
        "cooldown Fault",
        "timeout Fault",
        "delay Fault",
        "chance Fault",
        "switch Fault",
        "weighted-selector Fault",
        "utility-selector Fault",
        "utility-selector Sense",
        "rules Tick(Success)",
        "rules Tick(Failure)",
        "rules Fire(0)",
        "rules Fire(1)",
        "rules Fault",
        "rate Tick(Success)",
        "rate Write",
        "rate Fault",
        "find Tick(Success)",
        "find Tick(Failure)",
        "find Tick(Running)",
        "find Write",
        "find Fault",
        "find Sense",
        "policy Tick(Success)",
        "policy Write",
        "policy Fault",
        "sequence Fault",
        "succeed Tick(Success)",
        "fail Tick(Failure)",
        "run Tick(Running)",
        "interrupt Tick(Success)",
        "interrupt Tick(Failure)",
        "interrupt Tick(Running)",
        "service Serve",
        "service Fault",
        "subtree-by Fault",
        "node Start",
        "node Abort",
        "node Stop(Success)",
        "node Stop(Failure)",
        "node Stop(Aborted)",
        "node Fault",
        "changed Tick(Success)",
        "changed Tick(Failure)",
        "changed Sense",
        "on-change Sense",
        "log Sense",
        "log Tick(Success)",
        "emit Sense",
        "emit Tick(Success)",
        "emit Fault",
        "check Sense",
        "set Sense",
        "action Sense",
        "condition Sense",
        "sequence Sense",
        "switch Sense",
    ] {
        need!(has(what), "{what}");
    }
    for what in [
        "action Overflow",
        "action DivisionByZero",
        "action InstantRan",
        "condition DivisionByZero",
        "check Overflow",
        "check DivisionByZero",
        "set Overflow",
        "set DivisionByZero",
        "set NotNumber",
        "wait BadDuration",
        "repeat LoopBudget",
        "retry LoopBudget",
        "repeat TurnBudget",
        "retry TurnBudget",
        "until-failure TurnBudget",
        "until-success TurnBudget",
        "for-each TurnBudget",
        "repeat Overflow",
        "until-failure LoopBudget",
        "until-success LoopBudget",
        "limit NotNumber",
        "cooldown BadDuration",
        "cooldown DivisionByZero",
        "timeout BadDuration",
        "delay BadDuration",
        "chance Overflow",
        "chance Unset",
        "check Unset",
        "action Unset",
        "set Unset",
        "for-each LoopBudget",
        "switch DivisionByZero",
        "utility-selector BadScore",
        "service BadDuration",
        "service DivisionByZero",
        "subtree-by UnknownTree",
        "subtree-by Unset",
        "node DivisionByZero",
        "node OwnNode(NoAnswer)",
        "node OwnNode(NoSuchChild)",
        "node OwnNode(TickedTwice)",
        "find BadScore",
    ] {
        need!(
            seen.faults.contains_key(what),
            "{what} is not among {:?}",
            seen.faults
        );
    }
    need!(seen.finished > 1_000, "{} finished", seen.finished);
    need!(
        seen.running * 100 > seen.ticks * 25,
        "{} of {}",
        seen.running,
        seen.ticks
    );
    need!(
        seen.aborts * 1_000 > seen.ticks * 25,
        "{} of {}",
        seen.aborts,
        seen.ticks
    );
    need!(
        seen.largest >= 45 && seen.deepest >= 7,
        "{} {}",
        seen.largest,
        seen.deepest
    );
    missing
}

#[test]
fn everything_happens() {
    let mut seen = Seen::default();
    for seed in 0..40_000 {
        play(seed, &mut seen);
        if seed % 100 == 99 && missing(&seen).is_empty() {
            return;
        }
    }
    panic!("too seldom: {:?}", missing(&seen));
}

#[test]
fn every_node_with_a_page_comes_up() {
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/nodes");
    let mut missing: BTreeSet<String> = std::fs::read_dir(pages)
        .expect("the pages are there")
        .map(|page| page.expect("it is readable").path())
        .map(|page| page.file_stem().expect("a name").to_string_lossy().into())
        .collect();
    // The index; the kinds that become other nodes; the kind that `machines.rs` compares.
    for other in ["README", "subtree", "filter", "machine"] {
        assert!(missing.remove(other), "{other} has no page");
    }
    for seed in 0..2_000 {
        let parts = case_of_seed(seed, 1, 1).parts;
        let behaviour = Behaviour::new(parts).expect("a case's parts fit together");
        for node in behaviour.nodes() {
            missing.remove(node.kind.keyword());
        }
    }
    assert!(missing.is_empty(), "never generated: {missing:?}");
}

#[test]
fn a_seed_gives_the_same_parts_again() {
    let parts = |seed| -> Parts {
        let mut random = Random::new(seed);
        let profile = Profile::random(&mut random);
        random_parts(&mut random, profile)
    };
    for seed in 0..50 {
        // Compared as text, because NaN is not equal to itself.
        assert_eq!(format!("{:?}", parts(seed)), format!("{:?}", parts(seed)));
    }
}

#[test]
fn expressions_and_keys_are_of_every_kind() {
    let mut texts = String::new();
    for seed in 0..600 {
        let case = case_of_seed(seed, 1, 1);
        texts.push_str(&format!("{:?}", case.parts));
    }
    for what in [
        "Has(",
        "Len(",
        "Part(Z, ",
        "Vector(",
        "Length(",
        "Scale(Div, ",
        "Random(",
        "Widen(Any, ",
        "Neg(Vector",
        "ty: Text",
        "ty: Vec2",
        "ty: Vec3",
        "ty: Any",
        "starts_set: true",
        "starts_set: false",
        "List { bound: 5, ",
        "ForEach {",
        "max_runs: 1 ",
        "if_empty: Skipped",
        "Unset {",
        "Nearest(",
        "change: Add",
        "change: Remove",
    ] {
        assert!(texts.contains(what), "{what}");
    }
}

#[test]
fn loops_take_every_kind_of_times() {
    let mut seen = BTreeSet::new();
    for seed in 0..2_000 {
        let case = case_of_seed(seed, 1, 1);
        let behaviour = Behaviour::new(case.parts).expect("a case's parts fit together");
        for node in behaviour.nodes() {
            if let Kind::Repeat { times, pace, .. } | Kind::Retry { times, pace, .. } = &node.kind {
                let yields = pace.yields;
                let times = match format!("{times:?}") {
                    text if text.contains("Key") => "key".to_owned(),
                    text => text,
                };
                seen.insert(format!("{times} {yields:?}"));
            }
        }
    }
    for yields in ["Never", "Fresh", "Always"] {
        for times in [
            "Forever",
            "Count(Value(Int(0)))",
            "Count(Value(Int(-1)))",
            "key",
        ] {
            assert!(
                seen.contains(&format!("{times} {yields}")),
                "{times} {yields}"
            );
        }
    }
}

/// The names of the guards, and of the statements, that a node has.
fn around(node: &PlacedNode) -> Vec<String> {
    let (guards, hooks) = (&node.guards, &node.hooks);
    let mut names = Vec::new();
    let mut note = |is_there: bool, name: &str| {
        if is_there {
            names.push(name.to_owned());
        }
    };
    note(guards.fail_if.is_some(), "fail_if");
    note(guards.succeed_if.is_some(), "succeed_if");
    note(guards.skip_if.is_some(), "skip_if");
    note(guards.aborts_lower, "aborts_lower");
    if guards.while_holds.is_some() {
        note(true, &format!("while {:?}", guards.while_else));
    }
    note(!hooks.on_success.is_empty(), "on_success");
    note(!hooks.on_failure.is_empty(), "on_failure");
    note(!hooks.on_abort.is_empty(), "on_abort");
    note(!hooks.on_end.is_empty(), "on_end");
    names
}

#[test]
fn every_guard_and_every_list_of_statements_comes_up_at_about_one_node_in_seven() {
    let mut seen = BTreeSet::new();
    let (mut nodes, mut guarded, mut hooked) = (0, 0, 0);
    for seed in 0..1_000 {
        let case = case_of_seed(seed, 1, 1);
        let behaviour = Behaviour::new(case.parts).expect("a case's parts fit together");
        for node in behaviour.nodes() {
            nodes += 1;
            guarded += usize::from(!node.guards.is_empty());
            hooked += usize::from(!node.hooks.is_empty());
            seen.extend(around(node));
        }
    }
    let names: Vec<&str> = seen.iter().map(String::as_str).collect();
    let wanted = [
        "aborts_lower",
        "fail_if",
        "on_abort",
        "on_end",
        "on_failure",
        "on_success",
        "skip_if",
        "succeed_if",
        "while Failure",
        "while Running",
        "while Skipped",
        "while Success",
    ];
    assert_eq!(names, wanted);
    for share in [guarded * 100 / nodes, hooked * 100 / nodes] {
        assert!((10..=20).contains(&share), "{share} %");
    }
}
