//! Reading recordings, also damaged ones.

use crate::form::{KeptDocument, Role};
use crate::scan::Scan;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::path::Path;
use treemind_doc::Document;

/// Why a file is no recording at all.
#[derive(Debug)]
pub enum OpenError {
    /// It cannot be read.
    Io(io::Error),
    /// It is no MCAP file, or not one of Treemind.
    Foreign,
    /// It is one of another version of Treemind.
    Version,
    /// There is no state in it to begin with: it was cut off right after its begin.
    Empty,
}

impl fmt::Display for OpenError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            OpenError::Io(error) => return error.fmt(out),
            OpenError::Foreign => "this is not a recording of Treemind",
            OpenError::Version => "the recording is one of another version of Treemind",
            OpenError::Empty => "there is nothing whole in the recording",
        })
    }
}

impl std::error::Error for OpenError {}

/// Something of the game's own in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note<'r> {
    /// The last tick before it.
    pub tick: u64,
    /// Its name.
    pub name: &'r str,
    /// What it says.
    pub bytes: &'r [u8],
}

/// Bytes of the file.
pub(crate) type Span = std::ops::Range<usize>;

/// The whole state after a tick.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) tick: u64,
    pub(crate) roles: Vec<Role>,
    pub(crate) state: Span,
    pub(crate) game: Span,
}

/// Ticks that follow one another.
#[derive(Clone, Debug)]
pub(crate) struct Ticks {
    pub(crate) first: u64,
    pub(crate) count: u64,
    pub(crate) span: Span,
}

/// A recording in memory. It is read as far as it is whole.
#[derive(Clone, Debug)]
pub struct Recording {
    file: Vec<u8>,
    documents: Vec<KeptDocument>,
    states: Vec<State>,
    ticks: Vec<Ticks>,
    /// The ticks that can be played.
    stretches: Vec<RangeInclusive<u64>>,
    notes: Vec<(u64, Span, Span)>,
    losses: Vec<String>,
}

