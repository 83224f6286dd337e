//! Agents that are watched while they are ticked: everything that they do goes to a tape.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Host;
use treemind_core::observer::{
    Agents, NextStep, NextTick, Observer, Texts, TickFn, Ticks, plain_step,
};
use treemind_core::tape::{Tape, Taped};
use treemind_core::{Delivery, Population, PopulationId, Program, Society, Tally};

/// Populations, with the programs that they run.
pub type Programs = Vec<(PopulationId, Arc<Program>)>;

/// Where a tape goes.
pub trait Sink: Send + Sync {
    /// A whole state, after which ticks follow: that of the tick with the number `at`. It is the first, or agents were
    /// ticked without being watched, or they run other programs, or [`tick`](Self::tick) has asked for it.
    fn state(&mut self, at: u64, programs: &Arc<Programs>, state: Vec<u8>);

    /// A tick, by its bytes on the tape. Returns whether a whole state should follow.
    fn tick(&mut self, tape: &[u8], dt: Duration) -> bool;

    /// Whether nothing is wanted any more. Agents are then ticked as if nobody watched.
    fn is_over(&self) -> bool;

    /// Changes keys or sends events before a tick; see [`Observer::prepare`].
    fn prepare(&mut self, agents: Agents<'_>) {
        let _ = agents;
    }

    /// From now on, the agents run these documents.
    fn reloaded(&mut self, documents: &[Texts]) {
        let _ = documents;
    }
}

/// Writes ticks on a tape, from right before a tick to right after it.
pub trait Watcher {
    /// A tick begins. Returns whether it is watched: then its hosts have to be in those that [`tape`](Self::tape) makes, and
    /// [`end`](Self::end) has to follow.
    fn begin<T: Taped>(&mut self, of: &mut T, dt: Duration) -> bool;

    /// The tape of the tick.
    fn tape(&mut self) -> &mut Tape;

    /// The tick is over.
    fn end<T: Taped>(&mut self, of: &mut T);
}

/// Makes a tick of a population that is in no society, by `next`, and has it watched: what [`Observer::tick`] does.
pub fn tick(
    watcher: &mut impl Watcher,
    population: &mut Population,
    host: &mut dyn Host,
    dt: Duration,
    next: &mut NextTick<'_>,
) -> Tally {
    if !watcher.begin(population, dt) {
        return next(population, host);
    }
    let tally = next(population, &mut watcher.tape().host(None, host));
    watcher.end(population);
    tally
}

/// Makes a step of a society, by `next`, and has it watched: what [`Observer::step`] does.
pub fn step(
    watcher: &mut impl Watcher,
    society: &mut Society,
    dt: Duration,
    ticks: &mut Ticks<'_>,
    next: &mut NextStep<'_>,
) -> Delivery {
    if !watcher.begin(society, dt) {
        return next(society, ticks);
    }
    let tape = watcher.tape();
    let delivery = next(society, &mut |tick| {
        ticks(&mut |id, hosts| hosts.taped(tape, id, tick));
    });
    watcher.end(society);
    delivery
}

/// Watches agents for a sink: as an [`Observer`] of minds and casts, or called by a game that ticks a population or a
/// society itself.
#[derive(Debug)]
pub struct Observing<S> {
    sink: S,
    tape: Tape,
    programs: Arc<Programs>,
    /// The number of the last tick that is on the tape.
    last_tick: u64,
    /// The time step of the tick that is being made, and the bytes of the last one.
    dt: Duration,
    bytes: Vec<u8>,
}

impl<S: Sink> Observing<S> {
    /// Watches from the next tick on.
    pub fn new(sink: S) -> Self {
        Self {
            sink,
            tape: Tape::new(),
            programs: Arc::default(),
            last_tick: 0,
            dt: Duration::ZERO,
            bytes: Vec::new(),
        }
    }

    /// Where the tape goes.
    pub fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Ticks a population that is in no society, as [`Population::tick`] does.
    pub fn tick(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
    ) -> Tally {
        self.sink.prepare(Agents::Population(population));
        let next =
            &mut |population: &mut Population, host: &mut dyn Host| population.tick(host, dt);
        tick(self, population, host, dt, next)
    }

    /// Makes a step of a society, as [`Society::step`] does, and says what became of its messages. `ticks` ticks its
    /// populations by the function that it is given.
    pub fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        mut ticks: impl FnMut(&mut TickFn<'_>),
    ) -> Delivery {
        self.sink.prepare(Agents::Society(society));
        let next =
            &mut |society: &mut Society, ticks: &mut Ticks<'_>| plain_step(society, dt, ticks);
        step(self, society, dt, &mut ticks, next)
    }

    fn put_state<T: Taped>(&mut self, of: &mut T) {
        if !of.runs(&self.programs) {
            self.programs = Arc::new(of.programs());
        }
        self.last_tick = of.ticks_so_far();
        let state = self.tape.state(of);
        self.sink.state(self.last_tick, &self.programs, state);
    }
}

impl<S: Sink> Watcher for Observing<S> {
    fn begin<T: Taped>(&mut self, of: &mut T, dt: Duration) -> bool {
        if self.sink.is_over() {
            return false;
        }
        let is_cut = !self.tape.has_state()
            || of.ticks_so_far() != self.last_tick
            || !of.runs(&self.programs);
        if is_cut {
            self.put_state(of);
        }
        self.dt = dt;
        self.tape.begin(of, dt);
        true
    }

    fn tape(&mut self) -> &mut Tape {
        &mut self.tape
    }

    fn end<T: Taped>(&mut self, of: &mut T) {
        self.bytes.clear();
        self.tape.end(of, &mut self.bytes);
        self.last_tick = of.ticks_so_far();
        if self.sink.tick(&self.bytes, self.dt) {
            self.put_state(of);
        }
    }
}

impl<S: Sink> Observer for Observing<S> {
    fn prepare(&mut self, agents: Agents<'_>) {
        self.sink.prepare(agents);
    }

    fn tick(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
        next: &mut NextTick<'_>,
    ) -> Tally {
        tick(self, population, host, dt, next)
    }

    fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        ticks: &mut Ticks<'_>,
        next: &mut NextStep<'_>,
    ) -> Delivery {
        step(self, society, dt, ticks, next)
    }

    fn reloaded(&mut self, documents: &[Texts]) {
        self.sink.reloaded(documents);
    }

    fn is_over(&self) -> bool {
        self.sink.is_over()
    }
}
