//! A search in words, to be continued later.

use super::StepSet;
use super::desk::{Choice, Desk, Move, Reached, Todo};
use crate::behaviour::Doing;
use std::cmp::Reverse;

/// How many words there are before the lists.
const HEAD: usize = 14;

/// Words one after the other.
struct Words<'w>(&'w [u64]);

impl<'w> Words<'w> {
    fn one(&mut self) -> Option<u64> {
        self.many(1).map(|words| words[0])
    }

    fn many(&mut self, count: usize) -> Option<&'w [u64]> {
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first)
    }

    fn two(&mut self) -> Option<(u32, u32)> {
        self.one().map(halves)
    }
}

fn two(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

fn halves(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}

impl Desk {
    /// How many words the search takes.
    pub(super) fn packed_words(&self) -> usize {
        HEAD + self.planned
            + self.nodes.len() * 3
            + self.words.len()
            + self.open.len() * 2
            + self.batch.len()
            + self.prices.len()
            + self.todo.len()
            + self.choices.len() * 3
            + self.plan.len()
    }

    /// Adds the search to a list of words.
    pub(super) fn pack(&self, to: &mut Vec<u64>) {
        let bad = self.bad_costs.0;
        let (kind, entry, choice) = match self.move_next {
            Move::Take(entry) => (0, entry, Choice::default()),
            Move::Choose(choice) => (1, 0, choice),
            Move::Undo => (2, 0, Choice::default()),
        };
        let flags = u32::from(self.is_checked) | u32::from(self.was_cut) << 1;
        let [first, second, third] = choice.pack();
        let head: [u64; HEAD] = [
            two(self.expansions, flags),
            two(self.looked_at as u32, self.planned as u32),
            bad as u64,
            (bad >> 64) as u64,
            two(kind, entry),
            first,
            second,
            third,
            two(self.nodes.len() as u32, self.open.len() as u32),
            self.words.len() as u64,
            two(self.batch.len() as u32, self.prices.len() as u32),
            two(self.todo.len() as u32, self.choices.len() as u32),
            self.plan.len() as u64,
            0,
        ];
        to.extend(head);
        to.extend_from_slice(&self.here[..self.planned]);
        to.extend(self.nodes.iter().flat_map(Reached::pack));
        to.extend_from_slice(&self.words);
        let open = self.open.iter();
        to.extend(open.flat_map(|Reverse((rank, node))| [*rank, u64::from(*node)]));
        to.extend(self.batch.iter().map(|node| u64::from(*node)));
        to.extend_from_slice(&self.prices);
        to.extend(self.todo.iter().map(Todo::pack));
        to.extend(self.choices.iter().flat_map(Choice::pack));
        to.extend(self.plan.iter().map(|step| u64::from(*step)));
    }

    /// Puts a search from a situation on the desk that was packed. Returns whether there are words enough.
    pub(super) fn unpack(&mut self, situation: &[u64], packed: &[u64]) -> Option<()> {
        let mut words = Words(packed);
        let (expansions, flags) = words.two()?;
        let (looked_at, planned) = words.two()?;
        self.clear(planned as usize, situation);
        self.expansions = expansions;
        (self.is_checked, self.was_cut) = (flags & 1 != 0, flags & 2 != 0);
        self.looked_at = looked_at as usize;
        let bad = words.many(2)?;
        self.bad_costs = StepSet(u128::from(bad[0]) | u128::from(bad[1]) << 64);
        let (kind, entry) = words.two()?;
        let choice = Choice::unpack(words.many(3)?);
        self.move_next = match kind {
            0 => Move::Take(entry),
            1 => Move::Choose(choice),
            _ => Move::Undo,
        };
        let (nodes, open) = words.two()?;
        let of_nodes = words.one()? as usize;
        let (batch, prices) = words.two()?;
        let (todo, choices) = words.two()?;
        let plan = words.many(2)?[0] as usize;
        let planned = planned as usize;
        self.here[..planned].copy_from_slice(words.many(planned)?);
        let nodes = words.many(nodes as usize * 3)?.chunks(3);
        self.nodes.extend(nodes.map(Reached::unpack));
        self.words.extend_from_slice(words.many(of_nodes)?);
        let mut heap = std::mem::take(&mut self.open).into_vec();
        let open = words.many(open as usize * 2)?.chunks(2);
        heap.extend(open.map(|two| Reverse((two[0], two[1] as u32))));
        self.open = heap.into();
        let batch = words.many(batch as usize)?.iter();
        self.batch.extend(batch.map(|node| *node as u32));
        self.prices.extend_from_slice(words.many(prices as usize)?);
        let todo = words.many(todo as usize)?.iter();
        self.todo.extend(todo.map(|todo| Todo::unpack(*todo)));
        let choices = words.many(choices as usize * 3)?.chunks(3);
        self.choices.extend(choices.map(Choice::unpack));
        let plan = words.many(plan)?.iter();
        self.plan.extend(plan.map(|step| *step as u8));
        self.find_places();
        Some(())
    }
}

impl Reached {
    fn pack(&self) -> [u64; 3] {
        let small = u32::from(self.step) | u32::from(self.steps) << 8;
        let small = small | u32::from(self.is_closed) << 16;
        [self.cost, self.estimate, two(small, self.parent)]
    }

    fn unpack(words: &[u64]) -> Self {
        let (small, parent) = halves(words[2]);
        Self {
            cost: words[0],
            estimate: words[1],
            parent,
            steps: (small >> 8) as u8,
            step: small as u8,
            is_closed: small >> 16 != 0,
        }
    }
}

impl Todo {
    fn pack(&self) -> u64 {
        let (kind, index) = match self.doing {
            Doing::Step(step) => (0, step),
            Doing::Task(task) => (1, task),
        };
        two(kind | self.level << 1 | (index as u32) << 16, self.next)
    }

    fn unpack(word: u64) -> Self {
        let (small, next) = halves(word);
        let index = (small >> 16) as usize;
        Self {
            doing: match small & 1 {
                0 => Doing::Step(index),
                _ => Doing::Task(index),
            },
            level: small >> 1 & 0x7fff,
            next,
        }
    }
}

impl Choice {
    fn pack(&self) -> [u64; 3] {
        [
            two(self.task, self.level),
            two(self.after, self.todos),
            two(self.steps, self.next_method),
        ]
    }

    fn unpack(words: &[u64]) -> Self {
        let [(task, level), (after, todos), (steps, next_method)] =
            [halves(words[0]), halves(words[1]), halves(words[2])];
        Self {
            task,
            level,
            after,
            todos,
            steps,
            next_method,
        }
    }
}
