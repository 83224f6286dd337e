//! Closures that sense lists.

use crate::trees::{DT, Play};
use treemind::blackboard::{Entity, Value};
use treemind::blackboard::{Held, KeyId};
use treemind::leaves::BindProblem;
use treemind::population::Behaviour;
use treemind::prelude::*;

const DOCUMENT: &str = r#"
leaves { sensor eye; sensor ear; action report { param whom type=entity; }; }
blackboard {
    key seen type=entity list=3 sensor=eye { default 99; }
    key noises type=float list=2 sensor=ear
    key whom type=entity
    key sum type=int
}
tree scout {
    sequence {
        for-each whom in="{seen}" { action report whom="{whom}"; }
        set "sum += len(noises)"
    }
}"#;

const SEEN: KeyId = KeyId::new(0);
const NOISES: KeyId = KeyId::new(1);
const SUM: KeyId = KeyId::new(3);

#[derive(Default)]
struct World {
    seen: Vec<u64>,
    reported: Vec<u64>,
}

fn scout() -> Behaviour {
    let document = Document::parse(DOCUMENT, "scout.kdl");
    document
        .behaviour(None)
        .expect("the document has no errors")
}

fn registry() -> Registry<World> {
    let mut registry = Registry::<World>::new();
    registry
        .sensor("eye", |world: &World, _: &Agent| -> Vec<Entity> {
            world.seen.iter().copied().map(Entity).collect()
        })
        .sensor("ear", |_: &World, me: &Agent| {
            [None, (me.index() == 1).then_some(0.5_f32)]
        })
        .action("report", |world: &mut World, me: &mut Agent| {
            let Entity(whom) = me.arg("whom");
            world.reported.push(whom);
            Status::Success
        });
    registry
}

fn items(play: &Play<World>, agent: usize, key: KeyId) -> Vec<Value> {
    match play.population.held(agent, key) {
        Held::List(list) => list.iter().collect(),
        other => panic!("{other:?} is no list"),
    }
}

#[test]
fn a_list_is_what_its_sensor_gave_last() {
    let mut play = Play::new(scout(), &registry(), World::default(), 2);
    for seen in [vec![3, 4], Vec::new(), vec![5]] {
        play.world.seen = seen.clone();
        play.world.reported.clear();
        play.tick();
        let entities: Vec<Value> = seen.iter().copied().map(Value::Entity).collect();
        assert_eq!(items(&play, 1, SEEN), entities);
        play.world.reported.sort_unstable();
        let twice: Vec<u64> = seen.iter().flat_map(|whom| [*whom; 2]).collect();
        assert_eq!(play.world.reported, twice);
    }
    assert_eq!(items(&play, 0, NOISES), []);
    assert_eq!(items(&play, 1, NOISES), [Value::Float(0.5)]);
    let sums = [0, 1].map(|agent| play.population.get(agent, SUM));
    assert_eq!(sums, [0, 3].map(Value::Int));
    assert_eq!(play.faults(), []);
}

#[test]
fn what_finds_no_room_or_fails_is_a_fault() {
    let mut registry = registry();
    registry.sensor(
        "ear",
        |_: &World, me: &Agent| -> Result<Option<Vec<f32>>, String> {
            match me.tick() {
                1 => Ok(Some(vec![1.0, 2.0])),
                2 => Err("too loud".to_owned()),
                3 => panic!("deaf"),
                _ => Ok(None),
            }
        },
    );
    let world = World {
        seen: vec![1, 2, 3, 4],
        ..World::default()
    };
    let mut play = Play::new(scout(), &registry, world, 1);
    play.tick();
    assert_eq!(items(&play, 0, SEEN), [1, 2, 3].map(Value::Entity));
    let full = "the list has room for 3 items, but the sensor gave more";
    assert_eq!(play.faults(), [(0, full.to_owned())]);
    play.world.seen.clear();
    (0..3).for_each(|_| play.tick());
    assert_eq!(items(&play, 0, NOISES), [1.0, 2.0].map(Value::Float));
    let texts: Vec<String> = play.faults().into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["too loud", "panicked: deaf"]);
}

#[test]
fn a_list_and_a_value_are_told_apart_when_a_sensor_is_bound() {
    let mut registry = registry();
    registry
        .sensor("eye", |_: &World, _: &Agent| Entity(1))
        .sensor("ear", |_: &World, _: &Agent| vec![1_i64]);
    let error = registry.bind(&scout()).err().expect("it does not fit");
    assert_eq!(
        error.to_string(),
        "the key `seen` is a list, but its sensor `eye` gives one value\n\
         the key `noises` is `float`, but its sensor `ear` gives `int`"
    );
    let text = "leaves { sensor eye; }\n blackboard { key n type=int sensor=eye; }\n tree t { check \"n > 0\"; }";
    let document = Document::parse(text, "t.kdl");
    let behaviour = document
        .behaviour(None)
        .expect("the document has no errors");
    let mut registry = Registry::<World>::new();
    registry.sensor("eye", |_: &World, _: &Agent| [Some(1_i64)]);
    let error = registry.bind(&behaviour).err().expect("it does not fit");
    assert_eq!(
        error.to_string(),
        "the key `n` is one value, but its sensor `eye` gives a list"
    );
    assert!(matches!(
        error.problems()[0],
        BindProblem::WrongSensorForm { is_list: false, .. }
    ));
}

#[test]
fn an_array_allocates_nothing() {
    let mut registry = registry();
    registry.sensor("eye", |world: &World, _: &Agent| {
        let mut seen = world.seen.iter().copied();
        std::array::from_fn::<Option<Entity>, 3, _>(|_| seen.next().map(Entity))
    });
    for agents in [1, 65, 1_000] {
        let world = World {
            seen: vec![1, 2],
            reported: Vec::with_capacity(agents * 40),
        };
        let mut play = Play::new(scout(), &registry, world, agents);
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
