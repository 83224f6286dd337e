//! What breakpoints see of a game.

use super::{Player, agent_of, population};
use std::collections::BTreeSet;
use treemind_replay::follow::Seen;

impl Player {
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
