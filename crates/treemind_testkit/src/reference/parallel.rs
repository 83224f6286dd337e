//! Nodes that tick several children in one tick.

use super::{Leaves, Reference};
use treemind_core::behaviour::Threshold;
use treemind_core::{Behaviour, Kind, NodeId, Status};

impl Reference<'_> {
    pub(super) fn visit_parallel(
        &mut self,
        node: NodeId,
        success: Threshold,
        failure: Threshold,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let total = children.len();
        self.memory(node).answers.resize(total, None);
        let wanted = match success {
            Threshold::All => total,
            Threshold::Count(count) => count as usize,
        };
        let mut skipped = 0;
        for (index, child) in children.iter().enumerate() {
            if self.memory(node).answers[index].is_none() {
                match self.visit(*child, leaves) {
                    Status::Skipped => skipped += 1,
                    Status::Running => {}
                    end => self.memory(node).answers[index] = Some(end),
                }
            }
            let succeeded = self.finished(node, Status::Success);
            let failed = self.finished(node, Status::Failure);
            let meets = |finished: usize, threshold| match threshold {
                Threshold::All => finished + skipped >= total && skipped < total,
                Threshold::Count(count) => finished >= count as usize,
            };
            let out_of_reach = total - failed < wanted;
            if meets(succeeded, success) {
                self.abort_node(node, leaves);
                return Status::Success;
            } else if meets(failed, failure) || out_of_reach {
                self.abort_node(node, leaves);
                return Status::Failure;
            }
        }
        if skipped == total {
            Status::Skipped
        } else {
            Status::Running
        }
    }

    pub(super) fn visit_monitor(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        self.memory(node).answers.resize(children.len(), None);
        let is_task: Vec<bool> = children
            .iter()
            .map(|child| !is_watched(behaviour, *child))
            .collect();
        let tasks = is_task.iter().filter(|is_task| **is_task).count();
        let mut skipped_tasks = 0;
        let mut all_skipped = true;
        for (index, child) in children.iter().enumerate() {
            let answer = match self.memory(node).answers[index] {
                Some(earlier) => earlier,
                None => self.visit(*child, leaves),
            };
            all_skipped &= answer == Status::Skipped;
            match answer {
                Status::Failure => {
                    self.abort_node(node, leaves);
                    return answer;
                }
                Status::Success if is_task[index] => {
                    self.memory(node).answers[index] = Some(answer);
                }
                Status::Skipped if is_task[index] => skipped_tasks += 1,
                _ => {}
            }
            let done = self.finished(node, Status::Success) + skipped_tasks;
            let is_last = index + 1 == children.len();
            let met = if tasks > 0 { done >= tasks } else { is_last };
            if met && !all_skipped {
                self.abort_node(node, leaves);
                return Status::Success;
            }
        }
        if all_skipped {
            Status::Skipped
        } else {
            Status::Running
        }
    }

    /// How many children have finished so in this run.
    fn finished(&self, node: NodeId, with: Status) -> usize {
        let answers = &self.memories[node.index()].answers;
        answers.iter().filter(|end| **end == Some(with)).count()
    }
}

/// Whether a child of a `monitor` is asked in every tick: nothing in it takes time, writes or loops.
fn is_watched(behaviour: &Behaviour, node: NodeId) -> bool {
    let placed = behaviour.node(node);
    let itself = !matches!(
        placed.kind,
        Kind::Action { .. }
            | Kind::Set { .. }
            | Kind::Wait { .. }
            | Kind::Repeat { .. }
            | Kind::Retry { .. }
    );
    itself
        && placed
            .children
            .iter()
            .all(|child| is_watched(behaviour, *child))
}
