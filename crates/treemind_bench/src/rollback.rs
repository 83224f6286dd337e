//! The cost of keeping the last ticks of a crowd of which few agents change.

use crate::case::Case;
use crate::ours::DT;
use std::sync::Arc;
use treemind::blackboard::{KeyId, Value, WrongType};
use treemind::population::{Bound, Population, PopulationId, Program, Society};
use treemind::saving::{Rollback, SocietyRollback};
use treemind::{Document, Registry, Status};

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
        let bound = actions().bind(&behaviour).expect("every action is there");
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
        let population = &mut self.population;
        change_some(
            population.len(),
            self.ticks,
            self.keys,
            |agent, key, value| population.set(agent, key, value),
        );
        self.population.tick(&mut self.bound.host(&mut ()), DT);
        if let Some(rollback) = &mut self.rollback {
            rollback.record(&self.population);
        }
        self.ticks += 1;
    }
}

/// Guards and archers who share an alarm in the world and a count in their groups.
const CAMP: &str = r#"
blackboard {
    key enemy_distance type=float default=50.0
    key health type=float default=100.0
}
blackboard scope=world { key alarm type=int merge=max; }
blackboard scope=group { key wounded type=int merge=add; }
leaves { action run-away; action attack; action patrol; }
tree guard {
    reactive-selector {
        reactive-sequence { check "enemy_distance < 10.0 && health < 20.0"; action run-away; }
        reactive-sequence { check "enemy_distance < 10.0 && alarm < 9"; action attack; }
        action patrol
    }
}
tree archer {
    reactive-selector {
        reactive-sequence { check "enemy_distance < 30.0 && wounded < 5"; action attack; }
        action patrol
    }
}
"#;

/// A society of guards and archers, with or without its last steps.
pub(crate) struct Camp {
    society: Society,
    bounds: Vec<(PopulationId, Bound<()>, [KeyId; 2])>,
    rollback: Option<SocietyRollback>,
    steps: usize,
}

impl Camp {
    pub(crate) fn new(agents: usize, keeps: bool) -> Self {
        let document = Document::parse(CAMP, "camp.kdl");
        let mut society = Society::new();
        let mut bounds = Vec::new();
        for name in ["guard", "archer"] {
            let behaviour = document
                .behaviour(Some(name))
                .expect("the document is right");
            let bound = actions().bind(&behaviour).expect("every action is there");
            let key = |name| behaviour.key_id(name).expect("it has that key");
            let keys = [key("enemy_distance"), key("health")];
            let mut population = Population::new(Arc::new(Program::new(behaviour)), agents / 2);
            for agent in 0..agents / 2 {
                population.set_group(agent, (agent / 100) as u32);
            }
            let id = society.join(name, population).expect("they agree");
            bounds.push((id, bound, keys));
        }
        let rollback = keeps.then(|| SocietyRollback::new(&society, WINDOW));
        let mut camp = Self {
            society,
            bounds,
            rollback,
            steps: 0,
        };
        // The window is full.
        (0..2 * WINDOW).for_each(|_| camp.step());
        camp
    }

    /// As many steps as are measured together.
    pub(crate) fn run(&mut self) {
        (0..TICKS).for_each(|_| self.step());
    }

    fn step(&mut self) {
        for (id, _, keys) in &self.bounds {
            let mut population = self.society.population_mut(*id);
            let agents = population.len();
            change_some(agents, self.steps, *keys, |agent, key, value| {
                population.set(agent, key, value)
            });
        }
        let mut step = self.society.step(DT);
        for (id, bound, _) in &self.bounds {
            step.tick(*id, &mut bound.host(&mut ()));
        }
        step.end();
        if let Some(rollback) = &mut self.rollback {
            rollback.record(&self.society);
        }
        self.steps += 1;
    }
}

fn actions() -> Registry<()> {
    let mut registry = Registry::<()>::new();
    for action in ["run-away", "attack", "patrol"] {
        registry.action(action, |(), _| Status::Running);
    }
    registry
}

/// Gives one agent in so many other facts.
fn change_some(
    agents: usize,
    ticks: usize,
    keys: [KeyId; 2],
    mut set: impl FnMut(usize, KeyId, Value) -> Result<(), WrongType>,
) {
    for agent in (ticks % CHANGED_OF..agents).step_by(CHANGED_OF) {
        let turn = (ticks / CHANGED_OF + agent) % 3;
        let [distance, health] = keys;
        let metres = if turn > 0 { 5.0 } else { 50.0 };
        let points = if turn == 1 { 10.0 } else { 90.0 };
        let values = [(distance, metres), (health, points)];
        for (key, value) in values {
            set(agent, key, Value::Float(value)).expect("the value is of the key's type");
        }
    }
}
