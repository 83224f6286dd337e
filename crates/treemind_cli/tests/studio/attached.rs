//! A game that is not the arena, attached by a line of its own, and the page in a real browser.

use crate::browser::Browser;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use treemind::prelude::*;
use treemind_studio::Studio;

const COWS: &str = "
    blackboard { key hunger type=int default=0; }
    leaves { action graze; action rest; }
    tree cow {
        reactive-selector {
            reactive-sequence name=hungry { check \"hunger > 0\"; action graze; }
            action rest
        }
    }
";

/// What the cows are told in a tick.
struct Farm {
    hunger: i64,
}

/// A game on a thread of its own, until it is dropped.
struct Game {
    is_over: Arc<AtomicBool>,
    hunger: Arc<AtomicI64>,
    /// How many ticks it has made.
    ticks: Arc<AtomicI64>,
    /// How often it has asked for a tick and was not to make it.
    waits: Arc<AtomicI64>,
    thread: Option<JoinHandle<()>>,
}

impl Game {
    /// Plays cows, and shows them.
    fn start(studio: Studio, cows: usize) -> Self {
        Self::play(studio, cows, false)
    }

    /// The same; the pages may control it.
    fn play(studio: Studio, cows: usize, asks: bool) -> Self {
        let (is_over, hunger) = (Arc::<AtomicBool>::default(), Arc::<AtomicI64>::default());
        let ticks = Arc::<AtomicI64>::default();
        let waits = Arc::<AtomicI64>::default();
        let (made, waited) = (Arc::clone(&ticks), Arc::clone(&waits));
        let (ends, wanted) = (Arc::clone(&is_over), Arc::clone(&hunger));
        let thread = thread::spawn(move || {
            let mut leaves = Registry::<Farm>::new();
            leaves
                .action("graze", |farm, me| {
                    me.set("hunger", farm.hunger);
                    Status::Running
                })
                .action("rest", |farm, me| {
                    me.set("hunger", farm.hunger);
                    Status::Running
                });
            let cows = Minds::read(COWS.as_bytes(), "cows.kdl", &leaves, cows);
            let mut cows = cows.expect("cows");
            studio.watch(&mut cows, "cows");
            while !ends.load(Ordering::Relaxed) {
                if !asks || studio.wants_tick() {
                    let hunger = wanted.load(Ordering::Relaxed);
                    cows.tick(&mut Farm { hunger }, Duration::from_millis(20));
                    made.fetch_add(1, Ordering::Relaxed);
                } else {
                    waited.fetch_add(1, Ordering::Relaxed);
                }
                thread::sleep(Duration::from_millis(5));
            }
        });
        Self {
            is_over,
            hunger,
            ticks,
            waits,
            thread: Some(thread),
        }
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let thread = self.thread.take().expect("it runs");
        assert!(thread.join().is_ok(), "the game has panicked");
    }
}

const TICK: &str = "window.treemind.model.view.value.tick";

#[test]
#[ignore = "needs Chromium"]
fn a_running_game_is_watched_rewound_and_started_again() {
    let studio = Studio::open(0).expect("a port");
    let url = studio.url().to_owned();
    let port = url.trim_end_matches('/').rsplit_once(':').expect("a port");
    let port: u16 = port.1.parse().expect("a number");
    let game = Game::start(studio, 3);
    let mut page = Browser::open(&url);
    page.until(&format!("{TICK} > 20"));
    page.until("document.querySelector('.now h1').textContent === 'rest'");
    game.hunger.store(5, Ordering::Relaxed);
    page.until("document.querySelector('.now h1').textContent === 'graze'");
    page.until("document.querySelector('.now').textContent.includes('5 > 0')");
    // Back in time, while the game continues.
    page.press(" ");
    page.until("window.treemind.model.view.value.is_paused");
    page.until("document.querySelector('header .state').textContent.includes('continues')");
    page.press("Home");
    page.until(&format!("{TICK} === 0"));
    page.press(".");
    page.until("document.querySelector('.now h1').textContent === 'rest'");
    let last = page.value("window.treemind.model.view.value.last");
    page.until(&format!(
        "window.treemind.model.view.value.last > {last} + 10"
    ));
    page.press("End");
    page.until(&format!("{TICK} > {last} + 10"));
    page.until("document.querySelector('.now h1').textContent === 'graze'");
    // The game ends, and another one begins at the same address.
    drop(game);
    page.until("document.querySelector('[role=alert]')");
    let studio = loop {
        match Studio::open(port) {
            Ok(studio) => break studio,
            Err(_) => thread::yield_now(),
        }
    };
    let _again = Game::start(studio, 2);
    page.until("!document.querySelector('[role=alert]')");
    page.until("document.querySelector('.now h1').textContent === 'rest'");
    page.until("document.querySelectorAll('select[aria-label=Agent] option').length === 2");
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_stops_and_steps_a_game_that_asks_it() {
    let studio = Studio::open(0).expect("a port");
    let url = studio.url().to_owned();
    let game = Game::play(studio, 3, true);
    // Whoever waits has ended its ticks.
    let ticks = || {
        let waits = game.waits.load(Ordering::Relaxed);
        while game.waits.load(Ordering::Relaxed) < waits + 2 {
            thread::yield_now();
        }
        game.ticks.load(Ordering::Relaxed)
    };
    let mut page = Browser::open(&url);
    page.until("window.treemind.model.view.value.is_controlled");
    page.until(&format!("{TICK} > 5"));
    page.press(" ");
    page.until("window.treemind.model.view.value.is_paused");
    page.until("document.querySelector('header .state').textContent === 'Paused'");
    page.until(&format!("{TICK} === window.treemind.model.view.value.last"));
    let stopped = ticks();
    page.press("ArrowRight");
    page.until(&format!("{TICK} === {}", stopped + 1));
    assert_eq!(ticks(), stopped + 1, "a step is one tick of the game");
    // A breakpoint stops the game itself, in the tick in which the cows begin to graze.
    page.value("(() => { const line = [...document.querySelectorAll('nav [data-id]')].find(one => one.textContent.includes('graze')); line.querySelector('.dot').click(); })()");
    page.until("document.querySelector('[data-breakpoint]')");
    page.press(" ");
    page.until("!window.treemind.model.view.value.is_paused");
    game.hunger.store(5, Ordering::Relaxed);
    page.until("window.treemind.model.view.value.stopped !== null && window.treemind.model.view.value.is_paused");
    page.until("document.querySelector('.now h1').textContent === 'graze'");
    let tick = page.value(TICK);
    assert_eq!(tick, ticks(), "the game stands in this tick");
}
