//! The lines of Rust on the pages for people who come from elsewhere are compiled here, and do what the pages say.

use std::sync::Arc;
use std::time::Duration;
use treemind::core::host::Nav2;
use treemind::core::{Population, Program, Value};
use treemind::prelude::*;
use treemind_groot::Groot;

/// A guard who fights as soon as it sees somebody.
#[derive(Default)]
struct Guard {
    sees_enemy: bool,
    attacks: u32,
    patrols: u32,
}

impl Guard {
    fn attack(&mut self) -> Status {
        self.attacks += 1;
        Status::Running
    }

    fn patrol(&mut self) -> Status {
        self.patrols += 1;
        Status::Running
    }
}

/// A game that goes on for so many ticks.
struct Game(std::cell::Cell<u32>);

impl Game {
    fn goes_on(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }
}

const GUARD: &[u8] = b"leaves { condition sees-enemy; action attack; action patrol; }
tree guard { reactive-selector { sequence { condition sees-enemy; action attack; }; action patrol; }; }";

/// Its leaves are registered as the pages from Unreal, LimboAI and py_trees say.
fn guard() -> Mind<Guard> {
    let mut registry = Registry::<Guard>::new();
    registry.condition("sees-enemy", |guard, _| guard.sees_enemy);
    registry.action("attack", |guard, _| guard.attack());
    registry.action("patrol", |guard, _| guard.patrol());
    Mind::read(GUARD, "guard.kdl", &registry).expect("all leaves are there")
}

#[test]
fn leaves_are_registered_as_from_unreal_limboai_and_py_trees() {
    let mut mind = guard();
    let mut world = Guard::default();
    let dt = Duration::from_millis(50);
    mind.tick(&mut world, dt);
    world.sees_enemy = true;
    mind.tick(&mut world, dt);
    assert_eq!((world.attacks, world.patrols), (1, 1));
}

#[test]
fn a_game_is_watched_as_from_behaviortree_cpp() -> std::io::Result<()> {
    let mut mind = guard();
    let (mut world, game) = (Guard::default(), Game(3.into()));
    let dt = Duration::from_millis(50);
    // The page has the port of Groot2, which another test or program may have.
    let groot = Groot::open(0)?;
    groot.watch(&mut mind, "guard");
    while game.goes_on() {
        if groot.wants_tick() {
            mind.tick(&mut world, dt);
        }
    }
    assert_eq!(world.patrols, 3);
    Ok(())
}

#[test]
fn the_nodes_of_nav2_are_put_around_a_host() -> Result<(), Box<dyn std::error::Error>> {
    let xml = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><PauseResumeController><Action ID=\"patrol\"/></PauseResumeController></BehaviorTree></root>";
    let document = Document::read(xml.as_bytes(), "t.xml");
    let tree = document.behaviour(None).expect("a tree");
    let mut registry = Registry::<Guard>::new();
    registry.action("patrol", |guard, _| guard.patrol());
    let mut population = Population::new(Arc::new(Program::new(tree.clone())), 1);
    let mut world = Guard::default();
    let ([x, y], speed, goal) = ([1.0, 2.0], 0.5, Value::Int(3));
    let dt = Duration::from_millis(50);

    registry.nav2();
    let bound = registry.bind(&tree)?;
    let mut nav2 = Nav2::new();
    population.tick(&mut nav2.around(bound.host(&mut world)), dt);
    nav2.set_position(0, [x, y, 0.0]); // of agent 0, before each tick, for `DistanceController`
    nav2.set_speed(0, speed); // for `SpeedController`
    nav2.pause(0); // when its service is called; later, `nav2.resume(0)`: for `PauseResumeController`
    nav2.update_goal(0, goal); // when a message comes: for `GoalUpdater`
    population.tick(&mut nav2.around(bound.host(&mut world)), dt);
    // It has paused.
    population.tick(&mut nav2.around(bound.host(&mut world)), dt);
    assert_eq!(world.patrols, 1);
    nav2.resume(0);
    for _ in 0..2 {
        population.tick(&mut nav2.around(bound.host(&mut world)), dt);
    }
    assert_eq!(world.patrols, 2);
    Ok(())
}

#[test]
fn every_line_of_the_pages_is_compiled() {
    let lines: Vec<&str> = include_str!("pages.rs").lines().map(str::trim).collect();
    let mut blocks = 0;
    for page in [
        include_str!("../../../../docs/coming-from-btcpp.md"),
        include_str!("../../../../docs/coming-from-limboai.md"),
        include_str!("../../../../docs/coming-from-py-trees.md"),
        include_str!("../../../../docs/coming-from-unreal.md"),
        include_str!("../../../../docs/coming-from-xstate.md"),
    ] {
        for block in page.split("```rust\n").skip(1) {
            blocks += 1;
            let block = block.split("```").next().expect("an end");
            for line in block.lines().map(str::trim) {
                let port = line.replace("1667", "0");
                assert!(lines.contains(&port.as_str()), "not compiled: {line}");
            }
        }
    }
    assert!(blocks >= 5, "the pages have only {blocks} blocks of Rust");
}
