//! The answers of tasks, and how their runs end.

use std::fmt;

/// The answer of a task to one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The task ended well.
    Success,
    /// The task ended badly.
    Failure,
    /// The task continues in the next tick.
    Running,
    /// "Treat me as if I were not here": composites pass the task over.
    Skipped,
}

impl Status {
    /// The name in upper case, as traces print it.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Success => "SUCCESS",
            Status::Failure => "FAILURE",
            Status::Running => "RUNNING",
            Status::Skipped => "SKIPPED",
        }
    }

    /// The status with success and failure swapped, if `negated`.
    #[inline]
    pub(crate) fn negated_if(self, negated: bool) -> Self {
        const NEGATED: [Status; 4] = [
            Status::Failure,
            Status::Success,
            Status::Running,
            Status::Skipped,
        ];
        if negated {
            NEGATED[self as usize]
        } else {
            self
        }
    }

    /// Whether the task ended with this answer (success or failure).
    pub fn is_end(self) -> bool {
        matches!(self, Status::Success | Status::Failure)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

impl From<bool> for Status {
    /// `true` is success, `false` is failure.
    fn from(holds: bool) -> Self {
        if holds {
            Status::Success
        } else {
            Status::Failure
        }
    }
}

/// How one run of a task ended. Every start of a task has exactly one stop with one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The task answered success.
    Success,
    /// The task answered failure.
    Failure,
    /// The run was aborted: by a parent, by a reset, or because the agent was removed.
    Aborted,
}

impl Outcome {
    /// The name in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Success => "success",
            Outcome::Failure => "failure",
            Outcome::Aborted => "aborted",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}
