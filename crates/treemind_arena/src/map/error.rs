//! Why a text is not a scenario.

use std::fmt;
use treemind::doc::{Said, said};

/// Why a text is not a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError {
    line: Option<usize>,
    text: Said,
}

impl MapError {
    pub(super) fn at(line: usize, text: Said) -> Self {
        Self {
            line: Some(line),
            text,
        }
    }

    pub(super) fn whole(text: Said) -> Self {
        Self { line: None, text }
    }

    /// What is wrong, for whoever says it in another language: what is printed is its English.
    pub fn said(&self) -> Said {
        match self.line {
            Some(line) => said!("line {}: {}", line, &self.text),
            None => self.text.clone(),
        }
    }

    /// The line of the file, from 1, if the error is about one.
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(out)
    }
}

impl std::error::Error for MapError {}
