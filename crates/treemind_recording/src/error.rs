//! Why a recording cannot be written.

use std::fmt;
use std::io;

/// Why a recording cannot be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordError {
    /// The file cannot be written.
    Io(io::Error),
    /// What was to be written does not fit the form of the file.
    Form(String),
    /// A population runs a behaviour that is in none of the documents of the recording; its name.
    NoDocument(String),
    /// Agents were ticked without the recorder: the number of ticks that it knows of, and that there were.
    Missed {
        /// As many ticks are recorded.
        known: u64,
        /// As many there were.
        there: u64,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Io(error) => error.fmt(out),
            RecordError::Form(error) => out.write_str(error),
            RecordError::NoDocument(name) => {
                write!(out, "`{name}` is in none of the documents of the recording")
            }
            RecordError::Missed { known, there } => write!(
                out,
                "the agents were ticked without the recorder: it knows {known} ticks, and there were {there}"
            ),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<mcap::McapError> for RecordError {
    fn from(error: mcap::McapError) -> Self {
        match error {
            mcap::McapError::Io(error) => Self::Io(error),
            other => Self::Form(other.to_string()),
        }
    }
}
