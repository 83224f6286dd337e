//! What closures are given, and what happens to what they return.

use crate::trees::{ACTION, Play, action, leaf, look_and_act, tree};
use treemind::core::behaviour::Yields;
use treemind::core::{Kind, Node};
use treemind::leaves::Order;
use treemind::population::Tally;
use treemind::prelude::*;

#[derive(Default)]
struct World {
    seen: Vec<bool>,
    log: Vec<String>,
}

fn registry() -> Registry<World> {
    let mut registry = Registry::<World>::new();
    let health = registry.key::<f32>("health");
    registry
        .condition("look", |world: &World, me: &Agent| world.seen[me.index()])
        .action_with(
            "act",
            update(move |world: &mut World, me: &mut Agent| {
                let range: f32 = me.arg("range");
                let wide: f64 = me.arg(0);
                me.set(health, me.get(health) - range);
                let left: f32 = me.get("health");
                world.log.push(format!(
                    "update {} {wide} {left} {} {}",
                    me.index(),
                    me.tick(),
                    me.dt_secs()
                ));
                if left < 96.0 {
                    Status::Success
                } else {
                    Status::Running
                }
            })
            .start(|world: &mut World, me: &mut Agent| {
                world
                    .log
                    .push(format!("start {} {}", me.index(), me.now_ns()))
            })
            .stop(|world: &mut World, me: &mut Agent, outcome| {
                world.log.push(format!("stop {} {outcome}", me.index()))
            }),
        );
    registry
}

#[test]
fn an_action_lives_from_start_to_stop() {
    let world = World {
        seen: vec![true, false],
        log: Vec::new(),
    };
    let mut play = Play::new(look_and_act(), &registry(), world, 2);
    assert_eq!(
        play.traced(0),
        "1 RUNNING | tick look SUCCESS; tick act RUNNING"
    );
    assert_eq!(play.traced(1), "2 FAILURE | tick look FAILURE");
    assert_eq!(
        play.world.log,
        [
            "start 0 50000000",
            "update 0 2.5 97.5 1 0.05",
            "update 0 2.5 95 2 0.05",
            "stop 0 success"
        ]
    );
    play.world.log.clear();
    play.world.seen[1] = true;
    play.tick();
    play.world.seen[1] = false;
    play.tick();
    let of_1: Vec<&String> = play
        .world
        .log
        .iter()
        .filter(|line| line.contains(" 1 "))
        .collect();
    assert_eq!(
        of_1,
        [
            "start 1 150000000",
            "update 1 2.5 97.5 3 0.05",
            "stop 1 aborted"
        ]
    );
    assert_eq!(play.faults(), []);
}

#[test]
fn every_answer_reaches_its_agent_in_every_word() {
    let agents = 3_000;
    let status = |agent: usize| match (agent * 7 + agent / 64) % 5 {
        0 => Status::Success,
        1 => Status::Failure,
        2 => Status::Skipped,
        _ => Status::Running,
    };
    let mut registry = Registry::<Vec<u32>>::new();
    registry.action("act", move |calls: &mut Vec<u32>, me: &mut Agent| {
        calls[me.index()] += 1;
        status(me.index())
    });
    let behaviour = tree(vec![leaf("act", ACTION)], action(0));
    let mut play = Play::new(behaviour, &registry, vec![0; agents], agents);
    let tally = play
        .population
        .tick(&mut play.bound.host(&mut play.world), crate::trees::DT);
    let count = |wanted| (0..agents).filter(|&agent| status(agent) == wanted).count() as u64;
    assert_eq!(
        tally,
        Tally {
            success: count(Status::Success),
            failure: count(Status::Failure),
            running: count(Status::Running),
            skipped: count(Status::Skipped),
        }
    );
    assert!(play.world.iter().all(|&calls| calls == 1));
}

#[test]
fn the_order_is_passed_on() {
    let behaviour = || {
        let root = Node::with(
            Kind::Sequence {
                yields: Yields::Never,
            },
            vec![action(0), action(1)],
        );
        tree(vec![leaf("first", ACTION), leaf("second", ACTION)], root)
    };
    let mut registry = Registry::<Vec<(char, usize)>>::new();
    for name in ["first", "second"] {
        let letter = name.chars().next().unwrap();
        registry.action(name, move |log: &mut Vec<(char, usize)>, me: &mut Agent| {
            log.push((letter, me.index()));
            Status::Success
        });
    }
    let mut play = Play::new(behaviour(), &registry, Vec::new(), 2);
    play.tick();
    assert_eq!(play.world, [('f', 0), ('f', 1), ('s', 0), ('s', 1)]);
    registry.order(Order::Sequential);
    let mut play = Play::new(behaviour(), &registry, Vec::new(), 2);
    play.tick();
    assert_eq!(play.world, [('f', 0), ('s', 0), ('f', 1), ('s', 1)]);
}

#[test]
fn a_parameter_that_no_document_declares_has_the_default_of_the_code() {
    let mut registry = Registry::<Vec<f32>>::new();
    registry
        .action("strike", |seen: &mut Vec<f32>, me: &mut Agent| {
            seen.push(me.arg("range"));
            assert!(me.arg_key("range").is_none() && me.arg::<&str>("cry") == "ha");
            Status::Running
        })
        .param("range", 2.0_f32, "metres")
        .param("cry", "ha", "");
    for (declared, given, expected) in [
        ("action strike", "strike", 2.0),
        (
            "action strike { param range type=float; }",
            "strike range=5.0",
            5.0,
        ),
    ] {
        let text = format!("leaves {{ {declared}; }}\ntree fighter {{ action {given}; }}\n");
        let mut mind = Mind::read(text.as_bytes(), "fighter.kdl", &registry).expect("it fits");
        let mut seen = Vec::new();
        mind.tick(&mut seen, std::time::Duration::from_millis(100));
        assert_eq!(seen, [expected], "{text}");
        assert_eq!(mind.take_faults().total(), 0, "{text}");
    }
}
