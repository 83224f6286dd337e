//! `continue` where it means nothing, and the node in whose runs a `limit` counts.

use super::line::Line;
use crate::code::Code;
use crate::diagnostic::{Reported, Sink};
use crate::said;
use crate::syntax::{Entry, Value as Written};
use treemind_core::expr::Assign;

/// Reports `on-failure=continue` and `on-success=continue` where they mean nothing.
pub(super) fn continues_elsewhere(
    word: &str,
    name: &str,
    entry: &Entry,
    sink: &mut Sink,
) -> Result<Vec<Assign>, Reported> {
    let help = match (word, name) {
        ("repeat", "on-failure") | ("retry", "on-success") => return Ok(Vec::new()),
        ("repeat", "on-success") => said!("remove it: a `repeat` continues after success anyway"),
        ("retry", "on-failure") => said!("remove it: a `retry` continues after failure anyway"),
        (_, "on-failure") => said!("to continue after a failure, wrap the node in `force-success`"),
        _ => said!("write statements in quotes"),
    };
    let owner = if name == "on-failure" {
        "repeat"
    } else {
        "retry"
    };
    let message = match name {
        "on-failure" | "on-success" => {
            said!("`{}=continue` is only allowed on `{}`", name, owner)
        }
        _ => said!("`{}` takes statements, not `continue`", name),
    };
    let problem = sink.error(Code::BadChoice, entry.span.clone(), message);
    Err(problem.with_help(help))
}

/// Reports `limit … per=parent` at the root of a tree. The node that holds the tree is no parent in this sense:
/// otherwise the count would depend on how that place is written.
pub(super) fn counts_in_nothing(line: &mut Line<'_>, sink: &mut Sink) {
    if line.node.name.value != "limit" || !line.has("per") {
        return;
    }
    let Some(entry) = line.property("per") else {
        return;
    };
    if matches!(&entry.value, Written::Text(text) if text.value == "parent") {
        let message = said!(
            "this `limit` has no parent in its tree, so `per=parent` has nothing to count in"
        );
        sink.error(Code::MisplacedNode, entry.span.clone(), message)
            .with_help(said!(
                "remove `per=` to count in the agent's life, or put the `limit` around a `subtree`"
            ));
    }
}
