//! The messages of a file, by the recording that they belong to.

use crate::form::{DOCUMENT, END, End, KeptDocument, NOTE, Of, Role, STATE, TICKS, topic_of};
use crate::source::{Cursor, Span, Window};
use std::collections::BTreeMap;
use std::io;
use std::ops::RangeInclusive;

/// So many bytes at the beginning of a state tell its tick.
const STATE_HEAD_BYTES: u64 = 16;
/// So that counting on from a tick never overflows.
const MOST_TICKS: u64 = u64::MAX / 2;

/// The whole state after a tick.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) tick: u64,
    /// The number of its message: there may be two after one tick.
    sequence: u32,
    /// The time after the tick; `None` in recordings of form 2.
    pub(crate) now_ns: Option<u64>,
    /// The last tick before the recording; `None` in form 2.
    pub(crate) begin: Option<u64>,
    /// How often the agents had got other programs until then; 0 in form 2.
    cast: u64,
    pub(crate) roles: Vec<Role>,
    pub(crate) state: Span,
    pub(crate) game: Span,
}

/// Ticks that follow one another.
#[derive(Clone, Debug)]
pub(crate) struct Ticks {
    pub(crate) first: u64,
    pub(crate) count: u64,
    /// The time after the last of them.
    pub(crate) end_ns: Option<u64>,
    /// As of a state.
    cast: u64,
    pub(crate) span: Span,
}

impl Ticks {
    pub(crate) fn last(&self) -> u64 {
        self.first + (self.count - 1)
    }
}

/// Where a note is.
#[derive(Clone, Debug)]
pub(crate) struct NotePlace {
    pub(crate) tick: u64,
    pub(crate) name: String,
    pub(crate) bytes: Span,
}

/// What a file has of one recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// Whether its messages say which recording they belong to.
    pub(crate) has_id: bool,
    pub(crate) documents: Vec<KeptDocument>,
    pub(crate) states: Vec<State>,
    /// Whether states need documents that are not there.
    pub(crate) misses_documents: bool,
    pub(crate) ticks: Vec<Ticks>,
    /// By their numbers in the recording: the end of the file has them once more.
    notes_by_number: BTreeMap<u64, NotePlace>,
    pub(crate) notes: Vec<NotePlace>,
    pub(crate) end: Option<End>,
    /// The ticks that can be played.
    pub(crate) stretches: Vec<RangeInclusive<u64>>,
    /// Where the chunks are that have something of it.
    pub(crate) chunks: Vec<u64>,
    /// Where messages are that mean nothing.
    pub(crate) broken: Vec<u64>,
    pub(crate) losses: Vec<String>,
    /// How many ticks are missing.
    pub(crate) missing: u64,
}

/// All recordings of a file, in the order in which they begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs {
    pub(crate) runs: Vec<Run>,
    by_id: BTreeMap<Option<u64>, usize>,
    chunk: u64,
    /// The recording of the last message.
    last: Option<usize>,
}

impl Runs {
    pub(crate) fn begin_chunk(&mut self, at: u64) {
        (self.chunk, self.last) = (at, None);
    }

    /// The recording with an identity; all of form 2 are one.
    fn of(&mut self, id: Option<u64>) -> &mut Run {
        let nth = *self.by_id.entry(id).or_insert_with(|| {
            self.runs.push(Run {
                has_id: id.is_some(),
                ..Run::default()
            });
            self.runs.len() - 1
        });
        self.last = Some(nth);
        let run = &mut self.runs[nth];
        if run.chunks.last() != Some(&self.chunk) {
            run.chunks.push(self.chunk);
        }
        run
    }

    /// Takes a message with its channel, number and time.
    pub(crate) fn message(
        &mut self,
        window: &mut Window<'_>,
        (channel, sequence, time): (u16, u32, u64),
        content: Span,
    ) -> io::Result<()> {
        let Some((topic, has_id)) = topic_of(channel) else {
            return Ok(());
        };
        let at = content.start;
        let read = match topic {
            DOCUMENT => self.document(window, content, has_id)?,
            END => self.end(window, content)?,
            _ => {
                let mut cursor = Cursor {
                    window,
                    span: content,
                };
                let id = match has_id {
                    true => read_id(&mut cursor)?,
                    false => Some(0),
                };
                match id {
                    None => None,
                    Some(id) => {
                        let run = self.of(has_id.then_some(id));
                        match topic {
                            STATE => run.state(&mut cursor, (sequence, time))?,
                            TICKS => run.some_ticks(&mut cursor, time)?,
                            NOTE => run.note(&mut cursor, sequence)?,
                            _ => Some(()),
                        }
                    }
                }
            }
        };
        if read.is_none() {
            match self.last {
                Some(nth) => self.runs[nth].broken.push(at),
                None => self.of(None).broken.push(at),
            }
        }
        Ok(())
    }

