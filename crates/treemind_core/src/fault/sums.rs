//! How often each fault was: for crowds, in which one mistake is thousands of faults.

use super::latest::Latest;
use super::{Fault, FaultKind, Faults};
use crate::ids::NodeId;
use std::fmt;

/// Faults of one kind at one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultSum {
    /// The first of them.
    pub first: Fault,
    /// How many there were.
    pub count: u64,
}

impl fmt::Display for FaultSum {
    /// `12 times, at first in tick 3, agent 0, node 7 …`, as [`Fault`] shows the first one.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(out, "once, in {}", self.first),
            count => write!(out, "{count} times, at first in {}", self.first),
        }
    }
}

impl FaultSum {
    /// Whether it counts such faults. The loops of a machine are one kind, whatever their steps, and so are the missing
    /// items of a list.
    fn is_of(&self, node: NodeId, kind: &FaultKind) -> bool {
        let is_same_kind = match (&self.first.kind, kind) {
            (FaultKind::Livelock(_), FaultKind::Livelock(_)) => true,
            (FaultKind::NoItem { list: known, .. }, FaultKind::NoItem { list, .. }) => {
                known == list
            }
            (known, kind) => known == kind,
        };
        self.first.node == node && is_same_kind
    }
}

impl Faults {
    /// Whether the steps of an endless loop at this node will be kept. This does not depend on whether the tick is
    /// traced, apart from [`latest`](Self::latest).
    pub(crate) fn keeps_round(&self, node: NodeId) -> bool {
        let known = |sum: &FaultSum| sum.is_of(node, &FaultKind::Livelock(String::new()));
        let begins_sum = self.sums.len() < Self::CAPACITY && !self.sums.iter().any(known);
        self.has_room() || self.keeps_all() || begins_sum
    }

    /// The distinct faults since they were last taken, in the order in which they first occurred: each kind of each node
    /// once, with the number of times. At most [`CAPACITY`](Self::CAPACITY) are told apart; the others are only in the
    /// [total](Self::total).
    pub fn sums(&self) -> &[FaultSum] {
        &self.sums
    }

    /// How many faults are in none of the [sums](Self::sums), because there were too many different ones.
    pub fn others(&self) -> u64 {
        let counted: u64 = self.sums.iter().map(|sum| sum.count).sum();
        self.total - counted
    }

    /// The faults that came after an earlier state of this list, or all if they were taken in between.
    pub fn since(&self, before: &Faults) -> Faults {
        let goes_on = before.total <= self.total && self.kept.starts_with(&before.kept);
        if !goes_on {
            return self.clone();
        }
        let known = |sum: &FaultSum| before.sums.iter().find(|known| known.first == sum.first);
        let sums = self.sums.iter().map(|sum| FaultSum {
            first: sum.first.clone(),
            count: sum.count - known(sum).map_or(0, |known| known.count.min(sum.count)),
        });
        Faults {
            kept: self.kept[before.kept.len()..].to_vec(),
            total: self.total - before.total,
            sums: sums.filter(|sum| sum.count > 0).collect(),
            latest: Latest::default(),
        }
    }

    /// Counts another fault of a kind that is known, if nothing else about it would be kept. Crowds come to the same
    /// fault thousands of times, so this does without the fault itself.
    pub(crate) fn count_more(&mut self, is_same: impl Fn(&Fault) -> bool) -> bool {
        if self.has_room() || self.keeps_all() {
            return false;
        }
        let known = self.sums.iter_mut().find(|sum| is_same(&sum.first));
        if let Some(sum) = known {
            sum.count += 1;
            self.total += 1;
            return true;
        }
        false
    }

    /// Counts a fault if it is one of those that are known, or if no more are told apart.
    pub(super) fn count(&mut self, node: NodeId, kind: &FaultKind) -> bool {
        match self.sums.iter_mut().find(|sum| sum.is_of(node, kind)) {
            Some(sum) => sum.count += 1,
            None => return self.sums.len() >= Self::CAPACITY,
        }
        true
    }

    pub(super) fn begin_sum(&mut self, first: &Fault, count: u64) {
        // All at once: later ticks do not allocate.
        self.sums.reserve_exact(Self::CAPACITY - self.sums.len());
        self.sums.push(FaultSum {
            first: first.clone(),
            count,
        });
    }

    /// Adds what another list has counted.
    pub(super) fn add_sum(&mut self, more: FaultSum) {
        let Fault { node, kind, .. } = &more.first;
        if let Some(sum) = self.sums.iter_mut().find(|sum| sum.is_of(*node, kind)) {
            sum.count += more.count;
        } else if self.sums.len() < Self::CAPACITY {
            self.sums.push(more);
        }
    }
}
