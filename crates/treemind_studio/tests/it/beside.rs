//! The studio and a recording that observe one cast at the same time.

use crate::games::COWS;
use crate::talk::Talk;
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use treemind::blackboard::{Held, Value};
use treemind::events::To;
use treemind::prelude::*;
use treemind_recording::{Playhead, Recording, Tape, record};
use treemind_studio::Studio;

const TICK: Duration = Duration::from_millis(50);

const DOGS: &str = "
    leaves { action bark; event intruder; }
    blackboard scope=world { key noise type=int merge=add; }
    tree dog { repeat forever { sequence { wait-for-event intruder; action bark; set \"noise += 1\"; }; }; }
";

fn farm() -> Cast<()> {
    let mut leaves = Registry::<()>::new();
    leaves
        .action("graze", |(), me| {
            if me.tick().is_multiple_of(2 + me.index() as u64) {
                me.set("hunger", me.get::<i64>("hunger") - 1);
            }
            Status::Running
        })
        .action("rest", |(), _| Status::Running)
        .action("bark", |(), _| Status::Success);
    let mut cast = Cast::new(leaves);
    cast.add(&Document::parse(COWS, "cows.kdl")).expect("cows");
    cast.add(&Document::parse(DOGS, "dogs.kdl")).expect("dogs");
    cast
}

/// What a key of an agent is after each tick of a recording.
fn recorded(path: &Path, agent: AgentId, key: &str) -> Vec<String> {
    let recording = Recording::open(path).expect("a recording");
    assert!(recording.losses().is_empty());
    let tape = Tape::whole(&recording);
    let mut head = Playhead::at(&tape, recording.ticks().start() - 1).expect("a begin");
    let mut all = Vec::new();
    while head.step(&tape, None).expect("a tick") {
        let population = head.stage().population(agent.population());
        let population = population.expect("a population");
        let id = population.program().behaviour().key_id(key);
        let held = population.held(agent.index(), id.expect("a key"));
        let Held::One(Value::Int(number)) = held else {
            panic!("{held:?}");
        };
        all.push(number.to_string());
    }
    all
}

/// The same for the only key of an agent, as a page shows it.
fn shown(page: &mut Talk, mind: usize, ticks: std::ops::RangeInclusive<u64>) -> Vec<String> {
    let value = |tick| {
        let value = &page.at(mind, tick)["keys"][0]["value"];
        value.as_str().expect("a text").to_owned()
    };
    ticks.map(value).collect()
}

/// Plays a farm that is shown and recorded, in one of two orders, and on one thread or several.
fn played(is_shown_first: bool, threads: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("farm.mcap");
    let studio = Studio::open(0).expect("a port");
    let mut cast = farm();
    let cows = cast.spawn("cow", 3).expect("cows");
    let dog = cast.spawn("dog", 1).expect("a dog")[0];
    let step = |cast: &mut Cast<()>, ticks: u64| {
        for _ in 0..ticks {
            match threads {
                1 => cast.step(&mut (), TICK),
                _ => cast.step_in_parallel(&mut vec![(); threads], TICK),
            };
        }
    };
    if is_shown_first {
        studio.watch(&mut cast, "farm");
    }
    let recording = record(&mut cast, &path).expect("a file");
    if !is_shown_first {
        studio.watch(&mut cast, "farm");
    }

    step(&mut cast, 10);
    // The game changes something, and so does a page.
    cast.set(cows[1], "hunger", 7_i64).expect("a key");
    cast.send(To::World, "intruder", &[]).expect("an event");
    step(&mut cast, 10);
    let mut page = Talk::to(&studio);
    page.until(0, |view| view["tick"] == 20);
    page.say(&json!({"say": "set", "mind": 2, "key": "hunger", "value": "5"}));
    page.say(&json!({"say": "hello"}));
    assert_eq!(page.hear()["kind"], "hello");
    cast.set_world("noise", 100_i64).expect("a key");
    step(&mut cast, 10);
    recording.finish().expect("it is written");

    for (mind, agent, key) in [
        (0, cows[0], "hunger"),
        (1, cows[1], "hunger"),
        (2, cows[2], "hunger"),
        (3, dog, "noise"),
    ] {
        let of_file = recorded(&path, agent, key);
        assert_eq!(of_file.len(), 30);
        assert_eq!(of_file, shown(&mut page, mind, 1..=30), "{agent:?}");
        let changes: Vec<&str> = [9, 10, 11, 19, 20].map(|at| of_file[at].as_str()).into();
        let expected = match mind {
            0 => ["0", "0", "0", "0", "0"],
            1 => ["0", "7", "6", "4", "3"],
            2 => ["1", "1", "0", "0", "5"],
            _ => ["0", "1", "1", "1", "100"],
        };
        assert_eq!(changes, expected, "{agent:?}");
    }
    let does = page.at(2, 21);
    assert_eq!(does["does"], "graze");
}

#[test]
fn the_studio_and_a_recording_see_all_of_one_cast() {
    for (is_shown_first, threads) in [(true, 1), (false, 1), (true, 3), (false, 3)] {
        played(is_shown_first, threads);
    }
}
