//! Plans that come true without a game: steps write what they give.

use treemind_core::Kind;
use treemind_core::behaviour::{Key, Node};

/// Lets the steps of all planners write what they give when they succeed, before their own statements. The effects that
/// plans count on stay the same. A sensor of a key that a step gives is not asked any more: the key holds what was
/// written last.
pub(super) fn write_what_is_given(root: &mut Node, keys: &mut [Key]) {
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        if let Kind::Planner(planner) = &mut node.kind {
            for (step, child) in planner.steps.iter_mut().zip(&mut node.children) {
                let mut given = std::mem::take(&mut step.gives);
                for assign in &given {
                    keys[assign.key.index()].sensed = None;
                }
                given.append(&mut child.hooks.on_success);
                child.hooks.on_success = given;
            }
        }
        pending.extend(&mut node.children);
    }
}
