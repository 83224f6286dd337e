//! Reading recordings, even damaged ones.

use crate::form::KeptDocument;
use crate::losses::Damage;
use crate::runs::{NotePlace, Run, State};
use crate::scan::{Mark, Scan};
use crate::source::{Source, Span};
use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use treemind_doc::Document;

/// Why a file is not a recording at all.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// It cannot be read.
    Io(io::Error),
    /// It is no MCAP file, or not one of Treemind.
    Foreign,
    /// It is one of another version of Treemind, whose form has this number.
    Version(String),
    /// There is no whole state in it to begin with. Perhaps it was cut off right after its begin.
    Empty,
}

impl fmt::Display for OpenError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            OpenError::Io(error) => return error.fmt(out),
            OpenError::Version(form) => {
                return write!(
                    out,
                    "the recording has the form {form}, and this version of Treemind reads the forms 2 and 3"
                );
            }
            OpenError::Foreign => "this is not a recording of Treemind",
            OpenError::Empty => {
                "the recording has no whole state of the agents with its documents, so nothing of it can be played"
            }
        })
    }
}

impl std::error::Error for OpenError {}

/// Something of the game's own in a recording.
#[derive(Clone, Debug)]
pub struct Note<'r> {
    /// The last tick before it.
    pub tick: u64,
    /// Its name.
    pub name: &'r str,
    source: &'r Source,
    span: &'r Span,
}

impl<'r> Note<'r> {
    /// What it says.
    ///
    /// # Errors
    /// When the file cannot be read any more.
    pub fn bytes(&self) -> io::Result<Cow<'r, [u8]>> {
        self.source.bytes(self.span)
    }
}

/// One of the recordings in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInFile {
    /// The numbers of its ticks, from the first to the last.
    pub ticks: RangeInclusive<u64>,
    /// How many of them can be played.
    pub count: u64,
}

/// A file with one recording or several.
#[derive(Debug)]
struct Whole {
    source: Source,
    /// Those that can be played.
    runs: Vec<Run>,
    is_finished: bool,
    /// Where to read on when the file has grown, until somebody does.
    mark: Mutex<Option<Mark>>,
}

/// A recording. It is read as far as it is whole. Only its index is in memory: what is played is read from the file when it
/// is needed.
#[derive(Clone, Debug)]
pub struct Recording {
    whole: Arc<Whole>,
    nth: usize,
}

