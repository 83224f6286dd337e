//! The last ticks of a population, kept so that it can go back to any of them.

use crate::population::Population;
use crate::population::durable::{Durable, Spare};
use std::collections::VecDeque;
use std::sync::Arc;

/// The last ticks of a population. It can go back to any of them, and do the same again with the same inputs, or
/// something else with others, as a network game needs when an input arrives late.
///
/// For each tick, only the words that have changed are kept, beside one copy of the whole state.
///
/// The game's own world has to go back separately, and so do the states that it keeps for runs. A population that is in
/// a [society](crate::Society) goes back with its neighbours: see [`SocietyRollback`](crate::SocietyRollback).
#[derive(Clone, Debug)]
pub struct Rollback {
    /// How many ticks are kept at most.
    most: usize,
    /// The state of all chunks at the newest tick, and everything else.
    chunks: Vec<Box<[u64]>>,
    newest: Durable,
    /// How to get from each tick to the one before it, the oldest first.
    steps: VecDeque<Step>,
    /// A step that fell out, to be used again.
    spare: Option<Step>,
}

/// The way from a tick to the one before it.
#[derive(Clone, Debug)]
struct Step {
    before: Durable,
    changes: Changes,
}

/// What was in the chunks before.
#[derive(Clone, Debug, Default)]
struct Changes {
    /// Which words of each chunk were different: their positions, one chunk after the other.
    positions: Vec<u32>,
    words: Vec<u64>,
    /// Per chunk, where its words end.
    ends: Vec<usize>,
    /// Instead of these, all chunks, because they were of another size or number.
    all: Option<Vec<Box<[u64]>>>,
}

/// How many words are compared at once.
const BLOCK: usize = 16;

impl Changes {
    /// Finds the words in which the kept chunks differ from those of a population, notes them, and makes them equal.
    fn note(&mut self, kept: &mut Vec<Box<[u64]>>, now: &[Box<[u64]>]) {
        self.positions.clear();
        self.words.clear();
        self.ends.clear();
        self.all = None;
        let is_alike = kept.len() == now.len()
            && kept
                .iter()
                .zip(now)
                .all(|(kept, now)| kept.len() == now.len());
        if !is_alike {
            self.all = Some(std::mem::replace(kept, now.to_vec()));
            return;
        }
        for (kept, now) in kept.iter_mut().zip(now) {
            let blocks = kept.chunks_mut(BLOCK).zip(now.chunks(BLOCK));
            for (nth, (kept, now)) in blocks.enumerate() {
                if kept != now {
                    self.note_block(nth * BLOCK, kept, now);
                }
            }
            self.ends.push(self.words.len());
        }
    }

    #[inline(never)]
    fn note_block(&mut self, first: usize, kept: &mut [u64], now: &[u64]) {
        for (place, (kept, now)) in (first..).zip(kept.iter_mut().zip(now)) {
            if *kept != *now {
                self.positions.push(place as u32);
                self.words.push(std::mem::replace(kept, *now));
            }
        }
    }

    /// Makes chunks what they were.
    fn take_back(self, chunks: &mut Vec<Box<[u64]>>) {
        if let Some(all) = self.all {
            *chunks = all;
            return;
        }
        let mut from = 0;
        for (chunk, end) in chunks.iter_mut().zip(self.ends) {
            for (place, word) in self.positions[from..end].iter().zip(&self.words[from..end]) {
                chunk[*place as usize] = *word;
            }
            from = end;
        }
    }

    fn bytes(&self) -> usize {
        let all = self.all.iter().flatten();
        self.positions.capacity() * 4
            + self.words.capacity() * 8
            + self.ends.capacity() * 8
            + all.map(|chunk| chunk.len() * 8).sum::<usize>()
    }
}

impl Rollback {
    /// Keeps at most the last `ticks` ticks of a population, from now on.
    pub fn new(population: &Population, ticks: usize) -> Self {
        Self {
            most: ticks,
            chunks: population.state.clone(),
            newest: population.durable.kept(Spare::default()),
            steps: VecDeque::with_capacity(ticks),
            spare: None,
        }
    }

    /// Keeps the state of the population as it is now: call it after each tick. What was changed between ticks belongs
    /// to the tick after it.
    pub fn record(&mut self, population: &Population) {
        if self.steps.len() == self.most {
            self.spare = self.steps.pop_front().or(self.spare.take());
        }
        let (spare, mut changes) = match self.spare.take() {
            Some(mut step) => (step.before.take_memory(), step.changes),
            None => Default::default(),
        };
        let now = population.durable.kept(spare);
        let before = std::mem::replace(&mut self.newest, now);
        changes.note(&mut self.chunks, &population.state);
        self.steps.push_back(Step { before, changes });
        if self.steps.len() > self.most {
            self.spare = self.steps.pop_front();
        }
    }

    /// The number of the oldest tick that it can go back to.
    pub fn oldest(&self) -> u64 {
        let oldest = self.steps.front();
        oldest.map_or(self.newest.tick, |step| step.before.tick)
    }

    /// The number of the newest tick.
    pub fn newest(&self) -> u64 {
        self.newest.tick
    }

    /// Makes the population what it was after a tick, with the same handles and faults, and forgets the ticks after
    /// that. `false`, and nothing has changed, if that tick is not kept.
    pub fn go_back(&mut self, population: &mut Population, tick: u64) -> bool {
        if !(self.oldest()..=self.newest()).contains(&tick) {
            return false;
        }
        population.touch();
        while self.newest.tick > tick && self.take_back() {}
        self.put_into(population);
        true
    }

    /// Makes the population what it was this many records ago, and forgets those after that.
    pub(crate) fn go_back_by(&mut self, population: &mut Population, records: usize) {
        (0..records).all(|_| self.take_back());
        self.put_into(population);
    }

    /// Forgets the newest record. Returns whether there is one before it.
    fn take_back(&mut self) -> bool {
        let Some(Step { before, changes }) = self.steps.pop_back() else {
            return false;
        };
        changes.take_back(&mut self.chunks);
        self.newest = before;
        true
    }

    fn put_into(&self, population: &mut Population) {
        population.state.clone_from(&self.chunks);
        let (size, program) = (self.newest.size, &self.newest.program);
        if population.durable.size != size || !Arc::ptr_eq(&population.durable.program, program) {
            population.working.fit(program, size);
        }
        let memory = population.durable.take_memory();
        population.durable = self.newest.kept(memory);
        population.working.lost_letters.clear();
    }

    /// The bytes of everything that is kept.
    pub fn bytes(&self) -> usize {
        let chunks = self.chunks.iter().map(|chunk| chunk.len() * 8);
        let steps = self.steps.iter();
        let steps = steps.map(|step| step.changes.bytes() + step.before.bytes());
        chunks.sum::<usize>() + self.newest.bytes() + steps.sum::<usize>()
    }
}
