//! Nodes without children.

use super::{Leaves, Reference, inverted};
use treemind_core::behaviour::{Arg, LeafKind};
use treemind_core::expr::Assign;
use treemind_core::{Event, Expr, FaultKind, Kind, LeafId, NodeId, Outcome, Status, Value};

impl Reference<'_> {
    pub(super) fn visit_leaf(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Status {
        let behaviour = self.behaviour;
        let status = match &behaviour.node(node).kind {
            Kind::Action { leaf, args } => return self.visit_action(node, *leaf, args, leaves),
            Kind::Condition { args, negated, .. } => self.ask(node, args, *negated, leaves),
            Kind::Check { expr } => match self.eval_at(node, expr) {
                Some(value) => Status::from(value == Value::Bool(true)),
                None => Status::Failure,
            },
            Kind::Set { assigns } => self.assign(node, assigns),
            Kind::Wait { secs } => self.wait(node, secs),
            Kind::Succeed => Status::Success,
            Kind::Fail => Status::Failure,
            Kind::Run => {
                self.memory(node).open = true;
                Status::Running
            }
            other => unreachable!("a {} has children", other.keyword()),
        };
        self.report(node, Event::Tick(status));
        status
    }

    /// The values of a leaf's parameters, unless one of them is at fault.
    fn args(&mut self, node: NodeId, args: &[Arg]) -> Option<Vec<Value>> {
        args.iter()
            .map(|arg| match arg {
                Arg::Value(value) => Some(*value),
                Arg::Expr(expr) => self.eval_at(node, expr),
            })
            .collect()
    }

    fn ask(
        &mut self,
        node: NodeId,
        args: &[Arg],
        negated: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        self.memory(node).open = false;
        let Some(args) = self.args(node, args) else {
            return Status::Failure;
        };
        let answer = leaves.ask(node, &args, &mut self.keys);
        self.memory(node).open = answer == Status::Running;
        if negated { inverted(answer) } else { answer }
    }

    fn assign(&mut self, node: NodeId, assigns: &[Assign]) -> Status {
        for Assign { key, value } in assigns {
            let Some(value) = self.eval_at(node, value) else {
                return Status::Failure;
            };
            self.keys[key.index()] = value;
        }
        self.report(node, Event::Write);
        Status::Success
    }

    fn wait(&mut self, node: NodeId, secs: &Expr) -> Status {
        let now = u128::from(self.now_ns);
        let deadline = match self.memory(node).deadline_ns {
            Some(deadline) => deadline,
            None => {
                let Some(value) = self.eval_at(node, secs) else {
                    return Status::Failure;
                };
                let Some(duration_ns) = whole_nanoseconds(value) else {
                    self.fault(node, FaultKind::BadDuration);
                    return Status::Failure;
                };
                now + duration_ns
            }
        };
        let is_over = now >= deadline;
        self.memory(node).deadline_ns = (!is_over).then_some(deadline);
        if is_over {
            Status::Success
        } else {
            Status::Running
        }
    }

    /// An action reports its own events, as its stop comes after its answer.
    fn visit_action(
        &mut self,
        node: NodeId,
        leaf: LeafId,
        args: &[Arg],
        leaves: &mut dyn Leaves,
    ) -> Status {
        let is_first = !self.memory(node).open;
        if is_first {
            let Some(args) = self.args(node, args) else {
                self.report(node, Event::Tick(Status::Failure));
                return Status::Failure;
            };
            self.report(node, Event::Start);
            leaves.start(node, &args, &mut self.keys);
            let memory = self.memory(node);
            (memory.open, memory.args) = (true, args);
        }
        let args = self.memory(node).args.clone();
        let mut status = leaves.update(node, &args, &mut self.keys);
        let instant = LeafKind::Action { instant: true };
        if status == Status::Running && self.behaviour.leaf(leaf).kind == instant {
            self.fault(node, FaultKind::InstantRan);
            status = Status::Failure;
        }
        self.report(node, Event::Tick(status));
        let outcome = match status {
            Status::Success => Outcome::Success,
            Status::Failure => Outcome::Failure,
            Status::Skipped if is_first => Outcome::Aborted,
            Status::Skipped | Status::Running => return status,
        };
        self.memory(node).open = false;
        self.report(node, Event::Stop(outcome));
        leaves.stop(node, &args, &mut self.keys, outcome);
        status
    }
}

/// Seconds as whole nanoseconds; `None` when negative, not finite, or more than 64 bits hold.
fn whole_nanoseconds(secs: Value) -> Option<u128> {
    let Value::Double(secs) = secs else {
        unreachable!("seconds are double");
    };
    let nanoseconds = (secs * 1e9).round();
    let fits = secs >= 0.0 && nanoseconds < u64::MAX as f64;
    fits.then_some(nanoseconds as u128)
}
