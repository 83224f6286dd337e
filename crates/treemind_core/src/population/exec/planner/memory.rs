//! What a planner keeps of an agent: its plan, what is left out, and numbers for the facts.

use super::one;
use crate::ids::AgentId;
use crate::planning::StepSet;
use crate::population::exec::Exec;
use crate::program::op::{PlannerMemory, PlannerOp};
use crate::trace::{Event, Sink};

/// Where an agent is in its plan, as it is kept in one column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::population) struct InPlan {
    /// How many steps the plan has; 0: there is none.
    pub(in crate::population) length: u32,
    pub(in crate::population) cursor: u32,
    /// The method of the goal's task.
    pub(super) method: u32,
}

impl InPlan {
    pub(in crate::population) fn of(bits: u32) -> Self {
        Self {
            length: bits & 0xff,
            cursor: bits >> 8 & 0xff,
            method: bits >> 16,
        }
    }

    /// Whether there is a plan, when this is the goal that is pursued. State that was made up may say anything.
    #[inline(always)]
    pub(in crate::population) fn is_one(self, memory: &PlannerMemory, pursued: u32) -> bool {
        self.cursor < self.length && pursued > 0 && self.length <= 4 * memory.step_columns
    }

    pub(super) fn bits(self) -> u32 {
        self.length | self.cursor << 8 | self.method << 16
    }
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Where the agent is in its plan, if it has one.
    pub(super) fn plan_of(&self, op: &PlannerOp, lane: usize) -> Option<InPlan> {
        let place = InPlan::of(self.narrow(op.memory.place, lane));
        let is_one = place.is_one(&op.memory, self.narrow(op.memory.pursues, lane));
        is_one.then_some(place)
    }

    /// The step that is next or in progress.
    pub(super) fn current_step(&self, op: &PlannerOp, lane: usize) -> usize {
        let place = InPlan::of(self.narrow(op.memory.place, lane));
        self.step_at(op, lane, place.cursor)
    }

    pub(super) fn step_at(&self, op: &PlannerOp, lane: usize, index: u32) -> usize {
        let column = op.memory.steps + (index / 4).min(op.memory.step_columns - 1);
        let bytes = self.narrow(column, lane).to_le_bytes();
        // State that was made up may name any step.
        usize::from(bytes[index as usize % 4]).min(op.children.len().saturating_sub(1))
    }

    pub(super) fn left_out(&self, memory: &PlannerMemory, lane: usize) -> StepSet {
        self.steps_in(memory.left_out, memory.left_out_columns, lane)
    }

    pub(super) fn set_left_out(&mut self, memory: &PlannerMemory, lane: usize, steps: StepSet) {
        self.set_steps_in(memory.left_out, memory.left_out_columns, lane, steps);
    }

    pub(super) fn leave_out(&mut self, op: &PlannerOp, lane: usize, step: usize) {
        let mut steps = self.left_out(&op.memory, lane);
        steps.add(step);
        self.set_left_out(&op.memory, lane, steps);
    }

    pub(super) fn steps_in(&self, first: u32, columns: u32, lane: usize) -> StepSet {
        let bits = (0..columns).map(|index| {
            let word = self.narrow(first + index, lane);
            u128::from(word) << (32 * index)
        });
        StepSet(bits.fold(0, |all, bits| all | bits))
    }

    pub(super) fn set_steps_in(&mut self, first: u32, columns: u32, lane: usize, steps: StepSet) {
        for index in 0..columns {
            let word = (steps.0 >> (32 * index)) as u32;
            self.set_narrow(first + index, lane, word);
        }
    }

    pub(super) fn narrow(&self, column: u32, lane: usize) -> u32 {
        self.call.run.read().narrow(column)[lane]
    }

    pub(super) fn set_narrow(&mut self, column: u32, lane: usize, value: u32) {
        self.call.run.narrow_mut(column)[lane] = value;
    }

    pub(super) fn wide(&self, column: u32, lane: usize) -> u64 {
        self.call.run.read().wide(column)[lane]
    }

    pub(super) fn flag(&self, column: u32, lane: usize) -> bool {
        self.call.run.read().bits(column)[lane / 64] >> (lane % 64) & 1 == 1
    }

    pub(super) fn set_flag(&mut self, column: u32, lane: usize, value: bool) {
        let word = &mut self.call.run.bits_mut(column)[lane / 64];
        let bit = 1 << (lane % 64);
        *word = if value { *word | bit } else { *word & !bit };
    }

    pub(super) fn record_one(&mut self, op: &PlannerOp, event: Event, lane: usize) {
        // Whatever happens to a goal or a plan is recorded.
        self.stir(&one(lane));
        self.record(op.node, event, lane / 64, 1 << (lane % 64));
    }

    /// Asks about all facts, and reads them.
    pub(super) fn read_facts(&mut self, op: &PlannerOp, lane: usize) {
        if !op.asks.is_empty() {
            self.sense_all(op.node, &op.asks, lane / 64, 1 << (lane % 64));
        }
        let agent = self.call.around.first + lane;
        let me = self.call.around.lives.id(agent).map_or(0, AgentId::to_bits);
        let mut facts = std::mem::take(&mut self.plans.facts);
        facts.resize(op.domain.words(), 0);
        let board = self.call.board();
        op.domain.read(&mut facts, me, |key| board.held(key, agent));
        self.plans.facts = facts;
    }

    pub(super) fn hash_facts(&mut self, op: &PlannerOp) -> u64 {
        let plans = &mut *self.plans;
        op.domain.hash(&plans.facts, &mut plans.bytes)
    }

    /// A number for the facts, and what is left out.
    pub(super) fn hash_inputs(&mut self, op: &PlannerOp, left_out: StepSet) -> u64 {
        let plans = &mut *self.plans;
        op.domain
            .hash_with(&plans.facts, left_out, &mut plans.bytes)
    }
}
