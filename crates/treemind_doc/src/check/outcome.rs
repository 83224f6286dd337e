//! Which answers a node can give at all, to find children that never get their turn.

use treemind_core::behaviour::{
    Arg, Form, Key, Kind, Leaf, LeafKind, Life, StateKind, Times, Yields,
};
use treemind_core::{Expr, MAX_TURNS_PER_TICK, SemaphoreId, Status, Value};

/// A set of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcomes(u8);

impl Outcomes {
    pub(super) const SUCCESS: u8 = 1;
    pub(super) const FAILURE: u8 = 2;
    pub(super) const RUNNING: u8 = 4;
    pub(super) const SKIPPED: u8 = 8;
    pub(super) const ANY: Outcomes = Outcomes(15);

    pub(super) fn has(self, answer: u8) -> bool {
        self.0 & answer != 0
    }

    fn without(self, answer: u8) -> Outcomes {
        Outcomes(self.0 & !answer)
    }

    pub(super) fn with(self, answer: u8) -> Outcomes {
        Outcomes(self.0 | answer)
    }
}

/// Whether a composite of that name never gets past a child with these answers.
pub(super) fn stops(composite: &str, child: Outcomes) -> bool {
    match composite {
        "sequence" | "reactive-sequence" | "sticky-sequence" | "filter" => {
            !child.has(Outcomes::SUCCESS | Outcomes::SKIPPED)
        }
        "selector" | "reactive-selector" => !child.has(Outcomes::FAILURE | Outcomes::SKIPPED),
        _ => false,
    }
}

/// The warning for the child behind one that [`stops`] the composite.
pub(super) fn never_runs(composite: &str) -> (String, String) {
    let word = if composite.ends_with("selector") {
        "fails"
    } else {
        "succeeds"
    };
    (
        format!("this child can never run: the one in front of it never {word}"),
        format!("a `{composite}` goes on to its next child when one {word}"),
    )
}

/// A child that is never chosen, with a message and a help about it.
pub(super) fn never_chosen(
    name: &str,
    children: &[Outcomes],
) -> Option<(usize, &'static str, &'static str)> {
    let test = children.first()?;
    match name {
        "if" | "reactive-if" if !test.has(Outcomes::SUCCESS) && children.len() > 1 => Some((
            1,
            "this child can never run: the test never succeeds",
            "the first child is the test, the second follows on its success",
        )),
        "if" | "reactive-if" if !test.has(Outcomes::FAILURE) && children.len() > 2 => Some((
            2,
            "this child can never run: the test never fails",
            "the first child is the test, the third follows on its failure",
        )),
        "try-catch" => {
            let (_, tried) = children.split_last()?;
            let fails = through(tried, "sequence", Outcomes::SUCCESS, Outcomes::FAILURE);
            (!fails.has(Outcomes::FAILURE) && !tried.is_empty()).then_some((
                tried.len(),
                "this child can never run: none of those in front of it ever fails",
                "the last child of a `try-catch` runs when one of the others fails",
            ))
        }
        "simple-parallel" if !test.has(Outcomes::RUNNING) => Some((
            1,
            "this child can never run: the task never takes time",
            "the first child is the task, the second goes on while that is running",
        )),
        _ => None,
    }
}

/// How many runs a loop that never lets time pass begins in one tick before that is a fault: its child never runs
/// into the next tick, and cannot end the loop.
pub(super) fn spins(kind: &Kind, child: Outcomes) -> Option<u32> {
    let (times, pace, child) = match kind {
        Kind::UntilFailure { pace } => (&Times::Forever, pace, child.without(Outcomes::SUCCESS)),
        Kind::UntilSuccess { pace } => (&Times::Forever, pace, child.without(Outcomes::FAILURE)),
        Kind::Repeat {
            times,
            pace,
            ignores_result,
            ..
        } => {
            let child = deaf(child, *ignores_result, Outcomes::FAILURE);
            (times, pace, child.without(Outcomes::SUCCESS))
        }
        Kind::Retry {
            times,
            pace,
            ignores_result,
            ..
        } => {
            let child = deaf(child, *ignores_result, Outcomes::SUCCESS);
            (times, pace, child.without(Outcomes::FAILURE))
        }
        _ => return None,
    };
    // The first run, and as many more as all loops of an agent may have together.
    let max_runs = pace.max_runs.min(MAX_TURNS_PER_TICK + 1);
    let is_too_long = match times {
        Times::Forever => true,
        Times::Count(Expr::Value(Value::Int(count))) => *count > i64::from(max_runs),
        Times::Count(_) => false,
    };
    let ends = child.has(Outcomes::SUCCESS | Outcomes::FAILURE | Outcomes::RUNNING);
    (is_too_long && !ends && pace.yields != Yields::Always).then_some(max_runs)
}

