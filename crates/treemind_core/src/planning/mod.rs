//! Planners: what their searches find. Nothing here knows of populations: a search is a function of a planner, a
//! situation, a goal and the steps that are left out.

mod blame;
mod decompose;
mod desk;
mod gather;
mod layout;
mod packing;
mod paused;
mod rule;
mod search;
mod shelf;
mod term;
#[cfg(test)]
mod tests;

pub use blame::Blame;
pub use desk::{Desk, Situation};
pub(crate) use shelf::{Asker, Question, Shelf, Start};
pub use term::known_value;

use crate::behaviour::{
    Aim, Behaviour, Doing, Guards, Hooks, Kind, Planner, WantedPart, effects, usable_if,
};
use crate::blackboard::Held;
use crate::expr::Expr;
use crate::ids::{KeyId, NodeId};
use crate::snapshot;
use crate::value::{Type, Value};
use desk::Extent;
use layout::Layout;
use rule::{Effect, Rule, Short, all_hold, require};
use term::Term;

/// A cost as searches count it, in thousandths.
pub const COST_SCALE: f64 = 1_000.0;
/// The greatest cost of a step.
const MOST_COST: f64 = 1e9;
/// No step gives what is wanted.
const INFINITE: u64 = u64::MAX;

/// A planner prepared for searches.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    layout: Layout,
    steps: Vec<Step>,
    goals: Vec<GoalCode>,
    tasks: Vec<Vec<MethodCode>>,
    max_expansions: u32,
    max_steps: u32,
    /// Whether an expression asks for the handle of the agent.
    names_itself: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Step {
    usable: Vec<Rule>,
    effects: Vec<Effect>,
    cost: Cost,
    /// All of it, if it is that short.
    short: Option<Short>,
}

#[derive(Clone, Debug, PartialEq)]
enum Cost {
    /// In thousandths.
    Fixed(u64),
    /// Of a literal that is no cost.
    Bad,
    /// Whether it reads a planned key.
    Term(Term, bool),
}

#[derive(Clone, Debug, PartialEq)]
enum GoalCode {
    Wants(Vec<PartCode>),
    Does(u32),
}

#[derive(Clone, Debug, PartialEq)]
struct PartCode {
    holds: Vec<Rule>,
    given_by: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq)]
struct MethodCode {
    when: Vec<Rule>,
    does: Vec<Doing>,
}

/// Steps by their positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StepSet(pub u128);

impl StepSet {
    /// Whether a step is in the set.
    pub fn has(self, step: usize) -> bool {
        self.0 >> step & 1 == 1
    }

    /// Adds a step.
    pub fn add(&mut self, step: usize) {
        self.0 |= 1 << step;
    }
}

/// What a search has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// It needs more expansions than it was given.
    Unfinished,
    /// A plan, which is on the desk.
    Found {
        /// The sum of the costs, in thousandths.
        cost: u64,
        /// The method that the task of the goal itself has chosen; 0 for a goal that wants something.
        method: u32,
    },
    /// There is no plan.
    Nothing(NoPlan),
}

/// Why there is no plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoPlan {
    /// No steps lead to the goal.
    None,
    /// A limit ended the search, or cut off what may have led to the goal.
    Limit,
}

/// Why the rest of a plan cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flaw {
    /// This step of the planner cannot be used in its turn.
    Broken(u32),
    /// All steps can be used, but what the goal wants does not hold afterwards.
    Unmet,
}

impl Domain {
    /// Prepares the planner of a node.
    ///
    /// # Panics
    /// When the node is no planner.
    pub fn new(behaviour: &Behaviour, node: NodeId) -> Self {
        let placed = behaviour.node(node);
        let Kind::Planner(planner) = &placed.kind else {
            panic!("`{}` is no planner", behaviour.label(node));
        };
        let children = placed.children.iter().map(|child| behaviour.node(*child));
        let children: Vec<_> = children
            .map(|child| (&child.guards, &child.hooks))
            .collect();
        Self::of(behaviour, planner, &children)
    }

