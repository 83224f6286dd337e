//! New agents, one by one or many at once.

use crate::blackboard::{CellsMut, WrongType};
use crate::ids::{AgentId, KeyId};
use crate::lives::Change;
use crate::population::Population;
use crate::value::Value;
use std::ops::Range;

impl Population {
    /// Adds an agent: at the lowest index that is free because its agent was removed, otherwise at the end. Its keys are
    /// at their defaults, and it is in group 0. Returns its handle, which has its [index](AgentId::index).
    ///
    /// # Panics
    /// When there would be more than 2^28 indices.
    pub fn spawn(&mut self) -> AgentId {
        let new = self.add(1).start;
        self.durable.lives.id(new).expect("it lives")
    }

    /// Adds agents as [`spawn`](Self::spawn) does, and returns their handles. This is faster than adding them one by
    /// one.
    ///
    /// # Panics
    /// As [`spawn`](Self::spawn).
    pub fn spawn_many(&mut self, agents: usize) -> Vec<AgentId> {
        let mut ids = Vec::with_capacity(agents);
        while ids.len() < agents {
            let new = self.add(agents - ids.len());
            ids.extend(new.map(|agent| self.durable.lives.id(agent).expect("it lives")));
        }
        ids
    }

    /// Like [`spawn`](Self::spawn), with other values than the defaults for some keys. `int`s and `float`s widen to
    /// the type of the key; if a key is given several times, the last value counts. A shared key is set for all
    /// agents that share it.
    ///
    /// # Errors
    /// When a value is of another type than its key; then no agent is added.
    ///
    /// # Panics
    /// When there is no such key, and as [`spawn`](Self::spawn).
    pub fn spawn_as(&mut self, given: &[(KeyId, Value)]) -> Result<AgentId, WrongType> {
        for (key, value) in given {
            self.durable.program.board.keys[key.index()].fitted(*value)?;
        }
        let id = self.spawn();
        self.start_with(id.index(), given)?;
        Ok(id)
    }

    /// Gives a new agent other values than the defaults.
    pub(in crate::population) fn start_with(
        &mut self,
        agent: usize,
        given: &[(KeyId, Value)],
    ) -> Result<(), WrongType> {
        let mut board = self.board(agent);
        for (key, value) in given {
            let slot = board.layout.keys[key.index()];
            if slot.is_own() {
                // Start values do not count as writes, so nodes that look at the key are not informed.
                slot.set(&mut board.cells, agent - board.first, slot.fitted(*value)?);
            } else {
                board.set(*key, agent, *value)?;
            }
        }
        Ok(())
    }

    /// Adds up to this many agents, at least one: where indices that follow one another are free, otherwise at the
    /// end.
    fn add(&mut self, most: usize) -> Range<usize> {
        self.touch();
        let free = self.durable.lives.take(most, self.durable.size.lanes);
        let Some(new) = free else {
            return self.add_at_end(most);
        };
        self.tell_watchers();
        if self.durable.ids.is_empty() {
            self.durable.ids = (0..self.durable.len as u64).collect();
        }
        for agent in new.clone() {
            self.durable.ids[agent] = self.durable.next_id;
            self.durable.next_id += 1;
            self.leave_groups(agent);
        }
        let (chunk, first) = self.place(new.start);
        let parts = &self.durable.parts;
        let lanes = first..first + new.len();
        let run = &mut self.state[chunk][parts.run..parts.end];
        let mut cells = CellsMut::new(&parts.run_layout, run);
        self.durable
            .program
            .run
            .clear_lanes(&mut cells, lanes.clone());
        self.begin_life(chunk, lanes);
        new
    }

    /// Adds up to this many agents at the end: fewer if their indices would not follow one another, because one
    /// between them has no generation left.
    pub(in crate::population) fn add_at_end(&mut self, most: usize) -> Range<usize> {
        let new = self.durable.lives.usable(self.durable.len, most);
        let agents = new.end;
        assert!(agents <= AgentId::MAX_AGENTS, "a population of {agents}");
        self.tell_watchers();
        self.reserve(agents);
        let ids = self.durable.next_id..self.durable.next_id + (agents - self.durable.len) as u64;
        self.durable.len = agents;
        self.durable.next_id = ids.end;
        if !self.durable.ids.is_empty() {
            self.durable.ids.extend(ids);
        }
        let lanes = self.durable.size.lanes;
        let mut next = new.start;
        while next < new.end {
            let first = next % lanes;
            let end = lanes.min(first + new.end - next);
            self.begin_life(next / lanes, first..end);
            next += end - first;
        }
        new
    }

    /// Lets agents live in some lanes of a chunk, with keys at their defaults.
    fn begin_life(&mut self, chunk: usize, lanes: Range<usize>) {
        let parts = &self.durable.parts;
        let state = &mut self.state[chunk];
        for lane in lanes.clone() {
            state[lane / 64] |= 1 << (lane % 64);
        }
        parts.wake_all(state);
        let interval = self.durable.program.behaviour.interval();
        parts.begin_due_times(
            state,
            lanes.clone(),
            (self.durable.tick, self.durable.now_ns),
            interval,
        );
        let cells = CellsMut::new(&parts.board_layout, &mut state[parts.board..parts.run]);
        let keys = self.durable.program.behaviour.keys();
        self.durable.program.board.begin(keys, cells, lanes.clone());
        if self.durable.lives.are_counted() {
            for agent in lanes.map(|lane| chunk * self.durable.size.lanes + lane) {
                let id = self.durable.lives.id(agent).expect("it lives");
                self.durable.lives.note(Change::Birth(id, 0));
            }
        }
    }
}
