//! The game's end: it writes tapes of what the watched agents do.

use ratatui::text::Text;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use treemind_core::host::Host;
use treemind_core::observer::{Observer, TickFn};
use treemind_core::{Delivery, Population, Society, Tally};
use treemind_replay::history::{Store as _, Track};
use treemind_replay::observe::{Observing, Programs, Sink};

/// The tape of something that is watched.
pub(crate) type Tape = Arc<Mutex<Track>>;

/// A round of the game's loop: what the game said, and its panel.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// The tapes that begin in it, each with the number of what is watched.
    pub(crate) tapes: Vec<(usize, Tape)>,
    pub(crate) notes: Vec<String>,
    /// The panel, if it was drawn anew.
    pub(crate) panel: Option<Text<'static>>,
    /// The longest time step.
    pub(crate) dt: Duration,
    /// The number of ticks before the first tape.
    pub(crate) tick: Option<u64>,
}

/// The round that the game is playing, and what is watched.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    pub(crate) round: Round,
    pub(crate) names: Vec<String>,
    /// What could not be played on, and begins again with the next whole state.
    pub(crate) lost: Vec<usize>,
    /// Nobody is looking any longer, so nothing is recorded.
    pub(crate) is_over: bool,
}

/// What the game and the view share.
pub(crate) type Shared = Arc<Mutex<Desk>>;

/// Nobody panics in the middle of a change.
pub(crate) fn desk(shared: &Shared) -> MutexGuard<'_, Desk> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same of a tape.
pub(crate) fn track(tape: &Tape) -> MutexGuard<'_, Track> {
    tape.lock().unwrap_or_else(PoisonError::into_inner)
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
            tape: None,
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

/// Writes a tape.
#[derive(Debug)]
struct Post {
    shared: Shared,
    number: usize,
    tape: Option<Tape>,
}

impl Sink for Post {
    fn state(&mut self, at: u64, programs: &Arc<Programs>, state: Vec<u8>) {
        let mut desk = desk(&self.shared);
        let follows = |tape: &&mut Tape| tape.ticks().is_some_and(|(_, last)| last == at);
        let is_lost = desk.lost.contains(&self.number);
        let known = self.tape.as_mut().filter(follows).filter(|_| !is_lost);
        let tape = match known {
            Some(tape) => tape,
            // It is the first, or not all ticks were watched.
            None => {
                desk.lost.retain(|lost| *lost != self.number);
                let tape = Tape::new(Mutex::new(Track::new(usize::MAX)));
                desk.round.tapes.push((self.number, Arc::clone(&tape)));
                self.tape.insert(tape)
            }
        };
        desk.round.tick.get_or_insert(at);
        track(tape).push_state(at, Arc::clone(programs), state);
    }

    fn tick(&mut self, tape: &[u8], dt: Duration) -> bool {
        let round = &mut desk(&self.shared).round;
        round.dt = round.dt.max(dt);
        let Some(own) = &self.tape else { return true };
        let mut track = track(own);
        track.push_tick(tape);
        track.is_state_due()
    }

    fn is_over(&self) -> bool {
        desk(&self.shared).is_over
    }
}
