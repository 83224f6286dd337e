//! Aborts of running nodes.

use super::Exec;
use super::bits::{Bits, and, any, remove};
use crate::program::op::{Range, Slot};
use crate::status::Outcome;
use crate::trace::{Event, Sink};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Aborts everything that runs in a range of slots. Draws and counts in the meantime start from zero.
    pub(in crate::population) fn abort_between_ticks(&mut self, range: Range, set: &Bits<W>) {
        self.abort(range, set);
        self.counters.reset();
        self.release();
        self.clear_marks(0, u32::MAX);
    }

    /// Reopens for good what nodes have put aside. Returns whether there was anything.
    pub(in crate::population) fn take_all_back(&mut self, lanes: &Bits<W>) -> bool {
        let mut any_taken = false;
        for left in 0..self.code.left_open.len() {
            any_taken |= self.take_back(left, lanes);
        }
        for left in 0..self.code.left_open.len() {
            self.let_go(left, lanes);
        }
        any_taken
    }

    /// Has an abort that follows abort what is open for good.
    pub(super) fn let_go(&mut self, left: usize, lanes: &Bits<W>) {
        if let Some(keeper) = self.code.left_open[left].keeper {
            remove(&mut self.slots[keeper as usize], lanes);
        }
    }

    /// Aborts everything that runs in a range of slots, in the order of the slots.
    pub(super) fn abort(&mut self, range: Range, set: &Bits<W>) {
        if range.is_empty() || !any(set) {
            return;
        }
        for index in range.start..range.end {
            let slot = &mut self.slots[index as usize];
            let running = and(slot, set);
            if any(&running) {
                remove(slot, &running);
                self.stir(&running);
                self.run_is_cut_off(index, &running);
            }
        }
    }

    /// Aborts what a slot stands for, after the slot was cleared early: an action, a hook or a machine.
    #[inline]
    pub(super) fn run_is_cut_off(&mut self, slot: u32, set: &Bits<W>) {
        match self.call.around.program.slots[slot as usize] {
            Slot::Action { node, leaf, args } => {
                self.record_all(node, Event::Abort, set);
                self.stop((node, leaf, args), set, Outcome::Aborted);
            }
            Slot::Hook(watch) => {
                let watch = self.code.watches[watch as usize];
                self.run_hook(&watch, set);
            }
            Slot::Machine(machine) => {
                let code = self.code;
                self.machine_is_cut_off(&code.machines[machine as usize], set);
            }
            Slot::Keeper(left) => self.put_aside(left, set),
            Slot::Alive | Slot::Quiet => {}
        }
    }
}
