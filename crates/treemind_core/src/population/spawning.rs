//! New agents, one by one or many at once.

use super::Population;
use crate::blackboard::CellsMut;
use std::ops::Range;

impl Population {
    /// Adds an agent, in the place of a removed one if there is one, otherwise at the end. Its keys are at their
    /// defaults, and it is in group 0. Returns its index.
    pub fn spawn(&mut self) -> usize {
        let free = if self.free > 0 {
            self.free_place()
        } else {
            None
        };
        let Some(agent) = free else {
            return self.spawn_many(1).start;
        };
        self.tell_watchers();
        if self.ids.is_empty() {
            self.ids = (0..self.len as u64).collect();
        }
        self.ids[agent] = self.next_id;
        self.next_id += 1;
        self.free -= 1;
        self.forget(agent);
        self.begin_keys(agent);
        let (chunk, lane) = self.place(agent);
        let parts = self.parts;
        let state = self.chunk_mut(chunk);
        state[lane / 64] |= 1 << (lane % 64);
        parts.set_idle(state, 0);
        agent
    }

    /// Adds agents at the end, even if there are places of removed ones. Their keys are at their defaults, and they are
    /// in group 0. Returns their indices. This is faster than adding them one by one.
    pub fn spawn_many(&mut self, agents: usize) -> Range<usize> {
        self.tell_watchers();
        let new = self.len..self.len + agents;
        self.reserve(new.end);
        self.len = new.end;
        self.chunks = self.len.div_ceil(self.size.lanes);
        let ids = self.next_id..self.next_id + agents as u64;
        self.next_id = ids.end;
        if !self.ids.is_empty() {
            self.ids.extend(ids);
        }
        let (parts, lanes) = (self.parts, self.size.lanes);
        let board = &self.program.board;
        let keys = self.program.behaviour.keys();
        let mut next = new.start;
        while next < new.end {
            let (chunk, first) = (next / lanes, next % lanes);
            let end = lanes.min(first + new.end - next);
            let state = &mut self.state[chunk * parts.end..][..parts.end];
            for lane in first..end {
                state[lane / 64] |= 1 << (lane % 64);
            }
            parts.set_idle(state, 0);
            let cells = CellsMut::new(&parts.board_layout, &mut state[parts.board..parts.run]);
            board.begin(keys, cells, first..end);
            next += end - first;
        }
        new
    }
}
