//! Agents that are added together are as those that are added one by one.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Form, Key, Leaf, LeafKind, Scope};
use treemind_core::host::Columns;
use treemind_core::{
    AgentId, Behaviour, Dead, KeyId, Kind, LeafId, Node, Outcome, Parts, Population, Program,
    Society, Value,
};

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
        let (id, group) = (population.stable_id(agent), population.group(agent));
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
            let others: Vec<AgentId> = (0..more).map(|_| one_by_one.spawn()).collect();
            for agent in &new {
                let key = |key| together.find(agent.index(), KeyId::new(key));
                assert_eq!([0, 1, 2, 3, 4].map(key), expected, "{agent:?}");
            }
            assert_eq!(new, others);
            assert_eq!(read(together), read(one_by_one), "{first} and {more}");
            let tallies = [&mut *together, &mut *one_by_one]
                .map(|population| population.tick(&mut host, Duration::ZERO));
            assert_eq!(tallies[0], tallies[1]);
            assert_eq!(tallies[0].success as usize, together.len());
        }
    }
}

#[test]
fn free_indices_are_used_again_from_the_lowest_on() {
    let program = Arc::new(Program::new(behaviour()));
    let mut host = Columns::new(program.behaviour(), 4_000);
    for agents in [5, 150, 3_000] {
        let mut populations = [0, 1].map(|_| Population::new(Arc::clone(&program), agents));
        for population in &mut populations {
            for agent in (0..agents).rev().filter(|agent| agent % 7 < 3) {
                population.remove(agent, &mut host);
            }
        }
        let [together, one_by_one] = &mut populations;
        let free: Vec<usize> = (0..agents).filter(|agent| agent % 7 < 3).collect();
        for more in [2, agents] {
            let new = together.spawn_many(more);
            let others: Vec<AgentId> = (0..more).map(|_| one_by_one.spawn()).collect();
            assert_eq!(new, others);
            assert_eq!(read(together), read(one_by_one), "{agents} and {more}");
        }
        assert_eq!(together.len(), agents + 2 + agents - free.len());
        let of = |agent: usize| together.id_of(agent).map(AgentId::generation);
        for agent in 0..together.len() {
            let generation = if free.contains(&agent) { 2 } else { 1 };
            assert_eq!(of(agent), Some(generation), "{agent}");
        }
        assert_eq!(together.stable_id(0), agents as u64);
        assert_eq!(together.stable_id(3), 3);
    }
}

#[test]
fn a_handle_never_names_another_agent() {
    let program = Arc::new(Program::new(behaviour()));
    let mut host = Columns::new(program.behaviour(), 10);
    let mut population = Population::new(Arc::clone(&program), 2);
    let known: Vec<AgentId> = (0..2).filter_map(|agent| population.id_of(agent)).collect();
    assert_eq!(population.index_of(known[1]), Ok(1));
    population.remove(1, &mut host);
    assert_eq!((population.id_of(1), population.id_of(9)), (None, None));
    assert_eq!(population.index_of(known[1]), Err(Dead));
    let next = population.spawn();
    assert_eq!((next.index(), next.generation()), (1, 2));
    assert_eq!(population.index_of(next), Ok(1));
    assert_eq!(population.index_of(known[1]), Err(Dead));
    assert_eq!(population.index_of(known[0]), Ok(0));
    // The order of agents is that of their indices, whatever their generations.
    assert!(known[0] < next && known[1] < next);
    assert_eq!(AgentId::from_bits(next.to_bits()), Some(next));
    assert_eq!(AgentId::from_bits(0), None);
    for bits in [1 << 24, u64::MAX] {
        let made_up = AgentId::from_bits(bits).expect("it is not 0");
        assert_eq!(population.index_of(made_up), Err(Dead));
    }
}

#[test]
fn handles_say_which_population_of_a_society_they_are_from() {
    let program = Arc::new(Program::new(behaviour()));
    let mut society = Society::new();
    let ids = ["first", "second"].map(|name| {
        let population = Population::new(Arc::clone(&program), 3);
        society.join(name, population).expect("they share nothing")
    });
    let agents = ids.map(|id| society.population(id).id_of(2).expect("it lives"));
    assert_eq!(agents.map(AgentId::population), ids);
    assert_eq!(agents.map(|agent| society.index_of(agent)), [Ok(2), Ok(2)]);
    assert_eq!(society.population(ids[0]).index_of(agents[1]), Err(Dead));
    let left = society.leave(ids[1]);
    assert_eq!(society.index_of(agents[1]), Err(Dead));
    assert_eq!(left.index_of(agents[1]), Err(Dead));
    assert_eq!(left.id_of(2), Some(agents[0]));
}

/// One action that runs for ever.
fn patrol() -> Arc<Program> {
    let mut places = Key::new("places", Value::Vec3([0.0; 3]));
    places.form = Form::List {
        bound: 16,
        items: Vec::new(),
    };
    let behaviour = Behaviour::new(Parts {
        name: "t".to_owned(),
        enums: Vec::new(),
        keys: vec![
            Key {
                scope: Scope::Group,
                ..Key::new("alarm", Value::Bool(false))
            },
            places,
        ],
        leaves: vec![Leaf::new("patrol", LeafKind::ACTION)],
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: Node::leaf(Kind::Action {
            leaf: LeafId::new(0),
            args: Vec::new(),
        }),
    });
    Arc::new(Program::new(behaviour.expect("its parts fit together")))
}

