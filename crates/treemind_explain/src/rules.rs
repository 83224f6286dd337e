//! Why rules fired, and why others did not.

use crate::evaluated::every_evaluation;
use crate::explainer::Explainer;
use crate::explanation::{Reason, Told};
use crate::facts::Case;
use crate::say;
use crate::words::{Language, Words};
use std::collections::BTreeMap;
use treemind_core::behaviour::{Guards, Rule, in_order};
use treemind_core::trace::Event;
use treemind_core::{Behaviour, Expr, Kind, NodeId, Population, Value};

/// What became of a rule in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleVerdict {
    /// It fired.
    Fired,
    /// Its `when` does not hold.
    Unmet,
    /// Its `when` held at its last look already.
    Held,
    /// It has fired a short time ago, and cools.
    Cools,
    /// It was not looked at, because another one fired first.
    NotLookedAt,
}

/// A rule in a tick.
#[derive(Clone, Debug)]
pub struct RuleTold {
    /// Its number, in the order of the document.
    pub number: usize,
    /// What became of it.
    pub verdict: RuleVerdict,
    /// That in a sentence, with the test behind it.
    pub reason: Reason,
}

/// What is remembered of the rules of an agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Firings {
    nodes: Vec<NodeId>,
    /// When each rule fired last, by its node and number.
    fired: BTreeMap<(NodeId, usize), u64>,
    /// Since when each rule's `when` has held, and whether it is known that it did not hold before; none while it does
    /// not hold.
    held: BTreeMap<(NodeId, usize), Option<(u64, bool)>>,
}

impl Firings {
    pub(crate) fn new(behaviour: &Behaviour) -> Self {
        let nodes = behaviour.node_ids();
        let rules = nodes.filter(|id| matches!(behaviour.node(*id).kind, Kind::Rules { .. }));
        Self {
            nodes: rules.collect(),
            ..Self::default()
        }
    }

    /// What became of each rule that was looked at in a tick.
    pub(crate) fn looks(&self, case: &Case<'_>) -> Vec<((NodeId, usize), RuleVerdict)> {
        let mut looks = Vec::new();
        for id in &self.nodes {
            let is_reached = case.events.answer(*id).is_some_and(|one| !one.by_guard);
            if let (Kind::Rules { rules, .. }, true) = (&case.node(*id).kind, is_reached) {
                let told = case.rules(*id, rules).into_iter();
                looks.extend(told.map(|(number, verdict, _)| ((*id, number), verdict)));
            }
        }
        looks
    }

    /// Notes what became of rules in a tick; `is_whole` if the agent was followed from its beginning.
    pub(crate) fn note(
        &mut self,
        looks: Vec<((NodeId, usize), RuleVerdict)>,
        tick: u64,
        is_whole: bool,
    ) {
        for (rule, verdict) in looks {
            match verdict {
                RuleVerdict::NotLookedAt => continue,
                RuleVerdict::Unmet => {
                    self.held.insert(rule, None);
                    continue;
                }
                RuleVerdict::Fired => {
                    self.fired.insert(rule, tick);
                }
                RuleVerdict::Held | RuleVerdict::Cools => {}
            }
            let is_exact = is_whole || self.held.contains_key(&rule);
            let held = self.held.entry(rule).or_default();
            held.get_or_insert((tick, is_exact));
        }
    }
}

impl Explainer {
    /// What became of each rule of a `rules` in the last tick, in the order in which they were looked at. There is nothing to
    /// say if the node is none, or was not reached.
    pub fn rules(
        &self,
        population: &Population,
        node: NodeId,
        language: Language,
    ) -> Vec<RuleTold> {
        let Some(case) = self.known_case(population) else {
            return Vec::new();
        };
        let Kind::Rules { rules, .. } = &case.node(node).kind else {
            return Vec::new();
        };
        let is_reached = case.events.answer(node).is_some_and(|one| !one.by_guard);
        let told = match is_reached {
            true => case.rules(node, rules),
            false => Vec::new(),
        };
        told.into_iter()
            .map(|(number, verdict, told)| RuleTold {
                number,
                verdict,
                reason: told.written(case.behaviour, language),
            })
            .collect()
    }
}

impl Explainer {
    /// Why a rule of a `rules`, given by its number in the document, fired in the last tick or did not, and when it fired
    /// last. Where the node was not reached, it says why. There is nothing to say if there is no such rule.
    pub fn why_rule_in(
        &self,
        population: &Population,
        node: NodeId,
        number: usize,
        language: Language,
    ) -> Option<Reason> {
        let Some(case) = self.known_case(population) else {
            let anew = self.anew(population);
            return anew.why_rule_in(population, node, number, language);
        };
        let Kind::Rules { rules, .. } = &case.node(node).kind else {
            return None;
        };
        let rule = rules.get(number)?;
        let is_reached = case.events.answer(node).is_some_and(|one| !one.by_guard);
        let told = match is_reached {
            true => case.rule(node, number)?,
            false => {
                let words = say!(RuleNotReached, rule = Words::code(&rule.name));
                let words = words.plus(case.fired_last(node, number));
                Told::about(node, words).because(vec![case.why(node)])
            }
        };
        Some(told.written(case.behaviour, language))
    }
}

