//! Populations: the state of any number of agents that run one program.

mod exec;
mod scratch;

use crate::board::{Board, WrongType};
use crate::cells::{Cells, CellsMut, Layout, Size};
use crate::fault::Faults;
use crate::host::{Host, Order};
use crate::ids::KeyId;
use crate::program::Program;
use crate::program::op::Range;
use crate::status::Status;
use crate::trace::{NoTrace, Sink, Trace};
use crate::value::Value;
use exec::{Exec, Lane, Moment, Roots};
use scratch::Scratch;
use std::sync::Arc;
use std::time::Duration;

/// How many agents of a population answered what in a tick, at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Success.
    pub success: u64,
    /// Failure.
    pub failure: u64,
    /// Running.
    pub running: u64,
    /// Skipped.
    pub skipped: u64,
}

/// From this many agents on, chunks are wide: fewer instructions per agent, a little memory unused at the end.
const WIDE_FROM: usize = 512;
/// The words of a wide chunk.
const WIDE: usize = 16;

/// The agents that run one program: their blackboards, and a bit for everything that can be running.
///
/// An agent is named by its index, which is also its place in the host's columns. Places of agents that were
/// removed are used again.
///
/// Ticking never allocates after the first tick (recording a fault may), never panics, never fails and never hangs:
/// what goes wrong is a [`Fault`](crate::Fault), and the node that it happened to fails.
#[derive(Clone, Debug)]
pub struct Population {
    program: Arc<Program>,
    /// Chunk after chunk: slots, which of them are in use, blackboard, other columns.
    state: Vec<u64>,
    scratch: Scratch,
    /// How many places are in use, the dead among them included.
    len: usize,
    /// How many of them are dead.
    free: usize,
    /// How many chunks they fill.
    chunks: usize,
    size: Size,
    parts: Parts,
    /// Whether anything was ever skipped.
    skipped_ever: bool,
    now_ns: u64,
    /// The last tick's.
    dt_ns: u64,
    tick: u64,
    seed: u64,
    /// The stable ids, from the moment when a place is used again.
    ids: Vec<u64>,
    next_id: u64,
    faults: Faults,
}

/// Where in a chunk which part of the state begins.
#[derive(Clone, Copy, Debug)]
struct Parts {
    used: usize,
    board: usize,
    run: usize,
    end: usize,
    board_layout: Layout,
    run_layout: Layout,
}

impl Population {
    /// A population of so many agents, all alive, keys at their defaults, seed 0.
    pub fn new(program: Arc<Program>, agents: usize) -> Self {
        let size = size_for(agents);
        let scratch = Scratch::new(&program, size.words, size.lanes);
        let parts = parts(&program, size);
        let mut population = Self {
            program,
            state: Vec::new(),
            scratch,
            len: 0,
            chunks: 0,
            free: 0,
            size,
            parts,
            skipped_ever: false,
            now_ns: 0,
            dt_ns: 0,
            tick: 0,
            seed: 0,
            ids: Vec::new(),
            next_id: 0,
            faults: Faults::default(),
        };
        population.reserve(agents);
        for _ in 0..agents {
            population.spawn();
        }
        population
    }

    /// The same with another seed for everything that is left to chance.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// How many places there are: indices of agents are below this.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no place at all.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of ticks so far.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// The clock in nanoseconds: the sum of all `dt`.
    pub fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// What went wrong since it was last taken.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Hands out what went wrong and starts anew.
    pub fn take_faults(&mut self) -> Faults {
        self.faults.take()
    }

    /// The bytes of state of all agents, what is kept for reuse included. Memory that a tick works in is left aside:
    /// it is one chunk's, whatever the number of agents ([`working_bytes`](Self::working_bytes)).
    pub fn state_bytes(&self) -> usize {
        (self.state.capacity() + self.ids.capacity()) * 8
    }

    /// The bytes that a tick works in, and those of this value itself.
    pub fn working_bytes(&self) -> usize {
        size_of::<Self>() + self.scratch.bytes()
    }

    /// Adds an agent: in the place of a removed one if there is one, else at the end. Its keys are at their defaults.
    pub fn spawn(&mut self) -> usize {
        let free = if self.free > 0 {
            self.free_place()
        } else {
            None
        };
        let agent = free.unwrap_or(self.len);
        if let Some(agent) = free {
            if self.ids.is_empty() {
                self.ids = (0..self.len as u64).collect();
            }
            self.ids[agent] = self.next_id;
            self.free -= 1;
            self.forget(agent);
        } else {
            self.reserve(self.len + 1);
            self.len += 1;
            self.chunks = self.len.div_ceil(self.size.lanes);
            if !self.ids.is_empty() {
                self.ids.push(self.next_id);
            }
        }
        self.next_id += 1;
        let program = Arc::clone(&self.program);
        let mut board = self.board(agent);
        for key in 0..program.board.keys.len() {
            let default = program.board.keys[key].default;
            board
                .set(KeyId::new(key), agent, default)
                .expect("a default has the type of its key");
        }
        let (chunk, lane) = self.place(agent);
        self.chunk_mut(chunk)[lane / 64] |= 1 << (lane % 64);
        agent
    }

