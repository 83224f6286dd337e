//! Where a host writes what conditions and actions answered.

use crate::status::Status;

/// The answers to one call: a bit per agent and status; an agent with no bit at all has what was said of the
/// [others](Answers::set_others), which is running until then.
///
/// Bits of agents that were not in the call are ignored. Of several bits for one agent success counts first,
/// then failure.
pub struct Answers<'a> {
    pub(crate) first: usize,
    pub(crate) success: &'a mut [u64],
    pub(crate) failure: &'a mut [u64],
    pub(crate) skipped: &'a mut [u64],
    pub(crate) others: Status,
    /// Nothing but success bits and others was given.
    pub(crate) is_plain: bool,
}

impl Answers<'_> {
    /// Says at once what all agents answered: success where the bit is set, failure where it is not. The quick way
    /// for conditions that are bits already.
    ///
    /// # Panics
    /// When there are not as many words as in the call's lanes.
    #[inline]
    pub fn set_bools(&mut self, holds: &[u64]) {
        self.success.copy_from_slice(holds);
        self.others = Status::Failure;
        self.is_plain = true;
    }

    /// Says what every agent answered that has no bit of its own.
    #[inline]
    pub fn set_others(&mut self, status: Status) {
        self.is_plain = false;
        self.others = status;
    }

    /// Sets the answer of one agent that has none yet. Running is only kept apart from the
    /// [others](Self::set_others) while those are running.
    ///
    /// # Panics
    /// When the agent is outside the words of this call.
    #[inline]
    pub fn set(&mut self, agent: usize, status: Status) {
        self.is_plain = false;
        let lane = agent - self.first;
        let (word, bit) = (lane / 64, 1u64 << (lane % 64));
        match status {
            Status::Success => self.success[word] |= bit,
            Status::Failure => self.failure[word] |= bit,
            Status::Skipped => self.skipped[word] |= bit,
            Status::Running => {}
        }
    }

    /// The answer of an agent as it stands.
    ///
    /// # Panics
    /// When the agent is outside the words of this call.
    #[inline]
    pub fn get(&self, agent: usize) -> Status {
        let lane = agent - self.first;
        let has = |words: &[u64]| words[lane / 64] >> (lane % 64) & 1 == 1;
        if has(self.success) {
            Status::Success
        } else if has(self.failure) {
            Status::Failure
        } else if has(self.skipped) {
            Status::Skipped
        } else {
            self.others
        }
    }

    /// The bits of success, a word per word of the call's lanes.
    pub fn success_mut(&mut self) -> &mut [u64] {
        self.success
    }

    /// The bits of failure.
    pub fn failure_mut(&mut self) -> &mut [u64] {
        self.is_plain = false;
        self.failure
    }

    /// The bits of skipped.
    pub fn skipped_mut(&mut self) -> &mut [u64] {
        self.is_plain = false;
        self.skipped
    }
}
