//! What keeps a tick from being played.

use std::fmt;
use std::io;
use treemind_core::tape::TapeError;

/// Why a tick cannot be played.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file cannot be read any more.
    Io(io::Error),
    /// It is not there: it is before the begin, behind the end, or was lost.
    NoTick(u64),
    /// There is no such population.
    NoPopulation(String),
    /// There is no such agent at that tick.
    NoAgent(usize),
    /// The document of a population is missing, or has errors: it was written by another version of Treemind.
    NoDocument,
    /// What is kept of this tick cannot be played.
    Tape(u64, TapeError),
    /// The agents come to another state than the one that is kept, after this tick.
    Diverged(u64),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Io(error) => error.fmt(out),
            ReplayError::NoTick(tick) => write!(out, "tick {tick} is not in the recording"),
            ReplayError::NoPopulation(name) => {
                write!(out, "there is no population `{name}` in the recording")
            }
            ReplayError::NoAgent(agent) => write!(out, "there is no agent {agent} at that tick"),
            ReplayError::NoDocument => {
                out.write_str("a document of the recording cannot be read by this version")
            }
            ReplayError::Tape(tick, error) => write!(out, "tick {tick}: {error}"),
            ReplayError::Diverged(tick) => write!(
                out,
                "after tick {tick} the agents are in another state than in the recording"
            ),
        }
    }
}

impl std::error::Error for ReplayError {}

impl From<io::Error> for ReplayError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
