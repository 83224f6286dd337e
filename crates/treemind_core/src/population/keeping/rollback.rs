//! The last ticks of a population, kept so that it can go back to any of them.

use crate::blackboard::{Shared, Size};
use crate::fault::Faults;
use crate::host::outbox::Outbox;
use crate::lives::Lives;
use crate::population::room::Parts;
use crate::population::settling::mail::Mail;
use crate::population::settling::requests::{Archetype, Newborn};
use crate::population::ticking::scratch::Scratch;
use crate::population::{Limits, Population};
use crate::program::Program;
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
    newest: Rest,
    /// How to get from each tick to the one before it, the oldest first.
    steps: VecDeque<Step>,
    /// A step that fell out, to be used again.
    spare: Option<Step>,
}

/// The way from a tick to the one before it.
#[derive(Clone, Debug)]
struct Step {
    before: Rest,
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

/// Everything but the chunks.
#[derive(Clone, Debug)]
struct Rest {
    program: Arc<Program>,
    len: usize,
    size: Size,
    parts: Parts,
    skipped_ever: bool,
    now_ns: u64,
    dt_ns: u64,
    tick: u64,
    seed: u64,
    ids: Vec<u64>,
    next_id: u64,
    lives: Lives,
    next_in_turn: usize,
    first_new_id: u64,
    archetypes: Vec<Archetype>,
    newborns: Vec<Newborn>,
    taken_places: Vec<u32>,
    shared: Option<Box<Shared>>,
    faults: Faults,
    limits: Limits,
    mail: Mail,
}

impl Rest {
    /// What there is now, in the memory of what was kept before.
    fn of(population: &Population, before: Option<Self>) -> Self {
        let before = before.map(|rest| (rest.ids, rest.taken_places, rest.shared));
        let (mut kept_ids, mut kept_places, mut kept_shared) = before.unwrap_or_default();
        // A new field has to be named here, so nobody forgets to keep it.
        let Population {
            program,
            state: _,
            scratch: _,
            #[cfg(feature = "rayon")]
                workers: _,
            len,
            size,
            parts,
            skipped_ever,
            sweeps_all: _,
            now_ns,
            dt_ns,
            tick,
            seed,
            ids,
            next_id,
            lives,
            next_in_turn,
            first_new_id,
            archetypes,
            newborns,
            line: _,
            taken_places,
            shared,
            outbox,
            limits,
            mail,
            routes: _,
            sent_values: _,
            lost_letters: _,
            delivery: _,
            before: _,
        } = population;
        kept_ids.clone_from(ids);
        kept_places.clone_from(taken_places);
        kept_shared.clone_from(shared);
        Self {
            program: Arc::clone(program),
            len: *len,
            size: *size,
            parts: *parts,
            skipped_ever: *skipped_ever,
            now_ns: *now_ns,
            dt_ns: *dt_ns,
            tick: *tick,
            seed: *seed,
            ids: kept_ids,
            next_id: *next_id,
            lives: match population.is_joined() {
                // The society counts again who lives when it goes back. A second owner of its census would have it
                // copied in each step.
                true => lives.without_census(),
                false => lives.clone(),
            },
            next_in_turn: *next_in_turn,
            first_new_id: *first_new_id,
            archetypes: archetypes.clone(),
            newborns: newborns.clone(),
            taken_places: kept_places,
            shared: kept_shared,
            faults: outbox.faults.clone(),
            limits: *limits,
            mail: mail.clone(),
        }
    }

    /// Makes a population what it was.
    fn put_into(&self, population: &mut Population) {
        let Self {
            program,
            len,
            size,
            parts,
            skipped_ever,
            now_ns,
            dt_ns,
            tick,
            seed,
            ids,
            next_id,
            lives,
            next_in_turn,
            first_new_id,
            archetypes,
            newborns,
            taken_places,
            shared,
            faults,
            limits,
            mail,
        } = self;
        if population.size != *size || !Arc::ptr_eq(&population.program, program) {
            population.scratch = Scratch::new(program, size.words, size.lanes);
            #[cfg(feature = "rayon")]
            population.workers.clear();
        }
        population.program = Arc::clone(program);
        (population.len, population.size, population.parts) = (*len, *size, *parts);
        population.skipped_ever = *skipped_ever;
        (population.now_ns, population.dt_ns) = (*now_ns, *dt_ns);
        (population.tick, population.seed) = (*tick, *seed);
        population.ids.clone_from(ids);
        population.next_id = *next_id;
        population.lives.clone_from(lives);
        population.next_in_turn = *next_in_turn;
        population.first_new_id = *first_new_id;
        population.archetypes.clone_from(archetypes);
        population.newborns.clone_from(newborns);
        population.taken_places.clone_from(taken_places);
        population.shared.clone_from(shared);
        population.outbox = Outbox {
            faults: faults.clone(),
            ..Outbox::default()
        };
        population.limits = *limits;
        population.mail.clone_from(mail);
        population.lost_letters.clear();
    }

    fn bytes(&self) -> usize {
        let shared = self.shared.as_ref().map_or(0, |shared| shared.bytes());
        self.ids.capacity() * 8
            + self.lives.bytes()
            + self.taken_places.capacity() * 4
            + shared
            + self.mail.bytes()
            + size_of::<Self>()
    }
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
            newest: Rest::of(population, None),
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
        let spare = self.spare.take().map(|step| (step.before, step.changes));
        let (rest, mut changes) = match spare {
            Some((rest, changes)) => (Some(rest), changes),
            None => (None, Changes::default()),
        };
        let now = Rest::of(population, rest);
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
        self.newest.put_into(population);
    }

    /// The bytes of everything that is kept.
    pub fn bytes(&self) -> usize {
        let chunks = self.chunks.iter().map(|chunk| chunk.len() * 8);
        let steps = self.steps.iter();
        let steps = steps.map(|step| step.changes.bytes() + step.before.bytes());
        chunks.sum::<usize>() + self.newest.bytes() + steps.sum::<usize>()
    }
}
