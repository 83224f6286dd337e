//! Agents that are removed, one by one or many at once.

use crate::host::Host;
use crate::population::Population;
use crate::population::ticking::Aborted;
use crate::trace::untraced;

impl Population {
    /// Removes an agent, after aborting everything that it runs. Does nothing if there is no such agent.
    pub fn remove(&mut self, agent: usize, host: &mut dyn Host) {
        if self.is_alive(agent) {
            self.abort_with(host, Aborted::One(agent), &mut untraced());
            self.end_life(agent);
        }
    }

    /// Removes agents, after aborting everything that they run. Indices without an agent are left out. This is faster
    /// than removing them one by one, and the host is called for many agents at once. What they write to shared keys
    /// while they are aborted takes effect together, as in a tick.
    pub fn remove_many(&mut self, agents: impl IntoIterator<Item = usize>, host: &mut dyn Host) {
        let mut words = vec![0; self.state.len() * self.durable.size.words];
        let mut is_empty = true;
        for agent in agents {
            if self.is_alive(agent) {
                words[agent / 64] |= 1 << (agent % 64);
                is_empty = false;
            }
        }
        if is_empty {
            return;
        }
        self.abort_with(host, Aborted::Many(&words), &mut untraced());
        for (word, &agents) in words.iter().enumerate() {
            let mut rest = agents;
            while rest != 0 {
                self.end_life(word * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// Gives back the memory of the last chunks if no agent lives in them. Then there are fewer
    /// [indices](Self::len); no agent moves. Agents that are added later start with new generations.
    pub fn shrink(&mut self) {
        self.touch();
        let words = self.durable.size.words;
        let is_empty = |chunk: &[u64]| chunk[..words].iter().all(|word| *word == 0);
        let before = self.state.len();
        while self.state.last().is_some_and(|chunk| is_empty(chunk)) {
            self.state.pop();
        }
        if self.state.len() == before {
            return;
        }
        self.state.shrink_to_fit();
        if self.durable.ids.is_empty() {
            self.durable.ids = (0..self.durable.len as u64).collect();
        }
        self.durable.len = self.state.len() * self.durable.size.lanes;
        self.durable.ids.truncate(self.durable.len);
        self.durable.ids.shrink_to_fit();
        self.durable.lives.cut(self.durable.len);
        if let Some(shared) = &mut self.durable.shared {
            shared.forget_agents(self.durable.len);
        }
    }
}
