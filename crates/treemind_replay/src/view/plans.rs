//! What a page shows of the planners of an agent.

use super::Wish;
use super::protocol::{Foreseen, GoalIs, GoalState, PlanShown, PlannerState, SearchState};
use super::protocol::{SituationState, StepState, WhatIf};
use crate::follow::{Followed, Follower, no_key, value_of};
use std::collections::BTreeMap;
use treemind_core::behaviour::{Aim, Planner};
use treemind_core::planning::StepSet;
use treemind_core::{Behaviour, Held, KeyId, Kind, Population, Value};
use treemind_doc::{Said, expression_text, said};
use treemind_explain::{GoalOutlook, Language, Planned, Prospect, Reached, Words, outlook};

/// How many situations are looked at to say why there is no plan: that takes some hundredths of a second.
const MOST_SITUATIONS: u32 = 50_000;
/// How many situations of a search are drawn.
const MOST_DRAWN: usize = 240;

/// The planners of an agent after the last tick.
pub(super) fn planners(mind: &Follower, population: &Population, wish: &Wish) -> Vec<PlannerState> {
    if mind.agent() >= population.len() {
        return Vec::new();
    }
    let behaviour = population.program().behaviour();
    let all = mind.planners().iter();
    all.filter_map(|one| {
        let held = |key| population.held(mind.agent(), key);
        let leaving_out = |left_out| {
            let prospect = Prospect::new(behaviour, one.node, held)?;
            let prospect = prospect.without(positions(left_out));
            Some(prospect.within(MOST_SITUATIONS))
        };
        let is_asked = wish.planner == Some(one.node.index());
        // A planner that has failed leaves nothing out any more, but its search did.
        let why_none = |goal| {
            let searched = mind.explainer()?.left_out(one.node, goal);
            let prospect = leaving_out(searched.unwrap_or(one.state.left_out))?;
            Some(written(&prospect.why_none(goal), wish.language))
        };
        Some(planner(
            behaviour,
            one,
            &leaving_out(one.state.left_out)?,
            (is_asked.then_some(wish.language), &why_none),
        ))
    })
    .collect()
}

fn positions(steps: StepSet) -> impl Iterator<Item = usize> {
    (0..128).filter(move |step| steps.has(*step))
}

fn planner(
    behaviour: &Behaviour,
    one: &Followed,
    prospect: &Prospect<'_>,
    (reasons, why_none): (Option<Language>, &dyn Fn(usize) -> Option<Vec<String>>),
) -> PlannerState {
    let (planner, state) = (prospect.planner(), &one.state);
    let goal = |at: usize| {
        let is_fruitless = state.fruitless >> at & 1 == 1;
        let is = match one.scores[at] {
            _ if state.goal == Some(at) => GoalIs::Pursued,
            _ if is_fruitless => GoalIs::Fruitless,
            _ if prospect.is_met(at) => GoalIs::Holds,
            Some(score) if score > 0.0 => GoalIs::Open,
            _ => GoalIs::Closed,
        };
        let why = match (reasons, is) {
            (Some(_), GoalIs::Fruitless) => why_none(at).unwrap_or_default(),
            _ => Vec::new(),
        };
        goal_state(behaviour, planner, at, (is, one.scores[at], why))
    };
    let names = positions(state.left_out);
    let names = names.filter_map(|step| planner.steps.get(step));
    PlannerState {
        node: one.node.index(),
        name: behaviour.label(one.node).to_owned(),
        is_running: state.is_running,
        goals: (0..planner.goals.len()).map(goal).collect(),
        plan: plan(behaviour, one, prospect, reasons),
        searches: state.searches,
        left_out: names.map(|step| step.name.clone()).collect(),
        keys: prospect.keys().map(KeyId::index).collect(),
    }
}

fn goal_state(
    behaviour: &Behaviour,
    planner: &Planner,
    at: usize,
    (is, score, why): (GoalIs, Option<f64>, Vec<String>),
) -> GoalState {
    let goal = &planner.goals[at];
    let (aim, is_task) = match &goal.aim {
        Aim::Wants(wants) => (expression_text(behaviour, wants, &|_| None), false),
        Aim::Does(task) => (planner.tasks[*task].name.clone(), true),
    };
    GoalState {
        name: goal.name.clone(),
        aim,
        is_task,
        is,
        score,
        why,
    }
}

/// The plan that a planner follows. What is done has no costs and no reasons.
fn plan(
    behaviour: &Behaviour,
    one: &Followed,
    prospect: &Prospect<'_>,
    reasons: Option<Language>,
) -> Option<PlanShown> {
    let state = &one.state;
    let goal = state.goal.filter(|_| !state.steps.is_empty())?;
    let rest = &state.steps[state.cursor..];
    let costs = prospect.costs(rest);
    let cost = costs.iter().copied().sum();
    let why = reasons.map(|language| {
        let planned = Planned {
            steps: rest.to_vec(),
            costs: Vec::new(),
            cost: 0.0,
            expansions: 0,
        };
        written(&prospect.why_steps(goal, &planned), language)
    });
    let children = &behaviour.node(one.node).children;
    let steps = state.steps.iter().enumerate().map(|(nth, step)| {
        let coming = nth.checked_sub(state.cursor);
        StepState {
            node: children[*step].index(),
            name: prospect.planner().steps[*step].name.clone(),
            cost: coming.and_then(|nth| costs[nth]),
            why: coming.and_then(|nth| why.as_ref()?.get(nth).cloned()),
        }
    });
    Some(PlanShown {
        goal,
        steps: steps.collect(),
        cursor: state.cursor,
        cost,
    })
}

