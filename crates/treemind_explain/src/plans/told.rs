//! What a planner decided in a tick, from its trace with values.

use super::Prospect;
use super::thoughts::Thought;
use super::why::keys_of;
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::tick::Answer;
use crate::words::Words;
use treemind_core::behaviour::Aim;
use treemind_core::trace::{Dropped, Event};
use treemind_core::{Expr, Held, Kind, NodeId, Status};

impl<'a> Case<'a> {
    /// What a planner follows, the goals for which it found a plan or none in this tick, and why it gave up the plan that it
    /// had.
    pub(crate) fn planned(&self, id: NodeId) -> Vec<Told> {
        let Some(names) = Prospect::new(self.behaviour, id, |_| Held::Unset) else {
            return Vec::new();
        };
        let (mut told, mut has_made) = (Vec::new(), false);
        for (at, event, _) in self.events.of(id) {
            match event {
                Event::Drop(why) => told.push(self.told_dropped(id, (at, why), &names)),
                Event::NoPlan(goal, _) => {
                    told.push(self.told_none(id, (at, goal as usize), &names))
                }
                Event::Goal(_) => {
                    let made = self.made_at(id, at);
                    told.extend(made.map(|made| self.told_made(id, &made, &names)));
                    has_made = true;
                }
                _ => {}
            }
        }
        if !has_made {
            told.extend(self.told_followed(id, &names));
        }
        told.extend(self.told_end(id, &names));
        told.extend(self.told_thinking(id, &names));
        told
    }

    /// A goal for which no plan was found in this tick, with what is missing.
    fn told_none(&self, id: NodeId, (at, goal): (usize, usize), names: &Prospect<'_>) -> Told {
        let prospect = self.prospect(id, self.thoughts.of(id, at));
        let why = prospect.map(|one| self.why_none(id, &one, goal));
        let head = Told::about(id, say!(NoPlanFor, goal = names.goal_name(goal)));
        head.because_all(why.unwrap_or_default())
    }

    /// What an event of a planner changes: its plan, or that it has none.
    pub(crate) fn plan_changed(&self, id: NodeId, event: Event, at: usize) -> Option<Told> {
        let Kind::Planner(planner) = &self.node(id).kind else {
            return None;
        };
        let (name, goal) = (self.name(id), |goal: usize| {
            Words::code(&planner.goals[goal].name)
        });
        let words = match event {
            Event::Goal(of) => say!(MadePlan, name, goal = goal(of as usize)),
            Event::NoPlan(of, _) => {
                let told = Told::about(id, say!(FoundNoPlan, name, goal = goal(of as usize)));
                // What runs in place of a planner that failed may have ended, and then nothing else tells of it.
                if self.events.status(id) != Some(Status::Failure) {
                    return Some(told);
                }
                let names = Prospect::new(self.behaviour, id, |_| Held::Unset)?;
                let none = self.told_none(id, (at, of as usize), &names);
                return Some(told.because(vec![none]));
            }
            Event::Think(of) => {
                let state = self.population.plan(self.agent, id);
                let last = self.thoughts.last(id).filter(|last| last.at == Some(at));
                let goes_on = state.and_then(|state| state.searches) == Some(of as usize);
                last.filter(|_| goes_on)?;
                say!(BeganToLook, name, goal = goal(of as usize))
            }
            Event::Drop(why) => {
                let names = Prospect::new(self.behaviour, id, |_| Held::Unset)?;
                let words = say!(GaveUpPlan, name, goal = goal(self.pursued_at(id, at)?));
                let because = vec![self.told_dropped(id, (at, why), &names)];
                return Some(Told::about(id, words).because(because));
            }
            Event::Tick(Status::Success) if self.answers_anew(id) => {
                let names = Prospect::new(self.behaviour, id, |_| Held::Unset)?;
                let words = say!(Succeeded, name, when = Words::Nothing);
                return Some(Told::about(id, words).because(self.told_end(id, &names)));
            }
            _ => return None,
        };
        Some(Told::about(id, words))
    }

