//! Shared lists: everything that agents add takes effect at the end of the tick, in the order of agents.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Form, Key, Leaf, LeafKind, Scope};
use treemind_core::host::Order;
use treemind_core::{
    Answers, Behaviour, Call, Expr, Held, Host, KeyId, Kind, Lanes, LeafId, Node, Outcome, Parts,
    Population, Program, PushError, Status, Type, Value,
};

const SPOTTED: KeyId = KeyId::new(0);
const SEEN: KeyId = KeyId::new(1);
const ROOM: u32 = 4;

/// What an agent does to the list in a tick.
#[derive(Clone, Copy, Debug)]
enum Does {
    Clears,
    Adds(i64),
}

/// Changes the list at an action that answers success, or at the action's stop.
#[derive(Default)]
struct Spotters {
    does: Vec<(usize, Does)>,
    at_stop: bool,
    answer: Option<Status>,
    order: Order,
    full: usize,
}

impl Spotters {
    fn write(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        for agent in lanes {
            let before: Vec<Value> = items(call.held(SPOTTED, agent));
            let mut board = call.board();
            let mut list = board.list_mut(SPOTTED, agent).expect("the key is a list");
            for (_, does) in self.does.iter().filter(|(whose, _)| *whose == agent) {
                match does {
                    Does::Clears => list.clear(),
                    Does::Adds(item) => match list.push(Value::Int(*item)) {
                        Ok(()) => {}
                        Err(PushError::Full) => self.full += 1,
                        Err(error) => panic!("{error}"),
                    },
                }
            }
            // During the tick it reads as before, even for the agent that wrote it.
            let now: Vec<Value> = list.read().iter().collect();
            assert_eq!((list.len(), &now), (before.len(), &before));
            assert_eq!(board.is_set(SPOTTED, agent), !before.is_empty());
        }
    }
}

impl Host for Spotters {
    fn order(&self) -> Order {
        self.order
    }

    fn ask(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}

    fn start(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        if !self.at_stop {
            self.write(call, lanes);
        }
        for agent in lanes {
            answers.set(agent, self.answer.unwrap_or(Status::Success));
        }
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, _: Outcome) {
        if self.at_stop {
            self.write(call, lanes);
        }
    }
}

fn items(held: Held<'_>) -> Vec<Value> {
    match held {
        Held::List(list) => list.iter().collect(),
        other => panic!("{other:?} is no list"),
    }
}

fn ints(items: &[i64]) -> Vec<Value> {
    items.iter().copied().map(Value::Int).collect()
}

fn population(scope: Scope, root: Node, agents: usize) -> Population {
    let mut spotted = Key::new("spotted", Value::Int(0));
    spotted.form = Form::List {
        bound: ROOM,
        items: ints(&[7]),
    };
    spotted.scope = scope;
    let behaviour = Behaviour::new(Parts {
        name: "t".to_owned(),
        enums: Vec::new(),
        keys: vec![spotted, Key::new("seen", Value::Int(0))],
        leaves: vec![Leaf::new("spot", LeafKind::ACTION)],
        semaphores: Vec::new(),
        labels: Vec::new(),
        root,
    });
    let behaviour = behaviour.expect("the parts fit together");
    Population::new(Arc::new(Program::new(behaviour)), agents)
}

fn spot() -> Node {
    Node::leaf(Kind::Action {
        leaf: LeafId::new(0),
        args: Vec::new(),
    })
}

fn tick(population: &mut Population, host: &mut Spotters) {
    population.tick(host, Duration::ZERO);
}

