//! Own nodes, services, interrupts and shared semaphores in the reference, with every event. The scenarios in
//! `conformance/` cover what the plain trace shows.

use std::collections::VecDeque;
use std::time::Duration;
use treemind_core::host::{Move, Told};
use treemind_core::{Behaviour, Event, NodeId, Outcome, Status, Value};
use treemind_testkit::conformance::{Scenario, behaviour_of};
use treemind_testkit::reference::{Keys, Leaves, Reference, hand_out};
use treemind_testkit::scripts::{Scripts, parse_answers};

const TICK: Duration = Duration::from_millis(100);

/// Scripted leaves, and own nodes with a list of moves that ends with the answer running.
struct Wanting {
    scripts: Scripts,
    wanted: VecDeque<Move>,
    told: Vec<Told>,
}

impl Leaves for Wanting {
    fn ask(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Status {
        self.scripts.ask(node, args, keys)
    }

    fn start(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>) {}

    fn update(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Status {
        self.scripts.update(node, args, keys)
    }

    fn stop(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>, _: Outcome) {}

    fn serve(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>) {}

    fn decide(&mut self, _: NodeId, _: &[Value], _: &mut Keys<'_>, told: Told) -> Move {
        self.told.push(told);
        let running = Move::Answer(Status::Running);
        self.wanted.pop_front().unwrap_or(running)
    }
}

fn behaviour(tree: &str) -> Behaviour {
    let scenario = Scenario {
        tree: format!("{tree}\n"),
        ..Scenario::default()
    };
    behaviour_of(&scenario).expect("the tree is well formed")
}

fn wanting(behaviour: &Behaviour, script: &str, wanted: &[Move]) -> Wanting {
    let mut scripts = Scripts::new(behaviour);
    for line in script.split(';').filter(|line| !line.trim().is_empty()) {
        let (label, answers) = line.split_once(':').expect("a line has a colon");
        let answers = parse_answers(answers).expect("the answers are S, F, R, K");
        assert!(scripts.set(label.trim(), &answers), "{label}");
    }
    Wanting {
        scripts,
        wanted: wanted.iter().copied().collect(),
        told: Vec::new(),
    }
}

fn shown(behaviour: &Behaviour, reference: &Reference<'_>) -> String {
    let show = |(node, event): &(NodeId, Event)| {
        let label = behaviour.label(*node);
        match event {
            Event::Tick(status) => format!("{label} {status}"),
            Event::Stop(outcome) => format!("{label} stop {outcome}"),
            Event::Guard(status) => format!("{label} guard {status}"),
            other => format!("{label} {}", format!("{other:?}").to_lowercase()),
        }
    };
    let events = reference.events().iter().map(show);
    events.collect::<Vec<String>>().join(", ")
}

#[test]
fn an_own_node_is_told_what_came_of_its_wishes() {
    let behaviour = behaviour("node pick { action a; action b; }");
    let wanted = [
        Move::Tick(0),
        Move::Tick(1),
        Move::Halt(1),
        Move::Halt(0),
        Move::Answer(Status::Success),
    ];
    let mut leaves = wanting(&behaviour, "a: K; b: R", &wanted);
    let mut reference = Reference::new(&behaviour, 0, 0);
    reference.tick(&mut leaves, TICK);
    let told = [
        Told::Tick,
        Told::Answered {
            child: 0,
            status: Status::Skipped,
        },
        Told::Answered {
            child: 1,
            status: Status::Running,
        },
        Told::Halted { child: 1 },
        Told::Halted { child: 0 },
    ];
    assert_eq!(leaves.told, told);
    assert_eq!(
        shown(&behaviour, &reference),
        "pick enter, pick start, a start, a SKIPPED, a stop aborted, b start, b RUNNING, b abort, b stop aborted, \
         pick stop success, pick SUCCESS"
    );
}

#[test]
fn an_own_node_is_live_from_its_start_to_its_stop() {
    let behaviour = behaviour("node pick { action a; }");
    let mut leaves = wanting(&behaviour, "", &[Move::Answer(Status::Running)]);
    let mut reference = Reference::new(&behaviour, 0, 0);
    reference.tick(&mut leaves, TICK);
    assert!(reference.is_live(behaviour.root()));
    reference.abort(&mut leaves);
    assert!(!reference.is_live(behaviour.root()));
    assert_eq!(
        shown(&behaviour, &reference),
        "pick abort, pick stop aborted"
    );
    leaves.wanted.push_back(Move::Answer(Status::Skipped));
    reference.tick(&mut leaves, TICK);
    assert_eq!(
        shown(&behaviour, &reference),
        "pick enter, pick start, pick stop aborted, pick SKIPPED"
    );
}

#[test]
fn an_own_node_wants_a_thousand_things_at_most() {
    let behaviour = behaviour("node pick { action a; }");
    let mut leaves = wanting(&behaviour, "", &[Move::Halt(0); 1_001]);
    let mut reference = Reference::new(&behaviour, 0, 0);
    assert_eq!(reference.tick(&mut leaves, TICK), Status::Running);
    assert_eq!(leaves.told.len(), 1_000);
    assert_eq!(
        shown(&behaviour, &reference),
        "pick enter, pick start, pick fault, pick RUNNING"
    );
    reference.tick(&mut leaves, TICK);
    assert_eq!(leaves.told.len(), 1_002);
}

#[test]
fn a_service_is_served_before_its_child() {
    let behaviour = behaviour("service scan interval=0.2 { action a; }");
    let mut leaves = wanting(&behaviour, "a: R", &[]);
    let mut reference = Reference::new(&behaviour, 0, 0);
    let mut ticks = Vec::new();
    for _ in 0..3 {
        reference.tick(&mut leaves, TICK);
        ticks.push(shown(&behaviour, &reference));
    }
    assert_eq!(
        ticks,
        [
            "scan enter, scan serve, a start, a RUNNING, scan RUNNING",
            "scan enter, a RUNNING, scan RUNNING",
            "scan enter, scan serve, a RUNNING, scan RUNNING",
        ]
    );
}

#[test]
fn an_interrupt_aborts_where_it_stands_and_is_answered_where_it_is_awaited() {
    let behaviour = behaviour(
        "parallel success=all failure=all { interruptible l { action a; }; interrupt l; }",
    );
    let mut leaves = wanting(&behaviour, "a: R", &[]);
    let mut reference = Reference::new(&behaviour, 0, 0);
    reference.tick(&mut leaves, TICK);
    assert_eq!(
        shown(&behaviour, &reference),
        "parallel enter, interruptible enter, a start, a RUNNING, interruptible RUNNING, a abort, a stop aborted, \
         interrupt SUCCESS, parallel RUNNING"
    );
    assert!(reference.is_live(NodeId::new(1)));
    reference.tick(&mut leaves, TICK);
    assert_eq!(
        shown(&behaviour, &reference),
        "parallel enter, interruptible enter, interruptible SUCCESS, parallel SUCCESS"
    );
}

#[test]
fn places_are_given_group_by_group() {
    let behaviour = behaviour("semaphore door max=1 scope=group { action a; }");
    let mut leaves = wanting(&behaviour, "a: R", &[]);
    let mut agents: Vec<Reference<'_>> = (0..4)
        .map(|agent| Reference::new(&behaviour, 0, agent))
        .collect();
    agents[1].set_group(7);
    agents[3].set_group(7);
    let mut answers = Vec::new();
    for _ in 0..2 {
        for agent in &mut agents {
            answers.push(agent.tick(&mut leaves, TICK));
        }
        hand_out(&mut agents.iter_mut().collect::<Vec<_>>());
    }
    use Status::{Failure, Running};
    let second = [Running, Running, Failure, Failure];
    assert_eq!(answers[..4], [Running; 4]);
    assert_eq!(answers[4..], second);
}
