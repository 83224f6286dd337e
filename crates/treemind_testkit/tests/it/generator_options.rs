//! Random cases are rich enough in options: every setting of every node occurs.

use std::collections::BTreeSet;
use treemind_core::behaviour::Judging;
use treemind_core::{Behaviour, Kind};
use treemind_testkit::compare::case_of_seed;

/// The settings of a node's options, in words; several for nodes with several options.
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
        Kind::Semaphore {
            semaphore,
            waits,
            bid,
        } => vec![
            format!("{word} {} {waits}", semaphore.index()),
            format!("{word} {} bids {}", semaphore.index(), bid.is_some()),
        ],
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
        } => vec![
            format!("{word} {yields:?} {reset_on_abort}"),
            format!("{word} leaves_open {leaves_open}"),
        ],
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
        Kind::If {
            asks_again: true, ..
        } => vec![format!("{word} asks_again")],
        Kind::If {
            leaves_open: true, ..
        } => vec![format!("{word} leaves_open")],
        Kind::ReactiveIf { leaves_open: true } => vec![format!("{word} leaves_open")],
        Kind::If { .. } | Kind::ReactiveIf { .. } => vec![format!("{word} of {children}")],
        Kind::TryCatch { on_abort } => vec![format!("{word} {on_abort}")],
        Kind::Switch {
            cases,
            once,
            leaves_open,
        } => {
            let default = children > cases.len();
            vec![
                format!("{word} {once} {default}"),
                format!("{word} leaves_open {leaves_open}"),
            ]
        }
        Kind::Unset { forgets, .. } => vec![format!("{word} {forgets}")],
        Kind::RunOnce { then_skip } => vec![format!("{word} {then_skip}")],
        Kind::Timeout { across_skips, .. } | Kind::Delay { across_skips, .. } => {
            vec![format!("{word} {across_skips}")]
        }
        Kind::OnChange {
            else_running,
            leaves_open,
            ..
        } => vec![
            format!("{word} {else_running}"),
            format!("{word} leaves_open {leaves_open}"),
        ],
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
    let mut wanted = ["if asks_again", "if leaves_open", "reactive-if leaves_open"]
        .map(str::to_owned)
        .to_vec();
    for yields in ["Never", "Fresh", "Always"] {
        for list in ["sequence", "selector", "until-failure", "until-success"] {
            wanted.push(format!("{list} {yields}"));
        }
    }
    for flag in ["true", "false"] {
        for yields in ["Never", "Fresh", "Always"] {
            wanted.push(format!("sticky-sequence {yields} {flag}"));
            wanted.push(format!("sticky-sequence leaves_open {flag}"));
            wanted.push(format!("switch leaves_open {flag}"));
            wanted.push(format!("on-change leaves_open {flag}"));
        }
        for kind in [
            "try-catch",
            "run-once",
            "unset",
            "cooldown",
            "random-selector",
            "random-sequence",
            "on-change",
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
            "semaphore 2 bids",
            "semaphore 3 bids",
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
