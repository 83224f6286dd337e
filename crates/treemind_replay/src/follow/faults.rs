//! Which faults a tick brought.

use super::Agents;
use treemind_core::{Faults, PopulationId};

/// The faults of all populations up to a tick.
#[derive(Clone, Debug, Default)]
pub struct FaultsSoFar {
    known: Vec<(PopulationId, Faults)>,
}

impl FaultsSoFar {
    /// The faults since the tick before: those that the game had not taken since.
    pub fn take_in(&mut self, agents: &dyn Agents) -> Vec<(PopulationId, Faults)> {
        let mut fresh = Vec::new();
        let mut now = Vec::new();
        for id in agents.populations() {
            let Some(population) = agents.population(id) else {
                continue;
            };
            let faults = population.faults();
            let before = self.known.iter().find(|(known, _)| *known == id);
            let since = match before {
                Some((_, before)) => faults.since(before),
                None => faults.clone(),
            };
            if since.total() > 0 {
                fresh.push((id, since));
            }
            now.push((id, faults.clone()));
        }
        self.known = now;
        fresh
    }
}