    /// The same for a planner that is not part of the behaviour, such as one of which something was changed to see what
    /// follows. It uses only keys of the behaviour; `children` are the guards and statements of its steps.
    pub fn of(behaviour: &Behaviour, planner: &Planner, children: &[(&Guards, &Hooks)]) -> Self {
        let keys = planner.keys(children.iter().copied());
        let layout = Layout::new(behaviour, &keys);
        let is_planned = |expr: &Expr| {
            let mut is_planned = false;
            expr.for_each_key(&mut |key| is_planned |= keys.planned.contains(&key));
            is_planned
        };
        let steps = planner.steps.iter().zip(children);
        let steps = steps.map(|(step, (guards, hooks))| {
            let mut usable = Vec::new();
            for (guard, value) in usable_if(guards) {
                require(guard, value, &layout, &mut usable);
            }
            let effects = effects(step, hooks).map(|assign| Effect::new(assign, &layout));
            let effects: Vec<_> = effects.collect();
            let cost = Cost::new(step.cost.as_ref(), &layout, is_planned);
            let short = match cost {
                Cost::Fixed(cost) => Short::of(&usable, &effects, cost),
                _ => None,
            };
            Step {
                usable,
                effects,
                cost,
                short,
            }
        });
        let steps = steps.collect();
        let hooks: Vec<_> = children.iter().map(|(_, hooks)| *hooks).collect();
        let goals = (0..planner.goals.len()).map(|goal| match &planner.goals[goal].aim {
            Aim::Does(task) => GoalCode::Does(*task as u32),
            Aim::Wants(_) => {
                let parts = planner.wanted(goal, &hooks);
                GoalCode::Wants(parts.iter().map(|part| part_code(part, &layout)).collect())
            }
        });
        let goals = goals.collect();
        Self {
            steps,
            goals,
            tasks: task_codes(planner, &layout),
            max_expansions: planner.max_expansions,
            max_steps: planner.max_steps,
            names_itself: names_itself(planner, children),
            layout,
        }
    }

    /// How many words a situation takes.
    pub fn words(&self) -> usize {
        self.layout.words
    }

    /// Sets memory aside on a desk, so that searches allocate nothing.
    pub fn reserve(&self, desk: &mut Desk) {
        // A search ends when it has had one more than it may have.
        let expansions = self.max_expansions as usize + 1;
        let methods = self.tasks.iter().flatten();
        let longest = methods.map(|method| method.does.len()).max().unwrap_or(0);
        let has = |is: bool, count: usize| if is { count + 1 } else { 0 };
        let parts = self.goals.iter().map(|goal| match goal {
            GoalCode::Wants(parts) => parts.len(),
            GoalCode::Does(_) => 0,
        });
        let parts = parts.max().unwrap_or(0);
        desk.reserve(Extent {
            situations: has(parts > 0, expansions * self.steps.len()),
            planned: self.layout.planned,
            words: self.layout.words,
            parts,
            todos: has(!self.tasks.is_empty(), expansions * longest),
            choices: has(!self.tasks.is_empty(), expansions),
        });
    }

