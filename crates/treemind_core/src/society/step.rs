//! Steps: every population may be ticked once, and then all writes take effect.

use super::{Member, PopulationId, Society};
use crate::host::Host;
use crate::population::{Budget, Delivery, Tally};
use crate::trace::{Trace, untraced};
use std::time::Duration;

impl Society {
    /// Begins a step, in which each population may be ticked once. What is shared reads as it is now until the step
    /// ends. A population that is not ticked stands still: its clock and its timers stop, and it is given no places
    /// of semaphores.
    ///
    /// A host is lent for one call. So hosts that work on the same game can follow one another; for populations on
    /// several threads, see [`Step::tickers`].
    pub fn step(&mut self, dt: Duration) -> Step<'_> {
        // A step that was forgotten (`mem::forget`) still ends.
        self.end_step();
        self.is_in_step = true;
        self.before.end();
        self.steps += 1;
        for member in self.members_mut() {
            member.population.begin_faults();
            member.population.forget_newborns();
            member.population.forget_delivered();
        }
        self.show_places();
        self.list_members();
        Step { society: self, dt }
    }

    pub(super) fn end_step(&mut self) {
        if !std::mem::take(&mut self.is_in_step) {
            return;
        }
        for index in 0..self.members.len() {
            if let Some(member) = self.members[index].as_mut().filter(|one| one.was_ticked) {
                member.population.apply_writes();
                self.pass_on(index);
            }
        }
        self.end_changes(true);
        for member in self.members_mut() {
            member.was_ticked = false;
            member.population.end_faults();
        }
    }
}

/// A step of a [`Society`]. It ends when it is dropped, or with [`end`](Self::end).
#[derive(Debug)]
pub struct Step<'s> {
    society: &'s mut Society,
    dt: Duration,
}

impl Step<'_> {
    /// Ticks all agents of a population.
    ///
    /// # Panics
    /// When the population has been ticked in this step, has left, or belongs to another society.
    pub fn tick(&mut self, id: PopulationId, host: &mut dyn Host) -> Tally {
        self.ticker(id).tick(host)
    }

    /// Like [`tick`](Self::tick), and also records what happened; the previous content of the trace is discarded.
    ///
    /// # Panics
    /// As [`tick`](Self::tick).
    pub fn tick_traced(
        &mut self,
        id: PopulationId,
        host: &mut dyn Host,
        trace: &mut Trace,
    ) -> Tally {
        self.ticker(id).tick_traced(host, trace)
    }

    /// Like [`tick`](Self::tick), with a budget: see [`Population::tick_some`](crate::Population::tick_some).
    ///
    /// # Panics
    /// As [`tick`](Self::tick).
    pub fn tick_some(
        &mut self,
        id: PopulationId,
        host: &mut dyn Host,
        budget: Budget<'_>,
    ) -> Tally {
        let mut ticker = self.ticker(id);
        ticker.member.population.keep_due_times();
        ticker.begin();
        let population = &mut ticker.member.population;
        population.sweep_some(host, budget, &mut untraced())
    }

    /// Like [`tick_some`](Self::tick_some), and also records what happened; the previous content of the trace is
    /// discarded.
    ///
    /// # Panics
    /// As [`tick`](Self::tick).
    pub fn tick_some_traced(
        &mut self,
        id: PopulationId,
        host: &mut dyn Host,
        budget: Budget<'_>,
        trace: &mut Trace,
    ) -> Tally {
        let mut ticker = self.ticker(id);
        ticker.member.population.keep_due_times();
        ticker.begin();
        trace.clear();
        ticker.member.population.sweep_some(host, budget, trace)
    }

    /// Like [`tick`](Self::tick), with the agents of the population on several threads: see
    /// [`Population::tick_in_parallel`](crate::Population::tick_in_parallel).
    ///
    /// # Panics
    /// As [`tick`](Self::tick), and when there is no host.
    #[cfg(feature = "rayon")]
    pub fn tick_in_parallel<H: Host + Send>(&mut self, id: PopulationId, hosts: &mut [H]) -> Tally {
        self.ticker(id).tick_in_parallel(hosts)
    }

    /// Several populations, to be ticked on different threads. The hosts must not share anything that changes.
    ///
    /// # Panics
    /// As [`tick`](Self::tick), and when a population is named twice.
    pub fn tickers<const N: usize>(&mut self, ids: [PopulationId; N]) -> [Ticker<'_>; N] {
        for id in ids {
            self.society.member(id);
        }
        let dt = self.dt;
        let members = self
            .society
            .members
            .get_disjoint_mut(ids.map(PopulationId::index));
        let members = members.unwrap_or_else(|_| panic!("a population is named twice"));
        members.map(|member| Ticker {
            member: member.as_mut().expect("it is a member"),
            dt,
        })
    }

    /// Ends the step: the writes to shared keys take effect, and free places of semaphores go to those who have
    /// waited longest. Returns what became of the events that agents have emitted with `to` since the last call.
    pub fn end(self) -> Delivery {
        self.society.end_step();
        let mut delivery = std::mem::take(&mut self.society.delivery);
        for member in self.society.members_mut() {
            delivery.lost += member.population.take_delivery().lost;
        }
        delivery
    }

    fn ticker(&mut self, id: PopulationId) -> Ticker<'_> {
        let [ticker] = self.tickers([id]);
        ticker
    }
}

impl Drop for Step<'_> {
    fn drop(&mut self) {
        self.society.end_step();
    }
}

/// A population of a step that has not been ticked yet.
#[derive(Debug)]
pub struct Ticker<'s> {
    member: &'s mut Member,
    dt: Duration,
}

impl Ticker<'_> {
    /// Ticks all agents of the population.
    ///
    /// # Panics
    /// When the population has been ticked in this step.
    pub fn tick(mut self, host: &mut dyn Host) -> Tally {
        self.begin();
        self.member.population.sweep(host, &mut untraced())
    }

    /// Like [`tick`](Self::tick), and also records what happened; the previous content of the trace is discarded.
    ///
    /// # Panics
    /// As [`tick`](Self::tick).
    pub fn tick_traced(mut self, host: &mut dyn Host, trace: &mut Trace) -> Tally {
        self.begin();
        trace.clear();
        self.member.population.sweep(host, trace)
    }

    /// Like [`tick`](Self::tick), with the agents on several threads: see
    /// [`Population::tick_in_parallel`](crate::Population::tick_in_parallel).
    ///
    /// # Panics
    /// As [`tick`](Self::tick), and when there is no host.
    #[cfg(feature = "rayon")]
    pub fn tick_in_parallel<H: Host + Send>(mut self, hosts: &mut [H]) -> Tally {
        assert!(!hosts.is_empty(), "a tick needs a host");
        self.begin();
        self.member.population.sweep_in_parallel(hosts)
    }

    fn begin(&mut self) {
        let name = &self.member.name;
        assert!(!self.member.was_ticked, "`{name}` was ticked in this step");
        self.member.was_ticked = true;
        self.member.population.begin_tick(self.dt);
    }
}
