//! The working memory of searches. Once it has grown, nothing is allocated.

use super::StepSet;
use crate::behaviour::Doing;

/// No situation, or the end of a list.
pub(super) const NONE: u32 = u32::MAX;

/// The working memory of searches; the plan that was found last is here.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    /// The steps of the plan that was found.
    pub plan: Vec<u8>,
    /// The expansions of the last search.
    pub expansions: u32,
    /// The steps whose cost was none where they could have been used.
    pub bad_costs: StepSet,
    /// The situation that is looked at, and the one that a step leads to.
    pub(super) here: Vec<u64>,
    pub(super) next: Vec<u64>,
    /// The words of a situation that change.
    pub(super) planned: usize,
    /// The situations reached, and their words one after the other.
    pub(super) nodes: Vec<Reached>,
    pub(super) words: Vec<u64>,
    /// Where a situation is, by its hash.
    pub(super) table: Vec<Place>,
    pub(super) round: u32,
    /// The open situations, the lowest rank first; outdated entries stay.
    pub(super) open: std::collections::BinaryHeap<std::cmp::Reverse<(u64, u32)>>,
    /// Those of the rank that is looked at.
    pub(super) batch: Vec<u32>,
    pub(super) prices: Vec<u64>,
    /// What is to be done by tasks: each entry names the next.
    pub(super) todo: Vec<Todo>,
    pub(super) choices: Vec<Choice>,
}

/// A situation that a search has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) cost: u64,
    pub(super) estimate: u64,
    pub(super) parent: u32,
    pub(super) steps: u8,
    pub(super) step: u8,
    pub(super) is_closed: bool,
}

/// An entry of the table: the round that it belongs to, and the situation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) round: u32,
    pub(super) node: u32,
}

/// Something to be done, how deep it is in tasks, and what is to be done after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Todo {
    pub(super) doing: Doing,
    pub(super) level: u32,
    pub(super) next: u32,
}

/// A task for which a method was chosen, and what there was before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) task: u32,
    pub(super) level: u32,
    pub(super) after: u32,
    pub(super) todos: u32,
    pub(super) steps: u32,
    pub(super) next_method: u32,
}

impl Desk {
    /// Begins a search at a situation of which the first words change.
    pub(super) fn clear(&mut self, planned: usize, situation: &[u64]) {
        self.plan.clear();
        self.expansions = 0;
        self.bad_costs = StepSet::default();
        self.here.clear();
        self.here.extend_from_slice(situation);
        self.next.clear();
        self.next.extend_from_slice(situation);
        self.planned = planned;
        self.nodes.clear();
        self.words.clear();
        self.open.clear();
        self.batch.clear();
        self.todo.clear();
        self.choices.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.table.fill(Place::default());
            self.round = 1;
        }
        if self.table.is_empty() {
            self.table.resize(64, Place::default());
        }
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        (self.here.capacity() + self.next.capacity() + self.words.capacity()) * 8
            + self.nodes.capacity() * size_of::<Reached>()
            + self.table.capacity() * size_of::<Place>()
            + self.open.capacity() * 16
            + self.todo.capacity() * size_of::<Todo>()
            + self.choices.capacity() * size_of::<Choice>()
            + self.batch.capacity() * 4
            + self.prices.capacity() * 8
            + self.plan.capacity()
    }

    /// The words of a situation.
    pub(super) fn words_of(&self, node: u32) -> &[u64] {
        &self.words[node as usize * self.planned..][..self.planned]
    }

    fn hash_next(&self) -> usize {
        let mut hash = 0u64;
        for word in &self.next[..self.planned] {
            hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 29;
        }
        (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
    }

    /// The node of the next situation, if it was reached before, or the place in the table where it belongs.
    pub(super) fn find_next(&self) -> Result<u32, usize> {
        let last = self.table.len() - 1;
        let mut at = self.hash_next() & last;
        loop {
            let place = self.table[at];
            if place.round != self.round {
                return Err(at);
            }
            if *self.words_of(place.node) == self.next[..self.planned] {
                return Ok(place.node);
            }
            at = (at + 1) & last;
        }
    }

    /// Adds the next situation at a place that was found for it. Returns its node.
    pub(super) fn add_next(&mut self, at: usize, reached: Reached) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(reached);
        self.words.extend_from_slice(&self.next[..self.planned]);
        self.table[at] = Place {
            round: self.round,
            node,
        };
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        node
    }

    /// Makes the table twice as large.
    #[cold]
    fn grow(&mut self) {
        let size = self.table.len() * 2;
        self.table.clear();
        self.table.resize(size, Place::default());
        let kept = std::mem::take(&mut self.next);
        for node in 0..self.nodes.len() as u32 {
            self.next.clear();
            let start = node as usize * self.planned;
            self.next
                .extend_from_slice(&self.words[start..start + self.planned]);
            let mut at = self.hash_next() & (size - 1);
            while self.table[at].round == self.round {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = Place {
                round: self.round,
                node,
            };
        }
        self.next = kept;
    }

    /// Stores the steps that lead to a situation as the plan.
    pub(super) fn keep_plan(&mut self, node: u32) {
        self.plan.clear();
        let mut at = node;
        while self.nodes[at as usize].parent != NONE {
            self.plan.push(self.nodes[at as usize].step);
            at = self.nodes[at as usize].parent;
        }
        self.plan.reverse();
    }

    /// Whether the steps to one situation, and then one more step, come before those to another: lists of one length,
    /// compared in document order.
    pub(super) fn comes_before(&self, (parent, step): (u32, u8), than: u32) -> bool {
        let other = self.nodes[than as usize];
        let (mut a, mut b) = (parent, other.parent);
        let mut first = step.cmp(&other.step);
        while a != b {
            let (left, right) = (self.nodes[a as usize], self.nodes[b as usize]);
            if left.step != right.step {
                first = left.step.cmp(&right.step);
            }
            (a, b) = (left.parent, right.parent);
        }
        first == std::cmp::Ordering::Less
    }
}
