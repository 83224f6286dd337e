//! Random decision trees.

use super::trees::TreeMaker;
use treemind_core::behaviour::{ChildIndex, Decision, DecisionStep, Lasts, Way};
use treemind_core::{Kind, Node};

impl TreeMaker<'_> {
    pub(super) fn decision(&mut self, depth: usize) -> Node {
        let mut children: Vec<Node> = Vec::new();
        let leaves = 1 + self.exprs.random.weighted(&[2, 4, 3, 2]);
        while children.len() < leaves && (self.budget > 0 || children.is_empty()) {
            children.push(self.node(depth - 1));
        }
        let leaves = children.len();
        let steps = self.exprs.random.weighted(&[1, 3, 4, 4, 3, 2]);
        let steps: Vec<DecisionStep> = (0..steps)
            .map(|number| self.decision_step(&mut children, (number, steps, leaves)))
            .collect();
        let first = match steps.is_empty() {
            true => self.way((0, 0, leaves)),
            false => Way::Step(0),
        };
        let mut decision = Decision {
            first,
            steps,
            names: Vec::new(),
            tests: Vec::new(),
        };
        drop_unused_leaves(&mut decision, &mut children);
        Node::with(Kind::Decide(Box::new(decision)), children)
    }

    /// Tests that lead to this many transitions; the conditions that they ask are added to the children of the machine.
    pub(super) fn decider(&mut self, leaves: usize, children: &mut Vec<Node>) -> Decision {
        let steps = 1 + self.exprs.random.weighted(&[4, 4, 2, 1]);
        let steps: Vec<DecisionStep> = (0..steps)
            .map(|number| self.decision_step(children, (number, steps, leaves)))
            .collect();
        Decision {
            first: Way::Step(0),
            steps,
            names: Vec::new(),
            tests: Vec::new(),
        }
    }

    fn decision_step(
        &mut self,
        children: &mut Vec<Node>,
        place: (usize, usize, usize),
    ) -> DecisionStep {
        match self.exprs.random.weighted(&[4, 4, 3, 5, 3]) {
            0 => DecisionStep::Test {
                test: self.test(true),
                yes: self.way(place),
                no: self.way(place),
            },
            1 => {
                let condition = self.condition();
                let condition = self.dressed(condition);
                children.push(condition);
                DecisionStep::Ask {
                    child: children.len() - 1,
                    yes: self.way(place),
                    no: self.way(place),
                }
            }
            2 => {
                let cases = 1 + self.below(3);
                let cases = (0..cases).map(|_| {
                    let case = self.test(false);
                    (case, self.way(place))
                });
                DecisionStep::Switch {
                    cases: cases.collect(),
                    otherwise: self.way(place),
                }
            }
            4 => {
                let options = 1 + self.below(3);
                let options = (0..options).map(|_| (self.weight(), self.way(place)));
                let options: Vec<_> = options.collect();
                DecisionStep::Best {
                    held: options.iter().map(|_| self.test(false)).collect(),
                    options,
                    hysteresis: self.weight(),
                    otherwise: self.way(place),
                }
            }
            _ => {
                let options = 1 + self.below(3);
                let options = (0..options).map(|_| (self.weight(), self.way(place)));
                DecisionStep::Random {
                    options: options.collect(),
                    otherwise: self.way(place),
                    lasts: match self.exprs.random.weighted(&[2, 2, 2]) {
                        0 => Lasts::Always,
                        1 => Lasts::Secs(self.exprs.secs()),
                        _ => Lasts::Ticks(1 + self.below(4) as u32),
                    },
                }
            }
        }
    }

    /// A way of a test, mostly to the next one, or to a leaf.
    fn way(&mut self, (number, steps, leaves): (usize, usize, usize)) -> Way {
        let later = steps.saturating_sub(number + 1);
        let weights = if later > 0 {
            [40, 20, 35, 5]
        } else {
            [0, 0, 85, 15]
        };
        match self.exprs.random.weighted(&weights) {
            0 => Way::Step(number + 1),
            1 => Way::Step(number + 1 + self.below(later)),
            2 => Way::Leaf(self.below(leaves)),
            _ => Way::None,
        }
    }
}

/// Removes the children that nothing leads to.
pub(crate) fn drop_unused_leaves(decision: &mut Decision, children: &mut Vec<Node>) {
    let mut used = decision.asked(children.len());
    let mut ways = vec![decision.first];
    ways.extend(decision.steps.iter().flat_map(DecisionStep::ways));
    for way in ways {
        if let Way::Leaf(child) = way {
            used[child] = true;
        }
    }
    let place = |child: ChildIndex| used[..child].iter().filter(|used| **used).count();
    decision.for_all_ways(&mut |way| {
        if let Way::Leaf(child) = way {
            *child = place(*child);
        }
    });
    for step in &mut decision.steps {
        if let DecisionStep::Ask { child, .. } = step {
            *child = place(*child);
        }
    }
    let mut kept = used.iter();
    children.retain(|_| kept.next() == Some(&true));
}
