//! The guard: from parts to a histogram of what it did.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Leaf, LeafKind};
use treemind_core::host::Columns;
use treemind_core::{Behaviour, Kind, LeafId, Node, Parts, Population, Program, Trace};

fn condition(index: usize, negated: bool) -> Node {
    Node::leaf(Kind::Condition {
        leaf: LeafId::new(index),
        args: Vec::new(),
        negated,
    })
}

fn action(index: usize) -> Node {
    Node::leaf(Kind::Action {
        leaf: LeafId::new(index),
        args: Vec::new(),
    })
}

/// Leaves: see-enemy, health-low, enemy-dead, run-away, attack, patrol.
fn guard() -> Behaviour {
    let act = LeafKind::ACTION;
    let root = Node::with(
        Kind::ReactiveSelector,
        vec![
            Node::with(
                Kind::ReactiveSequence,
                vec![
                    condition(0, false),
                    Node::with(
                        Kind::ReactiveSelector,
                        vec![
                            Node::with(
                                Kind::ReactiveSequence,
                                vec![condition(1, false), action(3)],
                            ),
                            Node::with(Kind::Monitor, vec![condition(2, true), action(4)]),
                        ],
                    ),
                ],
            ),
            action(5),
        ],
    );
    Behaviour::new(Parts {
        name: "guard".to_owned(),
        enums: Vec::new(),
        keys: Vec::new(),
        leaves: vec![
            Leaf::new("see-enemy", LeafKind::Condition),
            Leaf::new("health-low", LeafKind::Condition),
            Leaf::new("enemy-dead", LeafKind::Condition),
            Leaf::new("run-away", act),
            Leaf::new("attack", act),
            Leaf::new("patrol", act),
        ],
        semaphores: Vec::new(),
        labels: Vec::new(),
        root,
    })
    .expect("the guard is well formed")
}

fn draw(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 61
}

#[test]
fn facts_of_the_generator_give_the_known_histogram() {
    for agents in [1usize, 65, 600] {
        let mut population = Population::new(Arc::new(Program::new(guard())), agents);
        let behaviour = guard();
        let mut columns = Columns::new(&behaviour, agents);
        let mut states: Vec<u64> = (0..agents as u64)
            .map(|agent| {
                0x2545_F491_4F6C_DD1D_u64.wrapping_add(agent.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            })
            .collect();
        let mut histogram = [0; 3];
        for _ in 0..100_000 / if agents == 1 { 1 } else { 1000 } {
            for (agent, state) in states.iter_mut().enumerate() {
                let facts = draw(state);
                for bit in 0..3 {
                    columns
                        .holds_mut(LeafId::new(bit))
                        .set(agent, facts >> bit & 1 == 1);
                }
            }
            columns.clear();
            let tally = population.tick(&mut columns, Duration::from_millis(100));
            assert_eq!(tally.running, agents as u64);
            for (place, count) in histogram.iter_mut().enumerate() {
                *count += columns.running(LeafId::new(3 + place)).count();
            }
        }
        if agents == 1 {
            assert_eq!(histogram, [25_066, 12_625, 62_309]);
        } else {
            assert_eq!(histogram.iter().sum::<usize>(), agents * 100);
        }
    }
}

#[test]
fn a_trace_tells_take_overs_in_order() {
    let behaviour = guard();
    let mut population = Population::new(Arc::new(Program::new(behaviour.clone())), 1);
    let mut columns = Columns::new(&behaviour, 1);
    let mut trace = Trace::new();
    let mut lines = Vec::new();
    // see-enemy, health-low, enemy-dead
    for (tick, facts) in [
        [false, false, false],
        [true, false, false],
        [true, true, false],
        [true, false, true],
    ]
    .into_iter()
    .enumerate()
    {
        for (leaf, holds) in facts.into_iter().enumerate() {
            columns.holds_mut(LeafId::new(leaf)).set(0, holds);
        }
        population.tick_traced(&mut columns, Duration::from_millis(100), &mut trace);
        let status = trace.root(&behaviour, 0).expect("the agent was ticked");
        lines.push(trace.plain_line(&behaviour, 0, tick as u64 + 1, status.as_str()));
    }
    population.abort_all_traced(&mut columns, &mut trace);
    lines.push(trace.plain_line(&behaviour, 0, 4, "HALTTREE"));
    assert_eq!(
        lines,
        [
            "1 RUNNING | tick see-enemy FAILURE; tick patrol RUNNING",
            "2 RUNNING | tick see-enemy SUCCESS; tick health-low FAILURE; tick enemy-dead SUCCESS; \
             tick attack RUNNING; halt patrol",
            "3 RUNNING | tick see-enemy SUCCESS; tick health-low SUCCESS; tick run-away RUNNING; halt attack",
            "4 RUNNING | tick see-enemy SUCCESS; tick health-low FAILURE; halt run-away; tick enemy-dead FAILURE; \
             tick patrol RUNNING",
            "4 HALTTREE | halt patrol",
        ]
    );
}
