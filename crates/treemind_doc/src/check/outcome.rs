//! Children that never run, and loops that never let time pass.

use super::declare::with_article;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::syntax::Node;
use crate::{Said, said};
use treemind_core::behaviour::{Kind, Statuses, Summary, Times, Yields};
use treemind_core::{Expr, MAX_TURNS_PER_TICK, Value};

/// Warns of children that never run, or run too late. The node may have fewer children than it needs.
pub(super) fn judge_children(parent: &Node, nodes: &[&Node], known: &[Summary], sink: &mut Sink) {
    let name = parent.name.value.as_str();
    // What an element of another language has become stands where the element stands: nobody wrote it.
    let is_made = |child: &Node| sink.is_foreign() && parent.span.contains(&child.span.start);
    let nodes: Vec<Option<&Node>> = nodes
        .iter()
        .map(|child| (!is_made(child)).then_some(*child))
        .collect();
    let stopped = known.iter().position(|child| stops(name, child.answers));
    // One warning is enough: the children after this one never run either.
    if let Some(child) = stopped.and_then(|stopped| *nodes.get(stopped + 1)?) {
        let parent = with_article(&said!("`{}`", sink.word(&parent.name)));
        let (message, help) = match name.ends_with("selector") {
            true => (
                said!("this child can never run: the child before it never fails"),
                said!(
                    "remove it, or change the child before it: {} moves on to its next child when one fails",
                    parent
                ),
            ),
            false => (
                said!("this child can never run: the child before it never succeeds"),
                said!(
                    "remove it, or change the child before it: {} moves on to its next child when one succeeds",
                    parent
                ),
            ),
        };
        sink.warning(Code::NeverRuns, child.span.clone(), message)
            .with_help(help);
    }
    let first_task = known.iter().position(|child| !child.watched);
    let behind = first_task
        .filter(|_| name == "filter")
        .map_or(known.len(), |first| first);
    for (child, _) in nodes
        .iter()
        .zip(known)
        .skip(behind)
        .filter(|(_, known)| known.asks && known.watched)
    {
        let Some(child) = child else { continue };
        let message =
            said!("this condition comes after a task, so it is only asked when the task has ended");
        sink.warning(Code::LateCondition, child.span.clone(), message)
            .with_help(
                said!("put the conditions of a `filter` first; if the order is intended, use `reactive-sequence`"),
            );
    }
    if let Some((index, message, help)) = never_chosen(name, known)
        && let Some(Some(child)) = nodes.get(index)
    {
        sink.warning(Code::NeverRuns, child.span.clone(), message)
            .with_help(help);
    }
}

/// Warns of a loop that runs too often in one tick.
pub(super) fn judge_loop(node: &Node, kind: &Kind, child: Statuses, sink: &mut Sink) {
    if let Some(runs) = spins(kind, child) {
        let message = said!(
            "this loop never lets time pass: in each tick it runs its child {} times, which is a fault",
            runs
        );
        let help = match sink.is_foreign() {
            // Nothing in such a file says how many runs there are in a tick.
            true => said!("let it run fewer times, or put a node that takes time into it"),
            false => said!("remove `yields=` for one run per tick"),
        };
        sink.warning(Code::SpinningLoop, node.name.span.clone(), message)
            .with_help(help);
    }
}

/// Whether a composite with that name never gets past a child with these answers.
fn stops(composite: &str, child: Statuses) -> bool {
    match composite {
        "sequence" | "reactive-sequence" | "sticky-sequence" | "filter" => {
            !child.has(Statuses::SUCCESS | Statuses::SKIPPED)
        }
        "selector" | "reactive-selector" => !child.has(Statuses::FAILURE | Statuses::SKIPPED),
        _ => false,
    }
}

/// A child that is never chosen, with a message and a help text.
fn never_chosen(name: &str, children: &[Summary]) -> Option<(usize, Said, Said)> {
    let test = children.first()?.answers;
    match name {
        "if" | "reactive-if" if !test.has(Statuses::SUCCESS) && children.len() > 1 => Some((
            1,
            said!("this child can never run: the test never succeeds"),
            said!("remove it, or change the test: the second child runs when the test succeeds"),
        )),
        "if" | "reactive-if" if !test.has(Statuses::FAILURE) && children.len() > 2 => Some((
            2,
            said!("this child can never run: the test never fails"),
            said!("remove it, or change the test: the third child runs when the test fails"),
        )),
        "try-catch" => {
            let (_, tried) = children.split_last()?;
            let mut may_fail = false;
            for child in tried {
                may_fail |= child.answers.has(Statuses::FAILURE);
                if stops("sequence", child.answers) {
                    break;
                }
            }
            (!may_fail && !tried.is_empty()).then_some((
                tried.len(),
                said!("this child can never run: none of the children before it ever fails"),
                said!(
                    "remove it, or change the others: the last child runs when one of them fails"
                ),
            ))
        }
        "simple-parallel" if !test.has(Statuses::RUNNING) => Some((
            1,
            said!("this child can never run: the task never takes time"),
            said!("remove it, or change the task: the second child runs while the task is running"),
        )),
        _ => None,
    }
}

/// How many runs a loop that never lets time pass starts in one tick before that is a fault. The child of such a loop
/// never runs into the next tick and cannot end the loop.
fn spins(kind: &Kind, child: Statuses) -> Option<u32> {
    let (times, pace, child) = match kind {
        Kind::UntilFailure { pace } => (&Times::Forever, pace, child.without(Statuses::SUCCESS)),
        Kind::UntilSuccess { pace } => (&Times::Forever, pace, child.without(Statuses::FAILURE)),
        Kind::Repeat {
            times,
            pace,
            ignores_result,
            ..
        } => {
            let child = deaf(child, *ignores_result, Statuses::FAILURE);
            (times, pace, child.without(Statuses::SUCCESS))
        }
        Kind::Retry {
            times,
            pace,
            ignores_result,
            ..
        } => {
            let child = deaf(child, *ignores_result, Statuses::SUCCESS);
            (times, pace, child.without(Statuses::FAILURE))
        }
        _ => return None,
    };
    // The first run, plus as many more as all loops of an agent may have together.
    let max_runs = pace.max_runs.min(MAX_TURNS_PER_TICK + 1);
    let is_too_long = match times {
        Times::Forever => true,
        Times::Count(Expr::Value(Value::Int(count))) => *count > i64::from(max_runs),
        Times::Count(_) | Times::Reread(_) => false,
    };
    let ends = child.has(Statuses::SUCCESS | Statuses::FAILURE | Statuses::RUNNING);
    (is_too_long && !ends && pace.yields == Yields::Never).then_some(max_runs)
}

/// The answers of the child that the loop acts on: without `end` when the loop ignores results.
fn deaf(child: Statuses, ignores: bool, end: Statuses) -> Statuses {
    if ignores { child.without(end) } else { child }
}
