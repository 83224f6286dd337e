//! The code of leaves.

use super::{Context, Count, Lowering, NO_ARGS, RUNS, wrong_family};
use crate::behaviour::{Arg, Audience, Awaited, Kind, LeafKind, Life};
use crate::blackboard::{Holds, Label, Part};
use crate::expr::{Assign, Change, Expr};
use crate::ids::{ArgRange, KeyId, LeafId, NodeId};
use crate::program::Reported;
use crate::program::args::ArgSlot;
use crate::program::op::{
    ActionOp, ChangedOp, ConditionOp, EmitOp, Op, Out, RateOp, ReceivedOp, Reg, Secs, SetRange,
    SetStep, Slot, WaitOp,
};
use crate::status::Status;
use crate::value::Type;

impl Lowering<'_> {
    /// A node without children.
    pub(super) fn leaf(&mut self, id: NodeId, input: Reg, out: Out, context: Context) {
        let behaviour = self.behaviour;
        let node = behaviour.node(id);

        match &node.kind {
            Kind::Condition {
                leaf,
                args,
                negated,
            } => {
                self.condition(
                    id,
                    (*leaf, args, *negated),
                    input,
                    (out, Reg::NONE),
                    context,
                );
            }
            Kind::Action { leaf, args } => self.action(id, *leaf, args, input, out, context),
            Kind::Check { expr } => self.check(id, expr, input, out),
            Kind::Set { assigns } => self.set(id, assigns, input, out),
            Kind::Unset { key, forgets } => self.unset(id, (*key, *forgets), input, out),
            Kind::Wait { secs, jitter } => self.wait(id, (secs, jitter), input, out, context),
            Kind::Changed { key } => self.changed(id, *key, input, out),
            Kind::Log { .. } => self.code.ops.push(Op::Log {
                node: id,
                input,
                success: out.success,
            }),
            Kind::Emit { leaf, args, to } => self.emit(id, (*leaf, args, *to), input, out),
            Kind::Received { awaited, waits } => {
                self.received(id, (awaited, *waits), input, out, context);
            }
            Kind::Rate { key, score } => {
                let score = self.score(score, 1);
                self.code.ops.push(Op::Rate(self.code.rates.len() as u32));
                self.code.rates.push(RateOp {
                    node: id,
                    key: *key,
                    score,
                    input,
                    success: out.success,
                    failure: out.failure,
                });
            }
            Kind::Find(find) => self.find(id, find, input, out, context),
            Kind::Policy(policy) => self.policy(id, policy, input, out),
            Kind::Succeed => self.constant(id, true, input, out.success),
            Kind::Fail => self.constant(id, false, input, out.failure),
            Kind::Run => {
                let slot = self.slot(Slot::Quiet, RUNS);
                let reach = context.reach;
                self.code.ops.push(Op::Run {
                    node: id,
                    input,
                    slot,
                    reach,
                });
            }
            Kind::Interrupt { label, result } => {
                let result = *result == Status::Success;
                self.interrupt(id, (*label, result), input, out, context);
            }
            Kind::Send {
                leaf,
                args,
                delay,
                id: name,
            } => self.send_later(id, (*leaf, args), (delay, name), input, out),
            Kind::Cancel { id: name } => self.cancel(id, name, input, out),
            other => wrong_family(other),
        }
    }

    pub(super) fn args(&mut self, node: NodeId, args: &[Arg]) -> ArgRange {
        if args.is_empty() {
            return NO_ARGS;
        }
        let start = self.args.len() as u32;
        let mut computed = false;
        for (nth, arg) in args.iter().enumerate() {
            let slot = match arg {
                Arg::Value(value) => ArgSlot::Literal(*value),
                Arg::Expr(expr) => {
                    computed = true;
                    let ty = expr.ty();
                    let label = Label::run(("arguments", Part::Param(nth as u32)));
                    let column = self.run.add(ty, label);
                    let expr = self.expr(node, expr);
                    ArgSlot::Column { column, ty, expr }
                }
                Arg::Key(key) => ArgSlot::Key(*key),
            };
            self.args.push(slot);
        }
        ArgRange {
            start,
            end: self.args.len() as u32,
            computed,
        }
    }

    pub(super) fn condition(
        &mut self,
        node: NodeId,
        (leaf, args, negated): (LeafId, &[Arg], bool),
        input: Reg,
        (out, running): (Out, Reg),
        context: Context,
    ) {
        let args = self.args(node, args);
        let slot = context.observed.then(|| self.slot(Slot::Quiet, RUNS));
        self.code.ops.push(Op::Condition(ConditionOp {
            node,
            leaf,
            args,
            negated,
            input,
            out,
            running,
            slot,
            reach: context.reach,
        }));
    }

    pub(super) fn action(
        &mut self,
        node: NodeId,
        leaf: LeafId,
        args: &[Arg],
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let args = self.args(node, args);
        let slot = self.slot(Slot::Action { node, leaf, args }, RUNS);
        let LeafKind::Action { life } = self.behaviour.leaf(leaf).kind else {
            unreachable!("leaves are checked before");
        };
        let (reported, runs) = match life {
            Life::Reported => self.reported_columns(node, slot),
            Life::Updated | Life::Instant => ([0; 2], 0),
        };
        self.code.ops.push(Op::Action(ActionOp {
            node,
            leaf,
            args,
            input,
            out,
            slot,
            reach: context.reach,
            drop: context.drop,
            life,
            reported,
            runs,
        }));
    }

    /// The columns that record that the host has ended a run, and how, and the number of the run.
    fn reported_columns(&mut self, node: NodeId, slot: u32) -> ([u32; 2], u32) {
        let columns = self.lasting(node, |run| {
            [
                run.add_bits("reported_success"),
                run.add_bits("reported_failure"),
            ]
        });
        let known = self.reported.iter().find(|known| known.node == node);
        let runs = known.map(|known| known.runs);
        let runs =
            runs.unwrap_or_else(|| self.run.add_narrow(Holds::NUMBER, Label::run("run_number")));
        self.reported.push(Reported {
            node,
            slot,
            columns,
            runs,
        });
        (columns, runs)
    }

    /// A length of time, drawn by a node.
    pub(super) fn secs(&mut self, node: NodeId, secs: &Expr, jitter: &Option<Expr>) -> Secs {
        Secs {
            expr: self.expr(node, secs),
            jitter: jitter
                .as_ref()
                .map(|jitter| (self.expr(node, jitter), self.counter(node, Count::Draws))),
        }
    }

    pub(super) fn check(&mut self, node: NodeId, expr: &Expr, input: Reg, out: Out) {
        let expr = self.expr(node, expr);
        self.code.ops.push(Op::Check {
            node,
            expr,
            input,
            success: out.success,
            failure: out.failure,
        });
    }

    pub(super) fn set(&mut self, node: NodeId, assigns: &[Assign], input: Reg, out: Out) {
        let range = self.set_range(node, assigns);
        self.push_set(node, range, input, out);
    }

    pub(super) fn unset(
        &mut self,
        node: NodeId,
        (key, forgets): (KeyId, bool),
        input: Reg,
        out: Out,
    ) {
        let start = self.sets.len() as u32;
        self.sets.push(SetStep {
            key,
            expr: None,
            change: Change::Set,
            forgets,
        });
        self.push_set(node, (start, 1), input, out);
    }

    fn push_set(&mut self, node: NodeId, (start, count): SetRange, input: Reg, out: Out) {
        self.code.ops.push(Op::Set {
            node,
            start,
            count,
            input,
            success: out.success,
            failure: out.failure,
        });
    }

    pub(super) fn changed(&mut self, node: NodeId, key: KeyId, input: Reg, out: Out) {
        self.code.ops.push(Op::Changed(ChangedOp {
            node,
            key,
            input,
            success: out.success,
            failure: out.failure,
        }));
    }

    pub(super) fn emit(
        &mut self,
        node: NodeId,
        (leaf, args, to): (LeafId, &[Arg], Option<Audience>),
        input: Reg,
        out: Out,
    ) {
        let args = self.args(node, args);
        let address = match to {
            Some(Audience::Agent(key)) => {
                self.code.has_addresses = true;
                self.args(node, &[Arg::Expr(Expr::Key(key, Type::Entity))])
            }
            _ => NO_ARGS,
        };
        let is_mailed = to.is_none() && self.code.mailed.binary_search(&leaf).is_ok();
        if to.is_some() {
            self.code.posted = self.counter(self.behaviour.root(), Count::Posts);
        }
        if is_mailed {
            self.code.kept_own = self.counter(self.behaviour.root(), Count::KeptOwn);
        }
        if to.is_some() || is_mailed {
            self.code.has_post = true;
            let values = self.behaviour.leaf(leaf).params.len();
            self.code.most_values = self.code.most_values.max(values);
        }
        self.code.ops.push(Op::Emit(EmitOp {
            to,
            address,
            is_mailed,
            around: self.machine_around,
            node,
            leaf,
            args,
            input,
            success: out.success,
            failure: out.failure,
        }));
    }

    fn received(
        &mut self,
        node: NodeId,
        (awaited, waits): (&Awaited, bool),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let test = awaited.test.as_ref().map(|test| self.expr(node, test));
        let looked = self.counter(node, Count::Letters);
        let slot = waits.then(|| self.slot(Slot::Quiet, "waits"));
        self.code.receipts.push(ReceivedOp {
            node,
            events: awaited.events.clone(),
            shown: awaited.shown.clone(),
            test,
            bound: awaited.bound.clone(),
            input,
            success: out.success,
            failure: out.failure,
            looked,
            slot,
            reach: context.reach,
        });
        let index = self.code.receipts.len() as u32 - 1;
        self.code.ops.push(Op::Received(index));
    }

    pub(super) fn wait(
        &mut self,
        node: NodeId,
        (secs, jitter): (&Expr, &Option<Expr>),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let secs = self.secs(node, secs, jitter);
        let slot = self.slot(Slot::Quiet, RUNS);
        let deadline = self.run.add_moment(Label::run("ends_in_secs"));
        self.code.waits.push(WaitOp {
            node,
            secs,
            input,
            out,
            slot,
            deadline,
            reach: context.reach,
        });
        self.code
            .ops
            .push(Op::Wait(self.code.waits.len() as u32 - 1));
    }

    pub(super) fn constant(&mut self, node: NodeId, success: bool, input: Reg, to: Reg) {
        self.code.ops.push(Op::Constant {
            node,
            success,
            input,
            to,
        });
    }
}
