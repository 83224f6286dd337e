//! What any node may carry: guards before it, statements after it.

use super::{Leaves, Reference};
use treemind_core::behaviour::Guards;
use treemind_core::expr::Assign;
use treemind_core::{Event, NodeId, Status, Value};

impl Reference<'_> {
    /// What a guard answers in the node's place, if one does.
    pub(super) fn guard(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Option<Status> {
        let answer = self.ask_guards(node)?;
        // Before a node that is not live this does nothing.
        self.abort_node(node, leaves);
        self.report(node, Event::Guard(answer));
        Some(answer)
    }

    fn ask_guards(&mut self, node: NodeId) -> Option<Status> {
        let behaviour = self.behaviour;
        let Guards {
            fail_if,
            succeed_if,
            skip_if,
            while_holds,
            while_else,
        } = &behaviour.node(node).guards;
        let first = [
            (fail_if, Status::Failure),
            (succeed_if, Status::Success),
            (skip_if, Status::Skipped),
        ];
        let is_live = self.is_live(node);
        for (test, answer) in first {
            if let Some(test) = test
                && !is_live
            {
                match self.eval_at(node, test) {
                    None => return Some(Status::Failure),
                    Some(Value::Bool(true)) => return Some(answer),
                    Some(_) => {}
                }
            }
        }
        match self.eval_at(node, while_holds.as_ref()?) {
            None => Some(Status::Failure),
            Some(Value::Bool(true)) => None,
            Some(_) if *while_else == Status::Running => Some(Status::Skipped),
            Some(_) => Some(*while_else),
        }
    }

    /// The statements after an answer, the node's or a guard's.
    pub(super) fn after_answer(&mut self, node: NodeId, answer: Status) {
        let hooks = &self.behaviour.node(node).hooks;
        match answer {
            Status::Success => self.run_statements(node, &hooks.on_success),
            Status::Failure => self.run_statements(node, &hooks.on_failure),
            Status::Running | Status::Skipped => return,
        }
        self.run_statements(node, &hooks.on_end);
    }

    /// One list of statements; where there is none, nothing is written.
    pub(super) fn run_statements(&mut self, node: NodeId, statements: &[Assign]) {
        if !statements.is_empty() {
            self.assign(node, statements);
        }
    }
}
