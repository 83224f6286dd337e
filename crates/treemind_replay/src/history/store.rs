//! Where tapes are kept.

use super::error::ReplayError;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use treemind_core::Program;
use treemind_core::tape::{Playback, Stage};

/// A place on a tape: a segment, and how many of its ticks are over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of the segment, counted from the first of all.
    pub segment: u64,
    /// How many of its ticks are over.
    pub over: usize,
}

/// What follows on a place.
#[derive(Clone, Debug)]
pub enum Next {
    /// A tick, or several one after the other.
    Ticks(Arc<[u8]>),
    /// The next segment.
    Segment,
    /// Nothing so far.
    Nothing,
    /// What was there has been forgotten, or was lost.
    Gone,
}

/// The begin of a segment: a whole state, from which ticks can be played.
#[derive(Clone, Debug)]
pub struct Begin {
    /// Where it is.
    pub place: Place,
    /// The tick of its state.
    pub at: u64,
    /// The time after that tick, if it is known; otherwise it is what the agents' clocks say.
    pub now_ns: Option<u64>,
    /// Which documents the agents run: it grows with each reload.
    pub revision: u64,
    /// The programs that the populations run, by the numbers of the populations.
    pub programs: Vec<(u16, Arc<Program>)>,
    /// The state.
    pub state: Arc<[u8]>,
}

impl Begin {
    /// The agents at the beginning of the segment.
    pub(super) fn open(&self) -> Result<Playback, ReplayError> {
        let mut is_missing = false;
        let playback = Playback::open(&self.state, |place, _| {
            let mut programs = self.programs.iter();
            let found = programs.find(|(number, _)| usize::from(*number) == place);
            is_missing |= found.is_none();
            found.map(|(_, program)| Arc::clone(program))
        });
        match playback {
            Err(_) if is_missing => Err(ReplayError::NoDocument),
            playback => playback.map_err(|error| ReplayError::Tape(self.at, error)),
        }
    }

    /// Whether these agents run its programs.
    pub(super) fn is_of(&self, stage: &Stage) -> bool {
        let ids = stage.populations();
        ids.len() == self.programs.len()
            && ids.into_iter().all(|id| {
                let mut programs = self.programs.iter();
                let own = programs.find(|(number, _)| *number == id.number());
                let there = stage.population(id);
                own.zip(there)
                    .is_some_and(|((_, own), there)| Arc::ptr_eq(own, there.program()))
            })
    }
}

/// Where a tape is kept: in memory, in a file, or in a file that is still being written. It consists of segments: a whole
/// state, and the ticks after it. A reload of documents begins a segment with another revision, and the segments before it
/// stay as they were.
pub trait Store {
    /// The first tick that can be reached, and the last; `None` as long as there is none.
    fn ticks(&self) -> Option<(u64, u64)>;

    /// The last segment that begins at or before a tick; of a tick before all of them, the first.
    ///
    /// # Errors
    /// When it cannot be read any more.
    fn begin(&self, tick: u64) -> io::Result<Option<Begin>>;

    /// The segment with this number.
    ///
    /// # Errors
    /// When it cannot be read any more.
    fn segment(&self, number: u64) -> io::Result<Option<Begin>>;

    /// What follows on a place.
    ///
    /// # Errors
    /// When it cannot be read any more.
    fn next(&self, place: Place) -> io::Result<Next>;

    /// The names and texts of the documents of a revision.
    fn texts(&self, revision: u64) -> Vec<(String, String)>;

    /// Reads what another program has written since; returns whether there are more ticks now.
    ///
    /// # Errors
    /// When it cannot be read any more.
    fn look_again(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    /// Whether no other program writes it any more, as far as that is known.
    fn is_finished(&self) -> bool {
        true
    }
}

/// What holds a store gives it to whoever asks.
macro_rules! held {
    ($of:ident: $type:ty, $self:ident => $store:expr) => {
        impl<$of: Store + ?Sized> Store for $type {
            fn ticks(&$self) -> Option<(u64, u64)> {
                $store.ticks()
            }

            fn begin(&$self, tick: u64) -> io::Result<Option<Begin>> {
                $store.begin(tick)
            }

            fn segment(&$self, number: u64) -> io::Result<Option<Begin>> {
                $store.segment(number)
            }

            fn next(&$self, place: Place) -> io::Result<Next> {
                $store.next(place)
            }

            fn texts(&$self, revision: u64) -> Vec<(String, String)> {
                $store.texts(revision)
            }
        }
    };
}

held!(S: Arc<S>, self => (**self));
held!(S: Mutex<S>, self => locked(self));

/// Nobody panics in the middle of a change.
fn locked<S: ?Sized>(store: &Mutex<S>) -> MutexGuard<'_, S> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}
