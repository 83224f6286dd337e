//! Guards before nodes and statements after them.

use super::Exec;
use super::bits::{Bits, and, any, or, remove, without, zero};
use crate::ids::NodeId;
use crate::program::op::{After, Guard, Out, SetRange};
use crate::status::Status;
use crate::trace::{Event, Sink};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn guard(&mut self, guard: &Guard) {
        let mut rest = self.take(guard.input);
        if !any(&rest) {
            return;
        }
        let live = and(&self.live(guard.inside), &rest);
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
