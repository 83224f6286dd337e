//! `received` and `wait-for-event`: looks into the mailbox.

use super::Exec;
use super::bits::{Bits, add, any, for_each, or, remove, set_lane, without, zero};
use crate::blackboard::EventPart;
use crate::ids::{KeyId, LeafId};
use crate::program::op::ReceivedOp;
use crate::status::Status;
use crate::trace::{Event, Sink};
use crate::value::Value;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn received(&mut self, op: &ReceivedOp) {
        let input = self.take(op.input);
        if let Some(slot) = op.slot {
            let was = self.slots[slot as usize];
            let stale = self.stale(&was, &input, op.reach);
            remove(&mut self.slots[slot as usize], &stale);
            remove(&mut self.slots[slot as usize], &input);
            self.stir(&or(&stale, &without(&input, &was)));
        }
        if !any(&input) {
            return;
        }
        let found = match self.mail.is_empty() {
            true => zero(),
            false => self.find_letters(op, &input),
        };
        let rest = without(&input, &found);
        self.record_all(op.node, Event::Tick(Status::Success), &found);
        self.send(op.success, &found);
        if let Some(slot) = op.slot {
            self.record_all(op.node, Event::Tick(Status::Running), &rest);
            self.occupy(slot, &rest);
        } else {
            self.record_all(op.node, Event::Tick(Status::Failure), &rest);
            self.send(op.failure, &rest);
        }
    }

    /// Computes a key that says something about the first letter of an event, for some agents of a word.
    pub(super) fn hear(
        &mut self,
        (key, event, part): (KeyId, LeafId, Option<EventPart>),
        word: usize,
        active: u64,
    ) {
        let (mail, slot) = (self.mail, self.call.around.program.board.keys[key.index()]);
        let mut rest = active;
        while rest != 0 {
            let lane = word * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let letter = mail.first_of(self.call.around.first + lane, event);
            let value = match part {
                None => Some(Value::Bool(letter.is_some())),
                Some(part) => letter.map(|letter| letter.part(part)),
            };
            match value.and_then(|value| value.widened(slot.ty)) {
                Some(value) => slot.set(&mut self.call.board, lane, value),
                None => slot.unset(&mut self.call.board, lane),
            }
        }
    }

    /// The agents with a letter that fits and that this node has not looked at in this tick. The keys that it binds
    /// are written.
    fn find_letters(&mut self, op: &ReceivedOp, lanes: &Bits<W>) -> Bits<W> {
        let mut found = zero();
        let mut rest = *lanes;
        let mut holders = self.mail.holders(self.call.around.first / 64);
        rest.iter_mut()
            .for_each(|word| *word &= holders.next().unwrap_or(0));
        self.stir(&rest);
        loop {
            let mut looking = zero();
            for_each(&rest, |lane| {
                if self.look_at_letter(op, lane) {
                    set_lane(&mut looking, lane);
                }
            });
            if !any(&looking) {
                break;
            }
            self.note_letters(op, Event::Offer, &looking);
            for_each(&looking, |lane| self.write_parts(op, &op.shown, lane));
            let fits = match op.test {
                Some(test) => self.ask_guard(op.node, test, &looking).0,
                None => looking,
            };
            self.note_letters(op, Event::Use, &fits);
            for_each(&fits, |lane| self.write_parts(op, &op.bound, lane));
            add(&mut found, &fits);
            rest = without(&looking, &fits);
        }
        if !op.bound.is_empty() {
            self.record_all(op.node, Event::Write, &found);
        }
        found
    }

    /// Records what becomes of the letters that it looks at.
    #[inline(always)]
    fn note_letters(&mut self, op: &ReceivedOp, event: impl Fn(LeafId) -> Event, lanes: &Bits<W>) {
        if self.wants_values() {
            for_each(lanes, |lane| {
                let letter = self.mail.found(self.counters.get(op.looked, lane));
                let event = event(letter.event);
                self.record(op.node, event, lane / 64, 1 << (lane % 64));
            });
        }
    }

    /// Continues to the next letter of one of its events in the mailbox of an agent. Returns whether there is one.
    fn look_at_letter(&mut self, op: &ReceivedOp, lane: usize) -> bool {
        let agent = self.call.around.first + lane;
        let mut number = self.counters.get(op.looked, lane);
        while let Some((next, letter)) = self.mail.next(agent, number) {
            number = next;
            if op.events.contains(&letter.event) {
                self.counters.set(op.looked, lane, number);
                return true;
            }
        }
        self.counters.set(op.looked, lane, number);
        false
    }

    /// Writes parts of the letter that it looks at to keys.
    fn write_parts(&mut self, op: &ReceivedOp, parts: &[(EventPart, KeyId)], lane: usize) {
        let mail = self.mail;
        let letter = mail.found(self.counters.get(op.looked, lane));
        for (part, key) in parts {
            let slot = self.call.around.program.board.keys[key.index()];
            if let Some(value) = letter.part(*part).widened(slot.ty) {
                self.store_value(slot, lane, value);
                self.note_set_of((op.node, *key), lane, value);
            }
        }
    }
}
