//! How long it takes to go forward over ticks that were played before, beside the first time, and how much memory the
//! history of a long game takes:
//!
//! `cargo run --release -p treemind_replay --example jumps`
//! `cargo run --release -p treemind_replay --example jumps hour`

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use treemind_core::host::Scripted;
use treemind_core::{Population, Program};
use treemind_doc::Document;
use treemind_replay::history::{History, Store as _, Track};
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

/// Agents that are watched, their game, and its tape.
struct Game {
    agents: Population,
    host: Scripted,
    watch: Observing<Shared>,
    track: Arc<Mutex<Track>>,
}

impl Game {
    fn new(text: &str, agents: usize) -> Self {
        let document = Document::parse(text, "guard.kdl");
        let behaviour = document.behaviour(None).expect("a behaviour");
        let shared = Shared(Arc::new(Mutex::new(Track::new(64 << 20))));
        Self {
            host: Scripted::new(&behaviour, 1),
            agents: Population::new(Arc::new(Program::new(behaviour)), agents),
            watch: Observing::new(shared.clone()),
            track: shared.0,
        }
    }

    fn tick(&mut self) {
        self.watch.tick(&mut self.agents, &mut self.host, TICK);
    }
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("hour") => hour(),
        _ => jumps(),
    }
}

/// An hour of a game whose agents write keys in each tick, followed from its first tick on.
fn hour() {
    for (agents, nodes) in [(1, 16), (32, 16), (32, 400), (10_000, 16)] {
        let keys =
            "key sum type=double default=0.0; key times type=int default=0; reactive-sequence {";
        let writes = "set \"sum = sum + 0.25\"; set \"times = times + 1\";";
        let text = tree(nodes).replace("selector {", &format!("{keys} {writes} selector {{")) + "}";
        let mut game = Game::new(&text, agents);
        let ticks = if agents > 1_000 { 6_000 } else { 72_000 };
        let mut history = None;
        for tick in 1..=ticks {
            game.tick();
            let history = history
                .get_or_insert_with(|| History::at_begin(Arc::clone(&game.track)).expect("ticks"));
            history.step().expect("it can be played");
            if tick % (ticks / 6) == 0 {
                let first = history.store().ticks().map_or(0, |(first, _)| first);
                println!(
                    "{agents} agents, {nodes} nodes, tick {tick}: {} MB, back to tick {first}",
                    resident_bytes() >> 20
                );
            }
        }
    }
}

/// How much memory the program takes.
fn resident_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
    let pages = text
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<u64>().ok());
    pages.expect("a number of pages") * 4096
}

fn jumps() {
    for (nodes, ticks) in [(16, 20_000), (1_500, 4_000)] {
        let mut game = Game::new(&tree(nodes), 1);
        let count = game.agents.program().behaviour().node_ids().count();
        for _ in 0..ticks {
            game.tick();
        }
        let go = |history: &mut History<Arc<Mutex<Track>>>, tick: u64| {
            let begun = Instant::now();
            history.go_to(tick).expect("it can be played");
            assert_eq!(history.tick(), tick);
            begun.elapsed()
        };
        let mut history = History::at_begin(game.track).expect("ticks");
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
