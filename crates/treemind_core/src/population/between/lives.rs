//! Handles of agents, and which agents live.

use crate::ids::{AgentId, Dead};
use crate::lives::{Census, Change};
use crate::population::Population;
use std::sync::Arc;

impl Population {
    /// The handle of the agent with this index; `None` if none lives there.
    pub fn id_of(&self, agent: usize) -> Option<AgentId> {
        self.durable
            .lives
            .id(agent)
            .filter(|_| self.is_alive(agent))
    }

    /// Whether the agent came after the last tick had begun, so that it has no past.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn is_newborn(&self, agent: usize) -> bool {
        self.stable_id(agent) >= self.durable.first_new_id
    }

    /// The index of an agent.
    ///
    /// # Errors
    /// When it was removed, or it is of another population: of another number, because the population has joined or
    /// left a society since the handle was taken.
    pub fn index_of(&self, id: AgentId) -> Result<usize, Dead> {
        let index = id.index();
        if self.id_of(index) == Some(id) {
            Ok(index)
        } else {
            Err(Dead)
        }
    }

    /// Whether there is an agent with this index.
    pub fn is_alive(&self, agent: usize) -> bool {
        if agent >= self.durable.len {
            return false;
        }
        let (chunk, lane) = self.place(agent);
        self.chunk(chunk)[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Records that an agent has died, of which everything was aborted, unless it was dead.
    pub(in crate::population) fn end_life(&mut self, agent: usize) {
        if !self.is_alive(agent) {
            return;
        }
        let (chunk, lane) = self.place(agent);
        let state = &mut self.state[chunk];
        state[lane / 64] &= !(1 << (lane % 64));
        self.durable.parts.end_due_time(state, lane);
        if let (true, Some(id)) = (
            self.durable.lives.are_counted(),
            self.durable.lives.id(agent),
        ) {
            self.durable
                .lives
                .note(Change::Death(id, self.group(agent)));
        }
        self.durable.lives.end(agent);
        self.durable.mail.forget(agent);
    }

    /// Begins to count who lives, if the population is in no society and its program asks.
    pub(in crate::population) fn count_itself(&mut self) {
        let census = self.durable.program.asks_census.then(|| {
            let mut census = Census::default();
            self.count_into(&mut census);
            Arc::new(census)
        });
        self.durable.lives.count(census, false);
    }

    /// Counts all agents.
    pub(crate) fn count_into(&self, census: &mut Census) {
        for (id, group) in self.living() {
            census.apply(Change::Birth(id, group));
        }
    }

    /// The agents of a group, in the order of their indices. This looks at every agent.
    pub fn members(&self, group: u32) -> impl Iterator<Item = AgentId> + '_ {
        let living = self.living();
        living.filter_map(move |(id, its_group)| (its_group == group).then_some(id))
    }

    /// All agents in the order of their indices, with their groups.
    pub(crate) fn living(&self) -> impl Iterator<Item = (AgentId, u32)> + Clone + '_ {
        (0..self.durable.len).filter_map(|agent| Some((self.id_of(agent)?, self.group(agent))))
    }

    /// The begin of a tick of a population that is in no society: writes down who is in which group, if the program
    /// asks and anything has changed.
    #[inline(always)]
    pub(in crate::population) fn list_members(&mut self) {
        if self.durable.program.asks_mates && !self.is_joined() {
            self.list_living();
        }
    }

    #[inline(never)]
    fn list_living(&mut self) {
        let changes = self.durable.lives.changes();
        let mut roster = self.durable.lives.replace_roster(None).unwrap_or_default();
        if !roster.is_as_of(changes) {
            Arc::make_mut(&mut roster).write(changes, self.living());
        }
        self.durable.lives.replace_roster(Some(roster));
    }
}
