//! Treemind calls closures of the game.

use super::DT;
use super::Taken;
use super::keys::Keys;
use super::{Shortcut, population};
use crate::case::{Case, Test, which};
use crate::contender::Contender;
use crate::facts::{Fact, Facts};
use std::sync::Arc;
use treemind::population::{Behaviour, Bound, Population, Program};
use treemind::{Registry, Status};

/// The world that the closures read and change.
#[derive(Clone, Debug)]
struct World {
    /// The facts of all agents, one tick after the other.
    rows: Vec<Fact>,
    /// Where the facts of this tick begin.
    now: usize,
    /// A value that is always true.
    holds: bool,
    /// How often each action was carried out.
    done: Vec<u64>,
}

impl World {
    fn new(case: Case) -> Self {
        Self {
            rows: Vec::new(),
            now: 0,
            holds: std::hint::black_box(true),
            done: vec![0; case.actions().len()],
        }
    }

    fn get_ready(&mut self, facts: &Facts) {
        self.rows.clear();
        self.rows.extend_from_slice(facts.rows());
        self.now = 0;
    }

    #[inline(always)]
    fn fact(&self, agent: usize) -> Fact {
        self.rows[self.now + agent]
    }
}

fn bind(case: Case, behaviour: &Behaviour) -> Bound<World> {
    let mut registry = Registry::<World>::new();
    for (name, test) in case.conditions() {
        match test {
            Test::Bit(bit) => registry.condition(&name, move |world: &World, me| {
                world.fact(me.index()) & bit != 0
            }),
            Test::Which(this, of) => registry.condition(&name, move |world: &World, me| {
                which(world.fact(me.index()), of) == this
            }),
            Test::Holds => registry.condition(&name, |world: &World, _| world.holds),
        };
    }
    for (place, name) in case.actions().iter().enumerate() {
        let ends = case.ends(name);
        registry.action(name, move |world: &mut World, _| {
            world.done[place] += 1;
            match ends {
                true => Status::Success,
                false => Status::Running,
            }
        });
    }
    let bound = registry.bind(behaviour);
    bound.expect("every leaf of the case is registered")
}

/// All agents on one thread.
pub(crate) struct Closures {
    population: Population,
    bound: Bound<World>,
    world: World,
    agents: usize,
    /// With one agent, keys are written during the tick: writing one value costs less than reading the clock.
    keys: Option<Keys>,
    taken: Taken,
}

impl Closures {
    pub(crate) fn new(case: Case, agents: usize, taken: Taken, without: Option<Shortcut>) -> Self {
        let behaviour = case.behaviour();
        Self {
            bound: bind(case, &behaviour),
            keys: Keys::of(case, &behaviour),
            population: population(behaviour, agents, without),
            world: World::new(case),
            agents,
            taken,
        }
    }
}

impl Contender for Closures {
    fn get_ready(&mut self, facts: &Facts, _: usize) {
        self.world.get_ready(facts);
        if let Some(keys) = self.keys.filter(|_| self.agents > 1) {
            keys.write(&mut self.population, facts.rows());
        }
    }

    #[inline]
    fn tick(&mut self, nth: usize) {
        self.world.now = nth * self.agents;
        if let Some(keys) = self.keys.filter(|_| self.agents == 1) {
            keys.write(&mut self.population, &self.world.rows[nth..=nth]);
        }
        let host = &mut self.bound.host(&mut self.world);
        self.taken.tick(&mut self.population, host);
    }

    fn done(&mut self) -> Vec<u64> {
        self.world.done.clone()
    }

    fn state_bytes(&self) -> usize {
        self.population.state_bytes()
    }

    fn most_ticks(&self) -> usize {
        match self.keys {
            Some(_) if self.agents > 1 => 1,
            _ => usize::MAX,
        }
    }
}

/// All agents on several threads, each with its own world.
pub(crate) struct ClosuresOnThreads {
    population: Population,
    bound: Bound<World>,
    worlds: Vec<World>,
    keys: Option<Keys>,
}

impl ClosuresOnThreads {
    pub(crate) fn new(case: Case, agents: usize, threads: usize) -> Self {
        let behaviour = case.behaviour();
        Self {
            bound: bind(case, &behaviour),
            keys: Keys::of(case, &behaviour),
            population: Population::new(Arc::new(Program::new(behaviour)), agents),
            worlds: vec![World::new(case); threads],
        }
    }
}

impl Contender for ClosuresOnThreads {
    fn get_ready(&mut self, facts: &Facts, _: usize) {
        for world in &mut self.worlds {
            world.get_ready(facts);
        }
        if let Some(keys) = self.keys {
            keys.write(&mut self.population, facts.rows());
        }
    }

    fn tick(&mut self, _: usize) {
        let worlds = self.worlds.iter_mut();
        let mut hosts: Vec<_> = worlds.map(|world| self.bound.host(world)).collect();
        self.population.tick_in_parallel(&mut hosts, DT);
    }

    fn done(&mut self) -> Vec<u64> {
        let mut done = vec![0; self.worlds[0].done.len()];
        for world in &self.worlds {
            done.iter_mut()
                .zip(&world.done)
                .for_each(|(sum, one)| *sum += one);
        }
        done
    }

    fn state_bytes(&self) -> usize {
        self.population.state_bytes()
    }

    fn most_ticks(&self) -> usize {
        1
    }
}
