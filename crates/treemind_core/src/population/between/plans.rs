//! What planners follow.

use crate::ids::NodeId;
use crate::planning::StepSet;
use crate::population::Population;
use crate::population::exec::planner::{InPlan, step_of};
use crate::population::ticking::intervals::{is_turn, next_due};
use crate::program::op::PlannerOp;

/// What a planner of an agent follows, by the positions of its goals and steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanState {
    /// Whether it runs.
    pub is_running: bool,
    /// The goal that it pursues.
    pub goal: Option<usize>,
    /// The steps of its plan, from the first one on; empty if it has no plan.
    pub steps: Vec<usize>,
    /// The place in `steps` of the one that is next or in progress.
    pub cursor: usize,
    /// The goal for which it looks for a plan, in several turns.
    pub searches: Option<usize>,
    /// A bit for each goal for which it has found no plan, as far as it knows the facts.
    pub fruitless: u32,
    /// The steps that it leaves out.
    pub left_out: StepSet,
}

impl Population {
    /// The next tick in which a planner of an agent has its turn to think, if it is reached then. `None` if the node is no
    /// planner, or if the agent is never due in such a tick.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn next_thought(&self, agent: usize, planner: NodeId) -> Option<u64> {
        let (id, interval) = (self.stable_id(agent), u64::from(self.interval(agent)));
        let mut planners = self.durable.program.code.planners.iter();
        let every = planners.find(|op| op.node == planner)?.every;
        let mut due = next_due(self.ticks(), id, interval);
        // After so many of them, the two begin anew.
        for _ in 0..every {
            if is_turn(due, id, every) {
                return Some(due);
            }
            due = next_due(due, id, interval);
        }
        None
    }

    /// What a planner of an agent follows. `None` if the node is no planner.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn plan(&self, agent: usize, planner: NodeId) -> Option<PlanState> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let mut planners = self.durable.program.code.planners.iter();
        let op = planners.find(|op| op.node == planner)?;
        Some(self.plan_by(agent, op))
    }

    /// The same by the code of the planner.
    pub(in crate::population) fn plan_by(&self, agent: usize, op: &PlannerOp) -> PlanState {
        let lane = agent % self.durable.size.lanes;
        let (run, memory) = (self.run_of(agent), &op.memory);
        let narrow = |column: u32| run.narrow(column)[lane];
        let flag = |column: u32| run.bits(column)[lane / 64] >> (lane % 64) & 1 == 1;
        let (goals, steps) = (op.goals.len() as u32, op.children.len());
        let goal = |first: u32| (0..goals).find(|goal| flag(first + goal));
        let goal = |first: u32| goal(first).map(|goal| goal as usize);
        let fruitless = (0..goals).map(|goal| u32::from(flag(memory.fruitless + goal)) << goal);
        let fruitless = fruitless.fold(0, |all, bit| all | bit);
        if !self.has_slot(agent, op.slot) {
            return PlanState {
                fruitless,
                ..PlanState::default()
            };
        }
        let pursued = goal(memory.pursues);
        let place = InPlan::of(narrow(memory.place));
        let is_planned = flag(memory.planned) && pursued.is_some() && place.is_one(memory);
        let length = if is_planned { place.length } else { 0 };
        let mut left_out = StepSet::default();
        let out = (0..steps).filter(|step| flag(memory.left_out + *step as u32));
        out.for_each(|step| left_out.add(step));
        let search = memory.search.as_ref();
        PlanState {
            is_running: true,
            goal: pursued,
            steps: (0..length)
                .map(|nth| step_of(memory.steps, nth, steps, narrow))
                .collect(),
            cursor: if length > 0 { place.cursor as usize } else { 0 },
            searches: search.and_then(|search| goal(search.goals)),
            fruitless,
            left_out,
        }
    }
}
