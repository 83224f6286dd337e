//! The cost of adding agents to a population, and of removing them.

use crate::case::Case;
use crate::measure::repeated_on;
use std::sync::Arc;
use std::time::Duration;
use treemind::core::host::Columns;
use treemind::population::{Population, Program};

/// Nanoseconds per agent.
pub(crate) struct Spawned {
    pub(crate) agents: usize,
    pub(crate) one_by_one: f64,
    pub(crate) together: f64,
    /// To remove every second of agents that run something.
    pub(crate) removed: f64,
    /// To add agents in the places of those.
    pub(crate) refilled: f64,
}

/// A population without agents, whose agents have three keys.
pub(crate) fn population() -> Population {
    Population::new(Arc::new(Program::new(Case::GuardExpr.behaviour())), 0)
}

/// Adds agents one by one.
pub(crate) fn one_by_one(population: &mut Population, agents: usize) {
    for _ in 0..agents {
        population.spawn();
    }
}

/// Adds agents in one call.
pub(crate) fn together(population: &mut Population, agents: usize) {
    population.spawn_many(agents);
}

/// Agents that run something, and the host that hears of it.
pub(crate) fn crowd(agents: usize) -> (Population, Columns) {
    let mut population = population();
    together(&mut population, agents);
    let mut host = Columns::new(population.program().behaviour(), agents);
    population.tick(&mut host, Duration::ZERO);
    host.clear();
    (population, host)
}

/// Removes every second agent in one call.
pub(crate) fn remove_half((population, host): &mut (Population, Columns)) {
    population.remove_many((0..population.len()).step_by(2), host);
}

/// Adds agents where some were removed.
pub(crate) fn refill((population, _): &mut (Population, Columns)) {
    together(population, population.len().div_ceil(2));
}

/// Measures how long it takes to add this many agents to a population without any, to remove half of them, and to add
/// others in their places.
pub(crate) fn measure(agents: usize) -> Spawned {
    let half = agents.div_ceil(2);
    let halved = || {
        let mut crowd = crowd(agents);
        remove_half(&mut crowd);
        crowd
    };
    let per_agent = |seconds: f64, agents: usize| seconds * 1e9 / agents as f64;
    let one_by_one = repeated_on(population, |empty| one_by_one(empty, agents));
    let together = repeated_on(population, |empty| together(empty, agents));
    Spawned {
        agents,
        one_by_one: per_agent(one_by_one, agents),
        together: per_agent(together, agents),
        removed: per_agent(repeated_on(|| crowd(agents), remove_half), half),
        refilled: per_agent(repeated_on(halved, refill), half),
    }
}
