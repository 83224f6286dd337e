//! Loops whose own limits are higher than those of a tick.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Counting, Pace, Times, Yields};
use treemind_core::host::Columns;
use treemind_core::{
    Behaviour, FaultKind, Kind, MAX_TURNS_PER_TICK, Node, Parts, Population, Program, Tally,
};

/// A loop with the largest number of runs in one tick that can be written.
fn for_ever(child: Node) -> Node {
    let kind = Kind::Repeat {
        times: Times::Forever,
        pace: Pace {
            yields: Yields::Never,
            max_runs: u32::MAX,
        },
        counting: Counting::Runs,
        ignores_result: false,
    };
    Node::with(kind, vec![child])
}

/// Two nested loops around a child that ends at once.
fn population(agents: usize) -> Population {
    let behaviour = Behaviour::new(Parts {
        name: "t".to_owned(),
        enums: Vec::new(),
        keys: Vec::new(),
        leaves: Vec::new(),
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: for_ever(for_ever(Node::leaf(Kind::Succeed))),
    });
    let behaviour = behaviour.expect("the parts fit together");
    assert_eq!(behaviour.max_turns(), MAX_TURNS_PER_TICK);
    Population::new(Arc::new(Program::new(behaviour)), agents)
}

#[test]
fn a_tick_ends_whatever_loops_allow_themselves() {
    for agents in [1, 65] {
        let mut population = population(agents);
        let mut host = Columns::new(population.program().behaviour(), agents);
        for tick in 1..=2 {
            let tally = population.tick(&mut host, Duration::ZERO);
            let running = Tally {
                running: agents as u64,
                ..Tally::default()
            };
            assert_eq!(tally, running);
            let faults = population.take_faults();
            assert_eq!(faults.total(), agents as u64);
            for fault in faults.kept() {
                // The inner loop is the one that reaches the limit.
                let found = (fault.node.index(), fault.tick, &fault.kind);
                assert_eq!(found, (1, tick, &FaultKind::TurnBudget));
            }
        }
    }
}
