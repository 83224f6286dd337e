//! A history as a page sees it.

use super::show::{Change, Course, Show};
use crate::clock::Instant;
use std::time::Duration;
use treemind_core::Behaviour;
use treemind_replay::follow::{Follower, Seen};
use treemind_replay::history::{Chore, History, ReplayError, Store};
use treemind_replay::view::Wish;
use treemind_replay::view::protocol::{Definition, Moment};

/// How often to look whether a tape that another program writes has grown.
pub const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How long a tape counts as one that another program still writes.
const GROWS_FOR: Duration = Duration::from_secs(5);

/// Shows a history: of a recording, also while it is written.
///
/// A recording that grows is followed as a game that runs elsewhere. When it has not grown for five seconds, it is a
/// recording with an end.
pub struct Replay<S> {
    name: String,
    history: History<S>,
    /// The last tick that was played.
    last: u64,
    looked: Instant,
    grew: Option<Instant>,
    /// What kept a tick from being played, if pages have not heard of it.
    problem: Option<String>,
}

impl<S: Store> Replay<S> {
    /// Shows a history under the name of its file.
    pub fn new(name: &str, history: History<S>) -> Self {
        Self {
            name: name.to_owned(),
            last: history.tick(),
            history,
            looked: Instant::now(),
            grew: None,
            problem: None,
        }
    }

    /// The same, of a file that was written to this long ago: if that is not long, another program still writes it.
    #[must_use]
    pub fn written(mut self, ago: Duration) -> Self {
        self.grew = Instant::now().checked_sub(ago);
        self
    }

    #[cfg(feature = "server")]
    pub(crate) fn history(&self) -> &History<S> {
        &self.history
    }

    /// What came of playing; pages hear of it if something was in the way.
    fn done<T: Default>(&mut self, done: Result<T, ReplayError>) -> T {
        self.last = self.last.max(self.history.tick());
        done.unwrap_or_else(|error| {
            self.problem = Some(error.to_string());
            T::default()
        })
    }

    /// Reads what another program has written since.
    fn look_again(&mut self) {
        if self.looked.elapsed() < LOOK_EVERY || self.history.store().is_finished() {
            return;
        }
        match self.history.store_mut().look_again() {
            Ok(true) => self.grew = Some(Instant::now()),
            Ok(false) => {}
            Err(error) => self.problem = Some(error.to_string()),
        }
        self.looked = Instant::now();
    }
}

impl<S: Store> Show for Replay<S> {
    fn file(&self) -> String {
        self.name.clone()
    }

    fn ticks_per_sec(&self) -> f64 {
        let secs = self.history.dt().as_secs_f64();
        if secs > 0.0 { 1.0 / secs } else { 20.0 }
    }

    fn secs(&self) -> f64 {
        self.history.time().as_secs_f64()
    }

    fn course(&self) -> Course {
        let (first, end) = self.history.store().ticks().unwrap_or_default();
        let is_grown = self.grew.is_some_and(|grew| grew.elapsed() < GROWS_FOR);
        let is_live = is_grown && !self.history.store().is_finished();
        Course {
            tick: self.history.tick(),
            first,
            last: if is_live { end } else { self.last },
            end: (!is_live).then_some(end),
            plays: true,
            is_live,
        }
    }

    fn revision(&self) -> u64 {
        self.history.revision()
    }

    fn step(&mut self) -> bool {
        let done = self.history.step();
        self.done(done)
    }

    fn seek(&mut self, tick: u64) {
        let done = self.history.seek(tick);
        self.done(done);
    }

    fn catch_up(&mut self, until: Instant) -> Chore {
        self.history.catch_up(|| Instant::now() <= until)
    }

    fn minds(&self) -> usize {
        self.history.roster().len().max(1)
    }

    fn behaviour(&self, nth: usize) -> Option<&Behaviour> {
        let (_, population) = self.history.population(nth)?;
        Some(population.program().behaviour())
    }

    fn mind(&self, nth: usize) -> Option<&Follower> {
        self.history.follower(nth)
    }

    fn see(&self, see: &mut dyn FnMut(Seen<'_>)) {
        self.history.see(see);
    }

    fn look_around(&mut self) -> Option<Change> {
        self.look_again();
        let problem = self.problem.take();
        problem.map(|problem| Change::done(problem.into()))
    }

    fn definition(&self, mind: usize) -> Definition {
        self.history.definition(mind)
    }

    fn view(&mut self, wish: &Wish) -> Moment {
        let moment = self.history.moment(wish);
        self.done(moment)
    }
}
