//! What a planner decided in a tick, from its trace with values.

use super::thoughts::Thought;
use super::{Planned, Prospect};
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::Words;
use treemind_core::planning::COST_SCALE;
use treemind_core::trace::{Dropped, Event};
use treemind_core::{Held, NodeId, Status, Value};

/// A plan that was adopted in a tick.
struct Adopted {
    goal: usize,
    plan: Planned,
}

impl<'a> Case<'a> {
    /// The goals for which a planner found a plan or none in this tick, and why it gave up the plan that it had.
    pub(crate) fn planned(&self, id: NodeId) -> Vec<Told> {
        let Some(names) = Prospect::new(self.behaviour, id, |_| Held::Unset) else {
            return Vec::new();
        };
        let mut told = Vec::new();
        for (at, event, _) in self.events.of(id) {
            match event {
                Event::Drop(why) => told.push(Told::about(id, self.dropped(id, (at, why), &names))),
                Event::NoPlan(goal, _) => {
                    let prospect = self.prospect(id, self.thoughts.of(id, at));
                    let why = prospect.map(|one| one.why_none(goal as usize));
                    let mut why = why.unwrap_or_default().into_iter();
                    let head = why.next().unwrap_or_else(|| {
                        let goal = names.goal_name(goal as usize);
                        say!(NoPlanFor, goal)
                    });
                    let because = why.map(|words| Told::about(id, words));
                    told.push(Told::about(id, head).because(because.collect()));
                }
                Event::Goal(_) => told.extend(self.told_adopted(id, at, &names)),
                _ => {}
            }
        }
        told
    }

