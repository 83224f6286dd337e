//! Semaphores that agents share: places are given at the end of a tick, in the order of the agents.

use super::Population;
use crate::behaviour::Scope;

impl Population {
    /// Counts who has places of what is shared, where an expression may ask. Most programs have no semaphores.
    #[inline(always)]
    pub(super) fn count_places(&mut self) {
        if self.program.asks_places {
            self.count_shared_places();
        }
    }

    /// Gives free places to those who ask.
    #[inline(always)]
    pub(super) fn give_places(&mut self) {
        if !self.program.code.shared_semaphores.is_empty() {
            self.give_shared_places();
        }
    }

    #[cold]
    fn count_shared_places(&mut self) {
        let program = std::sync::Arc::clone(&self.program);
        let semaphores = program.behaviour.semaphores();
        // A tick allocates nothing: there are as many groups as the last time, unless somebody has made more.
        let groups = self.taken.len();
        self.taken_places.resize(groups * semaphores.len(), 0);
        self.taken_places.fill(0);
        for op in program.code.semaphores.iter().filter(|op| op.shared) {
            let index = op.semaphore.index();
            let scope = semaphores[index].scope;
            self.for_each_in_slot(op.held, |population, agent| {
                let group = population.sharing_group(scope, agent);
                population.taken_places[group * semaphores.len() + index] += 1;
            });
        }
    }

    #[cold]
    fn give_shared_places(&mut self) {
        let program = std::sync::Arc::clone(&self.program);
        let code = &program.code;
        for (index, semaphore) in program.behaviour.semaphores().iter().enumerate() {
            if semaphore.scope == Scope::Agent {
                continue;
            }
            let of_name = |op: &&crate::program::op::SemaphoreOp| op.semaphore.index() == index;
            let op = |index: &u32| &code.semaphores[*index as usize];
            let ops = || code.shared_semaphores.iter().map(op).filter(of_name);
            self.taken.fill(0);
            for op in ops() {
                self.for_each_in_slot(op.held, |population, agent| {
                    let group = population.sharing_group(semaphore.scope, agent);
                    population.taken[group] += 1;
                });
            }
            // The agents in order; of one agent the nodes in document order.
            for word in 0..self.len.div_ceil(64) {
                let mut asking = ops().fold(0, |all, op| all | *self.slot_word(op.asking, word));
                while asking != 0 {
                    let bit = asking & asking.wrapping_neg();
                    asking &= asking - 1;
                    let agent = word * 64 + bit.trailing_zeros() as usize;
                    let group = self.sharing_group(semaphore.scope, agent);
                    for op in ops() {
                        if *self.slot_word(op.asking, word) & bit != 0
                            && self.taken[group] < semaphore.places
                        {
                            self.taken[group] += 1;
                            *self.slot_word(op.asking, word) &= !bit;
                            *self.slot_word(op.held, word) |= bit;
                            self.use_slot(op.held, word);
                        }
                    }
                }
            }
        }
    }

    /// Which of those who share a thing the agent belongs to.
    fn sharing_group(&self, scope: Scope, agent: usize) -> usize {
        match scope {
            Scope::Group => self.group(agent) as usize,
            Scope::Agent | Scope::World => 0,
        }
    }

    fn for_each_in_slot(&mut self, slot: u32, mut each: impl FnMut(&mut Self, usize)) {
        for word in 0..self.len.div_ceil(64) {
            let mut rest = *self.slot_word(slot, word);
            while rest != 0 {
                each(self, word * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// The bits of a slot of 64 agents.
    fn slot_word(&mut self, slot: u32, word: usize) -> &mut u64 {
        let words = self.size.words;
        let state = self.chunk_mut(word / words);
        &mut state[slot as usize * words + word % words]
    }

    /// Notes that a slot may have a bit set.
    fn use_slot(&mut self, slot: u32, word: usize) {
        let used = self.parts.used;
        let words = self.size.words;
        self.chunk_mut(word / words)[used + slot as usize / 64] |= 1 << (slot % 64);
    }
}
