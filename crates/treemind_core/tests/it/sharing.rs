//! Data that groups share: semaphores, and keys that may be unset.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Form, Key, Scope, Semaphore, Yields};
use treemind_core::expr::Assign;
use treemind_core::host::Scripted;
use treemind_core::{
    Behaviour, Expr, KeyId, Kind, Node, Parts, Population, Program, SemaphoreId, Type, Value,
};

const INSIDE: KeyId = KeyId::new(0);
const GOAL: KeyId = KeyId::new(1);

fn sets(key: KeyId, value: Expr) -> Node {
    let assigns = vec![Assign::set(key, value)];
    Node::leaf(Kind::Set { assigns })
}

/// Takes one place of a semaphore of this scope, logs it, and keeps it.
fn guarded(scope: Scope) -> Parts {
    let says = sets(INSIDE, Expr::Value(Value::Bool(true)));
    let sequence = Kind::Sequence {
        yields: Yields::Never,
    };
    let stays = Node::with(sequence, vec![says, Node::leaf(Kind::Run)]);
    let kind = Kind::Semaphore {
        semaphore: SemaphoreId::new(0),
        waits: true,
        bid: None,
    };
    Parts {
        name: "t".to_owned(),
        enums: Vec::new(),
        keys: vec![Key::new("inside", Value::Bool(false))],
        leaves: Vec::new(),
        semaphores: vec![Semaphore {
            name: "door".to_owned(),
            places: 1,
            scope,
            bidding: None,
        }],
        labels: Vec::new(),
        root: Node::with(kind, vec![stays]),
    }
}

/// A goal that the group shares and that is unset at first; the tree has a single node.
fn with_goal(root: Node) -> Parts {
    let mut goal = Key::new("goal", Value::Vec2([0.0, 0.0]));
    goal.form = Form::Optional { starts_set: false };
    goal.scope = Scope::Group;
    let mut parts = guarded(Scope::World);
    parts.keys.push(goal);
    parts.root = root;
    parts
}

fn population(parts: Parts, agents: usize) -> (Population, Scripted) {
    let behaviour = Behaviour::new(parts).expect("the parts fit together");
    let host = Scripted::new(&behaviour, agents);
    let program = Arc::new(Program::new(behaviour));
    (Population::new(program, agents), host)
}

fn inside(population: &Population) -> Vec<usize> {
    let is_inside = |agent: &usize| population.get(*agent, INSIDE) == Value::Bool(true);
    (0..population.len()).filter(is_inside).collect()
}

#[test]
fn each_group_has_its_own_places() {
    for (scope, first, then) in [
        (Scope::Group, vec![0, 70], vec![0, 1, 70]),
        (Scope::World, vec![0], vec![0, 1]),
    ] {
        let (mut population, mut host) = population(guarded(scope), 140);
        for agent in 70..140 {
            population.set_group(agent, 1);
        }
        population.tick(&mut host, Duration::ZERO);
        assert!(
            inside(&population).is_empty(),
            "places are given at the end"
        );
        for _ in 0..3 {
            population.tick(&mut host, Duration::ZERO);
            assert_eq!(inside(&population), first, "{scope:?}");
        }
        // A place that becomes free goes only to the next agent of the group.
        population.remove(0, &mut host);
        for _ in 0..2 {
            population.tick(&mut host, Duration::ZERO);
        }
        assert_eq!(inside(&population), then, "{scope:?}");
    }
}

#[test]
fn who_joins_another_group_takes_its_place_along() {
    let (mut population, mut host) = population(guarded(Scope::Group), 3);
    for _ in 0..2 {
        population.tick(&mut host, Duration::ZERO);
    }
    assert_eq!(inside(&population), [0]);
    population.set_group(0, 5);
    population.set_group(2, 5);
    for _ in 0..3 {
        population.tick(&mut host, Duration::ZERO);
    }
    assert_eq!(
        inside(&population),
        [0, 1],
        "group 5 has its only place taken"
    );
    assert_eq!(population.groups(), 6);
}

#[test]
fn a_group_can_have_no_value_and_be_given_one_at_the_end_of_a_tick() {
    let value = Value::Vec2([1.0, 2.0]);
    let (mut population, mut host) = population(with_goal(sets(GOAL, Expr::Value(value))), 3);
    population.set_group(2, 1);
    assert_eq!(population.find(0, GOAL), None);
    population.tick(&mut host, Duration::ZERO);
    for agent in 0..3 {
        assert_eq!(population.find(agent, GOAL), Some(value));
    }
    assert!(population.board(0).unset(GOAL, 0));
    assert_eq!(population.find(1, GOAL), None);
    assert_eq!(population.find_shared(GOAL, 1), Some(value));
    assert!(population.unset_shared(GOAL, 1));
    assert!(!population.board(2).is_set(GOAL, 2));
}

#[test]
fn a_shared_key_that_is_unset_is_asked_for_and_is_a_fault_to_read() {
    let has = Expr::Has(GOAL);
    let kind = Kind::Check { expr: has };
    let (mut asks, mut host) = population(with_goal(Node::leaf(kind)), 130);
    for agent in 0..130 {
        asks.set_group(agent, u32::from(agent % 3 == 0));
    }
    let goal = Value::Vec2([0.0, 1.0]);
    assert_eq!(asks.set_shared(GOAL, 1, goal), Ok(()));
    let tally = asks.tick(&mut host, Duration::ZERO);
    assert_eq!((tally.success, tally.failure), (44, 86));

    let copies = sets(GOAL, Expr::Key(GOAL, Type::Vec2));
    let (mut reads, mut host) = population(with_goal(copies), 130);
    for agent in 0..130 {
        reads.set_group(agent, u32::from(agent % 3 == 0));
    }
    assert_eq!(reads.set_shared(GOAL, 1, goal), Ok(()));
    let tally = reads.tick(&mut host, Duration::ZERO);
    assert_eq!((tally.success, tally.failure), (44, 86));
    let faults = reads.take_faults();
    assert_eq!(faults.total(), 86);
    assert!(faults.kept()[0].kind.to_string().contains("goal"));
}

#[test]
fn what_is_unset_in_a_tick_is_unset_at_its_end() {
    let (mut population, mut host) = population(
        with_goal(Node::leaf(Kind::Unset {
            key: GOAL,
            forgets: false,
        })),
        2,
    );
    let goal = Value::Vec2([0.0, 1.0]);
    assert_eq!(population.set(1, GOAL, goal), Ok(()));
    assert_eq!(population.find(0, GOAL), Some(goal));
    population.tick(&mut host, Duration::ZERO);
    assert_eq!(population.find(0, GOAL), None);
}

#[test]
fn what_an_agent_begins_with_is_no_write() {
    let (mut population, mut host) =
        population(with_goal(Node::leaf(Kind::Changed { key: INSIDE })), 1);
    let given = [(INSIDE, Value::Bool(true))];
    assert_eq!(population.spawn_as(&given).map(|id| id.index()), Ok(1));
    assert_eq!(population.get(1, INSIDE), Value::Bool(true));
    let tally = population.tick(&mut host, Duration::ZERO);
    assert_eq!((tally.success, tally.failure), (0, 2));
    assert_eq!(population.set(1, INSIDE, Value::Bool(true)), Ok(()));
    let tally = population.tick(&mut host, Duration::ZERO);
    assert_eq!((tally.success, tally.failure), (1, 1));
}
