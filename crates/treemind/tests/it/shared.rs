//! Keys that agents share, from a game's point of view.

use crate::trees::{DT, Play};
use treemind::blackboard::KeyId;
use treemind::blackboard::Value;
use treemind::leaves::Order;
use treemind::population::Behaviour;
use treemind::prelude::*;

const DOCUMENT: &str = r#"
leaves { action write; action read; }
blackboard scope=world { key alarm type=int default=7; }
blackboard scope=group { key goal type=float default=0.5; }
blackboard { key seen type=int; key told type=int; }
tree wolf {
    sequence {
        action write
        set "seen = alarm"
        action read
        force-success { on-change goal { set "told += 1"; }; }
    }
}"#;

const ALARM: usize = 0;
const GOAL: usize = 1;
const SEEN: usize = 2;
const TOLD: usize = 3;

fn wolf() -> Behaviour {
    let document = Document::parse(DOCUMENT, "wolf.kdl");
    document
        .behaviour(None)
        .expect("the document has no errors")
}

/// What `write` writes in a tick, and what `read` has read, by agent.
#[derive(Default)]
struct World {
    write: Vec<(usize, i64)>,
    read: Vec<(usize, i64, f32)>,
}

fn play(agents: usize, order: Order) -> Play<World> {
    let mut registry = Registry::<World>::new();
    let alarm = registry.key::<i64>("alarm");
    registry
        .order(order)
        .action("write", move |world: &mut World, me: &mut Agent| {
            let mut writes = world.write.iter();
            if let Some((agent, value)) = writes.find(|(agent, _)| *agent == me.index()) {
                me.set(alarm, *value);
                me.set("goal", *agent as f32);
            }
            Status::Success
        })
        .action("read", move |world: &mut World, me: &mut Agent| {
            let read = (me.index(), me.get(alarm), me.get("goal"));
            world.read.push(read);
            Status::Success
        });
    Play::new(wolf(), &registry, World::default(), agents)
}

fn key(play: &Play<World>, agent: usize, key: usize) -> Value {
    play.population.get(agent, KeyId::new(key))
}

#[test]
fn the_last_agent_wins_and_the_next_tick_sees_it() {
    for (agents, order) in [1, 63, 64, 65, 1_000, 1_500]
        .into_iter()
        .flat_map(|agents| [Order::Independent, Order::Sequential].map(|order| (agents, order)))
    {
        let mut play = play(agents, order);
        let last = agents - 1;
        play.population.set_group(last, 2);
        // In arbitrary order; the last agent has a group to itself.
        play.world.write = vec![(last, 40), (0, 50), (last / 2, 60)];
        play.tick();
        assert!(
            play.world
                .read
                .iter()
                .all(|read| (read.1, read.2) == (7, 0.5))
        );
        assert_eq!(key(&play, 0, SEEN), Value::Int(7));
        let alarm = play.population.shared(KeyId::new(ALARM), 0);
        // With one agent all three writers are the same agent, and the first entry in the list is found.
        assert_eq!(alarm, Value::Int(40), "{agents} agents");
        let goals: Vec<Value> = (0..3)
            .map(|group| play.population.shared(KeyId::new(GOAL), group))
            .collect();
        let of_others = if last == 0 { 0.5 } else { (last / 2) as f32 };
        assert_eq!(
            goals,
            [of_others, 0.5, last as f32].map(Value::Float),
            "{agents} agents"
        );
        play.world = World::default();
        play.tick();
        let seen = |read: &(usize, i64, f32)| {
            let goal = if read.0 == last {
                last as f32
            } else {
                of_others
            };
            read.1 == 40 && read.2 == goal
        };
        assert!(play.world.read.iter().all(seen), "{agents} agents");
        assert_eq!(key(&play, 0, SEEN), Value::Int(40));
        assert_eq!(key(&play, last, TOLD), Value::Int(1));
    }
}

#[test]
fn a_game_reads_and_writes_between_ticks() {
    let mut play = play(3, Order::Independent);
    let (alarm, goal) = (KeyId::new(ALARM), KeyId::new(GOAL));
    play.population.set_group(2, 1);
    assert_eq!((play.population.groups(), play.population.group(2)), (2, 1));
    play.population.set(1, goal, Value::Int(4)).unwrap();
    play.population
        .set_shared(goal, 1, Value::Float(9.0))
        .unwrap();
    play.population
        .board(0)
        .set(alarm, 2, Value::Int(11))
        .unwrap();
    let goals = [0, 1, 2].map(|agent| play.population.get(agent, goal));
    assert_eq!(goals, [4.0, 4.0, 9.0].map(Value::Float));
    assert_eq!(play.population.board(0).get(goal, 2), Value::Float(9.0));
    assert_eq!(play.population.shared(alarm, 1), Value::Int(11));
    assert!(play.population.board(0).floats_mut(goal).is_none());
    let wrong = play.population.set_shared(goal, 0, Value::Bool(true));
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "the key is `float`, but the value is `bool`"
    );
    play.tick();
    assert_eq!(key(&play, 0, SEEN), Value::Int(11));
    assert_eq!(key(&play, 0, TOLD), Value::Int(1));
    assert_eq!(key(&play, 2, TOLD), Value::Int(1));
    // An agent that joins is in group 0, has that group's value, and sees no change.
    play.population
        .set_shared(goal, 0, Value::Float(1.0))
        .unwrap();
    let joined = play.population.spawn().index();
    assert_eq!(play.population.group(joined), 0);
    assert_eq!(key(&play, joined, GOAL), Value::Float(1.0));
    play.population.set_group(2, 0);
    play.tick();
    assert_eq!(key(&play, 0, TOLD), Value::Int(2));
    assert_eq!(key(&play, joined, TOLD), Value::Int(0));
    assert_eq!(key(&play, 2, TOLD), Value::Int(1));
    // The same holds for an agent that takes the place of one that left.
    play.population.set_group(1, 1);
    play.population
        .remove(1, &mut play.bound.host(&mut play.world));
    assert_eq!(play.population.spawn().index(), 1);
    assert_eq!(key(&play, 1, GOAL), Value::Float(1.0));
}

#[test]
fn ticks_of_agents_who_share_allocate_nothing() {
    for agents in [1, 65, 1_000] {
        let mut play = play(agents, Order::Independent);
        play.world.read.reserve(agents * 40);
        play.world.write = vec![(0, 1), (agents - 1, 2)];
        (0..agents).for_each(|agent| play.population.set_group(agent, agent as u32 % 5));
        play.tick();
        let counted = allocation_counter::measure(|| {
            for _ in 0..10 {
                play.population
                    .tick(&mut play.bound.host(&mut play.world), DT);
            }
        });
        assert_eq!(counted.count_total, 0, "{agents} agents");
    }
}

#[test]
#[should_panic(expected = "group 1 of 1")]
fn a_group_that_is_not_there_is_refused() {
    play(1, Order::Independent)
        .population
        .shared(KeyId::new(GOAL), 1);
}

#[test]
#[should_panic(expected = "every agent has key 2 to itself")]
fn an_agents_own_key_is_not_shared() {
    play(1, Order::Independent)
        .population
        .shared(KeyId::new(SEEN), 0);
}
