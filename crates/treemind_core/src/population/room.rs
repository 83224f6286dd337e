//! Memory: the layout of chunks, and how a population grows.

pub(super) use crate::blackboard::WIDE;
use crate::blackboard::{Cells, CellsMut, Layout, Size};
use crate::population::Population;
use crate::population::ticking::intervals;
use crate::population::ticking::resting;
use crate::population::ticking::scratch::Scratch;
use crate::program::Program;

/// From this number of agents on, chunks are wide: this needs fewer instructions per agent, and leaves a little
/// memory unused at the end. At this number, a tick of one wide chunk takes about as long as a tick of small ones.
const WIDE_FROM: usize = 192;

/// Where each part of the state begins within a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) used: usize,
    pub(super) board: usize,
    pub(super) run: usize,
    /// Only wide chunks of agents that can rest: who rests.
    pub(super) rest: usize,
    /// Only where some agents may not be due in every tick: when they are.
    pub(super) due: usize,
    pub(super) end: usize,
    pub(super) board_layout: Layout,
    pub(super) run_layout: Layout,
}

impl Population {
    /// Makes room for this number of agents; the size of chunks may change.
    pub(super) fn reserve(&mut self, agents: usize) {
        if self.durable.size == size_for(agents) || agents <= self.durable.size.lanes {
            let chunks = agents.div_ceil(self.durable.size.lanes);
            while self.state.len() < chunks {
                self.state.push(empty_chunk(self.durable.parts));
            }
            return;
        }
        self.resize(agents, size_for(agents), self.durable.parts.has_intervals());
    }

    /// Moves all agents to chunks of another size, or with other parts.
    pub(super) fn resize(&mut self, agents: usize, size: Size, has_intervals: bool) {
        let (mut old, old_size) = (std::mem::take(&mut self.state), self.durable.size);
        let (old_parts, new_parts) = (
            self.durable.parts,
            parts(&self.durable.program, size, has_intervals),
        );
        let chunks = 0..agents.div_ceil(size.lanes);
        let mut state: Vec<_> = chunks.map(|_| empty_chunk(new_parts)).collect();
        for agent in 0..self.durable.len {
            let (from, to) = (
                &mut old[agent / old_size.lanes],
                &mut state[agent / size.lanes],
            );
            let (old_lane, lane) = (agent % old_size.lanes, agent % size.lanes);
            old_parts.copy_due_time(from, old_lane, (&new_parts, to, lane));
            copy_agent(
                &self.durable.program,
                (from, old_size, old_parts, old_lane),
                (to, size, new_parts, lane),
            );
        }
        self.state = state;
        self.durable.size = size;
        self.durable.parts = new_parts;
        self.working.scratch = Scratch::new(&self.durable.program, size.words, size.lanes);
    }
}

fn empty_chunk(parts: Parts) -> Box<[u64]> {
    let mut chunk = vec![0; parts.end].into_boxed_slice();
    parts.clear_due_times(&mut chunk);
    chunk
}

/// The state of a chunk, how it is laid out, and a lane.
pub(super) type Placed<S> = (S, Size, Parts, usize);

/// Copies an agent to a lane in which nothing runs.
pub(super) fn copy_agent(program: &Program, from: Placed<&[u64]>, to: Placed<&mut [u64]>) {
    let (source, source_size, source_parts, source_lane) = from;
    let (target, size, parts, lane) = to;
    for slot in 0..program.slots.len() {
        let bit = source[slot * source_size.words + source_lane / 64] >> (source_lane % 64) & 1;
        target[slot * size.words + lane / 64] |= bit << (lane % 64);
        target[parts.used + slot / 64] |= bit << (slot % 64);
    }
    let from = Cells::new(
        &source_parts.board_layout,
        &source[source_parts.board..source_parts.run],
    );
    let to = CellsMut::new(&parts.board_layout, &mut target[parts.board..parts.run]);
    program
        .board
        .shape
        .copy_lane((from, source_lane), (to, lane));
    let from = Cells::new(
        &source_parts.run_layout,
        &source[source_parts.run..source_parts.end],
    );
    let to = CellsMut::new(&parts.run_layout, &mut target[parts.run..parts.end]);
    program.run.copy_lane((from, source_lane), (to, lane));
}

pub(super) fn parts(program: &Program, size: Size, has_intervals: bool) -> Parts {
    let used = program.slots.len() * size.words;
    let board = used + program.slots.len().div_ceil(64);
    let (board_layout, run_layout) = (program.board.shape.layout(size), program.run.layout(size));
    let run = board + board_layout.cells;
    let rest = run + run_layout.cells;
    let is_for_crowds = size.lanes == WIDE * 64;
    let can_rest = is_for_crowds && program.resting.is_some() && !has_intervals;
    let due = rest + if can_rest { resting::cells(size) } else { 0 };
    let due_cells = match has_intervals {
        true => intervals::cells(size.lanes),
        false => 0,
    };
    Parts {
        used,
        board,
        run,
        rest,
        due,
        end: due + due_cells,
        board_layout,
        run_layout,
    }
}

/// The size of chunks for this number of agents.
pub(super) fn size_for(agents: usize) -> Size {
    if agents >= WIDE_FROM {
        Size {
            words: WIDE,
            lanes: WIDE * 64,
        }
    } else {
        Size {
            words: 1,
            lanes: agents.clamp(1, 64),
        }
    }
}