#[test]
fn what_agents_do_to_a_list_is_done_in_their_order() {
    use Does::{Adds, Clears};
    type Case<'a> = (&'a [(usize, Does)], &'a [i64]);
    let cases: [Case<'_>; 7] = [
        (&[], &[7]),
        // The order in which they are listed here does not matter.
        (&[(2, Adds(2)), (0, Adds(0)), (1, Adds(1))], &[7, 0, 1, 2]),
        // Items for which there is no room are left out.
        (
            &[(2, Adds(2)), (1, Adds(1)), (1, Adds(3)), (0, Adds(0))],
            &[7, 0, 1, 3],
        ),
        // An agent in the middle empties the list: items of agents before it are gone, and there is room for those
        // after it.
        (
            &[(0, Adds(0)), (1, Clears), (2, Adds(2)), (2, Adds(3))],
            &[2, 3],
        ),
        (
            &[(1, Adds(0)), (1, Clears), (1, Adds(1)), (0, Clears)],
            &[1],
        ),
        (&[(2, Clears), (1, Adds(1))], &[]),
        (
            &[
                (0, Adds(1)),
                (0, Adds(2)),
                (0, Adds(3)),
                (0, Adds(4)),
                (1, Clears),
                (2, Adds(5)),
                (2, Adds(6)),
                (2, Adds(8)),
                (2, Adds(9)),
            ],
            &[5, 6, 8, 9],
        ),
    ];
    for (does, wanted) in cases {
        for agents in [3, 64, 65, 1_000, 1_500] {
            for order in [Order::Independent, Order::Sequential] {
                // The three agents are far apart.
                let places = [0, agents / 2, agents - 1];
                let does = does.iter().map(|(agent, does)| (places[*agent], *does));
                let mut host = Spotters {
                    does: does.collect(),
                    order,
                    ..Spotters::default()
                };
                let mut population = population(Scope::World, spot(), agents);
                tick(&mut population, &mut host);
                assert_eq!(items(population.shared_held(SPOTTED, 0)), ints(wanted));
                assert_eq!(items(population.held(agents - 1, SPOTTED)), ints(wanted));
                assert_eq!(host.full, 0);
                // Recorded changes are applied only once.
                host.does.clear();
                tick(&mut population, &mut host);
                assert_eq!(items(population.shared_held(SPOTTED, 0)), ints(wanted));
            }
        }
    }
}

#[test]
fn each_group_has_its_own_list() {
    let mut population = population(Scope::Group, spot(), 130);
    for agent in 0..130 {
        population.set_group(agent, agent as u32 % 2);
    }
    let adds = |agent: usize| (agent, Does::Adds(agent as i64));
    let mut host = Spotters {
        does: [129, 3, 64, 2].map(adds).into(),
        ..Spotters::default()
    };
    tick(&mut population, &mut host);
    assert_eq!(items(population.shared_held(SPOTTED, 0)), ints(&[7, 2, 64]));
    assert_eq!(
        items(population.shared_held(SPOTTED, 1)),
        ints(&[7, 3, 129])
    );
}

#[test]
fn no_agent_adds_more_than_there_may_be() {
    let mut host = Spotters {
        does: (0..7).map(|item| (0, Does::Adds(item))).collect(),
        ..Spotters::default()
    };
    let mut population = population(Scope::World, spot(), 1);
    assert!(population.unset_shared(SPOTTED, 0));
    tick(&mut population, &mut host);
    assert_eq!(host.full, 3);
    assert_eq!(items(population.held(0, SPOTTED)), ints(&[0, 1, 2, 3]));
}

#[test]
fn what_an_abort_adds_counts_when_it_is_over() {
    let mut host = Spotters {
        does: (0..70)
            .map(|agent| (agent, Does::Adds(agent as i64)))
            .collect(),
        at_stop: true,
        answer: Some(Status::Running),
        ..Spotters::default()
    };
    let mut population = population(Scope::World, spot(), 70);
    tick(&mut population, &mut host);
    assert_eq!(items(population.held(0, SPOTTED)), ints(&[7]));
    population.abort(66, &mut host);
    assert_eq!(items(population.held(0, SPOTTED)), ints(&[7, 66]));
    population.remove(65, &mut host);
    assert_eq!(items(population.held(0, SPOTTED)), ints(&[7, 66, 65]));
    population.abort_all(&mut host);
    assert_eq!(items(population.held(0, SPOTTED)), ints(&[7, 66, 65, 0]));
}

