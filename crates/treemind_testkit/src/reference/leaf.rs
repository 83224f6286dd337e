//! Nodes without children.

use super::{Leaves, Reference, inverted};
use treemind_core::behaviour::{Arg, LeafKind, LogPart};
use treemind_core::expr::Assign;
use treemind_core::{Event, Expr, FaultKind, KeyId, Kind, LeafId, NodeId, Outcome, Status, Value};

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
            Kind::Set { assigns } => Status::from(self.assign(node, assigns)),
            Kind::Wait { secs } => self.wait(node, secs),
            Kind::Changed { key } => Status::from(self.look(node, *key)),
            Kind::Log { text } => {
                for key in text.iter().filter_map(key_of) {
                    self.ask_for(node, key);
                }
                leaves.log(node, self.text(text));
                Status::Success
            }
            Kind::Emit { args, .. } => match self.args(node, args) {
                Some(args) => {
                    leaves.event(node, &args);
                    Status::Success
                }
                None => Status::Failure,
            },
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

    /// Carries out statements one after the other, up to a fault; whether there was none.
    pub(super) fn assign(&mut self, node: NodeId, assigns: &[Assign]) -> bool {
        for Assign { key, value } in assigns {
            let Some(value) = self.eval_at(node, value) else {
                return false;
            };
            self.keys.set(*key, value);
        }
        self.report(node, Event::Write);
        true
    }

    /// What a `log` says, with the values that keys have now.
    fn text(&self, text: &[LogPart]) -> String {
        let part = |part: &LogPart| match part {
            LogPart::Text(text) => text.clone(),
            LogPart::Key(key) => self.behaviour.display_value(self.keys()[key.index()]),
        };
        text.iter().map(part).collect()
    }

    fn wait(&mut self, node: NodeId, secs: &Expr) -> Status {
        let deadline = match self.memory(node).deadline_ns {
            Some(deadline) => deadline,
            None => match self.duration_at(node, secs) {
                Some(duration) => self.now() + duration,
                None => return Status::Failure,
            },
        };
        let is_over = self.now() >= deadline;
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

/// The key in a part of a text.
fn key_of(part: &LogPart) -> Option<KeyId> {
    match part {
        LogPart::Key(key) => Some(*key),
        LogPart::Text(_) => None,
    }
}
