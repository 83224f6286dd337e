//! Decision trees.

use super::{Leaves, Reference};
use treemind_core::behaviour::{Decision, DecisionStep, Lasts, Way};
use treemind_core::{Event, Expr, NodeId, Status, Value};

/// A draw that is being kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    /// The option that was drawn.
    option: usize,
    /// The tick in which it was drawn.
    tick: u64,
    /// The last tick that reached the test.
    reached: u64,
    /// The clock at which the draw expires.
    until_ns: Option<u128>,
}

impl<'b> Reference<'b> {
    pub(super) fn visit_decision(
        &mut self,
        node: NodeId,
        decision: &'b Decision,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let children = &self.behaviour.node(node).children;
        let asked = decision.asked(children.len());
        let chosen = self.lead_down(node, decision, 0, leaves);
        for (index, child) in children.iter().enumerate() {
            if Some(index) != chosen && !asked[index] {
                self.abort_node(*child, leaves);
            }
        }
        match chosen {
            Some(chosen) => self.visit_branch(children[chosen], leaves),
            None => Status::Failure,
        }
    }

    /// The leaf that the tests lead to, if any, starting from the given test.
    pub(super) fn lead_down(
        &mut self,
        node: NodeId,
        decision: &'b Decision,
        first_step: usize,
        leaves: &mut dyn Leaves,
    ) -> Option<usize> {
        let mut way = decision.first;
        loop {
            match way {
                Way::Leaf(leaf) => return Some(leaf),
                Way::None => return None,
                Way::Step(step) => {
                    let number = first_step + step;
                    let step = &decision.steps[step];
                    let taken = self.decide(node, number, step, leaves);
                    self.report(node, Event::Branch(number as u32, taken as u32));
                    way = step.ways()[taken];
                }
            }
        }
    }

    /// The way that a test takes.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn decide(
        &mut self,
        node: NodeId,
        number: usize,
        step: &'b DecisionStep,
        leaves: &mut dyn Leaves,
    ) -> usize {
        match step {
            DecisionStep::Test { test, .. } => usize::from(!self.is_so(node, test)),
            DecisionStep::Ask { child, .. } => {
                let child = self.behaviour.node(node).children[*child];
                let answer = self.visit(child, leaves);
                self.abort_node(child, leaves);
                usize::from(answer != Status::Success)
            }
            DecisionStep::Switch { cases, .. } => {
                let holding = cases.iter().position(|(case, _)| self.is_so(node, case));
                holding.unwrap_or(cases.len())
            }
            DecisionStep::Random { options, lasts, .. } => {
                let drawn = self.drawn(node, number, options, lasts);
                drawn.unwrap_or(options.len())
            }
            DecisionStep::Best {
                options,
                held,
                hysteresis,
                ..
            } => {
                let best = self.best(node, options, held, hysteresis);
                best.unwrap_or(options.len())
            }
            _ => treemind_core::unlisted(&step),
        }
    }

    /// The option that is chosen by the scores.
    fn best(
        &mut self,
        node: NodeId,
        options: &[(Expr, Way)],
        held: &[Expr],
        hysteresis: &Expr,
    ) -> Option<usize> {
        let mut scores = Vec::new();
        for (score, _) in options {
            let score = self.number_at(node, score, |score| score.is_finite());
            scores.push(score.max(0.0));
        }
        let held: Vec<bool> = held.iter().map(|held| self.is_so(node, held)).collect();
        let mut margin = 0.0;
        if held.contains(&true) {
            margin = self.number_at(node, hysteresis, |one| (0.0..=f64::MAX).contains(&one));
        }
        for (option, score) in scores.iter().enumerate() {
            let is_exceeded =
                (0..scores.len()).any(|other| other != option && scores[other] > score + margin);
            if held[option] && *score > 0.0 && !is_exceeded {
                return Some(option);
            }
        }
        let mut best: Option<usize> = None;
        for (option, score) in scores.iter().enumerate() {
            let is_better = best.is_none_or(|best| *score > scores[best]);
            if *score > 0.0 && is_better {
                best = Some(option);
            }
        }
        best
    }

    /// The value of a `double` expression, 0 after a fault, or with one if it does not fit.
    fn number_at(&mut self, node: NodeId, expr: &Expr, fits: impl Fn(f64) -> bool) -> f64 {
        match self.eval_at(node, expr) {
            Some(Value::Double(value)) if fits(value) => value,
            Some(_) => {
                self.fault(node, treemind_core::FaultKind::BadScore);
                0.0
            }
            None => 0.0,
        }
    }

    fn is_so(&mut self, node: NodeId, test: &Expr) -> bool {
        self.eval_at(node, test) == Some(Value::Bool(true))
    }

    /// The option that is kept, or a new draw.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn drawn(
        &mut self,
        node: NodeId,
        number: usize,
        options: &[(Expr, Way)],
        lasts: &Lasts,
    ) -> Option<usize> {
        let (now, tick, previous) = (self.now(), self.tick, self.own_ticks[1]);
        if let Some(drawn) = self.lasting(node).drawn.get_mut(&number) {
            let is_over = match lasts {
                Lasts::Always => false,
                Lasts::Secs(_) => drawn.until_ns.is_some_and(|until| now >= until),
                Lasts::Ticks(ticks) => tick - drawn.tick >= u64::from(*ticks),
                _ => treemind_core::unlisted(&lasts),
            };
            if drawn.reached >= previous && !is_over {
                drawn.reached = tick;
                return Some(drawn.option);
            }
        }
        self.lasting(node).drawn.remove(&number);
        let weights: Vec<Expr> = options.iter().map(|(weight, _)| weight.clone()).collect();
        let all: Vec<usize> = (0..options.len()).collect();
        let option = self.draw_weighted(node, &weights, &all)?;
        let until_ns = match lasts {
            Lasts::Secs(secs) => self.duration_at(node, secs).map(|nanos| now + nanos),
            Lasts::Always | Lasts::Ticks(_) => None,
            _ => treemind_core::unlisted(&lasts),
        };
        let drawn = Drawn {
            option,
            tick,
            reached: tick,
            until_ns,
        };
        self.lasting(node).drawn.insert(number, drawn);
        Some(option)
    }
}
