//! The two answers by which mirrored pairs of nodes differ.

use crate::program::op::{Out, Reg, SkipTo};

/// Which of the two answers a list or a loop is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Success,
    Failure,
}

impl Out {
    pub(super) fn side(self, side: Side) -> Reg {
        match side {
            Side::Success => self.success,
            Side::Failure => self.failure,
        }
    }

    pub(super) fn of(side: Side, on_side: Reg, on_other: Reg, skipped: SkipTo) -> Self {
        let (success, failure) = match side {
            Side::Success => (on_side, on_other),
            Side::Failure => (on_other, on_side),
        };
        Self {
            success,
            failure,
            skipped,
        }
    }
}

impl Side {
    pub(super) fn other(self) -> Self {
        match self {
            Side::Success => Side::Failure,
            Side::Failure => Side::Success,
        }
    }
}
