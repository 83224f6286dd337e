//! The cost of adding agents to a population.

use crate::case::Case;
use crate::measure::repeated;
use std::sync::Arc;
use treemind::{Population, Program};

/// Nanoseconds per agent.
pub(crate) struct Spawned {
    pub(crate) agents: usize,
    pub(crate) one_by_one: f64,
    pub(crate) together: f64,
}

/// A population without agents, whose agents have three keys.
pub(crate) fn population() -> Population {
    Population::new(Arc::new(Program::new(Case::GuardExpr.behaviour())), 0)
}

/// Adds agents one by one.
pub(crate) fn one_by_one(mut population: Population, agents: usize) -> Population {
    for _ in 0..agents {
        population.spawn();
    }
    population
}

/// Adds agents in one call.
pub(crate) fn together(mut population: Population, agents: usize) -> Population {
    population.spawn_many(agents);
    population
}

/// Measures how long it takes to add this many agents to a population without any.
pub(crate) fn measure(agents: usize) -> Spawned {
    let empty = population();
    let per_agent = |seconds: f64| seconds * 1e9 / agents as f64;
    Spawned {
        agents,
        one_by_one: per_agent(repeated(|| one_by_one(empty.clone(), agents))),
        together: per_agent(repeated(|| together(empty.clone(), agents))),
    }
}
