//! What nodes remember, and for how long.

use super::decision::Drawn;
use super::machine::Running;
use std::collections::BTreeMap;
use treemind_core::{Status, Value};

/// What one node remembers from one visit to the next. Aborting a node makes it forget all of this.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// An action or a node of the host's own has started and not stopped; a `run`, a condition, an `interrupt`, a
    /// `parallel` that repeats what has finished or a `keep-running-until-failure` answered running last; a
    /// `on-change` waits; a `try-catch` is to catch when it is cut off; a random list with replacement is between two draws; a loop is
    /// between two runs, or keeps its count.
    pub(super) open: bool,
    /// The arguments of what is open.
    pub(super) args: Vec<Value>,
    /// What the host said of an open action that it reports on.
    pub(super) reported: Option<Status>,
    /// The clock at which a `wait`, a `delay` or a `timeout` is over, or a `service` is called next.
    pub(super) deadline_ns: Option<u128>,
    /// Lists: the last answer of each child in this run. `parallel`, `parallel-all` and `monitor`: how each child
    /// finished. `simple-parallel`: how the task ended. Random ones: what each child that was tried answered.
    pub(super) answers: Vec<Option<Status>>,
    /// A list answered running between two children: the one that is next.
    pub(super) next: Option<usize>,
    /// How often a loop's child has come to the status that the loop goes on with; how many children of a
    /// `utility-selector` have failed in this run; the place of a `for-each` in its list.
    pub(super) count: i64,
    /// How often it has to, at most.
    pub(super) limit: Option<i64>,
    /// The tick that a loop counted last, where it counts ticks.
    pub(super) counted: u64,
    /// The tick in which the child that a loop or a list ticked last began its run.
    pub(super) began: u64,
    /// What an `interruptible` is going to answer in its child's place.
    pub(super) pending: Option<Status>,
    /// A `semaphore` has a place.
    pub(super) has_place: bool,
    /// A `semaphore` has none, and asks or waits for one.
    pub(super) asks: bool,
    /// In which tick it began to ask.
    pub(super) asks_since: u64,
    /// A machine runs.
    pub(super) machine: Option<Box<Running>>,
}

/// What one node keeps for the agent's life, aborted or not.
#[derive(Clone, Debug, Default)]
pub(super) struct Lasting {
    /// The child at which the next run of a `sticky-sequence` begins.
    pub(super) place: usize,
    /// It has failed and left children open, which nobody reaches until its next run.
    pub(super) left_open: bool,
    /// How the child of a `run-once` ended.
    pub(super) ended: Option<Status>,
    /// How many runs a `limit` has begun.
    pub(super) runs: i64,
    /// The clock at which the cooling of a `cooldown` is over.
    pub(super) cooled_ns: u128,
    /// What the last look at the `when` of a child of a `selector` gave that may abort what comes after it.
    pub(super) looked: bool,
    /// What a decision tree keeps of draws, by the numbers of its tests.
    pub(super) drawn: BTreeMap<usize, Drawn>,
    /// The last tick that reached a `force-…` that answers while its child is running.
    pub(super) reached: u64,
}

/// What one node counts within a tick, aborted or not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// How often the child of a loop has ended.
    pub(super) ends: u32,
    /// How often it has drawn.
    pub(super) draws: u32,
    /// How often a node of the host's own wanted something else than to answer.
    pub(super) wishes: u32,
}
