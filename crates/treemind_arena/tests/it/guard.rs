//! The first example: the guard, and the guard with memory.

use crate::{session, story, ticks};
use treemind::{Event as NodeEvent, Outcome, Trace};
use treemind_arena::{Arena, Event, Happening, Map, Rules, Session, Who, YARD};

const GUARD: &str = "01-guard/guard.kdl";
const CLASSIC: &str = "01-guard/guard-classic.kdl";

#[test]
fn the_guard_sees_attacks_flees_and_wins_in_the_end() {
    let events = story(GUARD);
    let ticks = |what| ticks(&events, what);
    assert_eq!(ticks(Happening::Saw), [89, 323, 476]);
    assert_eq!(ticks(Happening::AttackStarted), [89, 323, 486]);
    assert_eq!(ticks(Happening::FleeStarted), [190, 374, 476]);
    assert_eq!(ticks(Happening::AttackBrokenOff), [190, 374]);
    assert_eq!(ticks(Happening::Hid), [270, 408, 476]);
    assert_eq!(ticks(Happening::LostSight), [291, 475]);
    assert_eq!(ticks(Happening::Died(Who::Intruder)), [519]);
    assert_eq!(ticks(Happening::PatrolStarted), [1, 71, 291, 475, 520]);
}

#[test]
fn the_classic_guard_notices_late_and_fights_to_its_death() {
    let events = story(CLASSIC);
    let ticks = |what| ticks(&events, what);
    // Its eyes are as good, but it walks on to the stop of its round first, and what is begun is carried on.
    assert_eq!(ticks(Happening::Saw), [89]);
    assert_eq!(ticks(Happening::AttackStarted), [171]);
    assert_eq!(ticks(Happening::FleeStarted), [0; 0]);
    assert_eq!(ticks(Happening::Died(Who::Guard)), [232]);
}

#[test]
fn health_that_falls_in_the_middle_of_an_attack_interrupts_it_in_the_same_tick() {
    let is_low = |event: &&Event| matches!(event.what, Happening::Hit { whom: Who::Guard, left, .. } if left < 20);
    let hit = story(GUARD).iter().find(is_low).unwrap().tick;
    assert_eq!(hit, 190);
    let mut session = session(GUARD, Rules::default());
    let mut trace = Trace::new();
    while session.arena().tick() < hit {
        session.step_traced(&mut trace);
    }
    let behaviour = session.behaviour();
    let line = trace.plain_line(behaviour, 0, hit, "RUNNING");
    assert_eq!(
        line,
        "190 RUNNING | tick see-enemy SUCCESS; tick run-away RUNNING; halt attack"
    );
    let (node, event) = trace
        .agent(0)
        .find(|(_, event)| matches!(event, NodeEvent::Stop(_)))
        .unwrap();
    assert_eq!(
        (behaviour.label(node), event),
        ("attack", NodeEvent::Stop(Outcome::Aborted))
    );
}

#[test]
fn seeds_change_how_hard_blows_are() {
    let damages = |seed| {
        let mut session = session(
            GUARD,
            Rules {
                seed,
                rounds: false,
            },
        );
        let mut damages = Vec::new();
        while session.arena().tick() < 600 {
            damages.extend(session.step().iter().filter_map(|event| match event.what {
                Happening::Hit { whom, damage, .. } => Some((whom, damage)),
                _ => None,
            }));
        }
        damages
    };
    let (one, two) = (damages(1), damages(2));
    assert_ne!(one, two);
    for (whom, damage) in one.into_iter().chain(two) {
        let usual = if whom == Who::Guard { 18 } else { 15 };
        assert!((usual - 2..=usual + 2).contains(&damage), "{whom} {damage}");
    }
}

#[test]
fn the_yard_of_the_example_is_the_built_in_one() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/01-guard/yard.map"
    );
    assert_eq!(std::fs::read_to_string(path).unwrap(), YARD);
    let map = Map::parse(YARD).unwrap();
    let size = (
        map.width(),
        map.height(),
        map.round().len(),
        map.way().len(),
    );
    assert_eq!(size, (24, 13, 6, 6));
}

#[test]
fn a_tree_with_leaves_that_the_arena_does_not_know_is_refused() {
    let text = "leaves { condition see-enmy; action dance; }; tree t { sequence { condition see-enmy; action dance; }; }";
    let behaviour = treemind::Document::parse(text, "t.kdl")
        .behaviour(None)
        .unwrap();
    let arena = Arena::load(YARD, Rules::default()).unwrap();
    let error = Session::new(behaviour, arena).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the condition `see-enmy` is not registered; did you mean `see-enemy`?\n\
         the action `dance` is not registered"
    );
}
