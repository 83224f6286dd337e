//! Why an edit cannot be done.

use super::place::At;
use std::fmt;

/// Why an edit cannot be done, in the words of the document. Nothing was changed.
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

    /// What stands in the way is there.
    pub(super) fn at(mut self, file: usize, offset: usize) -> Self {
        self.at = Some(At { file, offset });
        self
    }

    /// The reason, as one sentence without a full stop.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where the thing stands that is in the way, if it stands somewhere.
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
