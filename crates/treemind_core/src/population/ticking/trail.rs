//! The last microsteps of statecharts that have taken many, for the description of a livelock.

use crate::program::op::Code;

/// Room for this many transitions is allocated from the start; few machines ever need any.
const ROOM: usize = 128;

/// The transitions that were taken, with their step and agents.
#[derive(Clone, Debug, Default)]
pub(in crate::population) struct Trail {
    step: u32,
    /// The step and the transition's number.
    taken: Vec<(u32, u32)>,
    /// The agents of each transition, as a fixed number of words.
    agents: Vec<u64>,
}

impl Trail {
    /// An empty trail for chunks of this many words.
    pub(in crate::population) fn new(code: &Code, words: usize) -> Self {
        let is_needed = code.machines.iter().any(|machine| machine.statechart);
        let room = if is_needed { ROOM } else { 0 };
        Self {
            step: 0,
            taken: Vec::with_capacity(room),
            agents: Vec::with_capacity(room * words),
        }
    }

    /// Begins a step: the transitions recorded from here on are taken at the same time.
    pub(in crate::population) fn begin_step(&mut self) {
        self.step = self.step.wrapping_add(1);
    }

    /// Records that some agents take a transition.
    pub(in crate::population) fn note(&mut self, number: u32, agents: &[u64]) {
        self.taken.push((self.step, number));
        self.agents.extend_from_slice(agents);
    }

    /// How many transitions are recorded.
    pub(in crate::population) fn len(&self) -> usize {
        self.taken.len()
    }

    /// Discards all records after the first `len`.
    pub(in crate::population) fn truncate(&mut self, len: usize) {
        if let Some(words) = self.agents.len().checked_div(self.taken.len()) {
            self.agents.truncate(len * words);
            self.taken.truncate(len);
        }
    }

    /// The last steps of an agent, at most `most`: the transitions of each.
    pub(in crate::population) fn of(
        &self,
        lane: usize,
        words: usize,
        most: usize,
    ) -> Vec<Vec<usize>> {
        let mut steps: Vec<Vec<usize>> = Vec::new();
        let mut last = None;
        for (&(step, number), agents) in self.taken.iter().zip(self.agents.chunks(words)) {
            if agents[lane / 64] >> (lane % 64) & 1 == 0 {
                continue;
            }
            match steps.last_mut().filter(|_| last == Some(step)) {
                Some(together) => together.push(number as usize),
                None => steps.push(vec![number as usize]),
            }
            last = Some(step);
        }
        let first = steps.len().saturating_sub(most);
        steps.split_off(first)
    }

    pub(in crate::population) fn bytes(&self) -> usize {
        self.taken.capacity() * size_of::<(u32, u32)>() + self.agents.capacity() * 8
    }
}
