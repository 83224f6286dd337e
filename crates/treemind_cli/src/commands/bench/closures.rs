//! The cases with closures over a world, through the registry.

use super::Args;
use super::case::Case;
use super::columns::{BATCH, DT, Places, add, default_ticks};
use super::facts::{DEAD, Facts, LOW, SEE};
use super::report::{Measured, thread_time};
use crate::io::Failure;
use std::sync::Arc;
use treemind::{Behaviour, Bound, Population, Program, Registry, Status};

/// What the closures look at and change: the facts of every agent, and how often each action was carried out.
pub(super) struct World {
    pub(super) facts: Vec<u8>,
    pub(super) histogram: [u64; 3],
}

impl World {
    pub(super) fn new(agents: usize) -> Self {
        Self {
            facts: vec![SEE; agents],
            histogram: [0; 3],
        }
    }
}

pub(super) fn bind(case: Case, behaviour: &Behaviour) -> Bound<World> {
    let mut registry = Registry::<World>::new();
    registry
        .condition("see-enemy", |world: &World, me| {
            world.facts[me.index()] & SEE != 0
        })
        .condition("health-low", |world: &World, me| {
            world.facts[me.index()] & LOW != 0
        })
        .condition("enemy-dead", |world: &World, me| {
            world.facts[me.index()] & DEAD != 0
        });
    for (place, action) in case.counted().into_iter().flatten().enumerate() {
        registry.action(action, move |world: &mut World, _| {
            world.histogram[place] += 1;
            Status::Running
        });
    }
    for leaf in behaviour
        .leaves()
        .iter()
        .filter(|leaf| leaf.name.starts_with("holds-"))
    {
        registry.condition(&leaf.name, |_: &World, _| true);
    }
    registry
        .bind(behaviour)
        .expect("every leaf of the case is registered")
}

pub(super) fn measure(args: &Args) -> Result<Measured, Failure> {
    let agents = args.agents as usize;
    let behaviour = args.case.behaviour();
    let places = Places::of(args.case, &behaviour);
    let bound = bind(args.case, &behaviour);
    let program = Arc::new(Program::new(behaviour));
    let mut population = Population::new(Arc::clone(&program), agents);
    let mut facts = Facts::new(agents);
    let single = agents == 1;
    let batch = if single || places.keys.is_some() {
        1
    } else {
        (BATCH / agents).max(1)
    };
    let mut worlds: Vec<World> = (0..batch).map(|_| World::new(agents)).collect();
    let ticks = default_ticks(args);
    let mut measured = Measured::of(args, &program);
    let mut draw = |world: &mut World, population: &mut Population| {
        for (agent, bits) in world.facts.iter_mut().enumerate() {
            *bits = facts.draw(agent);
        }
        if let Some(keys) = places.keys {
            keys.write(population, &world.facts);
        }
    };
    let per_batch = if single {
        BATCH as u64 / 20
    } else {
        batch as u64
    };
    while measured.ticks < ticks {
        let now = per_batch.min(ticks - measured.ticks);
        let first = measured.ticks == 0;
        let changes = args.case.has_facts() && (first || !args.steady);
        if changes && (!single || args.steady) {
            let (world, others) = worlds.split_first_mut().expect("there is one");
            draw(world, &mut population);
            for other in others {
                if args.steady {
                    other.facts.copy_from_slice(&world.facts);
                } else {
                    draw(other, &mut population);
                }
            }
        }
        let mut histogram = [0; 3];
        let begin = thread_time();
        let count = allocation_counter::measure(|| {
            for tick in 0..now {
                let world = &mut worlds[if single { 0 } else { tick as usize }];
                if single && changes && !args.steady {
                    draw(world, &mut population);
                }
                population.tick(&mut bound.host(world), DT);
                places.count_states(&mut histogram, &population);
            }
        });
        add(&mut measured.histogram, histogram);
        measured.batch(thread_time() - begin, now, agents, count.count_total);
    }
    // States are counted above; what closures have carried out is one tick less for each that is entered.
    for world in worlds.iter().filter(|_| !places.counts_states()) {
        add(&mut measured.histogram, world.histogram);
    }
    Ok(measured.weigh(&population))
}
