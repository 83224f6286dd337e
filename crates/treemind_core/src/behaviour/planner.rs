//! Planners: goals, tasks and steps as data, what is derived from them, and their checks.

use super::kind::KindPart;
use super::typing::check_expr;
use super::{Behaviour, Form, Guards, Hooks, Score, keys};
use crate::expr::{Assign, Compare, Expr};
use crate::ids::KeyId;
use crate::value::{Type, Value};
use std::collections::BTreeSet;

/// The most goals of a planner.
pub const MAX_GOALS: usize = 32;
/// The most tasks of a planner.
pub const MAX_TASKS: usize = 64;
/// The most steps of a planner.
pub const MAX_STEPS: usize = 128;
/// The most methods of a task.
pub const MAX_METHODS: usize = 16;
/// The most names in a method.
pub const MAX_METHOD_NAMES: usize = 32;
/// The most keys that a planner may name in what it reads and writes.
pub const MAX_FACTS: usize = 128;
/// The most keys that the steps of a planner may write.
pub const MAX_PLANNED_KEYS: usize = 64;
/// The most expansions that a search may be allowed.
pub const MAX_EXPANSIONS: u32 = 65_536;
/// The most steps that a plan may be allowed.
pub const MAX_PLAN_STEPS: u32 = 32;
/// How deep tasks may be in tasks.
pub const MAX_TASK_DEPTH: u32 = 32;

/// What a planner pursues, and by which steps: the children of its node, in document order.
#[derive(Clone, Debug, PartialEq)]
pub struct Planner {
    /// One per child of the node, in order: what a search knows of it beside its guards and statements.
    pub steps: Vec<PlanStep>,
    /// In document order.
    pub goals: Vec<Goal>,
    /// In document order; steps and goals refer to them by position.
    pub tasks: Vec<Task>,
    /// When it looks for another plan while it has one.
    pub replan: Replan,
    /// How much the score of another goal must exceed that of the one pursued; a `double` expression.
    pub hysteresis: Expr,
    /// It thinks in every so many ticks, 1 or more.
    pub every: u32,
    /// The expansions of a turn, 1 or more.
    pub slice: u32,
    /// The expansions of a search: 1 to [`MAX_EXPANSIONS`].
    pub max_expansions: u32,
    /// The steps of a plan: 1 to [`MAX_PLAN_STEPS`].
    pub max_steps: u32,
}

/// What a search knows of a child of a planner. Whether the step can be used is said by the guards of the child, and
/// what it does by `gives` and the statements of the child after success and at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanStep {
    /// The name in methods, traces and tests, unique among the steps and tasks of the planner.
    pub name: String,
    /// What the step does to the facts, as far as a search knows. Never carried out.
    pub gives: Vec<Assign>,
    /// A `double` expression, read before the step; 1 without one.
    pub cost: Option<Expr>,
}

/// Something that a planner may pursue.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The name, unique among the goals of the planner.
    pub name: String,
    /// What it is about.
    pub aim: Aim,
    /// While it does not hold, the goal is not open.
    pub when: Option<Expr>,
    /// The open goal with the highest score is pursued.
    pub score: Score,
}

/// What a goal is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Aim {
    /// A `bool` expression that is to hold.
    Wants(Expr),
    /// The position of a task that is to be done.
    Does(usize),
}

/// Something that can be done in several ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The name, unique among the steps and tasks of the planner.
    pub name: String,
    /// The ways, tried in this order.
    pub methods: Vec<Method>,
}

/// A way to do a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// What is done, in this order; it may be empty.
    pub does: Vec<Doing>,
    /// While it does not hold, the method cannot be used.
    pub when: Option<Expr>,
}

/// A name in a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doing {
    /// The position of a step.
    Step(usize),
    /// The position of a task.
    Task(usize),
}

/// When a planner looks for another plan while it has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Replan {
    /// When the rest of the plan cannot be done.
    #[default]
    Broken,
    /// Also when a fact has changed.
    Changed,
}

