//! What the game and the pages share.

use crate::track::Track;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A game, or a part of it, that is watched.
#[derive(Debug)]
pub(crate) struct Watched {
    pub(crate) name: String,
    track: Mutex<Track>,
}

impl Watched {
    pub(crate) fn new(name: &str, most_bytes: usize) -> Self {
        Self {
            name: name.to_owned(),
            track: Mutex::new(Track::new(most_bytes)),
        }
    }

    /// Nobody who holds it panics in the middle of a change, and nobody holds it for long: the game never waits for more
    /// than the copy of a tick.
    pub(crate) fn track(&self) -> MutexGuard<'_, Track> {
        self.track.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the game and the pages share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    watched: Mutex<Vec<Arc<Watched>>>,
    pub(crate) is_over: AtomicBool,
}

impl Shared {
    /// All that is watched, in the order of joining.
    pub(crate) fn watched(&self) -> MutexGuard<'_, Vec<Arc<Watched>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches something; it takes the place of what had its name.
    pub(crate) fn add(&self, one: Arc<Watched>) {
        let mut all = self.watched();
        match all.iter_mut().find(|known| known.name == one.name) {
            Some(known) => *known = one,
            None => all.push(one),
        }
    }
}
