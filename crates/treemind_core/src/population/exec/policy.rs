//! A network whose outputs are written to keys.

use super::Exec;
use super::bits::{without, zero};
use crate::fault::FaultKind;
use crate::program::op::PolicyOp;
use crate::status::Status;
use crate::trace::{Event, Sink};
use crate::value::{Type, Value};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn policy(&mut self, op: &PolicyOp) {
        let input = self.take(op.input);
        let mut success = zero();
        for word in 0..W {
            let mut good = input[word];
            for (nth, expr) in op.inputs.iter().enumerate() {
                if good == 0 {
                    break;
                }
                good &= !self.evaluate(op.node, *expr, word, good);
                self.stacks.keep_input(nth);
            }
            if good == 0 {
                continue;
            }
            let finite = self.stacks.networks.run(&op.network, good);
            if finite != good {
                self.fault(op.node, &FaultKind::BadScore, word, good & !finite);
            }
            self.write_outputs(op, word, finite);
            success[word] = finite;
        }
        let failure = without(&input, &success);
        self.record_all(op.node, Event::Write, &success);
        self.record_all(op.node, Event::Tick(Status::Success), &success);
        self.record_all(op.node, Event::Tick(Status::Failure), &failure);
        self.send(op.success, &success);
        self.send(op.failure, &failure);
    }

    fn write_outputs(&mut self, op: &PolicyOp, word: usize, lanes: u64) {
        for (output, key) in &op.outputs {
            let slot = self.call.around.program.board.keys[key.index()];
            let mut rest = lanes;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let found = self.stacks.networks.output(*output, bit);
                let value = match slot.ty {
                    Type::Float => Value::Float(found),
                    _ => Value::Double(f64::from(found)),
                };
                let lane = word * 64 + bit;
                self.store_value(slot, lane, value);
                self.note_set_of((op.node, *key), lane, value);
            }
        }
    }
}
