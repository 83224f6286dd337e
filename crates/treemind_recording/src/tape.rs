//! A recording as the tape of a history.

use crate::form::Role;
use crate::parts::behaviour_of;
use crate::recording::{OpenError, Recording};
use crate::runs::State;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};
use treemind_core::Program;
use treemind_replay::history::{Begin, Next, Place, Store};

/// The programs of populations, by the numbers of these.
type Programs = Vec<(u16, Arc<Program>)>;

/// A recording as the tape of a [`History`](treemind_replay::history::History): ticks that follow one another without a gap.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use treemind::population::{Population, Program};
/// use treemind::prelude::*;
/// use treemind_recording::{Recorder, Recording, Tape};
/// use treemind_replay::history::History;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("guard.mcap");
/// let document = Document::read(b"tree guard { wait 1.0; }", "guard.kdl");
/// let behaviour = document.behaviour(None)?;
/// let bound = Registry::<()>::new().bind(&behaviour)?;
/// let mut guards = Population::new(Arc::new(Program::new(behaviour)), 10);
/// let mut recorder = Recorder::create(&path, &document)?;
/// for _ in 0..100 {
///     recorder.tick(&mut guards, &mut bound.host(&mut ()), Duration::from_millis(50));
/// }
/// recorder.finish()?;
///
/// let recording = Recording::open(&path)?;
/// let mut history = History::at_end(Tape::whole(&recording))?;
/// history.go_to(20)?;
/// assert_eq!(history.tick(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tape {
    recording: Recording,
    ticks: RangeInclusive<u64>,
    /// For each state, which documents the agents run from there on.
    revisions: Vec<u64>,
    programs: Mutex<BTreeMap<u64, Programs>>,
}

impl fmt::Debug for Tape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Tape")
            .field("ticks", &self.ticks)
            .finish_non_exhaustive()
    }
}

impl Tape {
    /// The ticks of a recording up to the first gap, if something of it was lost.
    pub fn whole(recording: &Recording) -> Self {
        let first = recording.stretches().first().cloned();
        Self::of(recording, first.unwrap_or_else(|| recording.ticks()))
    }

    /// Some ticks of a recording: one of its [stretches](Recording::stretches).
    pub fn of(recording: &Recording, ticks: RangeInclusive<u64>) -> Self {
        let mut revision = 0;
        let states = recording.states();
        let pairs = states.iter().zip(states.iter().skip(1));
        let changes = pairs.map(|(before, after)| u64::from(before.roles != after.roles));
        let later = changes.map(|change| {
            revision += change;
            revision
        });
        let revisions = std::iter::once(0).chain(later).collect();
        Self {
            ticks,
            revisions,
            recording: recording.clone(),
            programs: Mutex::default(),
        }
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    fn states(&self) -> &[State] {
        self.recording.states()
    }

    /// The programs of a revision, as far as their documents can be read.
    fn programs(&self, revision: u64, roles: &[Role]) -> Programs {
        let mut known = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let programs = known.entry(revision).or_insert_with(|| {
            let programs = roles.iter().filter_map(|role| {
                let document = self.recording.kept_document(role.document)?;
                let behaviour = behaviour_of(&document.read()?, &role.part)?;
                Some((role.place, Arc::new(Program::new(behaviour))))
            });
            programs.collect()
        });
        programs.clone()
    }

    fn begin_at(&self, nth: usize) -> io::Result<Option<Begin>> {
        let both = self.states().get(nth).zip(self.revisions.get(nth));
        let (first, last) = (self.ticks.start() - 1, *self.ticks.end());
        let is_there = |state: &State| (first..=last.max(first)).contains(&state.tick);
        let Some((state, revision)) = both.filter(|(state, _)| is_there(state)) else {
            return Ok(None);
        };
        Ok(Some(Begin {
            place: Place {
                segment: nth as u64,
                over: 0,
            },
            at: state.tick,
            now_ns: state.now_ns,
            revision: *revision,
            programs: self.programs(*revision, &state.roles),
            state: self.recording.bytes(&state.state)?.into(),
        }))
    }
}

fn broken(error: OpenError) -> io::Error {
    match error {
        OpenError::Io(error) => error,
        error => io::Error::other(error.to_string()),
    }
}

impl Store for Tape {
    fn ticks(&self) -> Option<(u64, u64)> {
        let first = self.ticks.start() - 1;
        let states = self.states().iter().map(|state| state.tick);
        let first = states.into_iter().find(|tick| *tick >= first)?;
        Some((first, (*self.ticks.end()).max(first)))
    }

    fn begin(&self, tick: u64) -> io::Result<Option<Begin>> {
        let states = self.states();
        let first = self.ticks().map_or(tick, |(first, _)| first);
        let next = states.partition_point(|state| state.tick <= tick.max(first));
        next.checked_sub(1)
            .map_or(Ok(None), |nth| self.begin_at(nth))
    }

    fn segment(&self, number: u64) -> io::Result<Option<Begin>> {
        self.begin_at(usize::try_from(number).unwrap_or(usize::MAX))
    }

    fn next(&self, place: Place) -> io::Result<Next> {
        let nth = usize::try_from(place.segment).unwrap_or(usize::MAX);
        let Some(state) = self.states().get(nth) else {
            return Ok(Next::Gone);
        };
        let tick = state.tick + place.over as u64;
        let after = self.states().get(nth + 1);
        if after.is_some_and(|after| after.tick <= tick && after.tick <= *self.ticks.end()) {
            return Ok(Next::Segment);
        }
        if tick >= *self.ticks.end() {
            return Ok(Next::Nothing);
        }
        // Ticks are written together only from a state or the end of others on.
        let found = self.recording.ticks_with(tick + 1);
        Ok(match found.filter(|(before, _)| *before == 0) {
            Some((_, span)) => Next::Ticks(self.recording.bytes(&span)?.into()),
            None => Next::Gone,
        })
    }

    fn texts(&self, revision: u64) -> Vec<(String, String)> {
        let nth = self.revisions.iter().position(|one| *one == revision);
        let state = nth.and_then(|nth| self.states().get(nth));
        let mut texts: Vec<(String, String)> = Vec::new();
        for role in state.map_or(&[][..], |state| &state.roles) {
            let document = self.recording.kept_document(role.document);
            for file in document.map_or(&[][..], |document| &document.files) {
                if !texts.contains(file) {
                    texts.push(file.clone());
                }
            }
        }
        texts
    }

    fn look_again(&mut self) -> io::Result<bool> {
        let Some(grown) = self.recording.grown().map_err(broken)? else {
            return Ok(false);
        };
        let (first, last) = (*self.ticks.start(), *self.ticks.end());
        let mut stretches = grown.stretches().iter();
        let ticks = stretches.find(|ticks| *ticks.start() == first);
        let ticks = ticks.unwrap_or(&self.ticks).clone();
        // The documents that were there keep their numbers.
        let programs = std::mem::take(&mut self.programs);
        *self = Self {
            programs,
            ..Self::of(&grown, ticks)
        };
        Ok(*self.ticks.end() > last)
    }

    fn is_finished(&self) -> bool {
        self.recording.is_finished()
    }
}
