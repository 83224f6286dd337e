//! Names that have a whole number before anything else happens in their tree.

use super::super::{script, words};
use roxmltree::Node;
use std::collections::BTreeSet;

/// Nodes that tick their first child whenever they are ticked.
const FIRST: &[&str] = &[
    "Sequence",
    "Fallback",
    "AsyncSequence",
    "AsyncFallback",
    "SequenceWithMemory",
    "ReactiveSequence",
    "ReactiveFallback",
    "Parallel",
    "ParallelAll",
    "Inverter",
    "ForceSuccess",
    "ForceFailure",
    "KeepRunningUntilFailure",
];

/// The names to which the first scripts of a tree give whole numbers.
pub(super) fn of(tree: Node<'_, '_>) -> Vec<String> {
    let (mut begun, mut known) = (Vec::new(), BTreeSet::new());
    let mut at = tree.first_element_child();
    while let Some(element) = at {
        let is_sure = |element: Node<'_, '_>| {
            let mut conditions = words::SCRIPTS.iter().filter(|one| one.is_condition);
            !conditions.any(|one| element.has_attribute(one.name))
        };
        let word = element.tag_name().name();
        match word {
            "Script" if is_sure(element) => {
                let code = element.attribute("code").unwrap_or_default();
                begun.extend(script::begun(code, &mut known));
                // What runs after it.
                for one in words::SCRIPTS.iter().filter(|one| !one.is_condition) {
                    let code = element.attribute(one.name).unwrap_or_default();
                    script::begun(code, &mut known);
                }
                let goes_on = element.parent().is_some_and(|parent| {
                    matches!(parent.tag_name().name(), "Sequence" | "ReactiveSequence")
                });
                at = element.next_sibling_element().filter(|_| goes_on);
            }
            _ if FIRST.contains(&word) && is_sure(element) => at = element.first_element_child(),
            _ => at = None,
        }
    }
    begun
}