    /// Removes an agent: what it runs is aborted first. Nothing happens when it is not there.
    pub fn remove(&mut self, host: &mut impl Host, agent: usize) {
        if self.is_alive(agent) {
            self.abort(host, agent);
            let (chunk, lane) = self.place(agent);
            self.chunk_mut(chunk)[lane / 64] &= !(1 << (lane % 64));
            self.free += 1;
        }
    }

    /// Clears what the nodes remember of an agent beyond its runs.
    fn forget(&mut self, agent: usize) {
        let (chunk, lane) = self.place(agent);
        let parts = &self.parts;
        let run = &mut self.state[chunk * parts.end..][parts.run..parts.end];
        let cells = CellsMut::new(&parts.run_layout, run);
        self.program.run.clear_lane(cells, lane);
    }

    /// The first place whose agent was removed.
    fn free_place(&self) -> Option<usize> {
        (0..self.len).find(|agent| !self.is_alive(*agent))
    }

    /// Whether there is an agent of that index.
    pub fn is_alive(&self, agent: usize) -> bool {
        if agent >= self.len {
            return false;
        }
        let (chunk, lane) = self.place(agent);
        self.chunk(chunk)[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// The stable id of an agent, which chance depends on: never given twice in a population.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn agent_id(&self, agent: usize) -> u64 {
        assert!(agent < self.len, "agent {agent} of {}", self.len);
        self.ids.get(agent).copied().unwrap_or(agent as u64)
    }

    /// The value of a key.
    ///
    /// # Panics
    /// When there is no such agent or key.
    pub fn get(&self, agent: usize, key: KeyId) -> Value {
        assert!(agent < self.len, "agent {agent} of {}", self.len);
        let (chunk, lane) = self.place(agent);
        let slot = self.program.board.keys[key.index()];
        let cells = &self.chunk(chunk)[self.parts.board..self.parts.run];
        Cells::new(&self.parts.board_layout, cells).get(slot.column, slot.ty, lane)
    }

    /// Sets a key; `int`s and `float`s widen to what the key wants.
    ///
    /// # Errors
    /// When the value is of another type.
    ///
    /// # Panics
    /// When there is no such agent or key.
    pub fn set(&mut self, agent: usize, key: KeyId, value: Value) -> Result<(), WrongType> {
        self.board(agent).set(key, agent, value)
    }

    /// The blackboards of the chunk that an agent is in: up to 1 024 agents from
    /// [`first_agent`](Board::first_agent) on.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn board(&mut self, agent: usize) -> Board<'_> {
        assert!(agent < self.len, "agent {agent} of {}", self.len);
        let chunk = agent / self.size.lanes;
        self.board_of(chunk)
    }

    /// Calls `each` with the blackboards of all agents, chunk by chunk, in order.
    pub fn for_each_board(&mut self, mut each: impl FnMut(Board<'_>)) {
        for chunk in 0..self.chunks {
            each(self.board_of(chunk));
        }
    }

    /// Ticks every agent once. The clock is increased by `dt` first.
    pub fn tick(&mut self, host: &mut impl Host, dt: Duration) -> Tally {
        self.tick_with(host, dt, &mut NoTrace)
    }

    /// As [`tick`](Self::tick), and writes down what happened; what was in the trace is forgotten.
    pub fn tick_traced(&mut self, host: &mut impl Host, dt: Duration, trace: &mut Trace) -> Tally {
        trace.clear();
        self.scratch.grow(&self.program.traced, self.size.words);
        self.tick_with(host, dt, trace)
    }

    /// Aborts everything that an agent runs. In the next tick it starts afresh.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn abort(&mut self, host: &mut impl Host, agent: usize) {
        self.abort_with(host, Some(agent), &mut NoTrace);
    }

