//! Nodes that take one child after the other, in order.

use super::{Leaves, Reference, wrong_family};
use treemind_core::behaviour::Yields;
use treemind_core::{Kind, NodeId, Status};

impl Reference<'_> {
    pub(super) fn list_answer(
        &mut self,
        node: NodeId,
        kind: &Kind,
        leaves: &mut dyn Leaves,
    ) -> Status {
        use Status::{Failure, Success};
        match kind {
            Kind::Sequence { yields } => self.visit_list(node, Success, *yields, leaves),
            Kind::Selector { yields } => self.visit_list(node, Failure, *yields, leaves),
            Kind::StickySequence {
                yields,
                leaves_open,
                ..
            } => self.visit_sticky(node, *yields, *leaves_open, leaves),
            Kind::ReactiveSequence => self.visit_reactive_list(node, Success, leaves),
            Kind::ReactiveSelector => self.visit_reactive_list(node, Failure, leaves),
            Kind::TryCatch { .. } => self.visit_try_catch(node, leaves),
            _ => wrong_family(kind),
        }
    }

    /// What it does when it was aborted, with its children, while it was live.
    pub(super) fn list_was_aborted(&mut self, node: NodeId, kind: &Kind) {
        if let Kind::StickySequence {
            reset_on_abort: true,
            ..
        } = kind
        {
            self.lasting(node).place = 0;
        }
    }

    /// `sequence` continues after success, `selector` after failure; both after a child that answered skipped.
    fn visit_list(
        &mut self,
        node: NodeId,
        go_on: Status,
        yields: Yields,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let answer = self.visit_in_order(node, children, go_on, yields, leaves);
        if answer != Status::Running {
            self.abort_children(node, leaves);
        }
        answer
    }

    /// The first child before a place whose `when` has come to hold since the last look, if it may abort the
    /// children after it.
    fn overtaker(&mut self, children: &[NodeId], place: usize) -> Option<usize> {
        let behaviour = self.behaviour;
        (0..place).find(|index| {
            let child = children[*index];
            let held = self.lasting(child).looked;
            behaviour.node(child).guards.aborts_lower && self.look_at_when(child) && !held
        })
    }

    /// The common part of lists that remember, and of `try-catch`, over some children; the caller aborts what is
    /// left open.
    pub(super) fn visit_in_order(
        &mut self,
        node: NodeId,
        children: &[NodeId],
        go_on: Status,
        yields: Yields,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let live = children.iter().rposition(|child| self.is_live(*child));
        let resumed = self.memory(node).next.take().or(live);
        if resumed.is_none() {
            self.memory(node).answers = vec![None; children.len()];
        }
        let mut from = resumed.unwrap_or(0);
        let overtaker = self.overtaker(children, from);
        if let Some(overtaker) = overtaker {
            self.abort_children(node, leaves);
            from = overtaker;
        }
        self.pass_by(&children[..from], leaves);
        for index in from..children.len() {
            let answer = if overtaker == Some(index) {
                self.memory(node).began = self.tick;
                self.visit_guarded(children[index], true, leaves)
            } else {
                self.visit_noting(node, children[index], leaves)
            };
            self.memory(node).answers[index] = Some(answer);
            if answer == Status::Running {
                return answer;
            }
            if answer.is_end() && answer != go_on {
                return answer;
            }
            let is_last = index + 1 == children.len();
            if answer == go_on && !is_last && self.yields_now(node, yields) {
                self.memory(node).next = Some(index + 1);
                return Status::Running;
            }
        }
        let answers = &self.memory(node).answers;
        if answers
            .iter()
            .all(|answer| *answer == Some(Status::Skipped))
        {
            Status::Skipped
        } else {
            go_on
        }
    }

    /// A `sequence` whose next run begins at the child that failed.
    fn visit_sticky(
        &mut self,
        node: NodeId,
        yields: Yields,
        leaves_open: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let place = self.lasting(node).place;
        // Nodes left open are live while the agent is removed, but belong to no run of this list.
        if !self.is_live(node) || self.memory(node).answers.is_empty() {
            self.memory(node).answers = vec![None; children.len()];
        }
        self.lasting(node).left_open = false;
        self.memory(node).next = None;
        self.pass_by(&children[..place], leaves);
        for index in place..children.len() {
            self.lasting(node).place = index;
            let answer = self.visit_noting(node, children[index], leaves);
            self.memory(node).answers[index] = Some(answer);
            let is_last = index + 1 == children.len();
            match answer {
                Status::Running => return answer,
                Status::Failure => {
                    let (before, others) = children.split_at(index);
                    let keeps = leaves_open && self.leaving.is_none();
                    let is_kept =
                        |reference: &Self, child: &NodeId| keeps && reference.is_live(*child);
                    let (kept, dropped): (Vec<NodeId>, Vec<NodeId>) =
                        before.iter().partition(|child| is_kept(self, child));
                    for child in dropped.iter().chain(others) {
                        self.abort_node(*child, leaves);
                    }
                    self.lasting(node).left_open = !kept.is_empty();
                    return answer;
                }
                Status::Success if !is_last && self.yields_now(node, yields) => {
                    self.lasting(node).place = index + 1;
                    self.memory(node).next = Some(index + 1);
                    return Status::Running;
                }
                Status::Success | Status::Skipped => {}
            }
        }
        self.abort_children(node, leaves);
        self.lasting(node).place = 0;
        let answers = &self.memory(node).answers;
        if answers
            .iter()
            .all(|answer| *answer == Some(Status::Skipped))
        {
            Status::Skipped
        } else {
            Status::Success
        }
    }

    /// Ticks a child and records when its run began.
    pub(super) fn visit_noting(
        &mut self,
        node: NodeId,
        child: NodeId,
        leaves: &mut dyn Leaves,
    ) -> Status {
        if !self.is_live(child) {
            self.memory(node).began = self.tick;
        }
        self.visit(child, leaves)
    }

    /// Whether a node answers running after a child whose answer lets it continue.
    pub(super) fn yields_now(&mut self, node: NodeId, yields: Yields) -> bool {
        match yields {
            Yields::Never => false,
            Yields::Fresh => self.memory(node).began == self.tick,
            Yields::Always => true,
        }
    }

    /// The same, starting from the first child in every tick.
    fn visit_reactive_list(
        &mut self,
        node: NodeId,
        go_on: Status,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let mut skipped = 0;
        for (index, child) in children.iter().enumerate() {
            let answer = self.visit(*child, leaves);
            if answer == Status::Running {
                // The children before it have answered in this tick; what is open in them was left open, and may
                // continue.
                for later in &children[index + 1..] {
                    self.abort_node(*later, leaves);
                }
                return answer;
            }
            if answer == Status::Skipped {
                self.abort_node(*child, leaves);
                skipped += 1;
            } else if answer != go_on {
                // First the children after it, then what is loose in those that were ticked.
                for later in &children[index + 1..] {
                    self.abort_node(*later, leaves);
                }
                self.abort_children(node, leaves);
                return answer;
            }
        }
        self.abort_children(node, leaves);
        if skipped == children.len() {
            Status::Skipped
        } else {
            go_on
        }
    }
}
