//! Why a text is not a scenario.

use std::fmt;

/// Why a text is not a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError {
    line: Option<usize>,
    text: String,
}

impl MapError {
    pub(super) fn at(line: usize, text: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            text: text.into(),
        }
    }

    pub(super) fn whole(text: impl Into<String>) -> Self {
        Self {
            line: None,
            text: text.into(),
        }
    }

    /// The line of the file, from 1, if the error is about one.
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(out, "line {line}: {}", self.text),
            None => out.write_str(&self.text),
        }
    }
}

impl std::error::Error for MapError {}
