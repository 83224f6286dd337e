//! `interrupt` and `interruptible`.

use super::{Leaves, Reference};
use treemind_core::{Kind, LabelId, NodeId, Status};

impl Reference<'_> {
    pub(super) fn visit_interruptible(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Status {
        // Interrupted from elsewhere; the child was aborted then.
        if let Some(result) = self.memory(node).pending.take() {
            return result;
        }
        let child = self.behaviour.node(node).children[0];
        let answer = self.visit(child, leaves);
        // Interrupted from inside.
        if let Some(result) = self.memory(node).pending.take() {
            self.abort_node(child, leaves);
            return result;
        }
        answer
    }

    pub(super) fn interrupt(
        &mut self,
        node: NodeId,
        label: LabelId,
        result: Status,
        leaves: &mut dyn Leaves,
    ) -> Status {
        if self.aborting > 0 {
            return Status::Failure;
        }
        let behaviour = self.behaviour;
        let (mut any_around, mut any_elsewhere) = (false, false);
        for other in behaviour.node_ids() {
            let is_meant = behaviour.node(other).kind == Kind::Interruptible { label };
            if !is_meant || self.memory(other).pending.is_some() {
                continue;
            }
            let child = behaviour.node(other).children[0];
            if self.is_around(other, node) {
                self.memory(other).pending = Some(result);
                any_around = true;
            } else if self.is_live(child) {
                self.memory(other).pending = Some(result);
                self.abort_node(child, leaves);
                any_elsewhere = true;
            }
        }
        self.memory(node).open = any_around;
        match (any_around, any_elsewhere) {
            (true, _) => Status::Running,
            (false, true) => Status::Success,
            (false, false) => Status::Failure,
        }
    }

    /// Whether a node is above another.
    fn is_around(&self, node: NodeId, inner: NodeId) -> bool {
        match self.behaviour.node(inner).parent {
            Some(parent) => parent == node || self.is_around(node, parent),
            None => false,
        }
    }
}
