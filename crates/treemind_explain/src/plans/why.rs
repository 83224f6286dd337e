//! The sentences about plans.

use super::given::Giving;
use super::parts::{Part, at_goal};
use super::tasks::Deepest;
use super::verified::{Cause, Taken};
use super::{Planned, Prospect};
use crate::say;
use crate::words::{Join, Words};
use treemind_core::behaviour::{
    Aim, MAX_EXPANSIONS, MAX_PLAN_STEPS, MAX_TASK_DEPTH, contradiction,
};
use treemind_core::expr::Assign;
use treemind_core::planning::{Blame, NoPlan};
use treemind_core::{Expr, FaultKind, KeyId, Text, Value};
use treemind_doc::{expression_text, statement_text};

/// How many parts that do not hold are named in one sentence.
const MOST_PARTS: usize = 6;

/// What is perhaps missing.
struct Nearest {
    /// How far away it is, before what the plan with it costs: whether a step gives it, and whether only the world changes it.
    remote: (bool, bool),
    /// Its position among the parts.
    at: usize,
    /// The plan that there is with it.
    plan: Planned,
    /// The step of this plan that takes it away, and the situation after it; `None` if it did not hold before.
    taken: Option<(usize, Vec<u64>)>,
}

impl Prospect<'_> {
    pub(super) fn step_name(&self, step: usize) -> Words {
        Words::code(&self.planner.steps[step].name)
    }

    pub(super) fn goal_name(&self, goal: usize) -> Words {
        Words::code(&self.planner.goals[goal].name)
    }

    /// The keys that what a goal wants names.
    pub(super) fn wanted(&self, goal: usize) -> Vec<(KeyId, Option<Value>)> {
        let keys = match &self.planner.goals[goal].aim {
            Aim::Wants(wants) => keys_of(wants),
            Aim::Does(_) => Vec::new(),
        };
        keys.into_iter().map(|key| (key, None)).collect()
    }

    /// Steps one after the other.
    pub(super) fn steps(&self, steps: &[usize]) -> Words {
        let names = steps
            .iter()
            .map(|step| self.planner.steps[*step].name.as_str());
        Words::code(names.collect::<Vec<_>>().join(" "))
    }

    pub(super) fn part(&self, expr: &Expr) -> Words {
        if is_never(expr) {
            return say!(NeverTrue);
        }
        self.short(&expression_text(self.behaviour, expr, &|_| None))
    }

    /// A part of the guards of a step. In a step for a value of an `each`, what the value decides is decided, so it is said
    /// as it is written, with the value.
    pub(super) fn part_of_step(&self, step: Option<usize>, expr: &Expr) -> Words {
        let never = step.filter(|_| is_never(expr));
        let Some(never) = never.and_then(|step| self.never[step]) else {
            return self.part(expr);
        };
        let (part, item) = (self.short(&never.condition), Words::code(&never.item));
        say!(PartWithItem, part, item, value = Words::value(&never.value))
    }

    /// Statements as the planner writes them.
    pub(super) fn statements<'s>(&self, all: impl Iterator<Item = &'s Assign>) -> Words {
        let all: Vec<String> = all.map(|one| statement_text(self.behaviour, one)).collect();
        self.short(&all.join("; "))
    }

    /// A text in which the planner's own keys go by their short names, as in the document.
    fn short(&self, text: &str) -> Words {
        let mut short = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(&self.own) {
            let before = rest[..at].chars().next_back();
            let is_inside = before.is_some_and(|one| one.is_alphanumeric() || "_.".contains(one));
            short += &rest[..at];
            if is_inside {
                short += &self.own;
            }
            rest = &rest[at + self.own.len()..];
        }
        Words::code(short + rest)
    }

    /// The steps and the cost of a plan.
    pub fn said(&self, plan: &Planned) -> Words {
        if plan.steps.is_empty() {
            return say!(ThePlanIsEmpty);
        }
        let steps = self.steps(&plan.steps);
        say!(ThePlanIs, steps, cost = Words::plain(plan.cost))
    }

    /// Why each step is part of a plan: the first later step, or the goal, that lacks something without it, or what it makes
    /// cheaper.
    pub fn why_steps(&self, goal: usize, plan: &Planned) -> Vec<Words> {
        let steps = 0..plan.steps.len();
        steps
            .map(|at| self.why_step(goal, &plan.steps, at))
            .collect()
    }

    /// Why there is no plan for a goal, in sentences. What is missing is found by the same search: each part of a guard
    /// and of what the goal wants counts as holding in turn, and the cheapest plan that comes out says what is nearest.
    /// What no step gives comes first, and there, what steps change comes before what only the world does.
    pub fn why_none(&self, goal: usize) -> Vec<Words> {
        let why = self.why_none_about(goal).into_iter();
        why.map(|(words, _)| words).collect()
    }

    /// The same, with the keys that each sentence is about.
    pub(crate) fn why_none_about(&self, goal: usize) -> Vec<(Words, Vec<KeyId>)> {
        let (found, expansions) = self.searched(goal);
        let Err(why) = found else {
            return Vec::new();
        };
        let mut said = vec![say!(NoPlanFor, goal = self.goal_name(goal))];
        let is_limited = why == NoPlan::Limit;
        let left_out = self.steps_left_out();
        said.extend(left_out.map(|step| say!(StepWasLeftOut, step = self.step_name(step))));
        let deepest = match &self.planner.goals[goal].aim {
            Aim::Does(task) => Some(self.deepest(*task)),
            Aim::Wants(_) => None,
        };
        if is_limited {
            said.extend(self.limit((goal, expansions), deepest.as_ref()));
        }
        let mut about: Vec<(Words, Vec<KeyId>)> = Vec::new();
        match &self.planner.goals[goal].aim {
            Aim::Does(_) => said.extend(deepest.into_iter().flat_map(|it| self.where_stuck(it))),
            Aim::Wants(wants) => {
                about = self.missing(goal, is_limited);
                let is_one = about.len() == 2 && about[0].0 != say!(TwoMissing);
                let costless = self.costless(goal);
                let with_costs = match costless.is_empty() || is_limited {
                    true => None,
                    false => self.with_costs(goal, &costless),
                };
                // Where a cost is not what is missing, another goal may have to do with it.
                if with_costs.is_some() || !is_one {
                    said.extend(costless.iter().map(|one| self.cost_words(one)));
                }
                if let Some(plan) = with_costs {
                    said.push(say!(WithCosts, steps = self.steps(&plan.steps)));
                    if !is_one {
                        about.clear();
                    }
                }
                if is_limited {
                    let parts = self.lacking_where_nearest(goal, wants).into_iter();
                    let parts: Vec<Words> = parts.map(|part| self.part(&part)).collect();
                    if !parts.is_empty() {
                        said.push(say!(NearestLacked, parts = some_of(parts)));
                    }
                }
            }
        }
        let said = said.into_iter().map(|words| (words, Vec::new()));
        said.chain(about).collect()
    }

    /// Which limit ended a search, and how to raise it.
    fn limit(&self, (goal, expansions): (usize, u32), deepest: Option<&Deepest>) -> Vec<Words> {
        let mut said = Vec::new();
        let more = |limit: u32, most: u32| (limit < most).then(|| Words::plain(most));
        if self.is_out_of_situations(goal, expansions) {
            said.push(say!(GaveUpAfter, count = Words::plain(expansions)));
            let most = more(self.planner.max_expansions, MAX_EXPANSIONS);
            said.extend(most.map(|most| say!(MayLookAtMore, most)));
            return said;
        }
        let (is_too_long, is_too_deep) = match deepest {
            None => (true, false),
            Some(deepest) => (deepest.is_too_long, deepest.is_too_deep),
        };
        if is_too_long {
            let steps = self.planner.max_steps;
            said.push(say!(NoPlanWithin, count = Words::plain(steps)));
            said.extend(more(steps, MAX_PLAN_STEPS).map(|most| say!(MayTakeMore, most)));
        }
        if is_too_deep {
            said.push(say!(TooDeep, count = Words::plain(MAX_TASK_DEPTH)));
        }
        said
    }

    /// What is missing, with the keys that it is about. When a limit ended the search, only what no step leads to is known to
    /// be.
    fn missing(&self, goal: usize, is_limited: bool) -> Vec<(Words, Vec<KeyId>)> {
        let parts = self.parts(goal);
        let wanted: Vec<&Expr> = wanted_of(&parts).collect();
        if let Some((one, two)) = contradiction(&wanted) {
            let (goal, keys) = (self.goal_name(goal), keys_of(one));
            let (one, two) = (self.part(one), self.part(two));
            return vec![(say!(CannotBothHold, goal, one, two), keys)];
        }
        // What a step gives is missing only because of something else, as far as something else is found.
        let mut all: Vec<Nearest> = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            if self.allowed.get() == 0 {
                break;
            }
            let missing = |from: &[u64]| self.giving(&part.expr, from);
            if is_limited && matches!(missing(&self.facts), Giving::Given | Giving::Unknown) {
                continue;
            }
            let Some(plan) = self.excused(goal, &parts, at) else {
                continue;
            };
            let taken = self.taken_away(part, &plan);
            let from = taken.as_ref().map_or(&self.facts, |(_, after)| after);
            let is_given = missing(from).is_given();
            if is_given && plan.steps.is_empty() {
                continue;
            }
            all.push(Nearest {
                remote: (is_given, !self.is_changed(&part.expr)),
                at,
                plan,
                taken,
            });
        }
        all.sort_by(|one, two| {
            let by_cost = one.plan.cost.total_cmp(&two.plan.cost);
            let by_length = one.plan.steps.len().cmp(&two.plan.steps.len());
            one.remote.cmp(&two.remote).then(by_cost).then(by_length)
        });
        let mut several = None;
        let mut nearest = None;
        for one in all {
            let part = &parts[one.at];
            let found = self.cause((goal, part), &one.plan, one.taken, one.remote.0);
            match found {
                Some(Cause::Taken(taken)) if taken.steps.len() > 1 => {
                    several.get_or_insert((part, one.plan, Cause::Taken(taken)));
                }
                Some(cause) => {
                    nearest = Some((part, one.plan, cause));
                    break;
                }
                None => {}
            }
        }
        let Some((part, counted_on, cause)) = nearest.or(several) else {
            return match self.allowed.get() {
                _ if is_limited => Vec::new(),
                0 => vec![(say!(StoppedLooking), Vec::new())],
                _ => self.several_missing(&parts),
            };
        };
        let text = self.part_of_step(part.step, &part.expr);
        let plan = match &cause {
            Cause::Missing(plan) => plan,
            Cause::Taken(taken) => &taken.plan,
        };
        let (steps, cost) = (self.steps(&plan.steps), Words::plain(plan.cost));
        if let Cause::Taken(taken) = &cause {
            let said = self.taken_said((goal, part), &counted_on, taken);
            let said = match self.giving(&part.expr, &taken.after) {
                Giving::Never => said.plus(say!(AndNoStepGivesItBack)),
                _ => said,
            };
            let without = say!(WithoutThatThePlanIs, steps, cost);
            return vec![(said, Vec::new()), (without, Vec::new())];
        }
        let missing = match part.step {
            Some(step) => say!(OneMissingAtStep, step = self.step_name(step), part = text),
            None => say!(OneMissingAtGoal, goal = self.goal_name(goal), part = text),
        };
        let facts = self.about(&part.expr);
        let missing = match facts.is_empty() {
            true => missing,
            false => say!(
                Colon,
                one = missing,
                more = Words::several(Join::Clauses, facts)
            ),
        };
        let with_it = match plan.steps.is_empty() {
            true => say!(WithItNothingIsToDo),
            false => say!(WithItThePlanIs, steps, cost),
        };
        vec![(missing, keys_of(&part.expr)), (with_it, Vec::new())]
    }

    /// That steps take away what the goal wants, or a later step needs.
    fn taken_said(&self, (goal, part): (usize, &Part), plan: &Planned, taken: &Taken) -> Words {
        let text = self.part(&part.expr);
        let wanted = match part.step {
            Some(step) => say!(NeededByStep, step = self.step_name(step)),
            None => say!(WantedByGoal, goal = self.goal_name(goal)),
        };
        let [step] = taken.steps[..] else {
            let steps = taken.steps.iter().map(|step| self.step_name(*step));
            let steps = Words::several(Join::And, steps);
            return match denied(&part.expr).map(|key| self.part(key)) {
                Some(key) => say!(MakeTrue, steps, key, part = text, wanted),
                None => say!(TakeAway, steps, part = text, wanted),
            };
        };
        let step = self.step_name(step);
        let of_goal = match &self.planner.goals[goal].aim {
            Aim::Wants(wants) => at_goal(wants),
            Aim::Does(_) => Vec::new(),
        };
        let given = self.given_by(goal, &plan.steps, taken.by);
        let given = given.into_iter().chain(of_goal).find(|given| {
            given.expr != part.expr && self.is_brought(&given.expr, &plan.steps, taken.by)
        });
        let given = given.map(|given| self.part(&given.expr));
        let denied = denied(&part.expr).map(|key| self.part(key));
        match (given, denied) {
            (Some(given), None) => say!(GivesAndTakes, step, given, part = text, wanted),
            (None, None) => say!(TakesAway, step, part = text, wanted),
            (Some(given), Some(key)) => {
                say!(GivesAndMakesTrue, step, given, key, part = text, wanted)
            }
            (None, Some(key)) => say!(MakesTrue, step, key, part = text, wanted),
        }
    }

    /// Whether a step of a plan makes something hold that did not hold before it.
    pub(super) fn is_brought(&self, expr: &Expr, steps: &[usize], at: usize) -> bool {
        let own = self.planner.goals.len();
        let (domain, mut here) = self.asking([expr.clone()]);
        for step in &steps[..at] {
            domain.apply(*step, &mut here);
        }
        let held = domain.is_met(own, &here);
        domain.apply(steps[at], &mut here);
        !held && domain.is_met(own, &here)
    }

    fn several_missing(&self, parts: &[Part]) -> Vec<(Words, Vec<KeyId>)> {
        let nowhere = self.nowhere(parts);
        // Where each part of the goal holds somewhere, it may be that they do not together.
        if nowhere.iter().all(|part| part.step.is_some())
            && let Some(together) = self.never_together(parts, nowhere.is_empty())
        {
            let keys = together.iter().flat_map(|part| keys_of(part)).collect();
            let parts = together.iter().map(|part| self.part(part)).collect();
            return vec![(say!(NeverTogether, parts = some_of(parts)), keys)];
        }
        let mut said = vec![(say!(TwoMissing), Vec::new())];
        let (mut named, mut keys): (Vec<Words>, _) = (Vec::new(), Vec::new());
        for part in nowhere {
            let text = self.part_of_step(part.step, &part.expr);
            if !named.contains(&text) {
                named.push(text);
                if named.len() <= MOST_PARTS {
                    keys.extend(keys_of(&part.expr));
                }
            }
        }
        if !named.is_empty() {
            said.push((say!(NeverHolds, parts = some_of(named)), keys));
        }
        said
    }

    /// Parts of what the goal wants that hold nowhere together that steps lead, though each holds somewhere: two, or else all
    /// of them if nothing else is known.
    fn never_together<'p>(&self, parts: &'p [Part], or_all: bool) -> Option<Vec<&'p Expr>> {
        let wanted: Vec<&Expr> = wanted_of(parts).collect();
        let later = |at: usize| wanted[at + 1..].iter().copied();
        let pairs = wanted.iter().enumerate();
        let pairs: Vec<[&Expr; 2]> = pairs
            .flat_map(|(at, one)| later(at).map(|two| [*one, two]))
            .collect();
        let both = pairs
            .iter()
            .map(|[one, two]| Expr::And(Box::new((*one).clone()), Box::new((*two).clone())));
        let (domain, facts) = self.asking(both);
        let own = self.planner.goals.len();
        let mut never = pairs.iter().enumerate().filter(|(at, _)| {
            let (found, _) = self.tried(&domain, own + at, &facts);
            !domain.is_met(own + at, &facts) && found == Err(NoPlan::None)
        });
        match never.next() {
            Some((_, pair)) => Some(pair.to_vec()),
            None => (or_all && wanted.len() > 2).then_some(wanted),
        }
    }

    /// What a planner knows of a key: its value, and of a list its length.
    pub(super) fn key_name(&self, key: KeyId) -> Words {
        let declared = self.behaviour.key(key);
        match declared.form.is_list() {
            true => self.short(&format!("len({})", declared.name)),
            false => self.short(&declared.name),
        }
    }

    /// A value, or that there is none.
    pub(super) fn shown(&self, value: Option<Value>) -> Words {
        Words::value(match value {
            Some(value) => self.behaviour.display_value(value),
            None => "unset".to_owned(),
        })
    }

    /// What a key is: `` `mags` is 0 ``.
    pub(super) fn key_is(&self, key: KeyId, value: Option<Value>) -> Words {
        say!(KeyIs, key = self.key_name(key), value = self.shown(value))
    }

    /// What goes wrong when an expression is computed in a situation; `None` if nothing does.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(super) fn fault(&self, expr: &Expr, situation: &[u64]) -> Option<FaultKind> {
        let blame = self.domain.fault(expr, situation)?;
        Some(match blame {
            Blame::Unset(key) => FaultKind::Unset(Text::new(&self.behaviour.key(key).name)),
            Blame::DivisionByZero => FaultKind::DivisionByZero,
            Blame::Overflow => FaultKind::Overflow,
            _ => treemind_core::unlisted(&blame),
        })
    }

    /// What its keys hold, what goes wrong with it, and whether no step gives it.
    pub(super) fn about(&self, part: &Expr) -> Vec<Words> {
        let keys = keys_of(part);
        let said = keys.iter().map(|key| self.key_is(*key, self.value(*key)));
        let mut said: Vec<Words> = said.collect();
        let fault = self.fault(part, &self.facts);
        // That a key is unset has just been said.
        let fault = fault.filter(|fault| !matches!(fault, FaultKind::Unset(_)));
        said.extend(fault.map(|fault| say!(ItHasFault, fault = Words::wrong(&fault))));
        if keys.is_empty() {
            return said;
        }
        said.extend(match self.giving(part, &self.facts) {
            Giving::Given | Giving::Unknown => None,
            Giving::Faulty(what) => Some(what),
            Giving::Never => {
                let part = self.part(part);
                Some(match self.steps_left_out().next() {
                    None => say!(NoStepGives, part),
                    Some(_) => say!(NoOtherStepGives, part),
                })
            }
        });
        said
    }
}

