//! The plan that a planner follows, as it was made: in the tick in which that happened, and in all later ones.

use super::thoughts::Thought;
use super::{Planned, Prospect, score_words};
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::Words;
use treemind_core::behaviour::effects;
use treemind_core::planning::COST_SCALE;
use treemind_core::trace::Event;
use treemind_core::{Held, Kind, NodeId, PlanState, Status, Value};

/// A plan that was made, with what was known then.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) tick: u64,
    pub(crate) goal: usize,
    /// The score of its goal.
    score: Option<f64>,
    pub(crate) plan: Planned,
    /// What the search began with; `None` if that was not seen.
    thought: Option<Thought>,
    /// Why the plan before it was given up.
    instead: Vec<Words>,
}

impl<'a> Case<'a> {
    /// The plan that a planner made in this tick; the last one of several.
    pub(crate) fn makes(&self, id: NodeId) -> Option<Made> {
        let mut events = self.events.of(id).rev();
        let last = events.find(|(_, event, _)| matches!(event, Event::Goal(_)));
        self.made_at(id, last?.0)
    }

    /// Whether a planner follows this plan after the tick.
    pub(crate) fn follows(&self, id: NodeId, made: &Made) -> bool {
        let state = self.population.plan(self.agent, id);
        state.is_some_and(|state| state.goal == Some(made.goal) && state.steps == made.plan.steps)
    }

