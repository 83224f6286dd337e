//! Agents that are added together are as those that are added one by one.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Form, Key};
use treemind_core::host::Columns;
use treemind_core::{Behaviour, KeyId, Kind, Node, Parts, Population, Program, Value};

fn behaviour() -> Behaviour {
    let mut unset = Key::new("unset", Value::Int(5));
    unset.form = Form::Optional { starts_set: false };
    let mut list = Key::new("list", Value::Int(0));
    list.form = Form::List {
        bound: 4,
        items: vec![Value::Int(3), Value::Int(4)],
    };
    Behaviour::new(Parts {
        name: "t".to_owned(),
        enums: Vec::new(),
        keys: vec![
            Key::new("health", Value::Float(100.0)),
            Key::new("is-brave", Value::Bool(true)),
            Key::new("count", Value::Int(-7)),
            Key::new("place", Value::Vec2([1.0, 2.0])),
            unset,
            list,
        ],
        leaves: Vec::new(),
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: Node::leaf(Kind::Succeed),
    })
    .expect("its parts fit together")
}

/// Everything that can be read of all agents.
fn read(population: &Population) -> Vec<String> {
    let keys = population.program().behaviour().keys().len();
    let agent = |agent| {
        let held = (0..keys).map(|key| population.held(agent, KeyId::new(key)));
        let held: Vec<String> = held.map(|held| format!("{held:?}")).collect();
        let (id, group) = (population.agent_id(agent), population.group(agent));
        format!("{id} {group} {} {held:?}", population.is_alive(agent))
    };
    (0..population.len()).map(agent).collect()
}

#[test]
fn agents_that_are_added_together_are_as_those_added_one_by_one() {
    let program = Arc::new(Program::new(behaviour()));
    let mut host = Columns::new(program.behaviour(), 4_000);
    let health = KeyId::new(0);
    let expected = [
        Some(Value::Float(100.0)),
        Some(Value::Bool(true)),
        Some(Value::Int(-7)),
        Some(Value::Vec2([1.0, 2.0])),
        None,
    ];
    for first in [0, 1, 63, 64, 150, 1_000, 1_030] {
        let mut populations = [0, 1].map(|_| Population::new(Arc::clone(&program), first));
        for population in &mut populations {
            population.for_each_board(|mut board| {
                // The game may write beyond the last agent.
                board.floats_mut(health).expect("it is a float").fill(1.0);
            });
        }
        let [together, one_by_one] = &mut populations;
        for more in [0, 1, 70, 1_500] {
            let new = together.spawn_many(more);
            let others: Vec<usize> = (0..more).map(|_| one_by_one.spawn()).collect();
            for agent in new.clone() {
                let keys = [0, 1, 2, 3, 4].map(|key| together.find(agent, KeyId::new(key)));
                assert_eq!(keys, expected, "{agent}");
            }
            assert_eq!(new.collect::<Vec<_>>(), others);
            assert_eq!(read(together), read(one_by_one), "{first} and {more}");
            let tallies = [&mut *together, &mut *one_by_one]
                .map(|population| population.tick(&mut host, Duration::ZERO));
            assert_eq!(tallies[0], tallies[1]);
            assert_eq!(tallies[0].success as usize, together.len());
        }
    }
}

#[test]
fn places_of_removed_agents_stay_free_for_single_ones() {
    let program = Arc::new(Program::new(behaviour()));
    let mut host = Columns::new(program.behaviour(), 20);
    let mut population = Population::new(program, 5);
    population.remove(&mut host, 2);
    assert_eq!(population.spawn_many(3), 5..8);
    assert_eq!(population.spawn(), 2);
    assert_eq!(population.agent_id(2), 8);
    assert_eq!(population.spawn_many(2), 8..10);
    assert_eq!(population.agent_id(9), 10);
}
