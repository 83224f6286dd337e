//! Where tapes are kept.

use std::sync::Arc;
use treemind_core::Program;
use treemind_core::tape::Playback;

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
    /// Which documents the agents run: it grows with each reload.
    pub revision: u64,
    /// The programs that the populations run, by the numbers of the populations.
    pub programs: Vec<(u16, Arc<Program>)>,
    /// The state.
    pub state: Arc<[u8]>,
}

impl Begin {
    /// The agents at the beginning of the segment; `None` if it cannot be played.
    pub fn open(&self) -> Option<Playback> {
        let program = |place: usize, _: &str| {
            let mut programs = self.programs.iter();
            let found = programs.find(|(number, _)| usize::from(*number) == place);
            found.map(|(_, program)| Arc::clone(program))
        };
        Playback::open(&self.state, program).ok()
    }
}

/// Where a tape is kept: in memory, in a file, or in a file that is still being written. It consists of segments: a whole
/// state, and the ticks after it. A reload of documents begins a segment with another revision, and the segments before it
/// stay as they were.
pub trait Store {
    /// The first tick that can be reached, and the last; `None` as long as there is none.
    fn ticks(&self) -> Option<(u64, u64)>;

    /// The last segment that begins at or before a tick; of a tick before all of them, the first.
    fn begin(&self, tick: u64) -> Option<Begin>;

    /// The segment with this number.
    fn segment(&self, number: u64) -> Option<Begin>;

    /// What follows on a place.
    fn next(&self, place: Place) -> Next;

    /// The names and texts of the documents of a revision.
    fn texts(&self, revision: u64) -> Vec<(String, String)>;
}

impl<S: Store + ?Sized> Store for Arc<S> {
    fn ticks(&self) -> Option<(u64, u64)> {
        (**self).ticks()
    }

    fn begin(&self, tick: u64) -> Option<Begin> {
        (**self).begin(tick)
    }

    fn segment(&self, number: u64) -> Option<Begin> {
        (**self).segment(number)
    }

    fn next(&self, place: Place) -> Next {
        (**self).next(place)
    }

    fn texts(&self, revision: u64) -> Vec<(String, String)> {
        (**self).texts(revision)
    }
}
