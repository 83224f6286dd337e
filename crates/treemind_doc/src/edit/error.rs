//! Why an edit is refused.

use super::place::At;
use std::fmt;

/// Why an edit is refused, in the words of the document. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError {
    message: String,
    at: Option<At>,
}

impl EditError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            at: None,
        }
    }

    /// Adds the place of the obstacle.
    pub(super) fn at(mut self, file: usize, offset: usize) -> Self {
        self.at = Some(At { file, offset });
        self
    }

    /// The reason, as one sentence without a full stop.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place of the obstacle, if it has one.
    pub fn place(&self) -> Option<At> {
        self.at
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for EditError {}
