//! What `find` does for the agents of a word at once: their candidates, measures and scores go from columns to columns.

use super::Exec;
use super::bits::{Bits, lanes_of};
use crate::blackboard::{KeySlot, SlotForm, copy};
use crate::ids::KeyId;
use crate::program::op::FindOp;
use crate::trace::Sink;

/// The number that all lanes of a mask have, if it is the same.
#[inline]
pub(super) fn same_in(word: usize, mask: u64, number: impl Fn(usize) -> u32) -> Option<u32> {
    let mut lanes = lanes_of(word, mask);
    let first = number(lanes.next()?);
    lanes.all(|lane| number(lane) == first).then_some(first)
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Copies the items of a list, as candidates.
    pub(super) fn keep_items(&mut self, op: &FindOp, slot: KeySlot, fresh: &Bits<W>) {
        let is_plain = slot.is_own() || self.call.around.shared.is_none();
        for (word, &mask) in fresh.iter().enumerate().filter(|(_, mask)| **mask != 0) {
            if let (true, SlotForm::List { length, .. }) = (is_plain, slot.form) {
                self.keep_own_items(op, (slot, length), (word, mask));
            } else {
                lanes_of(word, mask).for_each(|lane| self.keep_items_of(op, slot, lane));
            }
        }
    }

    fn keep_own_items(
        &mut self,
        op: &FindOp,
        (slot, length): (KeySlot, u32),
        (word, mask): (usize, u64),
    ) {
        let (board, run) = (self.call.board.read(), &mut self.call.run);
        let lengths = board.narrow(length);
        let mut longest = 0;
        let counts = run.narrow_mut(op.memory.count);
        for lane in lanes_of(word, mask) {
            counts[lane] = lengths[lane].min(op.max);
            longest = longest.max(counts[lane]);
        }
        // What lies behind the end of a shorter list is copied, too, and never read.
        for place in 0..longest {
            let column = op.memory.items.item(place);
            run.copy_word(column, (board, slot.column.item(place)), (word, mask));
            if let Some(scores) = op.memory.scores {
                let scores = run.wide_mut(scores + place);
                lanes_of(word, mask).for_each(|lane| scores[lane] = 0);
            }
        }
    }

    fn keep_items_of(&mut self, op: &FindOp, slot: KeySlot, lane: usize) {
        let count = self.list_of(slot, lane).len().min(op.max as usize);
        for place in 0..count {
            if let Some(item) = self.list_of(slot, lane).get(place) {
                let column = op.memory.items.item(place as u32);
                self.call.run.set(column, lane, item);
                if let Some(scores) = op.memory.scores {
                    self.call.run.wide_mut(scores + place as u32)[lane] = 0;
                }
            }
        }
        self.call.run.narrow_mut(op.memory.count)[lane] = count as u32;
    }

    /// Writes a candidate and its measures to the keys that expressions read.
    pub(super) fn lay_out(
        &mut self,
        op: &FindOp,
        item: usize,
        (word, active): (usize, u64),
        asked: &[bool],
    ) {
        let board = &self.call.around.program.board;
        let slot_of = |key: KeyId| board.keys[key.index()];
        let slot = slot_of(op.item);
        let places = self.call.run.read().narrow(op.memory.place);
        if let Some(place) = same_in(word, active, |lane| places[lane]) {
            let column = op.memory.items.item(place + item as u32);
            let from = (self.call.run.read(), column);
            self.call.board.copy_word(slot.column, from, (word, active));
            slot.mark_set(&mut self.call.board, word, active);
        } else {
            for lane in lanes_of(word, active) {
                let value = self.next_candidate(op, lane, item);
                slot.set(&mut self.call.board, lane, value);
            }
        }
        let each = op.per_tick as usize * self.finds.lanes;
        for (number, measure) in op.measures.iter().enumerate() {
            if !asked[number] {
                continue;
            }
            let slot = slot_of(measure.key);
            let base = number * each + item * self.finds.lanes;
            let measured = bytemuck::cast_slice(&self.finds.measured[base..][..self.finds.lanes]);
            let column = slot.column.narrow().expect("a measure is a float");
            let key = self.call.board.narrow_mut(column);
            copy(key, measured, (word, active));
            slot.mark_set(&mut self.call.board, word, active);
        }
    }

    /// Notes the scores of a candidate of the agents for which it is good, and for which of them it is the best so far.
    pub(super) fn note_scores(&mut self, op: &FindOp, item: usize, (word, good): (usize, u64)) {
        if good == 0 {
            return;
        }
        let memory = op.memory;
        if self.wants_values() {
            for lane in lanes_of(word, good) {
                let at = item * self.finds.lanes + lane;
                self.finds.scores[at] = self.stacks.score(0)[lane % 64] as f32;
            }
        }
        if let Some(all) = memory.scores {
            for lane in lanes_of(word, good) {
                let place = self.call.run.read().narrow(memory.place)[lane] + item as u32;
                let score = self.stacks.score(0)[lane % 64];
                self.call.run.wide_mut(all + place)[lane] = score.to_bits();
            }
        }
        let first = word * 64;
        let scores = &*self.stacks.score(0);
        let run = &mut self.call.run;
        let (mut lanes, mut better) = (0, 0);
        let best = run.read().wide(memory.best_score)[first..].iter();
        let kept = run.read().narrow(memory.kept)[first..].iter();
        for (lane, ((score, best), kept)) in scores.iter().zip(best).zip(kept).enumerate() {
            let is_better = (*kept == 0) | (*score > f64::from_bits(*best));
            better |= u64::from(is_better) << lane;
            lanes += 1;
        }
        better &= good;
        let kept = &mut run.narrow_mut(memory.kept)[first..][..lanes];
        for (lane, kept) in kept.iter_mut().enumerate() {
            *kept += (good >> lane & 1) as u32;
        }
        if better == 0 {
            return;
        }
        let best = &mut run.wide_mut(memory.best_score)[first..][..lanes];
        copy(best, bytemuck::cast_slice(&scores[..lanes]), (0, better));
        for lane in lanes_of(word, better) {
            let place = run.read().narrow(memory.place)[lane] + item as u32;
            run.narrow_mut(memory.best)[lane] = place;
        }
    }
}
