//! Nodes of BehaviorTree.CPP that are nodes of the language, except where a key says how many children they need, or
//! what they answer: `Parallel`, `ParallelAll` and `RunOnce`.

use super::{Call, Move, Told};
use crate::status::Status;
use crate::value::Value;

/// How the children of a node have ended in this run; of a `RunOnce`, how its child has ended at all.
#[derive(Clone, Debug, Default)]
pub(super) struct Ended {
    children: Vec<Option<Status>>,
    /// How many children were skipped in this tick.
    skipped: usize,
}

impl Ended {
    fn count(&self, status: Status) -> usize {
        let same = self.children.iter().filter(|one| **one == Some(status));
        same.count()
    }

    fn all_skipped(&self) -> bool {
        self.skipped == self.children.len()
    }

    /// Begins a tick, or takes an answer. Returns the child behind the one that has answered.
    fn take(&mut self, children: usize, told: Told) -> usize {
        match told {
            Told::Answered { child, status } => {
                if status.is_end() {
                    self.children[child] = Some(status);
                }
                self.skipped += usize::from(status == Status::Skipped);
                child + 1
            }
            _ => {
                self.children.resize(children, None);
                self.skipped = 0;
                0
            }
        }
    }

    fn over(&mut self, status: Status) -> Move {
        self.children.clear();
        Move::Answer(status)
    }

    /// `Parallel`: after each child it is judged whether enough have ended.
    pub(super) fn parallel(&mut self, counts: [i64; 2], children: usize, told: Told) -> Move {
        let next = self.take(children, told);
        let needed = counts.map(|count| resolved(count, children));
        let judge = |ended: &Self| {
            let (well, badly) = (ended.count(Status::Success), ended.count(Status::Failure));
            let absent = if counts[0] < 0 { ended.skipped } else { 0 };
            if well + absent >= needed[0] {
                return Some(Status::Success);
            }
            (children - badly < needed[0] || badly == needed[1]).then_some(Status::Failure)
        };
        if next > 0
            && let Some(status) = judge(self)
        {
            return self.over(status);
        }
        for child in next..children {
            if self.children[child].is_none() {
                return Move::Tick(child);
            }
            if let Some(status) = judge(self) {
                return self.over(status);
            }
        }
        match self.all_skipped() {
            true => self.over(Status::Skipped),
            false => Move::Answer(Status::Running),
        }
    }

    /// `ParallelAll`: it is judged when all children have ended.
    pub(super) fn parallel_all(&mut self, most: i64, children: usize, told: Told) -> Move {
        let next = self.take(children, told);
        let rest = &self.children[next..];
        if let Some(child) = rest.iter().position(Option::is_none) {
            return Move::Tick(next + child);
        }
        let badly = self.count(Status::Failure);
        if self.all_skipped() {
            return self.over(Status::Skipped);
        }
        if badly + self.count(Status::Success) + self.skipped < children {
            return Move::Answer(Status::Running);
        }
        let is_failure = badly >= resolved(most, children);
        self.over(match is_failure {
            true => Status::Failure,
            false => Status::Success,
        })
    }

    /// `RunOnce`: how its child has ended is kept.
    pub(super) fn run_once(&mut self, then_skip: bool, told: Told) -> Move {
        let _ = self.take(1, told);
        match (told, self.children[0]) {
            (Told::Answered { status, .. }, _) => Move::Answer(status),
            (_, Some(_)) if then_skip => Move::Answer(Status::Skipped),
            (_, Some(status)) => Move::Answer(status),
            (_, None) => Move::Tick(0),
        }
    }
}

/// A number of children: -1 stands for all of them, -2 for all but one.
fn resolved(count: i64, children: usize) -> usize {
    let count = match count {
        ..0 => i64::try_from(children)
            .unwrap_or(i64::MAX)
            .saturating_add(count + 1),
        _ => count,
    };
    usize::try_from(count).unwrap_or(0)
}

/// What a `RunOnce` answers when it has run: whether it is skipped.
pub(super) fn then_skip(call: &Call<'_>, agent: usize) -> bool {
    match value(call, &["then_skip"], agent) {
        Some(Some(Value::Bool(flag))) => flag,
        Some(Some(Value::Int(flag))) => flag != 0,
        Some(Some(Value::Double(flag))) => flag != 0.0,
        _ => true,
    }
}

/// The value of the first of these ports that the node has; within it `None` if its key has none.
fn value(call: &Call<'_>, ports: &[&str], agent: usize) -> Option<Option<Value>> {
    let mut ports = ports.iter();
    let index = ports.find_map(|port| super::nav2::param(call, port))?;
    Some(match call.arg_key(index) {
        Some(key) => call.find(key, agent),
        None => Some(call.arg(index, agent)),
    })
}

/// How often something runs; it is a fault if that is no number.
pub(super) fn times(call: &mut Call<'_>, port: &str, agent: usize, default: i64) -> Option<i64> {
    let times = match value(call, &[port], agent) {
        None => Some(default),
        Some(times) => times.and_then(Value::leading_whole),
    };
    if times.is_none() {
        call.fault(agent, format!("`{port}` is no whole number"));
    }
    times
}

/// The number of children that a port says, as its key holds it now. It is a fault if there are fewer children, or if
/// it is no number.
pub(super) fn count(
    call: &mut Call<'_>,
    ports: &[&str],
    agent: usize,
    default: i64,
) -> Option<i64> {
    let count = match value(call, ports, agent) {
        None => default,
        Some(count) => match count.and_then(Value::leading_whole) {
            Some(count) => count,
            None => {
                call.fault(agent, format!("`{}` is no whole number", ports[0]));
                return None;
            }
        },
    };
    let children = call.children();
    if resolved(count, children) > children {
        let message = format!(
            "`{}` is {count}, but there are {children} children",
            ports[0]
        );
        call.fault(agent, message);
        return None;
    }
    Some(count)
}