    /// The goal and the plan that were adopted at an event of this tick or after it, and the position of that event.
    pub(super) fn adopted(&self, id: NodeId, from: usize) -> Option<(usize, Planned, usize)> {
        let (mut goal, mut cost, mut steps) = (None, 0.0, Vec::new());
        let mut at = from;
        for (place, event, _) in self.events.of(id).filter(|(at, ..)| *at >= from) {
            match event {
                Event::Goal(_) if goal.is_some() => break,
                Event::Goal(of) => (goal, at) = (Some(of as usize), place),
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
        Some((goal?, plan, at))
    }

    /// The same with what was known then.
    pub(super) fn made_at(&self, id: NodeId, from: usize) -> Option<Made> {
        let (goal, plan, at) = self.adopted(id, from)?;
        Some(Made {
            tick: self.tick,
            goal,
            score: self.goal_score(id, goal),
            plan,
            thought: self.thoughts.of(id, at).cloned(),
            instead: self.given_up_before(id, at),
        })
    }

    /// The score of a goal in this tick.
    fn goal_score(&self, id: NodeId, goal: usize) -> Option<f64> {
        let mut events = self.events.of(id);
        events.find_map(|(_, event, value)| match value {
            Some(Value::Double(score)) if event == Event::GoalScore(goal as u32) => Some(score),
            _ => None,
        })
    }

    /// Why plans were given up in this tick before an event.
    fn given_up_before(&self, id: NodeId, at: usize) -> Vec<Words> {
        let Some(names) = Prospect::new(self.behaviour, id, |_| Held::Unset) else {
            return Vec::new();
        };
        let drops = self.events.of(id).filter(|(place, ..)| *place < at);
        let told = drops.filter_map(|(at, event, _)| match event {
            Event::Drop(why) => {
                let what = self.dropped(id, (at, why), &names);
                let given_up = self.plan_at(id, at);
                Some(match given_up.filter(|(_, steps)| !steps.is_empty()) {
                    Some((goal, steps)) => {
                        let (steps, goal) = (names.steps(&steps), names.goal_name(goal));
                        say!(GivenUp, steps, goal, what)
                    }
                    None => what,
                })
            }
            _ => None,
        });
        told.collect()
    }

    /// A plan that was made in this tick or that goes on, with what its steps are for.
    pub(super) fn told_made(&self, id: NodeId, made: &Made, names: &Prospect<'_>) -> Told {
        let (goal, plan) = (made.goal, &made.plan);
        let score = self.goal_score(id, goal).or(made.score);
        let mut because = Vec::new();
        let state = self.population.plan(self.agent, id);
        let done = state.filter(|_| made.tick < self.tick);
        let done = done.map_or(0, |state| state.cursor);
        match plan.steps.get(done) {
            Some(step) if made.tick < self.tick => {
                let words = say!(
                    StepOfPlan,
                    step = names.step_name(*step),
                    nth = Words::plain(done + 1),
                    steps = names.steps(&plan.steps),
                    cost = Words::plain(plan.cost),
                    when = self.when(made.tick),
                );
                because.push(Told::about(self.node(id).children[*step], words));
            }
            _ => because.push(Told::about(id, names.said(plan))),
        }
        // What the steps are for is known where the search is.
        let prospect = self.prospect(id, made.thought.as_ref());
        let is_it = |one: &Prospect<'_>| one.find(goal).is_some_and(|it| it.steps == plan.steps);
        match prospect.filter(is_it) {
            Some(prospect) => {
                let why = prospect.why_steps(goal, plan).into_iter().skip(done);
                because.extend(why.map(|words| Told::about(id, words)));
            }
            None => {
                let gives = names.what_is_known(plan.steps.get(done..).unwrap_or_default());
                because.extend(gives.map(|words| Told::about(id, words)));
            }
        }
        if made.tick == self.tick
            && let Some(prospect) = self.prospect(id, made.thought.as_ref())
        {
            let unusable = prospect.unusable(goal, plan).into_iter();
            because.extend(unusable.map(|words| Told::about(id, words)));
        }
        if made.tick < self.tick {
            let instead = made.instead.iter().cloned();
            let tick = || Words::Tick(made.tick);
            because
                .extend(instead.map(|what| Told::about(id, say!(WhatInTick, tick = tick(), what))));
        }
        Told::about(id, self.pursues(id, names.goal_name(goal), score)).because(because)
    }

    fn pursues(&self, id: NodeId, goal: Words, score: Option<f64>) -> Words {
        let name = self.name(id);
        match score {
            Some(score) => say!(PursuesWithScore, name, goal, score = score_words(score)),
            None => say!(Pursues, name, goal),
        }
    }

    /// The plan that a planner follows, if it was made in an earlier tick.
    pub(super) fn told_followed(&self, id: NodeId, names: &Prospect<'_>) -> Option<Told> {
        let state = self.population.plan(self.agent, id)?;
        let goal = state.goal.filter(|_| !state.steps.is_empty())?;
        if let Some(made) = self.made.get(&id).filter(|made| self.follows(id, made)) {
            return Some(self.told_made(id, made, names));
        }
        // That was not seen.
        let step = state.steps[state.cursor];
        let words = say!(
            StepOfOldPlan,
            step = names.step_name(step),
            nth = Words::plain(state.cursor + 1),
            steps = names.steps(&state.steps),
        );
        let pursues = self.pursues(id, names.goal_name(goal), self.goal_score(id, goal));
        let step = Told::about(self.node(id).children[step], words);
        let gives = names.what_is_known(&state.steps[state.cursor..]);
        let gives = gives.map(|words| Told::about(id, words));
        let because = std::iter::once(step).chain(gives);
        Some(Told::about(id, pursues).because(because.collect()))
    }

    /// What a planner without a plan waits for: its search, or its turn.
    pub(super) fn told_thinking(&self, id: NodeId, names: &Prospect<'_>) -> Option<Told> {
        let state = self.population.plan(self.agent, id)?;
        let turn = self
            .population
            .next_thought(self.agent, id)
            .map(Words::Tick);
        let name = self.name(id);
        if let Some(goal) = state.searches {
            let began = self.thoughts.last(id).filter(|one| one.goal == goal);
            let since = self.since(began.map(|one| one.tick));
            let words = say!(LooksForPlan, name, goal = names.goal_name(goal), since);
            let count = Words::plain(names.planner().slice);
            let more = turn.map(|tick| Told::about(id, say!(SearchGoesOn, count, tick)));
            return Some(Told::about(id, words).because(more.into_iter().collect()));
        }
        let has_looked = self
            .thoughts
            .look(id)
            .is_some_and(|look| look.tick == self.tick);
        let waits = match self.events.status(id) {
            Some(Status::Failure) => !has_looked && !state.is_running,
            _ => state.is_running && state.steps.is_empty(),
        };
        let tick = turn.filter(|_| waits)?;
        // It may wait for its first turn.
        let has_thought = self.thoughts.look(id).is_some() || self.thoughts.last(id).is_some();
        Some(Told::about(
            id,
            match self.history.is_whole() && !has_thought {
                true => say!(ThinksFirst, name, tick),
                false => say!(ThinksAgain, name, tick),
            },
        ))
    }

    /// Why a planner came to its end in this tick.
    pub(super) fn told_end(&self, id: NodeId, names: &Prospect<'_>) -> Vec<Told> {
        let status = self.events.status(id);
        let has_looked = self
            .thoughts
            .look(id)
            .is_some_and(|look| look.tick == self.tick);
        let before = self.thoughts.before(id).and_then(|before| before.goal);
        match (status, before) {
            (Some(Status::Success), Some(goal)) if !has_looked => {
                let words = say!(GoalIsReached, goal = names.goal_name(goal));
                vec![Told::about(id, words).because(self.writers(names.wanted(goal)))]
            }
            (Some(Status::Success | Status::Failure), _) => self.other_goals(id),
            _ => Vec::new(),
        }
    }

    /// Why a step of a planner that was not reached was not: where it is in the plan.
    pub(crate) fn why_no_step(&self, planner: NodeId, step: NodeId) -> Vec<Told> {
        let names = Prospect::new(self.behaviour, planner, |_| Held::Unset);
        let state = self.population.plan(self.agent, planner);
        let (Some(names), Some(state)) = (names, state) else {
            return Vec::new();
        };
        let children = &self.node(planner).children;
        let Some(step) = children.iter().position(|child| *child == step) else {
            return Vec::new();
        };
        let words = place_in_plan(&names, &state, step);
        let told = words.map(|words| Told::about(planner, words));
        told.into_iter().chain(self.planned(planner)).collect()
    }

    /// Whether a node is the step that a planner is at.
    pub(crate) fn is_current_step(&self, planner: NodeId, step: NodeId) -> bool {
        let Kind::Planner(_) = self.node(planner).kind else {
            return false;
        };
        let state = self
            .population
            .plan(self.agent, planner)
            .unwrap_or_default();
        let current = state.steps.get(state.cursor);
        current.is_some_and(|current| self.node(planner).children[*current] == step)
    }
}

impl Prospect<'_> {
    /// What is known of the steps of a plan when its search was not seen: what each gives, and that the rest is not known.
    fn what_is_known(&self, steps: &[usize]) -> impl Iterator<Item = Words> {
        let mut said: Vec<Words> = Vec::new();
        for step in steps {
            let effects = || effects(&self.planner.steps[*step], self.children[*step].1);
            let gives = self.statements(effects());
            let words = say!(StepGives, step = self.step_name(*step), gives);
            if effects().next().is_some() && !said.contains(&words) {
                said.push(words);
            }
        }
        let more = (!steps.is_empty()).then(|| say!(SearchNotSeen));
        said.into_iter().chain(more)
    }
}

/// Where a step is in the plan that is followed.
fn place_in_plan(names: &Prospect<'_>, state: &PlanState, step: usize) -> Option<Words> {
    let name = names.step_name(step);
    if state.left_out.has(step) {
        return Some(say!(StepWasLeftOut, step = name));
    }
    let current = *state.steps.get(state.cursor)?;
    let coming = state.steps.iter().enumerate();
    let mut coming = coming.filter(|(_, one)| **one == step).map(|(nth, _)| nth);
    let (first, later) = (
        coming.clone().next(),
        coming.find(|nth| *nth > state.cursor),
    );
    let current = names.step_name(current);
    Some(match (first, later) {
        (_, Some(nth)) => {
            let nth = Words::plain(nth + 1);
            say!(StepComesLater, step = name, nth, current)
        }
        (Some(nth), None) => {
            let nth = Words::plain(nth + 1);
            say!(StepIsDone, step = name, nth)
        }
        (None, None) => say!(
            StepNotInPlan,
            step = name,
            steps = names.steps(&state.steps)
        ),
    })
}
