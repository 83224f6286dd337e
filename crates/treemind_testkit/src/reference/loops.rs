//! Nodes that tick their one child again and again.

use super::{Cell, Leaves, Memory, Reference, wrong_family};
use treemind_core::behaviour::{Counting, Pace, Times};
use treemind_core::{FaultKind, KeyId, Kind, NodeId, Status, Value};

/// How a loop repeats.
#[derive(Clone, Copy, Debug)]
struct Turns<'a> {
    /// The answer of the child after which it repeats.
    again: Status,
    times: &'a Times,
    pace: Pace,
    counts_ticks: bool,
    /// Whether it also repeats after the other result.
    ignores_result: bool,
}

impl Turns<'_> {
    fn rereads(&self) -> bool {
        matches!(self.times, Times::Reread(_))
    }

    /// For a loop that repeats until the child ends with the other result.
    fn until(again: Status, pace: Pace) -> Self {
        Self {
            again,
            times: &Times::Forever,
            pace,
            counts_ticks: false,
            ignores_result: false,
        }
    }
}

impl Reference<'_> {
    pub(super) fn loop_answer(
        &mut self,
        node: NodeId,
        kind: &Kind,
        leaves: &mut dyn Leaves,
    ) -> Status {
        use Status::{Failure, Success};
        match kind {
            Kind::UntilFailure { pace } => {
                match self.visit_loop(node, Turns::until(Success, *pace), leaves) {
                    Failure => Success,
                    other => other,
                }
            }
            Kind::UntilSuccess { pace } => {
                self.visit_loop(node, Turns::until(Failure, *pace), leaves)
            }
            Kind::KeepRunningUntilFailure => self.visit_keep_running(node, leaves),
            Kind::ForEach {
                var,
                list,
                if_empty,
                max_runs,
            } => self.visit_for_each(node, (*var, *list), *if_empty, *max_runs, leaves),
            Kind::Repeat {
                times,
                pace,
                counting,
                ignores_result,
            }
            | Kind::Retry {
                times,
                pace,
                counting,
                ignores_result,
            } => {
                let is_repeat = matches!(kind, Kind::Repeat { .. });
                let turns = Turns {
                    again: if is_repeat { Success } else { Failure },
                    times,
                    pace: *pace,
                    counts_ticks: *counting == Counting::Ticks,
                    ignores_result: *ignores_result,
                };
                self.visit_loop(node, turns, leaves)
            }
            _ => wrong_family(kind),
        }
    }

    fn visit_keep_running(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Status {
        let child = self.behaviour.node(node).children[0];
        let is_over = self.visit(child, leaves) == Status::Failure;
        self.memory(node).open = !is_over;
        if is_over {
            Status::Failure
        } else {
            Status::Running
        }
    }

    fn visit_loop(&mut self, node: NodeId, turns: Turns<'_>, leaves: &mut dyn Leaves) -> Status {
        let child = self.behaviour.node(node).children[0];
        let is_afresh = !self.is_live(node);
        self.memory(node).open = false;
        if is_afresh && let Err(answer) = self.begin_loop(node, turns) {
            return self.answer_alone(node, answer, leaves);
        }
        if !is_afresh
            && turns.rereads()
            && let Err(answer) = self.read_limit_again(node, turns)
        {
            return self.answer_alone(node, answer, leaves);
        }
        let tick = self.tick;
        if turns.counts_ticks && self.memory(node).counted != tick {
            self.memory(node).counted = tick;
            self.memory(node).count += 1;
        }
        loop {
            let answer = self.visit_noting(node, child, leaves);
            match answer {
                Status::Running if turns.counts_ticks && self.is_counted_out(node) => {
                    if self.is_live(child) {
                        self.abort_node(child, leaves);
                    }
                    self.memories[node.index()] = Memory::default();
                    return turns.again;
                }
                Status::Running => return answer,
                Status::Skipped => {
                    self.abort_node(child, leaves);
                    let Memory { count, limit, .. } = *self.memory(node);
                    if limit.is_none() || count == 0 {
                        // There is no count to keep.
                        self.memories[node.index()] = Memory::default();
                    } else {
                        self.memory(node).open = true;
                    }
                    return answer;
                }
                Status::Success | Status::Failure => self.counts[node.index()].ends += 1,
            }
            if !turns.counts_ticks {
                self.memory(node).count += 1;
            }
            if answer != turns.again && !turns.ignores_result {
                self.memories[node.index()] = Memory::default();
                return answer;
            }
            if turns.rereads()
                && turns.again == Status::Failure
                && let Err(answer) = self.read_limit_again(node, turns)
            {
                return answer;
            }
            if self.is_counted_out(node) {
                self.memories[node.index()] = Memory::default();
                return turns.again;
            }
            if self.yields_now(node, turns.pace.yields) {
                self.memory(node).open = true;
                return Status::Running;
            }
            if !self.may_turn(node, turns.pace.max_runs) {
                self.memory(node).open = true;
                return Status::Running;
            }
        }
    }

    /// Whether a loop may go back to its child in this tick, which is then counted; otherwise it is a fault.
    fn may_turn(&mut self, node: NodeId, max_runs: u32) -> bool {
        if self.counts[node.index()].ends >= max_runs {
            self.fault(node, FaultKind::LoopBudget(max_runs));
            return false;
        }
        if self.turns >= self.most_turns {
            self.fault(node, FaultKind::TurnBudget(self.most_turns));
            return false;
        }
        self.turns += 1;
        true
    }

    /// Whether a loop has repeated as often as it has to.
    fn is_counted_out(&mut self, node: NodeId) -> bool {
        let Memory { count, limit, .. } = *self.memory(node);
        limit.is_some_and(|limit| count >= limit)
    }

    /// Runs the child once for each item of a list, as the list is when a run begins.
    fn visit_for_each(
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
            if self.item(node, list, 0).is_none() {
                return self.answer_alone(node, if_empty, leaves);
            }
        }
        let mut has_visited = false;
        loop {
            if !self.is_live(child) {
                let place = self.memory(node).count;
                let Some(item) = self.item(node, list, place) else {
                    self.memories[node.index()] = Memory::default();
                    if has_visited {
                        return Status::Success;
                    }
                    return self.answer_alone(node, Status::Success, leaves);
                };
                self.set(node, var, item);
            }
            let answer = self.visit(child, leaves);
            has_visited = true;
            if answer == Status::Running {
                return answer;
            }
            self.counts[node.index()].ends += 1;
            if answer == Status::Failure {
                self.memories[node.index()] = Memory::default();
                return answer;
            }
            if answer == Status::Skipped {
                self.abort_node(child, leaves);
            }
            self.memory(node).count += 1;
            let place = self.memory(node).count;
            let has_more = self.item(node, list, place).is_some();
            if has_more && !self.may_turn(node, max_runs) {
                self.memory(node).open = true;
                return Status::Running;
            }
        }
    }

    /// The item of a list at a place, if there is one; this asks about the list.
    fn item(&mut self, node: NodeId, list: KeyId, place: i64) -> Option<Value> {
        self.ask_for(node, list);
        let Cell::List(items) = &self.keys.values()[list.index()] else {
            unreachable!("a for-each goes through a list");
        };
        items.get(place as usize).copied()
    }

    /// Reads how often the loop runs; the error is the answer of the whole loop when its child is not to run at all.
    fn begin_loop(&mut self, node: NodeId, turns: Turns<'_>) -> Result<(), Status> {
        let limit = match turns.times {
            Times::Forever => None,
            Times::Count(expr) | Times::Reread(expr) => match self.eval_at(node, expr) {
                None => return Err(Status::Failure),
                Some(Value::Int(count)) if count <= 0 => return Err(turns.again),
                Some(Value::Int(count)) => Some(count),
                Some(other) => unreachable!("a count is an int, not {other}"),
            },
        };
        self.memory(node).limit = limit;
        Ok(())
    }

    /// Reads again how often the loop runs; the error is the answer of the loop if it ends by that.
    fn read_limit_again(&mut self, node: NodeId, turns: Turns<'_>) -> Result<(), Status> {
        let read = self.begin_loop(node, turns);
        let read = match self.is_counted_out(node) {
            true => read.and(Err(turns.again)),
            false => read,
        };
        if read.is_err() {
            self.memories[node.index()] = Memory::default();
        }
        read
    }
}
