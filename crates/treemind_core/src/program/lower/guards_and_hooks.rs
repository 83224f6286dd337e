//! The code of the guards and hooks of any node: guards before it, statements after it.

use super::enclosing::answers_out;
use super::{Context, Lowering};
use crate::expr::Assign;
use crate::ids::NodeId;
use crate::program::op::{After, Guard, Hook, Op, Out, Range, Reg, SetRange, SetStep};
use crate::status::Status;

impl Lowering<'_> {
    pub(super) fn carrying_node(
        &mut self,
        id: NodeId,
        input: Reg,
        out: Out,
        context: Context,
    ) -> Range {
        let behaviour = self.behaviour;
        let (guards, hooks) = (&behaviour.node(id).guards, &behaviour.node(id).hooks);
        let start = self.next_slot();
        let has_after = [&hooks.on_success, &hooks.on_failure, &hooks.on_end]
            .into_iter()
            .any(|assigns| !assigns.is_empty());
        let answers = if has_after {
            Out {
                success: self.register(),
                failure: self.register(),
                skipped: out.skipped,
            }
        } else {
            out
        };
        let mut body = input;
        let mut inner = context;
        let guard = self.code.guards.len();
        let has_guard = !guards.is_empty() || hooks.on_fault.is_some();
        if has_guard {
            body = self.register();
            inner.observed = true;
            let test = |lowering: &mut Self, guard: &Option<_>, status| {
                guard
                    .as_ref()
                    .map(|guard| (lowering.expr(id, guard), status))
            };
            let before = [
                test(self, &guards.fail_if, Status::Failure),
                test(self, &guards.succeed_if, Status::Success),
                test(self, &guards.skip_if, Status::Skipped),
            ];
            let while_holds = guards
                .while_holds
                .as_ref()
                .map(|guard| self.expr(id, guard));
            let last = self.code_of_when.get(&id).copied();
            let codes = (
                self.locals.len() as u32,
                u32::from(hooks.on_fault.is_some()),
            );
            self.locals.extend(hooks.on_fault);
            self.code.guards.push(Guard {
                node: id,
                codes,
                input,
                body,
                before,
                while_holds,
                while_else: guards.while_else,
                passed: last.map_or(Reg::NONE, |(passed, _)| passed),
                held_last: last.map(|(_, column)| column),
                inside: Range::default(),
                out: answers,
            });
            self.code.ops.push(Op::Guard(guard as u32));
        }
        if hooks.on_abort.is_empty() {
            self.bare_node(id, body, answers, inner);
        } else {
            let statements = self.set_range(id, &hooks.on_abort);
            let watch = self.watch_begin(id, body, answers, Hook::Statements(statements), inner);
            let watched = Context {
                observed: true,
                drop: false,
                ..inner
            };
            let range = self.bare_node(id, watch.inner, answers_out(watch.answers), watched);
            self.watch_end(watch, range);
        }
        let range = self.range_from(start);
        if has_guard {
            self.code.guards[guard].inside = range;
        }
        if has_after {
            let after = After {
                node: id,
                success: answers.success,
                failure: answers.failure,
                on_success: self.set_range(id, &hooks.on_success),
                on_failure: self.set_range(id, &hooks.on_failure),
                on_end: self.set_range(id, &hooks.on_end),
                out,
            };
            self.code.afters.push(after);
            self.code
                .ops
                .push(Op::After(self.code.afters.len() as u32 - 1));
        }
        range
    }

    /// Adds assignments to their table.
    pub(super) fn set_range(&mut self, node: NodeId, assigns: &[Assign]) -> SetRange {
        let start = self.sets.len() as u32;
        for assign in assigns {
            let expr = self.expr(node, &assign.value);
            self.sets.push(SetStep {
                key: assign.key,
                expr: Some(expr),
                change: assign.change,
                forgets: false,
            });
        }
        (start, assigns.len() as u32)
    }
}
