//! Times that expressions ask for.

use super::Expr;
use crate::ids::KeyId;

/// A time that an expression asks for, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Time {
    /// `now()`
    Now,
    /// `age(key)`
    Age(KeyId),
    /// `since_written(key)`
    SinceWritten(KeyId),
}

impl Time {
    /// The time that an expression is, if it is one.
    pub fn of(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Now => Some(Self::Now),
            Expr::Age(key) => Some(Self::Age(*key)),
            Expr::SinceWritten(key) => Some(Self::SinceWritten(*key)),
            _ => None,
        }
    }

    /// The expression that asks for it.
    pub fn expr(self) -> Expr {
        match self {
            Self::Now => Expr::Now,
            Self::Age(key) => Expr::Age(key),
            Self::SinceWritten(key) => Expr::SinceWritten(key),
        }
    }

    /// The times in an expression, each once, from left to right.
    pub fn all_in(expr: &Expr) -> Vec<Self> {
        let mut found = Vec::new();
        Self::collect(expr, &mut found);
        found
    }

    /// Adds the times in an expression that are not there yet.
    pub(crate) fn collect(expr: &Expr, found: &mut Vec<Self>) {
        let time = Self::of(expr).filter(|time| !found.contains(time));
        found.extend(time);
        expr.parts().for_each(|part| Self::collect(part, found));
    }
}
