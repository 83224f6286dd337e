//! What any node may have: guards before it, statements after it.

use super::{Cell, Leaves, Reference};
use treemind_core::behaviour::Guards;
use treemind_core::expr::Assign;
use treemind_core::{Event, NodeId, Status, Value};

impl Reference<'_> {
    /// The answer of a guard in the node's place, if there is one.
    pub(super) fn guard(
        &mut self,
        node: NodeId,
        when_holds: bool,
        leaves: &mut dyn Leaves,
    ) -> Option<Status> {
        let answer = self.ask_guards(node, when_holds)?;
        // In a node that is not live, something may still be loose.
        self.abort_node(node, leaves);
        self.report(node, Event::Guard(answer));
        Some(answer)
    }

    fn ask_guards(&mut self, node: NodeId, when_holds: bool) -> Option<Status> {
        let behaviour = self.behaviour;
        let Guards {
            fail_if,
            succeed_if,
            skip_if,
            while_holds,
            while_else,
            aborts_lower,
        } = &behaviour.node(node).guards;
        let is_live = self.is_live(node);
        if let Some(key) = behaviour.node(node).hooks.on_fault
            && !is_live
            && self.keys()[key.index()] != Cell::start(behaviour.key(key))
        {
            self.begin_scope(&[key]);
        }
        if *aborts_lower {
            let is_asked = !is_live && !when_holds;
            if is_asked && !self.look_at_when(node) {
                return Some(Status::Failure);
            }
        }
        let first = [
            (fail_if, Status::Failure),
            (succeed_if, Status::Success),
            (skip_if, Status::Skipped),
        ];
        let first = first.into_iter().skip(usize::from(*aborts_lower));
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

    /// Whether the `when` of a `selector`'s child holds that may abort the children after it; the result is remembered.
    pub(super) fn look_at_when(&mut self, node: NodeId) -> bool {
        let behaviour = self.behaviour;
        let fails_if = behaviour.node(node).guards.fail_if.as_ref();
        let fails_if = fails_if.expect("a child that aborts what is lower has a `when`");
        let holds = self.eval_at(node, fails_if) == Some(Value::Bool(false));
        self.lasting(node).looked = holds;
        holds
    }

    /// The statements after an answer, whether the node's own or a guard's.
    pub(super) fn after_answer(&mut self, node: NodeId, answer: Status) {
        let hooks = &self.behaviour.node(node).hooks;
        match answer {
            Status::Success => self.run_statements(node, &hooks.on_success),
            Status::Failure => self.run_statements(node, &hooks.on_failure),
            Status::Running | Status::Skipped => return,
        }
        self.run_statements(node, &hooks.on_end);
    }

    /// Runs one list of statements; an empty list writes nothing.
    pub(super) fn run_statements(&mut self, node: NodeId, statements: &[Assign]) {
        if !statements.is_empty() {
            self.assign(node, statements);
        }
    }
}
