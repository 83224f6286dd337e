//! What planners follow.

use crate::ids::NodeId;
use crate::planning::StepSet;
use crate::population::Population;
use crate::population::exec::planner::InPlan;

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
        let lane = agent % self.durable.size.lanes;
        let (run, memory) = (self.run_of(agent), &op.memory);
        let narrow = |column: u32| run.narrow(column)[lane];
        let steps = |first: u32, columns: u32| {
            let words = (0..columns).map(|nth| u128::from(narrow(first + nth)) << (32 * nth));
            StepSet(words.fold(0, |all, bits| all | bits))
        };
        let fruitless = narrow(memory.fruitless);
        if !self.has_slot(agent, op.slot) {
            return Some(PlanState {
                fruitless,
                ..PlanState::default()
            });
        }
        let goal = |from_one: u32| {
            let goal = from_one.checked_sub(1)? as usize;
            (goal < op.goals.len()).then_some(goal)
        };
        let pursued = narrow(memory.pursues);
        let place = InPlan::of(narrow(memory.place));
        let length = match place.is_one(memory, pursued) {
            true => place.length as usize,
            false => 0,
        };
        // State that was made up may name any step.
        let last = op.children.len().saturating_sub(1);
        let step = |nth: usize| {
            let four = narrow(memory.steps + nth as u32 / 4).to_le_bytes();
            usize::from(four[nth % 4]).min(last)
        };
        Some(PlanState {
            is_running: true,
            goal: goal(pursued),
            steps: (0..length).map(step).collect(),
            cursor: if length > 0 { place.cursor as usize } else { 0 },
            searches: goal(narrow(memory.searches)),
            fruitless,
            left_out: steps(memory.left_out, memory.left_out_columns),
        })
    }
}
