//! Crowds that wait: chunks in which nobody is due are passed over, and nobody notices.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Leaf, LeafKind, Yields};
use treemind_core::expr::Expr;
use treemind_core::host::Columns;
use treemind_core::{Behaviour, Kind, LeafId, Node, Parts, Population, Program, Tally, Value};

const AGENTS: usize = 1_500;
const DT: Duration = Duration::from_millis(50);
const ACT: LeafId = LeafId::new(0);

fn secs(secs: f64) -> Expr {
    Expr::Value(Value::Double(secs))
}

/// Waits in several places, with times that differ from agent to agent.
fn behaviour() -> Behaviour {
    let wait = |least, jitter: Option<f64>| {
        Node::leaf(Kind::Wait {
            secs: secs(least),
            jitter: jitter.map(secs),
        })
    };
    let action = Node::leaf(Kind::Action {
        leaf: ACT,
        args: Vec::new(),
    });
    let slow = Kind::Timeout {
        secs: secs(1.2),
        across_skips: false,
    };
    let root = Node::with(
        Kind::Sequence {
            yields: Yields::Never,
        },
        vec![
            wait(0.8, None),
            action.clone(),
            wait(0.3, Some(2.0)),
            Node::with(
                Kind::Delay {
                    secs: secs(0.4),
                    across_skips: false,
                },
                vec![action],
            ),
            Node::with(slow, vec![wait(3.0, None)]),
        ],
    );
    Behaviour::new(Parts {
        name: "waiting".to_owned(),
        enums: Vec::new(),
        keys: Vec::new(),
        leaves: vec![Leaf::new("act", LeafKind::ACTION)],
        semaphores: Vec::new(),
        labels: Vec::new(),
        root,
    })
    .expect("its parts fit together")
}

/// What the game sees of each tick: the answers, and who acted.
fn play(mut population: Population, threads: usize) -> Vec<(Tally, Vec<usize>)> {
    let program = Arc::clone(population.program());
    let host = Columns::new(program.behaviour(), AGENTS + 10);
    let mut hosts = vec![host; threads];
    for host in &mut hosts {
        host.succeeded_mut(ACT).words_mut().fill(u64::MAX);
    }
    let mut seen = Vec::new();
    for tick in 0..150 {
        hosts.iter_mut().for_each(Columns::clear);
        match tick {
            20 => population.remove(700, &mut hosts[0]),
            23 | 24 => {
                population.spawn();
            }
            31 => population.abort(1_200, &mut hosts[0]),
            90 => population.abort_all(&mut hosts[0]),
            _ => {}
        }
        let tally = population.tick_in_parallel(&mut hosts, DT);
        let acted = hosts.iter().flat_map(|host| host.started(ACT).agents());
        seen.push((tally, acted.collect()));
    }
    seen
}

#[test]
fn who_waits_is_passed_over_and_comes_to_the_same() {
    let program = Arc::new(Program::new(behaviour()));
    let population = || Population::new(Arc::clone(&program), AGENTS).with_seed(7);
    let expected = play(population().sweeping_all(), 1);
    let acted: usize = expected.iter().map(|(_, acted)| acted.len()).sum();
    assert!(acted > 3 * AGENTS, "{acted}");
    for threads in [1, 2, 5] {
        let seen = play(population(), threads);
        for (tick, (seen, expected)) in seen.iter().zip(&expected).enumerate() {
            assert!(seen == expected, "tick {tick} on {threads} threads");
        }
    }
}
