//! How long it takes to go forward over ticks that were played before, beside the first time:
//!
//! `cargo run --release -p treemind_replay --example jumps`

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use treemind_core::host::Scripted;
use treemind_core::{Population, Program};
use treemind_doc::Document;
use treemind_replay::history::{Begin, History, Next, Place, Store, Track};
use treemind_replay::observe::{Observing, Programs, Sink};

const TICK: Duration = Duration::from_millis(50);

/// A tape in memory that a game writes while it is played.
#[derive(Clone)]
struct Shared(Arc<Mutex<Track>>);

impl Shared {
    fn with<T>(&self, work: impl FnOnce(&mut Track) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Sink for Shared {
    fn state(&mut self, at: u64, programs: &Arc<Programs>, state: Vec<u8>) {
        self.with(|track| track.push_state(at, Arc::clone(programs), state));
    }

    fn tick(&mut self, tape: &[u8], _: Duration) -> bool {
        self.with(|track| {
            track.push_tick(tape);
            track.is_state_due()
        })
    }

    fn is_over(&self) -> bool {
        false
    }
}

impl Store for Shared {
    fn ticks(&self) -> Option<(u64, u64)> {
        self.with(|track| track.ticks())
    }

    fn begin(&self, tick: u64) -> Option<Begin> {
        self.with(|track| track.begin(tick))
    }

    fn segment(&self, number: u64) -> Option<Begin> {
        self.with(|track| track.segment(number))
    }

    fn next(&self, place: Place) -> Next {
        self.with(|track| track.next(place))
    }

    fn texts(&self, revision: u64) -> Vec<(String, String)> {
        self.with(|track| track.texts(revision))
    }
}

/// Groups of a check, an action and a wait below a selector.
fn tree(nodes: usize) -> String {
    let groups = (0..nodes / 4).map(|nth| {
        format!("sequence {{ check \"turn == {nth}\"; set \"turn = {nth} + 1\"; wait 0.2; }}\n")
    });
    format!(
        "tree guard {{ key turn type=int default=0; selector {{ {} set \"turn = 0\"; }} }}",
        groups.collect::<String>()
    )
}

fn main() {
    for (nodes, ticks) in [(16, 20_000), (1_500, 4_000)] {
        let document = Document::parse(&tree(nodes), "guard.kdl");
        let behaviour = document.behaviour(None).expect("a behaviour");
        let count = behaviour.node_ids().count();
        let mut host = Scripted::new(&behaviour, 1);
        let mut guard = Population::new(Arc::new(Program::new(behaviour)), 1);
        let shared = Shared(Arc::new(Mutex::new(Track::new(64 << 20))));
        let mut watch = Observing::new(shared.clone());
        for _ in 0..ticks {
            watch.tick(&mut guard, &mut host, TICK);
        }
        let go = |history: &mut History<Shared>, tick: u64| {
            let begun = Instant::now();
            history.seek(tick);
            while history.tick() < tick && history.step() {}
            assert_eq!(history.tick(), tick);
            begun.elapsed()
        };
        let mut history = History::at_begin(shared).expect("ticks");
        let begun = Instant::now();
        while history.tick() < ticks && history.step() {}
        let first = begun.elapsed();
        let again = [ticks / 3, ticks, ticks / 2, ticks * 3 / 4, 1, ticks - 1];
        let again = again.map(|tick| go(&mut history, tick)).map(|time| {
            format!(
                "{:.1} ms ({:.1} %)",
                time.as_secs_f64() * 1e3,
                100.0 * time.as_secs_f64() / first.as_secs_f64()
            )
        });
        println!(
            "{count} nodes, {ticks} ticks: {:.0} ms the first time; again {}",
            first.as_secs_f64() * 1e3,
            again.join(", ")
        );
    }
}
