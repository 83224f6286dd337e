//! The first example: the guard, and the guard with memory.

use crate::stage::document;
use crate::{Play, Story};
use treemind::Outcome;
use treemind::trace::{Event as NodeEvent, Trace};
use treemind_arena::{BodyId, EventKind, Rules, Session, World, YARD};

const GUARD: Play = Play {
    document: "01-guard/guard.kdl",
    map: "01-guard/yard.map",
    what: "",
};
const CLASSIC: Play = Play {
    document: "01-guard/guard-classic.kdl",
    ..GUARD
};
const INTRUDER: BodyId = BodyId(1);

fn ticks(story: &Story, what: EventKind) -> Vec<u64> {
    story.ticks("guard", what)
}

#[test]
fn the_guard_sees_attacks_flees_and_wins_in_the_end() {
    let story = GUARD.story(520);
    assert_eq!(ticks(&story, EventKind::Sees(INTRUDER)), [89, 323, 476]);
    assert_eq!(ticks(&story, EventKind::Begins("attack")), [89, 323, 486]);
    assert_eq!(
        ticks(&story, EventKind::Begins("run-away")),
        [190, 374, 476]
    );
    assert_eq!(ticks(&story, EventKind::BreaksOff("attack")), [190, 374]);
    assert_eq!(ticks(&story, EventKind::Hides), [270, 408, 476]);
    assert_eq!(ticks(&story, EventKind::Loses(INTRUDER)), [291, 475]);
    assert_eq!(story.ticks("intruder", EventKind::Dies), [519]);
    assert_eq!(
        ticks(&story, EventKind::Begins("patrol")),
        [1, 71, 291, 475, 520]
    );
    assert_eq!(
        ticks(&story, EventKind::BreaksOff("patrol")),
        [89, 323, 476]
    );
}

#[test]
fn the_classic_guard_notices_late_and_fights_to_its_death() {
    let story = CLASSIC.story(233);
    // Its eyes are as good, but it first walks on to the stop of its round, because it finishes what it has begun.
    assert_eq!(ticks(&story, EventKind::Sees(INTRUDER)), [89]);
    assert_eq!(ticks(&story, EventKind::Begins("attack")), [171]);
    assert_eq!(ticks(&story, EventKind::Begins("run-away")), [0; 0]);
    assert_eq!(ticks(&story, EventKind::Dies), [232]);
}

#[test]
fn health_that_falls_in_the_middle_of_an_attack_interrupts_it_in_the_same_tick() {
    let mut session = GUARD.session(Rules::default());
    let mut trace = Trace::new();
    let mut hit = 0;
    while hit == 0 {
        let events = session.step_traced(&mut trace);
        let is_low = |what| matches!(what, EventKind::IsHit { left, .. } if left < 20);
        let is_guard = |who: Option<BodyId>| who == Some(BodyId(0));
        let low = events
            .iter()
            .find(|event| is_guard(event.who) && is_low(event.what));
        hit = low.map_or(0, |event| event.tick);
    }
    assert_eq!(hit, 190);
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
        let mut session = GUARD.session(Rules {
            seed,
            rounds: false,
        });
        let mut damages = Vec::new();
        while session.world().tick() < 600 {
            damages.extend(session.step().iter().filter_map(|event| match event.what {
                EventKind::IsHit { damage, .. } => Some((event.who, damage)),
                _ => None,
            }));
        }
        damages
    };
    let (one, two) = (damages(1), damages(2));
    assert_ne!(one, two);
    for (whom, damage) in one.into_iter().chain(two) {
        let usual = if whom == Some(BodyId(0)) { 18 } else { 15 };
        assert!(
            (usual - 2..=usual + 2).contains(&damage),
            "{whom:?} {damage}"
        );
    }
}

#[test]
fn the_yard_of_the_example_is_the_built_in_one() {
    assert_eq!(crate::stage::read(GUARD.map), YARD);
    let world = World::load(YARD, Rules::default()).unwrap();
    let scenario = world.scenario();
    let size = (
        scenario.grid.width(),
        scenario.grid.height(),
        scenario.route("round").count(),
        scenario.route("way").count(),
    );
    assert_eq!(size, (24, 13, 6, 6));
}

#[test]
fn a_tree_with_leaves_that_the_arena_does_not_know_is_refused() {
    let text = "leaves { condition see-enmy; action dance; }; tree t { sequence { condition see-enmy; action dance; }; }";
    let unknown = treemind::Document::parse(text, "t.kdl")
        .behaviour(None)
        .unwrap();
    let world = || World::load(YARD, Rules::default()).unwrap();
    let error = Session::new(unknown, None, world()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the condition `see-enmy` is not registered; did you mean `see-enemy`?\n\
         the action `dance` is not registered"
    );
    let guard = || document(GUARD.document).behaviour(None).unwrap();
    let empty = World::load("[map]\n...", Rules::default()).unwrap();
    let error = Session::new(guard(), None, empty).err().unwrap();
    assert_eq!(error.to_string(), "no actor of the map has `mind=main`");
    let other = YARD.replace("intruder ", "intruder mind=tree:thief ");
    let other = World::load(&other, Rules::default()).unwrap();
    let document = document(GUARD.document);
    let error = Session::new(guard(), Some(&document), other).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the intruder of the map: unknown tree `thief`"
    );
}
