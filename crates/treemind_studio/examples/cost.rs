//! What ten thousand guards that are watched cost the game, counted in instructions of its thread:
//!
//! `valgrind --tool=callgrind --fair-sched=yes --separate-threads=yes target/debug/examples/cost page 60`
//!
//! The first thread is the game. The first argument is `plain`, `watch` (no page is open) or `page`; the second is the
//! number of ticks. The difference of two runs has no preparations in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;
use treemind::prelude::*;
use treemind_studio::Studio;

const GUARDS: usize = 10_000;
const GUARD: &str = "
    leaves {
        condition weak; condition see; condition near
        action flee; action attack; action chase; action patrol
    }
    tree guard {
        reactive-selector {
            reactive-sequence { condition weak; action flee; }
            reactive-sequence { condition see; condition near; action attack; }
            reactive-sequence { condition see; action chase; }
            action patrol
        }
    }
";

/// A page gets an answer in so many ticks: callgrind runs one thread at a time.
const TICKS_OF_AN_ANSWER: u64 = 10;

/// The number of the tick, out of which all facts are drawn.
struct Yard(u64);

impl Yard {
    /// Whether a guard is among so many of sixteen.
    fn draw(&self, guard: usize, of_sixteen: u64) -> bool {
        let drawn = self.0.wrapping_mul(0x9e37_79b9) ^ (guard as u64).wrapping_mul(0x85eb_ca6b);
        (drawn >> 7) % 16 < of_sixteen
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let mode = words.next().expect("`plain`, `watch` or `page`");
    let ticks = words.next().and_then(|word| word.parse::<u64>().ok());
    let ticks = ticks.expect("the number of ticks");
    let mut leaves = Registry::<Yard>::new();
    for (name, of_sixteen) in [("weak", 1), ("see", 5), ("near", 8)] {
        leaves.condition(name, move |yard, me| yard.draw(me.index(), of_sixteen));
    }
    for name in ["flee", "attack", "chase", "patrol"] {
        leaves.action(name, |_, _| Status::Running);
    }
    let guards = Minds::read(GUARD.as_bytes(), "guard.kdl", &leaves, GUARDS);
    let mut guards = guards.expect("a document");
    let studio = Studio::open(0).expect("a port");
    if mode != "plain" {
        studio.watch(&mut guards, "guards");
    }
    let answers = Arc::<AtomicU64>::default();
    if mode == "page" {
        let (url, answers) = (studio.url().to_owned(), Arc::clone(&answers));
        thread::spawn(move || look(&url, &answers));
    }
    let mut yard = Yard(0);
    for tick in 1..=ticks {
        yard.0 = tick;
        guards.tick(&mut yard, Duration::from_millis(50));
        while mode == "page" && answers.load(Ordering::Relaxed) < tick / TICKS_OF_AN_ANSWER {
            thread::sleep(Duration::from_millis(1));
        }
    }
    println!("{} answers", answers.load(Ordering::Relaxed));
}

/// Looks at a guard, again and again, until the program ends.
fn look(url: &str, answers: &AtomicU64) {
    let url = url.replace("http://", "ws://") + "socket";
    let (mut socket, _) = tungstenite::connect(url).expect("a web socket");
    let mut seen = serde_json::json!(0);
    loop {
        let ask = serde_json::json!({"say": "look", "seen": seen, "mind": 7, "delta": true});
        let sent = socket.send(tungstenite::Message::text(ask.to_string()));
        sent.expect("it is open");
        if let tungstenite::Message::Text(text) = socket.read().expect("an answer") {
            let view: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            seen = view["state"].clone();
            answers.fetch_add(1, Ordering::Relaxed);
        }
    }
}
