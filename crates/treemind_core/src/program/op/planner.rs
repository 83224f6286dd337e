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
}

/// The columns of a planner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannerMemory {
    /// Bits: a step has ended, and its end was not looked at; the step promised to change a fact; the last run failed.
    pub(crate) ended: u32,
    pub(crate) promised: u32,
    pub(crate) failed: u32,
    /// Narrow: the goal that is pursued and the one that is searched for, from 1; 0 for none.
    pub(crate) pursues: u32,
    pub(crate) searches: u32,
    /// Narrow: the length of the plan, the place of the current step, and the method that began it.
    pub(crate) place: u32,
    /// Narrow: the steps of the plan, four in each column.
    pub(crate) steps: u32,
    pub(crate) step_columns: u32,
    /// Narrow: a bit per step that is left out, in this many columns.
    pub(crate) left_out: u32,
    pub(crate) left_out_columns: u32,
    /// Narrow: a bit per goal for which a search with these facts finds nothing.
    pub(crate) fruitless: u32,
    /// Wide: the facts at the start of the step, and those for which goals are fruitless.
    pub(crate) at_start: u32,
    pub(crate) fruitless_for: u32,
    /// Wide: the facts of the last search, if a change of them counts.
    pub(crate) searched_with: Option<u32>,
    /// What a search in several turns needs.
    pub(crate) search: Option<SearchMemory>,
}

/// The columns of a search in several turns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SearchMemory {
    /// Narrow: the expansions of the turns so far.
    pub(crate) expansions: u32,
    /// Narrow: what was left out when it began.
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
