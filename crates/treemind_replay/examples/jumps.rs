//! How long it takes to go forward over ticks that were played before, beside the first time:
//!
//! `cargo run --release -p treemind_replay --example jumps`

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use treemind_core::host::Scripted;
use treemind_core::{Population, Program};
use treemind_doc::Document;
use treemind_replay::history::{History, Track};
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
        let go = |history: &mut History<Arc<Mutex<Track>>>, tick: u64| {
            let begun = Instant::now();
            history.go_to(tick).expect("it can be played");
            assert_eq!(history.tick(), tick);
            begun.elapsed()
        };
        let mut history = History::at_begin(shared.0).expect("ticks");
        let begun = Instant::now();
        while history.step().expect("it can be played") {}
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
