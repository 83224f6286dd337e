//! The code of decision trees: one instruction evaluates all tests, and the leaves follow it.

use super::{Context, Count, Lowering};
use crate::behaviour::{Decision, DecisionStep, Lasts, Way};
use crate::blackboard::{Holds, Part};
use crate::ids::NodeId;
use crate::program::op::{
    BestOption, DecideLeaf, DecideOp, DecideStep, KeptDraw, KeptFor, Op, Out, Range, Reach, Reg, To,
};

impl Lowering<'_> {
    pub(super) fn decide(
        &mut self,
        node: NodeId,
        decision: &Decision,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let asked = decision.asked(children.len());
        // The place of a child among the leaves.
        let place = |child: usize| asked[..child].iter().filter(|asked| !**asked).count() as u32;
        let to = |way: Way| match way {
            Way::Step(step) => To::Step(step as u32),
            Way::Leaf(child) => To::Leaf(place(child)),
            Way::None => To::None,
        };
        let index = self.code.decisions.len();
        self.code.decisions.push(DecideOp {
            node,
            input,
            first: to(decision.first),
            first_step: 0,
            steps: Vec::new(),
            at: 0,
            leaves: Vec::new(),
            out_failure: out.failure,
        });
        self.code.ops.push(Op::Decide(index as u32));
        let steps = (0..).zip(&decision.steps).map(|(number, step)| {
            let ways = step.ways().into_iter().map(to).collect();
            (self.decision_step(node, number, step), ways)
        });
        let steps: Vec<_> = steps.collect();
        let at = self.registers_of(steps.len());
        let placed = &mut self.code.decisions[index];
        (placed.steps, placed.at) = (steps, at);
        let inner = Context {
            observed: true,
            drop: true,
            ..context
        };
        let leaves = children.iter().zip(&asked).filter(|(_, asked)| !**asked);
        let leaves: Vec<NodeId> = leaves.map(|(leaf, _)| *leaf).collect();
        let leaves = leaves.into_iter().map(|leaf| {
            let input = self.register();
            let range: Range = self.node(leaf, input, out, inner);
            DecideLeaf { input, range }
        });
        let leaves = leaves.collect();
        self.code.decisions[index].leaves = leaves;
    }

    /// The decider that says which of some transitions is taken; `first_step` is the number of its first test.
    pub(super) fn decider(
        &mut self,
        node: NodeId,
        decision: &Decision,
        (first_step, leaves): (u32, usize),
    ) -> DecideOp {
        let to = |way: Way| match way {
            Way::Step(step) => To::Step(step as u32),
            Way::Leaf(leaf) => To::Leaf(leaf as u32),
            Way::None => To::None,
        };
        let steps = (first_step..).zip(&decision.steps).map(|(number, step)| {
            let ways = step.ways().into_iter().map(to).collect();
            (self.decision_step(node, number, step), ways)
        });
        let steps: Vec<_> = steps.collect();
        let at = self.registers_of(steps.len());
        let leaves = (0..leaves).map(|_| DecideLeaf {
            input: self.register(),
            range: Range::default(),
        });
        DecideOp {
            node,
            input: Reg::NONE,
            first: to(decision.first),
            first_step,
            steps,
            leaves: leaves.collect(),
            at,
            out_failure: Reg::NONE,
        }
    }

    /// One register for each step, consecutively; returns the first.
    fn registers_of(&mut self, steps: usize) -> u32 {
        let first = self.register().0;
        (1..steps).for_each(|_| {
            self.register();
        });
        first
    }

    fn decision_step(&mut self, node: NodeId, number: u32, step: &DecisionStep) -> DecideStep {
        match step {
            DecisionStep::Test { test, .. } => DecideStep::Test(self.expr(node, test)),
            DecisionStep::Ask { child, .. } => {
                let alone = Context {
                    reach: Reach {
                        scope: Reg::NONE,
                        held: Reg::NONE,
                    },
                    observed: true,
                    drop: false,
                };
                let child = self.behaviour.node(node).children[*child];
                let piece = self.piece(child, alone);
                DecideStep::Ask(self.tested(child, piece))
            }
            DecisionStep::Switch { cases, .. } => {
                let cases = cases.iter().map(|(case, _)| self.expr(node, case));
                DecideStep::Switch(cases.collect())
            }
            DecisionStep::Random { options, lasts, .. } => {
                let weights = options.iter().map(|(weight, _)| self.expr(node, weight));
                let weights = weights.collect();
                let [way, reached, until] = self.held_columns((node, number), lasts, options.len());
                let lasts = match lasts {
                    Lasts::Always => KeptFor::Always,
                    Lasts::Secs(secs) => KeptFor::Secs(self.secs(node, secs, &None), until),
                    Lasts::Ticks(ticks) => KeptFor::Ticks(*ticks, until),
                };
                DecideStep::Random(KeptDraw {
                    weights,
                    lasts,
                    way,
                    reached,
                    draws: self.counter(node, Count::Draws),
                })
            }
            DecisionStep::Best {
                options,
                held,
                hysteresis,
                otherwise: _,
            } => {
                let scores = options.iter().map(|(score, _)| self.expr(node, score));
                let scores: Vec<u32> = scores.collect();
                for score in &scores {
                    // They are compared side by side.
                    self.exprs[*score as usize].sizes.scores = scores.len() as u32;
                }
                DecideStep::Best(BestOption {
                    scores,
                    held: held.iter().map(|held| self.expr(node, held)).collect(),
                    hysteresis: self.expr(node, hysteresis),
                })
            }
        }
    }

    /// The state of a draw is the same wherever the code of the node is.
    fn held_columns(&mut self, of: (NodeId, u32), lasts: &Lasts, ways: usize) -> [u32; 3] {
        if let Some(known) = self.held_draws.get(&of) {
            return *known;
        }
        let part = Part::Test(of.1);
        let until = match lasts {
            Lasts::Always => 0,
            Lasts::Secs(_) => self.run.add_moment(("draw_kept_for_secs", part)),
            Lasts::Ticks(_) => self.run.add_tick(("draw_kept_until_tick", part)),
        };
        // 0 is no way.
        let way = self
            .run
            .add_narrow(Holds::AtMost(ways as u32), ("drawn_way", part));
        let columns = [way, self.run.add_tick(("drawn_in_tick", part)), until];
        self.held_draws.insert(of, columns);
        columns
    }
}
