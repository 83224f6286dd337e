//! What nodes remember, and for how long.

use super::decision::Drawn;
use super::find::Search;
use super::machine::Running;
use super::planner::{Fruitless, Planning};
use super::rules::Watched;
use std::collections::BTreeMap;
use treemind_core::{Status, Value};

/// What one node remembers from one visit to the next. Aborting a node clears all of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// An action or an own node of the host has started and not stopped; a `run`, a `wait-for-event`, a condition, an `interrupt`, a
    /// `parallel` that repeats finished children or a `keep-running-until-failure` answered running last; an
    /// `on-change` waits; a `try-catch` has to catch when it is aborted; a random list with replacement is between
    /// two draws; a loop is between two runs, or keeps its count.
    pub(super) open: bool,
    /// The branch of an `if` that asks again answered running last.
    pub(super) goes_on: bool,
    /// The arguments of the open run.
    pub(super) args: Vec<Value>,
    /// The host's report on an open action.
    pub(super) reported: Option<Status>,
    /// The clock at which a `wait`, a `delay` or a `timeout` ends, or a `service` is called next.
    pub(super) deadline_ns: Option<u128>,
    /// Lists: the last answer of each child in this run. `parallel`, `parallel-all` and `monitor`: how each child
    /// finished. `simple-parallel`: how the task ended. Random lists: what each child that was tried answered.
    pub(super) answers: Vec<Option<Status>>,
    /// The next child of a list that answered running between two children.
    pub(super) next: Option<usize>,
    /// How often a loop's child has answered the status with which the loop continues; how many children of a
    /// `utility-selector` have failed in this run; the position of a `for-each` in its list.
    pub(super) count: i64,
    /// The limit of that count.
    pub(super) limit: Option<i64>,
    /// The last tick that a loop counted, if it counts ticks.
    pub(super) counted: u64,
    /// The tick in which the child that a loop or a list last ticked began its run.
    pub(super) began: u64,
    /// The answer that an `interruptible` is going to give in its child's place.
    pub(super) pending: Option<Status>,
    /// A `semaphore` has a place.
    pub(super) has_place: bool,
    /// A `semaphore` has no place, and asks or waits for one.
    pub(super) asks: bool,
    /// The tick in which it began to ask.
    pub(super) asks_since: u64,
    /// What it bids for its place, or for one.
    pub(super) bid: f64,
    /// The moment up to which it cannot lose its place.
    pub(super) safe_until: u128,
    /// It has a place, which it has to give back.
    pub(super) is_outbid: bool,
    /// The state of a running machine.
    pub(super) machine: Option<Box<Running>>,
    /// A search for the best candidate.
    pub(super) search: Option<Search>,
    /// A running planner.
    pub(super) planning: Option<Box<Planning>>,
}

/// What one node keeps for the agent's lifetime, even when it is aborted.
#[derive(Clone, Debug, Default)]
pub(super) struct Lasting {
    /// The child at which the next run of a `sticky-sequence` begins.
    pub(super) place: usize,
    /// Whether it has left children open, which are not reached until its next run.
    pub(super) left_open: bool,
    /// How the child of a `run-once` ended.
    pub(super) ended: Option<Status>,
    /// How many runs a `limit` has begun.
    pub(super) runs: i64,
    /// The clock at which the cooling of a `cooldown` ends.
    pub(super) cooled_ns: u128,
    /// The result of the last look at the `when` of a `selector`'s child that may abort the children after it.
    pub(super) looked: bool,
    /// What it remembers of each of its rules.
    pub(super) rules: BTreeMap<usize, Watched>,
    /// The draws that a decision tree keeps, by the numbers of its tests.
    pub(super) drawn: BTreeMap<usize, Drawn>,
    /// The last tick that reached a `force-…` that answers while its child is running.
    pub(super) reached: u64,
    /// What a planner knows of goals that it cannot reach, and how its last run ended.
    pub(super) planner: Fruitless,
}

/// What one node counts within a tick, even when it is aborted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// How many runs of a loop's child have ended.
    pub(super) ends: u32,
    /// How many draws it has made.
    pub(super) draws: u32,
    /// How many letters in the mailbox it has looked at.
    pub(super) letters: usize,
    /// How many moves other than answers an own node of the host has asked for.
    pub(super) wishes: u32,
}
