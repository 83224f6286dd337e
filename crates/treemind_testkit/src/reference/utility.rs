//! `utility-selector`: scores, and the choice between them.

use super::{Leaves, Reference};
use treemind_core::behaviour::{Combine, Consideration, Policy, Score, Scoring};
use treemind_core::{Event, Expr, FaultKind, KeyId, NodeId, Status, Type, Value};

/// The options of a `utility-selector`.
#[derive(Clone, Copy)]
pub(super) struct Utility<'a> {
    pub(super) scores: &'a [Score],
    pub(super) policy: Policy,
    pub(super) hysteresis: &'a Expr,
    pub(super) reactive: bool,
    pub(super) fails: bool,
}

impl Reference<'_> {
    pub(super) fn visit_utility(
        &mut self,
        node: NodeId,
        utility: Utility<'_>,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let live = children.iter().position(|child| self.is_live(*child));
        if live.is_none() {
            self.memory(node).answers = vec![None; children.len()];
            self.memory(node).count = 0;
        }
        let (mut next, mut is_kept) = match live {
            Some(live) if !utility.reactive => (Some(live), true),
            Some(live) => {
                let scores = self.look_at_all(node, utility);
                let hysteresis = self.hysteresis(node, utility.hysteresis);
                let stays = self.stays(node, utility, &scores, live, hysteresis);
                if stays {
                    (Some(live), true)
                } else {
                    (self.choose_by_score(node, utility, &scores), false)
                }
            }
            None => {
                let scores = self.look_at_all(node, utility);
                (self.choose_by_score(node, utility, &scores), false)
            }
        };
        loop {
            let Some(index) = next else {
                for child in children {
                    self.abort_node(*child, leaves);
                }
                return Status::Failure;
            };
            if is_kept {
                self.pass_by(&children[..index], leaves);
            } else {
                for (other, child) in children.iter().enumerate() {
                    if other != index {
                        self.abort_node(*child, leaves);
                    }
                }
            }
            let answer = self.visit(children[index], leaves);
            if answer == Status::Skipped {
                self.abort_node(children[index], leaves);
            }
            if answer == Status::Success || answer == Status::Failure && utility.fails {
                return answer;
            }
            self.pass_by(&children[index + 1..], leaves);
            if answer == Status::Running {
                return answer;
            }
            self.memory(node).answers[index] = Some(answer);
            if answer == Status::Failure {
                self.memory(node).count += 1;
            }
            if self.memory(node).answers.iter().all(Option::is_some) {
                let any_failed = self.memory(node).count > 0;
                return if any_failed {
                    Status::Failure
                } else {
                    Status::Skipped
                };
            }
            let mut scores = Vec::new();
            for (index, score) in utility.scores.iter().enumerate() {
                let is_tried = self.memory(node).answers[index].is_some();
                scores.push(if is_tried {
                    0.0
                } else {
                    self.score(node, index, score)
                });
            }
            next = self.choose_by_score(node, utility, &scores);
            is_kept = false;
        }
    }

    /// The scores at the beginning of a visit: children that had no score may be tried again.
    fn look_at_all(&mut self, node: NodeId, utility: Utility<'_>) -> Vec<f64> {
        let mut scores = Vec::new();
        for (index, score) in utility.scores.iter().enumerate() {
            let score = self.score(node, index, score);
            if score == 0.0 {
                self.memory(node).answers[index] = None;
            }
            scores.push(score);
        }
        scores
    }

    pub(super) fn hysteresis(&mut self, node: NodeId, hysteresis: &Expr) -> f64 {
        match self.double_at(node, hysteresis) {
            Some(hysteresis) if hysteresis.is_finite() && hysteresis >= 0.0 => hysteresis,
            Some(_) => {
                self.fault(node, FaultKind::BadScore);
                0.0
            }
            None => 0.0,
        }
    }

    /// Whether the running child stays.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn stays(
        &mut self,
        node: NodeId,
        utility: Utility<'_>,
        scores: &[f64],
        live: usize,
        hysteresis: f64,
    ) -> bool {
        let answers = &self.memory(node).answers;
        let exceeding = (0..scores.len())
            .filter(|other| *other != live && answers[*other].is_none())
            .filter(|other| scores[*other] > scores[live] + hysteresis)
            .count();
        scores[live] > 0.0
            && match utility.policy {
                Policy::Highest => exceeding == 0,
                Policy::Top(best) => exceeding < best as usize,
                Policy::WeightedRandom => true,
                _ => treemind_core::unlisted(&utility.policy),
            }
    }

    /// The next child, among those that were not tried and have a score.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn choose_by_score(
        &mut self,
        node: NodeId,
        utility: Utility<'_>,
        scores: &[f64],
    ) -> Option<usize> {
        let answers = &self.memory(node).answers;
        let mut best: Vec<usize> = (0..scores.len())
            .filter(|index| answers[*index].is_none() && scores[*index] > 0.0)
            .collect();
        // Equal scores stay in order.
        best.sort_by(|left, right| scores[*right].total_cmp(&scores[*left]));
        match utility.policy {
            Policy::Highest | Policy::Top(1) => return best.first().copied(),
            // With a single child there is no choice, so nothing is drawn.
            Policy::WeightedRandom if scores.len() == 1 => return best.first().copied(),
            Policy::WeightedRandom => {}
            Policy::Top(number) => best.truncate(number as usize),
            _ => treemind_core::unlisted(&utility.policy),
        }
        if best.is_empty() {
            return None;
        }
        best.sort_unstable();
        let total: f64 = best.iter().map(|index| scores[*index]).sum();
        let mut rest = self.draw_share(node) * total;
        for index in &best {
            if scores[*index] > rest {
                return Some(*index);
            }
            rest -= scores[*index];
        }
        best.last().copied()
    }

    /// The current score of a child.
    fn score(&mut self, node: NodeId, index: usize, score: &Score) -> f64 {
        let made = self.made_score(node, score);
        let child = self.behaviour.node(node).children[index];
        self.report(child, Event::Score((made as f32).to_bits()));
        made
    }

    /// The current score of a goal of a planner.
    pub(super) fn goal_score(&mut self, node: NodeId, goal: usize, score: &Score) -> f64 {
        let made = self.made_score(node, score);
        let event = Event::GoalScore(goal as u32);
        self.report_also(node, event, Some(Value::Double(made)));
        made
    }

    /// Writes a score to a key; returns whether there was one.
    pub(super) fn rate(&mut self, node: NodeId, key: KeyId, score: &Score) -> bool {
        self.read_for_score(node, score);
        let made = match self.score_itself(node, score) {
            Some(made) if made.is_finite() => made,
            Some(_) => {
                self.fault(node, FaultKind::BadRating);
                return false;
            }
            None => return false,
        };
        let made = if made > 0.0 { made } else { 0.0 };
        self.report(node, Event::Score((made as f32).to_bits()));
        let value = match self.behaviour.key(key).ty {
            Type::Float => Value::Float(made as f32),
            _ => Value::Double(made),
        };
        self.set(node, key, value);
        self.report(node, Event::Write);
        true
    }

    fn read_for_score(&mut self, node: NodeId, score: &Score) {
        let mut keys = Vec::new();
        for expr in score.exprs() {
            expr.for_each_key(&mut |key| {
                self.ask_for(node, key);
                if !keys.contains(&key) {
                    keys.push(key);
                }
            });
        }
        self.report_reads(node, &keys);
        self.report_times(node, score.exprs());
    }

    /// A score, 0 if it is not above 0 or not finite.
    fn made_score(&mut self, node: NodeId, score: &Score) -> f64 {
        self.read_for_score(node, score);
        let made = match self.score_itself(node, score) {
            Some(made) if made.is_finite() => made.max(0.0),
            Some(_) => {
                self.fault(node, FaultKind::BadScore);
                0.0
            }
            None => 0.0,
        };
        // Anything that is not above zero is zero, including minus zero.
        if made > 0.0 { made } else { 0.0 }
    }

    /// `None` after a fault in an expression.
    fn score_itself(&mut self, node: NodeId, score: &Score) -> Option<f64> {
        self.score_by(score, &mut |reference, expr| {
            reference.part_of_score(node, expr)
        })
    }

    /// The same, given how each number in it is read.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(super) fn score_by(
        &mut self,
        score: &Score,
        read: &mut dyn FnMut(&mut Self, &Expr) -> Option<f64>,
    ) -> Option<f64> {
        let made = match &score.made {
            Scoring::Expr(expr) => read(self, expr)?,
            Scoring::Combined(combine, considerations) => {
                let mut considered = Vec::new();
                for Consideration { of, curve, weight } in considerations {
                    let of = read(self, of)?;
                    let weight = match weight {
                        Some(weight) => read(self, weight)?.clamp(0.0, 1.0),
                        None => 1.0,
                    };
                    considered.push([curve.value(of), weight]);
                }
                combined(*combine, &considered)
            }
            _ => treemind_core::unlisted(&score.made),
        };
        match &score.weight {
            Some(weight) => Some(made * read(self, weight)?),
            None => Some(made),
        }
    }

    /// A number that a score is made of; a trace has only the score.
    fn part_of_score(&mut self, node: NodeId, expr: &Expr) -> Option<f64> {
        match self.eval_unreported(node, expr)? {
            Value::Double(value) => Some(value),
            other => unreachable!("{other} is no double"),
        }
    }
}

#[warn(clippy::wildcard_enum_match_arm)]
fn combined(combine: Combine, considered: &[[f64; 2]]) -> f64 {
    if considered.iter().flatten().any(|number| number.is_nan()) {
        return f64::NAN;
    }
    let number = considered.len() as f64;
    let factors = considered.iter().map(|[c, w]| c + (1.0 - w) * (1.0 - c));
    match combine {
        Combine::Product { compensated } if compensated => factors
            .map(|f| f + (1.0 - f) * (1.0 - 1.0 / number) * f)
            .reduce(|left, right| left * right),
        Combine::Product { .. } => factors.reduce(|left, right| left * right),
        Combine::Min => factors.reduce(f64::min),
        Combine::Max => considered.iter().map(|[c, w]| c * w).reduce(f64::max),
        Combine::Average => {
            let sum: f64 = considered.iter().map(|[c, w]| c * w).sum();
            let weights: f64 = considered.iter().map(|[_, w]| w).sum();
            Some(sum / weights)
        }
        _ => treemind_core::unlisted(&combine),
    }
    .expect("there is a consideration")
}
