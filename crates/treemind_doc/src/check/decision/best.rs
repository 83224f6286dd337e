//! `best`: the state with the highest score.

use super::super::Checker;
use super::super::line::Line;
use super::super::reading::finish_in;
use super::tests::UNKNOWN;
use super::{Draft, Goal, Item, Open};
use crate::code::Code;
use crate::language::Spot;
use crate::said;
use crate::syntax::Node;
use treemind_core::behaviour::{Decision, DecisionStep, StateIndex, Way};
use treemind_core::{Expr, Value};

impl<'s> Checker<'s> {
    /// `best hysteresis=EXPR { option SCORE { state NAME; } … }`
    pub(super) fn best_step(
        &mut self,
        draft: &mut Draft<'s>,
        part: usize,
        node: &'s Node,
    ) -> Option<Item> {
        let mut line = Line::new(node, self.sink);
        line.no_values(self.sink);
        line.flag("disabled", self.sink);
        let hysteresis = match line.property("hysteresis") {
            Some(entry) => self.not_negative(entry, &said!("`hysteresis`")),
            None => Some(Expr::Value(Value::Double(0.0))),
        };
        finish_in(line, Spot::Decision, self.sink);
        if draft.states.is_none() {
            let message = said!("`best` is for decision trees that lead to states");
            let span = node.name.span.clone();
            self.sink
                .error(Code::MisplacedNode, span, message)
                .with_help(said!("among tasks, a `utility-selector` chooses by scores"));
            return None;
        }
        let (options, mut goals) = self.options(draft, part, node)?;
        let last = goals.len();
        goals.push(Goal::None);
        let step = DecisionStep::Best {
            // Which states they lead to is known when the machine is.
            held: vec![Expr::Value(Value::Bool(false)); options.len()],
            options,
            hysteresis: hysteresis?,
            otherwise: UNKNOWN,
        };
        let step = draft.step(step, goals, node);
        Some(Item {
            goal: Goal::Step(step),
            open: Some(Open::Way(step, last)),
        })
    }
}

/// Says of each option of a `best` when it is held: while a state that it leads to is active. `targets` are the states
/// of each leaf; of several, all have to be active.
pub(in crate::check) fn hold(decision: &mut Decision, targets: &[Vec<StateIndex>]) {
    for step in 0..decision.steps.len() {
        let DecisionStep::Best { options, .. } = &decision.steps[step] else {
            continue;
        };
        let all = options.iter().map(|(_, way)| {
            let leaves = leaves_of(decision, *way);
            let leaves = leaves.into_iter().map(|leaf| {
                let active = targets[leaf].iter().map(|state| Expr::Active(*state));
                joined(active.collect(), &Expr::And)
            });
            joined(leaves.collect(), &Expr::Or)
        });
        let all = all.collect();
        if let DecisionStep::Best { held, .. } = &mut decision.steps[step] {
            *held = all;
        }
    }
}

/// The leaves that a way may lead to.
fn leaves_of(decision: &Decision, way: Way) -> Vec<usize> {
    let (mut leaves, mut seen, mut pending) =
        (Vec::new(), vec![false; decision.steps.len()], vec![way]);
    while let Some(way) = pending.pop() {
        match way {
            Way::Leaf(leaf) if !leaves.contains(&leaf) => leaves.push(leaf),
            Way::Step(step) if !std::mem::replace(&mut seen[step], true) => {
                pending.extend(decision.steps[step].ways());
            }
            Way::Leaf(_) | Way::Step(_) | Way::None => {}
        }
    }
    leaves.sort_unstable();
    leaves
}

/// All of them in one expression, which is as shallow as it can be. None is `false`.
fn joined(mut all: Vec<Expr>, join: &dyn Fn(Box<Expr>, Box<Expr>) -> Expr) -> Expr {
    while all.len() > 1 {
        let mut pairs = Vec::with_capacity(all.len().div_ceil(2));
        let mut rest = all.into_iter();
        while let Some(one) = rest.next() {
            pairs.push(match rest.next() {
                Some(other) => join(Box::new(one), Box::new(other)),
                None => one,
            });
        }
        all = pairs;
    }
    let only = all.pop();
    only.unwrap_or(Expr::Value(Value::Bool(false)))
}
