//! Times that expressions ask for, and durations: whole nanoseconds, rounded once.

use crate::expr::Expr;
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

/// Seconds as whole nanoseconds; `None` when negative, not finite or beyond `u64`.
pub(crate) fn nanos_of_secs(secs: f64) -> Option<u64> {
    let nanos = (secs * 1e9).round();
    // The bound is 2^64, which `f64` holds exactly; NaN fails the comparison.
    (secs >= 0.0 && nanos < 18_446_744_073_709_551_616.0).then_some(nanos as u64)
}