/// Whether a node of this kind may answer running although none of its children does. Conditions that answer so are
/// left out, as hosts hardly ever do that, and so are loops that stop where their budget ends.
pub(super) fn takes_time(
    kind: &Kind,
    leaves: &[Leaf],
    is_shared: impl Fn(SemaphoreId) -> bool,
) -> bool {
    let is_zero = |secs: &Expr| *secs == Expr::Value(Value::Double(0.0));
    match kind {
        Kind::Action { leaf, .. } => !matches!(
            leaves[leaf.index()].kind,
            LeafKind::Action {
                life: Life::Instant
            }
        ),
        Kind::Wait { secs, jitter } => !is_zero(secs) || jitter.is_some(),
        Kind::Delay { secs } => !is_zero(secs),
        Kind::Run
        | Kind::KeepRunningUntilFailure
        | Kind::Machine(_)
        | Kind::Own { .. }
        | Kind::RandomSelector { replacement: true }
        | Kind::RandomSequence { replacement: true } => true,
        Kind::Sequence { yields }
        | Kind::Selector { yields }
        | Kind::StickySequence { yields, .. } => *yields != Yields::Never,
        Kind::Repeat { pace, .. }
        | Kind::Retry { pace, .. }
        | Kind::UntilFailure { pace }
        | Kind::UntilSuccess { pace } => pace.yields != Yields::Never,
        Kind::Parallel { judging, .. } => judging.repeat_finished,
        Kind::OnChange { else_running, .. } => *else_running,
        Kind::Semaphore { semaphore, waits } => *waits || is_shared(*semaphore),
        _ => false,
    }
}

