//! What breakpoints see of a game.

use super::{Player, agent_of, population};
use std::collections::BTreeSet;
use treemind_core::{Population, Trace};
use treemind_replay::follow::Seen;

impl Player {
    /// Shows what a mind did in the last tick, with its population and its number there, if it is in the world.
    pub(in super::super) fn tell(
        &self,
        mind: usize,
        tell: &mut dyn FnMut(&Population, usize, &Trace),
    ) {
        let Some(mind) = self.minds.get(mind) else {
            return;
        };
        let place = mind.behaviour();
        if let (Some(agent), Some(trace)) = (agent_of(&self.source, mind), self.traces.get(place)) {
            tell(population(&self.source, place), agent, trace);
        }
    }

    /// Shows each population, and what its agents did in the last tick.
    pub(in super::super) fn see(&self, see: &mut dyn FnMut(Seen<'_>)) {
        let places = self.minds.iter().map(|mind| mind.behaviour());
        for place in places.collect::<BTreeSet<usize>>() {
            let number = |agent: usize| {
                self.minds.iter().position(|mind| {
                    mind.behaviour() == place && agent_of(&self.source, mind) == Some(agent)
                })
            };
            see(Seen {
                population: population(&self.source, place),
                trace: self.traces.get(place),
                number: &number,
            });
        }
    }
}