    fn document(
        &mut self,
        window: &Window<'_>,
        content: Span,
        has_id: bool,
    ) -> io::Result<Option<()>> {
        let text = window.source.bytes(&content)?;
        let Ok(read) = serde_json::from_slice::<Of<KeptDocument>>(&text) else {
            return Ok(None);
        };
        let run = self.of(has_id.then_some(read.recording));
        // The end of the file has the documents once more.
        let known = run.documents.iter();
        if known
            .clone()
            .all(|known| known.number != read.message.number)
        {
            run.documents.push(read.message);
        }
        Ok(Some(()))
    }

    fn end(&mut self, window: &Window<'_>, content: Span) -> io::Result<Option<()>> {
        let text = window.source.bytes(&content)?;
        let Ok(read) = serde_json::from_slice::<Of<End>>(&text) else {
            return Ok(None);
        };
        let is_possible = read.message.last < MOST_TICKS && read.message.begin < MOST_TICKS;
        Ok(is_possible.then(|| {
            self.of(Some(read.recording)).end = Some(read.message);
        }))
    }
}

fn read_id(cursor: &mut Cursor<'_, '_>) -> io::Result<Option<u64>> {
    let Some(span) = cursor.take(8) else {
        return Ok(None);
    };
    let bytes = cursor.window.get(span)?;
    let bytes: Option<[u8; 8]> = bytes.and_then(|bytes| bytes.try_into().ok());
    Ok(bytes.map(u64::from_le_bytes))
}

/// Continues with what was read, or returns that it was not.
macro_rules! whole {
    ($read:expr) => {
        match $read {
            Some(read) => read,
            None => return Ok(None),
        }
    };
}

impl Run {
    fn state(
        &mut self,
        from: &mut Cursor<'_, '_>,
        (sequence, time): (u32, u64),
    ) -> io::Result<Option<()>> {
        let (begin, cast) = match self.has_id {
            true => (Some(whole!(from.number()?)), whole!(from.number()?)),
            false => (None, 0),
        };
        let roles = whole!(from.bytes()?);
        let roles = from.window.source.bytes(&roles)?;
        let roles = whole!(serde_json::from_slice(&roles).ok());
        let state = whole!(from.bytes()?);
        let head = state.start..state.end.min(state.start + STATE_HEAD_BYTES);
        let head = from.window.get(head)?;
        let tick = head.and_then(|head| treemind_core::tape::Playback::ticks_of(head).ok());
        let tick = whole!(tick);
        let game = whole!(from.bytes()?);
        let is_possible = tick < MOST_TICKS && begin.is_none_or(|begin| begin <= tick);
        Ok(is_possible.then(|| {
            self.states.push(State {
                tick,
                sequence,
                now_ns: self.has_id.then_some(time),
                begin,
                cast,
                roles,
                state,
                game,
            });
        }))
    }

    fn some_ticks(&mut self, from: &mut Cursor<'_, '_>, time: u64) -> io::Result<Option<()>> {
        let cast = match self.has_id {
            true => whole!(from.number()?),
            false => 0,
        };
        let (first, count) = (whole!(from.number()?), whole!(from.number()?));
        let span = from.span.clone();
        let is_possible = first < MOST_TICKS && (1..=span.end - span.start).contains(&count);
        Ok(is_possible.then(|| {
            self.ticks.push(Ticks {
                first,
                count,
                end_ns: self.has_id.then_some(time),
                cast,
                span,
            });
        }))
    }

