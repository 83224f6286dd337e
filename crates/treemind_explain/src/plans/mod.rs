//! Why a planner has a plan, and why it has none: with the search that agents use, on a copy of what they know.

mod costs;
mod effects;
pub(crate) mod followed;
mod given;
mod goals;
mod graph;
mod looks;
mod outlook;
mod parts;
mod tasks;
pub(crate) mod thoughts;
mod told;
mod verified;
mod why;
mod without;

use crate::words::Words;
pub use graph::{Reached, Searched};
pub use looks::{Asked, goal_asked};
pub use outlook::{GoalOutlook, outlook};
use parts::{Part, at_goal, at_step, conjunction, guard_of};
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use treemind_core::behaviour::{Aim, Behaviour, Goal, Guards, Hooks, Kind, Never, Planner, Score};
use treemind_core::behaviour::{Scoring, conjuncts};
use treemind_core::planning::{Desk, Domain, NoPlan, Search, StepSet};
use treemind_core::{Expr, Held, KeyId, NodeId, Value};

/// A planner in a situation, to be asked what it would do there, and why.
///
/// ```
/// use std::sync::Arc;
/// use treemind_core::{Population, Program};
/// use treemind_explain::{Language, Prospect};
///
/// let text = br#"
///     blackboard { key armed type=bool; key mags type=int; key dead type=bool; }
///     leaves { action draw; action shoot; }
///     planner fighter {
///         goal kill wants="dead"
///         action draw gives="armed = true"
///         action shoot when="armed && mags > 0" gives="dead = true"
///     }
/// "#;
/// let behaviour = treemind_doc::Document::read(text, "fighter.kdl").planner("fighter")?;
/// let agents = Population::new(Arc::new(Program::new(behaviour)), 1);
/// let behaviour = agents.program().behaviour();
/// let prospect = Prospect::new(behaviour, behaviour.root(), |key| agents.held(0, key)).unwrap();
/// assert!(prospect.find(0).is_none());
/// let why = prospect.why_none(0);
/// let why: Vec<String> = why.iter().map(|one| one.written(Language::English)).collect();
/// assert_eq!(why[1], "one thing is missing: `shoot` needs `mags > 0`: `mags` is 0, no step gives `mags > 0`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Prospect<'b> {
    behaviour: &'b Behaviour,
    /// What stands before the names of its own keys.
    own: String,
    planner: &'b Planner,
    children: Vec<(&'b Guards, &'b Hooks)>,
    domain: Domain,
    facts: Vec<u64>,
    /// What each fact is, for domains of changed planners: of a list, its length.
    values: Vec<(KeyId, Option<Value>)>,
    left_out: StepSet,
    /// What keeps each step out, if it is for a value of an `each` with which it never can be used.
    never: Vec<Option<&'b Never>>,
    /// How many situations may still be looked at to find out what is missing.
    allowed: Cell<u32>,
}

/// A plan that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The positions of its steps in the planner.
    pub steps: Vec<usize>,
    /// What each step costs there.
    pub costs: Vec<f64>,
    /// What the plan costs.
    pub cost: f64,
    /// How many situations were looked at.
    pub expansions: u32,
}

impl<'b> Prospect<'b> {
    /// A planner at a node, with these facts; keys that are not among them hold nothing.
    pub(crate) fn of_facts(
        behaviour: &'b Behaviour,
        node: NodeId,
        facts: &HashMap<KeyId, Value>,
    ) -> Option<Self> {
        let held = |key| match facts.get(&key) {
            Some(value) => Held::One(*value),
            None => Held::Unset,
        };
        Self::new(behaviour, node, held)
    }

