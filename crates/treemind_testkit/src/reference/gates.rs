//! Nodes that check something before they tick their one child.

use super::{Leaves, Reference, wrong_family};
use treemind_core::{Expr, KeyId, Kind, NodeId, Status, Value};

impl Reference<'_> {
    pub(super) fn gate_answer(
        &mut self,
        node: NodeId,
        kind: &Kind,
        leaves: &mut dyn Leaves,
    ) -> Status {
        match kind {
            Kind::RunOnce { then_skip } => self.visit_run_once(node, *then_skip, leaves),
            Kind::Limit { runs, .. } => self.visit_limit(node, runs, leaves),
            Kind::Cooldown { secs, else_skipped } => {
                self.visit_cooldown(node, secs, *else_skipped, leaves)
            }
            Kind::Timeout { secs, across_skips } => {
                self.visit_timeout(node, secs, *across_skips, leaves)
            }
            Kind::Delay { secs, across_skips } => {
                self.visit_delay(node, secs, *across_skips, leaves)
            }
            Kind::Chance { probability } => self.visit_chance(node, probability, leaves),
            Kind::OnChange {
                key,
                else_running,
                leaves_open,
            } => self.visit_on_change(node, *key, (*else_running, *leaves_open), leaves),
            Kind::Service {
                args,
                interval,
                jitter,
                ..
            } => self.visit_service(node, args, interval, jitter.as_ref(), leaves),
            Kind::Scope { keys } => {
                let child = self.behaviour.node(node).children[0];
                if !self.is_live(child) {
                    self.begin_scope(keys);
                }
                self.visit(child, leaves)
            }
            _ => wrong_family(kind),
        }
    }

    /// What it does when it was aborted, with its child, while it was live.
    pub(super) fn gate_was_aborted(&mut self, node: NodeId, kind: &Kind) {
        if let Kind::Cooldown { secs, .. } = kind {
            self.begin_cooling(node, secs);
        }
    }

    fn visit_run_once(&mut self, node: NodeId, then_skip: bool, leaves: &mut dyn Leaves) -> Status {
        let child = self.behaviour.node(node).children[0];
        match self.lasting(node).ended {
            Some(ended) => {
                let answer = if then_skip { Status::Skipped } else { ended };
                self.answer_alone(node, answer, leaves)
            }
            None => {
                let answer = self.visit(child, leaves);
                self.lasting(node).ended = Some(answer).filter(|answer| answer.is_end());
                answer
            }
        }
    }

    fn visit_limit(&mut self, node: NodeId, runs: &Expr, leaves: &mut dyn Leaves) -> Status {
        let child = self.behaviour.node(node).children[0];
        if !self.is_live(child) {
            let is_exhausted = match self.eval_at(node, runs) {
                Some(Value::Int(most)) => self.lasting(node).runs >= most,
                _ => true,
            };
            if is_exhausted {
                return self.answer_alone(node, Status::Failure, leaves);
            }
            self.lasting(node).runs += 1;
        }
        self.visit(child, leaves)
    }

    /// Children that count runs within a run of the node start at 0 with each of its runs.
    pub(super) fn begin_counting_of_children(&mut self, node: NodeId) {
        if self.is_live(node) {
            return;
        }
        let behaviour = self.behaviour;
        for child in &behaviour.node(node).children {
            let kind = &behaviour.node(*child).kind;
            if matches!(
                kind,
                Kind::Limit {
                    per_parent: true,
                    ..
                }
            ) {
                self.lasting(*child).runs = 0;
            }
        }
    }

    fn visit_cooldown(
        &mut self,
        node: NodeId,
        secs: &Expr,
        else_skipped: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let child = self.behaviour.node(node).children[0];
        let is_cooling = self.now() < self.lasting(node).cooled_ns;
        if !self.is_live(child) && is_cooling {
            let answer = if else_skipped {
                Status::Skipped
            } else {
                Status::Failure
            };
            return self.answer_alone(node, answer, leaves);
        }
        let answer = self.visit(child, leaves);
        if answer.is_end() {
            self.begin_cooling(node, secs);
        }
        answer
    }

    /// Starts the cooling, unless the seconds cause a fault.
    fn begin_cooling(&mut self, node: NodeId, secs: &Expr) {
        let cooled = match self.duration_at(node, secs) {
            Some(duration) => self.now() + duration,
            None => 0,
        };
        self.lasting(node).cooled_ns = cooled;
    }

    fn visit_on_change(
        &mut self,
        node: NodeId,
        key: KeyId,
        (else_running, leaves_open): (bool, bool),
        leaves: &mut dyn Leaves,
    ) -> Status {
        let child = self.behaviour.node(node).children[0];
        if self.lasting(node).left_open || !self.is_live(child) {
            let waits = !self.look(node, key);
            self.memory(node).open = waits && else_running;
            if waits {
                let answer = if else_running {
                    Status::Running
                } else {
                    Status::Skipped
                };
                return self.answer_alone(node, answer, leaves);
            }
            self.lasting(node).left_open = false;
        }
        let answer = self.visit(child, leaves);
        if leaves_open && answer == Status::Skipped {
            self.lasting(node).left_open = self.is_open(child, true);
        }
        answer
    }

    fn visit_timeout(
        &mut self,
        node: NodeId,
        secs: &Expr,
        across_skips: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let child = self.behaviour.node(node).children[0];
        let goes_on = across_skips && self.memory(node).deadline_ns.is_some();
        if !goes_on && !self.is_live(child) {
            let Some(duration) = self.duration_at(node, secs) else {
                return self.answer_alone(node, Status::Failure, leaves);
            };
            self.memory(node).deadline_ns = Some(self.now() + duration);
        }
        let deadline = self.memory(node).deadline_ns;
        if deadline.is_some_and(|deadline| self.now() >= deadline) {
            if !across_skips || self.is_live(child) {
                self.memory(node).deadline_ns = None;
                return self.answer_alone(node, Status::Failure, leaves);
            }
            self.memory(node).deadline_ns = Some(u128::MAX);
        }
        self.visit_timed(node, across_skips, leaves)
    }

    fn visit_delay(
        &mut self,
        node: NodeId,
        secs: &Expr,
        across_skips: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let child = self.behaviour.node(node).children[0];
        let is_waiting = self.memory(node).deadline_ns.is_some();
        if !is_waiting && !self.is_live(child) {
            let Some(duration) = self.duration_at(node, secs) else {
                return self.answer_alone(node, Status::Failure, leaves);
            };
            self.memory(node).deadline_ns = Some(self.now() + duration);
        }
        let deadline = self.memory(node).deadline_ns;
        if deadline.is_some_and(|deadline| self.now() < deadline) {
            return self.answer_alone(node, Status::Running, leaves);
        }
        if !across_skips {
            self.memory(node).deadline_ns = None;
        }
        self.visit_timed(node, across_skips, leaves)
    }

    /// Visits the child. Its end also ends a run that goes on while it is skipped.
    fn visit_timed(&mut self, node: NodeId, across_skips: bool, leaves: &mut dyn Leaves) -> Status {
        let child = self.behaviour.node(node).children[0];
        let answer = self.visit(child, leaves);
        if across_skips && answer.is_end() {
            self.memory(node).deadline_ns = None;
        }
        answer
    }
}
