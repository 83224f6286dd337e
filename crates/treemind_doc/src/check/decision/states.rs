//! Which states a decision tree leads to, before it is read.

use super::super::interrupts::first_name;
use super::super::tree::present;
use crate::syntax::{Node, Text};

/// The words of lists, and of what holds lists, in a decision tree.
const LISTS: [&str; 11] = [
    "test",
    "test-condition",
    "range",
    "yes",
    "no",
    "switch",
    "case",
    "default",
    "random",
    "option",
    "branch",
];

/// Whether a definition leads to a state.
pub(in crate::check) fn leads_to_states(definition: &Node) -> bool {
    !state_nodes(definition).0.is_empty()
}

/// The states that a definition leads to by itself, and the names of the decision trees that stand in it.
pub(super) fn state_nodes(definition: &Node) -> (Vec<&Node>, Vec<&Text>) {
    let (mut states, mut others) = (Vec::new(), Vec::new());
    let mut pending = present(definition.children());
    while let Some(node) = pending.pop() {
        match node.name.value.as_str() {
            "state" => states.push(node),
            "decide" => others.extend(first_name(node)),
            word if LISTS.contains(&word) => pending.extend(present(node.children())),
            _ => {}
        }
    }
    (states, others)
}
