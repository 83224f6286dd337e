//! What a planner finds: the model of the specification, with situations as lists of cells, and nothing else.

use super::super::{Cell, Surroundings, eval};
use std::collections::{BTreeMap, BTreeSet};
use treemind_core::behaviour::{Aim, Doing, Guards, Hooks, Planner};
use treemind_core::expr::Assign;
use treemind_core::{Behaviour, Expr, KeyId, Kind, NodeId, Value};

/// How deep tasks may be in tasks.
const MAX_LEVELS: u32 = 32;

/// The content of every key.
pub type Situation = Vec<Cell>;

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A plan.
    Plan {
        /// The steps by their positions.
        steps: Vec<usize>,
        /// The sum of the costs, in thousandths.
        cost: u64,
        /// The method that the goal's own task has chosen.
        method: usize,
    },
    /// There is none.
    None,
    /// A limit ended it.
    Limit,
}

/// What a search came to, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// The plan, or why there is none.
    pub answer: Answer,
    /// The number of expansions.
    pub expansions: u64,
    /// The steps that had no cost where they could have been used.
    pub bad_costs: BTreeSet<usize>,
}

/// The planner of a node.
pub struct Model<'b> {
    behaviour: &'b Behaviour,
    planner: &'b Planner,
    steps: Vec<(&'b Guards, &'b Hooks)>,
    me: u64,
    written: BTreeSet<KeyId>,
    facts: BTreeSet<KeyId>,
}

/// The way to a situation: what it costs, how many steps it has, and the steps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Label {
    cost: u64,
    count: usize,
    list: Vec<usize>,
}

fn name(situation: &Situation) -> String {
    format!("{situation:?}")
}

impl<'b> Model<'b> {
    /// The planner of a node; `me` is the handle of the agent.
    ///
    /// # Panics
    /// When the node is no planner.
    pub fn new(behaviour: &'b Behaviour, node: NodeId, me: u64) -> Self {
        let placed = behaviour.node(node);
        let Kind::Planner(planner) = &placed.kind else {
            panic!("no planner");
        };
        let children = placed.children.iter().map(|child| behaviour.node(*child));
        let steps: Vec<_> = children
            .map(|child| (&child.guards, &child.hooks))
            .collect();
        let mut model = Self {
            behaviour,
            planner,
            steps,
            me,
            written: BTreeSet::new(),
            facts: BTreeSet::new(),
        };
        model.find_keys();
        model
    }

    fn find_keys(&mut self) {
        let mut exprs: Vec<&Expr> = Vec::new();
        for goal in &self.planner.goals {
            if let Aim::Wants(wants) = &goal.aim {
                exprs.push(wants);
            }
            exprs.extend(&goal.when);
        }
        for task in &self.planner.tasks {
            exprs.extend(
                task.methods
                    .iter()
                    .filter_map(|method| method.when.as_ref()),
            );
        }
        for (step, (guards, _)) in self.planner.steps.iter().zip(&self.steps) {
            exprs.extend(&guards.fail_if);
            exprs.extend(&guards.skip_if);
            exprs.extend(&guards.while_holds);
            exprs.extend(&step.cost);
        }
        for step in 0..self.steps.len() {
            for assign in self.effects(step) {
                exprs.push(&assign.value);
                self.written.insert(assign.key);
            }
        }
        for expr in exprs {
            expr.for_each_key(&mut |key| {
                self.facts.insert(key);
            });
        }
        // Only the `when` of a goal may name events, and they are not facts.
        let keys = self.behaviour.keys();
        self.facts.retain(|key| keys[key.index()].heard.is_none());
        self.facts.extend(&self.written);
    }

    /// The facts among the contents of all keys. Of a list, its length counts.
    pub fn facts(&self, cells: &[Cell]) -> Situation {
        let cell = |key: usize| match &cells[key] {
            _ if !self.facts.contains(&KeyId::new(key)) => Cell::Unset,
            Cell::List(items) => Cell::List(vec![Value::Int(0); items.len()]),
            cell => canonical(cell.clone()),
        };
        (0..cells.len()).map(cell).collect()
    }