/// What a search needs to know of a planner as a whole; see [`Planner::keys`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannerKeys {
    /// The keys that steps write, in the order of their ids.
    pub planned: Vec<KeyId>,
    /// All keys that goals, methods, guards, costs and effects name, in the order of their ids. What the `when` of a goal
    /// asks of events is among them, and is no fact.
    pub facts: Vec<KeyId>,
}

/// A part of what a goal wants: it holds when all of its parts do.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedPart<'p> {
    /// The part.
    pub expr: &'p Expr,
    /// The steps that write one of its keys. The price of the part is the least of their costs.
    pub given_by: Vec<usize>,
}

/// The parts of an expression: split at each `&&` that is not inside anything else.
pub fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    let mut parts = Vec::new();
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match expr {
            Expr::And(left, right) => pending.extend([&**right, &**left]),
            part => parts.push(part),
        }
    }
    parts
}

/// The first two of some parts that cannot hold together, as is seen without computing anything: a key is compared with two
/// constants, or one part is the opposite of the other.
pub fn contradiction<'e>(parts: &[&'e Expr]) -> Option<(&'e Expr, &'e Expr)> {
    let mut pairs = parts.iter().enumerate().flat_map(|(at, one)| {
        let later = parts[at + 1..].iter();
        later.map(move |two| (*one, *two))
    });
    pairs.find(|(one, two)| exclude_each_other(one, two))
}

fn exclude_each_other(one: &Expr, two: &Expr) -> bool {
    let is_opposite = |one: &Expr, two: &Expr| matches!(one, Expr::Not(inner) if **inner == *two);
    if is_opposite(one, two) || is_opposite(two, one) {
        return true;
    }
    match (compared_with(one), compared_with(two)) {
        (Some((Compare::Eq, one, first)), Some((Compare::Eq, two, second))) => {
            let is_one_type = std::mem::discriminant(&first) == std::mem::discriminant(&second);
            one == two && is_one_type && first != second
        }
        (Some((Compare::Eq, one, first)), Some((Compare::Ne, two, second)))
        | (Some((Compare::Ne, one, first)), Some((Compare::Eq, two, second))) => {
            one == two && first == second
        }
        _ => false,
    }
}

/// What is compared with a constant, and which.
fn compared_with(expr: &Expr) -> Option<(Compare, &Expr, Value)> {
    let Expr::Compare(how, left, right) = expr else {
        return None;
    };
    match (&**left, &**right) {
        (Expr::Value(_), Expr::Value(_)) => None,
        (of, Expr::Value(value)) | (Expr::Value(value), of) => Some((*how, of, *value)),
        _ => None,
    }
}

/// What is carried out on a situation when a step is applied, in this order.
pub fn effects<'p>(step: &'p PlanStep, hooks: &'p Hooks) -> impl Iterator<Item = &'p Assign> {
    let after = [&hooks.on_success, &hooks.on_end].into_iter().flatten();
    step.gives.iter().chain(after)
}

/// The guards that decide whether a step can be used: `fail-if` and `skip-if` must not hold, and `while` must.
/// Each with whether it must hold, in the order in which they are looked at.
pub fn usable_if(guards: &Guards) -> impl Iterator<Item = (&Expr, bool)> {
    let refused = [&guards.fail_if, &guards.skip_if].into_iter().flatten();
    let refused = refused.map(|expr| (expr, false));
    refused.chain(guards.while_holds.iter().map(|expr| (expr, true)))
}

