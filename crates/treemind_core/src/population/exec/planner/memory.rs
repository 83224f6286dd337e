//! What a planner keeps of an agent: its plan, what is left out, and numbers for the facts.

use super::one;
use crate::ids::AgentId;
use crate::planning::StepSet;
use crate::population::exec::Exec;
use crate::program::op::{PlanColumns, PlannerMemory, PlannerOp, Range};
use crate::trace::{Event, Sink};

/// Where an agent is in its plan, as it is kept in one column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::population) struct InPlan {
    /// How many steps the plan has.
    pub(in crate::population) length: u32,
    pub(in crate::population) cursor: u32,
    /// The method of the goal's task.
    pub(in crate::population) method: u32,
}

impl InPlan {
    pub(in crate::population) fn of(bits: u32) -> Self {
        Self {
            length: bits & 0xff,
            cursor: bits >> 8 & 0xff,
            method: bits >> 16,
        }
    }

    /// Whether it can be. State that was made up may say anything.
    #[inline(always)]
    pub(in crate::population) fn is_one(self, memory: &PlannerMemory) -> bool {
        self.cursor < self.length && self.length <= memory.steps.room()
    }

    pub(super) fn bits(self) -> u32 {
        self.length | self.cursor << 8 | self.method << 16
    }
}

/// The step at a place of a plan, as a column has it.
#[inline(always)]
pub(in crate::population) fn step_of(
    columns: PlanColumns,
    nth: u32,
    children: usize,
    narrow: impl Fn(u32) -> u32,
) -> usize {
    let (column, shift) = columns.place(nth);
    let step = narrow(column) >> shift & columns.mask();
    // State that was made up may name any step.
    (step as usize).min(children.saturating_sub(1))
}

