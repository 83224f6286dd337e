//! Nodes around one child that change its answer or abort it.

use super::{Leaves, Reference, inverted, wrong_family};
use treemind_core::{Kind, NodeId, Status};

impl Reference<'_> {
    pub(super) fn wrapper_answer(
        &mut self,
        node: NodeId,
        kind: &Kind,
        leaves: &mut dyn Leaves,
    ) -> Status {
        match kind {
            Kind::Invert => {
                let child = self.behaviour.node(node).children[0];
                inverted(self.visit(child, leaves))
            }
            Kind::ForceSuccess { even_running } => {
                self.visit_forced(node, Status::Success, *even_running, leaves)
            }
            Kind::ForceFailure { even_running } => {
                self.visit_forced(node, Status::Failure, *even_running, leaves)
            }
            Kind::Interruptible { .. } => self.visit_interruptible(node, leaves),
            Kind::Semaphore {
                semaphore,
                waits,
                bid,
            } => self.visit_semaphore(node, (*semaphore, *waits, bid.as_ref()), leaves),
            _ => wrong_family(kind),
        }
    }

    /// Answers `forced` when the child ends; with `even_running` also while the child is running.
    fn visit_forced(
        &mut self,
        node: NodeId,
        forced: Status,
        even_running: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let child = self.behaviour.node(node).children[0];
        let is_reached_again = self.lasting(node).reached == self.tick;
        if even_running {
            self.lasting(node).reached = self.tick;
            if is_reached_again && self.is_open(child, true) {
                return forced;
            }
        }
        match self.visit(child, leaves) {
            Status::Running if !even_running => Status::Running,
            Status::Skipped => Status::Skipped,
            _ => forced,
        }
    }

    /// A decorator's answer without ticking its child, whose open run is aborted.
    pub(super) fn answer_alone(
        &mut self,
        node: NodeId,
        answer: Status,
        leaves: &mut dyn Leaves,
    ) -> Status {
        self.abort_children(node, leaves);
        answer
    }

    /// Aborts what is loose in nodes that this tick does not reach; what is live in them is kept.
    pub(super) fn pass_by(&mut self, nodes: &[NodeId], leaves: &mut dyn Leaves) {
        for node in nodes {
            if !self.is_live(*node) {
                self.abort_node(*node, leaves);
            }
        }
    }
}
