//! The agents to which anything happens in a sweep: all others may rest.

use super::Exec;
use super::bits::{Bits, add, and};
use crate::blackboard::WIDE;
use crate::program::op::Reg;
use crate::program::resting::Stir;
use crate::trace::Sink;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Called before an instruction that does not itself report to which agents something happens: it then counts for
    /// all agents that the instruction reaches.
    #[inline(never)]
    pub(super) fn stir_by(&mut self, place: u32) {
        let Some(resting) = &self.call.around.program.resting else {
            return;
        };
        for stir in &resting.stirs[place as usize] {
            let reached = match *stir {
                Stir::Reg(reg) => self.regs[reg as usize],
                Stir::Slot(slot) => and(
                    &self.slots[slot as usize],
                    &self.regs[Reg::TICKED.0 as usize],
                ),
            };
            add(&mut self.stirred, &reached);
        }
    }

    /// Notes that something happens to agents.
    #[inline(always)]
    pub(super) fn stir(&mut self, set: &Bits<W>) {
        if W >= WIDE && self.tracks {
            add(&mut self.stirred, set);
        }
    }

    /// Notes that something happens to the agents whose slot has changed.
    #[inline(always)]
    pub(super) fn stir_changes(&mut self, slot: u32, was: &Bits<W>) {
        if W >= WIDE && self.tracks {
            let now = &self.slots[slot as usize];
            for word in 0..W {
                self.stirred[word] |= now[word] ^ was[word];
            }
        }
    }
}
