//! Which answers a node can give at all, to find children that never get their turn.

use treemind_core::behaviour::{Kind, Leaf, LeafKind, Times};
use treemind_core::{Expr, Value};

/// A set of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcomes(u8);

impl Outcomes {
    const SUCCESS: u8 = 1;
    const FAILURE: u8 = 2;
    const RUNNING: u8 = 4;
    const SKIPPED: u8 = 8;
    pub(super) const ANY: Outcomes = Outcomes(15);

    fn has(self, answer: u8) -> bool {
        self.0 & answer != 0
    }

    fn without(self, answer: u8) -> Outcomes {
        Outcomes(self.0 & !answer)
    }

    fn with(self, answer: u8) -> Outcomes {
        Outcomes(self.0 | answer)
    }
}

/// Whether a composite of that name never gets past a child with these answers.
pub(super) fn stops(composite: &str, child: Outcomes) -> bool {
    match composite {
        "sequence" | "reactive-sequence" => !child.has(Outcomes::SUCCESS | Outcomes::SKIPPED),
        "selector" | "reactive-selector" => !child.has(Outcomes::FAILURE | Outcomes::SKIPPED),
        _ => false,
    }
}

/// The warning for the child behind one that [`stops`] the composite.
pub(super) fn never_runs(composite: &str) -> (String, String) {
    let word = if composite.ends_with("sequence") {
        "succeeds"
    } else {
        "fails"
    };
    (
        format!("this child can never run: the one in front of it never {word}"),
        format!("a `{composite}` goes on to its next child when one {word}"),
    )
}

/// The answers of a node of this kind whose children have those.
pub(super) fn of(kind: &Kind, children: &[Outcomes], leaves: &[Leaf]) -> Outcomes {
    let union = children
        .iter()
        .fold(Outcomes(0), |all, child| all.with(child.0));
    let first = children.first().copied().unwrap_or(Outcomes::ANY);
    match kind {
        Kind::Condition { .. } | Kind::Monitor | Kind::Parallel { .. } | Kind::RandomSelector => {
            Outcomes::ANY
        }
        Kind::Action { leaf, .. } => match leaves[leaf.index()].kind {
            LeafKind::Action { instant: true } => Outcomes::ANY.without(Outcomes::RUNNING),
            _ => Outcomes::ANY,
        },
        Kind::Check { expr } => match expr {
            Expr::Value(Value::Bool(true)) => Outcomes(Outcomes::SUCCESS),
            Expr::Value(Value::Bool(false)) => Outcomes(Outcomes::FAILURE),
            _ => Outcomes(Outcomes::SUCCESS | Outcomes::FAILURE),
        },
        Kind::Set { assigns } => {
            // Arithmetic may be at fault, and then the node fails.
            let plain = assigns
                .iter()
                .all(|assign| matches!(assign.value, Expr::Value(_) | Expr::Key(..)));
            Outcomes(if plain {
                Outcomes::SUCCESS
            } else {
                Outcomes::SUCCESS | Outcomes::FAILURE
            })
        }
        Kind::Wait { secs } => match secs {
            Expr::Value(Value::Double(0.0)) => Outcomes(Outcomes::SUCCESS),
            Expr::Value(_) => Outcomes(Outcomes::SUCCESS | Outcomes::RUNNING),
            _ => Outcomes::ANY.without(Outcomes::SKIPPED),
        },
        Kind::Succeed => Outcomes(Outcomes::SUCCESS),
        Kind::Fail => Outcomes(Outcomes::FAILURE),
        Kind::Run => Outcomes(Outcomes::RUNNING),
        Kind::Sequence | Kind::ReactiveSequence => {
            through(children, "sequence", Outcomes::SUCCESS, Outcomes::FAILURE)
        }
        Kind::Selector | Kind::ReactiveSelector => {
            through(children, "selector", Outcomes::FAILURE, Outcomes::SUCCESS)
        }
        Kind::Invert => {
            let kept = first.without(Outcomes::SUCCESS | Outcomes::FAILURE);
            let kept = if first.has(Outcomes::SUCCESS) {
                kept.with(Outcomes::FAILURE)
            } else {
                kept
            };
            if first.has(Outcomes::FAILURE) {
                kept.with(Outcomes::SUCCESS)
            } else {
                kept
            }
        }
        Kind::ForceSuccess => forced(first, Outcomes::SUCCESS, Outcomes::FAILURE),
        Kind::ForceFailure => forced(first, Outcomes::FAILURE, Outcomes::SUCCESS),
        Kind::Repeat { times, .. } => looped(times, union, Outcomes::SUCCESS, Outcomes::FAILURE),
        Kind::Retry { times, .. } => looped(times, union, Outcomes::FAILURE, Outcomes::SUCCESS),
    }
}

fn forced(child: Outcomes, to: u8, from: u8) -> Outcomes {
    if child.has(from) {
        child.without(from).with(to)
    } else {
        child
    }
}

/// A composite that goes on at `on` and ends at `end`.
fn through(children: &[Outcomes], composite: &str, on: u8, end: u8) -> Outcomes {
    let mut all = Outcomes(0);
    let mut reaches_end = true;
    for child in children {
        all = all.with(child.without(on | Outcomes::SKIPPED).0 & (end | Outcomes::RUNNING));
        if stops(composite, *child) {
            reaches_end = false;
            break;
        }
    }
    let can_skip = children.iter().all(|child| child.has(Outcomes::SKIPPED));
    if can_skip {
        all = all.with(Outcomes::SKIPPED);
    }
    if reaches_end { all.with(on) } else { all }
}

/// A loop that goes on at `on` and ends at `end`.
fn looped(times: &Times, child: Outcomes, on: u8, end: u8) -> Outcomes {
    let ends = if child.has(end) { end } else { 0 };
    let skips = child.0 & Outcomes::SKIPPED;
    let runs = Outcomes(ends | skips | Outcomes::RUNNING);
    match times {
        Times::Forever => runs,
        // Its count may be at fault, and then it fails.
        Times::Count(Expr::Value(_)) => runs.with(on),
        Times::Count(_) => runs.with(on | Outcomes::FAILURE),
    }
}
