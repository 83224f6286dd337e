//! Nodes without children.

use super::{Cell, Leaves, Reference, inverted};
use treemind_core::behaviour::{Arg, Form, Key, LeafKind, Life, LogPart};
use treemind_core::expr::{Assign, Change};
use treemind_core::{
    Event, Expr, FaultKind, KeyId, Kind, LeafId, NodeId, Outcome, Status, Text, Value,
};

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
            Kind::Unset { key, forgets } => {
                self.keys.unset(*key);
                if *forgets {
                    self.keys.forget(*key);
                }
                self.report_also(node, Event::Unset(*key), None);
                self.report(node, Event::Write);
                Status::Success
            }
            Kind::Wait { secs, jitter } => self.wait(node, secs, jitter.as_ref()),
            Kind::Interrupt { label, result } => self.interrupt(node, *label, *result, leaves),
            Kind::Send {
                leaf,
                args,
                delay,
                id,
            } => {
                let sent = self.send_later(node, (*leaf, args), delay, id.as_ref());
                if sent {
                    self.report_also(node, Event::Send(*leaf), None);
                }
                Status::from(sent)
            }
            Kind::Cancel { id } => Status::from(self.cancel(node, id)),
            Kind::Changed { key } => Status::from(self.look(node, *key)),
            Kind::Log { text } => {
                for key in text.iter().filter_map(key_of) {
                    self.ask_for(node, key);
                }
                leaves.log(node, self.text(text));
                Status::Success
            }
            Kind::Emit { leaf, args, to } => {
                let was_emitted = self.emit(node, (*leaf, args, *to), leaves);
                Status::from(was_emitted.is_some())
            }
            Kind::Received { awaited, waits } => {
                let was_found = self.received(node, awaited);
                self.memory(node).open = *waits && !was_found;
                match (was_found, waits) {
                    (true, _) => Status::Success,
                    (false, true) => Status::Running,
                    (false, false) => Status::Failure,
                }
            }
            Kind::Rate { key, score } => Status::from(self.rate(node, *key, score)),
            Kind::Find(find) => self.find(node, find, leaves),
            Kind::Policy(policy) => Status::from(self.policy(node, policy)),
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

    /// The values of a leaf's parameters, unless one of them causes a fault.
    pub(super) fn args(&mut self, node: NodeId, args: &[Arg]) -> Option<Vec<Value>> {
        args.iter()
            .map(|arg| match arg {
                Arg::Value(value) => Some(*value),
                Arg::Expr(expr) => self.eval_at(node, expr),
                Arg::Key(key) => Some(self.keys.now(*key)),
            })
            .collect()
    }

    /// What the leaf sees of its arguments now: a key that was given itself is read anew.
    fn args_now(&self, node: NodeId, args: &[Arg]) -> Vec<Value> {
        let started = &self.memories[node.index()].args;
        let both = args.iter().zip(started);
        both.map(|(arg, started)| match arg {
            Arg::Key(key) => self.keys.now(*key),
            Arg::Value(_) | Arg::Expr(_) => *started,
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

    /// Carries out statements one after the other, up to the first fault; returns whether there was none.
    pub(super) fn assign(&mut self, node: NodeId, assigns: &[Assign]) -> bool {
        for Assign { key, change, value } in assigns {
            let Some(value) = self.eval_at(node, value) else {
                return false;
            };
            match change {
                Change::Set => self.set(node, *key, value),
                Change::Add if !self.keys.push(*key, value) => {
                    let Key { name, form, .. } = self.behaviour.key(*key);
                    let bound = match form {
                        Form::List { bound, .. } => *bound,
                        Form::One | Form::Optional { .. } => 0,
                    };
                    let list = Text::new(name);
                    self.fault(node, FaultKind::ListFull { list, bound });
                    return false;
                }
                Change::Add => self.report_length(node, *key),
                Change::Remove => {
                    self.keys.take_out(*key, value);
                    self.report_length(node, *key);
                }
            }
        }
        self.report(node, Event::Write);
        true
    }

    /// Records that a node has changed a list, with its length as the agent sees it.
    pub(super) fn report_length(&mut self, node: NodeId, key: KeyId) {
        if let Cell::List(items) = &self.keys()[key.index()] {
            let length = Value::Int(items.len() as i64);
            self.report_also(node, Event::Set(key), Some(length));
        }
    }

    /// The text of a `log`, with the current content of keys.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn text(&self, text: &[LogPart]) -> String {
        let part = |part: &LogPart| match part {
            LogPart::Text(text) => text.clone(),
            LogPart::Key(key) => match &self.keys()[key.index()] {
                Cell::One(value) => self.behaviour.display_value(*value),
                Cell::Unset => "unset".to_owned(),
                Cell::List(items) => {
                    let items = items.iter().map(|item| self.behaviour.display_value(*item));
                    format!("[{}]", items.collect::<Vec<_>>().join(", "))
                }
            },
            _ => treemind_core::unlisted(&part),
        };
        text.iter().map(part).collect()
    }

    fn wait(&mut self, node: NodeId, secs: &Expr, jitter: Option<&Expr>) -> Status {
        let deadline = match self.memory(node).deadline_ns {
            Some(deadline) => deadline,
            None => match self.jittered_at(node, secs, jitter) {
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

    /// An action records its own events, because its stop comes after its answer.
    #[warn(clippy::wildcard_enum_match_arm)]
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
        let args = self.args_now(node, args);
        let LeafKind::Action { life } = self.behaviour.leaf(leaf).kind else {
            unreachable!("an action is one of the host's");
        };
        let mut status = match life {
            Life::Reported => self.memory(node).reported.take().unwrap_or(Status::Running),
            Life::Updated | Life::Instant => leaves.update(node, &args, &mut self.keys),
            _ => treemind_core::unlisted(&life),
        };
        if status == Status::Running && life == Life::Instant {
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

    /// Between ticks: the host reports that an action has ended. Returns `true` when the action is open and its end
    /// was not reported before.
    pub fn report_end(&mut self, node: NodeId, success: bool) -> bool {
        let is_reported = match self.behaviour.node(node).kind {
            Kind::Action { leaf, .. } => {
                let life = Life::Reported;
                self.behaviour.leaf(leaf).kind == LeafKind::Action { life }
            }
            _ => false,
        };
        let memory = self.memory(node);
        let is_taken = is_reported && memory.open && memory.reported.is_none();
        if is_taken {
            memory.reported = Some(Status::from(success));
        }
        is_taken
    }
}

/// The key in a part of a text.
#[warn(clippy::wildcard_enum_match_arm)]
fn key_of(part: &LogPart) -> Option<KeyId> {
    match part {
        LogPart::Key(key) => Some(*key),
        LogPart::Text(_) => None,
        _ => treemind_core::unlisted(&part),
    }
}
