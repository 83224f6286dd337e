//! Costs that are none: below 0, or not to be computed.

use super::why::keys_of;
use super::{Planned, Prospect, search};
use crate::say;
use crate::words::{Join, Words};
use treemind_core::behaviour::Aim;
use treemind_core::planning::{Desk, Domain, StepSet};

/// A step whose cost is none in a situation.
pub(super) struct Costless {
    pub(super) step: usize,
    /// The steps that lead to the situation.
    pub(super) after: Vec<usize>,
    pub(super) here: Vec<u64>,
}

impl Prospect<'_> {
    /// The steps that a plan does without and the search for it could have used but for their costs: what each cost is, where
    /// that came up first.
    pub fn unusable(&self, goal: usize, plan: &Planned) -> Vec<Words> {
        let steps = self.costless(goal).into_iter();
        let others = steps.filter(|one| !plan.steps.contains(&one.step));
        others.map(|one| self.cost_words(&one)).collect()
    }

    /// What the cost of a step is, where the search for a goal could not use it.
    pub(crate) fn unusable_step(&self, goal: usize, step: usize) -> Option<Words> {
        let mut steps = self.costless(goal).into_iter();
        let found = steps.find(|one| one.step == step)?;
        let words = self.cost_words(&found);
        let is_used = (self.find(goal)).is_some_and(|plan| plan.steps.contains(&step));
        Some(match is_used && found.after.is_empty() {
            true => say!(AtFirst, what = words),
            false => words,
        })
    }

    pub(super) fn costless(&self, goal: usize) -> Vec<Costless> {
        let mut desk = Desk::default();
        (self.domain).search(goal, &self.facts, self.left_out, u32::MAX, &mut desk);
        if desk.bad_costs == StepSet::default() {
            return self.costless_on_the_way(goal);
        }
        if let Aim::Does(task) = self.planner.goals[goal].aim {
            return self.deepest(task).costless;
        }
        let steps = 0..self.planner.steps.len();
        let bad = steps.filter(|step| desk.bad_costs.has(*step));
        let found = bad.filter_map(|step| {
            let mut situations = 0..desk.situations().len();
            let at = situations.find(|at| {
                let here = desk.facts(*at);
                self.domain.is_usable(step, &here)
                    && self.domain.cost(step, &here).is_none()
                    && self.domain.apply(step, &mut here.clone())
            })?;
            let (mut after, mut place) = (Vec::new(), at);
            while let Some((before, step)) = desk.situations().nth(place)?.from {
                after.push(step);
                place = before;
            }
            after.reverse();
            Some(Costless {
                step,
                after,
                here: desk.facts(at),
            })
        });
        found.collect()
    }

    /// A search looks at nothing where it is clear from the beginning that no step with a cost leads to the goal. So these
    /// are the steps without one in the plan that there would be if costs did not count.
    fn costless_on_the_way(&self, goal: usize) -> Vec<Costless> {
        let mut planner = self.planner.clone();
        planner.steps.iter_mut().for_each(|step| step.cost = None);
        let free = Domain::of(self.behaviour, &planner, &self.children);
        let is_wanted = matches!(self.planner.goals[goal].aim, Aim::Wants(_));
        if !is_wanted
            || search(&self.domain, goal, &self.facts, self.left_out, u32::MAX)
                .0
                .is_ok()
        {
            return Vec::new();
        }
        let facts = self.facts_in(&free);
        let Ok(plan) = search(&free, goal, &facts, self.left_out, u32::MAX).0 else {
            return Vec::new();
        };
        let (mut here, mut found) = (self.facts.clone(), Vec::new());
        for (at, step) in plan.steps.iter().enumerate() {
            if self.domain.cost(*step, &here).is_none() {
                found.push(Costless {
                    step: *step,
                    after: plan.steps[..at].to_vec(),
                    here: here.clone(),
                });
            }
            if !self.domain.apply(*step, &mut here) {
                break;
            }
        }
        found
    }

    pub(super) fn cost_words(&self, one: &Costless) -> Words {
        let words = self.cost_said(one.step, &one.here);
        match one.after.is_empty() {
            true => words,
            false => say!(AfterSteps, steps = self.steps(&one.after), what = words),
        }
    }

    /// What the cost of a step is, where it is none.
    pub(super) fn cost_said(&self, step: usize, here: &[u64]) -> Words {
        let name = self.step_name(step);
        let Some(expr) = &self.planner.steps[step].cost else {
            return say!(StepHasNoCost, step = name);
        };
        let cost = self.part(expr);
        if let Some(value) = self.domain.raw_cost(step, here) {
            return say!(
                CostIs,
                step = name,
                cost,
                value = Words::value(value.to_string())
            );
        }
        let words = say!(CostIsNone, step = name, cost);
        let keys = keys_of(expr).into_iter();
        let facts = keys.map(|key| self.key_is(key, self.domain.value(here, key)));
        let facts: Vec<Words> = facts.collect();
        match facts.is_empty() {
            true => words,
            false => say!(
                Colon,
                one = words,
                more = Words::several(Join::Clauses, facts)
            ),
        }
    }

    /// The plan that there would be if these steps had costs.
    pub(super) fn with_costs(&self, goal: usize, steps: &[Costless]) -> Option<Planned> {
        let mut planner = self.planner.clone();
        for one in steps {
            planner.steps[one.step].cost = None;
        }
        let domain = Domain::of(self.behaviour, &planner, &self.children);
        let facts = self.facts_in(&domain);
        search(&domain, goal, &facts, self.left_out, u32::MAX)
            .0
            .ok()
    }
}