impl Planner {
    /// The keys that it plans and reads, given the guards and statements of its children.
    pub fn keys<'c>(
        &self,
        children: impl IntoIterator<Item = (&'c Guards, &'c Hooks)>,
    ) -> PlannerKeys {
        let (mut planned, mut facts) = (BTreeSet::new(), BTreeSet::new());
        let mut reads = |expr: &Expr| {
            expr.for_each_key(&mut |key| {
                facts.insert(key);
            });
        };
        for goal in &self.goals {
            if let Aim::Wants(wants) = &goal.aim {
                reads(wants);
            }
            goal.when.iter().for_each(&mut reads);
        }
        let methods = self.tasks.iter().flat_map(|task| &task.methods);
        methods
            .filter_map(|method| method.when.as_ref())
            .for_each(&mut reads);
        for (step, (guards, hooks)) in self.steps.iter().zip(children) {
            usable_if(guards).for_each(|(guard, _)| reads(guard));
            step.cost.iter().for_each(&mut reads);
            for assign in effects(step, hooks) {
                reads(&assign.value);
                planned.insert(assign.key);
            }
        }
        facts.extend(&planned);
        PlannerKeys {
            planned: planned.into_iter().collect(),
            facts: facts.into_iter().collect(),
        }
    }

    /// The parts of what a goal wants; none for a goal that does a task.
    pub fn wanted<'p>(&'p self, goal: usize, hooks: &[&Hooks]) -> Vec<WantedPart<'p>> {
        let Aim::Wants(wants) = &self.goals[goal].aim else {
            return Vec::new();
        };
        let parts = conjuncts(wants).into_iter().map(|expr| {
            let mut keys = BTreeSet::new();
            expr.for_each_key(&mut |key| {
                keys.insert(key);
            });
            let steps = self.steps.iter().zip(hooks).enumerate();
            let given_by = steps.filter(|(_, (step, hooks))| {
                effects(step, hooks).any(|assign| keys.contains(&assign.key))
            });
            WantedPart {
                expr,
                given_by: given_by.map(|(index, _)| index).collect(),
            }
        });
        parts.collect()
    }

    /// Its expressions and statements other than those of its children, with their types.
    pub(super) fn parts<'k>(&'k self, see: &mut dyn FnMut(KindPart<'k>)) {
        for goal in &self.goals {
            if let Aim::Wants(wants) = &goal.aim {
                see(KindPart::test(wants, Type::Bool));
            }
            goal.when
                .iter()
                .for_each(|when| see(KindPart::test(when, Type::Bool)));
            see(KindPart::Score(&goal.score));
        }
        for method in self.tasks.iter().flat_map(|task| &task.methods) {
            method
                .when
                .iter()
                .for_each(|when| see(KindPart::test(when, Type::Bool)));
        }
        for step in &self.steps {
            step.gives
                .iter()
                .for_each(|assign| see(KindPart::Foreseen(assign)));
            step.cost
                .iter()
                .for_each(|cost| see(KindPart::test(cost, Type::Double)));
        }
        see(KindPart::test(&self.hysteresis, Type::Double));
    }
}

/// Why an expression cannot be foreseen: it depends on something that no step says anything about.
pub fn unforeseeable(expr: &Expr) -> Option<&'static str> {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match expr {
            Expr::Random(..) => return Some("random"),
            Expr::Free(_) => return Some("free"),
            Expr::Alive(_) => return Some("alive"),
            Expr::Members => return Some("members"),
            Expr::Active(_) => return Some("In"),
            Expr::Now => return Some("now"),
            Expr::Age(_) => return Some("age"),
            Expr::SinceWritten(_) => return Some("since_written"),
            // Of a list, a planner knows the length.
            Expr::Index(..) => return Some("index"),
            Expr::Contains(..) => return Some("contains"),
            Expr::Item(..) => return Some("item"),
            Expr::Nearest(..) => return Some("nearest"),
            Expr::OfTexts(func, ..) => return Some(func.name()),
            _ => pending.extend(expr.parts()),
        }
    }
    None
}

fn within(count: usize, most: usize, what: &str) -> Result<(), String> {
    if count > most {
        return Err(format!(
            "{count} {what} in a planner, which has at most {most}"
        ));
    }
    Ok(())
}

