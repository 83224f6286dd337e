//! What a game has done, as a tape in memory: whole states, and the ticks after each.

use crate::observe::Programs;
use std::collections::VecDeque;
use std::sync::Arc;
use treemind_core::tape::Playback;

/// A whole state, and the ticks after it up to the next one.
#[derive(Debug)]
struct Segment {
    /// The tick of the state.
    at: u64,
    programs: Arc<Programs>,
    state: Arc<[u8]>,
    /// Where in `bytes` each tick ends.
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

impl Segment {
    /// The nth tick after the state, from 0.
    fn tick(&self, nth: usize) -> Option<&[u8]> {
        let end = *self.ends.get(nth)?;
        let start = nth.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }

    fn size(&self) -> usize {
        self.state.len() + self.bytes.len()
    }
}

/// What a game did, as a tape in memory: whole states, and the ticks after each. When it takes too many bytes, the oldest
/// are forgotten, all between two whole states at a time.
#[derive(Debug)]
pub struct Track {
    segments: VecDeque<Segment>,
    /// How many segments were forgotten.
    gone: u64,
    most_bytes: usize,
    /// The names and texts of the documents.
    pub texts: Vec<(String, String)>,
    /// Grows when the texts change.
    pub version: u64,
    /// How long a tick is, in seconds.
    pub secs: f64,
}

/// A place on the tape: a segment, and how many of its ticks are over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the segment, counted from the first of all.
    pub segment: u64,
    /// How many of its ticks are over.
    pub over: usize,
}

/// What follows on a place.
#[derive(Debug)]
pub enum Next {
    /// A tick, copied into the bytes.
    Tick,
    /// The next segment.
    Segment,
    /// Nothing so far.
    Nothing,
    /// What was there has been forgotten.
    Gone,
}

/// The begin of a segment.
#[derive(Debug)]
pub struct Begin {
    /// Where it is.
    pub place: Place,
    /// The tick of its state.
    pub at: u64,
    /// The programs that the populations run.
    pub programs: Arc<Programs>,
    /// The state.
    pub state: Arc<[u8]>,
}

impl Track {
    /// A tape that takes this many bytes at most, but for the last two segments.
    pub fn new(most_bytes: usize) -> Self {
        Self {
            segments: VecDeque::new(),
            gone: 0,
            most_bytes,
            texts: Vec::new(),
            version: 0,
            secs: 0.05,
        }
    }

    /// The first tick that can be reached, and the last.
    pub fn ticks(&self) -> Option<(u64, u64)> {
        let (first, last) = (self.segments.front()?, self.segments.back()?);
        Some((first.at, last.at + last.ends.len() as u64))
    }

    fn get(&self, segment: u64) -> Option<&Segment> {
        let nth = segment.checked_sub(self.gone)?;
        self.segments.get(usize::try_from(nth).ok()?)
    }

    /// Where the last state at or before a tick is; of a tick before all of them, the first.
    pub fn begin(&self, tick: u64) -> Option<Begin> {
        let next = self.segments.partition_point(|segment| segment.at <= tick);
        let nth = next.saturating_sub(1);
        let segment = self.segments.get(nth)?;
        Some(self.begin_of(self.gone + nth as u64, segment))
    }

    /// The segment with this number.
    pub fn segment(&self, number: u64) -> Option<Begin> {
        Some(self.begin_of(number, self.get(number)?))
    }

    fn begin_of(&self, number: u64, segment: &Segment) -> Begin {
        Begin {
            place: Place {
                segment: number,
                over: 0,
            },
            at: segment.at,
            programs: Arc::clone(&segment.programs),
            state: Arc::clone(&segment.state),
        }
    }

    /// What follows on a place.
    pub fn next(&self, place: Place, bytes: &mut Vec<u8>) -> Next {
        let Some(segment) = self.get(place.segment) else {
            return Next::Gone;
        };
        match segment.tick(place.over) {
            Some(tick) => {
                bytes.clear();
                bytes.extend_from_slice(tick);
                Next::Tick
            }
            None if self.get(place.segment + 1).is_some() => Next::Segment,
            None => Next::Nothing,
        }
    }

    /// Whether the whole state is due.
    pub fn is_state_due(&self) -> bool {
        self.segments.back().is_none_or(|last| {
            super::is_state_due(last.state.len(), last.bytes.len(), last.ends.len() as u64)
        })
    }

    /// Records a whole state. If it does not follow on what is there, that is forgotten.
    pub fn push_state(&mut self, at: u64, programs: Arc<Programs>, state: Vec<u8>) {
        if self.ticks().is_some_and(|(_, last)| last != at) {
            self.gone += self.segments.len() as u64 + 1;
            self.segments.clear();
        }
        self.segments.push_back(Segment {
            at,
            programs,
            state: state.into(),
            ends: Vec::new(),
            bytes: Vec::new(),
        });
        let mut size: usize = self.segments.iter().map(Segment::size).sum();
        while size > self.most_bytes && self.segments.len() > 2 {
            size -= self.segments.pop_front().map_or(0, |first| first.size());
            self.gone += 1;
        }
    }

    /// Records a tick.
    pub fn push_tick(&mut self, bytes: &[u8]) {
        if let Some(last) = self.segments.back_mut() {
            last.bytes.extend_from_slice(bytes);
            last.ends.push(last.bytes.len());
        }
    }
}

/// The agents at the beginning of a segment; `None` if it cannot be played, which is a mistake of this library.
pub fn open(begin: &Begin) -> Option<Playback> {
    let program = |place: usize, _: &str| {
        let mut programs = begin.programs.iter();
        let found = programs.find(|(id, _)| usize::from(id.number()) == place);
        found.map(|(_, program)| Arc::clone(program))
    };
    Playback::open(&begin.state, program).ok()
}
