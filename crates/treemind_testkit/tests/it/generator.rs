//! Random cases are rich enough: everything that nodes can do happens, and runs last.

use std::collections::{BTreeMap, BTreeSet};
use treemind_core::behaviour::{Judging, Parts, PlacedNode};
use treemind_core::{Behaviour, Event, FaultKind, Kind, NodeId};
use treemind_testkit::compare::{ScriptedAgent, case_of_seed};
use treemind_testkit::generate::{Op, Profile, random_parts, report_of};
use treemind_testkit::random::Random;
use treemind_testkit::reference::{Reference, hand_out};

/// What happened over some cases.
#[derive(Default)]
struct Seen {
    /// Which kinds of nodes had which events, and how often.
    events: BTreeMap<String, u64>,
    /// What guards did and which statements were written, by the kind of node.
    around: BTreeMap<String, u64>,
    faults: BTreeMap<String, u64>,
    ticks: u64,
    running: u64,
    aborts: u64,
    /// How many actions the host said were finished.
    finished: u64,
    largest: usize,
    deepest: u32,
}

fn play(seed: u64, seen: &mut Seen) {
    let case = case_of_seed(seed, 1, 40);
    let behaviour = Behaviour::new(case.parts.clone()).expect("a case's parts fit together");
    let mut leaves = ScriptedAgent::new(&case, &behaviour, 0);
    let mut reference = Reference::new(&behaviour, case.seed, 0);
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
        hand_out(&mut [&mut reference]);
        leaves.forget_calls();
        seen.ticks += 1;
        for &(node, event) in reference.events() {
            let kind = behaviour.node(node).kind.keyword();
            *seen.events.entry(format!("{kind} {event:?}")).or_default() += 1;
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
            // Which key it was does not matter.
            FaultKind::Unset(_) => "Unset".to_owned(),
            other => format!("{other:?}"),
        };
        *seen.faults.entry(format!("{kind} {what}")).or_default() += 1;
    }
}

#[test]
fn everything_happens() {
    let mut seen = Seen::default();
    (0..16_000).for_each(|seed| play(seed, &mut seen));
    let has = |what: &str| seen.events.get(what).copied().unwrap_or(0) >= 20;
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
            assert!(
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
    ];
    for kind in inner.iter().chain(&["action", "condition"]).chain(&bare) {
        let around = |what: &str| seen.around.contains_key(&format!("{kind} {what}"));
        for answer in ["Success", "Failure", "Skipped"] {
            assert!(around(&format!("Guard({answer})")), "{kind} {answer}");
        }
        let writes = matches!(*kind, "set" | "unset") || around("Write");
        assert!(writes, "{kind} writes nothing");
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
    ] {
        assert!(has(what), "{what}");
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
        "wait BadDuration",
        "repeat LoopBudget",
        "retry LoopBudget",
        "repeat Overflow",
        "until-failure LoopBudget",
        "until-success LoopBudget",
        "limit DivisionByZero",
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
        "service BadDuration",
        "service DivisionByZero",
        "subtree-by UnknownTree",
        "subtree-by DivisionByZero",
        "node DivisionByZero",
        "node LoopBudget",
        "node OwnNode(NoSuchChild)",
        "node OwnNode(TickedTwice)",
    ] {
        assert!(
            seen.faults.contains_key(what),
            "{what} is not among {:?}",
            seen.faults
        );
    }
    assert!(seen.finished > 1_000, "{} finished", seen.finished);
    assert!(
        seen.running * 100 > seen.ticks * 25,
        "{} of {}",
        seen.running,
        seen.ticks
    );
    assert!(
        seen.aborts * 1_000 > seen.ticks * 25,
        "{} of {}",
        seen.aborts,
        seen.ticks
    );
    assert!(
        seen.largest >= 45 && seen.deepest >= 7,
        "{} {}",
        seen.largest,
        seen.deepest
    );
}

#[test]
fn a_seed_gives_the_same_parts_again() {
    let parts = |seed| -> Parts {
        let mut random = Random::new(seed);
        let profile = Profile::random(&mut random);
        random_parts(&mut random, profile)
    };
    for seed in 0..50 {
        // Compared as text, as NaN is not equal to itself.
        assert_eq!(format!("{:?}", parts(seed)), format!("{:?}", parts(seed)));
    }
}