impl Recording {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is no recording, or nothing in it is whole.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::read(std::fs::read(path).map_err(OpenError::Io)?)
    }

    /// Reads the bytes of a file. Whatever they are, this does not panic, and uses no more memory than a small multiple
    /// of their size.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read(file: Vec<u8>) -> Result<Self, OpenError> {
        let mut scan = Scan::default();
        scan.file(&file)?;
        let Scan {
            mut documents,
            mut states,
            mut ticks,
            notes,
            losses,
            has_header,
            ..
        } = scan;
        if states.is_empty() {
            return Err(match has_header {
                true => OpenError::Empty,
                false => OpenError::Foreign,
            });
        }
        documents.sort_by_key(|document| document.number);
        states.sort_by_key(|state| state.tick);
        ticks.sort_by_key(|ticks| ticks.first);
        let mut recording = Self {
            file,
            documents,
            states,
            ticks,
            stretches: Vec::new(),
            notes,
            losses,
        };
        recording.stretches = recording.find_stretches();
        recording.note_gaps();
        Ok(recording)
    }

    /// Ticks between others that are not there.
    fn note_gaps(&mut self) {
        let stretches = &self.stretches;
        for pair in stretches.windows(2) {
            let (first, last) = (pair[0].end() + 1, pair[1].start() - 1);
            self.losses.push(missing(first, last));
        }
        // Without a state behind the gap, ticks that are there cannot be played.
        let played = stretches
            .last()
            .map_or(self.states[0].tick, |last| *last.end());
        let last = self
            .ticks
            .iter()
            .map(|ticks| ticks.first + (ticks.count - 1));
        if let Some(last) = last.max().filter(|last| *last > played) {
            self.losses.push(missing(played + 1, last));
        }
        if self.losses.is_empty()
            && let Some(first) = stretches.first()
            && *first.start() != self.states[0].tick + 1
        {
            self.losses.push("the begin is missing".to_owned());
        }
    }

    /// The numbers of the ticks that are recorded, from the first to the last. An empty range begins behind its end.
    pub fn ticks(&self) -> RangeInclusive<u64> {
        match (self.stretches.first(), self.stretches.last()) {
            (Some(first), Some(last)) => *first.start()..=*last.end(),
            _ => self.states[0].tick + 1..=self.states[0].tick,
        }
    }

    /// The ticks that follow one another without a gap. There is more than one stretch only if something was lost.
    pub fn stretches(&self) -> &[RangeInclusive<u64>] {
        &self.stretches
    }

    fn find_stretches(&self) -> Vec<RangeInclusive<u64>> {
        let mut all: Vec<RangeInclusive<u64>> = Vec::new();
        for ticks in &self.ticks {
            let end = ticks.first + (ticks.count - 1);
            match all.last_mut() {
                Some(last) if last.end() + 1 == ticks.first => *last = *last.start()..=end,
                Some(last) if *last.end() >= ticks.first => {}
                // What has no state before it cannot be played.
                _ if ticks.first > 0 && self.state_at(ticks.first - 1).is_some() => {
                    all.push(ticks.first..=end);
                }
                _ => {}
            }
        }
        all
    }

    /// What was lost, because the file is cut off or damaged, in a sentence each. It is empty for a whole file.
    pub fn losses(&self) -> &[String] {
        &self.losses
    }

    /// The documents, in the order in which they came into use. A document with errors is left out.
    pub fn documents(&self) -> impl Iterator<Item = Document> + '_ {
        self.documents.iter().filter_map(KeptDocument::read)
    }

    /// What the game has noted of its own, in order.
    pub fn notes(&self) -> impl Iterator<Item = Note<'_>> {
        let note = |(tick, name, bytes): &(u64, Span, Span)| {
            Some(Note {
                tick: *tick,
                name: std::str::from_utf8(&self.file[name.clone()]).ok()?,
                bytes: &self.file[bytes.clone()],
            })
        };
        self.notes.iter().filter_map(note)
    }

    /// After which tick the agents began to run what they run in the tick after this one.
    pub fn cast_since(&self, tick: u64) -> u64 {
        let known = self.states.partition_point(|state| state.tick <= tick);
        let known = &self.states[..known.max(1)];
        let now = &known[known.len() - 1].roles;
        let same = known.iter().rev().take_while(|state| state.roles == *now);
        same.last().map_or(0, |state| state.tick)
    }

    /// The game's own state after a tick, if it was saved there.
    pub fn game_state(&self, tick: u64) -> Option<&[u8]> {
        let (state, _) = self.state_at(tick)?;
        Some(&self.file[state.game.clone()]).filter(|game| !game.is_empty())
    }

    pub(crate) fn kept_document(&self, number: u32) -> Option<&KeptDocument> {
        self.documents.iter().find(|known| known.number == number)
    }

    /// The last state at or before a tick.
    pub(crate) fn state_before(&self, tick: u64) -> Option<(&State, &[u8])> {
        let next = self.states.partition_point(|state| state.tick <= tick);
        let state = self.states.get(next.checked_sub(1)?)?;
        Some((state, &self.file[state.state.clone()]))
    }

    /// The state after exactly this tick.
    pub(crate) fn state_at(&self, tick: u64) -> Option<(&State, &[u8])> {
        self.state_before(tick)
            .filter(|(state, _)| state.tick == tick)
    }

    /// The ticks that were written together from this one on, if one of them is this tick: how many are before it, and
    /// where the bytes of all are.
    pub(crate) fn ticks_with(&self, tick: u64) -> Option<(u64, Span)> {
        let next = self.ticks.partition_point(|ticks| ticks.first <= tick);
        let ticks = self.ticks.get(next.checked_sub(1)?)?;
        let before = tick - ticks.first;
        (before < ticks.count).then(|| (before, ticks.span.clone()))
    }

    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        &self.file[span]
    }
}

fn missing(first: u64, last: u64) -> String {
    match first == last {
        true => format!("tick {first} is missing"),
        false => format!("the ticks {first} to {last} are missing"),
    }
}
