//! Recordings of casts that tick themselves, beside other observers.

use super::Shown;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;
use treemind::prelude::*;
use treemind_recording::{RecordError, Recording, record};

const DT: Duration = Duration::from_millis(100);

const SHEEP: &str = "
    leaves { action graze; }
    blackboard { key wool type=int; }
    tree sheep { repeat forever { sequence { action graze; set \"wool += 1\"; }; }; }
";
const DOGS: &str = "
    leaves { action bark; }
    blackboard scope=world { key noise type=int merge=add; }
    tree dog { repeat forever { sequence { action bark; set \"noise += 1\"; wait 0.2; }; }; }
";

fn farm() -> Cast<u64> {
    let mut leaves = Registry::<u64>::new();
    leaves
        .action("graze", |calls, me| {
            *calls += 1;
            match (*calls + me.tick()) % 3 {
                0 => Status::Success,
                _ => Status::Running,
            }
        })
        .action("bark", |_, _| Status::Success);
    let mut cast = Cast::new(leaves);
    cast.add(&Document::parse(SHEEP, "sheep.kdl")).unwrap();
    cast.add(&Document::parse(DOGS, "dogs.kdl")).unwrap();
    cast
}

/// What an agent did up to a tick, event by event.
fn told(path: &Path, program: &str, agent: AgentId, tick: u64, count: u64) -> String {
    let recording = Recording::open(path).unwrap();
    assert!(recording.losses().is_empty());
    let moments = recording.history(Some(program), agent.index(), tick, count);
    let moments = moments.unwrap();
    let shown = moments
        .iter()
        .map(|one| format!("{} {:?}\n", one.tick, one.events));
    shown.collect()
}

#[test]
fn two_recordings_and_a_reload_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["first.mcap", "second.mcap"].map(|name| folder.path().join(name));
    let mut cast = farm();
    let sheep = cast.spawn("sheep", 3).unwrap();
    cast.spawn("dog", 1).unwrap();
    let mut calls = 0;
    let first = record(&mut cast, &paths[0]).unwrap();
    for _ in 0..5 {
        cast.step(&mut calls, DT);
    }
    let second = record(&mut cast, &paths[1]).unwrap();
    for step in 0..30 {
        // The game changes something before some steps, and a document before one.
        if step % 4 == 0 {
            cast.set(sheep[step % 3], "wool", 100_i64).unwrap();
        }
        if step == 12 {
            let longer = DOGS.replace("wait 0.2", "wait 0.4");
            let document = Document::parse(&longer, "dogs.kdl");
            cast.reload(&[&document], &mut calls).unwrap();
        }
        cast.step(&mut calls, DT);
    }
    second.finish().unwrap();
    // One is over, the other goes on.
    cast.step(&mut calls, DT);
    first.finish().unwrap();
    cast.step(&mut calls, DT);

    let whole = Recording::open(&paths[0]).unwrap();
    assert_eq!(whole.ticks(), 1..=36);
    assert_eq!(Recording::open(&paths[1]).unwrap().ticks(), 6..=35);
    assert_eq!(whole.documents().count(), 3);
    for agent in sheep {
        let (one, other) = (
            told(&paths[0], "sheep", agent, 35, 20),
            told(&paths[1], "sheep", agent, 35, 20),
        );
        assert_eq!(one, other);
        assert!(one.lines().count() == 21 && one.contains("Start"), "{one}");
    }
}

/// The agents and ticks of a recording.
fn length(path: &Path) -> (usize, RangeInclusive<u64>) {
    let recording = Recording::open(path).unwrap();
    let mut shown = Shown::at(&recording, recording.ticks().start() - 1).unwrap();
    while shown.step().unwrap() {}
    let stage = shown.stage();
    let populations = stage.populations();
    let agents = populations
        .iter()
        .map(|id| stage.population(*id).unwrap().len());
    (agents.sum(), recording.ticks())
}

#[test]
fn a_mind_and_minds_and_a_cast_that_grows_are_recorded_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.mcap");
    let leaves = {
        let mut leaves = Registry::<()>::new();
        leaves
            .action("graze", |(), _| Status::Running)
            .action("bark", |(), _| Status::Success);
        leaves
    };

    let mut mind = Mind::read(SHEEP.as_bytes(), "sheep.kdl", &leaves).unwrap();
    let recording = record(&mut mind, &path).unwrap();
    (0..3).for_each(|_| assert_eq!(mind.tick(&mut (), DT), Status::Running));
    recording.finish().unwrap();
    assert_eq!(length(&path), (1, 1..=3));

    let mut minds = Minds::read(SHEEP.as_bytes(), "sheep.kdl", &leaves, 5).unwrap();
    minds.tick(&mut (), DT);
    let recording = record(&mut minds, &path).unwrap();
    (0..3).for_each(|_| assert_eq!(minds.tick(&mut (), DT).running, 5));
    recording.note("weather", b"rain");
    recording.finish().unwrap();
    assert_eq!(length(&path), (5, 2..=4));
    let recording = Recording::open(&path).unwrap();
    assert_eq!(recording.notes().next().unwrap().name, "weather");

    // Nobody is there at first, and the second document comes later.
    let mut cast = Cast::new(leaves);
    let recording = record(&mut cast, &path).unwrap();
    cast.step(&mut (), DT);
    cast.add(&Document::parse(SHEEP, "sheep.kdl")).unwrap();
    cast.spawn("sheep", 2).unwrap();
    cast.step(&mut (), DT);
    cast.add(&Document::parse(DOGS, "dogs.kdl")).unwrap();
    cast.spawn("dog", 1).unwrap();
    cast.step(&mut (), DT);
    recording.finish().unwrap();
    assert_eq!(length(&path), (3, 1..=3));
}

#[test]
fn agents_without_a_document_are_not_recorded_and_no_file_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.mcap");
    let behaviour = Document::parse("tree guard { wait 1.0; }", "guard.kdl").behaviour(None);
    let mut mind = Mind::new(behaviour.unwrap(), &Registry::<()>::new()).unwrap();
    let refused = record(&mut mind, &path).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`guard` is in none of the documents of the recording"
    );
    assert!(!path.exists());

    // Ticks that a recording does not see end it, and it says so.
    let mut mind = Mind::read(SHEEP.as_bytes(), "sheep.kdl", &{
        let mut leaves = Registry::<()>::new();
        leaves.action("graze", |(), _| Status::Running);
        leaves
    })
    .unwrap();
    let recording = record(&mut mind, &path).unwrap();
    mind.tick(&mut (), DT);
    let (population, bound) = mind.parts();
    population.tick(&mut bound.host(&mut ()), DT);
    mind.tick(&mut (), DT);
    let error = recording.finish().unwrap_err();
    assert!(
        matches!(error, RecordError::Missed { known: 1, there: 2 }),
        "{error}"
    );
}
