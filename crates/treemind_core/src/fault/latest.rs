//! All faults of the last tick: for whoever explains or exports it.

use super::{Fault, Faults};

/// The faults of the last tick, however many, if that tick was traced.
#[derive(Clone, Debug, Default)]
pub(super) struct Latest {
    faults: Vec<Fault>,
    /// How many of them are from the tick or before it; the others came after it.
    ended: usize,
    /// Whether the last tick was traced.
    is_kept: bool,
}

impl Latest {
    pub(super) fn add(&mut self, fault: &Fault) {
        if self.is_kept {
            self.faults.push(fault.clone());
        }
    }

    pub(super) fn append(&mut self, other: &mut Self) {
        self.faults.append(&mut other.faults);
    }
}

impl Faults {
    /// Whether all faults are kept until the next tick.
    pub(crate) fn keeps_all(&self) -> bool {
        self.latest.is_kept
    }

    /// Before a tick: forgets the one before. What came after that one belongs to the tick that begins.
    #[inline]
    pub(crate) fn begin_tick(&mut self) {
        let ended = std::mem::take(&mut self.latest.ended);
        if ended > 0 {
            self.latest.faults.drain(..ended);
        }
    }

    /// Keeps all faults of the tick that has begun, or none.
    #[inline]
    pub(crate) fn keep_all(&mut self, is_kept: bool) {
        self.latest.is_kept = is_kept;
        if !is_kept {
            self.latest.faults.clear();
        }
    }

    /// After a tick, when its writes and events have taken effect.
    #[inline]
    pub(crate) fn end_tick(&mut self) {
        self.latest.ended = self.latest.faults.len();
    }

    /// Forgets the last tick: the program is another one.
    pub(super) fn forget_latest(&mut self) {
        self.latest = Latest::default();
    }

    pub(crate) fn latest(&self) -> &[Fault] {
        &self.latest.faults
    }
}
