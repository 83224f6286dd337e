//! What composites and decorators of a host's own are told, and what they want.

use crate::status::Status;

/// What a composite or decorator of the host's is told about one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// It is reached: the first thing in every tick.
    Tick,
    /// The child that it wanted ticked has answered. A child that runs or was skipped may have something open.
    Answered {
        /// Which child, from 0.
        child: usize,
        /// What it answered.
        status: Status,
    },
    /// What was open in the child that it wanted halted is aborted.
    Halted {
        /// Which child, from 0.
        child: usize,
    },
}

/// What a composite or decorator of the host's wants next for one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Tick that child, counted from 0; the answer is told at once. A child can be ticked again in the same tick
    /// when it has ended.
    Tick(usize),
    /// Abort what is open in that child, counted from 0.
    Halt(usize),
    /// Nothing more in this tick: that is the node's answer. After success and failure, what is open in the
    /// children is aborted; after running and skipped it stays.
    Answer(Status),
}

/// What the agents of one call are told, and room for what is wanted for each.
pub struct Moves<'a> {
    pub(crate) first: usize,
    pub(crate) told: &'a [Told],
    pub(crate) wanted: &'a mut [Move],
}

impl Moves<'_> {
    /// What an agent is told.
    ///
    /// # Panics
    /// When the agent is not one of this call's chunk.
    pub fn told(&self, agent: usize) -> Told {
        self.told[agent - self.first]
    }

    /// Says what is wanted for an agent; if nothing is said, it is the answer running.
    ///
    /// # Panics
    /// When the agent is not one of this call's chunk.
    pub fn set(&mut self, agent: usize, wanted: Move) {
        self.wanted[agent - self.first] = wanted;
    }

    /// What is wanted for an agent as it stands.
    ///
    /// # Panics
    /// When the agent is not one of this call's chunk.
    pub fn get(&self, agent: usize) -> Move {
        self.wanted[agent - self.first]
    }
}