#[test]
fn expressions_ask_and_watchers_are_told_when_something_was_done() {
    let more_than_one = Expr::Compare(
        treemind_core::expr::Compare::Gt,
        Box::new(Expr::Len(SPOTTED)),
        Box::new(Expr::Value(Value::Int(1))),
    );
    let kinds = [
        (
            Kind::Check {
                expr: more_than_one,
            },
            [0, 65],
        ),
        (
            Kind::Check {
                expr: Expr::Has(SPOTTED),
            },
            [65, 65],
        ),
        (Kind::Changed { key: SPOTTED }, [0, 65]),
    ];
    for (kind, successes) in kinds {
        let asks = Node::leaf(kind);
        let sequence = Kind::Sequence {
            yields: treemind_core::behaviour::Yields::Never,
        };
        let mut population = population(Scope::World, Node::with(sequence, vec![spot(), asks]), 65);
        let mut host = Spotters {
            does: vec![(64, Does::Adds(1))],
            ..Spotters::default()
        };
        for wanted in successes {
            let tally = population.tick(&mut host, Duration::ZERO);
            assert_eq!(tally.success, wanted);
            host.does.clear();
        }
        assert_eq!(population.take_faults().total(), 0);
    }
}

/// If there is no room for an item, nothing is written, and no node is informed.
#[test]
fn what_finds_no_room_is_no_write() {
    let changed = Node::leaf(Kind::Changed { key: SPOTTED });
    let parallel = Kind::ParallelAll { max_failures: 1 };
    let mut population = population(Scope::World, Node::with(parallel, vec![spot(), changed]), 2);
    let mut list = population
        .shared_list_mut(SPOTTED, 0)
        .expect("the key is a list");
    (1..4).for_each(|item| list.push(Value::Int(item)).expect("there is room"));
    assert_eq!(list.push(Value::Int(9)), Err(PushError::Full));
    let mut host = Spotters {
        does: vec![(0, Does::Adds(9))],
        ..Spotters::default()
    };
    // Nodes are informed at once of writes of the game, and not of writes that had no effect.
    for wanted in [2, 0, 0] {
        let tally = population.tick(&mut host, Duration::ZERO);
        assert_eq!(tally.success, wanted);
    }
}

#[test]
fn a_game_changes_lists_between_ticks_at_once() {
    let root = Node::leaf(Kind::ForEach {
        var: SEEN,
        list: SPOTTED,
        if_empty: Status::Failure,
        max_runs: 100,
    });
    let root = Node::with(root.kind, vec![Node::leaf(Kind::Succeed)]);
    let mut population = population(Scope::Group, root, 3);
    population.set_group(2, 1);
    let mut host = Spotters::default();
    let mut list = population
        .shared_list_mut(SPOTTED, 1)
        .expect("the key is a list");
    list.clear();
    assert_eq!(
        population
            .shared_list_mut(SPOTTED, 0)
            .map(|list| list.len()),
        Some(1)
    );
    let mut board = population.board(0);
    let mut list = board.list_mut(SPOTTED, 0).expect("the key is a list");
    assert_eq!(list.push(Value::Int(8)), Ok(()));
    assert_eq!(list.get(1), Some(Value::Int(8)));
    assert_eq!(items(population.held(1, SPOTTED)), ints(&[7, 8]));
    let tally = population.tick(&mut host, Duration::ZERO);
    assert_eq!((tally.success, tally.failure), (2, 1));
    assert_eq!(population.get(1, SEEN), Value::Int(8));
    assert!(population.board(0).unset(SPOTTED, 0));
    assert_eq!(population.find_shared(SPOTTED, 0), None);
    assert!(population.set_shared(SPOTTED, 0, Value::Int(1)).is_err());
    let wrong = population
        .shared_list_mut(SPOTTED, 0)
        .map(|mut list| list.push(Value::Bool(true)));
    assert!(matches!(wrong, Some(Err(PushError::WrongType(error))) if error.wanted == Type::Int));
    assert!(items(population.held(0, SPOTTED)).is_empty());
}