    /// The keys that are facts.
    pub fn fact_keys(&self) -> Vec<KeyId> {
        self.facts.iter().copied().collect()
    }

    fn effects(&self, step: usize) -> impl Iterator<Item = &'b Assign> + use<'b> {
        let hooks = self.steps[step].1;
        let gives = &self.planner.steps[step].gives;
        gives.iter().chain(&hooks.on_success).chain(&hooks.on_end)
    }

    fn eval(&self, expr: &Expr, situation: &Situation) -> Option<Value> {
        let around = &mut Surroundings {
            keys: self.behaviour.keys(),
            cells: situation,
            active: &BTreeSet::new(),
            draw: &mut || unreachable!("a planner foresees no draws"),
            free: &|_| 0,
            me: self.me,
            members: 0,
            alive: &BTreeSet::new(),
            now_ns: 0,
            ages: &[],
        };
        eval(expr, around).ok()
    }

    fn holds(&self, expr: &Expr, situation: &Situation) -> bool {
        self.eval(expr, situation) == Some(Value::Bool(true))
    }

    fn fails(&self, expr: &Expr, situation: &Situation) -> bool {
        self.eval(expr, situation) == Some(Value::Bool(false))
    }

    /// Whether the guards of a step let it begin.
    pub fn usable(&self, step: usize, situation: &Situation) -> bool {
        let guards = self.steps[step].0;
        let refused = guards.fail_if.iter().chain(&guards.skip_if);
        refused
            .into_iter()
            .all(|guard| self.fails(guard, situation))
            && guards
                .while_holds
                .iter()
                .all(|guard| self.holds(guard, situation))
    }

    /// The situation after a step.
    pub fn apply(&self, step: usize, situation: &Situation) -> Option<Situation> {
        let mut after = situation.clone();
        for assign in self.effects(step) {
            let value = self.eval(&assign.value, &after)?;
            after[assign.key.index()] = canonical(Cell::One(value));
        }
        Some(after)
    }

    /// The cost of a step, in thousandths.
    pub fn cost(&self, step: usize, situation: &Situation) -> Option<u64> {
        let Some(cost) = &self.planner.steps[step].cost else {
            return Some(1_000);
        };
        match self.eval(cost, situation)? {
            Value::Double(cost) if cost.is_finite() && cost >= 0.0 => {
                Some(((cost * 1_000.0 + 0.5).floor() as u64).min(1_000_000_000))
            }
            _ => None,
        }
    }

    /// Whether what a goal wants holds.
    pub fn wants_holds(&self, goal: usize, situation: &Situation) -> bool {
        match &self.planner.goals[goal].aim {
            Aim::Wants(wants) => self.holds(wants, situation),
            Aim::Does(_) => false,
        }
    }

    /// Looks for a plan.
    pub fn search(
        &self,
        goal: usize,
        situation: &Situation,
        left_out: &BTreeSet<usize>,
    ) -> Searched {
        match &self.planner.goals[goal].aim {
            Aim::Wants(wants) => self.search_wanted(wants, situation, left_out),
            Aim::Does(task) => self.decompose(*task, situation, left_out),
        }
    }

    /// The least cost of what can be done about a part; `None` if nothing can.
    fn price(&self, part: &Expr, start: &Situation) -> Option<u64> {
        let mut keys = BTreeSet::new();
        part.for_each_key(&mut |key| {
            keys.insert(key);
        });
        let gives = |step: &usize| self.effects(*step).any(|assign| keys.contains(&assign.key));
        let steps = (0..self.steps.len()).filter(gives);
        let costs = steps.filter_map(|step| {
            let mut is_planned = false;
            if let Some(cost) = &self.planner.steps[step].cost {
                cost.for_each_key(&mut |key| is_planned |= self.written.contains(&key));
            }
            if is_planned {
                Some(0)
            } else {
                self.cost(step, start)
            }
        });
        costs.min()
    }

