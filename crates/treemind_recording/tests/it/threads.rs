//! Ticks on several threads are recorded, and the recording does not depend on the threads.

use super::games::{Events, Game, TICK, World, events};
use super::{Shelf, Shown};
use std::sync::Arc;
use treemind::blackboard::{Text, Value};
use treemind::core::host::{Answers, Call, Host, Lanes};
use treemind::leaves::Order;
use treemind::population::{Population, Program, Society};
use treemind::prelude::*;
use treemind::trace::Trace;
use treemind_recording::{RecordError, Recorder, Recording};

/// Plays a game on some threads, and returns the recording and the traces of all ticks on one thread.
fn played(agents: usize, threads: usize) -> (Vec<u8>, Vec<Vec<Events>>) {
    let mut game = Game::new(agents);
    let shelf = Shelf::default();
    let mut recorder = Recorder::to(shelf.clone(), &game.document).expect("a recorder");
    let mut all = Vec::new();
    for _ in 0..24 {
        game.meddle();
        // The trace is that of a copy, which is ticked on one thread without being recorded.
        let mut copy = game.guards.clone();
        let mut trace = Trace::with_values();
        copy.tick_traced(&mut game.bound.host(&mut game.world), TICK, &mut trace);
        all.push(events(&trace, copy.len()));
        let ticks = game.world.ticks;
        let mut worlds: Vec<World> = (0..threads).map(|_| World { ticks }).collect();
        let hosts = worlds.iter_mut().map(|world| game.bound.host(world));
        let mut hosts: Vec<_> = hosts.collect();
        recorder.tick_in_parallel(&mut game.guards, &mut hosts, TICK);
        assert!(game.guards.save() == copy.save());
    }
    recorder.finish().expect("it is all written");
    (shelf.bytes(), all)
}

#[test]
fn ticks_on_several_threads_are_played_event_by_event() {
    for agents in [1, 100, 2_500] {
        for threads in [1, 2, 5] {
            let (bytes, wanted) = played(agents, threads);
            let recording = Recording::read(bytes).expect("it is a recording");
            let mut shown = Shown::at(&recording, 0).expect("the first state");
            for wanted in &wanted {
                assert!(shown.step().unwrap_or_else(|error| panic!("{error}")));
                let trace = shown.trace();
                let there = &events(trace, wanted.len());
                assert!(
                    there == wanted,
                    "{agents} agents, {threads} threads, {}",
                    shown.tick()
                );
            }
            assert!(!shown.step().expect("the end"));
        }
    }
}

#[test]
fn steps_of_societies_on_several_threads_are_played() {
    let mut game = Game::new(1_500);
    let mut society = Society::new();
    let id = society
        .join("guards", game.guards)
        .expect("it is the only one");
    let shelf = Shelf::default();
    let mut recorder = Recorder::to(shelf.clone(), &game.document).expect("a recorder");
    let mut states = Vec::new();
    for ticks in 0..20 {
        let mut worlds = [World { ticks }, World { ticks }];
        let mut hosts = worlds.each_mut().map(|world| game.bound.host(world));
        recorder.step(&mut society, TICK, |step| {
            step.tick_in_parallel(id, &mut hosts);
        });
        states.push(society.save());
    }
    game.world.ticks = 20;
    recorder.finish().expect("it is all written");
    let recording = Recording::read(shelf.bytes()).expect("it is a recording");
    let mut shown = Shown::at(&recording, 0).expect("the first state");
    for wanted in &states {
        assert!(shown.step().unwrap_or_else(|error| panic!("{error}")));
        let treemind::core::tape::Stage::Society(played) = shown.stage() else {
            panic!("a society was recorded");
        };
        assert!(played.save() == *wanted, "{}", shown.tick());
    }
}

/// A text that a leaf makes in the tick itself is in the recording of this tick.
#[test]
fn a_text_that_a_leaf_has_just_made_is_played() {
    let text =
        b"leaves { action sign; }\nblackboard { key by type=string; }\ntree clerk { action sign; }";
    let document = Document::read(text, "clerk.kdl");
    let behaviour = document.behaviour(None).expect("it is sound");
    let by = behaviour.key_id("by").expect("a key");
    let mut registry = Registry::<u32>::new();
    registry.action("sign", |count: &mut u32, me: &mut Agent| {
        *count += 1;
        me.set("by", Text::new(&format!("clerk {count} of the text test")));
        Status::Running
    });
    let bound = registry.bind(&behaviour).expect("all leaves are there");
    let mut clerks = Population::new(Arc::new(Program::new(behaviour)), 2);
    let shelf = Shelf::default();
    let mut recorder = Recorder::to(shelf.clone(), &document).expect("a recorder");
    let mut count = 0;
    for _ in 0..5 {
        recorder.tick(&mut clerks, &mut bound.host(&mut count), TICK);
    }
    recorder.finish().expect("it is all written");
    let recording = Recording::read(shelf.bytes()).expect("it is a recording");
    let shown = Shown::at(&recording, 5).unwrap_or_else(|error| panic!("{error}"));
    let played = shown.stage().population(shown.stage().populations()[0]);
    let wanted = Value::Text("clerk 10 of the text test".into());
    assert_eq!(played.expect("the clerks").get(1, by), wanted);
}

/// Hosts of one type that serve agents in different orders.
struct Mixed(Order);

impl Host for Mixed {
    fn order(&self) -> Order {
        self.0
    }
    fn ask(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}
    fn start(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}
    fn update(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}
    fn stop(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {}
}

#[test]
fn hosts_of_different_orders_are_not_recorded_and_the_game_goes_on() {
    let game = Game::new(2_000);
    let mut guards = game.guards;
    let mut recorder = Recorder::to(Shelf::default(), &game.document).expect("a recorder");
    let mut hosts = [Mixed(Order::Sequential), Mixed(Order::Independent)];
    recorder.tick_in_parallel(&mut guards, &mut hosts, TICK);
    assert_eq!(guards.ticks(), 1);
    let error = recorder.finish().expect_err("it cannot be recorded");
    assert!(matches!(error, RecordError::Form(_)), "{error}");
    assert_eq!(
        error.to_string(),
        "the hosts of one tick serve agents in different orders"
    );
}
