//! The guard with closures as host: nanoseconds per agent and tick.
//!
//! `cargo bench -p treemind` measures; under `cargo test` it runs a few ticks and checks the histogram only.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};
use treemind::behaviour::{Leaf, LeafKind};
use treemind::prelude::*;
use treemind::{Bound, Kind, LeafId, Node, Parts, Population, Program};

const ACTION: LeafKind = LeafKind::ACTION;
const LEAVES: [(&str, LeafKind); 6] = [
    ("see-enemy", LeafKind::Condition),
    ("health-low", LeafKind::Condition),
    ("enemy-dead", LeafKind::Condition),
    ("run-away", ACTION),
    ("attack", ACTION),
    ("patrol", ACTION),
];
const BATCH: u32 = 1_000;
const DT: Duration = Duration::from_millis(50);

fn guard() -> Behaviour {
    let condition = |index, negated| {
        let (leaf, args) = (LeafId::new(index), Vec::new());
        Node::leaf(Kind::Condition {
            leaf,
            args,
            negated,
        })
    };
    let action = |index| {
        let (leaf, args) = (LeafId::new(index), Vec::new());
        Node::leaf(Kind::Action { leaf, args })
    };
    let flee = Node::with(Kind::ReactiveSequence, vec![condition(1, false), action(3)]);
    let strike = Node::with(Kind::Monitor, vec![condition(2, true), action(4)]);
    let choice = Node::with(Kind::ReactiveSelector, vec![flee, strike]);
    let fight = Node::with(Kind::ReactiveSequence, vec![condition(0, false), choice]);
    let leaf = |(name, kind): (&str, LeafKind)| Leaf::new(name, kind);
    Behaviour::new(Parts {
        name: "guard".to_owned(),
        enums: Vec::new(),
        keys: Vec::new(),
        leaves: LEAVES.map(leaf).to_vec(),
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: Node::with(Kind::ReactiveSelector, vec![fight, action(5)]),
    })
    .expect("the guard is well-formed")
}

struct World {
    seeds: Vec<u64>,
    facts: Vec<u8>,
    did: [u64; 3],
}

impl World {
    fn new(agents: usize) -> Self {
        let seed = |agent: u64| {
            0x2545_F491_4F6C_DD1D_u64.wrapping_add(agent.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        };
        let mut world = Self {
            seeds: (0..agents as u64).map(seed).collect(),
            facts: vec![0; agents],
            did: [0; 3],
        };
        world.draw();
        world
    }

    fn draw(&mut self) {
        for (seed, fact) in self.seeds.iter_mut().zip(&mut self.facts) {
            *seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            *fact = (*seed >> 61) as u8;
        }
    }
}

fn registry() -> Registry<World> {
    let mut registry = Registry::<World>::new();
    for (bit, (name, _)) in LEAVES.iter().take(3).enumerate() {
        registry.condition(name, move |world: &World, me: &Agent| {
            world.facts[me.index()] >> bit & 1 == 1
        });
    }
    for (which, (name, _)) in LEAVES.iter().skip(3).enumerate() {
        registry.action(name, move |world: &mut World, _: &mut Agent| {
            world.did[which] += 1;
            Status::Running
        });
    }
    registry
}

struct Case {
    population: Population,
    bound: Bound<World>,
    world: World,
}

impl Case {
    fn new(agents: usize) -> Self {
        let behaviour = guard();
        Self {
            bound: registry().bind(&behaviour).expect("all leaves are there"),
            population: Population::new(Arc::new(Program::new(behaviour)), agents),
            world: World::new(agents),
        }
    }

    #[inline]
    fn tick(&mut self) {
        self.population
            .tick(&mut self.bound.host(&mut self.world), DT);
    }
}

/// The median over batches, per agent and tick. Facts of a crowd are drawn outside of the measured time.
fn measure(agents: usize, changing: bool) -> f64 {
    let mut case = Case::new(agents);
    let ticks = if agents == 1 { BATCH } else { 1 };
    let mut batches: Vec<f64> = (0..if agents == 1 { 300 } else { 60 })
        .map(|_| {
            if changing && agents > 1 {
                case.world.draw();
            }
            let start = Instant::now();
            for _ in 0..ticks {
                if changing && agents == 1 {
                    case.world.draw();
                }
                case.tick();
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(ticks) / agents as f64
        })
        .collect();
    black_box(&case.world.did);
    batches.sort_by(f64::total_cmp);
    batches[batches.len() / 2]
}

fn main() {
    let mut one = Case::new(1);
    for tick in 0..100_000 {
        if tick > 0 {
            one.world.draw();
        }
        one.tick();
    }
    assert_eq!(one.world.did, [25_066, 12_625, 62_309]);
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    for (agents, changing) in [
        (1, true),
        (1, false),
        (64, true),
        (10_000, true),
        (100_000, true),
        (100_000, false),
    ] {
        let facts = if changing { "changing" } else { "steady" };
        println!(
            "guard closures {agents:>6} agents, {facts:<8} {:6.2} ns per agent and tick",
            measure(agents, changing)
        );
    }
}
