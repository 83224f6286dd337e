//! Nodes that tick several children in one tick.

use super::{Leaves, Reference, wrong_family};
use treemind_core::behaviour::{Family, Judging, Skips, Threshold};
use treemind_core::{Behaviour, Kind, NodeId, Status};

/// The result of a `parallel`, and when it is reached.
#[derive(Clone, Copy, Debug)]
struct Met {
    success: Threshold,
    failure: Threshold,
    skips: Skips,
    /// Whether finished children are ticked again, and their earlier answers do not count.
    forgets: bool,
}

/// The counts that a `parallel` compares with its thresholds.
#[derive(Clone, Copy, Debug)]
struct Seen {
    total: usize,
    succeeded: usize,
    failed: usize,
    skipped: usize,
    all_skipped_so_far: bool,
}

impl Met {
    /// Its result, if it has ended.
    fn judge(self, seen: Seen) -> Option<Status> {
        let wanted = match self.success {
            Threshold::All => seen.total,
            Threshold::AllBut(missing) => seen.total - missing as usize,
            Threshold::Count(count) | Threshold::Exactly(count) => count as usize,
        };
        let is_out_of_reach = !self.forgets && seen.total - seen.failed < wanted;
        if self.meets(self.success, seen.succeeded, seen) {
            Some(Status::Success)
        } else if self.meets(self.failure, seen.failed, seen) || is_out_of_reach {
            Some(Status::Failure)
        } else {
            None
        }
    }

    fn meets(self, threshold: Threshold, finished: usize, seen: Seen) -> bool {
        let all_but = |missing: u32| {
            let wanted = seen.total - missing as usize;
            match self.skips {
                Skips::Pending => finished >= wanted && !seen.all_skipped_so_far,
                Skips::Absent => finished + seen.skipped >= wanted && !seen.all_skipped_so_far,
                Skips::AbsentEvenAll => finished + seen.skipped >= wanted,
            }
        };
        match threshold {
            Threshold::All => all_but(0),
            Threshold::AllBut(missing) => all_but(missing),
            Threshold::Count(count) => finished >= count as usize,
            Threshold::Exactly(count) => finished == count as usize,
        }
    }
}

impl Reference<'_> {
    pub(super) fn parallel_answer(
        &mut self,
        node: NodeId,
        kind: &Kind,
        leaves: &mut dyn Leaves,
    ) -> Status {
        match kind {
            Kind::Parallel {
                success,
                failure,
                skips,
                judging,
            } => {
                let Judging {
                    at_end,
                    repeat_finished,
                } = *judging;
                let met = Met {
                    success: *success,
                    failure: *failure,
                    skips: *skips,
                    forgets: repeat_finished,
                };
                self.visit_parallel(node, met, at_end, leaves)
            }
            Kind::SimpleParallel { waits } => self.visit_simple_parallel(node, *waits, leaves),
            Kind::ParallelAll { max_failures } => {
                self.visit_parallel_all(node, *max_failures, leaves)
            }
            Kind::Monitor => self.visit_monitor(node, leaves),
            _ => wrong_family(kind),
        }
    }

    fn visit_parallel(
        &mut self,
        node: NodeId,
        met: Met,
        at_end: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let total = children.len();
        if met.forgets {
            self.memory(node).answers.clear();
        }
        self.memory(node).answers.resize(total, None);
        let mut skipped = 0;
        for (index, child) in children.iter().enumerate() {
            skipped += usize::from(self.visit_unfinished(node, index, *child, leaves));
            if at_end && index + 1 < total {
                continue;
            }
            let seen = Seen {
                total,
                succeeded: self.finished(node, Status::Success),
                failed: self.finished(node, Status::Failure),
                skipped,
                all_skipped_so_far: skipped == index + 1,
            };
            if let Some(answer) = met.judge(seen) {
                self.finish(node, leaves);
                return answer;
            }
        }
        self.memory(node).open = met.forgets && skipped < total;
        if skipped == total {
            Status::Skipped
        } else {
            Status::Running
        }
    }

    fn visit_simple_parallel(
        &mut self,
        node: NodeId,
        waits: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let (task, background) = (children[0], children[1]);
        let ended = match self.memory(node).answers.first() {
            Some(ended) => {
                let ended = *ended;
                self.pass_by(&[task], leaves);
                ended
            }
            None => match self.visit(task, leaves) {
                Status::Skipped => return Status::Skipped,
                Status::Running => None,
                end if waits && self.is_live(background) => Some(end),
                end => return end,
            },
        };
        self.visit(background, leaves);
        let Some(end) = ended else {
            return Status::Running;
        };
        if self.is_live(background) {
            self.memory(node).answers = vec![Some(end)];
            return Status::Running;
        }
        self.finish(node, leaves);
        end
    }

    fn visit_parallel_all(
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

    fn visit_monitor(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Status {
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
                Some(earlier) => {
                    self.pass_by(&[*child], leaves);
                    earlier
                }
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

    /// Ticks a child that has not finished in this run; returns whether it was skipped.
    fn visit_unfinished(
        &mut self,
        node: NodeId,
        index: usize,
        child: NodeId,
        leaves: &mut dyn Leaves,
    ) -> bool {
        if self.memory(node).answers[index].is_some() {
            self.pass_by(&[child], leaves);
            return false;
        }
        match self.visit(child, leaves) {
            Status::Skipped => return true,
            Status::Running => {}
            end => self.memory(node).answers[index] = Some(end),
        }
        false
    }

    /// How many children have finished in this run with a status.
    fn finished(&self, node: NodeId, with: Status) -> usize {
        let answers = &self.memories[node.index()].answers;
        answers.iter().filter(|end| **end == Some(with)).count()
    }
}

/// Whether a child of a `monitor` is asked in every tick: nothing in it takes time, writes or loops.
fn is_watched(behaviour: &Behaviour, node: NodeId) -> bool {
    let placed = behaviour.node(node);
    let kind = &placed.kind;
    let itself = match kind.facts().family {
        Family::Leaf => matches!(
            kind,
            Kind::Condition { .. }
                | Kind::Check { .. }
                | Kind::Changed { .. }
                | Kind::Received { waits: false, .. }
                | Kind::Succeed
                | Kind::Fail
                | Kind::Run
        ),
        Family::List | Family::Draw => true,
        Family::Parallel => !matches!(kind, Kind::SimpleParallel { .. }),
        Family::Choice => !matches!(kind, Kind::Decide(_)),
        Family::Wrapper => matches!(
            kind,
            Kind::Invert | Kind::ForceSuccess { .. } | Kind::ForceFailure { .. }
        ),
        Family::Gate | Family::Loop | Family::Machine | Family::Planner | Family::Host => false,
    };
    itself
        && placed
            .children
            .iter()
            .all(|child| is_watched(behaviour, *child))
}