    fn search_wanted(
        &self,
        wants: &Expr,
        start: &Situation,
        left_out: &BTreeSet<usize>,
    ) -> Searched {
        let parts = split(wants);
        let prices: Vec<_> = parts.iter().map(|part| self.price(part, start)).collect();
        // `None` is infinite.
        let estimate = |situation: &Situation| {
            let lacking = parts.iter().zip(&prices);
            let lacking = lacking.filter(|(part, _)| !self.holds(part, situation));
            lacking
                .map(|(_, price)| *price)
                .try_fold(0, |most, price| Some(price?.max(most)))
        };
        let first = Label {
            cost: 0,
            count: 0,
            list: Vec::new(),
        };
        let mut labels = BTreeMap::from([(name(start), (first, start.clone(), estimate(start)))]);
        let mut closed = BTreeSet::new();
        let (mut ranks, mut bad) = (Vec::new(), Vec::new());
        let mut cut = false;
        let limit = u64::from(self.planner.max_expansions);
        let max_steps = self.planner.max_steps as usize;
        let mut plan = None;
        loop {
            let open = labels.iter().filter(|(name, _)| !closed.contains(*name));
            let open = open.filter_map(|(name, (label, situation, estimate))| {
                let rank = (label.cost + (*estimate)?, label.count);
                Some((rank, label.clone(), name.clone(), situation.clone()))
            });
            let least = open.min_by(|a, b| (a.0, &a.1.list).cmp(&(b.0, &b.1.list)));
            let Some((rank, label, name_of, situation)) = least else {
                break;
            };
            let below = ranks.iter().filter(|other| **other < rank).count() as u64;
            if below > limit {
                return Searched {
                    answer: Answer::Limit,
                    expansions: limit,
                    bad_costs: bad.into_iter().map(|(_, step)| step).collect(),
                };
            }
            if self.holds(wants, &situation) {
                plan = Some(label);
                break;
            }
            closed.insert(name_of);
            ranks.push(rank);
            if label.count == max_steps {
                cut = true;
                continue;
            }
            for step in (0..self.steps.len()).filter(|step| !left_out.contains(step)) {
                if !self.usable(step, &situation) {
                    continue;
                }
                let Some(next) = self.apply(step, &situation) else {
                    continue;
                };
                let Some(cost) = self.cost(step, &situation) else {
                    bad.push((rank, step));
                    continue;
                };
                let mut list = label.list.clone();
                list.push(step);
                let new = Label {
                    cost: label.cost + cost,
                    count: label.count + 1,
                    list,
                };
                let known = labels.get(&name(&next)).map(|known| &known.0);
                if !closed.contains(&name(&next)) && known.is_none_or(|known| new < *known) {
                    let estimate = estimate(&next);
                    labels.insert(name(&next), (new, next, estimate));
                }
            }
        }
        let end = plan.as_ref().map(|plan| (plan.cost, plan.count));
        let counts = |rank: &(u64, usize)| end.is_none_or(|end| *rank < end);
        let expansions = ranks.iter().filter(|rank| counts(rank)).count() as u64;
        let bad = bad.into_iter().filter(|(rank, _)| counts(rank));
        let answer = match plan {
            Some(plan) => Answer::Plan {
                steps: plan.list,
                cost: plan.cost,
                method: 0,
            },
            None if cut => Answer::Limit,
            None => Answer::None,
        };
        Searched {
            answer,
            expansions,
            bad_costs: bad.map(|(_, step)| step).collect(),
        }
    }

