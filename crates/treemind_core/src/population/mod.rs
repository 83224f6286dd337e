//! Populations: the state of any number of agents that run one program.

mod between;
mod exec;
mod keeping;
mod room;
mod settling;
mod ticking;

pub use between::limits::Limits;
pub use between::reports::Late;
pub use between::sending::{Delivery, Sent, To};
pub use keeping::migration::{ChangedKey, ChangedNode, KeyChange, LostEvent, Migration};
pub(crate) use keeping::readable::{Standing, readable_standing};
pub use keeping::rollback::Rollback;
pub(crate) use settling::letters::Receivers;
pub use settling::requests::Newborn;
pub(crate) use settling::requests::no_archetype;
pub(crate) use settling::semaphores::Line;
pub use ticking::budget::Budget;
pub use ticking::tally::Tally;

use crate::blackboard::{
    Board, Cells, CellsMut, Held, Shared, SharedAccess, Size, WrongType, no_value,
};
use crate::fault::{Fault, Faults};
use crate::host::Host;
use crate::host::outbox::Outbox;
use crate::ids::KeyId;
use crate::lives::Lives;
use crate::program::Program;
use crate::snapshot::Before;
use crate::trace::{NoTrace, Trace};
use crate::value::Value;
use room::{Parts, parts, size_for};
use settling::mail::Mail;
use settling::routes::Routes;
use std::sync::Arc;
use std::time::Duration;
use ticking::Aborted;
use ticking::scratch::Scratch;

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
    program: Arc<Program>,
    /// For each chunk: slots, which of them are in use, blackboard, other columns. Chunks are allocated one by one, so
    /// that no agent moves when others come and go.
    state: Vec<Box<[u64]>>,
    scratch: Scratch,
    #[cfg(feature = "rayon")]
    workers: Vec<ticking::parallel::Worker>,
    /// How many places are in use, including those of dead agents.
    len: usize,
    size: Size,
    parts: Parts,
    /// Whether anything was ever skipped.
    skipped_ever: bool,
    /// Single agents are ticked as crowds are.
    sweeps_all: bool,
    now_ns: u64,
    /// The time step of the last tick.
    dt_ns: u64,
    tick: u64,
    seed: u64,
    /// The stable ids; filled only once a place has been used again.
    ids: Vec<u64>,
    next_id: u64,
    lives: Lives,
    /// The index of the agent whose turn is next where not all are ticked.
    next_in_turn: usize,
    /// From this id on, agents were added since the last tick.
    first_new_id: u64,
    archetypes: Vec<settling::requests::Archetype>,
    newborns: Vec<Newborn>,
    line: Line,
    /// The places of shared semaphores that were taken at the start of the tick, as expressions see them: for one
    /// group after the other, those of all semaphores.
    taken_places: Vec<u32>,
    /// The data that agents share, and the group of each agent; `None` if nothing is shared.
    shared: Option<Box<Shared>>,
    outbox: Outbox,
    limits: Limits,
    /// The events that have come since the agents' last ticks, for nodes that look for them.
    mail: Mail,
    routes: Routes,
    /// What became of what agents have emitted with `to`.
    delivery: Delivery,
    /// The values of the event that the host is sending.
    sent_values: Vec<Value>,
    /// Per machine and agent, and at last per agent for the mailboxes, a bit: whether an event was lost there in the
    /// current delivery of letters. Empty until one is lost.
    lost_letters: Vec<u64>,
    /// What the game changes between ticks, if somebody records.
    pub(crate) before: Before,
}

