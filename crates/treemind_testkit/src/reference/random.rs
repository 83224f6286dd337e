//! Nodes that leave something to chance.

use super::{Leaves, Reference};
use treemind_core::{Expr, NodeId, Status, Value};

impl Reference<'_> {
    /// Draws among the children not yet tried until one answers something else than `go_on` or skipped.
    pub(super) fn visit_random_list(
        &mut self,
        node: NodeId,
        go_on: Status,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let mut kept = children.iter().position(|child| self.is_live(*child));
        if kept.is_none() {
            self.memory(node).answers = vec![None; children.len()];
        }
        loop {
            let Some(index) = kept.take().or_else(|| self.draw_untried(node)) else {
                let went_on = self.memory(node).answers.contains(&Some(go_on));
                return if went_on { go_on } else { Status::Skipped };
            };
            let answer = self.visit(children[index], leaves);
            if answer == Status::Skipped {
                self.abort_node(children[index], leaves);
            } else if answer != go_on {
                return answer;
            }
            self.memory(node).answers[index] = Some(answer);
        }
    }

    /// The next child to try, if there is one left.
    fn draw_untried(&mut self, node: NodeId) -> Option<usize> {
        let answers = &self.memories[node.index()].answers;
        let untried: Vec<usize> = (0..answers.len())
            .filter(|index| answers[*index].is_none())
            .collect();
        if untried.is_empty() {
            return None;
        }
        let drawn = self.draw(node).below(untried.len() as u32);
        Some(untried[drawn as usize])
    }

    pub(super) fn visit_chance(
        &mut self,
        node: NodeId,
        probability: &Expr,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let child = self.behaviour.node(node).children[0];
        if !self.is_live(child) {
            let Some(Value::Double(probability)) = self.eval_at(node, probability) else {
                return Status::Failure;
            };
            let bits = self.draw(node).bits();
            let drawn = (bits >> 11) as f64 / (1u64 << 53) as f64;
            let is_run = drawn < probability;
            if !is_run {
                return Status::Failure;
            }
        }
        self.visit(child, leaves)
    }
}
