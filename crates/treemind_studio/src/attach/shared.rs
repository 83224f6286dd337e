//! What the game and the pages share.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use treemind_core::PopulationId;
use treemind_replay::follow::{Hold, Input};
use treemind_replay::history::{Begin, Next, Place, Store, Track};

/// A game, or a part of it, that is watched.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) name: String,
    track: Mutex<Track>,
    given: Mutex<Vec<Given>>,
    has_given: AtomicBool,
    /// The keys that pages hold, and whether there are any.
    held: Mutex<Vec<HeldKey>>,
    is_holding: AtomicBool,
}

/// What a page does to an agent.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) population: PopulationId,
    /// Where the program is for which it was read.
    pub(super) program: usize,
    pub(super) agent: usize,
    pub(super) input: Input,
}

/// A key that pages hold.
#[derive(Debug)]
pub(super) struct HeldKey {
    pub(super) population: PopulationId,
    pub(super) agent: usize,
    pub(super) hold: Hold,
}

impl Watched {
    pub(super) fn new(name: &str, most_bytes: usize) -> Self {
        Self {
            name: name.to_owned(),
            track: Mutex::new(Track::new(most_bytes)),
            given: Mutex::default(),
            has_given: AtomicBool::new(false),
            held: Mutex::default(),
            is_holding: AtomicBool::new(false),
        }
    }

    /// Has something done before the next tick.
    pub(super) fn give(&self, given: Given) {
        let mut all = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(given);
        self.has_given.store(true, Ordering::Release);
    }

    /// What is to be done now.
    pub(super) fn take_given(&self) -> Vec<Given> {
        if !self.has_given.swap(false, Ordering::Acquire) {
            return Vec::new();
        }
        let mut all = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *all)
    }

    /// Has a key of an agent written before each tick, or no longer.
    pub(super) fn hold(&self, place: (PopulationId, usize), key: &str, hold: Option<Hold>) {
        let mut held = self.held();
        held.retain(|one| (one.population, one.agent) != place || one.hold.key() != key);
        held.extend(hold.map(|hold| HeldKey {
            population: place.0,
            agent: place.1,
            hold,
        }));
        self.is_holding.store(!held.is_empty(), Ordering::Release);
    }

    /// The keys that are held.
    pub(super) fn held(&self) -> MutexGuard<'_, Vec<HeldKey>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same for the game, which asks before each tick.
    pub(super) fn held_now(&self) -> Option<MutexGuard<'_, Vec<HeldKey>>> {
        let is_holding = self.is_holding.load(Ordering::Acquire);
        is_holding.then(|| self.held())
    }

    /// Nobody who holds it panics in the middle of a change, and nobody holds it for long: the game never waits for more
    /// than the copy of a tick.
    pub(super) fn track(&self) -> MutexGuard<'_, Track> {
        self.track.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Watched {
    fn ticks(&self) -> Option<(u64, u64)> {
        self.track.ticks()
    }

    fn begin(&self, tick: u64) -> io::Result<Option<Begin>> {
        self.track.begin(tick)
    }

    fn segment(&self, number: u64) -> io::Result<Option<Begin>> {
        self.track.segment(number)
    }

    fn next(&self, place: Place) -> io::Result<Next> {
        self.track.next(place)
    }

    fn texts(&self, revision: u64) -> Vec<(String, String)> {
        self.track.texts(revision)
    }
}

/// Stands for any number of ticks.
const ANY: u64 = u64::MAX;

/// What the pages want of a game that asks.
#[derive(Debug)]
pub(super) struct Reins {
    /// Whether the game has ever asked.
    asks: AtomicBool,
    /// How many ticks it may make.
    ticks: AtomicU64,
    /// Whether it has asked for a tick, may not make it, and has made all ticks before.
    waits: AtomicBool,
    /// The speed, as the bits of a number.
    speed: AtomicU64,
}

impl Default for Reins {
    fn default() -> Self {
        Self {
            asks: AtomicBool::new(false),
            ticks: AtomicU64::new(ANY),
            waits: AtomicBool::new(false),
            speed: AtomicU64::new(1.0_f64.to_bits()),
        }
    }
}

impl Reins {
    /// The game asks whether it makes a tick now.
    pub(super) fn take_tick(&self) -> bool {
        self.asks.store(true, Ordering::Relaxed);
        let taken =
            self.ticks
                .fetch_update(Ordering::AcqRel, Ordering::Acquire, |ticks| match ticks {
                    ANY => Some(ANY),
                    _ => ticks.checked_sub(1),
                });
        if taken.is_err() {
            self.waits.store(true, Ordering::Release);
        }
        taken.is_ok()
    }

    /// Whether the game lets itself be controlled.
    pub(super) fn are_held(&self) -> bool {
        self.asks.load(Ordering::Relaxed)
    }

    /// From now on, the game makes any number of ticks, or none.
    pub(super) fn let_go(&self, is_free: bool) {
        let ticks = if is_free { ANY } else { 0 };
        self.ticks.store(ticks, Ordering::Release);
    }

    /// The game makes one more tick.
    pub(super) fn give_tick(&self) {
        let more = |ticks: u64| Some(ticks.saturating_add(1));
        // It cannot fail, as there is always another number.
        let _ = self
            .ticks
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
    }

    /// Whether the game has waited for a tick since this was asked last.
    pub(super) fn has_waited(&self) -> bool {
        self.waits.swap(false, Ordering::Acquire)
    }

    pub(super) fn speed(&self) -> f64 {
        f64::from_bits(self.speed.load(Ordering::Relaxed))
    }

    pub(super) fn set_speed(&self, speed: f64) {
        self.speed.store(speed.to_bits(), Ordering::Relaxed);
    }
}

/// What the game and the pages share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    watched: Mutex<Vec<Arc<Watched>>>,
    pub(super) is_over: AtomicBool,
    pub(super) reins: Reins,
}

impl Shared {
    /// All that is watched, in the order of joining.
    pub(super) fn watched(&self) -> MutexGuard<'_, Vec<Arc<Watched>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches something; it takes the place of what had its name.
    pub(super) fn add(&self, one: Arc<Watched>) {
        let mut all = self.watched();
        match all.iter_mut().find(|known| known.name == one.name) {
            Some(known) => *known = one,
            None => all.push(one),
        }
    }
}
