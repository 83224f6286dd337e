//! The code of leaves.

use super::{Context, Lowering, NO_ARGS};
use crate::behaviour::{Arg, LeafKind};
use crate::expr::{Assign, Expr};
use crate::ids::{KeyId, LeafId, NodeId};
use crate::program::args::{ArgRange, ArgSlot};
use crate::program::op::{ActionOp, ChangedOp, ConditionOp, EmitOp, Op, Out, Reg, Slot, WaitOp};

impl Lowering<'_> {
    fn args(&mut self, args: &[Arg]) -> ArgRange {
        if args.is_empty() {
            return NO_ARGS;
        }
        let start = self.args.len() as u32;
        let mut computed = false;
        for arg in args {
            let slot = match arg {
                Arg::Value(value) => ArgSlot::Literal(*value),
                Arg::Expr(expr) => {
                    computed = true;
                    let ty = expr.ty();
                    let column = self.run.add(ty);
                    let expr = self.expr(expr);
                    ArgSlot::Column { column, ty, expr }
                }
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
        let args = self.args(args);
        let slot = context.observed.then(|| self.slot(Slot::Quiet));
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
        let args = self.args(args);
        let slot = self.slot(Slot::Action { node, leaf, args });
        let instant = self.behaviour.leaf(leaf).kind == LeafKind::Action { instant: true };
        self.code.ops.push(Op::Action(ActionOp {
            node,
            leaf,
            args,
            input,
            out,
            slot,
            reach: context.reach,
            drop: context.drop,
            instant,
        }));
    }

    pub(super) fn check(&mut self, node: NodeId, expr: &Expr, input: Reg, out: Out) {
        let expr = self.expr(expr);
        self.code.ops.push(Op::Check {
            node,
            expr,
            input,
            success: out.success,
            failure: out.failure,
        });
    }

    pub(super) fn set(&mut self, node: NodeId, assigns: &[Assign], input: Reg, out: Out) {
        let (start, count) = self.set_range(assigns);
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
        (leaf, args): (LeafId, &[Arg]),
        input: Reg,
        out: Out,
    ) {
        let args = self.args(args);
        self.code.ops.push(Op::Emit(EmitOp {
            node,
            leaf,
            args,
            input,
            success: out.success,
            failure: out.failure,
        }));
    }

    pub(super) fn wait(
        &mut self,
        node: NodeId,
        secs: &Expr,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let secs = self.expr(secs);
        let slot = self.slot(Slot::Quiet);
        let deadline = self.run.add_wide();
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
