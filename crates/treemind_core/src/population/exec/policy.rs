//! A network whose outputs are written to keys.

use super::Exec;
use super::bits::{lanes_of, without, zero};
use crate::blackboard::Column;
use crate::fault::FaultKind;
use crate::ids::KeyId;
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
                self.fault(op.node, &FaultKind::BadOutput, word, good & !finite);
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
            match (slot.own_column(), slot.ty) {
                (Some(Column::Narrow(column)), Type::Float) if !self.wants_values() => {
                    let found: &[u32] = bytemuck::cast_slice(self.stacks.networks.outputs(*output));
                    let held = &mut self.call.board.narrow_mut(column)[word * 64..];
                    copy_lanes(found, held, lanes);
                    slot.mark_set(&mut self.call.board, word, lanes);
                    self.note(slot, word, lanes);
                }
                _ => self.write_output(op, (*output, *key), word, lanes),
            }
        }
    }

    /// Writes an output agent by agent.
    fn write_output(
        &mut self,
        op: &PolicyOp,
        (output, key): (usize, KeyId),
        word: usize,
        lanes: u64,
    ) {
        let slot = self.call.around.program.board.keys[key.index()];
        for lane in lanes_of(word, lanes) {
            let found = self.stacks.networks.output(output, lane % 64);
            let value = match slot.ty {
                Type::Float => Value::Float(found),
                _ => Value::Double(f64::from(found)),
            };
            self.store_value(slot, lane, value);
            self.note_set_of((op.node, key), lane, value);
        }
    }
}

/// Copies the values of some lanes.
fn copy_lanes(from: &[u32], to: &mut [u32], lanes: u64) {
    if lanes == u64::MAX {
        to[..64].copy_from_slice(&from[..64]);
        return;
    }
    for lane in lanes_of(0, lanes) {
        to[lane] = from[lane];
    }
}
