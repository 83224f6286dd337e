//! What the planners of an agent follow, as its trace says.

use crate::expectation::joined;
use crate::player::quoted;
use std::collections::{BTreeMap, BTreeSet};
use treemind_core::behaviour::{Aim, Doing, MAX_TASK_DEPTH, Planner};
use treemind_core::planning::COST_SCALE;
use treemind_core::trace::Event;
use treemind_core::{Behaviour, Kind, NodeId, Status};
use treemind_doc::testing::Expectation;
use treemind_doc::{Said, said};

/// Of how many planners is said what they follow.
const MOST_PLANNERS: usize = 8;

/// The planners of an agent, with what each follows.
#[derive(Default)]
pub(crate) struct Plans {
    by: BTreeMap<NodeId, Followed>,
}

/// What a planner follows, by the positions of goals and steps.
#[derive(Default)]
struct Followed {
    goal: Option<usize>,
    /// In thousandths.
    cost: u32,
    /// The steps from the one in progress on.
    steps: Vec<usize>,
    no_plan: BTreeSet<usize>,
}

fn planner_at(behaviour: &Behaviour, node: NodeId) -> Option<&Planner> {
    match &behaviour.node(node).kind {
        Kind::Planner(planner) => Some(planner),
        _ => None,
    }
}

impl Plans {
    /// Notes an event of the agent.
    pub(crate) fn note(&mut self, behaviour: &Behaviour, node: NodeId, event: Event) {
        if event == Event::Tick(Status::Success) {
            self.step_succeeded(behaviour, node);
        }
        if planner_at(behaviour, node).is_none() {
            return;
        }
        let followed = self.by.entry(node).or_default();
        match event {
            Event::Think(goal) => drop(followed.no_plan.remove(&(goal as usize))),
            Event::NoPlan(goal, _) => drop(followed.no_plan.insert(goal as usize)),
            Event::Goal(goal) => {
                followed.goal = Some(goal as usize);
                followed.steps.clear();
            }
            Event::Plan(cost) => {
                followed.cost = cost;
                followed.steps.clear();
            }
            Event::Intend(step) => followed.steps.push(step as usize),
            Event::Drop(_) => followed.steps.clear(),
            Event::Tick(Status::Running) => {}
            Event::Tick(_) | Event::Abort => {
                followed.goal = None;
                followed.steps.clear();
            }
            _ => {}
        }
    }

    fn step_succeeded(&mut self, behaviour: &Behaviour, node: NodeId) {
        let Some(parent) = behaviour.node(node).parent else {
            return;
        };
        let Some(followed) = self.by.get_mut(&parent) else {
            return;
        };
        let children = &behaviour.node(parent).children;
        let current = followed.steps.first().map(|step| children[*step]);
        if current == Some(node) {
            followed.steps.remove(0);
        }
    }

    /// Whether one of the planners does all that is expected of one.
    pub(crate) fn meet(&self, expected: &Expectation, behaviour: &Behaviour) -> bool {
        let follows = |(node, followed): (&NodeId, &Followed)| {
            let Some(planner) = planner_at(behaviour, *node) else {
                return false;
            };
            let goal = expected.goal.as_ref().is_none_or(|name| {
                let goal = followed.goal.map(|goal| &planner.goals[goal].name);
                goal == Some(name)
            });
            let plan = expected.plan.as_ref().is_none_or(|names| {
                let steps = followed.steps.iter();
                steps.map(|step| &planner.steps[*step].name).eq(names)
            });
            let cost = expected.plan_cost.is_none_or(|cost| {
                let thousandths = (cost * COST_SCALE).round();
                followed.goal.is_some() && thousandths == f64::from(followed.cost)
            });
            let is_none = |name: &String| {
                let mut goals = followed.no_plan.iter();
                goals.any(|goal| planner.goals[*goal].name == *name)
            };
            goal && plan && cost && expected.no_plan.iter().all(is_none)
        };
        let says_nothing =
            expected.goal.is_none() && expected.plan_cost.is_none() && expected.no_plan.is_empty();
        match &expected.plan {
            None if says_nothing => true,
            // A planner that was not reached yet follows nothing.
            Some(steps) if says_nothing && steps.is_empty() && self.by.is_empty() => true,
            _ => self.by.iter().any(follows),
        }
    }

    /// What the planners follow, for people.
    pub(crate) fn said(&self, behaviour: &Behaviour) -> Said {
        let said = self.by.iter().filter_map(|(node, followed)| {
            let planner = planner_at(behaviour, *node)?;
            let goal = |goal: usize| planner.goals[goal].name.as_str();
            let name = behaviour.label(*node);
            let mut text = match followed.goal {
                None => said!("`{}` pursues nothing", name),
                Some(pursued) if followed.steps.is_empty() => {
                    said!("`{}` pursues `{}` without a plan", name, goal(pursued))
                }
                Some(pursued) => {
                    let steps = followed.steps.iter();
                    let steps = steps.map(|step| planner.steps[*step].name.as_str());
                    let steps = steps.collect::<Vec<_>>().join(" ");
                    let cost = f64::from(followed.cost) / COST_SCALE;
                    let goal = goal(pursued);
                    said!("`{}` pursues `{}`: `{}`, for {}", name, goal, steps, cost)
                }
            };
            if !followed.no_plan.is_empty() {
                let goals = followed.no_plan.iter();
                let goals: Vec<&str> = goals.map(|fruitless| goal(*fruitless)).collect();
                let none = said!("there is no plan for {}", quoted(&goals.join("`, `")));
                text = said!("{}; {}", text, none);
            }
            Some(text)
        });
        let said = said.take(MOST_PLANNERS).collect();
        joined(said).unwrap_or_else(|| said!("no planner has run"))
    }
}

/// How many ways are tried to find out how a plan came from methods.
const MOST_TRIES: u32 = 10_000;

/// The methods, each with its task, by which a plan for a goal was put together. Of several ways that give the same
/// steps, the first.
pub(crate) fn methods_of(planner: &Planner, goal: usize, steps: &[usize]) -> Vec<(usize, usize)> {
    let Aim::Does(task) = planner.goals[goal].aim else {
        return Vec::new();
    };
    let mut used = Vec::new();
    let mut tries = MOST_TRIES;
    let todo = vec![(Doing::Task(task), 0)];
    match derive(planner, todo, steps, &mut used, &mut tries) {
        true => used,
        false => Vec::new(),
    }
}

/// Whether what is to be done, the next last, gives exactly these steps.
fn derive(
    planner: &Planner,
    mut todo: Vec<(Doing, u32)>,
    steps: &[usize],
    used: &mut Vec<(usize, usize)>,
    tries: &mut u32,
) -> bool {
    if *tries == 0 {
        return false;
    }
    *tries -= 1;
    match todo.pop() {
        None => steps.is_empty(),
        Some((Doing::Step(step), _)) => match steps.split_first() {
            Some((first, rest)) if *first == step => derive(planner, todo, rest, used, tries),
            _ => false,
        },
        Some((Doing::Task(_), MAX_TASK_DEPTH..)) => false,
        Some((Doing::Task(task), level)) => {
            let mut methods = planner.tasks[task].methods.iter().enumerate();
            methods.any(|(at, method)| {
                let before = used.len();
                used.push((task, at));
                let mut todo = todo.clone();
                let does = method.does.iter().rev();
                todo.extend(does.map(|doing| (*doing, level + 1)));
                let found = derive(planner, todo, steps, used, tries);
                if !found {
                    used.truncate(before);
                }
                found
            })
        }
    }
}
