//! Why rules fired, and why others did not.

use crate::evaluated::every_evaluation;
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::Words;
use treemind_core::behaviour::{Rule, in_order};
use treemind_core::trace::Event;
use treemind_core::{Expr, Kind, NodeId, Value};

impl Case<'_> {
    /// What was said of each rule in this tick, in the order in which they were looked at; each with its number.
    pub(crate) fn rules(&self, id: NodeId, rules: &[Rule]) -> Vec<(usize, Told)> {
        let fired: Vec<usize> = self
            .events
            .of(id)
            .filter_map(|(_, event, _)| match event {
                Event::Fire(number) => Some(number as usize),
                _ => None,
            })
            .collect();
        let stops = matches!(self.node(id).kind, Kind::Rules { first: true, .. });
        let mut evaluations = every_evaluation(self.events, id, usize::MAX).into_iter();
        let (mut found, mut is_over) = (Vec::new(), false);
        for (number, _) in in_order(rules) {
            let rule = &rules[number];
            let name = Words::code(&rule.name);
            if is_over {
                let words = say!(RuleNotLookedAt, rule = name);
                found.push((number, Told::about(id, words)));
                continue;
            }
            let values = match rule.when {
                Expr::Value(_) => None,
                _ => evaluations.next(),
            };
            let holds = match (&rule.when, &values) {
                (Expr::Value(value), _) => *value == Value::Bool(true),
                (_, values) => values.as_ref().is_some_and(|values| values.holds()),
            };
            let has_fired = fired.contains(&number);
            if has_fired && matches!(&rule.cooldown, Some(secs) if !matches!(secs, Expr::Value(_)))
            {
                evaluations.next();
            }
            let words = self.verdict(id, number, name, (has_fired, holds));
            let test = self.test(id, self.expression(&rule.when), &rule.when, values, holds);
            found.push((number, Told::about(id, words).because(vec![test])));
            is_over = stops && has_fired;
        }
        found
    }

    fn verdict(
        &self,
        id: NodeId,
        number: usize,
        rule: Words,
        (fired, holds): (bool, bool),
    ) -> Words {
        let until = self.population.rule_cools_until_ns(self.agent, id, number);
        let left = until.saturating_sub(self.population.now_ns());
        match (fired, holds) {
            (true, _) => say!(RuleFired, rule),
            (false, false) => say!(RuleNotMet, rule),
            (false, true) if left > 0 => {
                let secs = Words::plain(left as f64 / 1e9);
                say!(RuleCools, rule, secs)
            }
            (false, true) => say!(RuleHeld, rule),
        }
    }

    /// Why a task of a rule was not ticked: because its rule did not fire.
    pub(crate) fn rule_of_task(&self, rules: &[Rule], outer: NodeId, task: NodeId) -> Option<Told> {
        let children = &self.node(outer).children;
        let mut place = children.iter().position(|child| *child == task)?;
        let mut number = 0;
        while place >= rules.get(number)?.tasks {
            place -= rules[number].tasks;
            number += 1;
        }
        let mut all = self.rules(outer, rules).into_iter();
        all.find(|(one, _)| *one == number).map(|(_, told)| told)
    }
}
