//! `service`: the host is called while a child runs.

use super::{Leaves, Reference};
use treemind_core::behaviour::Arg;
use treemind_core::{Event, Expr, NodeId, Status};

/// Later than any clock.
const NEVER_NS: u128 = u128::MAX;

impl Reference<'_> {
    pub(super) fn visit_service(
        &mut self,
        node: NodeId,
        args: &[Arg],
        interval: &Expr,
        jitter: Option<&Expr>,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let child = self.behaviour.node(node).children[0];
        let next_call = self.memory(node).deadline_ns;
        let is_due = match next_call {
            Some(due) if self.is_live(child) => self.now() >= due,
            _ => true,
        };
        if is_due {
            if let Some(args) = self.args(node, args) {
                self.report(node, Event::Serve);
                leaves.serve(node, &args, &mut self.keys);
            }
            let until_next = self.jittered_at(node, interval, jitter);
            let due = until_next.map_or(NEVER_NS, |duration| self.now() + duration);
            self.memory(node).deadline_ns = Some(due);
        }
        self.visit(child, leaves)
    }
}