/// The answers of a node of this kind whose children have those.
pub(super) fn of(
    kind: &Kind,
    children: &[Outcomes],
    (keys, leaves): (&[Key], &[Leaf]),
) -> Outcomes {
    let union = children
        .iter()
        .fold(Outcomes(0), |all, child| all.with(child.0));
    let first = children.first().copied().unwrap_or(Outcomes::ANY);
    match kind {
        Kind::Condition { .. }
        | Kind::Monitor
        | Kind::Parallel { .. }
        | Kind::ParallelAll { .. }
        | Kind::RandomSelector { .. }
        | Kind::RandomSequence { .. }
        | Kind::WeightedSelector { .. }
        | Kind::UtilitySelector { .. } => Outcomes::ANY,
        Kind::Action { leaf, .. } => match leaves[leaf.index()].kind {
            LeafKind::Action {
                life: Life::Instant,
            } => Outcomes::ANY.without(Outcomes::RUNNING),
            LeafKind::Action {
                life: Life::Reported,
            } => Outcomes::ANY.without(Outcomes::SKIPPED),
            _ => Outcomes::ANY,
        },
        Kind::Check { expr } => match expr {
            Expr::Value(Value::Bool(true)) => Outcomes(Outcomes::SUCCESS),
            Expr::Value(Value::Bool(false)) => Outcomes(Outcomes::FAILURE),
            _ => Outcomes(Outcomes::SUCCESS | Outcomes::FAILURE),
        },
        Kind::Changed { .. } => Outcomes(Outcomes::SUCCESS | Outcomes::FAILURE),
        Kind::Log { .. } => Outcomes(Outcomes::SUCCESS),
        Kind::Emit { args, .. } => {
            let is_plain = |arg: &Arg| !matches!(arg, Arg::Expr(expr) if may_fault(expr, keys));
            Outcomes(if args.iter().all(is_plain) {
                Outcomes::SUCCESS
            } else {
                Outcomes::SUCCESS | Outcomes::FAILURE
            })
        }
        Kind::OnChange {
            else_running: true, ..
        } => first.with(Outcomes::RUNNING),
        Kind::OnChange { .. } => first.with(Outcomes::SKIPPED),
        Kind::Scope { .. } => first,
        Kind::Set { assigns } => {
            // Arithmetic may be at fault, and so may be what is unset; then the node fails.
            let plain = assigns.iter().all(|assign| !may_fault(&assign.value, keys));
            Outcomes(if plain {
                Outcomes::SUCCESS
            } else {
                Outcomes::SUCCESS | Outcomes::FAILURE
            })
        }
        Kind::Unset { .. } => Outcomes(Outcomes::SUCCESS),
        Kind::ForEach { if_empty, .. } => {
            // It answers running also when a tick allows no more runs.
            let ends = Outcomes(Outcomes::RUNNING | (first.0 & Outcomes::FAILURE));
            let ends = if first.has(Outcomes::SUCCESS | Outcomes::SKIPPED) {
                ends.with(Outcomes::SUCCESS)
            } else {
                ends
            };
            ends.with(match if_empty {
                Status::Success => Outcomes::SUCCESS,
                Status::Failure => Outcomes::FAILURE,
                _ => Outcomes::SKIPPED,
            })
        }
        Kind::Wait { secs, jitter } => match (secs, jitter) {
            (Expr::Value(Value::Double(0.0)), None) => Outcomes(Outcomes::SUCCESS),
            (Expr::Value(_), None | Some(Expr::Value(_))) => {
                Outcomes(Outcomes::SUCCESS | Outcomes::RUNNING)
            }
            _ => Outcomes::ANY.without(Outcomes::SKIPPED),
        },
        Kind::Succeed => Outcomes(Outcomes::SUCCESS),
        Kind::Fail => Outcomes(Outcomes::FAILURE),
        Kind::Run => Outcomes(Outcomes::RUNNING),
        Kind::Sequence { yields } | Kind::StickySequence { yields, .. } => yielding(
            *yields,
            through(children, "sequence", Outcomes::SUCCESS, Outcomes::FAILURE),
        ),
        Kind::ReactiveSequence => {
            through(children, "sequence", Outcomes::SUCCESS, Outcomes::FAILURE)
        }
        Kind::Selector { yields } => yielding(
            *yields,
            through(children, "selector", Outcomes::FAILURE, Outcomes::SUCCESS),
        ),
        Kind::ReactiveSelector => {
            through(children, "selector", Outcomes::FAILURE, Outcomes::SUCCESS)
        }
        Kind::If | Kind::ReactiveIf => chosen(first, children),
        Kind::TryCatch { .. } => {
            let (caught, tried) = match children.split_last() {
                Some((last, tried)) => (*last, tried),
                None => (Outcomes::ANY, children),
            };
            let tried = through(tried, "sequence", Outcomes::SUCCESS, Outcomes::FAILURE);
            if tried.has(Outcomes::FAILURE) {
                tried.with(caught.0 & Outcomes::RUNNING)
            } else {
                tried
            }
        }
        // A case may be at fault, and there may be no default.
        Kind::Switch { .. } | Kind::SubtreeBy { .. } => union.with(Outcomes::FAILURE),
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
        Kind::ForceSuccess { even_running } => {
            let ended = forced(first, Outcomes::SUCCESS, Outcomes::FAILURE);
            at_once(*even_running, ended, Outcomes::SUCCESS)
        }
        Kind::ForceFailure { even_running } => {
            let ended = forced(first, Outcomes::FAILURE, Outcomes::SUCCESS);
            at_once(*even_running, ended, Outcomes::FAILURE)
        }
        Kind::UntilFailure { .. } => until(first, Outcomes::FAILURE),
        Kind::UntilSuccess { .. } => until(first, Outcomes::SUCCESS),
        Kind::KeepRunningUntilFailure => {
            Outcomes(Outcomes::RUNNING | (first.0 & Outcomes::FAILURE))
        }
        Kind::RunOnce { then_skip: true } => first.with(Outcomes::SKIPPED),
        Kind::RunOnce { then_skip: false } => first,
        Kind::Cooldown {
            else_skipped: true, ..
        } => first.with(Outcomes::SKIPPED),
        Kind::Limit { .. } | Kind::Timeout { .. } | Kind::Chance { .. } | Kind::Cooldown { .. } => {
            first.with(Outcomes::FAILURE)
        }
        Kind::Delay { secs } => match secs {
            Expr::Value(_) => first.with(Outcomes::RUNNING),
            _ => first.with(Outcomes::RUNNING | Outcomes::FAILURE),
        },
        Kind::Interrupt { .. } => Outcomes::ANY.without(Outcomes::SKIPPED),
        Kind::Send { .. } | Kind::Cancel { .. } => Outcomes(Outcomes::SUCCESS | Outcomes::FAILURE),
        Kind::Interruptible { .. } => first.with(Outcomes::SUCCESS | Outcomes::FAILURE),
        Kind::SimpleParallel { waits } => {
            // The background may keep it running, and it may be skipped only as the task is.
            if *waits {
                first.with(Outcomes::RUNNING)
            } else {
                first
            }
        }
        Kind::Service { .. } => first,
        // A shared one is granted between ticks.
        Kind::Semaphore { waits: true, .. } => first.with(Outcomes::RUNNING),
        Kind::Semaphore { waits: false, .. } => first.with(Outcomes::RUNNING | Outcomes::FAILURE),
        Kind::Own { .. } => Outcomes::ANY,
        Kind::Decide(decision) => {
            let asked = decision.asked(children.len());
            let leaves = children.iter().zip(asked).filter(|(_, asked)| !asked);
            let all = leaves.fold(Outcomes(0), |all, (leaf, _)| all.with(leaf.0));
            match decision.may_lead_to_nothing() {
                true => all.with(Outcomes::FAILURE),
                false => all,
            }
        }
        Kind::Machine(machine) => {
            let ends = machine
                .children(0)
                .filter_map(|state| match machine.states[state].kind {
                    StateKind::Final { success: true } => Some(Outcomes::SUCCESS),
                    StateKind::Final { success: false } => Some(Outcomes::FAILURE),
                    _ => None,
                });
            ends.fold(Outcomes(Outcomes::RUNNING), Outcomes::with)
        }
        Kind::Repeat {
            times,
            ignores_result,
            ..
        } => {
            let child = deaf(union, *ignores_result, Outcomes::FAILURE);
            looped(times, child, Outcomes::SUCCESS, Outcomes::FAILURE)
        }
        Kind::Retry {
            times,
            ignores_result,
            ..
        } => {
            let child = deaf(union, *ignores_result, Outcomes::SUCCESS);
            looped(times, child, Outcomes::FAILURE, Outcomes::SUCCESS)
        }
    }
}