#[test]
fn expressions_and_keys_are_of_every_kind() {
    let mut texts = String::new();
    for seed in 0..300 {
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

/// What an option of a node is set to, in words of its own; more than one for nodes with several.
fn options(kind: &Kind, children: usize) -> Vec<String> {
    let word = kind.keyword();
    match kind {
        Kind::Sequence { yields } | Kind::Selector { yields } => vec![format!("{word} {yields:?}")],
        Kind::UntilFailure { pace } | Kind::UntilSuccess { pace } => vec![
            format!("{word} {:?}", pace.yields),
            format!("{word} at most {}", pace.max_runs),
        ],
        Kind::Repeat {
            pace,
            counting,
            ignores_result,
            ..
        }
        | Kind::Retry {
            pace,
            counting,
            ignores_result,
            ..
        } => vec![
            format!("{word} {counting:?} {ignores_result}"),
            format!("{word} at most {}", pace.max_runs),
        ],
        Kind::ForceSuccess { even_running } | Kind::ForceFailure { even_running } => {
            vec![format!("{word} {even_running}")]
        }
        Kind::SimpleParallel { waits } => vec![format!("{word} {waits}")],
        Kind::Semaphore { semaphore, waits } => {
            vec![format!("{word} {} {waits}", semaphore.index())]
        }
        Kind::Interrupt { label, result } => {
            vec![format!("{word} {} {result:?}", label.index())]
        }
        Kind::Interruptible { label } => vec![format!("{word} {}", label.index())],
        Kind::Wait { jitter, .. } | Kind::Service { jitter, .. } => {
            vec![format!("{word} jitter {}", jitter.is_some())]
        }
        Kind::Own { leaf, .. } | Kind::Action { leaf, .. } => {
            vec![format!("{word} {}", leaf.index())]
        }
        Kind::StickySequence {
            yields,
            reset_on_abort,
            leaves_open,
        } => vec![format!("{word} {yields:?} {reset_on_abort} {leaves_open}")],
        Kind::Parallel {
            success,
            failure,
            skips,
            judging,
        } => [("success", success), ("failure", failure)]
            .into_iter()
            .flat_map(|(of, threshold)| {
                let threshold = format!("{threshold:?}");
                let name = threshold.split('(').next().unwrap_or_default();
                let Judging {
                    at_end,
                    repeat_finished,
                } = judging;
                [
                    format!("{word} {of} {name} {skips:?}"),
                    format!("{word} {of} {name} {at_end} {repeat_finished}"),
                ]
            })
            .collect(),
        Kind::RandomSelector { replacement } | Kind::RandomSequence { replacement } => {
            vec![format!("{word} {replacement}")]
        }
        Kind::ParallelAll { max_failures } => vec![format!("{word} {max_failures}")],
        Kind::If | Kind::ReactiveIf => vec![format!("{word} of {children}")],
        Kind::TryCatch { on_abort } => vec![format!("{word} {on_abort}")],
        Kind::Switch { cases, once } => {
            let default = children > cases.len();
            vec![format!("{word} {once} {default}")]
        }
        Kind::RunOnce { then_skip } => vec![format!("{word} {then_skip}")],
        Kind::Limit { runs, per_parent } => {
            vec![format!("{word} {runs:?}"), format!("{word} {per_parent}")]
        }
        Kind::Cooldown { else_skipped, .. } => vec![format!("{word} {else_skipped}")],
        Kind::Chance { probability } => vec![format!("{word} {probability:?}")],
        _ => Vec::new(),
    }
}

#[test]
fn every_option_comes_up() {
    let mut seen = BTreeSet::new();
    for seed in 0..6_000 {
        let case = case_of_seed(seed, 1, 1);
        let behaviour = Behaviour::new(case.parts).expect("a case's parts fit together");
        for node in behaviour.nodes() {
            seen.extend(options(&node.kind, node.children.len()));
        }
    }
    let mut wanted = Vec::new();
    for yields in ["Never", "Fresh", "Always"] {
        for list in ["sequence", "selector", "until-failure", "until-success"] {
            wanted.push(format!("{list} {yields}"));
        }
    }
    for flag in ["true", "false"] {
        for yields in ["Never", "Fresh", "Always"] {
            wanted.push(format!("sticky-sequence {yields} {flag}"));
        }
        for kind in [
            "try-catch",
            "run-once",
            "cooldown",
            "random-selector",
            "random-sequence",
        ] {
            wanted.push(format!("{kind} {flag}"));
        }
        for default in ["true", "false"] {
            wanted.push(format!("switch {flag} {default}"));
        }
    }
    for flag in ["true", "false"] {
        for kind in [
            "force-success",
            "force-failure",
            "simple-parallel",
            "limit",
            "semaphore 0",
            "semaphore 1",
            "semaphore 2",
            "semaphore 3",
            "wait jitter",
            "service jitter",
            "repeat Runs",
            "repeat Ticks",
            "retry Runs",
            "retry Ticks",
            "parallel success All true",
            "parallel success Count false",
            "parallel failure All false",
            "parallel failure AllBut true",
            "parallel failure Exactly true",
        ] {
            wanted.push(format!("{kind} {flag}"));
        }
    }
    for kind in ["repeat", "retry", "until-failure", "until-success"] {
        for most in [1, 2, 3, 7, 1_000] {
            wanted.push(format!("{kind} at most {most}"));
        }
    }
    for label in 0..2 {
        wanted.push(format!("interruptible {label}"));
        wanted.push(format!("interrupt {label} Success"));
        wanted.push(format!("interrupt {label} Failure"));
    }
    for action in 5..14 {
        wanted.push(format!("action {action}"));
    }
    for own in 16..19 {
        wanted.push(format!("node {own}"));
    }
    for skips in ["Absent", "AbsentEvenAll", "Pending"] {
        for threshold in ["All", "AllBut", "Count", "Exactly"] {
            wanted.push(format!("parallel success {threshold} {skips}"));
            wanted.push(format!("parallel failure {threshold} {skips}"));
        }
    }
    for number in 0..4 {
        wanted.push(format!("parallel-all {number}"));
        wanted.push(format!("limit Value(Int({number}))"));
    }
    for number in ["0.0", "0.5", "1.0"] {
        wanted.push(format!("chance Value(Double({number}))"));
    }
    for number in 2..4 {
        wanted.push(format!("if of {number}"));
        wanted.push(format!("reactive-if of {number}"));
    }
    wanted.retain(|option| !seen.contains(option));
    assert!(wanted.is_empty(), "{wanted:?} never came up");
}
