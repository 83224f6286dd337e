//! Nodes that use random numbers.

use super::utility::Utility;
use super::{Leaves, Reference, wrong_family};
use treemind_core::chance::Draw;
use treemind_core::{Event, Expr, Kind, NodeId, Status, Value};

impl Reference<'_> {
    /// The node's next draw of this tick.
    pub(super) fn draw(&mut self, node: NodeId) -> Draw {
        let draws = &mut self.counts[node.index()].draws;
        let nth = *draws;
        *draws += 1;
        let draw = Draw {
            seed: self.seed,
            agent: self.agent,
            node: node.index() as u32,
            tick: self.tick,
            nth,
        };
        self.report_also(node, Event::Draw(nth), Some(Value::Double(share_of(draw))));
        draw
    }

    pub(super) fn draw_answer(
        &mut self,
        node: NodeId,
        kind: &Kind,
        leaves: &mut dyn Leaves,
    ) -> Status {
        use Status::{Failure, Success};
        match kind {
            Kind::RandomSelector { replacement: true } => {
                self.visit_with_replacement(node, Failure, leaves)
            }
            Kind::RandomSequence { replacement: true } => {
                self.visit_with_replacement(node, Success, leaves)
            }
            Kind::RandomSelector { replacement: false } => {
                self.visit_random_list(node, Failure, None, leaves)
            }
            Kind::RandomSequence { replacement: false } => {
                self.visit_random_list(node, Success, None, leaves)
            }
            Kind::WeightedSelector { weights } => {
                self.visit_random_list(node, Failure, Some(weights), leaves)
            }
            Kind::UtilitySelector {
                scores,
                policy,
                hysteresis,
                reactive,
                fails,
            } => {
                let utility = Utility {
                    scores,
                    policy: *policy,
                    hysteresis,
                    reactive: *reactive,
                    fails: *fails,
                };
                self.visit_utility(node, utility, leaves)
            }
            _ => wrong_family(kind),
        }
    }

    /// Draws among the children not yet tried, until one answers something other than `go_on` or skipped.
    fn visit_random_list(
        &mut self,
        node: NodeId,
        go_on: Status,
        weights: Option<&[Expr]>,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let mut kept = children.iter().position(|child| self.is_live(*child));
        if kept.is_none() {
            self.memory(node).answers = vec![None; children.len()];
        }
        loop {
            let answers = &self.memory(node).answers;
            let went_on = answers.contains(&Some(go_on));
            let untried: Vec<usize> = (0..answers.len())
                .filter(|index| answers[*index].is_none())
                .collect();
            let is_kept = kept.is_some();
            let index = match (kept.take(), weights) {
                (Some(kept), _) => kept,
                (None, _) if untried.is_empty() => {
                    return if went_on { go_on } else { Status::Skipped };
                }
                (None, Some(weights)) => match self.draw_weighted(node, weights, &untried) {
                    Some(drawn) => drawn,
                    None => return go_on,
                },
                (None, None) => untried[self.draw(node).below(untried.len() as u32) as usize],
            };
            self.pass_by(&children[..index], leaves);
            if !is_kept {
                self.pass_by(&children[index + 1..], leaves);
            }
            let answer = self.visit(children[index], leaves);
            if answer == Status::Skipped {
                self.abort_node(children[index], leaves);
            }
            let is_over = answer.is_end() && answer != go_on;
            if is_over {
                return answer;
            }
            self.pass_by(&children[index + 1..], leaves);
            if answer == Status::Running {
                return answer;
            }
            self.memory(node).answers[index] = Some(answer);
        }
    }

    /// Draws among all children, once in a tick, until one answers something other than `go_on` or skipped.
    fn visit_with_replacement(
        &mut self,
        node: NodeId,
        go_on: Status,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let kept = children.iter().position(|child| self.is_live(*child));
        let index = match kept {
            Some(kept) => kept,
            None => self.draw(node).below(children.len() as u32) as usize,
        };
        self.pass_by(&children[..index], leaves);
        if kept.is_none() {
            self.pass_by(&children[index + 1..], leaves);
        }
        let answer = self.visit(children[index], leaves);
        if answer == Status::Skipped {
            self.abort_node(children[index], leaves);
        }
        let is_over = answer.is_end() && answer != go_on;
        self.memory(node).open = !is_over;
        if is_over {
            return answer;
        }
        self.pass_by(&children[index + 1..], leaves);
        Status::Running
    }

    /// The next child to try, in proportion to the current weights; `None` when no weight is above zero.
    pub(super) fn draw_weighted(
        &mut self,
        node: NodeId,
        weights: &[Expr],
        untried: &[usize],
    ) -> Option<usize> {
        let mut weighed = Vec::new();
        for &index in untried {
            let weight = match self.eval_at(node, &weights[index]) {
                Some(Value::Double(weight)) if weight > 0.0 && weight.is_finite() => weight,
                _ => 0.0,
            };
            weighed.push((index, weight));
        }
        let total: f64 = weighed.iter().map(|(_, weight)| weight).sum();
        if total == 0.0 {
            return None;
        }
        weighed.retain(|(_, weight)| *weight > 0.0);
        let mut rest = self.draw_share(node) * total;
        for (index, weight) in &weighed {
            if *weight > rest {
                return Some(*index);
            }
            rest -= weight;
        }
        weighed.last().map(|(index, _)| *index)
    }

    /// The node's next draw as a number from 0 to below 1.
    pub(super) fn draw_share(&mut self, node: NodeId) -> f64 {
        share_of(self.draw(node))
    }

    pub(super) fn visit_chance(
        &mut self,
        node: NodeId,
        probability: &Expr,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let child = self.behaviour.node(node).children[0];
        if !self.is_live(child) {
            let is_run = match self.double_at(node, probability) {
                Some(probability) => self.draw_share(node) < probability,
                None => false,
            };
            if !is_run {
                return self.answer_alone(node, Status::Failure, leaves);
            }
        }
        self.visit(child, leaves)
    }
}

/// A draw as a number from 0 to below 1.
pub(super) fn share_of(draw: Draw) -> f64 {
    (draw.bits() >> 11) as f64 / (1u64 << 53) as f64
}