    /// The planner with the facts of a search.
    fn prospect(&self, id: NodeId, thought: Option<&Thought>) -> Option<Prospect<'a>> {
        let thought = thought?;
        let held = |key| {
            let value = thought.facts.get(&key).copied();
            value.map_or(Held::Unset, Held::One)
        };
        let left_out = (0..128).filter(|step| thought.left_out.has(*step));
        Some(Prospect::new(self.behaviour, id, held)?.without(left_out))
    }

    /// The plan that was adopted at an event or after it.
    fn adopted(&self, id: NodeId, from: usize) -> Option<Adopted> {
        let (mut goal, mut cost, mut steps) = (None, 0.0, Vec::new());
        for (_, event, _) in self.events.of(id).filter(|(at, ..)| *at >= from) {
            match event {
                Event::Goal(_) if goal.is_some() => break,
                Event::Goal(of) => goal = Some(of as usize),
                Event::Plan(thousandths) => cost = f64::from(thousandths) / COST_SCALE,
                Event::Intend(step) => steps.push(step as usize),
                _ => {}
            }
        }
        let plan = Planned {
            costs: Vec::new(),
            expansions: 0,
            cost,
            steps,
        };
        goal.map(|goal| Adopted { goal, plan })
    }

    /// The goal that is pursued from this tick on, with its plan.
    fn told_adopted(&self, id: NodeId, at: usize, names: &Prospect<'_>) -> Option<Told> {
        let Adopted { goal, plan } = self.adopted(id, at)?;
        let score = self
            .events
            .of(id)
            .find_map(|(_, event, value)| match value {
                Some(Value::Double(score)) if event == Event::GoalScore(goal as u32) => Some(score),
                _ => None,
            });
        let (name, called) = (self.name(id), names.goal_name(goal));
        let head = match score {
            Some(score) => {
                let score = Words::plain(format!("{score:.2}"));
                say!(PursuesWithScore, name, goal = called, score)
            }
            None => say!(Pursues, name, goal = called),
        };
        let mut because = vec![Told::about(id, names.said(&plan))];
        // What the steps are for is known where the search is.
        let prospect = self.prospect(id, self.thoughts.of(id, at));
        let is_it = |one: &Prospect<'_>| one.find(goal).is_some_and(|it| it.steps == plan.steps);
        if let Some(prospect) = prospect.filter(is_it) {
            let why = prospect.why_steps(goal, &plan).into_iter();
            because.extend(why.map(|words| Told::about(id, words)));
        }
        Some(Told::about(id, head).because(because))
    }

    /// Why a plan was given up.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn dropped(&self, id: NodeId, (at, why): (usize, Dropped), names: &Prospect<'_>) -> Words {
        match why {
            Dropped::Broken(step) => {
                let (name, step) = (names.step_name(step as usize), step as usize);
                let prospect = self.prospect(id, self.thoughts.of_now(id));
                match prospect.and_then(|one| one.broken_at(&self.rest(id)?, step)) {
                    Some(part) => say!(DroppedBroken, step = name, part),
                    None => say!(DroppedBrokenStep, step = name),
                }
            }
            Dropped::Unmet => say!(DroppedUnmet),
            Dropped::Vain => say!(DroppedVain),
            Dropped::Failed => say!(DroppedFailed),
            Dropped::Over => match self.pursued_in_vain(id, at) {
                Some(goal) => say!(DroppedNoPlan, goal = names.goal_name(goal)),
                None => say!(DroppedOver),
            },
            Dropped::Beaten => match (self.adopted(id, at), self.thoughts.before(id)) {
                (Some(new), Some(before)) if before.goal.is_some_and(|goal| goal != new.goal) => {
                    say!(DroppedForGoal, goal = names.goal_name(new.goal))
                }
                _ => say!(DroppedBeaten),
            },
            Dropped::Dearer => match (self.adopted(id, at), self.rest_costs(id, at)) {
                (Some(new), Some(other)) => say!(
                    DroppedCheaper,
                    steps = names.steps(&new.plan.steps),
                    cost = Words::plain(new.plan.cost),
                    other = Words::plain(other)
                ),
                _ => say!(DroppedDearer),
            },
            _ => treemind_core::unlisted(&why),
        }
    }

    /// The goal that was pursued, if no plan for it was found before this event.
    fn pursued_in_vain(&self, id: NodeId, at: usize) -> Option<usize> {
        let pursued = self.thoughts.before(id)?.goal?;
        let mut events = self.events.of(id).filter(|(place, ..)| *place < at);
        let is_it = |event| matches!(event, Event::NoPlan(goal, _) if goal as usize == pursued);
        events.any(|(_, event, _)| is_it(event)).then_some(pursued)
    }

    /// The steps that were still to be done at the begin of the tick.
    fn rest(&self, id: NodeId) -> Option<Vec<usize>> {
        let before = self.thoughts.before(id)?;
        let current = self.node(id).children[*before.steps.get(before.cursor)?];
        let has_ended = self.earlier?.status(current) == Some(Status::Success);
        Some(before.steps[before.cursor + usize::from(has_ended)..].to_vec())
    }

    /// What the rest of the old plan would have cost, where the new one was looked for.
    fn rest_costs(&self, id: NodeId, at: usize) -> Option<f64> {
        let thought = self.thoughts.of(id, at).filter(|one| one.at.is_some());
        let costs = self.prospect(id, thought)?.costs(&self.rest(id)?);
        costs.into_iter().sum()
    }

    /// Why a planner came to what it does now, in a sentence each: what it gave up, and what it pursues.
    pub(crate) fn changed_plan(&self, id: NodeId) -> Option<Vec<Words>> {
        let names = Prospect::new(self.behaviour, id, |_| Held::Unset)?;
        let mut said = Vec::new();
        for (at, event, _) in self.events.of(id) {
            match event {
                Event::Drop(why) if why != Dropped::Failed => {
                    said.push(self.dropped(id, (at, why), &names));
                }
                Event::Goal(_) => {
                    let Some(Adopted { goal, plan }) = self.adopted(id, at) else {
                        continue;
                    };
                    let (name, goal) = (self.name(id), names.goal_name(goal));
                    let (steps, cost) = (names.steps(&plan.steps), Words::plain(plan.cost));
                    said.push(match plan.steps.is_empty() {
                        true => say!(Pursues, name, goal),
                        false => say!(PursuesWithPlan, name, goal, steps, cost),
                    });
                }
                _ => {}
            }
        }
        (!said.is_empty()).then_some(said)
    }
}

impl Prospect<'_> {
    /// What a step lacks in its turn, when the steps before it have been done.
    fn broken_at(&self, rest: &[usize], step: usize) -> Option<Words> {
        let mut here = self.facts.clone();
        for one in rest {
            if *one == step
                && let Some(part) = self.first_lacking(step, &here)
            {
                return Some(self.part(&part));
            }
            if !self.domain.apply(*one, &mut here) {
                return None;
            }
        }
        None
    }
}
