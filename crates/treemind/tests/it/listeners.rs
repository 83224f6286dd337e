//! Sensors, and closures that listen to agents.

use crate::trees::{DT, Play};
use std::cell::Cell;
use treemind::blackboard::KeyId;
use treemind::blackboard::Value;
use treemind::core::behaviour::LeafKind;
use treemind::leaves::BindProblem;
use treemind::leaves::Order;
use treemind::population::Behaviour;
use treemind::prelude::*;

const DOCUMENT: &str = r#"
leaves {
    sensor radar { param range type=float default=20.0; }
    sensor eye
    event noise { param volume type=float; param loud type=bool; }
    event quiet
}
blackboard {
    key distance type=float default=100.0 sensor=radar range=5.0
    key threat type=int default=-1 sensor=eye interval=0.1
    key sum type=float
}
tree hound {
    sequence {
        force-success { sequence { check "distance < 3.0"; emit noise volume="{distance}" loud=#true; }; }
        set "sum += distance"
        log "{distance} and {threat}"
        emit quiet
    }
}"#;

fn hound() -> Behaviour {
    let document = Document::parse(DOCUMENT, "hound.kdl");
    document
        .behaviour(None)
        .expect("the document has no errors")
}

#[derive(Default)]
struct World {
    distances: Vec<f32>,
    heard: Vec<String>,
    said: Vec<String>,
    asked: Cell<usize>,
}

fn world(distances: &[f32]) -> World {
    World {
        distances: distances.to_vec(),
        ..World::default()
    }
}

fn registry() -> Registry<World> {
    let mut registry = Registry::<World>::new();
    registry
        .sensor("radar", |world: &World, me: &Agent| {
            world.asked.set(world.asked.get() + 1);
            world.distances[me.index()] + me.arg::<f32>("range")
        })
        .sensor("eye", |_: &World, me: &Agent| {
            (me.index() > 0).then_some(me.tick() as i64)
        })
        .on_event("noise", |world: &mut World, me: &mut Agent| {
            let (volume, loud): (f32, bool) = (me.arg("volume"), me.arg(1));
            let heard = format!("{} {volume} {loud}: {}", me.index(), me.text());
            world.heard.push(heard);
        })
        .on_log(|world: &mut World, me: &mut Agent, text: &str| {
            world.said.push(format!("{}: {text}", me.index()));
        });
    registry
}

#[test]
fn sensors_are_asked_once_in_a_tick_and_everything_is_told() {
    for order in [Order::Independent, Order::Sequential] {
        let mut registry = registry();
        registry.order(order);
        let world = world(&[-4.0, 2.0, -2.5]);
        let mut play = Play::new(hound(), &registry, world, 3);
        play.tick();
        assert_eq!(play.world.asked.get(), 3);
        assert_eq!(
            play.world.heard,
            [
                "0 1 true: noise volume=1 loud=true",
                "2 2.5 true: noise volume=2.5 loud=true"
            ]
        );
        assert_eq!(
            play.world.said,
            ["0: 1 and -1", "1: 7 and 1", "2: 2.5 and 1"]
        );
        // The next tick is 0.05 s later, which is before the interval has passed.
        play.tick();
        assert_eq!(play.world.asked.get(), 6);
        assert_eq!(play.world.said[4], "1: 7 and 1");
        play.tick();
        assert_eq!(play.world.said[7], "1: 7 and 3");
        assert_eq!(play.population.get(1, KeyId::new(2)), Value::Float(21.0));
        assert_eq!(play.faults(), []);
    }
}

#[test]
fn a_sensor_that_fails_leaves_the_key_and_the_others_are_served() {
    let mut registry = registry();
    registry
        .sensor(
            "radar",
            |world: &World, me: &Agent| -> Result<f32, String> {
                match me.index() {
                    0 => panic!("no antenna"),
                    1 => Err("no reception".to_owned()),
                    agent => Ok(world.distances[agent]),
                }
            },
        )
        .on_event("quiet", |_: &mut World, me: &mut Agent| match me.index() {
            2 => Err("too loud"),
            _ => Ok(()),
        })
        .on_log(|_: &mut World, me: &mut Agent, _: &str| {
            assert!(me.index() != 1, "no ears");
        });
    let mut play = Play::new(hound(), &registry, world(&[0.0, 0.0, 3.5]), 3);
    play.tick();
    let distance = KeyId::new(0);
    let distances = [0, 1, 2].map(|agent| play.population.get(agent, distance));
    assert_eq!(distances, [100.0, 100.0, 3.5].map(Value::Float));
    let mut faults = play.faults();
    faults.sort();
    let faults: Vec<(usize, &str)> = faults
        .iter()
        .map(|(agent, text)| (*agent, text.as_str()))
        .collect();
    assert_eq!(
        faults,
        [
            (0, "panicked: no antenna"),
            (1, "no reception"),
            (1, "panicked: no ears"),
            (2, "too loud"),
        ]
    );
}

#[test]
fn what_does_not_fit_is_said_when_it_is_bound() {
    let mut registry = Registry::<World>::new();
    registry
        .sensor("eye", |_: &World, _: &Agent| 0.5_f32)
        .sensor("raddar", |_: &World, _: &Agent| 0.5_f32)
        .condition("noise", |_: &World, _: &Agent| true);
    let error = registry.bind(&hound()).err().expect("it does not fit");
    assert_eq!(
        error.to_string(),
        "the sensor `radar` is not registered; did you mean `raddar`?\n\
         `noise` is an event in the behaviour, but is registered as a condition\n\
         the key `threat` is `int`, but its sensor `eye` gives `float`"
    );
    let wanted = LeafKind::Sensor;
    let missing = |problem: &BindProblem| matches!(problem, BindProblem::MissingLeaf { kind, .. } if *kind == wanted);
    assert!(missing(&error.problems()[0]));
}

#[test]
fn nobody_has_to_listen() {
    let mut registry = Registry::<World>::new();
    registry
        .sensor("radar", |world: &World, me: &Agent| {
            world.distances[me.index()]
        })
        .sensor("eye", |_: &World, _: &Agent| Value::Int(3));
    let mut play = Play::new(hound(), &registry, world(&[1.0]), 1);
    assert_eq!(play.traced(0), "1 SUCCESS");
    assert_eq!(play.population.get(0, KeyId::new(1)), Value::Int(3));
    assert_eq!(play.faults(), []);
}

#[test]
fn sensors_and_events_allocate_nothing() {
    let mut registry = Registry::<World>::new();
    registry
        .sensor("radar", |world: &World, me: &Agent| {
            world.distances[me.index()]
        })
        .sensor("eye", |_: &World, me: &Agent| Some(me.tick() as i64))
        .on_event("noise", |world: &mut World, me: &mut Agent| {
            world.distances[me.index()] += me.arg::<f32>("volume");
        });
    for agents in [1, 65, 1_000] {
        let mut play = Play::new(hound(), &registry, world(&vec![1.0; agents]), agents);
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
