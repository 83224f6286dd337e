//! The game's end: it records on tapes what the watched agents do.

use ratatui::text::Text;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use treemind_core::host::Host;
use treemind_core::observer::{Observer, TickFn};
use treemind_core::{Delivery, Population, Society, Tally};
use treemind_replay::observe::{Observing, Programs, Sink};

/// A recorded part of what is watched under a number.
#[derive(Debug)]
pub(crate) enum Part {
    /// The whole state before a tick, where playing begins.
    State(Vec<u8>, Arc<Programs>),
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
pub struct Watch(Observing<Post>);

impl Watch {
    pub(crate) fn new(shared: &Shared, name: &str) -> Self {
        let mut desk = desk(shared);
        desk.names.push(name.to_owned());
        Self(Observing::new(Post {
            number: desk.names.len() - 1,
            shared: Arc::clone(shared),
        }))
    }

    /// Turns it into an observer, for the [`Observers`](treemind_core::observer::Observers) of whatever ticks the agents.
    pub fn into_observer(self) -> Box<dyn Observer> {
        Box::new(self.0)
    }

    /// Ticks a population that is in no society, as [`Population::tick`] does.
    pub fn tick(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
    ) -> Tally {
        self.0.tick(population, host, dt)
    }

    /// Makes a step of a society, as [`Society::step`] does, and says what became of its messages. `ticks` ticks its
    /// populations by the function that it is given.
    pub fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        ticks: impl FnMut(&mut TickFn<'_>),
    ) -> Delivery {
        self.0.step(society, dt, ticks)
    }
}

/// Puts what is recorded on the desk.
#[derive(Debug)]
struct Post {
    shared: Shared,
    number: usize,
}

impl Sink for Post {
    fn state(&mut self, at: u64, programs: &Arc<Programs>, state: Vec<u8>) {
        let round = &mut desk(&self.shared).round;
        round.tick.get_or_insert(at);
        let part = Part::State(state, Arc::clone(programs));
        round.parts.push((self.number, part));
    }

    fn tick(&mut self, tape: &[u8], dt: Duration) -> bool {
        let round = &mut desk(&self.shared).round;
        round.parts.push((self.number, Part::Tick(tape.to_vec())));
        round.dt = round.dt.max(dt);
        false
    }

    fn is_over(&self) -> bool {
        desk(&self.shared).is_over
    }
}
