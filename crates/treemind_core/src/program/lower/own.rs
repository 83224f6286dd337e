//! The code of the host's own composites and decorators, and of services.

use super::enclosing::answers_out;
use super::{Context, Count, Lowering, RUNS};
use crate::behaviour::Arg;
use crate::ids::{LeafId, NodeId};
use crate::program::op::{Op, Out, Own, OwnChild, Range, Reach, Reg, Slot};

impl Lowering<'_> {
    pub(super) fn own(
        &mut self,
        node: NodeId,
        (leaf, args): (LeafId, &[Arg]),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let args = self.args(node, args);
        let [entered, began, told] = std::array::from_fn(|_| self.register());
        let turns = self.counter(node, Count::Ends);
        let index = self.code.owns.len();
        self.code.owns.push(Own {
            node,
            leaf,
            args,
            input,
            children: Vec::new(),
            places: Vec::new(),
            body_start: self.code.ops.len() as u32 + 1,
            inside: Range::default(),
            slot: 0,
            entered,
            began,
            told,
            outer_held: context.reach.held,
            turns,
            reach: context.reach,
            drop: context.drop,
            out,
        });
        self.own_nodes = true;
        self.code.ops.push(Op::OwnBegin(index as u32));
        let start = self.next_slot();
        let behaviour = self.behaviour;
        let mut places = Vec::new();
        for (number, &child) in (0..).zip(&behaviour.node(node).children) {
            let [input, sent, ran, held] = std::array::from_fn(|_| self.register());
            let inner = Context {
                reach: Reach {
                    scope: context.reach.scope,
                    held,
                },
                observed: true,
                drop: false,
            };
            let answers = std::array::from_fn(|_| self.register());
            let range = self.node(child, input, answers_out(answers), inner);
            self.code.owns[index].children.push(OwnChild {
                input,
                answers,
                range,
                sent,
                ran,
                held,
            });
            places.push(self.code.ops.len() as u32);
            self.code.ops.push(Op::OwnCheck {
                own: index as u32,
                child: number,
            });
        }
        places.push(self.code.ops.len() as u32);
        let inside = self.range_from(start);
        let slot = self.slot(Slot::Action { node, leaf, args }, RUNS);
        let placed = &mut self.code.owns[index];
        placed.places = places;
        placed.inside = inside;
        placed.slot = slot;
        self.code.ops.push(Op::OwnEnd(index as u32));
    }
}
