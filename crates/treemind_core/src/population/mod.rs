//! Populations: the state of any number of agents that run one program.

mod between;
mod durable;
mod exec;
mod keeping;
mod room;
mod settling;
mod ticking;
mod working;

pub use between::limits::Limits;
pub use between::plans::PlanState;
pub use between::reports::Late;
pub use between::sending::{Delivery, Sent, To};
pub use keeping::migration::{ChangedKey, ChangedNode, KeyChange, LostEvent, Migration};
pub(crate) use keeping::readable::{Standing, readable_standing};
pub use keeping::rollback::Rollback;
pub(crate) use settling::letters::Receivers;
pub use settling::requests::Newborn;
pub(crate) use settling::requests::no_archetype;
pub use settling::semaphores::Place;
pub(crate) use settling::semaphores::{Line, Turn};
pub use ticking::budget::Budget;
pub use ticking::tally::Tally;

use crate::blackboard::{Board, Cells, CellsMut, Held, SharedAccess, WrongType, no_value};
use crate::fault::{Fault, Faults};
use crate::host::Host;
use crate::ids::KeyId;
use crate::program::Program;
use crate::snapshot::Before;
use crate::trace::{Trace, untraced};
use crate::value::Value;
use durable::Durable;
use std::sync::Arc;
use std::time::Duration;
use ticking::Aborted;
use working::Working;

/// The agents that run one program: their blackboards, and a bit for everything that can be running.
///
/// All methods name an agent by its index, which is also its position in the host's columns. The index of a removed
/// agent is used again. A handle ([`AgentId`](crate::AgentId)) is never: keep it where you have to know an agent
/// later, and turn it into an index with [`index_of`](Self::index_of).
///
/// Ticking never allocates after the first tick (except to record a fault), never panics, never fails and never
/// hangs: an error is recorded as a [`Fault`](crate::Fault), and the node where it happened fails.
#[derive(Clone, Debug)]
pub struct Population {
    /// For each chunk: slots, which of them are in use, blackboard, other columns. Chunks are allocated one by one, so
    /// that no agent moves when others come and go.
    state: Vec<Box<[u64]>>,
    /// Everything else that lasts.
    durable: Durable,
    working: Working,
    /// What the game changes between ticks, if somebody records.
    pub(crate) before: Before,
}

impl Population {
    /// A population of `agents` agents, all alive, with keys at their defaults and seed 0.
    pub fn new(program: Arc<Program>, agents: usize) -> Self {
        let mut population = Self::of(Durable::new(program, agents));
        population.fit_mailboxes();
        population.add_at_end(agents);
        population.count_itself();
        population
    }

    /// A population without chunks.
    fn of(durable: Durable) -> Self {
        Self {
            state: Vec::new(),
            working: Working::new(&durable.program, durable.size),
            durable,
            before: Before::default(),
        }
    }