/// A child whose running is answered as `to`, if it is.
fn at_once(is_so: bool, child: Outcomes, to: u8) -> Outcomes {
    if is_so {
        forced(child, to, Outcomes::RUNNING)
    } else {
        child
    }
}

/// A child whose `end` ends its loop, unless the loop ignores it.
fn deaf(child: Outcomes, ignores: bool, end: u8) -> Outcomes {
    if ignores { child.without(end) } else { child }
}

/// Whether an expression may be at fault, as far as that is to be seen at once.
fn may_fault(expr: &Expr, keys: &[Key]) -> bool {
    match expr {
        Expr::Value(_) => false,
        Expr::Key(key, _) => keys[key.index()].form != Form::One,
        _ => true,
    }
}
fn forced(child: Outcomes, to: u8, from: u8) -> Outcomes {
    if child.has(from) {
        child.without(from).with(to)
    } else {
        child
    }
}

/// A list that may answer running between two children.
fn yielding(yields: Yields, list: Outcomes) -> Outcomes {
    match yields {
        Yields::Never => list,
        Yields::Fresh | Yields::Always => list.with(Outcomes::RUNNING),
    }
}

/// A test and the branches that follow it.
fn chosen(test: Outcomes, children: &[Outcomes]) -> Outcomes {
    let mut all = Outcomes(test.0 & (Outcomes::RUNNING | Outcomes::SKIPPED));
    for (index, answer) in [(1, Outcomes::SUCCESS), (2, Outcomes::FAILURE)] {
        if test.has(answer) {
            let branch = children.get(index).copied();
            all = all.with(branch.unwrap_or(Outcomes(Outcomes::FAILURE)).0);
        }
    }
    all
}

/// A loop that succeeds when its child answers `end`.
fn until(child: Outcomes, end: u8) -> Outcomes {
    let skips = Outcomes(Outcomes::RUNNING | (child.0 & Outcomes::SKIPPED));
    if child.has(end) {
        skips.with(Outcomes::SUCCESS)
    } else {
        skips
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
