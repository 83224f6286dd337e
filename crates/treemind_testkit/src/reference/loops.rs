//! `repeat`, `retry` and `until-…`.

use super::{Leaves, Memory, Reference};
use treemind_core::behaviour::{Times, Yields};
use treemind_core::{FaultKind, MAX_RUNS_PER_TICK, NodeId, Status, Value};

impl Reference<'_> {
    /// `again` is the answer of the child after which the loop goes on.
    pub(super) fn visit_loop(
        &mut self,
        node: NodeId,
        times: &Times,
        yields: Yields,
        again: Status,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let child = self.behaviour.node(node).children[0];
        let is_afresh = self.memory(node).count == 0 && !self.is_live(child);
        if is_afresh && let Err(answer) = self.begin_loop(node, times, again) {
            return answer;
        }
        loop {
            let answer = self.visit_noting(node, child, leaves);
            match answer {
                Status::Running => return answer,
                Status::Skipped => {
                    self.abort_node(child, leaves);
                    if self.memory(node).limit.is_none() {
                        // Without a limit there is no count to keep.
                        self.memories[node.index()] = Memory::default();
                    }
                    return answer;
                }
                Status::Success | Status::Failure => self.counts[node.index()].ends += 1,
            }
            self.memory(node).count += 1;
            let Memory { count, limit, .. } = *self.memory(node);
            if answer != again || limit == Some(count) {
                self.memories[node.index()] = Memory::default();
                return answer;
            }
            if self.yields_now(node, yields) {
                return Status::Running;
            }
            if self.counts[node.index()].ends >= MAX_RUNS_PER_TICK {
                self.fault(node, FaultKind::LoopBudget);
                return Status::Running;
            }
        }
    }

    /// Reads how often the loop runs; the answer of the whole loop when its child is not to run at all.
    fn begin_loop(&mut self, node: NodeId, times: &Times, again: Status) -> Result<(), Status> {
        let limit = match times {
            Times::Forever => None,
            Times::Count(expr) => match self.eval_at(node, expr) {
                None => return Err(Status::Failure),
                Some(Value::Int(count)) if count <= 0 => return Err(again),
                Some(Value::Int(count)) => Some(count),
                Some(other) => unreachable!("a count is an int, not {other}"),
            },
        };
        self.memory(node).limit = limit;
        Ok(())
    }
}
