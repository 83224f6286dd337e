//! Guards before nodes and statements after them.

use super::Exec;
use super::bits::{Bits, and, any, for_each, or, remove, set_lane, without, zero};
use crate::fault::FaultKind;
use crate::ids::NodeId;
use crate::program::op::{After, Guard, Out, SetRange};
use crate::status::Status;
use crate::text::Text;
use crate::trace::{Event, Sink};
use crate::value::Value;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn guard(&mut self, guard: &Guard) {
        let mut rest = self.take(guard.input);
        if !any(&rest) {
            return;
        }
        let live = and(&self.live(guard.inside), &rest);
        if guard.codes.1 > 0 {
            self.forget_codes(guard.codes, &without(&rest, &live));
        }
        let before = (0..).zip(guard.before);
        for (number, (expr, status)) in before.filter_map(|(number, test)| Some((number, test?))) {
            let mut fresh = without(&rest, &live);
            if let (0, Some(held_last)) = (number, guard.held_last) {
                let passed = self.take(guard.passed);
                remove(&mut fresh, &passed);
                let (holds, bad) = self.ask_guard(guard.node, expr, &fresh);
                let column = self.column_mut(held_last);
                *column = or(&without(column, &fresh), &or(&holds, &bad));
                self.answer_guard(guard.node, Status::Failure, &guard.out, &or(&holds, &bad));
                remove(&mut rest, &or(&holds, &bad));
                continue;
            }
            let (holds, bad) = self.ask_guard(guard.node, expr, &fresh);
            self.answer_guard(guard.node, Status::Failure, &guard.out, &bad);
            self.answer_guard(guard.node, status, &guard.out, &holds);
            remove(&mut rest, &or(&holds, &bad));
        }
        if let Some(expr) = guard.while_holds {
            let (holds, bad) = self.ask_guard(guard.node, expr, &rest);
            let ended = without(&rest, &holds);
            self.abort(guard.inside, &and(&ended, &live));
            let answer = match guard.while_else {
                Status::Running => Status::Skipped,
                other => other,
            };
            self.answer_guard(guard.node, Status::Failure, &guard.out, &bad);
            self.answer_guard(guard.node, answer, &guard.out, &without(&ended, &bad));
            rest = holds;
        }
        self.send(guard.body, &rest);
    }

    /// Resets the key for codes of faults where it holds one, before a node starts.
    #[cold]
    fn forget_codes(&mut self, codes: (u32, u32), fresh: &Bits<W>) {
        let program = self.call.around.program;
        let key = program.locals[codes.0 as usize];
        let (slot, declared) = (program.board.keys[key.index()], program.behaviour.key(key));
        let mut stale = zero();
        for_each(fresh, |lane| {
            if slot.get(self.call.board.read(), lane) != declared.start() {
                set_lane(&mut stale, lane);
            }
        });
        self.reset(codes, &stale);
        self.stir(&stale);
    }

    /// Writes the code of a fault to the key of the nearest node that has one for it.
    pub(super) fn tell_code(&mut self, node: NodeId, kind: &FaultKind, word: usize, mask: u64) {
        let Some(key) = self.call.around.program.fault_key(node) else {
            return;
        };
        let (code, mut rest) = (Value::Text(Text::new(kind.code())), mask);
        while rest != 0 {
            let lane = word * 64 + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let slot = self.call.around.program.board.keys[key.index()];
            self.store_value(slot, lane, code);
            self.note_set_of((node, key), lane, code);
        }
    }

    /// The agents for which an expression holds, and those for which it failed.
    pub(super) fn ask_guard(
        &mut self,
        node: NodeId,
        expr: u32,
        lanes: &Bits<W>,
    ) -> (Bits<W>, Bits<W>) {
        if let (false, Some(short)) = (
            self.wants_values(),
            self.call.around.program.short_test(expr),
        ) {
            return (short.holds(self.call.board.read(), lanes), zero());
        }
        let (mut holds, mut bad) = (zero(), zero());
        for word in 0..W {
            if lanes[word] != 0 {
                bad[word] = self.evaluate(node, expr, word, lanes[word]);
                holds[word] = self.stacks.mask() & lanes[word] & !bad[word];
            }
        }
        (holds, bad)
    }

    fn answer_guard(&mut self, node: NodeId, status: Status, out: &Out, lanes: &Bits<W>) {
        self.record_all(node, Event::Guard(status), lanes);
        match status {
            Status::Success => self.send(out.success, lanes),
            Status::Failure => self.send(out.failure, lanes),
            Status::Skipped | Status::Running => self.skip(out.skipped, lanes),
        }
    }

    pub(super) fn after(&mut self, after: &After) {
        let success = self.take(after.success);
        let failure = self.take(after.failure);
        self.statements(after.node, after.on_success, &success);
        self.statements(after.node, after.on_failure, &failure);
        self.statements(after.node, after.on_end, &or(&success, &failure));
        self.send(after.out.success, &success);
        self.send(after.out.failure, &failure);
    }

    /// Carries out statements. An agent that reaches the end has written.
    pub(super) fn statements(&mut self, node: NodeId, range: SetRange, lanes: &Bits<W>) {
        if range.1 > 0 && any(lanes) {
            let failed = self.assign(node, range, lanes);
            self.record_all(node, Event::Write, &without(lanes, &failed));
        }
    }
}