/// The steps of a plan from one of its places on, as columns have them: each column is read once.
#[inline(always)]
pub(super) fn steps_from(
    columns: PlanColumns,
    from: u32,
    place: InPlan,
    children: usize,
    narrow: impl Fn(u32) -> u32,
) -> impl Iterator<Item = usize> {
    let (mut column, mut end) = (columns.first, columns.each);
    while from >= end {
        (column, end) = (column + 1, end + columns.each);
    }
    let mut packed = match from < place.length {
        true => narrow(column) >> ((from + columns.each - end) * columns.bits),
        false => 0,
    };
    (from..place.length).map(move |nth| {
        if nth == end {
            (column, end) = (column + 1, end + columns.each);
            packed = narrow(column);
        }
        let step = packed & columns.mask();
        packed >>= columns.bits;
        // State that was made up may name any step.
        (step as usize).min(children.saturating_sub(1))
    })
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Where the agent is in its plan, if it has one.
    pub(super) fn plan_of(&self, op: &PlannerOp, lane: usize) -> Option<InPlan> {
        let place = InPlan::of(self.narrow(op.memory.place, lane));
        let is_one = self.flag(op.memory.planned, lane) && place.is_one(&op.memory);
        is_one.then_some(place)
    }

    /// The step that is next or in progress.
    pub(super) fn current_step(&self, op: &PlannerOp, lane: usize) -> usize {
        let place = InPlan::of(self.narrow(op.memory.place, lane));
        self.step_at(op, lane, place.cursor)
    }

    pub(super) fn step_at(&self, op: &PlannerOp, lane: usize, nth: u32) -> usize {
        let narrow = |column| self.narrow(column, lane);
        step_of(op.memory.steps, nth, op.children.len(), narrow)
    }

    /// Stores the steps of a plan.
    pub(super) fn set_steps(&mut self, op: &PlannerOp, lane: usize, plan: &[u8]) {
        let columns = op.memory.steps;
        let each = columns.each as usize;
        for (column, some) in (columns.first..).zip(plan.chunks(each)) {
            self.set_narrow(column, lane, columns.packed(some));
        }
    }

    /// The goal of several columns of bits that an agent has, from 1; 0 for none.
    fn goal_in(&self, op: &PlannerOp, first: u32, lane: usize) -> u32 {
        let mut goals = 0..op.goals.len() as u32;
        goals
            .find(|goal| self.flag(first + goal, lane))
            .map_or(0, |goal| goal + 1)
    }

    fn set_goal_in(&mut self, op: &PlannerOp, first: u32, lane: usize, goal: u32) {
        self.clear_all(first, op.goals.len(), lane / 64, 1 << (lane % 64));
        if goal > 0 {
            self.set_flag(first + goal - 1, lane, true);
        }
    }

    /// The goal that is pursued, from 1; 0 for none.
    pub(super) fn pursued(&self, op: &PlannerOp, lane: usize) -> u32 {
        self.goal_in(op, op.memory.pursues, lane)
    }

    pub(super) fn set_pursued(&mut self, op: &PlannerOp, lane: usize, goal: u32) {
        self.set_goal_in(op, op.memory.pursues, lane, goal);
    }

    /// The goal that is searched for, from 1; 0 for none.
    pub(super) fn searched(&self, op: &PlannerOp, lane: usize) -> u32 {
        let search = op.memory.search.as_ref();
        search.map_or(0, |search| self.goal_in(op, search.goals, lane))
    }

    pub(super) fn set_searched(&mut self, op: &PlannerOp, lane: usize, goal: u32) {
        if let Some(search) = &op.memory.search {
            self.set_goal_in(op, search.goals, lane, goal);
        }
    }

    /// The agents of a word that have a bit in one of several columns.
    pub(super) fn any_of(&self, first: u32, count: usize, word: usize) -> u64 {
        let columns = first as usize..first as usize + count;
        columns.fold(0, |all, column| all | self.call.run.word(column * W + word))
    }

    pub(super) fn clear_all(&mut self, first: u32, count: usize, word: usize, agents: u64) {
        for column in first as usize..first as usize + count {
            *self.call.run.word_mut(column * W + word) &= !agents;
        }
    }

    pub(super) fn left_out(&self, op: &PlannerOp, lane: usize) -> StepSet {
        self.steps_in(op, op.memory.left_out, lane)
    }

    pub(super) fn leave_out(&mut self, op: &PlannerOp, lane: usize, step: usize) {
        self.set_flag(op.memory.left_out + step as u32, lane, true);
    }

    pub(super) fn steps_in(&self, op: &PlannerOp, first: u32, lane: usize) -> StepSet {
        let mut steps = StepSet::default();
        for step in 0..op.children.len() {
            let is_in = self.flag(first + step as u32, lane);
            steps.0 |= u128::from(is_in) << step;
        }
        steps
    }

    pub(super) fn set_steps_in(&mut self, op: &PlannerOp, first: u32, lane: usize, steps: StepSet) {
        for step in 0..op.children.len() {
            self.set_flag(first + step as u32, lane, steps.has(step));
        }
    }

    pub(super) fn narrow(&self, column: u32, lane: usize) -> u32 {
        self.call.run.narrow_of(column, lane)
    }

    pub(super) fn set_narrow(&mut self, column: u32, lane: usize, value: u32) {
        *self.call.run.narrow_of_mut(column, lane) = value;
    }

    pub(super) fn wide(&self, column: u32, lane: usize) -> u64 {
        self.call.run.read().wide(column)[lane]
    }

    pub(super) fn flag(&self, column: u32, lane: usize) -> bool {
        self.call.run.word(column as usize * W + lane / 64) >> (lane % 64) & 1 == 1
    }

    pub(super) fn set_flag(&mut self, column: u32, lane: usize, value: bool) {
        let word = self.call.run.word_mut(column as usize * W + lane / 64);
        let bit = 1 << (lane % 64);
        *word = if value { *word | bit } else { *word & !bit };
    }

    pub(super) fn record_one(&mut self, op: &PlannerOp, event: Event, lane: usize) {
        // Whatever happens to a goal or a plan is recorded.
        if W > 1 && self.tracks {
            self.stirred[lane / 64] |= 1 << (lane % 64);
        }
        self.record(op.node, event, lane / 64, 1 << (lane % 64));
    }

    /// Aborts what one agent has open in a range.
    pub(super) fn abort_one(&mut self, range: Range, lane: usize) {
        let slots = &self.slots[range.start as usize..range.end as usize];
        if slots
            .iter()
            .any(|slot| slot[lane / 64] >> (lane % 64) & 1 == 1)
        {
            self.abort(range, &one(lane));
            self.facts_are_unknown();
        }
    }

    /// Something was done that may have changed facts, or used their place.
    pub(super) fn facts_are_unknown(&mut self) {
        self.plans.forget_facts(u64::MAX);
    }

    /// Asks about all facts of an agent, and reads them.
    pub(super) fn read_facts(&mut self, op: &PlannerOp, lane: usize) {
        let (word, agent) = (lane / 64, 1 << (lane % 64));
        if !op.asks.is_empty() || self.plans.known & agent == 0 {
            self.know_facts(op, word, agent);
        }
    }

    /// Asks about all facts of some agents of a word, and reads them.
    pub(super) fn know_facts(&mut self, op: &PlannerOp, word: usize, agents: u64) {
        if !op.asks.is_empty() {
            self.sense_all(op.node, &op.asks, word, agents);
            // A sensor may have been asked again.
            self.facts_are_unknown();
        }
        let unknown = agents & !self.plans.known;
        if unknown == 0 {
            return;
        }
        self.plans.forget_facts(unknown);
        self.plans.known |= unknown;
        let around = self.call.around;
        let first = around.first + word * 64;
        let handle = |bit| around.lives.id(first + bit).map_or(0, AgentId::to_bits);
        let board = self.call.board();
        let situations = &mut self.plans.of_word;
        op.domain
            .read_word(situations, unknown, handle, &board, first);
    }

    /// A number for the facts that were read last of an agent.
    pub(super) fn hash_facts(&mut self, op: &PlannerOp, lane: usize) -> u64 {
        let (plans, bit) = (&mut *self.plans, lane % 64);
        if (plans.known & plans.hashed) >> bit & 1 == 1 {
            return plans.hashes[bit];
        }
        let facts = &plans.of_word[op.facts_of(lane)];
        let hash = op.domain.hash(facts, &mut plans.search.bytes);
        plans.hashed |= 1 << bit;
        plans.hashes[bit] = hash;
        hash
    }

    /// A number for the facts that were read last of an agent, and what is left out.
    pub(super) fn hash_inputs(&mut self, op: &PlannerOp, left_out: StepSet, lane: usize) -> u64 {
        let plans = &mut *self.plans;
        let facts = &plans.of_word[op.facts_of(lane)];
        op.domain
            .hash_with(facts, left_out, &mut plans.search.bytes)
    }
}
