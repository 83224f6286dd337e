//! Whether steps bring about what does not hold, and what takes away again what holds.

use super::parts::Part;
use super::{Planned, Prospect, search};
use crate::words::Words;
use std::collections::BTreeSet;
use treemind_core::behaviour::{Guards, Hooks, MAX_PLAN_STEPS, effects};
use treemind_core::expr::Assign;
use treemind_core::planning::{Domain, NoPlan};
use treemind_core::{Expr, Held, KeyId};

/// How often a step is carried out to see whether it leads towards what is missing.
const LONG: u32 = 4_096;

/// Whether steps bring about what does not hold, whatever they need themselves.
pub(super) enum Giving {
    /// They do.
    Given,
    /// They do not, however often they are carried out.
    Never,
    /// A step might, but what it does has a fault.
    Faulty(Words),
    /// Nothing is known of it: they lead too far.
    Unknown,
}

/// How many situations are looked at to see what steps bring about together.
const TOGETHER: u32 = 256;

impl Giving {
    pub(super) fn is_given(&self) -> bool {
        matches!(self, Self::Given)
    }
}

impl Prospect<'_> {
    /// Whether steps bring about what does not hold in a situation. A step alone is carried out again and again; then all
    /// that has to do with it are tried together, as far as they change what it reads.
    pub(super) fn giving(&self, part: &Expr, from: &[u64]) -> Giving {
        let own = self.planner.goals.len();
        let (domain, _) = self.asking([part.clone()]);
        let gives = |step: usize| {
            let mut here = from.to_vec();
            for _ in 0..LONG {
                if !domain.apply(step, &mut here) {
                    return false;
                }
                if domain.is_met(own, &here) {
                    return true;
                }
            }
            false
        };
        let usable = || (0..self.planner.steps.len()).filter(|step| !self.left_out.has(*step));
        if usable().any(gives) {
            return Giving::Given;
        }
        let relevant = self.relevant(part);
        let writers: Vec<usize> = usable()
            .filter(|step| !relevant[*step].is_empty())
            .collect();
        let found = match writers.len() {
            // Alone, it has just been tried.
            0 | 1 => Giving::Never,
            _ => self.given_together(part, relevant, from),
        };
        if found.is_given() {
            return found;
        }
        let mut faulty = (writers.iter()).filter_map(|step| self.effect_said(*step, from));
        faulty.next().map_or(found, Giving::Faulty)
    }

    /// Of each step, the statements that have to do with what an expression reads.
    fn relevant(&self, part: &Expr) -> Vec<Vec<Assign>> {
        let mut keys: BTreeSet<KeyId> = BTreeSet::new();
        part.for_each_key(&mut |key| {
            keys.insert(key);
        });
        let all = |step: usize| effects(&self.planner.steps[step], self.children[step].1);
        loop {
            let known = keys.len();
            for step in 0..self.planner.steps.len() {
                let those: Vec<&Assign> = all(step).filter(|one| keys.contains(&one.key)).collect();
                for assign in those {
                    assign.value.for_each_key(&mut |key| {
                        keys.insert(key);
                    });
                }
            }
            if keys.len() == known {
                break;
            }
        }
        let statements = (0..self.planner.steps.len()).map(|step| {
            let those = all(step).filter(|one| keys.contains(&one.key));
            those.cloned().collect()
        });
        statements.collect()
    }

    /// Whether steps bring something about together, when each has nothing but these statements.
    fn given_together(&self, part: &Expr, statements: Vec<Vec<Assign>>, from: &[u64]) -> Giving {
        let mut planner = self.planner.clone();
        planner.max_expansions = TOGETHER;
        planner.max_steps = MAX_PLAN_STEPS;
        for (step, gives) in planner.steps.iter_mut().zip(statements) {
            (step.gives, step.cost) = (gives, None);
        }
        planner.goals.push(super::wanting(part.clone()));
        let goal = planner.goals.len() - 1;
        let none = (Guards::default(), Hooks::default());
        let children = vec![(&none.0, &none.1); self.children.len()];
        let domain = Domain::of(self.behaviour, &planner, &children);
        let mut facts = vec![0; domain.words()];
        domain.read(&mut facts, 0, |key| {
            let value = self.value(key).and(self.domain.value(from, key));
            value.map_or(Held::Unset, Held::One)
        });
        match search(&domain, goal, &facts, self.left_out, u32::MAX).0 {
            Ok(_) => Giving::Given,
            Err(NoPlan::None) => Giving::Never,
            Err(NoPlan::Limit) => Giving::Unknown,
        }
    }

    /// The step of a plan that takes away a part, of which the plan counts on, with the situation after it: by its position
    /// in the plan. `None` if the part did not hold before.
    pub(super) fn taken_away(&self, part: &Part, plan: &Planned) -> Option<(usize, Vec<u64>)> {
        let own = self.planner.goals.len();
        let (domain, _) = self.asking([part.expr.clone()]);
        let mut here = self.facts.clone();
        let mut holds = domain.is_met(own, &here);
        let mut taken = None;
        for (at, step) in plan.steps.iter().enumerate() {
            if part.step == Some(*step) && !holds {
                return taken;
            }
            domain.apply(*step, &mut here);
            let held = std::mem::replace(&mut holds, domain.is_met(own, &here));
            if held && !holds {
                taken = Some((at, here.clone()));
            }
        }
        taken.filter(|_| part.step.is_none() && !holds)
    }
}
