//! What a planner would do in a situation: an agent that has nothing but this planner thinks until it has decided.

use super::looks::{Asked, Look, Seen};
use super::{Planned, Prospect, score_words};
use crate::say;
use crate::tick::TickEvents;
use crate::words::Words;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::Scope;
use treemind_core::host::Scripted;
use treemind_core::planning::NoPlan;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Held, KeyId, Node, NodeId, Parts, Population, Program, Status};
use treemind_core::{FaultKind, Kind, ListMut};

/// How many ticks an agent may think; longer only with a large `every=`.
const MOST_TICKS: u32 = 10_000;
/// How long a tick is.
const TICK: Duration = Duration::from_millis(100);

/// What has become of a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalOutlook {
    /// Its position in the planner.
    pub goal: usize,
    /// Its score; `None` if its `when` does not hold, or nobody has looked.
    pub score: Option<f64>,
    /// What is wrong with its `when` or its score, if that has a fault.
    pub fault: Option<Words>,
    /// Whether what it wants holds already.
    pub is_met: bool,
    /// Whether a plan was looked for.
    pub was_searched: bool,
    /// The plan, if one was found.
    pub plan: Option<Planned>,
    /// Why there is no plan, if one was looked for and none was found.
    pub no_plan: Option<NoPlan>,
    /// Why each step of the plan is there, or why there is no plan.
    pub why: Vec<Words>,
    /// The steps that a plan could have used but for their costs, and what those are. Where there is no plan, `why` says it.
    pub unusable: Vec<Words>,
}

/// What a planner does where keys hold what `held` says, goal by goal: an agent begins there and thinks until it follows a
/// plan or knows that there is none. With `only`, the plan for this goal is looked for, whatever its score.
///
/// # Errors
/// Why this cannot be said, in a sentence.
pub fn outlook<'h>(
    behaviour: &Behaviour,
    planner: NodeId,
    mut held: impl FnMut(KeyId) -> Held<'h>,
    only: Option<usize>,
) -> Result<Vec<GoalOutlook>, String> {
    let alone = alone(behaviour, planner)?;
    let root = alone.root();
    let prospect = Prospect::new(&alone, root, &mut held)
        .ok_or_else(|| format!("`{}` is no planner", behaviour.label(planner)))?
        .within(MOST_EXPANSIONS);
    match only {
        Some(goal) => {
            let asked = Thought {
                was_searched: !prospect.is_met(goal),
                ..Thought::default()
            };
            Ok(vec![prospect.outlook_of(goal, asked)])
        }
        None => {
            let thoughts = think(&alone, held)?;
            // No goal takes the situations that another one may need to be explained.
            let searched = thoughts.iter().filter(|one| one.was_searched).count() as u32;
            let share = MOST_EXPANSIONS / searched.max(1);
            let goals = thoughts.into_iter().enumerate().map(|(goal, thought)| {
                prospect.allowed.set(share);
                prospect.outlook_of(goal, thought)
            });
            Ok(goals.collect())
        }
    }
}

/// How many situations are looked at to explain why there is no plan.
const MOST_EXPANSIONS: u32 = 1_000_000;