    fn decompose(&self, task: usize, start: &Situation, left_out: &BTreeSet<usize>) -> Searched {
        let mut state = Doings {
            choices: Vec::new(),
            todo: vec![(Doing::Task(task), 0)],
            situation: start.clone(),
            plan: Vec::new(),
            work: 0,
        };
        let limit = u64::from(self.planner.max_expansions);
        let (mut cut, mut bad) = (false, BTreeSet::new());
        let found = |answer, work: u64, bad_costs| Searched {
            answer,
            expansions: work.min(limit),
            bad_costs,
        };
        loop {
            if state.work > limit {
                return found(Answer::Limit, state.work, bad);
            }
            if state.todo.is_empty() {
                let (cost, method) = (self.cost_of(&state.plan, start), state.first_method());
                let answer = Answer::Plan {
                    steps: state.plan,
                    cost,
                    method,
                };
                return found(answer, state.work, bad);
            }
            let came_on = match state.todo.remove(0) {
                (Doing::Step(step), _) => {
                    state.work += 1;
                    let fits = state.plan.len() < self.planner.max_steps as usize;
                    cut |= !fits;
                    let can = fits && !left_out.contains(&step);
                    let can = can && self.usable(step, &state.situation);
                    let after = can.then(|| self.apply(step, &state.situation)).flatten();
                    match after {
                        Some(_) if self.cost(step, &state.situation).is_none() => {
                            bad.insert(step);
                            false
                        }
                        Some(after) => {
                            state.situation = after;
                            state.plan.push(step);
                            true
                        }
                        None => false,
                    }
                }
                (Doing::Task(_), MAX_LEVELS..) => {
                    cut = true;
                    false
                }
                (Doing::Task(task), level) => self.try_methods(&mut state, (task, level), 0),
            };
            if !came_on && !self.go_back(&mut state, limit) && state.work <= limit {
                let answer = if cut { Answer::Limit } else { Answer::None };
                return found(answer, state.work, bad);
            }
        }
    }

    /// Puts the names of the first method that can be used in place of a task.
    fn try_methods(&self, state: &mut Doings, (task, level): (usize, u32), from: usize) -> bool {
        let methods = &self.planner.tasks[task].methods;
        for (index, method) in methods.iter().enumerate().skip(from) {
            state.work += 1;
            if state.work > u64::from(self.planner.max_expansions) {
                return false;
            }
            if method
                .when
                .iter()
                .any(|when| !self.holds(when, &state.situation))
            {
                continue;
            }
            state.choices.push(Choice {
                todo: state.todo.clone(),
                situation: state.situation.clone(),
                plan: state.plan.clone(),
                task: (task, level),
                next: index + 1,
            });
            let names = method.does.iter().map(|doing| (*doing, level + 1));
            state.todo.splice(0..0, names);
            return true;
        }
        false
    }

    /// Undoes choices until another method can be used.
    fn go_back(&self, state: &mut Doings, limit: u64) -> bool {
        while state.work <= limit {
            let Some(choice) = state.choices.pop() else {
                return false;
            };
            state.todo = choice.todo;
            state.situation = choice.situation;
            state.plan = choice.plan;
            if self.try_methods(state, choice.task, choice.next) {
                return true;
            }
        }
        false
    }

    fn cost_of(&self, plan: &[usize], start: &Situation) -> u64 {
        let mut situation = start.clone();
        let mut sum = 0;
        for step in plan {
            sum += self.cost(*step, &situation).unwrap_or(0);
            situation = self.apply(*step, &situation).unwrap_or(situation);
        }
        sum
    }
}

struct Choice {
    todo: Vec<(Doing, u32)>,
    situation: Situation,
    plan: Vec<usize>,
    task: (usize, u32),
    next: usize,
}

struct Doings {
    choices: Vec<Choice>,
    todo: Vec<(Doing, u32)>,
    situation: Situation,
    plan: Vec<usize>,
    work: u64,
}

impl Doings {
    fn first_method(&self) -> usize {
        self.choices.first().map_or(0, |choice| choice.next - 1)
    }
}

/// There is one NaN.
fn canonical(cell: Cell) -> Cell {
    let one = |float: f32| if float.is_nan() { f32::NAN } else { float };
    let Cell::One(value) = cell else {
        return cell;
    };
    Cell::One(match value {
        Value::Float(float) => Value::Float(one(float)),
        Value::Double(double) if double.is_nan() => Value::Double(f64::NAN),
        Value::Vec2(parts) => Value::Vec2(parts.map(one)),
        Value::Vec3(parts) => Value::Vec3(parts.map(one)),
        other => other,
    })
}

/// The parts between the `&&` at the top.
fn split(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::And(left, right) => {
            let mut parts = split(left);
            parts.extend(split(right));
            parts
        }
        part => vec![part],
    }
}
