//! Ticking on several threads gives the same results as on one.

use std::sync::Arc;
use std::time::Duration;
use treemind::blackboard::KeyId;
use treemind::blackboard::Value;
use treemind::population::Bound;
use treemind::population::{Population, Program, Tally};
use treemind::prelude::*;

const DOCUMENT: &str = r#"
blackboard { key calm type=int; key seen type=int; key done type=int; }
blackboard scope=world { key last type=int; }
leaves { condition see; action hunt; }
tree villager {
    reactive-selector {
        reactive-sequence {
            condition see
            set "seen += 1; last = last + seen"
            sequence { action hunt; set "done += 1"; wait 0.2; }
        }
        random-selector { set "calm += 1"; set "calm += 100"; set "calm += 10000"; }
    }
}"#;

/// Every part has its own world, here only the number of the tick.
struct World {
    tick: usize,
}

fn bound() -> (Arc<Program>, Bound<World>) {
    let behaviour = Document::parse(DOCUMENT, "villager.kdl")
        .behaviour(None)
        .expect("the document has no errors");
    let mut registry = Registry::<World>::new();
    registry
        .condition("see", |world: &World, me| {
            (me.index() * 7 + world.tick) % 5 < 2
        })
        .action("hunt", |world: &mut World, me| {
            match (me.index() + world.tick) % 3 {
                0 => Status::Running,
                1 => Status::Success,
                _ => Status::Failure,
            }
        });
    let bound = registry.bind(&behaviour).expect("all leaves are there");
    (Arc::new(Program::new(behaviour)), bound)
}

fn keys_after(ticks: usize, agents: usize, threads: usize) -> (Vec<Value>, Vec<Tally>) {
    let (program, bound) = bound();
    let mut population = Population::new(program, agents).with_seed(7);
    let mut tallies = Vec::new();
    for tick in 0..ticks {
        let mut worlds: Vec<World> = (0..threads).map(|_| World { tick }).collect();
        let mut hosts: Vec<_> = worlds.iter_mut().map(|world| bound.host(world)).collect();
        tallies.push(population.tick_in_parallel(&mut hosts, Duration::from_millis(50)));
    }
    let values = (0..agents)
        .flat_map(|agent| (0..4).map(move |key| (agent, KeyId::new(key))))
        .map(|(agent, key)| population.get(agent, key))
        .collect();
    (values, tallies)
}

#[test]
fn any_number_of_threads_gives_the_same() {
    for agents in [1, 100, 3_000] {
        let one = keys_after(40, agents, 1);
        assert!(one.0.iter().any(|value| *value != Value::Int(0)));
        for threads in [2, 3, 5] {
            assert_eq!(
                keys_after(40, agents, threads),
                one,
                "{agents} agents, {threads} threads"
            );
        }
    }
}

#[test]
fn parts_are_all_agents_in_order() {
    let (program, _) = bound();
    for agents in [0, 1, 64, 65, 3_000] {
        let population = Population::new(Arc::clone(&program), agents);
        for parts in [1, 2, 5, 9] {
            let ranges: Vec<_> = population.parts(parts).collect();
            assert_eq!(ranges.len(), parts);
            let agents_of: Vec<usize> = ranges.into_iter().flatten().collect();
            assert_eq!(agents_of, (0..agents).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_tick_on_two_threads_does_not_allocate_here() {
    let (program, bound) = bound();
    let mut population = Population::new(program, 5_000);
    let mut worlds = [World { tick: 0 }, World { tick: 0 }];
    let [first, second] = &mut worlds;
    let mut hosts = [bound.host(first), bound.host(second)];
    // On a pool of one thread, the thread that counts does everything.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a pool");
    let count = pool.install(|| {
        for _ in 0..3 {
            population.tick_in_parallel(&mut hosts, Duration::from_millis(50));
        }
        allocation_counter::measure(|| {
            for _ in 0..20 {
                population.tick_in_parallel(&mut hosts, Duration::from_millis(50));
            }
        })
    });
    assert_eq!(count.count_total, 0);
}

/// Runs for some ticks and stores in a key how many.
#[derive(serde::Deserialize)]
struct Patrol {
    ticks: i64,
}

impl ActionType<World> for Patrol {
    type State = i64;

    fn update(&self, walked: &mut i64, _: &mut World, me: &mut Agent) -> Result<Status, TaskError> {
        *walked += 1;
        let walks = me.get::<i64>("walks");
        me.set("walks", walks + *walked);
        Ok(if *walked >= self.ticks {
            Status::Success
        } else {
            Status::Running
        })
    }
}

#[test]
fn states_of_runs_are_the_same_on_any_number_of_threads() {
    let text = "
        blackboard { key walks type=int; key ticks type=int default=2; }
        leaves { action patrol { param ticks type=int; }; }
        tree t { sequence { action patrol ticks=3; set \"ticks = walks % 5\"; action patrol ticks=\"{ticks}\"; }; }";
    let mut registry = Registry::<World>::new();
    registry.action_type::<Patrol>("patrol");
    let run = |agents: usize, threads: usize| {
        let behaviour = crate::own_types::behaviour(text);
        let bound = registry.bind(&behaviour).expect("all leaves are there");
        let mut population = Population::new(Arc::new(Program::new(behaviour)), agents);
        for agent in 0..agents {
            let walks = Value::Int(agent as i64 % 7);
            population.set(agent, KeyId::new(0), walks).expect("an int");
        }
        for tick in 0..20 {
            let mut worlds: Vec<World> = (0..threads).map(|_| World { tick }).collect();
            let mut hosts: Vec<_> = worlds.iter_mut().map(|world| bound.host(world)).collect();
            population.tick_in_parallel(&mut hosts, Duration::from_millis(50));
        }
        assert_eq!(population.faults().total(), 0);
        let keys = (0..agents).map(|agent| population.get(agent, KeyId::new(0)));
        keys.collect::<Vec<_>>()
    };
    for agents in [1, 100, 5_000] {
        let one = run(agents, 1);
        for threads in [2, 5] {
            assert_eq!(
                run(agents, threads),
                one,
                "{agents} agents, {threads} threads"
            );
        }
    }
}
