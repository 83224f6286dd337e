//! What a literal is taken for.

use super::super::dialect;

/// What a literal looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Guess {
    Bool,
    Int,
    Double,
    Text,
}

impl Guess {
    pub(in super::super) fn of(text: &str) -> Guess {
        match text {
            "true" | "false" => Guess::Bool,
            _ if text.parse::<i64>().is_ok() && !text.starts_with('+') => Guess::Int,
            _ if dialect::double(text).is_some() => Guess::Double,
            _ => Guess::Text,
        }
    }

    /// Whether a key holds such a literal as a text: only numbers have a type of their own there.
    pub(in super::super) fn is_text(self) -> bool {
        matches!(self, Guess::Bool | Guess::Text)
    }

    pub(super) fn join(self, other: Guess) -> Guess {
        match (self, other) {
            (one, other) if one == other => one,
            (Guess::Int | Guess::Double, Guess::Int | Guess::Double) => Guess::Double,
            _ => Guess::Text,
        }
    }
}
