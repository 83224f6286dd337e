//! The code of events that go to machines.

use super::Lowering;
use super::machine::Stamps;
use crate::behaviour::{Arg, Kind, MAX_EVENTS};
use crate::blackboard::{Holds, Label};
use crate::expr::Expr;
use crate::ids::{LeafId, NodeId};
use crate::program::op::{CancelOp, Delayed, Inbox, Later, Op, Out, PostOp, Reg};

impl Lowering<'_> {
    pub(super) fn send_later(
        &mut self,
        node: NodeId,
        (event, args): (LeafId, &[Arg]),
        (delay, id): (&Expr, &Option<Expr>),
        input: Reg,
        out: Out,
    ) {
        let later = Later {
            secs: self.secs(node, delay, &None),
            id: id.as_ref().map(|id| self.expr(node, id)),
            moment: self.run.add_moment(Label::APART),
            name: self.run.add_narrow(Holds::Text, Label::APART),
        };
        let args = self.args(node, args);
        self.code.posts.push(PostOp {
            node,
            event,
            args,
            input,
            success: out.success,
            failure: out.failure,
            around: self.machine_around,
            later,
        });
        let index = self.code.posts.len() as u32 - 1;
        self.code.ops.push(Op::Post(index));
    }

    pub(super) fn cancel(&mut self, node: NodeId, id: &Expr, input: Reg, out: Out) {
        let id = self.expr(node, id);
        self.code.cancels.push(CancelOp {
            node,
            id,
            input,
            success: out.success,
            failure: out.failure,
            around: self.machine_around,
        });
        let index = self.code.cancels.len() as u32 - 1;
        self.code.ops.push(Op::Cancel(index));
    }

    /// The columns of the events that a machine sends to itself, if it can send any.
    pub(super) fn delayed(&mut self, node: NodeId, inbox: Option<&Inbox>) -> Option<Delayed> {
        let inbox = inbox?;
        let mut pending = self.behaviour.node(node).children.clone();
        let sends = loop {
            let child = self.behaviour.node(pending.pop()?);
            match child.kind {
                Kind::Send { .. } => break true,
                // Nodes in an inner machine send to that machine.
                Kind::Machine(_) => {}
                _ => pending.extend(&child.children),
            }
        };
        sends.then(|| {
            let queue = self.inbox(inbox.listens.clone(), Stamps::Names);
            let due = self.run.add_moment(Label::APART);
            (1..MAX_EVENTS).for_each(|_| {
                self.run.add_moment(Label::APART);
            });
            Delayed { queue, due }
        })
    }
}
