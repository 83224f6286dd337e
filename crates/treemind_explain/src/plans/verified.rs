//! Whether what is named as the one cause is one: the search is made again where just that is otherwise.

use super::parts::Part;
use super::why::keys_of;
use super::{Planned, Prospect};
use treemind_core::behaviour::{Guards, Hooks, effects};
use treemind_core::planning::Domain;
use treemind_core::{Expr, KeyId, Value};

/// What stands in the way of a plan.
pub(super) enum Cause {
    /// A part does not hold; with it, there is this plan.
    Missing(Planned),
    /// Steps take a part away again.
    Taken(Taken),
}

/// Steps that take a part away again.
pub(super) struct Taken {
    /// The steps.
    pub(super) steps: Vec<usize>,
    /// The position of the first of them in the plan that counts on the part.
    pub(super) by: usize,
    /// The situation after they have done so.
    pub(super) after: Vec<u64>,
    /// The plan that there would be if they did not.
    pub(super) plan: Planned,
}

impl Prospect<'_> {
    /// Why a plan that there would be if a part counted as holding is none; `None` if this part is not all that is in the way.
    /// `taken`: the position of the step that takes away what held before, and the situation after it.
    pub(super) fn cause(
        &self,
        (goal, part): (usize, &Part),
        plan: &Planned,
        taken: Option<(usize, Vec<u64>)>,
        is_given: bool,
    ) -> Option<Cause> {
        let writers: Vec<usize> = (0..plan.steps.len())
            .filter(|at| self.writes(plan.steps[*at], part))
            .collect();
        if let Some(taken) = taken {
            return self
                .taken_by((goal, part), plan, &writers, taken)
                .map(Cause::Taken);
        }
        if writers.is_empty() {
            return Some(Cause::Missing(plan.clone()));
        }
        let (mut is_known, mut found) = (false, None);
        for (key, value) in self.values_for(&part.expr) {
            is_known = true;
            found = self.where_key_is(goal, key, value);
            if found.is_some() {
                break;
            }
        }
        if let Some(plan) = found {
            return Some(Cause::Missing(plan));
        }
        let last_use = plan.steps.iter().rposition(|step| part.step == Some(*step));
        if !is_known && last_use.is_some_and(|at| writers[0] >= at) {
            return Some(Cause::Missing(plan.clone()));
        }
        if !is_given {
            return None;
        }
        let mut after = self.facts.clone();
        for step in &plan.steps {
            self.domain.apply(*step, &mut after);
        }
        self.taken_by((goal, part), plan, &writers, (writers[0], after))
            .map(Cause::Taken)
    }

    /// Whether what a step does has to do with a part.
    fn writes(&self, step: usize, part: &Part) -> bool {
        let keys = keys_of(&part.expr);
        let mut all = effects(&self.planner.steps[step], self.children[step].1);
        all.any(|one| keys.contains(&one.key))
    }

    /// The one step without whose taking there is a plan, or all of them together. `writers` are the positions in the plan of
    /// the steps that have to do with the part.
    fn taken_by(
        &self,
        (goal, part): (usize, &Part),
        plan: &Planned,
        writers: &[usize],
        (by, after): (usize, Vec<u64>),
    ) -> Option<Taken> {
        let own = self.planner.goals.len();
        let (domain, _) = self.asking([part.expr.clone()]);
        let mut here = self.facts.clone();
        let mut culprits = vec![(plan.steps[by], by)];
        for (at, step) in plan.steps.iter().enumerate() {
            domain.apply(*step, &mut here);
            let takes = writers.contains(&at) && !domain.is_met(own, &here);
            if takes && !culprits.iter().any(|(known, _)| known == step) {
                culprits.push((*step, at));
            }
        }
        for (step, by) in &culprits {
            if let Some(plan) = self.where_not_taken((goal, part), &[*step]) {
                let steps = vec![*step];
                return Some(Taken {
                    steps,
                    by: *by,
                    after,
                    plan,
                });
            }
        }
        culprits.sort_by_key(|(_, at)| *at);
        let steps: Vec<usize> = culprits.iter().map(|(step, _)| *step).collect();
        let plan = match steps.len() {
            1 => None,
            _ => self.where_not_taken((goal, part), &steps),
        }?;
        Some(Taken {
            by: culprits[0].1,
            steps,
            after: here,
            plan,
        })
    }

    /// The plan that there would be if these steps left alone what a part reads.
    fn where_not_taken(&self, (goal, part): (usize, &Part), takers: &[usize]) -> Option<Planned> {
        let keys = keys_of(&part.expr);
        let mut planner = self.planner.clone();
        let nothing = Hooks::default();
        let mut children: Vec<(&Guards, &Hooks)> = self.children.clone();
        for step in takers {
            let all = effects(&self.planner.steps[*step], self.children[*step].1);
            let kept = all.filter(|one| !keys.contains(&one.key)).cloned();
            planner.steps[*step].gives = kept.collect();
            children[*step].1 = &nothing;
        }
        let domain = Domain::of(self.behaviour, &planner, &children);
        let facts = self.facts_in(&domain);
        self.tried(&domain, goal, &facts).0.ok()
    }

    /// The plan that there would be if a key held this.
    fn where_key_is(&self, goal: usize, key: KeyId, value: Value) -> Option<Planned> {
        let facts = self.facts_where(&self.domain, Some((key, value)));
        self.tried(&self.domain, goal, &facts).0.ok()
    }

    /// Values of one key each with which an expression just holds.
    fn values_for(&self, part: &Expr) -> Vec<(KeyId, Value)> {
        let (domain, _) = self.asking([part.clone()]);
        let own = self.planner.goals.len();
        let mut numbers = vec![0.0];
        numbers_in(part, &mut numbers);
        let mut found = Vec::new();
        for key in keys_of(part) {
            let near = |by: f64| numbers.iter().map(move |number| number + by);
            let near = near(0.0).chain(near(1.0)).chain(near(-1.0));
            let values: Vec<Value> = match self.value(key) {
                Some(Value::Bool(_)) => [true, false].map(Value::Bool).to_vec(),
                Some(Value::Int(_)) => near.map(|number| Value::Int(number as i64)).collect(),
                Some(Value::Float(_)) => near.map(|number| Value::Float(number as f32)).collect(),
                Some(Value::Double(_)) => near.map(Value::Double).collect(),
                Some(Value::Enum(of, _)) => {
                    let all = self.behaviour.enums()[of.index()].values.len();
                    (0..all as u32).map(|at| Value::Enum(of, at)).collect()
                }
                _ => Vec::new(),
            };
            let is_list = self.behaviour.key(key).form.is_list();
            let fits = |value: &Value| {
                if is_list && matches!(value, Value::Int(..0)) {
                    return false;
                }
                let facts = self.facts_where(&domain, Some((key, *value)));
                domain.is_met(own, &facts)
            };
            found.extend(values.into_iter().filter(fits).map(|value| (key, value)));
        }
        found
    }
}

/// The numbers that an expression names.
fn numbers_in(expr: &Expr, numbers: &mut Vec<f64>) {
    let number = match expr {
        Expr::Value(Value::Int(number)) => Some(*number as f64),
        Expr::Value(Value::Float(number)) => Some(f64::from(*number)),
        Expr::Value(Value::Double(number)) => Some(*number),
        _ => None,
    };
    numbers.extend(number.filter(|number| !numbers.contains(number)));
    expr.parts().for_each(|part| numbers_in(part, numbers));
}
