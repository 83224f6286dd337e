//! What machines evaluate before they take a transition.

use super::{Draft, Lowering};
use crate::behaviour::{ChildIndex, Kind};
use crate::ids::NodeId;
use crate::program::op::{DecideOp, Op, Piece, Tested};

impl Lowering<'_> {
    /// The decision trees that choose transitions.
    pub(super) fn deciders(&mut self, draft: &Draft<'_>) -> Vec<DecideOp> {
        let machine = draft.machine;
        let deciders = machine.deciders.iter().enumerate();
        let deciders = deciders.map(|(number, decision)| {
            let mut transitions = machine.transitions.iter();
            let first = transitions.position(|transition| {
                let decided = transition.decided;
                decided.is_some_and(|decided| decided.by == number)
            });
            let leaves = first.map_or(0, |first| machine.looked_at_with(first).len());
            let first_step = machine.first_test(number) as u32;
            self.decider(draft.node, decision, (first_step, leaves))
        });
        deciders.collect()
    }

    /// The conditions of a transition.
    pub(super) fn conditions(&mut self, draft: &Draft<'_>, child: ChildIndex) -> Tested {
        let piece = self.tasks(draft, &[child])[0];
        let node = self.behaviour.node(draft.node).children[child];
        self.tested(node, piece)
    }

    /// A node whose answer is needed, with its code.
    pub(in crate::program::lower) fn tested(&self, node: NodeId, piece: Piece) -> Tested {
        let asked = match self.behaviour.node(node).kind {
            Kind::Condition { .. } => 1,
            Kind::Sequence { .. } => self.behaviour.node(node).children.len(),
            _ => 0,
        };
        let mut all = Vec::new();
        let mut is_plain = true;
        for place in piece.start..piece.end {
            match self.code.ops[place as usize] {
                Op::Condition(_) => all.push(place),
                Op::Resume { .. } | Op::Unskip { .. } | Op::ListEnd(_) => {}
                _ => is_plain = false,
            }
        }
        let deeper = self.behaviour.node(node).children.iter();
        let deeper = deeper.filter(|child| !self.behaviour.node(**child).children.is_empty());
        if !is_plain || all.len() != asked || deeper.count() > 0 {
            all.clear();
        }
        Tested { piece, all }
    }
}
