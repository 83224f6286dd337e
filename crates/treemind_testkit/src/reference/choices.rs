//! Nodes that choose one child.

use super::{Leaves, Reference, wrong_family};
use treemind_core::behaviour::Yields;
use treemind_core::{Expr, FaultKind, Kind, NodeId, Status, Value};

impl<'b> Reference<'b> {
    pub(super) fn choice_answer(
        &mut self,
        node: NodeId,
        kind: &'b Kind,
        leaves: &mut dyn Leaves,
    ) -> Status {
        match kind {
            Kind::If {
                asks_again: false,
                leaves_open,
            } => self.visit_if(node, *leaves_open, leaves),
            Kind::If {
                asks_again: true, ..
            } => self.visit_asking_again(node, leaves),
            Kind::ReactiveIf { leaves_open } => self.visit_reactive_if(node, *leaves_open, leaves),
            Kind::Switch {
                cases,
                once,
                leaves_open,
            } => self.visit_switch(node, cases, (*once, *leaves_open), leaves),
            Kind::SubtreeBy { cases } => self.visit_subtree_by(node, cases, leaves),
            Kind::Decide(decision) => self.visit_decision(node, decision, leaves),
            Kind::Rules { rules, first } => self.visit_rules(node, rules, *first, leaves),
            _ => wrong_family(kind),
        }
    }

    fn visit_if(&mut self, node: NodeId, leaves_open: bool, leaves: &mut dyn Leaves) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let running = (1..children.len()).find(|branch| self.is_live(children[*branch]));
        let branch = match running {
            Some(branch) => {
                self.pass_by(&children[..1], leaves);
                branch
            }
            None => match self.visit(children[0], leaves) {
                Status::Success => 1,
                Status::Failure => 2,
                other => return other,
            },
        };
        match children.get(branch) {
            Some(branch) if leaves_open => self.visit(*branch, leaves),
            Some(branch) => self.visit_branch(*branch, leaves),
            None => Status::Failure,
        }
    }

    /// The test is asked unless the branch answered running last.
    fn visit_asking_again(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        if self.memory(node).goes_on {
            self.pass_by(&children[..1], leaves);
        } else {
            match self.visit(children[0], leaves) {
                Status::Success => {}
                Status::Failure => {
                    self.lasting(node).left_open = self.is_open(children[1], true);
                    return Status::Failure;
                }
                other => return other,
            }
            self.lasting(node).left_open = false;
        }
        let answer = self.visit(children[1], leaves);
        self.memory(node).goes_on = answer == Status::Running;
        answer
    }

    fn visit_reactive_if(
        &mut self,
        node: NodeId,
        leaves_open: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let (chosen, other) = match self.visit(children[0], leaves) {
            Status::Success => (1, 2),
            Status::Failure => (2, 1),
            answer => return answer,
        };
        if let Some(other) = children.get(other) {
            self.abort_node(*other, leaves);
        }
        match children.get(chosen) {
            Some(branch) if leaves_open => self.visit(*branch, leaves),
            Some(branch) => self.visit_branch(*branch, leaves),
            None => Status::Failure,
        }
    }

    fn visit_switch(
        &mut self,
        node: NodeId,
        cases: &[Expr],
        (once, leaves_open): (bool, bool),
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let running = children.iter().position(|child| self.is_live(*child));
        let chosen = match running {
            Some(running) if once => Some(running),
            _ => match self.choose(node, cases) {
                Some(choice) => Some(choice).filter(|choice| *choice < children.len()),
                None => None,
            },
        };
        for (index, child) in children.iter().enumerate() {
            if Some(index) != chosen {
                self.abort_node(*child, leaves);
            }
        }
        match chosen {
            Some(chosen) if leaves_open => self.visit(children[chosen], leaves),
            Some(chosen) => self.visit_branch(children[chosen], leaves),
            None => Status::Failure,
        }
    }

    /// Like a `switch` that looks once; if no case holds, there is no tree.
    fn visit_subtree_by(
        &mut self,
        node: NodeId,
        cases: &[Expr],
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let running = children.iter().position(|child| self.is_live(*child));
        let chosen = running.or_else(|| self.choose(node, cases));
        match chosen.map(|chosen| children.get(chosen)) {
            Some(Some(branch)) => self.visit_branch(*branch, leaves),
            Some(None) => {
                self.fault(node, FaultKind::UnknownTree);
                Status::Failure
            }
            // A case caused a fault.
            None => Status::Failure,
        }
    }

    /// The first case that holds, or the number of cases if none holds; `None` after a fault.
    fn choose(&mut self, node: NodeId, cases: &[Expr]) -> Option<usize> {
        for (index, case) in cases.iter().enumerate() {
            if self.eval_at(node, case)? == Value::Bool(true) {
                return Some(index);
            }
        }
        Some(cases.len())
    }

    /// Visits a branch; a branch that is skipped is dropped.
    pub(super) fn visit_branch(&mut self, branch: NodeId, leaves: &mut dyn Leaves) -> Status {
        let answer = self.visit(branch, leaves);
        if answer == Status::Skipped {
            self.abort_node(branch, leaves);
        }
        answer
    }

    pub(super) fn visit_try_catch(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let (last, first) = children.split_last().expect("a try-catch has children");
        if !self.is_live(*last) {
            let answer = self.visit_in_order(node, first, Status::Success, Yields::Never, leaves);
            self.memory(node).open = matches!(answer, Status::Running | Status::Skipped);
            if answer != Status::Running {
                self.abort_all(first, leaves);
            }
            if answer != Status::Failure {
                return answer;
            }
        }
        match self.visit_branch(*last, leaves) {
            Status::Running => Status::Running,
            _ => Status::Failure,
        }
    }

    /// Aborts a `try-catch` that also catches aborts; a catch that it had already begun is only aborted.
    pub(super) fn abort_try_catch(&mut self, node: NodeId, leaves: &mut dyn Leaves) {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let (last, first) = children.split_last().expect("a try-catch has children");
        let memory = std::mem::take(self.memory(node));
        self.abort_all(first, leaves);
        if memory.open {
            self.visit(*last, leaves);
        }
        self.abort_node(*last, leaves);
    }

    fn abort_all(&mut self, nodes: &[NodeId], leaves: &mut dyn Leaves) {
        for node in nodes {
            self.abort_node(*node, leaves);
        }
    }
}
