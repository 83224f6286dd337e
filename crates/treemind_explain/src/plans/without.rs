//! What a step of a plan is for: what becomes of the rest of the plan without it.

use super::Prospect;
use super::parts::{Part, at_goal, at_step};
use crate::say;
use crate::words::{Join, Words};
use treemind_core::behaviour::{Aim, effects};
use treemind_core::planning::COST_SCALE;

/// What becomes of a plan without one of its steps.
enum Without {
    /// Something does not hold that must: the first, and behind steps, what the goal wants.
    Lacks(Part, Option<Part>),
    /// A later step has no cost there, or cannot be carried out.
    Unusable(Words),
    /// Later steps cost more: each with its cost in the plan, and without the step.
    Dearer(Vec<(usize, u64, u64)>),
}

impl Prospect<'_> {
    /// What a step of a plan is for.
    pub(super) fn why_step(&self, goal: usize, steps: &[usize], at: usize) -> Words {
        let step = self.step_name(steps[at]);
        match self.without_step(goal, steps, at) {
            Without::Lacks(part, of_goal) => {
                let text = self.part(&part.expr);
                let goal = self.goal_name(goal);
                match (part.step, of_goal) {
                    (Some(other), None) => {
                        let other = self.step_name(other);
                        say!(StepForStep, step, other, part = text)
                    }
                    (Some(other), Some(more)) => {
                        let (other, wanted) = (self.step_name(other), self.part(&more.expr));
                        say!(StepForBoth, step, other, part = text, goal, wanted)
                    }
                    (None, _) => say!(StepForGoal, step, goal, part = text),
                }
            }
            Without::Unusable(what) => say!(StepOtherwise, step, what),
            // What a task does is the author's word, whatever it costs.
            _ if self.domain.is_task(goal) => say!(StepOfMethod, step),
            Without::Dearer(costs) => {
                let costs = costs.into_iter().map(|(other, with, without)| {
                    let [cost, other_cost] =
                        [with, without].map(|cost| Words::plain(cost as f64 / COST_SCALE));
                    say!(
                        CostsInstead,
                        step = self.step_name(other),
                        cost,
                        other = other_cost
                    )
                });
                say!(
                    StepMakesCost,
                    step,
                    costs = Words::several(Join::And, costs)
                )
            }
        }
    }

    /// What a step of a plan gives of which the rest makes use.
    pub(super) fn given_by(&self, goal: usize, steps: &[usize], at: usize) -> Option<Part> {
        match self.without_step(goal, steps, at) {
            Without::Lacks(part, _) => Some(part),
            Without::Unusable(_) | Without::Dearer(_) => None,
        }
    }

    /// Follows a plan without one of its steps.
    fn without_step(&self, goal: usize, steps: &[usize], left_out: usize) -> Without {
        let later = &steps[left_out + 1..];
        let mut parts: Vec<Vec<Part>> = later
            .iter()
            .map(|step| at_step(*step, self.children[*step].0))
            .collect();
        parts.push(match &self.planner.goals[goal].aim {
            Aim::Wants(wants) => at_goal(wants),
            Aim::Does(_) => Vec::new(),
        });
        let all = parts.iter().flatten();
        let (domain, mut with) = self.asking(all.map(|part| part.expr.clone()));
        for step in &steps[..left_out] {
            domain.apply(*step, &mut with);
        }
        let mut here = with.clone();
        domain.apply(steps[left_out], &mut with);
        let mut number = self.planner.goals.len();
        let mut dearer = Vec::new();
        let mut lacks: Option<Part> = None;
        for (at, parts) in parts.into_iter().enumerate() {
            for part in parts {
                if !domain.is_met(number, &here) && (lacks.is_none() || part.step.is_none()) {
                    match lacks {
                        Some(first) => return Without::Lacks(first, Some(part)),
                        None => lacks = Some(part),
                    }
                }
                number += 1;
            }
            let Some(step) = later.get(at).copied() else {
                continue;
            };
            if let Some(first) = lacks {
                if !domain.apply(step, &mut here) {
                    return Without::Lacks(first, None);
                }
                lacks = Some(first);
                continue;
            }
            match (domain.cost(step, &with), domain.cost(step, &here)) {
                (Some(_), None) => return Without::Unusable(self.cost_said(step, &here)),
                (Some(cost), Some(other)) if cost < other => {
                    let found = (step, cost, other);
                    if !dearer.contains(&found) {
                        dearer.push(found);
                    }
                }
                _ => {}
            }
            domain.apply(step, &mut with);
            if let Some(words) = self.effect_said(step, &here) {
                return Without::Unusable(words);
            }
            domain.apply(step, &mut here);
        }
        match lacks {
            Some(part) => Without::Lacks(part, None),
            None => Without::Dearer(dearer),
        }
    }

    /// The first statement of a step that cannot be carried out in a situation, and what goes wrong there.
    pub(super) fn effect_said(&self, step: usize, here: &[u64]) -> Option<Words> {
        let mut here = here.to_vec();
        let nth = self.domain.stuck_effect(step, &mut here)?;
        let mut all = effects(&self.planner.steps[step], self.children[step].1);
        let assign = all.nth(nth)?;
        let fault = self.fault(&assign.value, &here)?;
        Some(say!(
            EffectHasFault,
            step = self.step_name(step),
            effect = self.statements(std::iter::once(assign)),
            fault = Words::wrong(&fault)
        ))
    }
}
