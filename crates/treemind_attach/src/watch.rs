//! The game's end of a tape.

use crate::shared::{Edit, Shared, Watched};
use crate::track::Writing;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use treemind_core::host::Host;
use treemind_core::observer::{
    Agents, NextStep, NextTick, Observer, Texts, TickFn, Ticks, plain_step,
};
use treemind_core::tape::{Taped, Taping};
use treemind_core::{Delivery, Population, PopulationId, Society, Tally};

/// Shows a population or a society that the game ticks itself. The game ticks with it instead of ticking without it:
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use treemind::population::{Population, Program};
/// use treemind::prelude::*;
/// use treemind_attach::Studio;
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
pub struct Watch {
    watched: Arc<Watched>,
    shared: Arc<Shared>,
    writing: Writing,
}

impl Watch {
    pub(crate) fn new(watched: Arc<Watched>, shared: Arc<Shared>) -> Self {
        Self {
            watched,
            shared,
            writing: Writing::new(),
        }
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
        self.prepare(Agents::Population(population));
        let next =
            &mut |population: &mut Population, host: &mut dyn Host| population.tick(host, dt);
        Observer::tick(self, population, host, dt, next)
    }

    /// Makes a step of a society, as [`Society::step`] does. `ticks` ticks its populations by the function that it is
    /// given.
    pub fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        mut ticks: impl FnMut(&mut TickFn<'_>),
    ) -> Delivery {
        self.prepare(Agents::Society(society));
        let next =
            &mut |society: &mut Society, ticks: &mut Ticks<'_>| plain_step(society, dt, ticks);
        Observer::step(self, society, dt, &mut ticks, next)
    }

    /// Begins a tick that the game makes itself, right before it. Returns whether it is recorded: then its hosts have
    /// to be in [`host`](Self::host), and [`end`](Self::end) has to follow. Keys that a page writes are written only by
    /// [`tick`](Self::tick) and [`step`](Self::step).
    pub fn begin<T: Taped>(&mut self, of: &mut T, dt: Duration) -> bool {
        if self.shared.is_over.load(Ordering::Relaxed) {
            return false;
        }
        if self.writing.is_cut(of) {
            self.put_state(of);
        }
        let secs = dt.as_secs_f64();
        if secs > 0.0 {
            self.watched.track().secs = secs;
        }
        self.writing.tape().begin(of, dt);
        true
    }

    /// A host whose answers are recorded. The population does not matter if it is in no society.
    pub fn host<'a, H: Host + ?Sized>(
        &'a mut self,
        population: Option<PopulationId>,
        host: &'a mut H,
    ) -> Taping<'a, H> {
        self.writing.tape().host(population, host)
    }

    /// Ends a tick that the game makes itself, right after it.
    pub fn end<T: Taped>(&mut self, of: &mut T) {
        let tick = self.writing.end(of);
        let is_due = {
            let mut track = self.watched.track();
            track.push_tick(tick);
            track.is_state_due()
        };
        if is_due {
            self.put_state(of);
        }
    }

    fn put_state<T: Taped>(&mut self, of: &mut T) {
        let (at, cast, state) = self.writing.state(of);
        self.watched.track().push_state(at, cast, state);
    }
}

impl Observer for Watch {
    /// Writes the keys that pages have written.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn prepare(&mut self, agents: Agents<'_>) {
        let edits = self.watched.take_edits();
        match agents {
            Agents::Population(population) => {
                for edit in edits {
                    if edit.agent < population.len() && runs(population, &edit) {
                        // It fits, because the program is the same.
                        let _ = population.set(edit.agent, edit.key, edit.value);
                    }
                }
            }
            Agents::Society(society) => {
                for edit in edits {
                    if !society.ids().any(|id| id == edit.population) {
                        continue;
                    }
                    let mut population = society.population_mut(edit.population);
                    if edit.agent < population.len() && runs(&population, &edit) {
                        // It fits, because the program is the same.
                        let _ = population.set(edit.agent, edit.key, edit.value);
                    }
                }
            }
            _ => treemind_core::unlisted(&agents),
        }
    }

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
        let tally = next(population, &mut self.host(None, host));
        self.end(population);
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
        let tape = self.writing.tape();
        let delivery = next(society, &mut |tick| {
            ticks(&mut |id, hosts| hosts.taped(tape, id, tick));
        });
        self.end(society);
        delivery
    }

    fn reloaded(&mut self, documents: &[Texts]) {
        let mut track = self.watched.track();
        track.texts.clear();
        for text in documents.iter().flatten() {
            if !track.texts.contains(text) {
                track.texts.push(text.clone());
            }
        }
        track.version += 1;
    }

    fn is_over(&self) -> bool {
        self.shared.is_over.load(Ordering::Relaxed)
    }
}

/// Whether a population runs the program for which a page has written something.
fn runs(population: &Population, edit: &Edit) -> bool {
    Arc::as_ptr(population.program()) as usize == edit.program
}
