//! What takes part in the ticks of minds and casts: to record them, to show them, to change keys before them.

use crate::host::Host;
use crate::ids::PopulationId;
use crate::population::{Delivery, Population, Tally};
use crate::program::Program;
use crate::society::Society;
use crate::tape::Tape;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The names and texts of a document and of its imports; the document comes first.
pub type Texts = Vec<(String, String)>;

/// Who is about to be ticked.
#[derive(Debug)]
#[non_exhaustive]
pub enum Agents<'a> {
    /// Those of one population.
    Population(&'a mut Population),
    /// Those of all populations of a society.
    Society(&'a mut Society),
}

/// Who serves the agents of a population in one tick.
#[non_exhaustive]
pub enum Hosts<'h> {
    /// One host serves all.
    One(&'h mut dyn Host),
    /// Each serves a part of them, on a thread of its own: see [`Population::parts`].
    #[cfg(feature = "rayon")]
    Many(&'h mut [&'h mut (dyn Host + Send)]),
}

/// Ticks a population that is in no society.
pub type NextTick<'n> = dyn FnMut(&mut Population, &mut dyn Host) -> Tally + 'n;

/// Ticks one population in a step.
pub type TickFn<'t> = dyn FnMut(PopulationId, Hosts<'_>) -> Tally + 't;

/// Ticks the populations of a step, each at most once, by the function that it is given.
pub type Ticks<'t> = dyn FnMut(&mut TickFn<'_>) + 't;

/// Makes a step of a society.
pub type NextStep<'n> = dyn FnMut(&mut Society, &mut Ticks<'_>) -> Delivery + 'n;

/// Takes part in every tick of what it observes: to record it, to show it, or to change keys before it.
///
/// There may be several. First all of them [`prepare`](Self::prepare). Then the first one does what it has to before the
/// tick, calls `next` exactly once, where the others and then the agents get their turn, and does what it has to after it.
/// It may put each host into one of its own, which [`Tape::host`] makes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an observer",
    label = "`{Self}` does not implement `Observer`",
    note = "an observer has the methods `tick` and `step`, which call `next`"
)]
pub trait Observer: Send + Sync {
    /// Changes keys or sends events, before anybody records the tick.
    fn prepare(&mut self, agents: Agents<'_>) {
        let _ = agents;
    }

    /// A population is ticked: `next` does it.
    fn tick(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
        next: &mut NextTick<'_>,
    ) -> Tally;

    /// A society makes a step: `next` does it, and has its populations ticked by `ticks`.
    fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        ticks: &mut Ticks<'_>,
        next: &mut NextStep<'_>,
    ) -> Delivery;

    /// From now on, the agents run these documents.
    fn reloaded(&mut self, documents: &[Texts]) {
        let _ = documents;
    }

    /// Whether it needs no more ticks. Then it is forgotten.
    fn is_over(&self) -> bool {
        false
    }
}

/// What can be observed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be observed",
    label = "expected a `Mind`, `Minds` or a `Cast`",
    note = "a game that ticks a population or a society itself does so with the observer: `Recorder::tick`, or `Watch::tick` of `watch_as`"
)]
pub trait Observed {
    /// The documents that the agents run; none if they run behaviours without one.
    fn documents(&self) -> Vec<Texts>;

    /// The populations, with the programs that they run: see [`Taped::programs`](crate::tape::Taped::programs).
    fn programs(&self) -> Vec<(PopulationId, Arc<Program>)>;

    /// From now on, this one takes part in every tick, beside those that do already.
    fn observe(&mut self, observer: Box<dyn Observer>);
}

/// All who observe the same agents.
#[derive(Default)]
pub struct Observers(Vec<Box<dyn Observer>>);

impl Observers {
    /// Adds one.
    pub fn add(&mut self, observer: Box<dyn Observer>) {
        self.0.push(observer);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether nobody observes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Tells all that the agents run these documents from now on.
    pub fn reloaded(&mut self, documents: &[Texts]) {
        self.0.iter_mut().for_each(|one| one.reloaded(documents));
    }

    /// Ticks a population that is in no society.
    pub fn tick(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
    ) -> Tally {
        self.0.retain(|one| !one.is_over());
        for one in &mut self.0 {
            one.prepare(Agents::Population(population));
        }
        tick(&mut self.0, population, host, dt)
    }

    /// Makes a step of a society, whose populations are ticked by `ticks`.
    pub fn step(&mut self, society: &mut Society, dt: Duration, ticks: &mut Ticks<'_>) -> Delivery {
        self.0.retain(|one| !one.is_over());
        for one in &mut self.0 {
            one.prepare(Agents::Society(society));
        }
        step(&mut self.0, society, dt, ticks)
    }
}

impl fmt::Debug for Observers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Observers").field(&self.0.len()).finish()
    }
}

fn tick(
    observers: &mut [Box<dyn Observer>],
    population: &mut Population,
    host: &mut dyn Host,
    dt: Duration,
) -> Tally {
    match observers.split_first_mut() {
        None => population.tick(host, dt),
        Some((first, rest)) => first.tick(population, host, dt, &mut |population, host| {
            tick(rest, population, host, dt)
        }),
    }
}

fn step(
    observers: &mut [Box<dyn Observer>],
    society: &mut Society,
    dt: Duration,
    ticks: &mut Ticks<'_>,
) -> Delivery {
    match observers.split_first_mut() {
        None => plain_step(society, dt, ticks),
        Some((first, rest)) => first.step(society, dt, ticks, &mut |society, ticks| {
            step(rest, society, dt, ticks)
        }),
    }
}

/// Makes a step of a society that nobody observes.
pub fn plain_step(society: &mut Society, dt: Duration, ticks: &mut Ticks<'_>) -> Delivery {
    let mut step = society.step(dt);
    ticks(&mut |id, hosts| match hosts {
        Hosts::One(host) => step.tick(id, host),
        #[cfg(feature = "rayon")]
        Hosts::Many(hosts) => step.tick_in_parallel(id, hosts),
    });
    step.end()
}

impl Hosts<'_> {
    /// Ticks a population with hosts whose answers are recorded.
    pub fn taped(self, tape: &mut Tape, id: PopulationId, tick: &mut TickFn<'_>) -> Tally {
        match self {
            Hosts::One(host) => tick(id, Hosts::One(&mut tape.host(Some(id), host))),
            #[cfg(feature = "rayon")]
            Hosts::Many(hosts) => {
                let mut taping = tape.hosts(Some(id), hosts);
                let all = taping.iter_mut().map(|host| host as &mut (dyn Host + Send));
                let mut all: Vec<_> = all.collect();
                tick(id, Hosts::Many(&mut all))
            }
        }
    }
}
