//! Nodes that tick several children in one tick.

use super::{Leaves, Reference};
use treemind_core::behaviour::{Skips, Threshold};
use treemind_core::{Behaviour, Kind, NodeId, Status};

impl Reference<'_> {
    pub(super) fn visit_parallel(
        &mut self,
        node: NodeId,
        success: Threshold,
        failure: Threshold,
        skips: Skips,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let total = children.len();
        self.memory(node).answers.resize(total, None);
        let mut skipped = 0;
        for (index, child) in children.iter().enumerate() {
            skipped += usize::from(self.visit_unfinished(node, index, *child, leaves));
            let succeeded = self.finished(node, Status::Success);
            let failed = self.finished(node, Status::Failure);
            let all_skipped_so_far = skipped == index + 1;
            let all_but = |finished: usize, missing: u32| {
                let wanted = total - missing as usize;
                match skips {
                    Skips::Pending => finished >= wanted && !all_skipped_so_far,
                    Skips::Absent => finished + skipped >= wanted && !all_skipped_so_far,
                    Skips::AbsentEvenAll => finished + skipped >= wanted,
                }
            };
            let meets = |finished: usize, threshold| match threshold {
                Threshold::All => all_but(finished, 0),
                Threshold::AllBut(missing) => all_but(finished, missing),
                Threshold::Count(count) => finished >= count as usize,
                Threshold::Exactly(count) => finished == count as usize,
            };
            let wanted = match success {
                Threshold::All => total,
                Threshold::AllBut(missing) => total - missing as usize,
                Threshold::Count(count) | Threshold::Exactly(count) => count as usize,
            };
            if meets(succeeded, success) {
                self.finish(node, leaves);
                return Status::Success;
            } else if meets(failed, failure) || total - failed < wanted {
                self.finish(node, leaves);
                return Status::Failure;
            }
        }
        if skipped == total {
            Status::Skipped
        } else {
            Status::Running
        }
    }

    pub(super) fn visit_parallel_all(
        &mut self,
        node: NodeId,
        max_failures: u32,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let total = children.len();
        self.memory(node).answers.resize(total, None);
        let mut skipped = 0;
        for (index, child) in children.iter().enumerate() {
            skipped += usize::from(self.visit_unfinished(node, index, *child, leaves));
        }
        let succeeded = self.finished(node, Status::Success);
        let failed = self.finished(node, Status::Failure);
        if skipped == total {
            return Status::Skipped;
        }
        if succeeded + failed + skipped < total {
            return Status::Running;
        }
        self.finish(node, leaves);
        Status::from(failed < max_failures as usize)
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
                    self.finish(node, leaves);
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
                self.finish(node, leaves);
                return Status::Success;
            }
        }
        if all_skipped {
            Status::Skipped
        } else {
            Status::Running
        }
    }

    /// Ticks a child that has not finished in this run; whether it was skipped.
    fn visit_unfinished(
        &mut self,
        node: NodeId,
        index: usize,
        child: NodeId,
        leaves: &mut dyn Leaves,
    ) -> bool {
        if self.memory(node).answers[index].is_some() {
            return false;
        }
        match self.visit(child, leaves) {
            Status::Skipped => return true,
            Status::Running => {}
            end => self.memory(node).answers[index] = Some(end),
        }
        false
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
    let itself = match &placed.kind {
        Kind::Condition { .. }
        | Kind::Check { .. }
        | Kind::Changed { .. }
        | Kind::Succeed
        | Kind::Fail
        | Kind::Run
        | Kind::Sequence { .. }
        | Kind::Selector { .. }
        | Kind::ReactiveSequence
        | Kind::ReactiveSelector
        | Kind::Monitor
        | Kind::Parallel { .. }
        | Kind::RandomSelector { .. }
        | Kind::WeightedSelector { .. }
        | Kind::RandomSequence { .. }
        | Kind::StickySequence { .. }
        | Kind::ParallelAll { .. }
        | Kind::If
        | Kind::ReactiveIf
        | Kind::TryCatch { .. }
        | Kind::Switch { .. }
        | Kind::Invert
        | Kind::ForceSuccess
        | Kind::ForceFailure => true,
        Kind::Action { .. }
        | Kind::Set { .. }
        | Kind::Log { .. }
        | Kind::Emit { .. }
        | Kind::Wait { .. }
        | Kind::UntilFailure { .. }
        | Kind::UntilSuccess { .. }
        | Kind::KeepRunningUntilFailure
        | Kind::RunOnce { .. }
        | Kind::Limit { .. }
        | Kind::Cooldown { .. }
        | Kind::Timeout { .. }
        | Kind::Delay { .. }
        | Kind::Chance { .. }
        | Kind::Repeat { .. }
        | Kind::Retry { .. }
        | Kind::OnChange { .. }
        | Kind::Scope { .. } => false,
    };
    itself
        && placed
            .children
            .iter()
            .all(|child| is_watched(behaviour, *child))
}
