//! What a game has done, as a tape in memory: whole states, and the ticks after each.

use std::collections::VecDeque;
use std::sync::Arc;
use treemind_core::tape::{Playback, Tape, Taped};
use treemind_core::{PopulationId, Program};

/// A whole state is recorded when the ticks since the last one take this many times its bytes, but not before the first
/// number of ticks, and at the latest after the second.
const STATE_TIMES: usize = 4;
const STATE_TICKS: std::ops::Range<usize> = 128..1_024;

/// The populations, with the programs that they run.
pub(crate) type Cast = Vec<(PopulationId, Arc<Program>)>;

/// A whole state, and the ticks after it up to the next one.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The tick of the state.
    pub(crate) at: u64,
    pub(crate) cast: Arc<Cast>,
    pub(crate) state: Arc<[u8]>,
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

/// The tape, as much of it as fits.
#[derive(Debug)]
pub(crate) struct Track {
    segments: VecDeque<Segment>,
    /// How many segments were forgotten.
    gone: u64,
    most_bytes: usize,
    /// The names and texts of the documents.
    pub(crate) texts: Vec<(String, String)>,
    /// Grows when the texts change.
    pub(crate) version: u64,
    /// How long a tick is, in seconds.
    pub(crate) secs: f64,
}

/// A place on the tape: a segment, and how many of its ticks are over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) segment: u64,
    pub(crate) over: usize,
}

/// What follows on a place.
pub(crate) enum Next {
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
pub(crate) struct Begin {
    pub(crate) place: Place,
    pub(crate) at: u64,
    pub(crate) cast: Arc<Cast>,
    pub(crate) state: Arc<[u8]>,
}

impl Track {
    pub(crate) fn new(most_bytes: usize) -> Self {
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
    pub(crate) fn ticks(&self) -> Option<(u64, u64)> {
        let (first, last) = (self.segments.front()?, self.segments.back()?);
        Some((first.at, last.at + last.ends.len() as u64))
    }

    fn get(&self, segment: u64) -> Option<&Segment> {
        let nth = segment.checked_sub(self.gone)?;
        self.segments.get(usize::try_from(nth).ok()?)
    }

    /// Where the last state at or before a tick is; of a tick before all of them, the first.
    pub(crate) fn begin(&self, tick: u64) -> Option<Begin> {
        let next = self.segments.partition_point(|segment| segment.at <= tick);
        let nth = next.saturating_sub(1);
        let segment = self.segments.get(nth)?;
        Some(self.begin_of(self.gone + nth as u64, segment))
    }

    /// The segment with this number.
    pub(crate) fn segment(&self, number: u64) -> Option<Begin> {
        Some(self.begin_of(number, self.get(number)?))
    }

    fn begin_of(&self, number: u64, segment: &Segment) -> Begin {
        Begin {
            place: Place {
                segment: number,
                over: 0,
            },
            at: segment.at,
            cast: Arc::clone(&segment.cast),
            state: Arc::clone(&segment.state),
        }
    }

    /// What follows on a place.
    pub(crate) fn next(&self, place: Place, bytes: &mut Vec<u8>) -> Next {
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
    pub(crate) fn is_state_due(&self) -> bool {
        self.segments.back().is_none_or(|last| {
            let is_much = last.bytes.len() / STATE_TIMES >= last.state.len()
                && last.ends.len() >= STATE_TICKS.start;
            is_much || last.ends.len() >= STATE_TICKS.end
        })
    }

    /// Records a whole state. If it does not follow on what is there, that is forgotten.
    pub(crate) fn push_state(&mut self, at: u64, cast: Arc<Cast>, state: Vec<u8>) {
        if self.ticks().is_some_and(|(_, last)| last != at) {
            self.gone += self.segments.len() as u64 + 1;
            self.segments.clear();
        }
        self.segments.push_back(Segment {
            at,
            cast,
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
    pub(crate) fn push_tick(&mut self, bytes: &[u8]) {
        if let Some(last) = self.segments.back_mut() {
            last.bytes.extend_from_slice(bytes);
            last.ends.push(last.bytes.len());
        }
    }
}

/// The game's end of a tape.
#[derive(Debug)]
pub(crate) struct Writing {
    tape: Tape,
    cast: Arc<Cast>,
    last_tick: u64,
    tick: Vec<u8>,
}

impl Writing {
    pub(crate) fn new() -> Self {
        Self {
            tape: Tape::new(),
            cast: Arc::default(),
            last_tick: 0,
            tick: Vec::new(),
        }
    }

    pub(crate) fn tape(&mut self) -> &mut Tape {
        &mut self.tape
    }

    /// Whether a whole state has to be recorded before the next tick: it is the first, the programs are others, or
    /// there were ticks that are not on the tape.
    pub(crate) fn is_cut<T: Taped>(&self, of: &T) -> bool {
        !self.tape.has_state() || of.ticks_so_far() != self.last_tick || !of.runs(&self.cast)
    }

    /// The whole state.
    pub(crate) fn state<T: Taped>(&mut self, of: &mut T) -> (u64, Arc<Cast>, Vec<u8>) {
        if !of.runs(&self.cast) {
            self.cast = Arc::new(of.programs());
        }
        self.last_tick = of.ticks_so_far();
        (self.last_tick, Arc::clone(&self.cast), self.tape.state(of))
    }

    /// Ends a tick; returns its bytes.
    pub(crate) fn end<T: Taped>(&mut self, of: &mut T) -> &[u8] {
        self.tick.clear();
        self.tape.end(of, &mut self.tick);
        self.last_tick = of.ticks_so_far();
        &self.tick
    }
}

/// The agents at the beginning of a segment; `None` if it cannot be played, which is a mistake of this library.
pub(crate) fn open(begin: &Begin) -> Option<Playback> {
    let program = |place: usize, _: &str| {
        let mut cast = begin.cast.iter();
        let found = cast.find(|(id, _)| usize::from(id.number()) == place);
        found.map(|(_, program)| Arc::clone(program))
    };
    Playback::open(&begin.state, program).ok()
}
