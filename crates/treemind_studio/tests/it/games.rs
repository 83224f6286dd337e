//! A game of its own, not the arena.

use crate::talk::Talk;
use serde_json::{Value, json};
use std::time::Duration;
use treemind::prelude::*;
use treemind_recording::{Recording, Tape};
use treemind_replay::follow::memory_begin;
use treemind_replay::history::History;
use treemind_replay::view::Wish;
use treemind_studio::Studio;

const TICK: Duration = Duration::from_millis(50);

/// A farm: cows graze until they are full, and then rest.
pub(crate) const COWS: &str = "
    blackboard { key hunger type=int default=3; }
    leaves { action graze; action rest; }
    tree cow {
        reactive-selector {
            reactive-sequence name=hungry { check \"hunger > 0\"; action graze; }
            action rest
        }
    }
";

/// The number of ticks.
pub(crate) struct Farm {
    pub(crate) ticks: u64,
}

fn grazing() -> Registry<Farm> {
    let mut leaves = Registry::new();
    leaves.action("graze", |farm: &mut Farm, me| {
        // Each cow takes a time of its own.
        if farm.ticks.is_multiple_of(2 + me.index() as u64) {
            me.set("hunger", me.get::<i64>("hunger") - 1);
        }
        Status::Running
    });
    leaves
}

fn leaves() -> Registry<Farm> {
    let mut leaves = grazing();
    leaves.action("rest", |_, _| Status::Running);
    leaves
}

pub(crate) fn cows(count: usize) -> Minds<Farm> {
    Minds::read(COWS.as_bytes(), "cows.kdl", &leaves(), count).expect("cows")
}

pub(crate) fn play(cows: &mut Minds<Farm>, farm: &mut Farm, ticks: u64) {
    for _ in 0..ticks {
        farm.ticks += 1;
        cows.tick(farm, TICK);
    }
}

#[test]
fn a_game_is_shown_in_one_line_and_every_tick_can_be_reached_again() {
    let studio = Studio::open(0).expect("a port");
    let (mut cows, mut farm) = (cows(3), Farm { ticks: 0 });
    studio.watch(&mut cows, "cows");
    play(&mut cows, &mut farm, 10);
    // Nobody has looked so far: whoever comes late sees all of it.
    let mut page = Talk::to(&studio);
    page.say(&json!({"say": "hello"}));
    assert_eq!(page.hear()["files"], json!(["cows"]));
    let view = page.until(1, |view| view["tick"] == 10);
    assert_eq!(view["definition"]["behaviour"]["name"], "cow");
    assert_eq!(view["definition"]["texts"][0]["name"], "cows.kdl");
    assert_eq!(
        (&view["is_live"], &view["last"], &view["first"]),
        (&json!(true), &json!(10), &json!(0))
    );
    assert_eq!(view["agents"][2]["name"], "cow-3");
    let mut does = Vec::new();
    for tick in [1, 5, 6, 7, 10, 6] {
        let view = page.at(0, tick);
        does.push((tick, view["does"].clone(), view["keys"][0]["value"].clone()));
    }
    // The first cow has grazed in the ticks 2, 4 and 6.
    let expected = [
        (1, "graze", "3"),
        (5, "graze", "1"),
        (6, "graze", "0"),
        (7, "rest", "0"),
        (10, "rest", "0"),
        (6, "graze", "0"),
    ];
    let expected: Vec<_> = expected
        .map(|(tick, does, key)| (tick, json!(does), json!(key)))
        .into();
    assert_eq!(does, expected);
    let view = page.at(0, 7);
    let why = view["explanation"]["does"][0]["because"].to_string();
    assert!(why.contains("hunger > 0"), "{why}");
    assert_eq!(view["marks"][3], "cut", "{view}");
    // The game goes on, and whoever follows sees the last tick.
    page.say(&json!({"say": "follow"}));
    play(&mut cows, &mut farm, 30);
    let view = page.until(2, |view| view["tick"] == 40);
    assert_eq!(view["does"], "rest");
    assert_eq!(view["is_paused"], false);
}

/// What a view says about a tick.
fn moment_of(view: &Value) -> Value {
    let members = ["does", "marks", "flashes", "keys", "explanation", "agents"];
    members.iter().map(|name| view[name].clone()).collect()
}

#[test]
fn a_tick_is_shown_as_it_was_whichever_way_one_comes_to_it() {
    let mut leaves = grazing();
    leaves.action("rest", |farm: &mut Farm, me| {
        if farm.ticks.is_multiple_of(7) {
            me.set("hunger", 3 + me.index() as i64);
        }
        Status::Running
    });
    let mut cows = Minds::read(COWS.as_bytes(), "cows.kdl", &leaves, 3).expect("cows");
    let studio = Studio::open(0).expect("a port");
    studio.watch(&mut cows, "cows");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cows.mcap");
    let recording = treemind_recording::record(&mut cows, &path).expect("a file");
    play(&mut cows, &mut Farm { ticks: 0 }, 3_000);
    recording.finish().expect("it was written");
    let ticks = [
        1, 23, 24, 25, 700, 1_023, 1_024, 1_030, 1_090, 2_047, 2_100, 2_999, 3_000,
    ];
    // Step by step, each seen for the first time.
    let mut page = Talk::to(&studio);
    let there: Vec<Value> = ticks
        .iter()
        .map(|tick| {
            page.at(1, *tick - 1);
            page.say(&json!({"say": "step"}));
            let view = page.until(1, |view| {
                view["tick"] == *tick && view["is_jumping"] == false
            });
            moment_of(&view)
        })
        .collect();
    assert!(there.windows(2).any(|pair| pair[0] != pair[1]));
    // Back and forth, by leaps of all lengths, from what was played or not, by another page, for another agent first.
    let mut page = Talk::to(&studio);
    for by in [1, 3, 5, 8, 12] {
        for nth in 0..ticks.len() {
            let nth = nth * by % ticks.len();
            if nth % 2 == 0 {
                page.at(2, ticks[nth]);
            }
            let view = page.at(1, ticks[nth]);
            assert_eq!(moment_of(&view), there[nth], "tick {}, by {by}", ticks[nth]);
        }
    }
    // From the recording of the same run.
    let recording = Recording::open(&path).expect("a recording");
    let mut history = History::at_begin(Tape::whole(&recording)).expect("ticks");
    for by in [1, 5, 12] {
        for nth in 0..ticks.len() {
            let nth = nth * by % ticks.len();
            history.look_at(1).expect("an agent");
            history.go_to(ticks[nth]).expect("it can be played");
            let wish = Wish {
                mind: 1,
                ..Wish::default()
            };
            let view = history.moment(&wish).expect("it can be played");
            let view = serde_json::to_value(view).expect("JSON");
            assert_eq!(moment_of(&view), there[nth], "tick {}, by {by}", ticks[nth]);
        }
    }
}

/// The lanes of a view that was asked for whole, as soon as they reach back to a tick.
fn lanes_from(page: &mut Talk, mind: usize, tick: u64) -> Value {
    // Whoever looks at somebody else wants an answer at once.
    let mut view = page.look_with(&json!({"mind": mind, "since": 0, "seen": 0}));
    while view["film"]["does"][0][0] != tick {
        view = page.look_with(&json!({"mind": mind, "since": 0}));
    }
    view["film"].clone()
}

#[test]
fn lanes_are_filled_with_what_happened_before_the_page_was_opened() {
    let studio = Studio::open(0).expect("a port");
    let (mut cows, mut farm) = (cows(40), Farm { ticks: 0 });
    studio.watch(&mut cows, "cows");
    // Several pieces of tape, and more cows than are followed by themselves.
    play(&mut cows, &mut farm, 3_000);
    let mut page = Talk::to(&studio);
    let film = lanes_from(&mut page, 0, 1);
    // It has grazed in the ticks 2, 4 and 6.
    assert_eq!(
        film["does"],
        json!([[1, 6, "graze", 1], [7, 3_000, "rest"]])
    );
    assert_eq!(
        film["keys"][0],
        json!([[1, 1, "3"], [2, 3, "2"], [4, 5, "1"], [6, 3_000, "0"]])
    );
    let last = lanes_from(&mut page, 39, 1);
    assert_eq!(
        last["does"],
        json!([[1, 123, "graze", 1], [124, 3_000, "rest"]])
    );
    // While no page is open, nothing is noted; then that is filled in, too.
    drop(page);
    play(&mut cows, &mut farm, 2_000);
    cows.set(0, "hunger", 1_i64).expect("a key");
    play(&mut cows, &mut farm, 2_000);
    let mut page = Talk::to(&studio);
    page.until(0, |view| view["tick"] == 7_000);
    let whole = json!([
        [1, 6, "graze", 1],
        [7, 5_000, "rest", 1],
        [5_001, 5_002, "graze", 1],
        [5_003, 7_000, "rest"]
    ]);
    loop {
        let view = page.look_with(&json!({"mind": 0, "since": 0}));
        if view["film"]["does"] == whole {
            break;
        }
    }
}

#[test]
fn a_page_that_knows_the_end_is_told_only_what_is_filled_in() {
    let studio = Studio::open(0).expect("a port");
    let (mut cows, mut farm) = (cows(1), Farm { ticks: 0 });
    studio.watch(&mut cows, "cows");
    play(&mut cows, &mut farm, 3_000);
    let mut page = Talk::to(&studio);
    let mut view = page.until(0, |view| view["tick"] == 3_000);
    let mut reached = view["film"]["does"][0][0].as_u64().expect("a tick");
    let mut fills = view["film"]["fills"].as_u64().expect("a number");
    while reached > 1 {
        let (opened, defined) = (&view["opened"], &view["mind"]);
        let wish = json!({"opened": opened, "defined": defined, "since": 3_000, "fills": fills});
        view = page.look_with(&wish);
        let past = &view["film"]["past"];
        if past.is_object() {
            // Nothing is told twice.
            let to = past["to"].as_u64().expect("a tick");
            assert!(to < reached, "{to} {reached}");
            reached = past["from"].as_u64().expect("a tick");
            fills = view["film"]["fills"].as_u64().expect("a number");
        }
    }
}

#[test]
fn many_games_with_one_world_are_listed_and_opened() {
    let studio = Studio::open(0).expect("a port");
    let (mut some, mut others, mut farm) = (cows(2), cows(5), Farm { ticks: 0 });
    studio.watch(&mut some, "cows");
    studio.watch(&mut others, "calves");
    let mut cast = Cast::new(leaves());
    cast.add(&Document::parse(
        &format!("{COWS}\n archetype brown tree=cow"),
        "brown.kdl",
    ))
    .expect("a document");
    cast.spawn("brown", 4).expect("cows");
    studio.watch(&mut cast, "brown");
    for _ in 0..8 {
        farm.ticks += 1;
        some.tick(&mut farm, TICK);
        others.tick(&mut farm, TICK);
        cast.step(&mut farm, TICK);
    }
    let mut page = Talk::to(&studio);
    page.say(&json!({"say": "hello"}));
    assert_eq!(page.hear()["files"], json!(["cows", "calves", "brown"]));
    for (name, count) in [("calves", 5), ("brown", 4), ("cows", 2)] {
        let view = loop {
            let view = page.look_with(&json!({"mind": 1, "file": name}));
            if view["tick"] == 8 {
                break view;
            }
        };
        assert_eq!(view["file"], name);
        assert_eq!(view["crowd"]["agents"], count, "{name}");
        assert_eq!(view["agents"].as_array().expect("a list").len(), count);
        assert_eq!(view["does"], "graze");
    }
    page.say(&json!({"say": "look", "file": "/etc/passwd"}));
    assert_eq!(page.hear()["kind"], "refused");
    // Each page has a game of its own: one stands still in the past, the other goes on.
    let mut other = Talk::to(&studio);
    assert_eq!(other.look_with(&json!({"file": "calves"}))["tick"], 8);
    assert_eq!(page.at(1, 3)["file"], "cows");
    for _ in 0..4 {
        farm.ticks += 1;
        some.tick(&mut farm, TICK);
        others.tick(&mut farm, TICK);
    }
    let view = other.until(4, |view| view["tick"] == 12);
    let seen = |view: &Value| {
        (
            view["file"].clone(),
            view["is_paused"].clone(),
            view["mind"].clone(),
        )
    };
    assert_eq!(seen(&view), (json!("calves"), json!(false), json!(4)));
    let view = page.until(1, |view| view["last"] == 12);
    assert_eq!(view["tick"], 3);
    assert_eq!(seen(&view), (json!("cows"), json!(true), json!(1)));
}

#[test]
fn it_goes_on_with_changed_documents_and_earlier_ticks_are_shown_with_the_earlier_one() {
    let studio = Studio::open(0).expect("a port");
    let (mut cows, mut farm) = (cows(1), Farm { ticks: 0 });
    studio.watch(&mut cows, "cows");
    play(&mut cows, &mut farm, 4);
    let mut page = Talk::to(&studio);
    page.until(0, |view| view["tick"] == 4);
    let text = COWS.replace("hunger > 0", "hunger > 2");
    let document = Document::parse(&text, "cows.kdl");
    cows.reload(&document, &leaves(), &mut farm)
        .expect("it fits");
    play(&mut cows, &mut farm, 4);
    let view = page.until(0, |view| {
        view["tick"] == 8 && view["definition"].is_object()
    });
    assert_eq!(view["does"], "rest");
    let lines = view["definition"]["behaviour"]["lines"].to_string();
    assert!(lines.contains("hunger > 2"), "{lines}");
    assert!(
        view["definition"]["texts"][0]["text"]
            .as_str()
            .expect("a text")
            .contains("hunger > 2")
    );
    let view = page.at(0, 4);
    assert_eq!(view["does"], "graze");
    let lines = view["definition"]["behaviour"]["lines"].to_string();
    assert!(lines.contains("hunger > 0"), "{lines}");
}

#[test]
fn the_tape_is_bounded_and_ticks_without_it_begin_it_anew() {
    let studio = Studio::open(0).expect("a port").with_tape_bytes(1);
    let (mut cows, mut farm) = (cows(100), Farm { ticks: 0 });
    studio.watch(&mut cows, "cows");
    play(&mut cows, &mut farm, 5_000);
    let mut page = Talk::to(&studio);
    let view = page.until(99, |view| view["tick"] == 5_000);
    let first = view["first"].as_u64().expect("a tick");
    assert!((1..5_000).contains(&first), "{first}");
    page.say(&json!({"say": "go", "tick": 1}));
    // As far back as there is tape.
    page.until(99, |view| view["tick"] == first);
    let (population, bound) = cows.parts();
    population.tick(&mut bound.host(&mut farm), TICK);
    play(&mut cows, &mut farm, 1);
    page.say(&json!({"say": "follow"}));
    let view = page.until(99, |view| view["tick"] == 5_002);
    assert_eq!(view["first"], 5_001);
}

#[test]
fn a_game_without_a_studio_goes_on_and_an_address_can_be_opened_again() {
    let studio = Studio::open(0).expect("a port");
    let port = studio.url().trim_end_matches('/').rsplit_once(':');
    let port = port.expect("a port").1.parse().expect("a number");
    let (mut some, mut farm) = (cows(1), Farm { ticks: 0 });
    studio.watch(&mut some, "cows");
    play(&mut some, &mut farm, 3);
    drop(studio);
    play(&mut some, &mut farm, 3);
    let again = loop {
        // The port is free as soon as the old thread has ended.
        match Studio::open(port) {
            Ok(studio) => break studio,
            Err(_) => std::thread::yield_now(),
        }
    };
    again.watch(&mut some, "cows");
    play(&mut some, &mut farm, 3);
    let mut page = Talk::to(&again);
    let view = page.until(0, |view| view["tick"] == 9);
    assert_eq!(view["first"], 6);
}

#[test]
fn an_event_is_sent_between_ticks_and_stays_on_the_tape() {
    const DOGS: &str = "leaves { event whistle { param times type=int; }; action sleep; action come; }
        main machine=dog
        machine dog {
            initial lazy
            state lazy { do { action sleep; }; transition to=busy on=whistle when=\"event.times > 1\"; }
            state busy { do { action come; }; }
        }";
    let mut leaves: Registry<Farm> = Registry::new();
    leaves.action("sleep", |_, _| Status::Running);
    leaves.action("come", |_, _| Status::Running);
    let studio = Studio::open(0).expect("a port");
    let dogs = Minds::read(DOGS.as_bytes(), "dogs.kdl", &leaves, 2);
    let (mut dogs, mut farm) = (dogs.expect("dogs"), Farm { ticks: 0 });
    studio.watch(&mut dogs, "dogs");
    play(&mut dogs, &mut farm, 20);
    let mut page = Talk::to(&studio);
    page.until(1, |view| view["tick"] == 20 && view["does"] == "sleep");
    let send = |page: &mut Talk, values: &[&str]| {
        let ask = json!({"say": "send", "mind": 1, "event": "whistle", "values": values});
        page.say(&ask);
    };
    send(&mut page, &["twice"]);
    assert_eq!(page.hear()["kind"], "refused");
    send(&mut page, &["2"]);
    // It has been heard when a later question is answered.
    page.say(&json!({"say": "hello"}));
    assert_eq!(page.hear()["kind"], "hello");
    play(&mut dogs, &mut farm, 1);
    page.until(1, |view| view["tick"] == 21);
    play(&mut dogs, &mut farm, 5);
    // What a state does begins in the tick after it was entered.
    let does = [20, 21, 22].map(|tick| page.at(1, tick)["does"].clone());
    assert_eq!(does, [json!("sleep"), json!(null), json!("come")]);
    assert_eq!(page.at(0, 22)["does"], "sleep", "only this one");
}

#[test]
fn a_key_is_written_between_ticks_and_stays_on_the_tape() {
    let studio = Studio::open(0).expect("a port");
    let (mut cows, mut farm) = (cows(3), Farm { ticks: 0 });
    studio.watch(&mut cows, "cows");
    play(&mut cows, &mut farm, 20);
    let mut page = Talk::to(&studio);
    page.until(1, |view| view["tick"] == 20 && view["does"] == "rest");
    page.say(&json!({"say": "set", "mind": 1, "key": "hunger", "value": "much"}));
    assert_eq!(page.hear()["kind"], "refused");
    page.say(&json!({"say": "set", "mind": 1, "key": "hunger", "value": "5"}));
    // It has been heard when a later question is answered.
    page.say(&json!({"say": "hello"}));
    assert_eq!(page.hear()["kind"], "hello");
    play(&mut cows, &mut farm, 1);
    let view = page.until(1, |view| view["tick"] == 21);
    assert_eq!(view["does"], "graze");
    assert!(cows.get::<i64>(1, "hunger").expect("a key") >= 4);
    assert_eq!(cows.get::<i64>(0, "hunger"), Ok(0), "only this one");
    // The tape has it, and so the tick is the same again.
    play(&mut cows, &mut farm, 5);
    let before = page.at(1, 20);
    let again = page.at(1, 21);
    assert_eq!(before["does"], "rest");
    assert_eq!(
        (&again["does"], &again["keys"][0]["value"]),
        (&view["does"], &view["keys"][0]["value"])
    );
    // A key that is held has its value before each tick, until it is released; every page sees that.
    page.say(&json!({"say": "hold", "mind": 1, "key": "hunger", "value": "9"}));
    page.say(&json!({"say": "follow"}));
    let view = page.until(1, |view| view["held"][0].is_object() && view["tick"] == 26);
    let held = json!([{"mind": 1, "key": "hunger", "value": "9"}]);
    assert_eq!(view["held"], held);
    play(&mut cows, &mut farm, 30);
    assert!(cows.get::<i64>(1, "hunger").expect("a key") >= 8);
    let mut other = Talk::to(&studio);
    assert_eq!(other.until(2, |view| view["tick"] == 56)["held"], held);
    page.say(&json!({"say": "release", "mind": 1, "key": "hunger"}));
    page.until(1, |view| view["held"] == json!([]));
    play(&mut cows, &mut farm, 60);
    let view = page.until(1, |view| view["tick"] == 116);
    assert_eq!(view["does"], "rest");
    let hunger = page.at(1, 56)["keys"][0]["value"].clone();
    assert!(hunger == "9" || hunger == "8", "{hunger}");
}

#[test]
fn a_page_that_was_slow_is_answered_with_what_is_so_now() {
    let studio = Studio::open(0).expect("a port");
    let (mut cows, mut farm) = (cows(3), Farm { ticks: 0 });
    studio.watch(&mut cows, "cows");
    play(&mut cows, &mut farm, 1);
    let mut slow = Talk::to(&studio);
    slow.until(0, |view| view["tick"] == 1);
    // It asks, and reads nothing while the game makes thousands of ticks.
    slow.say(&json!({"say": "look", "nth": 2, "seen": 1}));
    play(&mut cows, &mut farm, 5_000);
    // There is one answer, however long it has waited; the next one is of now, or on the way there from where the memory of
    // what is shown now begins.
    let old = slow.hear();
    assert_eq!(old["nth"], 2);
    if old["tick"] == 5_001 {
        // Nobody has looked after the pages before the game was there.
        return;
    }
    let new = slow.look_with(&json!({"nth": 3, "seen": old["state"]}));
    assert_eq!((&new["nth"], &new["last"]), (&json!(3), &json!(5_001)));
    assert!(
        new["tick"].as_u64() >= Some(memory_begin(5_001, 3)),
        "{}",
        new["tick"]
    );
    if new["tick"] != 5_001 {
        slow.until(0, |view| view["tick"] == 5_001);
    }
}
