//! What a game has done, as a tape in memory: whole states, and the ticks after each.

use super::store::{Begin, Next, Place, Store};
use crate::observe::Programs;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use treemind_core::Program;

/// How many ticks are read at once.
const READ_TICKS: usize = 32;

/// A whole state, and the ticks after it up to the next one.
#[derive(Debug)]
struct Segment {
    /// The tick of the state.
    at: u64,
    revision: u64,
    programs: Arc<Programs>,
    state: Arc<[u8]>,
    /// Where in `bytes` each tick ends.
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

impl Segment {
    /// Some ticks, of which so many are before.
    fn ticks_from(&self, over: usize) -> Option<&[u8]> {
        let last = (over + READ_TICKS).min(self.ends.len());
        let start = over.checked_sub(1).map_or(0, |before| self.ends[before]);
        let end = *self.ends[over..last].last()?;
        Some(&self.bytes[start..end])
    }

    fn size(&self) -> usize {
        self.state.len() + self.bytes.len() + size_of_val(&*self.ends)
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
    /// The names and texts of the documents of each revision; empty for those of which no tick is left.
    texts: Vec<Vec<(String, String)>>,
    /// The texts have changed since the last whole state.
    has_new_texts: bool,
    /// How long a tick is, in seconds.
    pub secs: f64,
}

impl Track {
    /// A tape that takes this many bytes at most, but for the last two segments.
    pub fn new(most_bytes: usize) -> Self {
        Self {
            segments: VecDeque::new(),
            gone: 0,
            most_bytes,
            texts: vec![Vec::new()],
            has_new_texts: false,
            secs: 0.05,
        }
    }

    fn get(&self, segment: u64) -> Option<&Segment> {
        let nth = segment.checked_sub(self.gone)?;
        self.segments.get(usize::try_from(nth).ok()?)
    }

    fn begin_of(&self, number: u64, segment: &Segment) -> Begin {
        Begin {
            place: Place {
                segment: number,
                over: 0,
            },
            at: segment.at,
            now_ns: None,
            revision: segment.revision,
            programs: numbered(&segment.programs),
            state: Arc::clone(&segment.state),
        }
    }

    /// Takes at most this many bytes from now on.
    pub fn limit(&mut self, most_bytes: usize) {
        self.most_bytes = most_bytes;
    }

    /// From the next whole state on, the agents run these documents.
    pub fn reload(&mut self, texts: Vec<(String, String)>) {
        if self.texts.last() != Some(&texts) {
            self.texts.push(texts);
            self.has_new_texts = !self.segments.is_empty();
        }
    }

    /// The last revision of the documents of which there are ticks.
    pub fn revision(&self) -> u64 {
        self.segments.back().map_or(0, |last| last.revision)
    }

    /// Whether the whole state is due.
    pub fn is_state_due(&self) -> bool {
        let is_time = |last: &Segment| {
            super::is_state_due(last.state.len(), last.bytes.len(), last.ends.len() as u64)
        };
        self.has_new_texts || self.segments.back().is_none_or(is_time)
    }

    /// Records a whole state. If it does not follow on what is there, that is forgotten.
    pub fn push_state(&mut self, at: u64, programs: Arc<Programs>, state: Vec<u8>) {
        if self.ticks().is_some_and(|(_, last)| last != at) {
            self.gone += self.segments.len() as u64 + 1;
            self.segments.clear();
        }
        self.has_new_texts = false;
        self.segments.push_back(Segment {
            at,
            revision: self.texts.len() as u64 - 1,
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
        let oldest = self.segments.front().map_or(0, |first| first.revision);
        let forgotten = self.texts.iter_mut().take(oldest as usize);
        forgotten.for_each(Vec::clear);
    }

    /// Records a tick.
    pub fn push_tick(&mut self, bytes: &[u8]) {
        if let Some(last) = self.segments.back_mut() {
            last.bytes.extend_from_slice(bytes);
            last.ends.push(last.bytes.len());
        }
    }
}

impl Store for Track {
    fn ticks(&self) -> Option<(u64, u64)> {
        let (first, last) = (self.segments.front()?, self.segments.back()?);
        Some((first.at, last.at + last.ends.len() as u64))
    }

    fn begin(&self, tick: u64) -> io::Result<Option<Begin>> {
        let next = self.segments.partition_point(|segment| segment.at <= tick);
        self.segment(self.gone + next.saturating_sub(1) as u64)
    }

    fn segment(&self, number: u64) -> io::Result<Option<Begin>> {
        let segment = self.get(number);
        Ok(segment.map(|segment| self.begin_of(number, segment)))
    }

    fn next(&self, place: Place) -> io::Result<Next> {
        let Some(segment) = self.get(place.segment) else {
            return Ok(Next::Gone);
        };
        Ok(match segment.ticks_from(place.over) {
            Some(ticks) => Next::Ticks(ticks.into()),
            None if self.get(place.segment + 1).is_some() => Next::Segment,
            None => Next::Nothing,
        })
    }

    fn texts(&self, revision: u64) -> Vec<(String, String)> {
        let texts = self.texts.get(revision as usize);
        texts.cloned().unwrap_or_default()
    }
}

fn numbered(programs: &Programs) -> Vec<(u16, Arc<Program>)> {
    let programs = programs.iter();
    programs
        .map(|(id, program)| (id.number(), Arc::clone(program)))
        .collect()
}
