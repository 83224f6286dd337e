//! Looking at all who have a mind, whichever behaviour they follow.

use super::Session;
use crate::TICK;
use crate::body::BodyId;
use crate::event::Event;
use treemind::{Population, Trace};

impl Session {
    /// How many behaviours are followed. Each has a population, and a position from 0; the one that is played is the first.
    pub fn behaviours(&self) -> usize {
        self.casts.len()
    }

    /// The population of those who follow a behaviour.
    ///
    /// # Panics
    /// When there is no such behaviour.
    pub fn population_at(&self, nth: usize) -> &Population {
        self.casts[nth].population()
    }

    /// All who have a mind, with the position of the behaviour that they follow: those of the behaviour that is played
    /// first, else in the order of their bodies.
    pub fn minded(&self) -> Vec<(BodyId, usize)> {
        let of = |who: BodyId| Some((who, self.casts.iter().position(|cast| cast.has(who))?));
        let mut minded: Vec<_> = self.world.ids().filter_map(of).collect();
        minded.sort_by_key(|&(who, nth)| (nth > 0, who));
        minded
    }

    /// The agent of somebody in the population of its behaviour; `None` while it is dead or not there.
    pub fn agent_of(&self, who: BodyId) -> Option<usize> {
        let cast = self.casts.iter().find(|cast| cast.has(who))?;
        cast.agent_of(who)
    }

    /// One tick, as [`step`](Self::step), which writes down what every node of every behaviour did: one trace per
    /// behaviour, in the order of their positions. What was in the traces is forgotten.
    pub fn step_all_traced(&mut self, traces: &mut Vec<Trace>) -> &[Event] {
        traces.resize_with(self.casts.len(), Trace::new);
        self.world.step();
        for (cast, trace) in self.casts.iter_mut().zip(traces) {
            trace.clear();
            cast.tick(&mut self.world, TICK, Some(trace));
        }
        self.world.events()
    }
}