    /// The goal that was pursued until an event of this tick.
    fn pursued_at(&self, id: NodeId, at: usize) -> Option<usize> {
        let mut earlier = self.events.of(id).rev().filter(|(place, ..)| *place < at);
        let last = earlier.find_map(|(_, event, _)| match event {
            Event::Goal(goal) => Some(goal as usize),
            _ => None,
        });
        last.or_else(|| self.thoughts.before(id)?.goal)
    }

    /// The goal that was pursued until an event of this tick, with its plan.
    pub(super) fn plan_at(&self, id: NodeId, at: usize) -> Option<(usize, Vec<usize>)> {
        let (mut goal, mut steps) = (None, Vec::new());
        for (_, event, _) in self.events.of(id).filter(|(place, ..)| *place < at) {
            match event {
                Event::Goal(of) => (goal, steps) = (Some(of as usize), Vec::new()),
                Event::Intend(step) => steps.push(step as usize),
                _ => {}
            }
        }
        if let Some(goal) = goal {
            return Some((goal, steps));
        }
        let before = self.thoughts.before(id)?;
        Some((before.goal?, before.steps.clone()))
    }

    /// The planner with the facts of a search.
    pub(super) fn prospect(&self, id: NodeId, thought: Option<&Thought>) -> Option<Prospect<'a>> {
        let thought = thought?;
        let held = |key| {
            let value = thought.facts.get(&key).copied();
            value.map_or(Held::Unset, Held::One)
        };
        let left_out = (0..128).filter(|step| thought.left_out.has(*step));
        Some(Prospect::new(self.behaviour, id, held)?.without(left_out))
    }

    /// Why a plan was given up, with who wrote what stands in its way.
    fn told_dropped(&self, id: NodeId, what: (usize, Dropped), names: &Prospect<'_>) -> Told {
        let told = Told::about(id, self.dropped(id, what, names));
        let (at, why) = what;
        let mut because = Vec::new();
        match why {
            Dropped::Broken(step) => {
                if let Some(missed) = self.missed(id, at) {
                    because.extend(missed.written(self));
                }
                let lacking = self.lacking_at(id, at, step as usize);
                because.extend(lacking.into_iter().flat_map(|(now, part)| {
                    let keys = keys_of(&part).into_iter();
                    self.writers(keys.map(|key| (key, now.value(key))))
                }));
            }
            Dropped::Unmet | Dropped::Vain => {
                let missed = self.missed(id, at);
                because.extend(missed.into_iter().flat_map(|missed| missed.written(self)));
            }
            Dropped::Failed => {
                let guard = self
                    .left_out_at(id, at)
                    .filter(|(_, answer)| answer.by_guard);
                because.extend(guard.map(|(step, answer)| {
                    let child = self.node(id).children[step];
                    self.guard(child, answer.at)
                }));
            }
            _ => {}
        }
        told.because(because)
    }

    /// The step that failed or was dropped before an event of this tick, so that it is left out, with its answer.
    fn left_out_at(&self, id: NodeId, at: usize) -> Option<(usize, Answer)> {
        let children = self.node(id).children.iter().enumerate();
        let answers = children.filter_map(|(step, child)| {
            let answer = self.events.answer(*child)?;
            let is_it = matches!(answer.status, Status::Failure | Status::Skipped);
            (is_it && answer.at < at).then_some((step, answer))
        });
        answers.max_by_key(|(_, answer)| answer.at)
    }

    /// What a step of the rest of the plan lacks, with the facts at an event of this tick.
    fn lacking_at(&self, id: NodeId, at: usize, step: usize) -> Option<(Prospect<'a>, Expr)> {
        let now = self.prospect_at(id, at)?;
        let part = now.broken_at(&self.rest(id)?, step)?;
        Some((now, part))
    }

    /// Why a plan was given up.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(super) fn dropped(
        &self,
        id: NodeId,
        (at, why): (usize, Dropped),
        names: &Prospect<'_>,
    ) -> Words {
        // What the step before has not brought about, of that on which it may depend.
        let missed = || {
            let missed = self.missed(id, at)?;
            Some((names.step_name(missed.step), missed.words(names)?))
        };
        match why {
            Dropped::Broken(step) => {
                let name = names.step_name(step as usize);
                let part = self.lacking_at(id, at, step as usize);
                let part = part.map(|(_, part)| names.part_of_step(Some(step as usize), &part));
                match (part, missed()) {
                    (Some(part), Some((before, facts))) => {
                        let what = say!(DidNotComeTrue, step = before, facts);
                        say!(AndStepNeeds, what, step = name, part)
                    }
                    (Some(part), None) => say!(DroppedBroken, step = name, part),
                    (None, _) => say!(DroppedBrokenStep, step = name),
                }
            }
            Dropped::Unmet => match missed() {
                Some((before, facts)) => {
                    let what = say!(DidNotComeTrue, step = before, facts);
                    let ran = self.thoughts.before(id);
                    let was_last = ran.is_some_and(|ran| ran.cursor + 1 >= ran.steps.len());
                    let more = match was_last {
                        true => say!(GoalNotReached),
                        false => say!(DroppedUnmet),
                    };
                    say!(Colon, one = what, more)
                }
                None => say!(DroppedUnmet),
            },
            Dropped::Vain => match (self.ended_step(id), missed()) {
                (_, Some((step, facts))) => {
                    say!(Colon, one = say!(StepWasVain, step), more = facts)
                }
                (Some(step), None) => say!(StepWasVain, step = names.step_name(step)),
                (None, None) => say!(DroppedVain),
            },
            Dropped::Failed => match self.left_out_at(id, at) {
                Some((step, answer)) => {
                    let step = names.step_name(step);
                    if answer.by_guard {
                        say!(StepEndedByGuard, step)
                    } else if answer.status == Status::Skipped {
                        say!(StepSkipped, step)
                    } else {
                        say!(StepFailed, step)
                    }
                }
                None => say!(DroppedFailed),
            },
            Dropped::Over => match self.pursued_in_vain(id, at) {
                Some(goal) => say!(DroppedNoPlan, goal = names.goal_name(goal)),
                None => match self.pursued_at(id, at) {
                    Some(goal) => say!(DroppedGoal, goal = names.goal_name(goal)),
                    None => say!(DroppedOver),
                },
            },
            Dropped::Beaten => match (self.adopted(id, at), self.thoughts.before(id)) {
                (Some((new, ..)), Some(before)) if before.goal.is_some_and(|goal| goal != new) => {
                    say!(DroppedForGoal, goal = names.goal_name(new))
                }
                (Some((new, ..)), Some(_)) => match names.planner().goals[new].aim {
                    Aim::Does(task) => {
                        let task = Words::code(&names.planner().tasks[task].name);
                        say!(DroppedForMethod, task)
                    }
                    Aim::Wants(_) => say!(DroppedBeaten),
                },
                _ => say!(DroppedBeaten),
            },
            Dropped::Dearer => match (self.adopted(id, at), self.rest_costs(id, at)) {
                (Some((_, plan, _)), Some(other)) => say!(
                    DroppedCheaper,
                    steps = names.steps(&plan.steps),
                    cost = Words::plain(plan.cost),
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
        before.steps.get(before.cursor)?;
        let has_ended = self.ended_step(id).is_some();
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
                    let Some((goal, plan, _)) = self.adopted(id, at) else {
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
    fn broken_at(&self, rest: &[usize], step: usize) -> Option<Expr> {
        let mut here = self.facts.clone();
        for one in rest {
            if *one == step
                && let Some(part) = self.first_lacking(step, &here)
            {
                return Some(part);
            }
            if !self.domain.apply(*one, &mut here) {
                return None;
            }
        }
        None
    }
}