fn written(all: &[Words], language: Language) -> Vec<String> {
    all.iter().map(|words| words.written(language)).collect()
}

/// What a planner would do with other facts.
pub(super) fn foreseen(
    (population, agent): (&Population, usize),
    asked: &WhatIf,
    language: Language,
) -> Option<Foreseen> {
    if agent >= population.len() {
        return None;
    }
    let found = foresee((population, agent), asked, language);
    Some(found.unwrap_or_else(|wrong| Foreseen {
        wrong: Some(wrong),
        ..Foreseen::default()
    }))
}

fn foresee(
    (population, agent): (&Population, usize),
    asked: &WhatIf,
    language: Language,
) -> Result<Foreseen, Said> {
    let behaviour = population.program().behaviour();
    let mut nodes = behaviour.node_ids();
    let node = nodes.find(|node| node.index() == asked.node);
    let planner = node.and_then(|node| match &behaviour.node(node).kind {
        Kind::Planner(planner) => Some((node, planner)),
        _ => None,
    });
    let (node, planner) = planner.ok_or("there is no such planner")?;
    if asked.goal.is_some_and(|goal| goal >= planner.goals.len()) {
        return Err(said!("there is no such goal"));
    }
    let given = given(behaviour, &asked.given)?;
    let held = |key: KeyId| match given.get(&key) {
        Some(Some(value)) => Held::One(*value),
        Some(None) => Held::Unset,
        None => population.held(agent, key),
    };
    let goals = outlook(behaviour, node, held, asked.goal)?;
    let plan = goals
        .iter()
        .find_map(|goal| Some((goal.goal, goal, goal.plan.as_ref()?)));
    let plan = plan.map(|(at, goal, plan)| {
        let children = &behaviour.node(node).children;
        let steps = plan.steps.iter().zip(&plan.costs).zip(&goal.why);
        PlanShown {
            goal: at,
            steps: steps
                .map(|((step, cost), why)| StepState {
                    node: children[*step].index(),
                    name: planner.steps[*step].name.clone(),
                    cost: Some(*cost),
                    why: Some(why.written(language)),
                })
                .collect(),
            cursor: 0,
            cost: Some(plan.cost),
        }
    });
    let shown = |goal: &GoalOutlook| {
        let is = match goal.score {
            _ if goal.plan.is_some() => GoalIs::Pursued,
            _ if goal.was_searched => GoalIs::Fruitless,
            _ if goal.is_met => GoalIs::Holds,
            Some(score) if score > 0.0 => GoalIs::Open,
            _ => GoalIs::Closed,
        };
        let why = match is {
            GoalIs::Fruitless => written(&goal.why, language),
            _ => Vec::new(),
        };
        goal_state(behaviour, planner, goal.goal, (is, goal.score, why))
    };
    let goals: Vec<GoalState> = goals.iter().map(shown).collect();
    let found = plan.as_ref().map(|plan| plan.goal);
    let searched = found.or_else(|| fruitless(asked, &goals));
    let search = searched.filter(|_| asked.search).and_then(|goal| {
        let prospect = Prospect::new(behaviour, node, held)?;
        Some(search_state(behaviour, &prospect, goal))
    });
    Ok(Foreseen {
        goals,
        plan,
        search,
        wrong: None,
    })
}

/// The first goal for which there is no plan.
fn fruitless(asked: &WhatIf, goals: &[GoalState]) -> Option<usize> {
    let place = goals.iter().position(|one| one.is == GoalIs::Fruitless)?;
    Some(asked.goal.unwrap_or(place))
}

/// What the search for a goal has reached.
fn search_state(behaviour: &Behaviour, prospect: &Prospect<'_>, goal: usize) -> SearchState {
    let found = prospect.search_of(goal, MOST_DRAWN);
    let steps = &prospect.planner().steps;
    let shown = |one: &Reached| SituationState {
        from: one
            .from
            .map(|(before, step)| (before, steps[step].name.clone())),
        steps: one.steps,
        cost: one.cost,
        estimate: one.estimate,
        is_looked_at: one.is_looked_at,
        is_on_plan: one.is_on_plan,
        changes: one
            .changes
            .iter()
            .map(|(key, value)| {
                let value = value.map(|value| behaviour.display_value(value));
                let key = &behaviour.keys()[key.index()];
                (key.name.clone(), value.unwrap_or_default())
            })
            .collect(),
    };
    SearchState {
        goal,
        situations: found.situations.iter().map(shown).collect(),
        of: found.of,
        expansions: found.expansions,
    }
}

/// The values of keys that a page gives.
fn given(
    behaviour: &Behaviour,
    all: &[(String, String)],
) -> Result<BTreeMap<KeyId, Option<Value>>, Said> {
    let one = |(name, text): &(String, String)| {
        let key = behaviour.key_id(name);
        let key = key.ok_or_else(|| no_key(name))?;
        let value = match text.trim() {
            "" => None,
            text => Some(value_of(behaviour, key, text)?),
        };
        Ok((key, value))
    };
    all.iter().map(one).collect()
}
