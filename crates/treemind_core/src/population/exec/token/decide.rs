//! Decision trees for a single agent: the token goes from test to test down to one leaf.

use super::{Lane, Next};
use crate::ids::NodeId;
use crate::population::exec::Exec;
use crate::population::exec::bits::any;
use crate::program::op::{DecideOp, DecideStep, KeptDraw, Op, Range, Tested, To};
use crate::status::Status;
use crate::trace::{Event, Sink};

impl<'e, const W: usize, S: Sink> Exec<'e, W, S> {
    #[inline(never)]
    pub(super) fn token_decide(&mut self, op: &DecideOp, lane: Lane) -> Next<'e> {
        let chosen = self.leaf_of(op, lane);
        // The slots of the leaves are consecutive, in the order of the leaves.
        let all = Range {
            start: op.leaves.first().map_or(0, |leaf| leaf.range.start),
            end: op.leaves.last().map_or(0, |leaf| leaf.range.end),
        };
        let Some(leaf) = chosen.map(|leaf| &op.leaves[leaf as usize]) else {
            self.abandon(all, u32::MAX, lane);
            return Next::Reg(op.out_failure);
        };
        let before = Range {
            end: leaf.range.start,
            ..all
        };
        let behind = Range {
            start: leaf.range.end,
            ..all
        };
        self.abandon(before, u32::MAX, lane);
        self.abandon(behind, u32::MAX, lane);
        Next::Reg(leaf.input)
    }

    /// The leaf that the tests lead to, if any.
    fn leaf_of(&mut self, op: &DecideOp, lane: Lane) -> Option<u32> {
        let mut to = op.first;
        loop {
            let step = match to {
                To::Step(step) => step,
                To::Leaf(leaf) => return Some(leaf),
                To::None => return None,
            };
            let (test, ways) = &op.steps[step as usize];
            let way = match test {
                DecideStep::Test(test) => u32::from(!self.test_holds(op.node, *test, lane)),
                DecideStep::Ask(tested) => u32::from(!self.conditions_are_met(tested, lane)),
                DecideStep::Switch(cases) => {
                    let holds = |case: &u32| self.test_holds(op.node, *case, lane);
                    let first = cases.iter().position(holds);
                    first.unwrap_or(cases.len()) as u32
                }
                DecideStep::Random(kept) => self.drawn_way(op.node, kept, lane),
                DecideStep::Best(best) => {
                    self.pick_best(op.node, best, lane.word::<W>(), lane.bit);
                    let mut picked = self.stacks.picked()[..best.scores.len()].iter();
                    let option = picked.position(|picked| *picked != 0);
                    option.unwrap_or(best.scores.len()) as u32
                }
            };
            let event = Event::Branch(op.first_step + step, way);
            self.record(op.node, event, lane.word::<W>(), lane.bit);
            to = ways[way as usize];
        }
    }

    fn drawn_way(&mut self, node: NodeId, kept: &KeptDraw, lane: Lane) -> u32 {
        self.keep_or_draw(node, kept, &lane.set());
        // Draws are counted from 1. No draw is 0, and takes the last way.
        match self.call.run.read().narrow(kept.way)[lane.number()] {
            0 => kept.weights.len() as u32,
            way => way - 1,
        }
    }

    /// Whether an expression holds for the agent.
    #[inline(always)]
    pub(in crate::population::exec) fn test_holds(
        &mut self,
        node: NodeId,
        expr: u32,
        lane: Lane,
    ) -> bool {
        if let (false, Some(short)) = (
            self.wants_values(),
            self.call.around.program.short_test(expr),
        ) {
            return short.holds_for(self.call.board.read(), lane.number());
        }
        let bad = self.evaluate(node, expr, lane.word::<W>(), lane.bit);
        self.stacks.mask() & lane.bit & !bad != 0
    }

    /// [`conditions_hold`](Self::conditions_hold) for a single agent.
    #[inline(always)]
    pub(in crate::population::exec) fn conditions_are_met(
        &mut self,
        tested: &Tested,
        lane: Lane,
    ) -> bool {
        if self.is_traced() || tested.all.is_empty() {
            return any(&self.piece_holds(&tested.piece, &lane.set()));
        }
        let code = self.code;
        let mut is_met = false;
        for place in &tested.all {
            let Op::Condition(condition) = &code.ops[*place as usize] else {
                continue;
            };
            match self.ask_one(condition, lane) {
                Status::Success => is_met = true,
                Status::Skipped => {}
                Status::Failure | Status::Running => return false,
            }
        }
        is_met
    }
}