    /// As [`abort`](Self::abort), and writes down what happened; what was in the trace is forgotten.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn abort_traced(&mut self, host: &mut impl Host, agent: usize, trace: &mut Trace) {
        trace.clear();
        self.abort_with(host, Some(agent), trace);
    }

    /// Aborts everything that any agent runs.
    pub fn abort_all(&mut self, host: &mut impl Host) {
        self.abort_with(host, None, &mut NoTrace);
    }

    /// As [`abort_all`](Self::abort_all), and writes down what happened; what was in the trace is forgotten.
    pub fn abort_all_traced(&mut self, host: &mut impl Host, trace: &mut Trace) {
        trace.clear();
        self.abort_with(host, None, trace);
    }

    fn tick_with<H: Host, S: Sink>(&mut self, host: &mut H, dt: Duration, sink: &mut S) -> Tally {
        let dt_ns = (dt.as_secs().saturating_mul(1_000_000_000))
            .saturating_add(u64::from(dt.subsec_nanos()));
        self.now_ns = self.now_ns.saturating_add(dt_ns);
        self.dt_ns = dt_ns;
        self.tick += 1;
        if self.size.lanes == 1 {
            self.sweep_single(host, sink)
        } else if self.size.words == WIDE {
            self.sweep_all::<WIDE, H, S>(host, sink)
        } else {
            self.sweep_all::<1, H, S>(host, sink)
        }
    }

    /// A single agent: no loop over anything.
    fn sweep_single<H: Host, S: Sink>(&mut self, host: &mut H, sink: &mut S) -> Tally {
        let mut tally = Tally::default();
        if self.len > 0 {
            let mut exec = self.exec::<1, H, S>(0, host, sink);
            if exec.slots[0] != [0] {
                tally.count(exec.sweep_one(Lane::new(0, 1)));
            }
        }
        tally
    }

    #[inline(never)]
    fn sweep_all<const W: usize, H: Host, S: Sink>(&mut self, host: &mut H, sink: &mut S) -> Tally {
        let one_by_one = host.order() == Order::Sequential;
        let mut tally = Tally::default();
        for chunk in 0..self.chunks {
            let mut exec = self.exec::<W, H, S>(chunk, host, sink);
            let alive = exec.slots[0];
            if alive == [0; W] {
                continue;
            }
            if one_by_one {
                for (word, &agents) in alive.iter().enumerate() {
                    let mut rest = agents;
                    while rest != 0 {
                        let lane = Lane::new(word, rest & rest.wrapping_neg());
                        tally.count(exec.sweep_one(lane));
                        rest &= rest - 1;
                    }
                }
            } else {
                tally.add(&alive, &exec.sweep(&alive));
            }
        }
        tally
    }

    fn abort_with<H: Host, S: Sink>(&mut self, host: &mut H, agent: Option<usize>, sink: &mut S) {
        if self.size.words == WIDE {
            self.abort_lanes::<WIDE, H, S>(host, agent, sink);
        } else {
            self.abort_lanes::<1, H, S>(host, agent, sink);
        }
    }

    fn abort_lanes<const W: usize, H: Host, S: Sink>(
        &mut self,
        host: &mut H,
        agent: Option<usize>,
        sink: &mut S,
    ) {
        let everything = Range {
            start: 1,
            end: self.program.slots.len() as u32,
        };
        let chunks = match agent {
            Some(agent) => {
                assert!(agent < self.len, "agent {agent} of {}", self.len);
                let chunk = agent / self.size.lanes;
                chunk..chunk + 1
            }
            None => 0..self.chunks,
        };
        for chunk in chunks {
            let lanes = self.size.lanes;
            let mut exec = self.exec::<W, H, S>(chunk, host, sink);
            let mut set = exec.slots[0];
            if let Some(agent) = agent {
                let lane = agent % lanes;
                let bit = set[lane / 64] & 1 << (lane % 64);
                set = [0; W];
                set[lane / 64] = bit;
            }
            exec.abort(everything, &set);
        }
    }

    #[inline(always)]
    fn exec<'a, const W: usize, H: Host, S: Sink>(
        &'a mut self,
        chunk: usize,
        host: &'a mut H,
        sink: &'a mut S,
    ) -> Exec<'a, W, H, S> {
        let parts = &self.parts;
        let program = &*self.program;
        let state = &mut self.state[chunk * parts.end..][..parts.end];
        let (slots, columns) = state.split_at_mut(parts.used);
        let (used_slots, columns) = columns.split_at_mut(parts.board - parts.used);
        let (board, run) = columns.split_at_mut(parts.run - parts.board);
        let code = if S::ON {
            &program.traced
        } else {
            &program.code
        };
        let visits = &code.visits;
        let (routes, edges) = if self.skipped_ever {
            (&visits.routes, &visits.edges)
        } else {
            (&visits.short_routes, &visits.short_edges)
        };
        Exec {
            program,
            code,
            routes,
            edges,
            skipped_ever: &mut self.skipped_ever,
            regs: self.scratch.regs.as_chunks_mut().0,
            slots: slots.as_chunks_mut().0,
            board: CellsMut::new(&self.parts.board_layout, board),
            run: CellsMut::new(&self.parts.run_layout, run),
            stacks: &mut self.scratch.stacks,
            counters: &mut self.scratch.counters,
            faults: &mut self.faults,
            host,
            sink,
            moment: Moment {
                now_ns: self.now_ns,
                dt_ns: self.dt_ns,
                tick: self.tick,
                seed: self.seed,
                ids: &self.ids,
            },
            first: chunk * self.size.lanes,
            pending: &mut self.scratch.pending,
            used_slots,
            holds: false,
            marked: false,
        }
    }

    fn place(&self, agent: usize) -> (usize, usize) {
        (agent / self.size.lanes, agent % self.size.lanes)
    }

    fn chunk(&self, chunk: usize) -> &[u64] {
        let length = self.parts.end;
        &self.state[chunk * length..][..length]
    }

    fn chunk_mut(&mut self, chunk: usize) -> &mut [u64] {
        let length = self.parts.end;
        &mut self.state[chunk * length..][..length]
    }

    fn board_of(&mut self, chunk: usize) -> Board<'_> {
        let parts = &self.parts;
        let program = &*self.program;
        let state = &mut self.state[chunk * parts.end..][parts.board..parts.run];
        Board {
            layout: &program.board,
            cells: CellsMut::new(&self.parts.board_layout, state),
            first: chunk * self.size.lanes,
        }
    }

    /// Makes room for that many agents; the size of chunks may change.
    fn reserve(&mut self, agents: usize) {
        let per_chunk = self.parts.end;
        if self.size == size_for(agents) || agents <= self.size.lanes {
            let cells = agents.div_ceil(self.size.lanes) * per_chunk;
            if cells > self.state.len() {
                self.state.resize(cells, 0);
            }
            return;
        }
        let (old, old_size) = (std::mem::take(&mut self.state), self.size);
        let size = size_for(agents);
        let new_parts = parts(&self.program, size);
        let mut state = vec![0; agents.div_ceil(size.lanes) * new_parts.end];
        let old_parts = parts(&self.program, old_size);
        for agent in 0..self.len {
            let from = &old[agent / old_size.lanes * old_parts.end..][..old_parts.end];
            let to = &mut state[agent / size.lanes * new_parts.end..][..new_parts.end];
            copy_agent(
                &self.program,
                (from, old_size, old_parts, agent % old_size.lanes),
                (to, size, new_parts, agent % size.lanes),
            );
        }
        self.state = state;
        self.size = size;
        self.parts = new_parts;
        self.scratch = Scratch::new(&self.program, size.words, size.lanes);
    }
}