    /// A planner at a node, where keys hold what `held` says. `None` if the node is no planner.
    pub fn new<'h>(
        behaviour: &'b Behaviour,
        node: NodeId,
        mut held: impl FnMut(KeyId) -> Held<'h>,
    ) -> Option<Self> {
        let placed = behaviour.node(node);
        let Kind::Planner(planner) = &placed.kind else {
            return None;
        };
        let children = || placed.children.iter().map(|child| behaviour.node(*child));
        let domain = Domain::new(behaviour, node);
        let mut facts = vec![0; domain.words()];
        domain.read(&mut facts, 0, &mut held);
        let values = domain.facts().map(|key| {
            let value = match held(key) {
                Held::One(value) => Some(value),
                Held::List(items) => Some(Value::Int(items.len() as i64)),
                _ => None,
            };
            (key, value)
        });
        Some(Self {
            behaviour,
            own: format!("{}.", behaviour.label(node)),
            planner,
            never: children().map(|child| child.written.never()).collect(),
            children: children()
                .map(|child| (&child.guards, &child.hooks))
                .collect(),
            values: values.collect(),
            domain,
            facts,
            left_out: StepSet::default(),
            allowed: Cell::new(u32::MAX),
        })
    }

    /// The same, with a limit on how many situations are looked at to find out what is missing.
    #[must_use]
    pub fn within(mut self, situations: u32) -> Self {
        self.allowed = Cell::new(situations);
        self
    }

    /// The same, while some steps are left out, by their positions.
    #[must_use]
    pub fn without(mut self, steps: impl IntoIterator<Item = usize>) -> Self {
        steps.into_iter().for_each(|step| self.left_out.add(step));
        self
    }

    /// The planner.
    pub fn planner(&self) -> &'b Planner {
        self.planner
    }

    /// Whether what a goal wants holds already.
    pub fn is_met(&self, goal: usize) -> bool {
        self.domain.is_met(goal, &self.facts)
    }

    /// The plan for a goal, given by its position.
    pub fn find(&self, goal: usize) -> Option<Planned> {
        self.searched(goal).0.ok()
    }

    /// The plan for a goal, or why there is none; and how many situations were looked at.
    fn searched(&self, goal: usize) -> (Result<Planned, NoPlan>, u32) {
        search(&self.domain, goal, &self.facts, self.left_out, u32::MAX)
    }

    /// What each step of a plan costs, one after the other from now on, and what they cost together; `None` from the first step
    /// on that cannot be done.
    pub fn costs(&self, steps: &[usize]) -> Vec<Option<f64>> {
        let mut here = Some(self.facts.clone());
        let cost = |step: &usize| {
            let now = here.take()?;
            let (cost, mut next) = (self.domain.cost(*step, &now), now.clone());
            if cost.is_some()
                && self.domain.is_usable(*step, &now)
                && self.domain.apply(*step, &mut next)
            {
                here = Some(next);
            }
            cost.filter(|_| here.is_some())
                .map(|cost| cost as f64 / treemind_core::planning::COST_SCALE)
        };
        steps.iter().map(cost).collect()
    }

    /// The keys on which it depends what the planner does, in the order of their ids: those that its searches look at, and
    /// those that the scores of its goals read. What is asked of events, and lists that only scores read, cannot be
    /// given and is not among them.
    pub fn keys(&self) -> impl Iterator<Item = KeyId> + '_ {
        let mut keys: BTreeSet<KeyId> = self.domain.facts().collect();
        let scores = self
            .planner
            .goals
            .iter()
            .flat_map(|goal| goal.score.exprs());
        for expr in scores.chain([&self.planner.hysteresis]) {
            expr.for_each_key(&mut |key| {
                let declared = self.behaviour.key(key);
                if declared.heard.is_none() && !declared.form.is_list() {
                    keys.insert(key);
                }
            });
        }
        keys.into_iter()
    }

    /// The plan for a goal in a changed domain, as far as situations may still be looked at.
    fn tried(&self, domain: &Domain, goal: usize, facts: &[u64]) -> (Result<Planned, NoPlan>, u32) {
        let given = self.allowed.get();
        let found = search(domain, goal, facts, self.left_out, given);
        self.allowed.set(given.saturating_sub(found.1.max(1)));
        found
    }

    /// The facts in another domain.
    fn facts_in(&self, domain: &Domain) -> Vec<u64> {
        self.facts_where(domain, None)
    }

    /// The facts in a domain, one of them changed.
    fn facts_where(&self, domain: &Domain, changed: Option<(KeyId, Value)>) -> Vec<u64> {
        let mut facts = vec![0; domain.words()];
        domain.read(&mut facts, 0, |key| {
            if let Some((_, value)) = changed.filter(|(of, _)| *of == key) {
                return Held::One(value);
            }
            self.value(key).map_or(Held::Unset, Held::One)
        });
        facts
    }

    /// What a key holds; of a list, its length.
    pub(super) fn value(&self, key: KeyId) -> Option<Value> {
        let found = self.values.iter().find(|(known, _)| *known == key);
        found?.1
    }

    /// The parts of all guards, step by step, then those of what a goal wants.
    fn parts(&self, goal: usize) -> Vec<Part> {
        let steps = self.children.iter().enumerate();
        // What a step needs that is left out is missing for nobody.
        let mut parts: Vec<Part> = steps
            .filter(|(step, _)| !self.left_out.has(*step))
            .flat_map(|(step, (guards, _))| at_step(step, guards))
            .collect();
        if let Aim::Wants(wants) = &self.planner.goals[goal].aim {
            parts.extend(at_goal(wants));
        }
        parts
    }

    /// A domain in which one part counts as holding, with the plan for the goal there.
    fn excused(&self, goal: usize, parts: &[Part], excused: usize) -> Option<Planned> {
        let mut planner = self.planner.clone();
        let mut guards: Vec<Guards> = self.children.iter().map(|one| one.0.clone()).collect();
        let rest = |step: Option<usize>| {
            let all = parts.iter().enumerate();
            let all = all.filter(|(at, part)| *at != excused && part.step == step);
            all.map(|(_, part)| part.expr.clone()).collect::<Vec<_>>()
        };
        match parts[excused].step {
            Some(step) => guards[step] = guard_of(rest(Some(step))),
            None => {
                let wants = conjunction(rest(None)).unwrap_or(Expr::Value(Value::Bool(true)));
                planner.goals[goal].aim = Aim::Wants(wants);
            }
        }
        let hooks = self.children.iter().map(|(_, hooks)| *hooks);
        let children: Vec<(&Guards, &Hooks)> = guards.iter().zip(hooks).collect();
        let domain = Domain::of(self.behaviour, &planner, &children);
        let facts = self.facts_in(&domain);
        self.tried(&domain, goal, &facts).0.ok()
    }

    /// A domain with more goals: each wants one of these expressions, behind the goals of the planner.
    fn asking(&self, wanted: impl IntoIterator<Item = Expr>) -> (Domain, Vec<u64>) {
        let mut planner = self.planner.clone();
        planner.goals.extend(wanted.into_iter().map(wanting));
        let domain = Domain::of(self.behaviour, &planner, &self.children);
        let facts = self.facts_in(&domain);
        (domain, facts)
    }

    /// The steps that are left out.
    fn steps_left_out(&self) -> impl Iterator<Item = usize> {
        let left_out = self.left_out;
        (0..self.planner.steps.len()).filter(move |step| left_out.has(*step))
    }

    /// Whether it was the number of situations that ended a search, and not the length of its plans.
    fn is_out_of_situations(&self, goal: usize, expansions: u32) -> bool {
        if expansions < self.planner.max_expansions {
            return false;
        }
        // With one more, it would have gone on.
        let mut planner = self.planner.clone();
        planner.max_expansions += 1;
        let domain = Domain::of(self.behaviour, &planner, &self.children);
        let facts = self.facts_in(&domain);
        let (found, more) = search(&domain, goal, &facts, self.left_out, u32::MAX);
        found.is_ok() || more > expansions
    }

    /// Parts of what a goal wants that do not hold in the situation of a search that came nearest: of equals, the one where
    /// the fewest do not.
    fn lacking_where_nearest(&self, goal: usize, wants: &Expr) -> Vec<Expr> {
        let mut desk = Desk::default();
        (self.domain).search(goal, &self.facts, self.left_out, u32::MAX, &mut desk);
        let parts = parts_of(wants);
        let own = self.planner.goals.len();
        let (domain, _) = self.asking(parts.iter().cloned());
        let least = desk.situations().map(|one| one.estimate).min();
        let all = desk.situations().enumerate();
        let near = all.filter(|(_, one)| Some(one.estimate) == least);
        let lacking = near.map(|(at, _)| {
            let facts = desk.facts(at);
            let lacking = parts.iter().enumerate();
            let lacking = lacking.filter(|(part, _)| !domain.is_met(own + part, &facts));
            lacking.map(|(_, part)| part.clone()).collect::<Vec<_>>()
        });
        let nearest = lacking.min_by_key(Vec::len);
        nearest.unwrap_or_default()
    }

    /// Whether steps change something that is read there.
    fn is_changed(&self, part: &Expr) -> bool {
        let mut is_changed = false;
        part.for_each_key(&mut |key| is_changed |= self.domain.is_planned(key));
        is_changed
    }

    /// The parts that hold nowhere that steps lead.
    fn nowhere<'p>(&self, parts: &'p [Part]) -> Vec<&'p Part> {
        let own = self.planner.goals.len();
        let (domain, facts) = self.asking(parts.iter().map(|part| part.expr.clone()));
        let never = parts.iter().enumerate().filter(|(at, _)| {
            let goal = own + at;
            let (found, _) = self.tried(&domain, goal, &facts);
            !domain.is_met(goal, &facts) && found == Err(NoPlan::None)
        });
        never.map(|(_, part)| part).collect()
    }
}