impl Case<'_> {
    /// What was said of each rule in this tick, in the order in which they were looked at; each with its number.
    pub(crate) fn rules(&self, id: NodeId, rules: &[Rule]) -> Vec<(usize, RuleVerdict, Told)> {
        let fired: Vec<usize> = self
            .events
            .of(id)
            .filter_map(|(_, event, _)| match event {
                Event::Fire(number) => Some(number as usize),
                _ => None,
            })
            .collect();
        let stops = matches!(self.node(id).kind, Kind::Rules { first: true, .. });
        // What its own guards came to comes first.
        let guards = guards_read(&self.node(id).guards);
        let mut evaluations = every_evaluation(self.events, id, usize::MAX)
            .into_iter()
            .skip(guards);
        let (mut found, mut is_over) = (Vec::new(), false);
        for (number, _) in in_order(rules) {
            let rule = &rules[number];
            let name = Words::code(&rule.name);
            if is_over {
                let words = say!(RuleNotLookedAt, rule = name).plus(self.fired_last(id, number));
                found.push((number, RuleVerdict::NotLookedAt, Told::about(id, words)));
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
            let is_faulty = values
                .as_ref()
                .is_some_and(|values| values.result.is_none());
            let (verdict, words) = match is_faulty {
                true => {
                    let words = say!(RuleHasFault, rule = name).plus(self.fired_last(id, number));
                    (RuleVerdict::Unmet, words)
                }
                false => self.verdict(id, number, name, (has_fired, holds)),
            };
            let test = self.test(id, self.expression(&rule.when), &rule.when, values, holds);
            let told = Told::about(id, words).because(vec![test]);
            found.push((number, verdict, told));
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
    ) -> (RuleVerdict, Words) {
        let until = self.population.rule_cools_until_ns(self.agent, id, number);
        let left = until.saturating_sub(self.population.now_ns());
        match (fired, holds) {
            (true, _) => (RuleVerdict::Fired, say!(RuleFired, rule)),
            (false, false) => {
                let words = say!(RuleNotMet, rule).plus(self.fired_last(id, number));
                (RuleVerdict::Unmet, words)
            }
            (false, true) if left > 0 => {
                let secs = Words::plain(left as f64 / 1e9);
                let words = match self.firings.fired.get(&(id, number)) {
                    Some(tick) => say!(RuleFiredAndCools, rule, tick = Words::Tick(*tick), secs),
                    None => say!(RuleCools, rule, secs),
                };
                (RuleVerdict::Cools, words)
            }
            (false, true) => (RuleVerdict::Held, self.held(id, number, rule)),
        }
    }

    /// `; it fired last in tick 90`
    fn fired_last(&self, id: NodeId, number: usize) -> Words {
        let fired = self.firings.fired.get(&(id, number));
        fired
            .map(|tick| say!(FiredLast, tick = Words::Tick(*tick)))
            .into()
    }

    /// Why a rule whose `when` holds did not fire: because it held at the last look.
    fn held(&self, id: NodeId, number: usize, rule: Words) -> Words {
        let fired = self.firings.fired.get(&(id, number)).copied();
        let held = self.firings.held.get(&(id, number)).copied().flatten();
        match (fired, held) {
            (Some(tick), Some((since, _))) if since == tick => {
                say!(RuleFiredAndHeld, rule, tick = Words::Tick(tick))
            }
            (_, Some((since, true))) => {
                let words = say!(RuleHeldSince, rule, tick = Words::Tick(since));
                words.plus(self.fired_last(id, number))
            }
            _ => say!(RuleHeld, rule).plus(self.fired_last(id, number)),
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
        self.rule(outer, number)
    }

    /// What was said of one rule.
    pub(crate) fn rule(&self, id: NodeId, number: usize) -> Option<Told> {
        let Kind::Rules { rules, .. } = &self.node(id).kind else {
            return None;
        };
        let mut all = self.rules(id, rules).into_iter();
        all.find(|(one, ..)| *one == number).map(|(.., told)| told)
    }
}

/// How many guards of a node are read when it starts, so that a trace has what they come to.
pub fn guards_read(guards: &Guards) -> usize {
    let Guards {
        fail_if,
        succeed_if,
        skip_if,
        while_holds,
        aborts_lower: _,
        while_else: _,
    } = guards;
    let all = [fail_if, succeed_if, skip_if, while_holds];
    let read = all.into_iter().flatten();
    read.filter(|expr| !matches!(expr, Expr::Value(_))).count()
}