type Placed<S> = (S, Size, Parts, usize);

fn copy_agent(program: &Program, from: Placed<&[u64]>, to: Placed<&mut [u64]>) {
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

fn parts(program: &Program, size: Size) -> Parts {
    let used = program.slots.len() * size.words;
    let board = used + program.slots.len().div_ceil(64);
    let (board_layout, run_layout) = (program.board.shape.layout(size), program.run.layout(size));
    let run = board + board_layout.cells;
    Parts {
        used,
        board,
        run,
        end: run + run_layout.cells,
        board_layout,
        run_layout,
    }
}

/// The size of chunks for that many agents.
fn size_for(agents: usize) -> Size {
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

/// The number of bits. Few agents have none or one, and then looking takes less time than counting.
fn count_bits(word: u64) -> u64 {
    #[inline(never)]
    fn many(word: u64) -> u64 {
        u64::from(word.count_ones())
    }
    match word {
        0 => 0,
        word if word.is_power_of_two() => 1,
        word => many(word),
    }
}

impl Tally {
    fn count(&mut self, status: Status) {
        match status {
            Status::Success => self.success += 1,
            Status::Failure => self.failure += 1,
            Status::Running => self.running += 1,
            Status::Skipped => self.skipped += 1,
        }
    }

    fn add<const W: usize>(&mut self, ticked: &[u64; W], roots: &Roots<W>) {
        let count = |set: &[u64; W]| set.iter().map(|word| count_bits(*word)).sum::<u64>();
        let (success, failure, skipped) = (
            count(&roots.success),
            count(&roots.failure),
            count(&roots.skipped),
        );
        self.success += success;
        self.failure += failure;
        self.skipped += skipped;
        self.running += count(ticked) - success - failure - skipped;
    }
}