impl Population {
    /// A population of `agents` agents, all alive, with keys at their defaults and seed 0.
    pub fn new(program: Arc<Program>, agents: usize) -> Self {
        let size = size_for(agents);
        let scratch = Scratch::new(&program, size.words, size.lanes);
        let parts = parts(&program, size, program.behaviour.interval() > 1);
        let shared = match program.board.shared.is_empty() {
            true => None,
            false => Some(Box::new(Shared::new(
                &program.board,
                program.behaviour.keys(),
            ))),
        };
        let mut population = Self {
            program,
            state: Vec::new(),
            scratch,
            #[cfg(feature = "rayon")]
            workers: Vec::new(),
            len: 0,
            size,
            parts,
            skipped_ever: false,
            sweeps_all: false,
            now_ns: 0,
            dt_ns: 0,
            tick: 0,
            seed: 0,
            ids: Vec::new(),
            next_id: 0,
            lives: Lives::default(),
            next_in_turn: 0,
            first_new_id: 0,
            archetypes: Vec::new(),
            newborns: Vec::new(),
            line: Line::default(),
            taken_places: Vec::new(),
            shared,
            outbox: Outbox::default(),
            limits: Limits::default(),
            mail: Mail::default(),
            routes: Routes::default(),
            delivery: Delivery::default(),
            sent_values: Vec::new(),
            lost_letters: Vec::new(),
            before: Before::default(),
        };
        population.fit_mailboxes();
        population.add_at_end(agents);
        population.count_itself();
        population
    }

