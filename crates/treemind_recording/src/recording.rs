//! Reading recordings, also damaged ones.

use crate::form::{
    DOCUMENT, KeptDocument, NOTE, OUR_PROFILES, PROFILE, Role, STATE, TICKS, bytes, number, take,
};
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
    state: Span,
    game: Span,
}

/// Ticks that follow one another.
#[derive(Clone, Debug)]
struct Ticks {
    first: u64,
    count: u64,
    span: Span,
}

/// A recording in memory. It is read as far as it is whole.
#[derive(Clone, Debug)]
pub struct Recording {
    file: Vec<u8>,
    documents: Vec<KeptDocument>,
    states: Vec<State>,
    ticks: Vec<Ticks>,
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
            documents,
            mut states,
            mut ticks,
            notes,
            chunks: _,
            losses,
        } = scan;
        if states.is_empty() {
            return Err(OpenError::Empty);
        }
        states.sort_by_key(|state| state.tick);
        ticks.sort_by_key(|ticks| ticks.first);
        let mut recording = Self {
            file,
            documents,
            states,
            ticks,
            notes,
            losses,
        };
        recording.note_gaps();
        Ok(recording)
    }

    /// Ticks between others that are not there.
    fn note_gaps(&mut self) {
        let stretches = self.stretches();
        for pair in stretches.windows(2) {
            let (first, last) = (pair[0].end() + 1, pair[1].start() - 1);
            self.losses.push(match first == last {
                true => format!("tick {first} is missing"),
                false => format!("the ticks {first} to {last} are missing"),
            });
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
        let stretches = self.stretches();
        match (stretches.first(), stretches.last()) {
            (Some(first), Some(last)) => *first.start()..=*last.end(),
            _ => self.states[0].tick + 1..=self.states[0].tick,
        }
    }

    /// The ticks that follow one another without a gap. There is more than one stretch only if something was lost.
    pub fn stretches(&self) -> Vec<RangeInclusive<u64>> {
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

/// The opcodes of the records that matter.
const HEADER: u8 = 0x01;
const FOOTER: u8 = 0x02;
const MESSAGE: u8 = 0x05;
const CHUNK: u8 = 0x06;
const STATISTICS: u8 = 0x0b;
/// The opcode and the length of a record.
const FRAME_BYTES: usize = 9;
const MESSAGE_HEADER_BYTES: usize = 22;
/// Where the statistics say how many chunks there are.
const CHUNK_COUNT: Span = 22..26;

/// What has been found in a file so far.
///
/// The records are read here, and not by `mcap`: it panics at some bytes, and does not say where damage begins.
#[derive(Default)]
struct Scan {
    documents: Vec<KeptDocument>,
    states: Vec<State>,
    ticks: Vec<Ticks>,
    notes: Vec<(u64, Span, Span)>,
    /// How many chunks there were, damaged ones too.
    chunks: u32,
    losses: Vec<String>,
}

/// A record: its opcode, and where its content is.
fn record(file: &[u8], at: usize, end: usize) -> Option<(u8, Span)> {
    let head = file.get(at..at.checked_add(FRAME_BYTES)?)?;
    let length = u64::from_le_bytes(head[1..].try_into().ok()?);
    let start = at + FRAME_BYTES;
    let stop = start.checked_add(usize::try_from(length).ok()?)?;
    (stop <= end).then_some((head[0], start..stop))
}

impl Scan {
    fn file(&mut self, file: &[u8]) -> Result<(), OpenError> {
        if !file.starts_with(mcap::MAGIC) {
            return Err(OpenError::Foreign);
        }
        let mut at = mcap::MAGIC.len();
        let mut is_first = true;
        loop {
            let Some((opcode, span)) = record(file, at, file.len()) else {
                let lost = file.len() - at;
                self.losses.push(match lost {
                    0 => "the recording was not finished".to_owned(),
                    _ => format!("the recording is cut off: its last {lost} bytes are not whole"),
                });
                return Ok(());
            };
            if is_first {
                check_header(opcode, &file[span.clone()])?;
            }
            is_first = false;
            match opcode {
                FOOTER if file[span.end..] == *mcap::MAGIC => return Ok(()),
                CHUNK => self.chunk(file, span.clone()),
                STATISTICS => self.compare_chunks(&file[span.clone()]),
                _ => {}
            }
            at = span.end;
        }
    }

    /// At the end there is the number of chunks. It tells of damage that hides some of them.
    fn compare_chunks(&mut self, statistics: &[u8]) {
        let is_right = statistics.get(CHUNK_COUNT) == Some(&self.chunks.to_le_bytes()[..]);
        if !is_right && self.losses.is_empty() {
            let text = "the recording is damaged, and some of it may be missing";
            self.losses.push(text.to_owned());
        }
    }

    /// Reads a chunk, if it is whole.
    fn chunk(&mut self, file: &[u8], span: Span) {
        self.chunks += 1;
        let content = chunk_content(&file[span.clone()]);
        let Some(records) = content.map(|inner| span.start + inner.start..span.start + inner.end)
        else {
            let (at, length) = (span.start, span.len());
            let text = format!("{length} bytes are damaged, from byte {at} on");
            self.losses.push(text);
            return;
        };
        let mut at = records.start;
        while let Some((opcode, span)) = record(file, at, records.end) {
            if opcode == MESSAGE && span.len() >= MESSAGE_HEADER_BYTES {
                self.message(file, span.clone());
            }
            at = span.end;
        }
    }

    fn message(&mut self, file: &[u8], span: Span) {
        let number = u16::from_le_bytes([file[span.start], file[span.start + 1]]);
        let content = span.start + MESSAGE_HEADER_BYTES..span.end;
        let read = match usize::from(number).wrapping_sub(1) {
            DOCUMENT => self.document(&file[content.clone()]),
            STATE => self.state(file, content.clone()),
            TICKS => self.some_ticks(file, content.clone()),
            NOTE => self.note(file, content.clone()),
            _ => Some(()),
        };
        if read.is_none() {
            let at = content.start;
            self.losses
                .push(format!("a message means nothing, at byte {at}"));
        }
    }

    fn document(&mut self, content: &[u8]) -> Option<()> {
        self.documents.push(serde_json::from_slice(content).ok()?);
        Some(())
    }

    fn state(&mut self, file: &[u8], span: Span) -> Option<()> {
        let mut rest = &file[span.clone()];
        let roles = serde_json::from_slice(bytes(&mut rest)?).ok()?;
        let place = |rest: &[u8]| span.end - rest.len();
        let state = bytes(&mut rest)?;
        let tick = treemind_core::tape::Playback::ticks_of(state).ok()?;
        let end = place(rest);
        let state = end - state.len()..end;
        let game = bytes(&mut rest)?;
        let end = place(rest);
        // So that counting on from it never overflows.
        (tick < u64::MAX / 2).then(|| {
            self.states.push(State {
                tick,
                roles,
                state,
                game: end - game.len()..end,
            });
        })
    }

    fn some_ticks(&mut self, file: &[u8], span: Span) -> Option<()> {
        let mut rest = &file[span.clone()];
        let (first, count) = (number(&mut rest)?, number(&mut rest)?);
        let is_possible = first < u64::MAX / 2 && (1..=rest.len() as u64).contains(&count);
        is_possible.then(|| {
            self.ticks.push(Ticks {
                first,
                count,
                span: span.end - rest.len()..span.end,
            });
        })
    }

    fn note(&mut self, file: &[u8], span: Span) -> Option<()> {
        let mut rest = &file[span.clone()];
        let tick = number(&mut rest)?;
        let name = bytes(&mut rest)?;
        let start = span.end - rest.len();
        self.notes
            .push((tick, start - name.len()..start, start..span.end));
        Some(())
    }
}

/// Takes a text as MCAP writes them.
fn text<'b>(from: &mut &'b [u8]) -> Option<&'b str> {
    let length = u32::from_le_bytes(take(from, 4)?.try_into().ok()?);
    std::str::from_utf8(take(from, length as usize)?).ok()
}

/// Checks that the first record is the header of a recording of this version.
fn check_header(opcode: u8, mut header: &[u8]) -> Result<(), OpenError> {
    match text(&mut header) {
        Some(PROFILE) if opcode == HEADER => Ok(()),
        Some(profile) if profile.starts_with(OUR_PROFILES) => Err(OpenError::Version),
        _ => Err(OpenError::Foreign),
    }
}

/// The records of a chunk, if they are whole.
fn chunk_content(chunk: &[u8]) -> Option<Span> {
    let mut from = chunk;
    // Its first and last time, and how many bytes it has.
    take(&mut from, 24)?;
    let wanted = u32::from_le_bytes(take(&mut from, 4)?.try_into().ok()?);
    let compression = text(&mut from)?;
    let length = u64::from_le_bytes(take(&mut from, 8)?.try_into().ok()?);
    let length = usize::try_from(length).ok()?;
    let start = chunk.len() - from.len();
    let records = take(&mut from, length)?;
    let is_whole = compression.is_empty() && crc32fast::hash(records) == wanted;
    is_whole.then_some(start..start + length)
}