impl Prospect<'_> {
    /// Why no plan was looked for; `None` if one was. `all` are the goals with what has become of them.
    pub fn why_not_searched(&self, of: &GoalOutlook, all: &[GoalOutlook]) -> Option<Words> {
        if of.was_searched {
            return None;
        }
        let goal = self.goal_name(of.goal);
        let when = self.planner.goals[of.goal].when.as_ref();
        Some(match (of.score, when) {
            _ if of.fault.is_some() => return of.fault.clone(),
            _ if of.is_met => say!(GoalHolds, goal),
            (Some(score), _) if score > 0.0 => {
                let pursued = all.iter().find(|other| other.plan.is_some())?;
                let less = self.scored_less((of.goal, score), (pursued.goal, pursued.score?));
                // Of equals, the first.
                less.unwrap_or_else(|| {
                    let chosen = self.goal_name(pursued.goal);
                    say!(
                        ScoredNoMore,
                        name = goal,
                        score = score_words(score),
                        chosen
                    )
                })
            }
            (Some(score), _) => say!(GoalScores, goal, score = score_words(score)),
            (None, Some(when)) => say!(GoalIsShut, goal, when = self.part(when)),
            (None, None) => say!(GoalScoresNothing, goal),
        })
    }

    /// A goal with its plan, or why it has none.
    fn outlook_of(&self, goal: usize, thought: Thought) -> GoalOutlook {
        let Thought {
            score,
            fault,
            was_searched,
        } = thought;
        let found = was_searched.then(|| self.searched(goal).0);
        let (plan, no_plan) = match found {
            Some(Ok(plan)) => (Some(plan), None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        let why = match &plan {
            _ if !was_searched => Vec::new(),
            Some(plan) => self.why_steps(goal, plan),
            None => self.why_none(goal),
        };
        let unusable = match &plan {
            Some(plan) => self.unusable(goal, plan),
            None => Vec::new(),
        };
        GoalOutlook {
            goal,
            score,
            fault: fault.map(|(asked, kind)| self.faulty_goal(goal, asked, kind.as_ref())),
            is_met: self.is_met(goal),
            was_searched,
            plan,
            no_plan,
            why,
            unusable,
        }
    }
}

/// A behaviour that is only a planner, with the same keys, leaves and steps by the same numbers.
fn alone(behaviour: &Behaviour, planner: NodeId) -> Result<Behaviour, String> {
    fn below(behaviour: &Behaviour, id: NodeId) -> Node {
        let placed = behaviour.node(id);
        let children = placed.children.iter();
        Node {
            kind: placed.kind.clone(),
            name: placed.name.clone(),
            doc: None,
            guards: placed.guards.clone(),
            hooks: placed.hooks.clone(),
            written: placed.written.clone(),
            children: children.map(|child| below(behaviour, *child)).collect(),
        }
    }
    let mut root = below(behaviour, planner);
    // What stands at its place in a tree is not the planner's.
    (root.guards, root.hooks) = Default::default();
    let parts = Parts {
        name: behaviour.label(planner).to_owned(),
        enums: behaviour.enums().to_vec(),
        keys: behaviour.keys().to_vec(),
        leaves: behaviour.leaves().to_vec(),
        semaphores: behaviour.semaphores().to_vec(),
        labels: behaviour.labels().to_vec(),
        root,
    };
    Behaviour::new(parts).map_err(|error| error.to_string())
}

/// What has become of a goal.
#[derive(Clone, Default)]
struct Thought {
    score: Option<f64>,
    /// What has a fault, and which.
    fault: Option<(Asked, Option<FaultKind>)>,
    was_searched: bool,
}

/// Lets an agent think, until it follows a plan or its planner answers.
fn think<'h>(
    behaviour: &Behaviour,
    held: impl FnMut(KeyId) -> Held<'h>,
) -> Result<Vec<Thought>, String> {
    let root = behaviour.root();
    let Kind::Planner(planner) = &behaviour.node(root).kind else {
        return Ok(Vec::new());
    };
    let mut agent = Population::new(Arc::new(Program::new(behaviour.clone())), 1);
    let mut host = Scripted::idle(behaviour, 1);
    give(&mut agent, &mut host, held);
    let mut goals = vec![Thought::default(); planner.goals.len()];
    for tick in 0..MOST_TICKS {
        let mut trace = Trace::with_values();
        agent.tick_traced(&mut host, TICK, &mut trace);
        let events = TickEvents::new(&trace, 0, agent.latest_faults());
        let look = Look::in_tick((root, planner), &events, u64::from(tick));
        let seen = look.into_iter().flat_map(|look| look.goals).enumerate();
        for (goal, seen) in seen {
            match seen {
                Some(Seen::Scored(score)) => {
                    (goals[goal].score, goals[goal].fault) = (Some(score), None);
                }
                Some(Seen::Faulty(asked, _, kind)) => goals[goal].fault = Some((asked, kind)),
                Some(Seen::Shut(_)) | None => {}
            }
        }
        let mut is_over = false;
        for (_, event, _) in events.of(root) {
            match event {
                Event::Goal(goal) | Event::NoPlan(goal, NoPlan::None | NoPlan::Limit) => {
                    goals[goal as usize].was_searched = true;
                    is_over |= matches!(event, Event::Goal(_));
                }
                Event::Tick(Status::Success | Status::Failure) => is_over = true,
                _ => {}
            }
        }
        if is_over {
            return Ok(goals);
        }
    }
    Err(format!("it still thinks after {MOST_TICKS} ticks"))
}

/// Gives an agent what keys hold. What does not fit is left as it is: types are the same.
fn give<'h>(agent: &mut Population, host: &mut Scripted, mut held: impl FnMut(KeyId) -> Held<'h>) {
    let program = Arc::clone(agent.program());
    for (nth, key) in program.behaviour().keys().iter().enumerate() {
        let id = KeyId::new(nth);
        let (is_own, group) = (key.scope == Scope::Agent, agent.group(0));
        let value = match held(id) {
            Held::One(value) => Some(value),
            Held::List(items) => {
                let fill = |list: Option<ListMut<'_>>| {
                    let Some(mut list) = list else { return };
                    list.clear();
                    let _ = items.iter().try_for_each(|item| list.push(item));
                };
                match is_own {
                    true => fill(agent.board(0).list_mut(id, 0)),
                    false => fill(agent.shared_list_mut(id, group)),
                }
                continue;
            }
            _ => None,
        };
        if key.sensed.is_some() {
            host.set_sensed(id, &[value]);
        }
        match (value, is_own) {
            (Some(value), true) => {
                let _ = agent.set(0, id, value);
            }
            (Some(value), false) => {
                let _ = agent.set_shared(id, group, value);
            }
            (None, true) => {
                agent.board(0).unset(id, 0);
            }
            (None, false) => {
                agent.unset_shared(id, group);
            }
        }
    }
}
