//! The cases on several threads: wall time, since that is what more threads are for.

use super::columns::{DT, Places, add, default_ticks, fill};
use super::facts::Facts;
use super::report::Measured;
use super::{Args, HostKind, closures};
use crate::io::Failure;
use std::sync::Arc;
use std::time::Instant;
use treemind::host::Columns;
use treemind::{Population, Program};

pub(super) fn measure(args: &Args) -> Result<Measured, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads as usize)
        .build()
        .map_err(|error| Failure::Failed(format!("cannot start the threads: {error}")))?;
    Ok(pool.install(|| match args.host {
        HostKind::Columns => with_columns(args),
        HostKind::Closures => with_closures(args),
    }))
}

fn with_columns(args: &Args) -> Measured {
    let (agents, threads) = (args.agents as usize, args.threads as usize);
    let behaviour = args.case.behaviour();
    let places = Places::of(args.case, &behaviour);
    let program = Arc::new(Program::new(behaviour.clone()));
    let mut population = Population::new(Arc::clone(&program), agents);
    let mut facts = Facts::new(agents);
    let mut drawn = vec![0; agents];
    let mut hosts: Vec<Columns> = (0..threads)
        .map(|_| Columns::new(&behaviour, agents))
        .collect();
    for host in &mut hosts {
        args.case.hold_all(&behaviour, host);
    }
    let mut measured = Measured::of(args, &program);
    let ticks = default_ticks(args);
    while measured.ticks < ticks {
        if args.case.has_facts() && (measured.ticks == 0 || !args.steady) {
            for (thread, host) in hosts.iter_mut().enumerate() {
                // Every host gets the facts of all agents; they are drawn once.
                fill(
                    host,
                    &mut population,
                    &places,
                    &mut facts,
                    &mut drawn,
                    thread > 0,
                );
            }
        }
        hosts.iter_mut().for_each(Columns::clear);
        let begin = Instant::now();
        let count = allocation_counter::measure(|| {
            population.tick_in_parallel(&mut hosts, DT);
        });
        measured.batch(begin.elapsed(), 1, agents, count.count_total);
        let mut histogram = [0; 3];
        for host in &hosts {
            places.count_actions(&mut histogram, host);
        }
        places.count_states(&mut histogram, &population);
        add(&mut measured.histogram, histogram);
    }
    measured.weigh(&population)
}

fn with_closures(args: &Args) -> Measured {
    let (agents, threads) = (args.agents as usize, args.threads as usize);
    let behaviour = args.case.behaviour();
    let places = Places::of(args.case, &behaviour);
    let bound = closures::bind(args.case, &behaviour);
    let program = Arc::new(Program::new(behaviour));
    let mut population = Population::new(Arc::clone(&program), agents);
    let mut facts = Facts::new(agents);
    let mut worlds: Vec<_> = (0..threads).map(|_| closures::World::new(agents)).collect();
    let mut measured = Measured::of(args, &program);
    let ticks = default_ticks(args);
    while measured.ticks < ticks {
        if args.case.has_facts() && (measured.ticks == 0 || !args.steady) {
            for agent in 0..agents {
                let bits = facts.draw(agent);
                worlds
                    .iter_mut()
                    .for_each(|world| world.facts[agent] = bits);
            }
            if let Some(keys) = places.keys {
                keys.write(&mut population, &worlds[0].facts);
            }
        }
        let mut hosts: Vec<_> = worlds.iter_mut().map(|world| bound.host(world)).collect();
        let begin = Instant::now();
        let count = allocation_counter::measure(|| {
            population.tick_in_parallel(&mut hosts, DT);
        });
        measured.batch(begin.elapsed(), 1, agents, count.count_total);
        let mut histogram = [0; 3];
        places.count_states(&mut histogram, &population);
        add(&mut measured.histogram, histogram);
    }
    for world in worlds.iter().filter(|_| !places.counts_states()) {
        add(&mut measured.histogram, world.histogram);
    }
    measured.weigh(&population)
}
