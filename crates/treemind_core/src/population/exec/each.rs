//! Loops over the items of lists.

use super::Exec;
use super::bits::{Bits, and, any, for_each, has_lane, or, set_lane, without, zero};
use crate::blackboard::{KeySlot, List};
use crate::fault::FaultKind;
use crate::program::op::{Each, Loop};
use crate::status::Status;
use crate::trace::Sink;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn each_begin(&mut self, again: &Loop, each: &Each) {
        let input = self.take(again.input);
        self.wake(again.end);
        let live = and(&self.live(again.child), &input);
        let between = self.slots[again.between as usize];
        let stale = self.stale(&between, &input, again.reach);
        self.slots[again.between as usize] = without(&without(&between, &stale), &input);
        let to_begin = without(&input, &live);
        let fresh = without(&to_begin, &between);
        let place = self.place_in_list(again);
        let places = self.call.run.narrow_mut(place);
        for_each(&fresh, |lane| places[lane] = 0);
        let begun = self.begin_items(again, each, &to_begin);
        let over = without(&to_begin, &begun);
        if any(&over) {
            // The list may have become shorter since the last tick. That ends the loop as usual.
            self.send(again.out_done, &without(&over, &fresh));
            let empty = and(&over, &fresh);
            match each.if_empty {
                Status::Success => self.send(again.out_done, &empty),
                Status::Failure => self.send(again.out_failure, &empty),
                Status::Skipped | Status::Running => self.skip(again.out_skipped, &empty),
            }
        }
        self.send(again.body, &or(&live, &begun));
        self.regs[again.scope.0 as usize] = self.regs[again.reach.scope.0 as usize];
    }

    /// Returns whether the body has to be swept again.
    pub(super) fn each_end(&mut self, again: &Loop, each: &Each) -> bool {
        let ended = or(&self.take(again.again), &self.take(again.skipped));
        let stopped = self.take(again.stop);
        self.take(again.scope);
        self.count_ends(again, &stopped);
        self.send(again.out_stop, &stopped);
        let spent = self.count_ends(again, &ended);
        let place = self.place_in_list(again);
        let places = self.call.run.narrow_mut(place);
        for_each(&ended, |lane| places[lane] += 1);
        let more = self.with_item(again, each, &ended);
        self.send(again.out_done, &without(&ended, &more));
        let mut back = without(&more, &spent);
        self.budget_faults(
            again,
            &FaultKind::LoopBudget(again.max_runs),
            &and(&more, &spent),
        );
        self.count_turns(again, &mut back);
        self.occupy(again.between, &without(&more, &back));
        let back = self.begin_items(again, each, &back);
        self.send(again.body, &back);
        any(&back)
    }

    fn place_in_list(&self, again: &Loop) -> u32 {
        again.count.expect("a loop over a list has a place in it")
    }

    /// The agents that have an item at their place.
    fn with_item(&mut self, again: &Loop, each: &Each, lanes: &Bits<W>) -> Bits<W> {
        self.sense_slot(again.node, each.list, lanes);
        let mut with_item = zero();
        let run = self.call.run.read();
        let places = run.narrow(self.place_in_list(again));
        for_each(lanes, |lane| {
            if (places[lane] as usize) < self.list_of(each.list, lane).len() {
                set_lane(&mut with_item, lane);
            }
        });
        with_item
    }

    /// The items of a list of an agent, or of the agents that share it.
    pub(super) fn list_of(&self, slot: KeySlot, lane: usize) -> List<'_> {
        match self.call.around.shared {
            Some(shared) if !slot.is_own() => {
                shared.list(slot, shared.lane(slot, self.call.around.first + lane))
            }
            _ => List {
                slot,
                cells: self.call.board.read(),
                lane,
            },
        }
    }

    /// Writes the items at their places to the agents that have one, and returns these agents.
    fn begin_items(&mut self, again: &Loop, each: &Each, lanes: &Bits<W>) -> Bits<W> {
        let begun = self.with_item(again, each, lanes);
        let place = self.place_in_list(again);
        for_each(&begun, |lane| {
            debug_assert!(has_lane(lanes, lane));
            let index = self.call.run.read().narrow(place)[lane];
            let item = self.list_of(each.list, lane).get(index as usize);
            let item = item.expect("there is an item at the place");
            each.var.set(&mut self.call.board, lane, item);
        });
        for (word, &mask) in begun.iter().enumerate() {
            self.note(each.var, word, mask);
        }
        self.note_items(again, &begun);
        begun
    }
}
