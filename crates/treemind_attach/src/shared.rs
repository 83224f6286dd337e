//! What the game and the pages share.

use crate::track::Track;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use treemind_core::{KeyId, PopulationId, Value};

/// A game, or a part of it, that is watched.
#[derive(Debug)]
pub(crate) struct Watched {
    pub(crate) name: String,
    track: Mutex<Track>,
    edits: Mutex<Vec<Edit>>,
    has_edits: AtomicBool,
}

/// A key that a page writes.
#[derive(Debug)]
pub(crate) struct Edit {
    pub(crate) population: PopulationId,
    /// Where the program is that the key was found in.
    pub(crate) program: usize,
    pub(crate) agent: usize,
    pub(crate) key: KeyId,
    pub(crate) value: Value,
}

impl Watched {
    pub(crate) fn new(name: &str, most_bytes: usize) -> Self {
        Self {
            name: name.to_owned(),
            track: Mutex::new(Track::new(most_bytes)),
            edits: Mutex::default(),
            has_edits: AtomicBool::new(false),
        }
    }

    /// Has a key written before the next tick.
    pub(crate) fn write(&self, edit: Edit) {
        let mut edits = self.edits.lock().unwrap_or_else(PoisonError::into_inner);
        edits.push(edit);
        self.has_edits.store(true, Ordering::Release);
    }

    /// What is to be written now.
    pub(crate) fn take_edits(&self) -> Vec<Edit> {
        if !self.has_edits.swap(false, Ordering::Acquire) {
            return Vec::new();
        }
        let mut edits = self.edits.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *edits)
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
