//! The game's end: it records on tapes what the watched agents do.

use ratatui::text::Text;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use treemind_core::host::Host;
use treemind_core::observer::{NextStep, NextTick, Observer, TickFn, Ticks, plain_step};
use treemind_core::tape::{Tape, Taped};
use treemind_core::{Delivery, Population, PopulationId, Program, Society, Tally};

/// The populations of a game or a part of it, with the programs that they run.
pub(crate) type Programs = Vec<(PopulationId, Arc<Program>)>;

/// A recorded part of what is watched under a number.
#[derive(Debug)]
pub(crate) enum Part {
    /// The whole state before a tick, where playing begins.
    State(Vec<u8>, Programs),
    /// A tick.
    Tick(Vec<u8>),
}

/// A round of the game's loop: what agents did, what the game said, and its panel.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// The parts, each with the number of what is watched.
    pub(crate) parts: Vec<(usize, Part)>,
    pub(crate) notes: Vec<String>,
    /// The panel, if it was drawn anew.
    pub(crate) panel: Option<Text<'static>>,
    /// The longest time step.
    pub(crate) dt: Duration,
    /// The number of ticks before the first part.
    pub(crate) tick: Option<u64>,
}

/// The round that the game is playing, and the names of what is watched.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    pub(crate) round: Round,
    pub(crate) names: Vec<String>,
    /// Nobody is looking any longer, so nothing is recorded.
    pub(crate) is_over: bool,
}

/// What the game and the view share.
pub(crate) type Shared = Arc<Mutex<Desk>>;

/// Nobody panics in the middle of a change.
pub(crate) fn desk(shared: &Shared) -> MutexGuard<'_, Desk> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records what a population or a society does that the game ticks itself. The game ticks with it instead of ticking
/// without it.
#[derive(Debug)]
pub struct Watch {
    shared: Shared,
    number: usize,
    tape: Tape,
    programs: Programs,
    last_tick: u64,
}

impl Watch {
    pub(crate) fn new(shared: &Shared, name: &str) -> Self {
        let mut desk = desk(shared);
        desk.names.push(name.to_owned());
        Self {
            number: desk.names.len() - 1,
            shared: Arc::clone(shared),
            tape: Tape::new(),
            programs: Vec::new(),
            last_tick: 0,
        }
    }

    /// Ticks a population that is in no society, as [`Population::tick`] does.
    pub fn tick(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
    ) -> Tally {
        let next =
            &mut |population: &mut Population, host: &mut dyn Host| population.tick(host, dt);
        Observer::tick(self, population, host, dt, next)
    }

    /// Makes a step of a society, as [`Society::step`] does, and says what became of its messages. `ticks` ticks its
    /// populations by the function that it is given.
    pub fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        mut ticks: impl FnMut(&mut TickFn<'_>),
    ) -> Delivery {
        let next =
            &mut |society: &mut Society, ticks: &mut Ticks<'_>| plain_step(society, dt, ticks);
        Observer::step(self, society, dt, &mut ticks, next)
    }

    fn begin<T: Taped>(&mut self, of: &mut T, dt: Duration) -> bool {
        if desk(&self.shared).is_over {
            return false;
        }
        // It is the first tick, there were ticks without it, or the agents were replaced.
        let is_cut = !self.tape.has_state()
            || of.ticks_so_far() != self.last_tick
            || !of.runs(&self.programs);
        if is_cut {
            self.programs = of.programs();
            let state = self.tape.state(of);
            let part = Part::State(state, self.programs.clone());
            let mut desk = desk(&self.shared);
            desk.round.tick.get_or_insert(of.ticks_so_far());
            desk.round.parts.push((self.number, part));
        }
        self.tape.begin(of, dt);
        true
    }

    fn end<T: Taped>(&mut self, of: &mut T, dt: Duration) {
        let mut bytes = Vec::new();
        self.tape.end(of, &mut bytes);
        self.last_tick = of.ticks_so_far();
        let round = &mut desk(&self.shared).round;
        round.parts.push((self.number, Part::Tick(bytes)));
        round.dt = round.dt.max(dt);
    }
}

impl Observer for Watch {
    fn tick(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
        next: &mut NextTick<'_>,
    ) -> Tally {
        if !self.begin(population, dt) {
            return next(population, host);
        }
        let tally = next(population, &mut self.tape.host(None, host));
        self.end(population, dt);
        tally
    }

    fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        ticks: &mut Ticks<'_>,
        next: &mut NextStep<'_>,
    ) -> Delivery {
        if !self.begin(society, dt) {
            return next(society, ticks);
        }
        let tape = &mut self.tape;
        let delivery = next(society, &mut |tick| {
            ticks(&mut |id, hosts| hosts.taped(tape, id, tick));
        });
        self.end(society, dt);
        delivery
    }

    fn is_over(&self) -> bool {
        desk(&self.shared).is_over
    }
}
