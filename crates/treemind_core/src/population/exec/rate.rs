//! A score that is written to a key.

use super::Exec;
use super::bits::{without, zero};
use crate::fault::FaultKind;
use crate::program::op::RateOp;
use crate::status::Status;
use crate::trace::{Event, Sink};
use crate::value::{Type, Value};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn rate(&mut self, op: &RateOp) {
        let input = self.take(op.input);
        let slot = self.call.around.program.board.keys[op.key.index()];
        let mut failure = zero();
        for word in 0..W {
            let active = input[word];
            if active == 0 {
                continue;
            }
            let bad = self.evaluate_unnoted(op.node, op.score, word, active);
            let (infinite, _) = self.stacks.keep_score(0, active & !bad);
            if infinite != 0 {
                self.fault(op.node, &FaultKind::BadRating, word, infinite);
            }
            failure[word] = bad | infinite;
            let mut rest = active & !failure[word];
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let score = self.stacks.score(0)[bit];
                let event = Event::Score((score as f32).to_bits());
                self.record(op.node, event, word, 1 << bit);
                let value = match slot.ty {
                    Type::Float => Value::Float(score as f32),
                    _ => Value::Double(score),
                };
                let lane = word * 64 + bit;
                self.store_value(slot, lane, value);
                self.note_set_of((op.node, op.key), lane, value);
            }
        }
        let success = without(&input, &failure);
        self.record_all(op.node, Event::Write, &success);
        self.record_all(op.node, Event::Tick(Status::Success), &success);
        self.record_all(op.node, Event::Tick(Status::Failure), &failure);
        self.send(op.success, &success);
        self.send(op.failure, &failure);
    }
}