/// Checks the numbers and references of a planner; its expressions are checked like those of all nodes.
pub(super) fn check(planner: &Planner, children: usize) -> Result<(), String> {
    if planner.steps.len() != children {
        return Err("a planner with other steps than children".to_owned());
    }
    within(planner.goals.len(), MAX_GOALS, "goals")?;
    within(planner.tasks.len(), MAX_TASKS, "tasks")?;
    within(children, MAX_STEPS, "steps")?;
    if planner.goals.is_empty() {
        return Err("a planner without goals".to_owned());
    }
    let mut names = BTreeSet::new();
    let steps = planner.steps.iter().map(|step| &step.name);
    for name in steps.chain(planner.tasks.iter().map(|task| &task.name)) {
        if !names.insert(name) {
            return Err(format!("two steps or tasks are named `{name}`"));
        }
    }
    let mut names = BTreeSet::new();
    for goal in &planner.goals {
        if !names.insert(&goal.name) {
            return Err(format!("two goals are named `{}`", goal.name));
        }
        if matches!(goal.aim, Aim::Does(task) if task >= planner.tasks.len()) {
            return Err("a task that is not there".to_owned());
        }
    }
    super::utility::check(
        planner.goals.iter().map(|goal| &goal.score),
        super::Policy::Highest,
    )?;
    planner
        .tasks
        .iter()
        .try_for_each(|task| check_task(planner, task))?;
    check_numbers(planner)
}

fn check_task(planner: &Planner, task: &Task) -> Result<(), String> {
    within(task.methods.len(), MAX_METHODS, "methods of a task")?;
    for method in &task.methods {
        within(method.does.len(), MAX_METHOD_NAMES, "names in a method")?;
        let exists = |doing: &Doing| match *doing {
            Doing::Step(step) => step < planner.steps.len(),
            Doing::Task(task) => task < planner.tasks.len(),
        };
        if !method.does.iter().all(exists) {
            return Err("a step or task that is not there".to_owned());
        }
    }
    Ok(())
}

fn check_numbers(planner: &Planner) -> Result<(), String> {
    let fits = planner.every >= 1
        && planner.slice >= 1
        && (1..=MAX_EXPANSIONS).contains(&planner.max_expansions)
        && (1..=MAX_PLAN_STEPS).contains(&planner.max_steps);
    if !fits {
        return Err("an option of a planner is out of range".to_owned());
    }
    Ok(())
}

/// Checks a statement that a search carries out on a situation; `gives` may also name keys that nodes cannot write.
pub(super) fn check_effect(behaviour: &Behaviour, assign: &Assign) -> Result<(), String> {
    let key = keys::find(behaviour, assign.key)?;
    if matches!(key.form, Form::List { .. }) || key.ty == Type::Any {
        return Err(format!("an effect on `{}` cannot be planned", key.name));
    }
    check_expr(behaviour, &assign.value, key.ty)
}

/// Checks a planner with all its children, which have been placed: what it foresees, and how many keys it names.
pub(super) fn check_foreseen(
    behaviour: &Behaviour,
    planner: &Planner,
    children: &[(&Guards, &Hooks)],
) -> Result<(), String> {
    let heard = |key: KeyId| behaviour.key(key).heard.is_some();
    let foreseen = |expr: &Expr| {
        let mut asks_event = false;
        expr.for_each_key(&mut |key| asks_event |= heard(key));
        match unforeseeable(expr).or(asks_event.then_some("event")) {
            Some(what) => Err(format!("`{what}` cannot be foreseen by a planner")),
            None => Ok(()),
        }
    };
    for (step, (guards, hooks)) in planner.steps.iter().zip(children) {
        usable_if(guards).try_for_each(|(guard, _)| foreseen(guard))?;
        step.cost.iter().try_for_each(foreseen)?;
        for assign in effects(step, hooks) {
            check_effect(behaviour, assign)?;
            foreseen(&assign.value)?;
        }
    }
    for goal in &planner.goals {
        if let Aim::Wants(wants) = &goal.aim {
            foreseen(wants)?;
        }
    }
    let methods = planner.tasks.iter().flat_map(|task| &task.methods);
    methods
        .filter_map(|method| method.when.as_ref())
        .try_for_each(foreseen)?;
    let keys = planner.keys(children.iter().copied());
    let facts = keys.facts.iter().filter(|key| !heard(**key));
    within(facts.count(), MAX_FACTS, "facts")?;
    within(keys.planned.len(), MAX_PLANNED_KEYS, "planned keys")?;
    Ok(())
}