impl Recording {
    /// Opens a file, which may be larger than memory. As long as the recording is used, the file may only [grow](Self::grown).
    ///
    /// # Errors
    /// When it is not a recording, or nothing in it is whole.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::from_file(File::open(path).map_err(OpenError::Io)?)
    }

    /// Like [`open`](Self::open), of a file that is open already. It must be a file on a disk, not a pipe.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_file(file: File) -> Result<Self, OpenError> {
        Self::of(Source::of_file(file).map_err(OpenError::Io)?, None)
    }

    /// Reads the bytes of a file. Whatever they are, this does not panic, and uses no more memory than a small multiple
    /// of their size.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read(file: Vec<u8>) -> Result<Self, OpenError> {
        Self::of(Source::Memory(Arc::new(file)), None)
    }

    /// The same recording with what was written since, if its file is longer now. Only what is new is read, unless the file
    /// is damaged.
    ///
    /// # Errors
    /// When the file cannot be read any more.
    pub fn grown(&self) -> Result<Option<Self>, OpenError> {
        let whole = &self.whole;
        let Some(source) = whole.source.grown().map_err(OpenError::Io)? else {
            return Ok(None);
        };
        let mut mark = whole.mark.lock().unwrap_or_else(PoisonError::into_inner);
        let grown = Self::of(source, mark.take())?;
        Ok(grown.run(self.nth))
    }

    /// Whether the file was finished, so that nothing more will be written.
    pub fn is_finished(&self) -> bool {
        self.whole.is_finished
    }

    fn of(source: Source, mark: Option<Mark>) -> Result<Self, OpenError> {
        let mut scan = Scan::of(&source, mark)?;
        let is_finished = scan.is_finished;
        let mark = matches!(source, Source::File(..)).then(|| scan.mark());
        let mut runs = std::mem::take(&mut scan.runs.runs);
        runs.iter_mut().for_each(Run::put_in_order);
        let can_begin = |run: &Run| !run.states.is_empty();
        if !runs.iter().any(can_begin) {
            return Err(match scan.has_header || !runs.is_empty() {
                true => OpenError::Empty,
                false => OpenError::Foreign,
            });
        }
        // A part of another recording is not played as if it had happened in this one.
        let is_played = runs.iter().any(|run| !run.stretches.is_empty());
        let mut left_out = Vec::new();
        let mut kept = Vec::new();
        for run in runs {
            let has_ticks = !run.stretches.is_empty() || !is_played && kept.is_empty();
            match has_ticks && can_begin(&run) {
                true => kept.push(run),
                false => left_out.push(run),
            }
        }
        let owners = owners(&scan.damaged, &kept);
        for (nth, run) in kept.iter_mut().enumerate() {
            let of_others = owners.iter().map(|owner| *owner != nth).collect();
            run.note_losses(&Damage::of(&scan, source.len(), of_others));
            run.losses.extend(left_out.iter().map(Run::left_out));
        }
        Ok(Self {
            whole: Arc::new(Whole {
                source,
                runs: kept,
                is_finished,
                mark: Mutex::new(mark.flatten()),
            }),
            nth: 0,
        })
    }

    fn now(&self) -> &Run {
        &self.whole.runs[self.nth]
    }

    /// The recordings in the file, in its order: there are several if files were put one behind the other. The first one
    /// is this, until another is [chosen](Self::run).
    pub fn runs(&self) -> Vec<RunInFile> {
        let runs = self.whole.runs.iter();
        runs.map(|run| RunInFile {
            ticks: run.ticks(),
            count: run.count(),
        })
        .collect()
    }

    /// One of the recordings in the file, counted from 0; `None` if there are not so many.
    pub fn run(&self, nth: usize) -> Option<Self> {
        (nth < self.whole.runs.len()).then(|| Self {
            whole: Arc::clone(&self.whole),
            nth,
        })
    }

    /// The numbers of the ticks that are recorded, from the first to the last. An empty range begins behind its end.
    pub fn ticks(&self) -> RangeInclusive<u64> {
        self.now().ticks()
    }

    /// How many ticks can be played.
    pub fn count(&self) -> u64 {
        self.now().count()
    }

    /// How many ticks are known to be missing: they lie before others, or before the end that a finished recording tells.
    pub fn missing(&self) -> u64 {
        self.now().missing
    }

    /// The ticks that follow one another without a gap. There is more than one stretch only if something was lost.
    pub fn stretches(&self) -> &[RangeInclusive<u64>] {
        &self.now().stretches
    }

    /// What was lost because the file is cut off or damaged, with a sentence for each part. It is empty for a whole
    /// file.
    pub fn losses(&self) -> &[String] {
        &self.now().losses
    }

    /// The documents, in the order in which they came into use. A document with errors is left out.
    pub fn documents(&self) -> impl Iterator<Item = Document> + '_ {
        self.now().documents.iter().filter_map(KeptDocument::read)
    }

    /// What the game has noted of its own, in order.
    pub fn notes(&self) -> impl Iterator<Item = Note<'_>> {
        let source = &self.whole.source;
        self.now().notes.iter().map(move |note: &NotePlace| Note {
            tick: note.tick,
            name: &note.name,
            source,
            span: &note.bytes,
        })
    }

    /// After which tick the agents began to run what they run in the tick after this one.
    pub fn cast_since(&self, tick: u64) -> u64 {
        let states = &self.now().states;
        let known = states.partition_point(|state| state.tick <= tick);
        let known = &states[..known.max(1)];
        let now = &known[known.len() - 1].roles;
        let same = known.iter().rev().take_while(|state| state.roles == *now);
        same.last().map_or(0, |state| state.tick)
    }

    /// The game's own state after a tick, if it was saved there.
    ///
    /// # Errors
    /// When the file cannot be read any more.
    pub fn game_state(&self, tick: u64) -> io::Result<Option<Cow<'_, [u8]>>> {
        match self.state_at(tick) {
            Some(state) if state.game.start < state.game.end => self.bytes(&state.game).map(Some),
            _ => Ok(None),
        }
    }

    pub(crate) fn kept_document(&self, number: u32) -> Option<&KeptDocument> {
        let mut documents = self.now().documents.iter();
        documents.find(|known| known.number == number)
    }

    /// The whole states, in order.
    pub(crate) fn states(&self) -> &[State] {
        &self.now().states
    }

    /// The last state at or before a tick.
    pub(crate) fn state_before(&self, tick: u64) -> Option<&State> {
        self.now().state_before(tick)
    }

    /// The state after exactly this tick.
    pub(crate) fn state_at(&self, tick: u64) -> Option<&State> {
        self.now().state_at(tick)
    }

    /// The ticks that were written together from this one on, if one of them is this tick and it can be played: how many
    /// are before it, and where the bytes of all are.
    pub(crate) fn ticks_with(&self, tick: u64) -> Option<(u64, Span)> {
        let all = &self.now().ticks;
        self.stretches().iter().find(|one| one.contains(&tick))?;
        let next = all.partition_point(|ticks| ticks.first <= tick);
        let ticks = all.get(next.checked_sub(1)?)?;
        let before = tick - ticks.first;
        (before < ticks.count).then(|| (before, ticks.span.clone()))
    }

    pub(crate) fn bytes(&self, span: &Span) -> io::Result<Cow<'_, [u8]>> {
        self.whole.source.bytes(span)
    }
}

/// For each damaged part of a file, the recording that it follows on, or else the first one.
fn owners(damaged: &[Span], runs: &[Run]) -> Vec<usize> {
    let owner = |span: &Span| {
        let last_before = |run: &Run| {
            let next = run.chunks.partition_point(|at| *at < span.start);
            next.checked_sub(1).map(|last| run.chunks[last])
        };
        let places = runs.iter().map(last_before).enumerate();
        let owner = places.max_by_key(|(nth, at)| (*at, std::cmp::Reverse(*nth)));
        owner.map_or(0, |(nth, _)| nth)
    };
    damaged.iter().map(owner).collect()
}

impl Run {
    fn ticks(&self) -> RangeInclusive<u64> {
        match (self.stretches.first(), self.stretches.last()) {
            (Some(first), Some(last)) => *first.start()..=*last.end(),
            _ => self.states[0].tick + 1..=self.states[0].tick,
        }
    }

    fn count(&self) -> u64 {
        let counts = self.stretches.iter();
        counts.map(|ticks| ticks.end() + 1 - ticks.start()).sum()
    }

    /// That something of another recording is not played.
    fn left_out(&self) -> String {
        let (first, last) = (self.ticks.first(), self.ticks.last());
        let ticks = match first.zip(last) {
            Some((first, last)) => format!("its ticks {} to {}", first.first, last.last()),
            None => "without ticks".to_owned(),
        };
        let at = self.chunks.first().copied().unwrap_or(0);
        format!(
            "a part of another recording is in the file, and was left out: {ticks}, from byte {at} on"
        )
    }
}