/// The parts of what the goal wants.
fn wanted_of(parts: &[Part]) -> impl Iterator<Item = &Expr> {
    let wanted = parts.iter().filter(|part| part.step.is_none());
    wanted.map(|part| &part.expr)
}

/// The first of some parts, and how many more there are.
pub(super) fn some_of(mut parts: Vec<Words>) -> Words {
    let more = parts.len().saturating_sub(MOST_PARTS);
    parts.truncate(MOST_PARTS);
    match more {
        0 => Words::several(Join::And, parts),
        more => {
            let names = Words::several(Join::Names, parts);
            say!(NamesAndMore, names, more = Words::plain(more))
        }
    }
}

/// The key that must be false, of `!key`.
fn denied(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Not(inner) if matches!(**inner, Expr::Key(..)) => Some(inner),
        _ => None,
    }
}

/// Whether it is known to be false.
fn is_never(expr: &Expr) -> bool {
    match expr {
        Expr::Value(Value::Bool(holds)) => !holds,
        Expr::Not(inner) => **inner == Expr::Value(Value::Bool(true)),
        _ => false,
    }
}

/// The keys of an expression, each once.
pub(super) fn keys_of(expr: &Expr) -> Vec<KeyId> {
    let mut keys: Vec<KeyId> = Vec::new();
    expr.for_each_key(&mut |key| {
        if !keys.contains(&key) {
            keys.push(key);
        }
    });
    keys
}
