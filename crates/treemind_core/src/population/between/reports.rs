//! Actions that the game ends itself, by reporting how they ended.

use crate::blackboard::CellsMut;
use crate::host::Ticket;
use crate::ids::NodeId;
use crate::population::Population;
use crate::program::Reported;
use std::fmt;
use std::sync::Arc;

/// Why a result came too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Late {
    /// The agent was removed, or its population has joined or left a society since.
    Dead,
    /// The run has ended, or its result was reported already.
    Over,
}

impl fmt::Display for Late {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Late::Dead => "there is no such agent any more",
            Late::Over => "that run is over",
        })
    }
}

impl std::error::Error for Late {}

impl Population {
    /// The ticket of a run of a [reported](crate::behaviour::Life::Reported) action, as
    /// [`Call::ticket`](crate::Call::ticket) gives it; `None` if the node has no run whose result was not reported yet.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn ticket(&self, agent: usize, node: NodeId) -> Option<Ticket> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let mut reported = self.durable.program.reported.iter();
        let open = reported.find(|known| known.node == node && self.is_open(agent, known))?;
        Some(Ticket {
            agent: self.id_of(agent)?,
            node,
            run: self.run_of(agent).narrow(open.runs)[agent % self.durable.size.lanes],
        })
    }

    /// Reports that a run of a [reported](crate::behaviour::Life::Reported) action has ended: the next tick that
    /// reaches it answers with this result.
    ///
    /// # Errors
    /// When the agent is dead, or the run is over: a late result never ends another run.
    pub fn finish(&mut self, ticket: Ticket, success: bool) -> Result<(), Late> {
        let agent = self.index_of(ticket.agent).map_err(|_| Late::Dead)?;
        if self.ticket(agent, ticket.node) != Some(ticket) {
            return Err(Late::Over);
        }
        self.touch();
        let (chunk, lane) = self.place(agent);
        self.wake(agent);
        let (program, parts) = (Arc::clone(&self.durable.program), self.durable.parts);
        for reported in program
            .reported
            .iter()
            .filter(|known| known.node == ticket.node)
        {
            if self.is_open(agent, reported) {
                let run = &mut self.chunk_mut(chunk)[parts.run..parts.end];
                let mut run = CellsMut::new(&parts.run_layout, run);
                let [succeeded, failed] = reported.columns;
                let column = if success { succeeded } else { failed };
                run.bits_mut(column)[lane / 64] |= 1 << (lane % 64);
            }
        }
        Ok(())
    }

    /// Whether an action runs, and its result was not reported yet.
    fn is_open(&self, agent: usize, reported: &Reported) -> bool {
        let (chunk, lane) = self.place(agent);
        let slot = reported.slot as usize * self.durable.size.words;
        let has = |words: &[u64]| words[lane / 64] >> (lane % 64) & 1 == 1;
        let run = self.run_of(agent);
        has(&self.chunk(chunk)[slot..])
            && !reported.columns.iter().any(|ended| has(run.bits(*ended)))
    }
}