    fn note(&mut self, from: &mut Cursor<'_, '_>, sequence: u32) -> io::Result<Option<()>> {
        let tick = whole!(from.number()?);
        let name = whole!(from.bytes()?);
        let name = from.window.source.bytes(&name)?;
        let name = whole!(std::str::from_utf8(&name).ok()).to_owned();
        let note = NotePlace {
            tick,
            name,
            bytes: from.span.clone(),
        };
        // Those of form 2 are there once.
        let number = match self.has_id {
            true => u64::from(sequence),
            false => self.notes_by_number.len() as u64,
        };
        self.notes_by_number.entry(number).or_insert(note);
        Ok(Some(()))
    }

    /// Puts in order what was read, and finds what can be played.
    pub(crate) fn put_in_order(&mut self) {
        self.notes = std::mem::take(&mut self.notes_by_number)
            .into_values()
            .collect();
        self.documents.sort_by_key(|document| document.number);
        // What is there twice is the same.
        self.states
            .sort_by_key(|state| (state.tick, state.sequence));
        self.states
            .dedup_by_key(|state| (state.tick, state.sequence));
        self.leave_out_states();
        self.ticks.sort_by_key(|ticks| ticks.first);
        self.ticks.dedup_by_key(|ticks| ticks.first);
        self.stretches = self.find_stretches();
    }

    /// Nothing can begin with a state whose documents are missing.
    fn leave_out_states(&mut self) {
        let documents = &self.documents;
        let is_known = |number: u32| documents.iter().any(|one| one.number == number);
        let has_all = |state: &State| state.roles.iter().all(|role| is_known(role.document));
        self.misses_documents = !self.states.iter().all(has_all);
        if self.has_id {
            self.states.retain(has_all);
        }
    }

    /// The ticks that can be played.
    fn find_stretches(&self) -> Vec<RangeInclusive<u64>> {
        let mut all: Vec<RangeInclusive<u64>> = Vec::new();
        let mut cast = None;
        for ticks in &self.ticks {
            // What has no state before it cannot be played, nor without the one that brought another program.
            let state = ticks
                .first
                .checked_sub(1)
                .and_then(|tick| self.state_at(tick));
            let begins = state.is_some_and(|state| state.cast == ticks.cast);
            let goes_on = begins || cast == Some(ticks.cast);
            match all.last_mut() {
                Some(last) if last.end() + 1 == ticks.first && goes_on => {
                    *last = *last.start()..=ticks.last();
                }
                Some(last) if *last.end() >= ticks.first => continue,
                _ if begins => all.push(ticks.first..=ticks.last()),
                _ => continue,
            }
            cast = Some(ticks.cast);
        }
        all
    }

    /// The last state at or before a tick.
    pub(crate) fn state_before(&self, tick: u64) -> Option<&State> {
        let next = self.states.partition_point(|state| state.tick <= tick);
        self.states.get(next.checked_sub(1)?)
    }

    /// The state after exactly this tick.
    pub(crate) fn state_at(&self, tick: u64) -> Option<&State> {
        self.state_before(tick).filter(|state| state.tick == tick)
    }

    /// The last tick before the recording, as far as that can be known.
    pub(crate) fn begin(&self) -> u64 {
        let said = self.end.as_ref().map(|end| end.begin);
        let said = said.or_else(|| self.states.iter().find_map(|state| state.begin));
        let found = self.states.first().map_or(u64::MAX, |state| state.tick);
        let ticks = self
            .ticks
            .first()
            .map(|ticks| ticks.first.saturating_sub(1));
        said.unwrap_or(u64::MAX)
            .min(found)
            .min(ticks.unwrap_or(u64::MAX))
    }

    /// The time after a tick, where that is written down.
    pub(crate) fn now_ns(&self, tick: u64) -> Option<u64> {
        let next = self.ticks.partition_point(|ticks| ticks.last() < tick);
        let ticks = self.ticks.get(next).filter(|ticks| ticks.last() == tick);
        let ticks = ticks.and_then(|ticks| ticks.end_ns);
        let state = || self.state_at(tick).and_then(|state| state.now_ns);
        let end = || {
            let end = self.end.as_ref()?;
            let known = [(end.begin, end.begin_ns), (end.last, end.now_ns)];
            let mut known = known.into_iter();
            known.find(|(at, _)| *at == tick).map(|(_, now)| now)
        };
        ticks.or_else(state).or_else(end)
    }
}
