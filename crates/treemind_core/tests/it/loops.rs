//! Loops whose own limits are higher than those of a tick.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Counting, Pace, Times, Yields};
use treemind_core::host::Columns;
use treemind_core::{
    Behaviour, FaultKind, Kind, Limits, MAX_TURNS_PER_TICK, Node, Parts, Population, Program, Tally,
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
                assert_eq!(found, (1, tick, &FaultKind::TurnBudget(MAX_TURNS_PER_TICK)));
            }
        }
    }
}

#[test]
fn the_host_sets_how_many_runs_an_agent_may_start_in_a_tick() {
    for agents in [1, 200] {
        let mut population = population(agents).with_limits(Limits::new().runs_per_tick(7));
        let mut host = Columns::new(population.program().behaviour(), agents);
        population.tick(&mut host, Duration::ZERO);
        population.tick(&mut host, Duration::ZERO);
        let mut restored =
            Population::restore(Arc::clone(population.program()), &population.save())
                .expect("it was saved");
        assert_eq!(restored.limits(), population.limits());
        let faults = population.take_faults();
        assert_eq!(restored.take_faults().sums(), faults.sums());
        let [sum] = faults.sums() else {
            panic!("one kind of fault at one node: {:?}", faults.sums());
        };
        assert_eq!(sum.count, 2 * agents as u64);
        assert_eq!((sum.first.agent, sum.first.tick), (0, 1));
        assert_eq!(sum.first.kind, FaultKind::TurnBudget(7));
        let text = sum.first.to_string();
        assert!(text.contains("limit of 7 runs"), "{text}");
        assert!(text.contains("`runs_per_tick`"), "{text}");
    }
}
