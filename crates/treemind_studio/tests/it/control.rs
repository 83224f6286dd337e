//! Games that are stopped: by a breakpoint, and by pages that control them.

use crate::games::{Farm, cows, play};
use crate::talk::Talk;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use treemind_studio::Studio;

/// The line of the action that begins in tick 7 for the first cow.
fn rest_of(view: &Value) -> Value {
    let lines = view["definition"]["behaviour"]["lines"].as_array();
    let mut lines = lines.expect("the definition").iter();
    let rest = lines.find(|line| {
        line["text"]
            .as_str()
            .is_some_and(|text| text.contains("rest"))
    });
    rest.expect("a line")["id"].clone()
}

#[test]
fn a_breakpoint_stops_what_is_shown_while_the_game_goes_on() {
    let studio = Studio::open(0).expect("a port");
    let (mut cows, mut farm) = (cows(1), Farm { ticks: 0 });
    studio.watch(&mut cows, "cows");
    play(&mut cows, &mut farm, 1);
    let mut page = Talk::to(&studio);
    let view = page.until(0, |view| view["tick"] == 1);
    assert_eq!(view["is_controlled"], false);
    page.say(&json!({"say": "break", "mind": 0, "line": rest_of(&view)}));
    page.until(0, |view| view["breakpoints"][0]["is_on"] == true);
    // Faster than any page, and further than pages pass over without breakpoints.
    play(&mut cows, &mut farm, 199);
    let view = page.until(0, |view| !view["stopped"].is_null());
    assert_eq!(
        (&view["tick"], &view["is_paused"]),
        (&json!(7), &json!(true))
    );
    assert_eq!(view["does"], "rest");
    // The game has gone on: pages that stand still hear twice a second of the game how far.
    if view["last"].as_u64() < Some(190) {
        page.until(0, |view| view["last"].as_u64() >= Some(190));
    }
    // It goes on from there, and nothing more begins.
    page.say(&json!({"say": "speed", "factor": 64}));
    page.say(&json!({"say": "play"}));
    page.until(0, |view| view["tick"] == 200);
}

#[test]
fn pages_stop_a_game_that_asks_step_it_and_say_its_speed() {
    let studio = Studio::open(0).expect("a port");
    let (mut cows, mut farm) = (cows(3), Farm { ticks: 0 });
    studio.watch(&mut cows, "cows");
    for _ in 0..10 {
        assert!(studio.wants_tick(), "nobody has said anything");
        play(&mut cows, &mut farm, 1);
    }
    assert_eq!(studio.speed(), 1.0);
    let mut page = Talk::to(&studio);
    let view = page.until(0, |view| view["tick"] == 10);
    assert_eq!(
        (&view["is_controlled"], &view["is_live"]),
        (&json!(true), &json!(true))
    );
    page.say(&json!({"say": "speed", "factor": 4}));
    page.say(&json!({"say": "pause"}));
    page.until(0, |view| view["is_paused"] == true);
    assert!(!studio.wants_tick());
    assert_eq!(studio.speed(), 4.0);
    // Two steps are two ticks.
    page.say(&json!({"say": "step"}));
    page.say(&json!({"say": "step"}));
    for _ in 0..2 {
        while !studio.wants_tick() {
            thread::yield_now();
        }
        play(&mut cows, &mut farm, 1);
    }
    let view = page.until(0, |view| view["tick"] == 12);
    assert_eq!(
        (&view["last"], &view["is_paused"]),
        (&json!(12), &json!(true))
    );
    assert!(!studio.wants_tick());
    // In the past, steps are those of the tape, and the game waits until pages are where it is.
    page.at(0, 4);
    page.say(&json!({"say": "step"}));
    page.until(0, |view| view["tick"] == 5);
    assert!(!studio.wants_tick());
    page.say(&json!({"say": "speed", "factor": 64}));
    page.say(&json!({"say": "play"}));
    while !studio.wants_tick() {
        thread::yield_now();
    }
    let view = page.until(0, |view| view["tick"] == 12);
    assert_eq!(view["is_paused"], false);
    play(&mut cows, &mut farm, 1);
    page.until(0, |view| view["tick"] == 13);
    // Whoever goes to the end has the game go on, too.
    page.at(0, 4);
    assert!(!studio.wants_tick());
    page.say(&json!({"say": "follow"}));
    page.until(0, |view| view["tick"] == 13);
    assert!(studio.wants_tick());
}

#[test]
fn a_breakpoint_stops_a_game_that_asks_in_its_tick() {
    let studio = Studio::open(0).expect("a port");
    let (mut cows, mut farm) = (cows(1), Farm { ticks: 0 });
    studio.watch(&mut cows, "cows");
    assert!(studio.wants_tick());
    play(&mut cows, &mut farm, 1);
    let mut page = Talk::to(&studio);
    let view = page.until(0, |view| view["tick"] == 1);
    page.say(&json!({"say": "break", "mind": 0, "line": rest_of(&view)}));
    page.until(0, |view| view["breakpoints"][0]["is_on"] == true);
    let (is_over, made) = (AtomicBool::new(false), AtomicU64::new(1));
    thread::scope(|scope| {
        scope.spawn(|| {
            // As fast as it may.
            while !is_over.load(Ordering::Relaxed) {
                match studio.wants_tick() {
                    true => {
                        play(&mut cows, &mut farm, 1);
                        made.fetch_add(1, Ordering::Relaxed);
                    }
                    false => thread::yield_now(),
                }
            }
        });
        let view = page.until(0, |view| !view["stopped"].is_null());
        assert_eq!(
            (&view["tick"], &view["last"], &view["is_paused"]),
            (&json!(7), &json!(7), &json!(true))
        );
        assert_eq!(made.load(Ordering::Relaxed), 7);
        page.say(&json!({"say": "unbreak"}));
        page.say(&json!({"say": "play"}));
        page.until(0, |view| view["tick"].as_u64() > Some(20));
        is_over.store(true, Ordering::Relaxed);
    });
}