    /// The same with another seed for all random numbers.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.touch();
        self.durable.seed = seed;
        self
    }

    /// The same population, but single agents are ticked as crowds are. It is slower and otherwise the same: tests
    /// compare the two.
    #[doc(hidden)]
    #[must_use]
    pub fn sweeping_all(mut self) -> Self {
        self.working.sweeps_all = true;
        self
    }

    /// The same population, but the stable ids of its agents begin with this number. Tests divide the agents of one
    /// population among several.
    #[doc(hidden)]
    #[must_use]
    pub fn with_first_id(mut self, first: u64) -> Self {
        self.durable.ids = (first..first + self.durable.len as u64).collect();
        self.durable.next_id = first + self.durable.len as u64;
        self.durable.first_new_id = first;
        self
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.durable.program
    }

    /// The number of places, with an agent or free: indices of agents are below this.
    pub fn len(&self) -> usize {
        self.durable.len
    }

    /// Whether there are no places.
    pub fn is_empty(&self) -> bool {
        self.durable.len == 0
    }

    /// The number of ticks so far.
    pub fn ticks(&self) -> u64 {
        self.durable.tick
    }

    /// The clock in nanoseconds: the sum of all `dt`.
    pub fn now_ns(&self) -> u64 {
        self.durable.now_ns
    }

    /// The faults since they were last taken.
    pub fn faults(&self) -> &Faults {
        &self.durable.outbox.faults
    }

    /// All faults of the last tick, if that tick was traced, otherwise none: also those that are no longer in
    /// [`faults`](Self::faults) because they were too many, or were taken. Those between this tick and the one before
    /// come first, as do those since this tick at the end: an event that the host sent, for example.
    pub fn latest_faults(&self) -> &[Fault] {
        self.durable.outbox.faults.latest()
    }

    /// Before a step of the society.
    pub(crate) fn begin_faults(&mut self) {
        self.durable.outbox.faults.begin_tick();
    }

    /// After a step of the society.
    pub(crate) fn end_faults(&mut self) {
        self.durable.outbox.faults.end_tick();
    }

    /// Returns the faults and starts again with an empty list.
    pub fn take_faults(&mut self) -> Faults {
        self.touch();
        self.durable.outbox.faults.take()
    }

    /// The bytes of state of all agents, including memory kept for reuse. This excludes the working memory of a
    /// tick ([`working_bytes`](Self::working_bytes)), which is that of one chunk, whatever the number of agents.
    pub fn state_bytes(&self) -> usize {
        let shared = self
            .durable
            .shared
            .as_ref()
            .map_or(0, |shared| shared.bytes());
        let chunks = self.state.len() * self.durable.parts.end;
        (chunks + self.durable.ids.capacity()) * 8
            + self.durable.lives.bytes()
            + self.durable.mail.bytes()
            + self.working.routes.bytes()
            + shared
    }

    /// The bytes of working memory of a tick, and of this value itself.
    pub fn working_bytes(&self) -> usize {
        size_of::<Self>() + self.working.scratch.bytes() + self.durable.outbox.staged.bytes()
    }

    /// The stable id of an agent, which its random numbers depend on. A population never uses an id twice.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn stable_id(&self, agent: usize) -> u64 {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        self.durable.ids.get(agent).copied().unwrap_or(agent as u64)
    }

    /// The value of a key; for a shared key, that of the agent's group or of the world.
    ///
    /// # Panics
    /// When there is no such agent or key; when the key is unset or a list (for these, [`find`](Self::find) returns
    /// `None`).
    pub fn get(&self, agent: usize, key: KeyId) -> Value {
        self.find(agent, key)
            .unwrap_or_else(|| no_value(self.durable.program.board.keys[key.index()]))
    }

    /// The value of a key; `None` when it is unset or a list.
    ///
    /// # Panics
    /// When there is no such agent or key.
    pub fn find(&self, agent: usize, key: KeyId) -> Option<Value> {
        match self.held(agent, key) {
            Held::One(value) => Some(value),
            Held::Unset | Held::List(_) => None,
        }
    }

    /// The content of a key, whatever its form. To change a list or unset a key, see [`board`](Self::board).
    ///
    /// # Panics
    /// When there is no such agent or key.
    pub fn held(&self, agent: usize, key: KeyId) -> Held<'_> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let slot = self.durable.program.board.keys[key.index()];
        if let Some(shared) = self.durable.shared.as_ref().filter(|_| !slot.is_own()) {
            return shared.held(slot, shared.lane(slot, agent));
        }
        let (chunk, lane) = self.place(agent);
        let cells = &self.chunk(chunk)[self.durable.parts.board..self.durable.parts.run];
        Held::of(
            slot,
            Cells::new(&self.durable.parts.board_layout, cells),
            lane,
        )
    }

    /// Sets a key; `int`s and `float`s widen to the type of the key. A shared key is set for all agents that share it.
    ///
    /// # Errors
    /// When the value is of another type, or the key is a list.
    ///
    /// # Panics
    /// When there is no such agent or key.
    pub fn set(&mut self, agent: usize, key: KeyId, value: Value) -> Result<(), WrongType> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        self.wake(agent);
        let chunk = agent / self.durable.size.lanes;
        self.board_unwoken(chunk).set(key, agent, value)
    }

    /// The blackboards of the chunk that contains an agent: up to 1 024 agents, starting with
    /// [`first_agent`](Board::first_agent).
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn board(&mut self, agent: usize) -> Board<'_> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let chunk = agent / self.durable.size.lanes;
        self.board_of(chunk)
    }

    /// Calls `each` with the blackboards of all agents, chunk by chunk, in order.
    pub fn for_each_board(&mut self, mut each: impl FnMut(Board<'_>)) {
        for chunk in 0..self.state.len() {
            each(self.board_of(chunk));
        }
    }

    /// Ticks every agent once. First the clock advances by `dt`.
    pub fn tick(&mut self, host: &mut dyn Host, dt: Duration) -> Tally {
        self.tick_with(host, dt, &mut untraced())
    }

    /// Like [`tick`](Self::tick), and also records what happened; the previous content of the trace is discarded.
    pub fn tick_traced(&mut self, host: &mut dyn Host, dt: Duration, trace: &mut Trace) -> Tally {
        trace.clear();
        self.tick_with(host, dt, trace)
    }

    /// Aborts everything that an agent runs, also what lists have left open. In the next tick it starts from the
    /// beginning.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn abort(&mut self, agent: usize, host: &mut dyn Host) {
        self.abort_with(host, Aborted::One(agent), &mut untraced());
    }

    /// Like [`abort`](Self::abort), and also records what happened; the previous content of the trace is discarded.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn abort_traced(&mut self, agent: usize, host: &mut dyn Host, trace: &mut Trace) {
        trace.clear();
        self.abort_with(host, Aborted::One(agent), trace);
    }

    /// Aborts everything that any agent runs.
    pub fn abort_all(&mut self, host: &mut dyn Host) {
        self.abort_with(host, Aborted::All, &mut untraced());
    }

    /// Like [`abort_all`](Self::abort_all), and also records what happened; the previous content of the trace is
    /// discarded.
    pub fn abort_all_traced(&mut self, host: &mut dyn Host, trace: &mut Trace) {
        trace.clear();
        self.abort_with(host, Aborted::All, trace);
    }

    fn place(&self, agent: usize) -> (usize, usize) {
        (
            agent / self.durable.size.lanes,
            agent % self.durable.size.lanes,
        )
    }

    fn chunk(&self, chunk: usize) -> &[u64] {
        &self.state[chunk]
    }

    fn chunk_mut(&mut self, chunk: usize) -> &mut [u64] {
        &mut self.state[chunk]
    }

    fn board_of(&mut self, chunk: usize) -> Board<'_> {
        self.durable.parts.wake_all(&mut self.state[chunk]);
        self.board_unwoken(chunk)
    }

    /// The same without waking agents whose keys may be written.
    fn board_unwoken(&mut self, chunk: usize) -> Board<'_> {
        self.touch();
        let parts = &self.durable.parts;
        let program = &*self.durable.program;
        let state = &mut self.state[chunk][parts.board..parts.run];
        Board {
            layout: &program.board,
            cells: CellsMut::new(&self.durable.parts.board_layout, state),
            first: chunk * self.durable.size.lanes,
            access: SharedAccess::Direct(self.durable.shared.as_deref_mut()),
        }
    }
}