    /// The keys that are facts, in the order of their ids.
    pub fn facts(&self) -> impl Iterator<Item = KeyId> + '_ {
        self.layout.places.iter().map(|place| place.key)
    }

    /// Whether a step may change this fact. What no step writes is as it is, wherever the steps lead.
    pub fn is_planned(&self, fact: KeyId) -> bool {
        let mut places = self.layout.places.iter();
        places.any(|place| place.key == fact && (place.word as usize) < self.layout.planned)
    }

    /// Stores what an agent knows: `held` gives the content of a key, `me` is the handle of the agent.
    pub fn read<'h>(
        &self,
        situation: &mut [u64],
        me: u64,
        mut held: impl FnMut(KeyId) -> Held<'h>,
    ) {
        situation.fill(0);
        situation[self.layout.me as usize] = if self.names_itself { me } else { 0 };
        for place in &self.layout.places {
            place.read(situation, held(place.key));
        }
    }

    /// The value of a fact in a situation; of a list, its length.
    pub fn value(&self, situation: &[u64], fact: KeyId) -> Option<Value> {
        let place = self.layout.place(fact);
        match place.is_list {
            true => Some(Value::Int(place.raw(situation) as i64)),
            false => place.value(situation),
        }
    }

    /// A number for the facts of a situation that is the same in every process; `bytes` is working memory.
    pub fn hash(&self, situation: &[u64], bytes: &mut Vec<u8>) -> u64 {
        if let Some(bytes) = self.layout.canonical_words(situation) {
            return snapshot::hash(bytes);
        }
        bytes.clear();
        self.layout.canonical(situation, bytes);
        snapshot::hash(bytes)
    }

    /// The same, with the steps that are left out.
    pub fn hash_with(&self, situation: &[u64], left_out: StepSet, bytes: &mut Vec<u8>) -> u64 {
        bytes.clear();
        self.layout.canonical(situation, bytes);
        bytes.extend(left_out.0.to_le_bytes());
        snapshot::hash(bytes)
    }

    /// The type of a fact; `None` for a list, of which the length is the fact.
    pub(crate) fn type_of(&self, fact: KeyId) -> Option<Type> {
        let place = self.layout.place(fact);
        (!place.is_list).then_some(place.ty)
    }

    /// Stores what was kept of a situation.
    pub(crate) fn restore(
        &self,
        situation: &mut [u64],
        me: u64,
        kept: impl Fn(KeyId, Option<Type>) -> Option<Value>,
    ) {
        situation.fill(0);
        situation[self.layout.me as usize] = if self.names_itself { me } else { 0 };
        for place in &self.layout.places {
            let ty = (!place.is_list).then_some(place.ty);
            match (kept(place.key, ty), place.is_list) {
                (Some(Value::Int(length)), true) => place.set_raw(situation, length as u64),
                (Some(value), _) => place.set(situation, value),
                (None, _) => {}
            }
        }
    }

    /// Whether a step can be used in a situation, as far as its guards say.
    pub fn is_usable(&self, step: usize, situation: &[u64]) -> bool {
        all_hold(&self.steps[step].usable, situation)
    }

    /// Whether a step changes any fact of a situation; `later` is working memory.
    pub(crate) fn changes(&self, step: usize, situation: &[u64], later: &mut Vec<u64>) -> bool {
        if let Some(short) = &self.steps[step].short {
            return short.changes(situation);
        }
        later.clear();
        later.extend_from_slice(situation);
        self.apply(step, later) && later != situation
    }

    /// Applies a step; returns whether that was possible. After a fault, the situation is of no use.
    pub fn apply(&self, step: usize, situation: &mut [u64]) -> bool {
        let mut effects = self.steps[step].effects.iter();
        effects.all(|effect| effect.apply(situation).is_some())
    }

    /// The cost of a step in a situation, in thousandths; `None` if it has none there.
    pub fn cost(&self, step: usize, situation: &[u64]) -> Option<u64> {
        match &self.steps[step].cost {
            Cost::Fixed(cost) => Some(*cost),
            Cost::Bad => None,
            Cost::Term(term, _) => match term.eval(situation)? {
                Value::Double(cost) => counted(cost),
                _ => None,
            },
        }
    }

    /// What the cost of a step comes to in a situation, be it below 0; `None` if it cannot be computed there.
    pub fn raw_cost(&self, step: usize, situation: &[u64]) -> Option<f64> {
        match &self.steps[step].cost {
            Cost::Fixed(cost) => Some(*cost as f64 / COST_SCALE),
            Cost::Bad => None,
            Cost::Term(term, _) => match term.eval(situation)? {
                Value::Double(cost) => Some(cost),
                _ => None,
            },
        }
    }

    /// Whether what a goal wants holds in a situation; a goal that does a task wants nothing.
    pub fn is_met(&self, goal: usize, situation: &[u64]) -> bool {
        match &self.goals[goal] {
            GoalCode::Wants(parts) => parts.iter().all(|part| all_hold(&part.holds, situation)),
            GoalCode::Does(_) => false,
        }
    }

    /// Whether the goal does a task.
    pub fn is_task(&self, goal: usize) -> bool {
        matches!(self.goals[goal], GoalCode::Does(_))
    }

    /// Goes through the rest of a plan, from a situation that it changes. The guards of the first step do not count if
    /// it is `live`. Returns the sum of the costs.
    ///
    /// # Errors
    /// What is wrong with the plan.
    pub fn follow(
        &self,
        goal: usize,
        rest: &[u8],
        live: bool,
        situation: &mut [u64],
    ) -> Result<u64, Flaw> {
        let steps = rest.iter().map(|step| usize::from(*step));
        self.follow_steps(goal, steps, live, situation)
    }

    /// The same for steps wherever they come from.
    #[inline]
    pub(crate) fn follow_steps(
        &self,
        goal: usize,
        rest: impl Iterator<Item = usize>,
        live: bool,
        situation: &mut [u64],
    ) -> Result<u64, Flaw> {
        let mut sum = 0;
        let mut is_begun = live;
        for step in rest {
            let broken = Flaw::Broken(step as u32);
            let is_begun = std::mem::take(&mut is_begun);
            if let Some(short) = &self.steps[step].short {
                if !is_begun && !short.is_usable(situation) {
                    return Err(broken);
                }
                sum += short.cost;
                short.apply(situation);
                continue;
            }
            if !is_begun && !self.is_usable(step, situation) {
                return Err(broken);
            }
            match self.cost(step, situation) {
                Some(cost) => sum += cost,
                // Without a cost it cannot be used, and whether a live step can be does not count. What is left of a
                // plan for what is wanted is compared with others, and needs a sum.
                None if is_begun && self.is_task(goal) => {}
                None => return Err(broken),
            }
            if !self.apply(step, situation) {
                return Err(broken);
            }
        }
        match self.is_task(goal) || self.is_met(goal, situation) {
            true => Ok(sum),
            false => Err(Flaw::Unmet),
        }
    }

    /// Looks for a plan with at most this many expansions; the steps are then on the desk.
    pub fn search(
        &self,
        goal: usize,
        situation: &[u64],
        left_out: StepSet,
        expansions: u32,
        desk: &mut Desk,
    ) -> Search {
        self.begin(goal, situation, desk);
        let found = self.go_on(goal, left_out, expansions, desk);
        match desk.expansions > expansions {
            true => Search::Unfinished,
            false => found,
        }
    }

    /// Puts a new search on the desk.
    pub(crate) fn begin(&self, goal: usize, situation: &[u64], desk: &mut Desk) {
        desk.clear(self.layout.planned, situation);
        match &self.goals[goal] {
            GoalCode::Wants(parts) => self.begin_wanted(parts, desk),
            GoalCode::Does(task) => Self::begin_task(*task, desk),
        }
    }

    /// Goes on with the search on the desk, until it is over or has had more than so many expansions in all. What is
    /// then on the desk can go on, if it is unfinished.
    pub(crate) fn go_on(
        &self,
        goal: usize,
        left_out: StepSet,
        given: u32,
        desk: &mut Desk,
    ) -> Search {
        match &self.goals[goal] {
            GoalCode::Wants(parts) => self.search_wanted(parts, left_out, given, desk),
            GoalCode::Does(_) => self.decompose(left_out, given, desk),
        }
    }
}

