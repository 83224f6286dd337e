//! Nodes that choose one child after the other.

use super::{Leaves, Reference};
use treemind_core::chance::Draw;
use treemind_core::{NodeId, Status};

impl Reference<'_> {
    /// `sequence` goes on after success, `selector` after failure; both after a child that answered skipped.
    pub(super) fn visit_list(
        &mut self,
        node: NodeId,
        go_on: Status,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let resumed = children.iter().rposition(|child| self.is_live(*child));
        if resumed.is_none() {
            self.memory(node).answers = vec![None; children.len()];
        }
        for (index, child) in children.iter().enumerate().skip(resumed.unwrap_or(0)) {
            let answer = self.visit(*child, leaves);
            self.memory(node).answers[index] = Some(answer);
            if answer == Status::Running {
                return answer;
            }
            if answer.is_end() && answer != go_on {
                self.abort_children(node, leaves);
                return answer;
            }
        }
        self.abort_children(node, leaves);
        let answers = &self.memory(node).answers;
        if answers
            .iter()
            .all(|answer| *answer == Some(Status::Skipped))
        {
            Status::Skipped
        } else {
            go_on
        }
    }

    /// The same from the first child in every tick.
    pub(super) fn visit_reactive_list(
        &mut self,
        node: NodeId,
        go_on: Status,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let mut skipped = 0;
        for child in children {
            let answer = self.visit(*child, leaves);
            if answer == Status::Running {
                for other in children.iter().filter(|other| *other != child) {
                    self.abort_node(*other, leaves);
                }
                return answer;
            }
            if answer == Status::Skipped {
                self.abort_node(*child, leaves);
                skipped += 1;
            } else if answer != go_on {
                self.abort_children(node, leaves);
                return answer;
            }
        }
        self.abort_children(node, leaves);
        if skipped == children.len() {
            Status::Skipped
        } else {
            go_on
        }
    }

    /// Draws among the children not yet tried until one succeeds or goes on running.
    pub(super) fn visit_random_selector(
        &mut self,
        node: NodeId,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let mut kept = children.iter().position(|child| self.is_live(*child));
        if kept.is_none() {
            self.memory(node).answers = vec![None; children.len()];
        }
        loop {
            let Some(index) = kept.take().or_else(|| self.draw(node)) else {
                let answers = &self.memory(node).answers;
                let any_failed = answers.contains(&Some(Status::Failure));
                return if any_failed {
                    Status::Failure
                } else {
                    Status::Skipped
                };
            };
            let answer = self.visit(children[index], leaves);
            match answer {
                Status::Running | Status::Success => return answer,
                Status::Failure => {}
                Status::Skipped => self.abort_node(children[index], leaves),
            }
            self.memory(node).answers[index] = Some(answer);
        }
    }

    /// The next child to try, if there is one left.
    fn draw(&mut self, node: NodeId) -> Option<usize> {
        let answers = &self.memories[node.index()].answers;
        let untried: Vec<usize> = (0..answers.len())
            .filter(|index| answers[*index].is_none())
            .collect();
        if untried.is_empty() {
            return None;
        }
        let draws = &mut self.counts[node.index()].draws;
        let draw = Draw {
            seed: self.seed,
            agent: self.agent,
            node: node.index() as u32,
            tick: self.tick,
            nth: *draws,
        };
        *draws += 1;
        Some(untried[draw.below(untried.len() as u32) as usize])
    }
}
