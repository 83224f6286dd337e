//! What composites and decorators of a host are told, and the moves that they make.

use crate::status::Status;

/// What a composite or decorator of the host is told about one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Told {
    /// The node is reached: this comes first in every tick.
    Tick,
    /// The child that the node asked to tick has answered. A child that is running or was skipped may have
    /// something open.
    Answered {
        /// The child, counted from 0.
        child: usize,
        /// Its answer.
        status: Status,
    },
    /// What was open in the child that the node asked to halt has been aborted.
    Halted {
        /// The child, counted from 0.
        child: usize,
    },
}

/// The next move of a composite or decorator of the host, for one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Move {
    /// Tick this child, counted from 0; the node is told its answer at once. A child that has ended can be ticked
    /// again in the same tick.
    Tick(usize),
    /// Abort what is open in this child, counted from 0.
    Halt(usize),
    /// End the node's turn in this tick with this answer. After success and failure, what is open in the children
    /// is aborted; after running and skipped it stays open.
    Answer(Status),
}

/// What the agents of one call are told, and room for the move of each.
pub struct Moves<'a> {
    pub(crate) first: usize,
    pub(crate) told: &'a [Told],
    pub(crate) wanted: &'a mut [Move],
}

impl Moves<'_> {
    /// What an agent is told.
    ///
    /// # Panics
    /// When the agent is not in this call's chunk.
    pub fn told(&self, agent: usize) -> Told {
        self.told[agent - self.first]
    }

    /// Sets the move for an agent. Without a call of `set`, the move is the answer running.
    ///
    /// # Panics
    /// When the agent is not in this call's chunk.
    pub fn set(&mut self, agent: usize, wanted: Move) {
        self.wanted[agent - self.first] = wanted;
    }

    /// The current move for an agent.
    ///
    /// # Panics
    /// When the agent is not in this call's chunk.
    pub fn get(&self, agent: usize) -> Move {
        self.wanted[agent - self.first]
    }
}
