//! The agent that the token stands for, and its bits.

use crate::population::exec::Exec;
use crate::population::exec::bits::{Bits, zero};
use crate::trace::Sink;

/// The agent that the token stands for.
#[derive(Clone, Copy)]
pub(in crate::population) struct Lane {
    pub(super) word: usize,
    pub(super) bit: u64,
}

impl Lane {
    /// The agent whose bit is set in that word.
    pub(in crate::population) fn new(word: usize, bit: u64) -> Self {
        Self { word, bit }
    }

    /// The number of the agent in its chunk.
    #[inline(always)]
    pub(in crate::population::exec) fn number(self) -> usize {
        self.word * 64 + self.bit.trailing_zeros() as usize
    }

    #[inline(always)]
    pub(in crate::population::exec) fn set<const W: usize>(self) -> Bits<W> {
        let mut set = zero();
        set[self.word::<W>()] = self.bit;
        set
    }

    /// The word, known to the compiler where there is only one.
    #[inline(always)]
    pub(in crate::population::exec) fn word<const W: usize>(self) -> usize {
        if W == 1 { 0 } else { self.word }
    }

    #[inline(always)]
    pub(in crate::population::exec) fn is_in<const W: usize>(self, set: &Bits<W>) -> bool {
        set[self.word::<W>()] & self.bit != 0
    }
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Whether the agent has its bit set in a column.
    #[inline(always)]
    pub(in crate::population::exec) fn has_bit(&self, column: u32, lane: Lane) -> bool {
        self.call.run.word(column as usize * W + lane.word::<W>()) & lane.bit != 0
    }

    /// Sets the agent's bit in a column.
    #[inline(always)]
    pub(in crate::population::exec) fn set_bit(&mut self, column: u32, lane: Lane) {
        *self
            .call
            .run
            .word_mut(column as usize * W + lane.word::<W>()) |= lane.bit;
    }

    /// Clears the agent's bit in a column.
    #[inline(always)]
    pub(in crate::population::exec) fn clear_bit(&mut self, column: u32, lane: Lane) {
        *self
            .call
            .run
            .word_mut(column as usize * W + lane.word::<W>()) &= !lane.bit;
    }
}
