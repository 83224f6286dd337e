//! The answers of conditions and actions, written by a host.

use crate::status::Status;

/// The answers to one call: a bit per agent and status. An agent without any bit has the answer of the
/// [others](Answers::set_others), which is running by default.
///
/// Bits of agents that were not in the call are ignored. If an agent has several bits, success counts first, then
/// failure.
pub struct Answers<'a> {
    pub(crate) first: usize,
    pub(crate) success: &'a mut [u64],
    pub(crate) failure: &'a mut [u64],
    pub(crate) skipped: &'a mut [u64],
    pub(crate) others: Status,
    /// Only success bits and an answer for the others were given.
    pub(crate) is_plain: bool,
}

impl Answers<'_> {
    /// Sets the answers of all agents at once: success where the bit is set, failure where it is not. This is the
    /// fast way for conditions that are already stored as bits.
    ///
    /// # Panics
    /// When the number of words differs from that of the call's lanes.
    #[inline]
    pub fn set_bools(&mut self, holds: &[u64]) {
        self.success.copy_from_slice(holds);
        self.others = Status::Failure;
        self.is_plain = true;
    }

    /// Sets the answer of every agent that has no bit.
    #[inline]
    pub fn set_others(&mut self, status: Status) {
        self.is_plain = false;
        self.others = status;
    }

    /// Sets the answer of one agent that has none yet. Running has no bit: an agent set to running has the answer of the
    /// [others](Self::set_others), which is running by default.
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

    /// The current answer of an agent.
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

    /// The bits of success, with a word for each word of the call's lanes.
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
