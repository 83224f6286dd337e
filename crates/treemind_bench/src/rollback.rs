//! The cost of keeping the last ticks of a crowd of which few agents change.

use crate::case::Case;
use crate::ours::DT;
use std::sync::Arc;
use treemind::{Bound, KeyId, Population, Program, Registry, Rollback, Status, Value};

/// How many ticks are kept, and how many are measured together.
const WINDOW: usize = 60;
const TICKS: usize = 8;

/// Of how many agents one has other facts in each tick.
const CHANGED_OF: usize = 20;

/// A crowd of guards, with or without its last ticks.
pub(crate) struct Guards {
    population: Population,
    bound: Bound<()>,
    rollback: Option<Rollback>,
    keys: [KeyId; 2],
    ticks: usize,
}

impl Guards {
    pub(crate) fn new(agents: usize, keeps: bool) -> Self {
        let behaviour = Case::GuardExpr.behaviour();
        let mut registry = Registry::<()>::new();
        for action in ["run-away", "attack", "patrol"] {
            registry.action(action, |(), _| Status::Running);
        }
        let bound = registry.bind(&behaviour).expect("every action is there");
        let key = |name| behaviour.key_id(name).expect("the guard has that key");
        let keys = [key("enemy_distance"), key("health")];
        let population = Population::new(Arc::new(Program::new(behaviour)), agents);
        let rollback = keeps.then(|| Rollback::new(&population, WINDOW));
        let mut guards = Self {
            population,
            bound,
            rollback,
            keys,
            ticks: 0,
        };
        // The window is full.
        (0..2 * WINDOW).for_each(|_| guards.tick());
        guards
    }

    /// As many ticks as are measured together.
    pub(crate) fn run(&mut self) {
        (0..TICKS).for_each(|_| self.tick());
    }

    /// The bytes of the whole window; 0 if nothing is kept.
    pub(crate) fn window_bytes(&self) -> usize {
        self.rollback.as_ref().map_or(0, Rollback::bytes)
    }

    pub(crate) fn state_bytes(&self) -> usize {
        self.population.state_bytes()
    }

    fn tick(&mut self) {
        let agents = self.population.len();
        for agent in (self.ticks % CHANGED_OF..agents).step_by(CHANGED_OF) {
            let turn = (self.ticks / CHANGED_OF + agent) % 3;
            let [distance, health] = self.keys;
            let metres = if turn > 0 { 5.0 } else { 50.0 };
            let points = if turn == 1 { 10.0 } else { 90.0 };
            let values = [(distance, metres), (health, points)];
            for (key, value) in values {
                let set = self.population.set(agent, key, Value::Float(value));
                set.expect("the value is of the key's type");
            }
        }
        self.population.tick(&mut self.bound.host(&mut ()), DT);
        if let Some(rollback) = &mut self.rollback {
            rollback.record(&self.population);
        }
        self.ticks += 1;
    }
}
