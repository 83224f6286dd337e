//! `policy`.

use super::{Lowering, Out};
use crate::behaviour::PolicyRun;
use crate::ids::NodeId;
use crate::program::op::{Op, PolicyOp, Reg};
use std::sync::Arc;

impl Lowering<'_> {
    pub(super) fn policy(&mut self, node: NodeId, policy: &PolicyRun, input: Reg, out: Out) {
        let inputs = policy.inputs.iter();
        let inputs = inputs.map(|expr| self.expr(node, expr)).collect();
        self.code
            .ops
            .push(Op::Policy(self.code.policies.len() as u32));
        self.code.policies.push(PolicyOp {
            node,
            network: Arc::clone(&policy.network),
            inputs,
            outputs: policy.outputs.clone(),
            input,
            success: out.success,
            failure: out.failure,
        });
    }
}
