//! Planners.

use super::ports::{Port, See, ins, outs, slots};
use super::{Range, Reach, Reg};
use crate::blackboard::Column;
use crate::ids::{KeyId, NodeId};
use crate::planning::Domain;

/// A planner: its first instruction thinks and sends agents to their steps, its last one hears how they ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannerOp {
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    /// The agents that it has reached in this tick.
    pub(crate) entered: Reg,
    /// The answers of the steps.
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    pub(crate) skipped: Reg,
    pub(crate) out_success: Reg,
    pub(crate) out_failure: Reg,
    pub(crate) reach: Reach,
    pub(crate) children: Vec<PlannerChild>,
    pub(crate) goals: Vec<GoalOp>,
    pub(crate) hysteresis: u32,
    /// What the hysteresis always is, if it is known and no fault.
    pub(crate) steady_hysteresis: Option<f64>,
    /// Whether no sensor is asked about scores, and about when goals are open.
    pub(crate) asks_nothing: bool,
    /// The numbers of the facts that are sensed.
    pub(crate) asks: Vec<u32>,
    pub(crate) every: u64,
    pub(crate) slice: u32,
    pub(crate) max_expansions: u32,
    /// Whether it looks for a better plan when a fact has changed.
    pub(crate) replans: bool,
    pub(crate) domain: Domain,
    pub(crate) memory: PlannerMemory,
    /// The slots of the steps, and the one that says that it runs.
    pub(crate) inside: Range,
    pub(crate) slot: u32,
    /// Where its last instruction is.
    pub(crate) end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlannerChild {
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    pub(crate) range: Range,
}

/// The expressions of a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GoalOp {
    pub(crate) when: Option<u32>,
    /// `None` for a goal that does a task.
    pub(crate) wants: Option<u32>,
    pub(crate) score: u32,
    /// What the score always is, if it is known and no fault.
    pub(crate) steady: Option<f64>,
}

/// The columns of a planner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannerMemory {
    /// Bits: there is a plan; a step has ended, and its end was not looked at; the step promised to change a fact; the
    /// last run failed.
    pub(crate) planned: u32,
    pub(crate) ended: u32,
    pub(crate) promised: u32,
    pub(crate) failed: u32,
    /// Bits, a column per goal: it is pursued; a search with these facts finds nothing for it.
    pub(crate) pursues: u32,
    pub(crate) fruitless: u32,
    /// Narrow: the length of the plan, the place of the current step, and the method that began it.
    pub(crate) place: u32,
    pub(crate) steps: PlanColumns,
    /// Bits, a column per step: it is left out.
    pub(crate) left_out: u32,
    /// Wide: the facts at the start of the step, and those for which goals are fruitless.
    pub(crate) at_start: u32,
    pub(crate) fruitless_for: u32,
    /// Wide: the facts of the last search, if a change of them counts.
    pub(crate) searched_with: Option<u32>,
    /// What a search in several turns needs.
    pub(crate) search: Option<SearchMemory>,
}

/// The narrow columns of the steps of a plan: each has as many steps as fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlanColumns {
    pub(crate) first: u32,
    pub(crate) columns: u32,
    /// How many bits a step takes, and how many steps a column has.
    pub(crate) bits: u32,
    pub(crate) each: u32,
}

impl PlanColumns {
    /// How many columns there are for plans of so many steps, and how many bits a step takes, if there are so many.
    pub(crate) fn size(plan: u32, steps: usize) -> (u32, u32) {
        let last = steps.saturating_sub(1) as u32;
        let bits = (u32::BITS - last.leading_zeros()).max(1);
        (plan.div_ceil(u32::BITS / bits), bits)
    }

    /// How many steps fit.
    pub(crate) fn room(self) -> u32 {
        self.columns * self.each
    }

    /// The column of a step of a plan, and how far its bits are shifted.
    #[inline(always)]
    pub(crate) fn place(self, nth: u32) -> (u32, u32) {
        // Most plans fit in one column, and a division takes longer than all the rest.
        if nth < self.each {
            return (self.first, nth * self.bits);
        }
        // State that was made up may have any length.
        let column = (nth / self.each).min(self.columns - 1);
        (self.first + column, nth % self.each * self.bits)
    }

    /// The steps of one column, as it has them.
    #[inline(always)]
    pub(crate) fn packed(self, steps: &[u8]) -> u32 {
        let steps = steps.iter().rev();
        steps.fold(0, |all, step| all << self.bits | u32::from(*step))
    }

    /// The bits of a step.
    pub(crate) fn mask(self) -> u32 {
        (1 << self.bits) - 1
    }
}

/// The columns of a search in several turns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SearchMemory {
    /// Bits, a column per goal: it is searched for.
    pub(crate) goals: u32,
    /// Narrow: the expansions of the turns so far.
    pub(crate) expansions: u32,
    /// Bits, a column per step: it was left out when the search began.
    pub(crate) left_out: u32,
    pub(crate) facts: Vec<KeptFact>,
}

/// Where the value of a fact is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeptFact {
    pub(crate) key: KeyId,
    pub(crate) column: Column,
    /// The column of bits that says whether there is a value, if there may be none.
    pub(crate) set: Option<u32>,
}

impl PlannerOp {
    /// Where the facts of an agent are among those of its word.
    #[inline(always)]
    pub(crate) fn facts_of(&self, lane: usize) -> std::ops::Range<usize> {
        let words = self.domain.words();
        let start = lane % 64 * words;
        start..start + words
    }

    pub(super) fn begin_ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        see(Port::Held(self.entered));
        see(Port::Wakes(self.end));
        see(Port::SeenAt(self.end));
        for child in &self.children {
            see(Port::Out(child.input));
        }
        outs([self.out_success, self.out_failure], see);
    }

    pub(super) fn end_ports(&self, see: See<'_>) {
        ins([self.success, self.failure, self.skipped], see);
        slots([self.slot], see);
    }
}
