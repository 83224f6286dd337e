//! Semaphores that agents share: at the end of a tick, places go to the agents that have waited longest.

use crate::behaviour::Scope;
use crate::blackboard::Cells;
use crate::ids::SemaphoreId;
use crate::population::Population;
use std::cmp::Reverse;
use std::sync::Arc;

/// An agent that asks for a place. Places are given in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Waiting {
    /// How many ticks of its population it has been asking.
    ticks: Reverse<u32>,
    /// Its population among those that share the semaphore.
    pub(crate) population: u32,
    agent: u32,
    /// Its node among those with that semaphore, in document order.
    nth: u32,
    group: u32,
}

/// The agents that hold or ask for places of a semaphore. It is kept from tick to tick, so that a tick does not
/// have to allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// By group.
    pub(crate) taken: Vec<u32>,
    waiting: Vec<Waiting>,
}

impl Line {
    /// Starts without holders and without waiting agents.
    pub(crate) fn begin(&mut self, groups: usize) {
        self.taken.clear();
        self.taken.resize(groups, 0);
        self.waiting.clear();
    }

    /// Gives out the free places of all groups; each group has `places` of them.
    pub(crate) fn give(&mut self, places: u32, mut admit: impl FnMut(&Waiting)) {
        self.waiting.sort_unstable();
        for waiting in &self.waiting {
            let taken = &mut self.taken[waiting.group as usize];
            if *taken < places {
                *taken += 1;
                admit(waiting);
            }
        }
    }
}

impl Population {
    /// Counts the taken places of shared semaphores, if an expression may ask for them. Most programs have no
    /// semaphores.
    #[inline(always)]
    pub(in crate::population) fn count_places(&mut self) {
        if self.durable.program.asks_places {
            self.count_shared_places();
        }
    }

    /// Gives free places to the agents that ask for one.
    #[inline(always)]
    pub(in crate::population) fn give_places(&mut self) {
        if !self.durable.program.code.shared_semaphores.is_empty() {
            self.give_shared_places();
        }
    }

    #[cold]
    fn count_shared_places(&mut self) {
        let mut line = std::mem::take(&mut self.working.line);
        for index in 0..self.durable.program.behaviour.semaphores().len() {
            line.begin(self.groups());
            self.count_holders(index, &mut line);
            self.show_taken_places(index, &line);
        }
        self.working.line = line;
    }

    /// Sets the places of a semaphore that expressions see as taken in the next tick.
    pub(crate) fn show_taken_places(&mut self, index: usize, line: &Line) {
        let semaphores = self.durable.program.behaviour.semaphores().len();
        // A tick must not allocate: the number of groups is the same as last time, unless the game has added some.
        self.durable
            .taken_places
            .resize(self.groups() * semaphores, 0);
        for (group, taken) in line.taken.iter().enumerate() {
            self.durable.taken_places[group * semaphores + index] = *taken;
        }
    }

    #[cold]
    fn give_shared_places(&mut self) {
        let program = Arc::clone(&self.durable.program);
        let mut line = std::mem::take(&mut self.working.line);
        for (index, semaphore) in program.behaviour.semaphores().iter().enumerate() {
            line.begin(self.groups());
            self.count_holders(index, &mut line);
            self.stand_in_line(index, 0, &mut line);
            line.give(semaphore.places, |waiting| self.admit(index, waiting));
        }
        self.working.line = line;
    }

    /// The agents that hold places of a shared semaphore, in order; an agent that holds several is listed several
    /// times. The own semaphores of agents have nobody to wait for, and this is empty.
    ///
    /// # Panics
    /// When there is no such semaphore.
    pub fn holders(&self, semaphore: SemaphoreId) -> Vec<usize> {
        assert!(semaphore.index() < self.durable.program.behaviour.semaphores().len());
        let mut holders = Vec::new();
        for op in self
            .durable
            .program
            .code
            .shared_semaphores_of(semaphore.index())
        {
            holders.extend((0..self.durable.len).filter(|agent| self.has_slot(*agent, op.held)));
        }
        holders.sort_unstable();
        holders
    }

    /// Counts the agents that hold a place of a semaphore, if it is shared.
    pub(crate) fn count_holders(&mut self, index: usize, line: &mut Line) {
        let program = Arc::clone(&self.durable.program);
        let scope = program.behaviour.semaphores()[index].scope;
        for op in program.code.shared_semaphores_of(index) {
            self.for_each_in_slot(op.held, |population, agent| {
                line.taken[population.sharing_group(scope, agent)] += 1;
            });
        }
    }

    /// Adds the agents that ask for a place of a semaphore, if it is shared and the agent's group has places left.
    pub(crate) fn stand_in_line(&mut self, index: usize, population: u32, line: &mut Line) {
        let program = Arc::clone(&self.durable.program);
        let semaphore = &program.behaviour.semaphores()[index];
        let most = self.durable.len * program.code.shared_semaphores_of(index).count();
        line.waiting.reserve(most);
        for (nth, op) in program.code.shared_semaphores_of(index).enumerate() {
            self.for_each_in_slot(op.asking, |asked, agent| {
                let group = asked.sharing_group(semaphore.scope, agent);
                if line.taken[group] < semaphore.places {
                    let ticks = asked
                        .durable
                        .tick
                        .wrapping_sub(asked.run_number(op.since, agent));
                    line.waiting.push(Waiting {
                        ticks: Reverse(ticks.try_into().unwrap_or(u32::MAX)),
                        population,
                        agent: agent as u32,
                        nth: nth as u32,
                        group: group as u32,
                    });
                }
            });
        }
    }

    /// Gives an agent the place that it asks for.
    pub(crate) fn admit(&mut self, index: usize, waiting: &Waiting) {
        let program = Arc::clone(&self.durable.program);
        let mut ops = program.code.shared_semaphores_of(index);
        let op = ops.nth(waiting.nth as usize).expect("it has asked there");
        let agent = waiting.agent as usize;
        let (word, bit) = (agent / 64, 1 << (agent % 64));
        *self.slot_word(op.asking, word) &= !bit;
        *self.slot_word(op.held, word) |= bit;
        self.use_slot(op.held, word);
    }

    /// The value of an agent in a wide column of the nodes' state.
    fn run_number(&self, column: u32, agent: usize) -> u64 {
        let (chunk, lane) = self.place(agent);
        let cells = &self.chunk(chunk)[self.durable.parts.run..self.durable.parts.end];
        Cells::new(&self.durable.parts.run_layout, cells).wide(column)[lane]
    }

    /// The index of the agent's group among those that share something of this scope.
    fn sharing_group(&self, scope: Scope, agent: usize) -> usize {
        match scope {
            Scope::Group => self.group(agent) as usize,
            Scope::Agent | Scope::World => 0,
        }
    }

    pub(in crate::population) fn for_each_in_slot(
        &mut self,
        slot: u32,
        mut each: impl FnMut(&mut Self, usize),
    ) {
        for word in 0..self.durable.len.div_ceil(64) {
            let mut rest = *self.slot_word(slot, word);
            while rest != 0 {
                each(self, word * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// The bits of a slot of 64 agents.
    fn slot_word(&mut self, slot: u32, word: usize) -> &mut u64 {
        let words = self.durable.size.words;
        let state = self.chunk_mut(word / words);
        &mut state[slot as usize * words + word % words]
    }

    /// Records that a slot may have a bit set.
    fn use_slot(&mut self, slot: u32, word: usize) {
        let used = self.durable.parts.used;
        let words = self.durable.size.words;
        self.chunk_mut(word / words)[used + slot as usize / 64] |= 1 << (slot % 64);
    }
}