fn search(
    domain: &Domain,
    goal: usize,
    facts: &[u64],
    left_out: StepSet,
    given: u32,
) -> (Result<Planned, NoPlan>, u32) {
    let mut desk = Desk::default();
    let found = domain.search(goal, facts, left_out, given, &mut desk);
    let expansions = desk.expansions;
    let result = match found {
        Search::Found { cost, .. } => {
            let steps: Vec<usize> = desk.plan.iter().map(|step| usize::from(*step)).collect();
            let mut here = facts.to_vec();
            let costs = steps.iter().map(|step| {
                let cost = domain.cost(*step, &here).unwrap_or(0);
                domain.apply(*step, &mut here);
                cost as f64 / treemind_core::planning::COST_SCALE
            });
            Ok(Planned {
                costs: costs.collect(),
                cost: cost as f64 / treemind_core::planning::COST_SCALE,
                steps,
                expansions,
            })
        }
        Search::Nothing(why) => Err(why),
        // It was given as many expansions as it may have.
        Search::Unfinished => Err(NoPlan::Limit),
    };
    (result, expansions)
}

/// A goal that wants this.
fn wanting(wants: Expr) -> Goal {
    Goal {
        name: String::new(),
        aim: Aim::Wants(wants),
        when: None,
        score: Score {
            made: Scoring::Expr(Expr::Value(Value::Double(1.0))),
            weight: None,
        },
    }
}

/// A score for people: with three digits behind the point at most.
pub fn score_text(score: f64) -> String {
    ((score * 1e3).round() / 1e3).to_string()
}

/// The same as words.
pub(crate) fn score_words(score: f64) -> Words {
    Words::plain(score_text(score))
}

/// The parts of an expression, as it must hold.
fn parts_of(expr: &Expr) -> Vec<Expr> {
    conjuncts(expr).into_iter().cloned().collect()
}
