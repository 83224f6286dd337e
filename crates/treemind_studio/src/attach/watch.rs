//! The game's end of a tape.

use super::shared::{Shared, Watched};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use treemind_core::host::Host;
use treemind_core::observer::{Agents, Observer, Texts, TickFn};
use treemind_core::tape::{Taped, Taping};
use treemind_core::{Delivery, Population, PopulationId, Program, Society, Tally};
use treemind_replay::follow::Input;
use treemind_replay::observe::Watcher as _;
use treemind_replay::observe::{Observing, Programs, Sink};

/// Shows a population or a society that the game ticks itself. The game ticks with it instead of ticking without it:
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use treemind::population::{Population, Program};
/// use treemind::prelude::*;
/// use treemind_studio::Studio;
///
/// let document = Document::read(b"tree guard { wait 1.0; }", "guard.kdl");
/// let behaviour = document.behaviour(None)?;
/// let bound = Registry::<()>::new().bind(&behaviour)?;
/// let mut guards = Population::new(Arc::new(Program::new(behaviour)), 10);
///
/// let studio = Studio::open(0)?;
/// let mut watch = studio.watch_as("guards").with_texts(document.texts());
/// for _ in 0..100 {
///     watch.tick(&mut guards, &mut bound.host(&mut ()), Duration::from_millis(50));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Agents that were ticked without it, or replaced by others, are shown again from the next tick with it on; earlier
/// ticks are then forgotten.
#[derive(Debug)]
pub struct Watch(Observing<Tap>);

impl Watch {
    pub(super) fn new(watched: Arc<Watched>, shared: Arc<Shared>) -> Self {
        Self(Observing::new(Tap { watched, shared }))
    }

    pub(super) fn reloaded(&mut self, documents: &[Texts]) {
        self.0.sink().reloaded(documents);
    }

    /// Turns it into an observer, for the [`Observers`](treemind_core::observer::Observers) of whatever ticks the agents.
    pub fn into_observer(self) -> Box<dyn Observer> {
        Box::new(self.0)
    }

    /// The same, with the names and texts of the documents, to be read on the page.
    #[must_use]
    pub fn with_texts(mut self, texts: Vec<(String, String)>) -> Self {
        self.reloaded(&[texts]);
        self
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

    /// Makes a step of a society, as [`Society::step`] does. `ticks` ticks its populations by the function that it is
    /// given.
    pub fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        ticks: impl FnMut(&mut TickFn<'_>),
    ) -> Delivery {
        self.0.step(society, dt, ticks)
    }

    /// Begins a tick that the game makes itself, right before it. Returns whether it is recorded: then its hosts have
    /// to be in [`host`](Self::host), and [`end`](Self::end) has to follow. Keys that a page writes are written only by
    /// [`tick`](Self::tick) and [`step`](Self::step).
    pub fn begin<T: Taped>(&mut self, of: &mut T, dt: Duration) -> bool {
        self.0.begin(of, dt)
    }

    /// A host whose answers are recorded. The population does not matter if it is in no society.
    pub fn host<'a, H: Host + ?Sized>(
        &'a mut self,
        population: Option<PopulationId>,
        host: &'a mut H,
    ) -> Taping<'a, H> {
        self.0.tape().host(population, host)
    }

    /// Ends a tick that the game makes itself, right after it.
    pub fn end<T: Taped>(&mut self, of: &mut T) {
        self.0.end(of);
    }
}

/// Where the tape of a game goes: to what the pages share with it.
#[derive(Debug)]
struct Tap {
    watched: Arc<Watched>,
    shared: Arc<Shared>,
}

impl Sink for Tap {
    fn state(&mut self, at: u64, programs: &Arc<Programs>, state: Vec<u8>) {
        let mut track = self.watched.track();
        track.push_state(at, Arc::clone(programs), state);
    }

    fn tick(&mut self, tape: &[u8], dt: Duration) -> bool {
        let mut track = self.watched.track();
        let secs = dt.as_secs_f64();
        if secs > 0.0 {
            track.secs = secs;
        }
        track.push_tick(tape);
        track.is_state_due()
    }

    /// Does what pages have done.
    fn prepare(&mut self, mut agents: Agents<'_>) {
        let given = self.watched.take_given();
        let mut held = self.watched.held_now();
        if given.is_empty() && held.is_none() {
            return;
        }
        for one in given {
            let is_same = |program: &Arc<Program>| Arc::as_ptr(program) as usize == one.program;
            give(&mut agents, (one.population, one.agent), |program| {
                is_same(program).then_some(one.input)
            });
        }
        for one in held.iter_mut().flat_map(|held| held.iter_mut()) {
            let hold = &mut one.hold;
            give(&mut agents, (one.population, one.agent), |program| {
                let (key, value) = hold.write_in(program)?;
                Some(Input::Key(key, value))
            });
        }
    }

    fn reloaded(&mut self, documents: &[Texts]) {
        let mut texts: Texts = Vec::new();
        for text in documents.iter().flatten() {
            if !texts.contains(text) {
                texts.push(text.clone());
            }
        }
        self.watched.track().reload(texts);
    }

    fn is_over(&self) -> bool {
        self.shared.is_over.load(Ordering::Relaxed)
    }
}

/// Does to an agent what is to be done in its program, if it is there.
#[warn(clippy::wildcard_enum_match_arm)]
fn give(
    agents: &mut Agents<'_>,
    (id, agent): (PopulationId, usize),
    what: impl FnOnce(&Arc<Program>) -> Option<Input>,
) {
    let found = |population: &Population| {
        let is_there = agent < population.len();
        is_there.then(|| what(population.program())).flatten()
    };
    match agents {
        Agents::Population(population) => {
            if let Some(input) = found(population) {
                input.give(*population, agent);
            }
        }
        Agents::Society(society) if society.ids().any(|known| known == id) => {
            let mut population = society.population_mut(id);
            if let Some(input) = found(&population) {
                input.give(&mut population, agent);
            }
        }
        Agents::Society(_) => {}
        _ => treemind_core::unlisted(agents),
    }
}