/// Whether an expression that a search evaluates asks for the handle of the agent.
fn names_itself(planner: &Planner, children: &[(&Guards, &Hooks)]) -> bool {
    let mut exprs: Vec<&Expr> = Vec::new();
    for goal in &planner.goals {
        if let Aim::Wants(wants) = &goal.aim {
            exprs.push(wants);
        }
    }
    let methods = planner.tasks.iter().flat_map(|task| &task.methods);
    exprs.extend(methods.filter_map(|method| method.when.as_ref()));
    for (step, (guards, hooks)) in planner.steps.iter().zip(children) {
        exprs.extend(usable_if(guards).map(|(guard, _)| guard));
        exprs.extend(&step.cost);
        exprs.extend(effects(step, hooks).map(|assign| &assign.value));
    }
    while let Some(expr) = exprs.pop() {
        if *expr == Expr::Me {
            return true;
        }
        exprs.extend(expr.parts());
    }
    false
}

impl Cost {
    fn new(expr: Option<&Expr>, layout: &Layout, is_planned: impl Fn(&Expr) -> bool) -> Self {
        match expr {
            None => Cost::Fixed(COST_SCALE as u64),
            Some(Expr::Value(Value::Double(cost))) => counted(*cost).map_or(Cost::Bad, Cost::Fixed),
            Some(expr) => Cost::Term(Term::new(expr, layout), is_planned(expr)),
        }
    }
}

/// A cost as a whole number of thousandths, rounded half up.
fn counted(cost: f64) -> Option<u64> {
    let is_cost = cost.is_finite() && cost >= 0.0;
    is_cost.then(|| (cost * COST_SCALE + 0.5).floor().min(MOST_COST) as u64)
}

fn part_code(part: &WantedPart<'_>, layout: &Layout) -> PartCode {
    let mut holds = Vec::new();
    require(part.expr, true, layout, &mut holds);
    PartCode {
        holds,
        given_by: part.given_by.iter().map(|step| *step as u32).collect(),
    }
}

fn task_codes(planner: &Planner, layout: &Layout) -> Vec<Vec<MethodCode>> {
    let tasks = planner.tasks.iter().map(|task| {
        let methods = task.methods.iter().map(|method| {
            let mut when = Vec::new();
            if let Some(expr) = &method.when {
                require(expr, true, layout, &mut when);
            }
            let does = method.does.clone();
            MethodCode { when, does }
        });
        methods.collect()
    });
    tasks.collect()
}
