//! Why an edit is refused.

use super::place::At;
use crate::Said;
use std::fmt;

/// Why an edit is refused, in the words of the document. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError {
    said: Said,
    at: Option<At>,
}

impl EditError {
    pub(super) fn new(said: Said) -> Self {
        Self { said, at: None }
    }

    /// Adds the place of the obstacle.
    pub(super) fn at(mut self, file: usize, offset: usize) -> Self {
        self.at = Some(At { file, offset });
        self
    }

    /// The reason, as one sentence without a full stop.
    pub fn message(&self) -> &Said {
        &self.said
    }

    /// The place of the obstacle, if it has one.
    pub fn place(&self) -> Option<At> {
        self.at
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said.fmt(out)
    }
}

impl std::error::Error for EditError {}

impl From<EditError> for Said {
    fn from(error: EditError) -> Self {
        error.said
    }
}
