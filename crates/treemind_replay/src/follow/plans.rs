//! What the planners of an agent follow.

use super::replaced::Replaced;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, NodeId, PlanState, Population, Status, Value};

/// A planner of an agent after a tick.
#[derive(Clone, Debug)]
pub struct Followed {
    /// Its node.
    pub node: NodeId,
    /// What it follows.
    pub state: PlanState,
    /// The score of each goal when the planner looked last; `None` for one whose `when` did not hold.
    pub scores: Vec<Option<f64>>,
    /// Whether it gave up a plan in the last tick.
    pub has_dropped: bool,
}

/// All planners of an agent, in document order.
#[derive(Clone, Debug, Default)]
pub(super) struct Plans(pub(super) Vec<Followed>);

impl Plans {
    /// The planners before the first tick.
    pub(super) fn new(behaviour: &Behaviour) -> Self {
        let planner = |node| match &behaviour.node(node).kind {
            Kind::Planner(planner) => Some(Followed {
                node,
                state: PlanState::default(),
                scores: vec![None; planner.goals.len()],
                has_dropped: false,
            }),
            _ => None,
        };
        Self(behaviour.node_ids().filter_map(planner).collect())
    }

    /// Takes over what an agent follows already.
    pub(super) fn begin(&mut self, population: &Population, agent: usize) {
        for one in &mut self.0 {
            one.state = population.plan(agent, one.node).unwrap_or_default();
        }
    }

    /// The same after the population got another program.
    pub(super) fn carried(
        &self,
        replaced: &Replaced<'_>,
        (population, agent): (&Population, Option<usize>),
    ) -> Self {
        let mut plans = Self::new(replaced.now);
        for one in &mut plans.0 {
            let state = agent.and_then(|agent| population.plan(agent, one.node));
            one.state = state.unwrap_or_default();
            let old = replaced.was(one.node);
            let Some(old) = self.0.iter().find(|known| Some(known.node) == old) else {
                continue;
            };
            let is_cut = !old.state.steps.is_empty() && one.state.steps.is_empty();
            one.has_dropped = old.has_dropped || is_cut;
            if replaced.was_alike(one.node).is_some() {
                one.scores.clone_from(&old.scores);
            }
        }
        plans
    }

    /// Adds the trace of a tick. The population is as it was after it.
    pub(super) fn update(&mut self, population: &Population, trace: &Trace, agent: usize) {
        for one in &mut self.0 {
            let had_plan = !one.state.steps.is_empty();
            one.state = population.plan(agent, one.node).unwrap_or_default();
            // A planner that is cut off says nothing.
            let (mut has_dropped, mut has_answered) = (false, false);
            let mut scores: Option<Vec<Option<f64>>> = None;
            let events = trace.valued(agent);
            for (_, event, value) in events.filter(|(node, ..)| *node == one.node) {
                match (event, value) {
                    (Event::Drop(_), _) => has_dropped = true,
                    (Event::GoalScore(goal), Some(Value::Double(score))) => {
                        let scores = scores.get_or_insert_with(|| vec![None; one.scores.len()]);
                        scores[goal as usize] = Some(score);
                    }
                    (Event::Tick(Status::Success | Status::Failure), _) => has_answered = true,
                    _ => {}
                }
            }
            let is_cut = had_plan && !one.state.is_running && !has_answered;
            one.has_dropped = has_dropped || is_cut;
            if let Some(scores) = scores {
                one.scores = scores;
            }
        }
    }

    /// Records a tick in which nothing was done.
    pub(super) fn rest(&mut self) {
        for one in &mut self.0 {
            one.has_dropped = !one.state.steps.is_empty();
            one.state = PlanState::default();
        }
    }

    /// The plans, for the timeline: goals with all steps. `None` if there is no planner.
    pub(super) fn said(&self, behaviour: &Behaviour) -> Option<String> {
        let said = |one: &Followed| {
            let Kind::Planner(planner) = &behaviour.node(one.node).kind else {
                return None;
            };
            let goal = &planner.goals.get(one.state.goal?)?.name;
            let steps = one.state.steps.iter();
            let steps = steps.filter_map(|step| planner.steps.get(*step));
            let steps: Vec<&str> = steps.map(|step| step.name.as_str()).collect();
            (!steps.is_empty()).then(|| format!("{goal}: {}", steps.join(" ")))
        };
        let all: Vec<String> = self.0.iter().filter_map(said).collect();
        (!self.0.is_empty()).then(|| all.join(" + "))
    }

    /// Whether a plan was given up in the last tick.
    pub(super) fn has_dropped(&self) -> bool {
        self.0.iter().any(|one| one.has_dropped)
    }
}