/// Ticks once. Returns the agents that started.
fn tick(population: &mut Population, host: &mut Columns) -> Vec<usize> {
    host.clear();
    population.tick(host, Duration::ZERO);
    host.started(LeafId::new(0)).agents().collect()
}

#[test]
fn a_hundred_thousand_come_and_go_and_each_start_has_one_stop() {
    const CROWD: usize = 100_000;
    let program = patrol();
    let mut host = Columns::new(program.behaviour(), CROWD + 1_024);
    let mut population = Population::new(program, CROWD);
    assert_eq!(tick(&mut population, &mut host).len(), CROWD);
    for round in 1..4 {
        let leaving: Vec<usize> = (0..CROWD)
            .filter(|agent| agent % 5 < 2 + round % 2)
            .collect();
        let known: Vec<AgentId> = (0..CROWD)
            .filter_map(|agent| population.id_of(agent))
            .collect();
        host.clear();
        // Twice the same agent, and one that does not exist, change nothing.
        let named = leaving.iter().rev().chain(&leaving[..1]).copied();
        population.remove_many(named.chain([CROWD]), &mut host);
        let stopped = host.stopped(LeafId::new(0), Outcome::Aborted);
        assert_eq!(stopped.agents().collect::<Vec<_>>(), leaving);
        let alive = |id: &&AgentId| population.index_of(**id).is_ok();
        assert_eq!(known.iter().filter(alive).count(), CROWD - leaving.len());
        assert_eq!(tick(&mut population, &mut host), []);

        let new = population.spawn_many(leaving.len());
        let indices: Vec<usize> = new.iter().map(|id| id.index()).collect();
        assert_eq!((indices, population.len()), (leaving.clone(), CROWD));
        let dead = |id: &&AgentId| population.index_of(**id) == Err(Dead);
        assert_eq!(known.iter().filter(dead).count(), leaving.len());
        assert_eq!(tick(&mut population, &mut host), leaving);
    }
}

#[test]
fn removed_together_or_one_by_one_the_same_is_left() {
    let program = patrol();
    for agents in [3, 100, 2_500] {
        let mut populations = [0, 1].map(|_| Population::new(Arc::clone(&program), agents));
        let mut hosts = [0, 1].map(|_| Columns::new(program.behaviour(), agents));
        let leaving = || (0..agents).filter(|agent| agent % 3 == 1);
        for (population, host) in populations.iter_mut().zip(&mut hosts) {
            tick(population, host);
            host.clear();
        }
        populations[0].remove_many(leaving(), &mut hosts[0]);
        for agent in leaving() {
            populations[1].remove(agent, &mut hosts[1]);
        }
        let stopped = hosts.each_ref().map(|host| {
            let stopped = host.stopped(LeafId::new(0), Outcome::Aborted);
            stopped.agents().collect::<Vec<_>>()
        });
        assert_eq!(stopped[0], stopped[1]);
        assert_eq!(stopped[0].len(), leaving().count());
        let [one, other] = populations.each_mut().map(|population| {
            population.spawn_many(agents);
            read(population)
        });
        assert_eq!(one, other);
    }
}

#[test]
fn shrinking_gives_back_empty_chunks_at_the_end_and_moves_nobody() {
    let program = patrol();
    let mut host = Columns::new(program.behaviour(), 10_240);
    let mut population = Population::new(program, 10_000);
    for agent in 0..10_000 {
        population.set_group(agent, 1);
    }
    tick(&mut population, &mut host);
    let full = population.state_bytes();
    population.shrink();
    assert_eq!((population.len(), population.state_bytes()), (10_000, full));

    population.remove_many((0..10_000).filter(|agent| *agent != 2_000), &mut host);
    assert_eq!(population.len(), 10_000);
    population.shrink();
    assert_eq!(population.len(), 2_048);
    assert!(population.state_bytes() < full / 2);
    let survivor = population.id_of(2_000).expect("it lives");
    assert_eq!((survivor.generation(), population.group(2_000)), (1, 1));
    assert_eq!(tick(&mut population, &mut host), []);

    // Whoever comes later is somebody else, has other draws and is in no group.
    let new = population.spawn_many(9_999);
    assert!(
        new.iter()
            .all(|id| id.generation() == 2 && population.group(id.index()) == 0)
    );
    let stable: BTreeSet<u64> = (0..10_000)
        .map(|agent| population.stable_id(agent))
        .collect();
    assert_eq!(stable.len(), 10_000);
    assert!(stable.range(..10_000).eq([&2_000]));
    assert_eq!(tick(&mut population, &mut host).len(), 9_999);

    population.remove_many(0..10_000, &mut host);
    population.shrink();
    assert!(population.is_empty());
    assert_eq!(population.spawn().generation(), 3);
    assert_eq!(tick(&mut population, &mut host), [0]);
}