    /// The same with another seed for all random numbers.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.touch();
        self.seed = seed;
        self
    }

    /// The same population, but single agents are ticked as crowds are. It is slower and otherwise the same: tests
    /// compare the two.
    #[doc(hidden)]
    #[must_use]
    pub fn sweeping_all(mut self) -> Self {
        self.sweeps_all = true;
        self
    }

    /// The same population, but the stable ids of its agents begin with this number. Tests divide the agents of one
    /// population among several.
    #[doc(hidden)]
    #[must_use]
    pub fn with_first_id(mut self, first: u64) -> Self {
        self.ids = (first..first + self.len as u64).collect();
        self.next_id = first + self.len as u64;
        self.first_new_id = first;
        self
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The number of places, with an agent or free: indices of agents are below this.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no places.
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

    /// The faults since they were last taken.
    pub fn faults(&self) -> &Faults {
        &self.outbox.faults
    }

    /// All faults of the last tick, if that tick was traced, otherwise none: also those that are no longer in
    /// [`faults`](Self::faults) because they were too many, or were taken. Those between this tick and the one before
    /// come first, as do those since this tick at the end: an event that the host sent, for example.
    pub fn latest_faults(&self) -> &[Fault] {
        self.outbox.faults.latest()
    }

    /// Before a step of the society.
    pub(crate) fn begin_faults(&mut self) {
        self.outbox.faults.begin_tick();
    }

    /// After a step of the society.
    pub(crate) fn end_faults(&mut self) {
        self.outbox.faults.end_tick();
    }

    /// Returns the faults and starts again with an empty list.
    pub fn take_faults(&mut self) -> Faults {
        self.touch();
        self.outbox.faults.take()
    }

    /// The bytes of state of all agents, including memory kept for reuse. This excludes the working memory of a
    /// tick ([`working_bytes`](Self::working_bytes)), which is that of one chunk, whatever the number of agents.
    pub fn state_bytes(&self) -> usize {
        let shared = self.shared.as_ref().map_or(0, |shared| shared.bytes());
        let chunks = self.state.len() * self.parts.end;
        (chunks + self.ids.capacity()) * 8
            + self.lives.bytes()
            + self.mail.bytes()
            + self.routes.bytes()
            + shared
    }

    /// The bytes of working memory of a tick, and of this value itself.
    pub fn working_bytes(&self) -> usize {
        size_of::<Self>() + self.scratch.bytes() + self.outbox.staged.bytes()
    }

    /// The stable id of an agent, which its random numbers depend on. A population never uses an id twice.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn stable_id(&self, agent: usize) -> u64 {
        assert!(agent < self.len, "agent {agent} of {}", self.len);
        self.ids.get(agent).copied().unwrap_or(agent as u64)
    }

    /// The value of a key; for a shared key, that of the agent's group or of the world.
    ///
    /// # Panics
    /// When there is no such agent or key; when the key is unset or a list (for these, [`find`](Self::find) returns
    /// `None`).
    pub fn get(&self, agent: usize, key: KeyId) -> Value {
        self.find(agent, key)
            .unwrap_or_else(|| no_value(self.program.board.keys[key.index()]))
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
        assert!(agent < self.len, "agent {agent} of {}", self.len);
        let slot = self.program.board.keys[key.index()];
        if let Some(shared) = self.shared.as_ref().filter(|_| !slot.is_own()) {
            return shared.held(slot, shared.lane(slot, agent));
        }
        let (chunk, lane) = self.place(agent);
        let cells = &self.chunk(chunk)[self.parts.board..self.parts.run];
        Held::of(slot, Cells::new(&self.parts.board_layout, cells), lane)
    }

    /// Sets a key; `int`s and `float`s widen to the type of the key. A shared key is set for all agents that share it.
    ///
    /// # Errors
    /// When the value is of another type, or the key is a list.
    ///
    /// # Panics
    /// When there is no such agent or key.
    pub fn set(&mut self, agent: usize, key: KeyId, value: Value) -> Result<(), WrongType> {
        assert!(agent < self.len, "agent {agent} of {}", self.len);
        self.wake(agent);
        let chunk = agent / self.size.lanes;
        self.board_unwoken(chunk).set(key, agent, value)
    }

    /// The blackboards of the chunk that contains an agent: up to 1 024 agents, starting with
    /// [`first_agent`](Board::first_agent).
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
        for chunk in 0..self.state.len() {
            each(self.board_of(chunk));
        }
    }

    /// Ticks every agent once. First the clock advances by `dt`.
    pub fn tick(&mut self, host: &mut dyn Host, dt: Duration) -> Tally {
        self.tick_with(host, dt, &mut NoTrace)
    }

    /// Like [`tick`](Self::tick), and also records what happened; the previous content of the trace is discarded.
    pub fn tick_traced(&mut self, host: &mut dyn Host, dt: Duration, trace: &mut Trace) -> Tally {
        trace.clear();
        self.tick_with(host, dt, trace)
    }

    /// Aborts everything that an agent runs. In the next tick it starts from the beginning.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn abort(&mut self, agent: usize, host: &mut dyn Host) {
        self.abort_with(host, (Aborted::One(agent), false), &mut NoTrace);
    }

    /// Like [`abort`](Self::abort), and also records what happened; the previous content of the trace is discarded.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn abort_traced(&mut self, agent: usize, host: &mut dyn Host, trace: &mut Trace) {
        trace.clear();
        self.abort_with(host, (Aborted::One(agent), false), trace);
    }

    /// Aborts everything that any agent runs.
    pub fn abort_all(&mut self, host: &mut dyn Host) {
        self.abort_with(host, (Aborted::All, false), &mut NoTrace);
    }

    /// Like [`abort_all`](Self::abort_all), and also records what happened; the previous content of the trace is
    /// discarded.
    pub fn abort_all_traced(&mut self, host: &mut dyn Host, trace: &mut Trace) {
        trace.clear();
        self.abort_with(host, (Aborted::All, false), trace);
    }

    fn place(&self, agent: usize) -> (usize, usize) {
        (agent / self.size.lanes, agent % self.size.lanes)
    }

    fn chunk(&self, chunk: usize) -> &[u64] {
        &self.state[chunk]
    }

    fn chunk_mut(&mut self, chunk: usize) -> &mut [u64] {
        &mut self.state[chunk]
    }

    fn board_of(&mut self, chunk: usize) -> Board<'_> {
        let parts = self.parts;
        parts.wake_all(self.chunk_mut(chunk));
        self.board_unwoken(chunk)
    }

    /// The same without waking agents whose keys may be written.
    fn board_unwoken(&mut self, chunk: usize) -> Board<'_> {
        self.touch();
        let parts = &self.parts;
        let program = &*self.program;
        let state = &mut self.state[chunk][parts.board..parts.run];
        Board {
            layout: &program.board,
            cells: CellsMut::new(&self.parts.board_layout, state),
            first: chunk * self.size.lanes,
            access: SharedAccess::Direct(self.shared.as_deref_mut()),
        }
    }
}
