//! `repeat`, `retry` and `until-…`.

use super::{Cell, Leaves, Memory, Reference};
use treemind_core::behaviour::{Times, Yields};
use treemind_core::{FaultKind, KeyId, MAX_RUNS_PER_TICK, NodeId, Status, Value};

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

    /// The child once for each item of a list, as the list is when a run begins.
    pub(super) fn visit_for_each(
        &mut self,
        node: NodeId,
        (var, list): (KeyId, KeyId),
        if_empty: Status,
        max_runs: u32,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let child = self.behaviour.node(node).children[0];
        let is_between = std::mem::take(&mut self.memory(node).open);
        if !is_between && !self.is_live(child) {
            self.memory(node).count = 0;
            if self.item(list, 0).is_none() {
                return if_empty;
            }
        }
        loop {
            if !self.is_live(child) {
                let place = self.memory(node).count;
                let Some(item) = self.item(list, place) else {
                    self.memories[node.index()] = Memory::default();
                    return Status::Success;
                };
                self.keys[var.index()] = Cell::One(item);
            }
            let answer = self.visit(child, leaves);
            if answer == Status::Running {
                return answer;
            }
            self.counts[node.index()].ends += 1;
            if answer == Status::Failure {
                self.memories[node.index()] = Memory::default();
                return answer;
            }
            self.abort_node(child, leaves);
            self.memory(node).count += 1;
            let place = self.memory(node).count;
            let has_more = self.item(list, place).is_some();
            if has_more && self.counts[node.index()].ends >= max_runs {
                self.fault(node, FaultKind::LoopBudget);
                self.memory(node).open = true;
                return Status::Running;
            }
        }
    }

    /// An item of a list, if there is one at that place.
    fn item(&self, list: KeyId, place: i64) -> Option<Value> {
        let Cell::List(items) = &self.keys[list.index()] else {
            unreachable!("a for-each goes through a list");
        };
        items.get(place as usize).copied()
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
