//! A recording as the tape of a history.

use crate::form::Role;
use crate::parts::behaviour_of;
use crate::recording::Recording;
use crate::runs::State;
use std::collections::BTreeMap;
use std::fmt;
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
/// let recording = Arc::new(Recording::open(&path)?);
/// let mut history = History::at_end(Tape::whole(recording)).expect("it has ticks");
/// history.seek(20);
/// while history.tick() < 20 && history.step() {}
/// assert_eq!(history.tick(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tape {
    recording: Arc<Recording>,
    ticks: RangeInclusive<u64>,
    /// For each state, which documents the agents run from there on.
    revisions: Vec<u64>,
    programs: Mutex<BTreeMap<u64, Option<Programs>>>,
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
    pub fn whole(recording: Arc<Recording>) -> Self {
        let first = recording.stretches().first().cloned();
        let ticks = first.unwrap_or_else(|| recording.ticks());
        Self::of(recording, ticks)
    }

    /// Some ticks of a recording: one of its [stretches](Recording::stretches).
    pub fn of(recording: Arc<Recording>, ticks: RangeInclusive<u64>) -> Self {
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
            recording,
            programs: Mutex::default(),
        }
    }

    /// The recording.
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    fn states(&self) -> &[State] {
        self.recording.states()
    }

    fn programs(&self, revision: u64, roles: &[Role]) -> Option<Programs> {
        let mut known = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let programs = known.entry(revision).or_insert_with(|| {
            let programs = roles.iter().map(|role| {
                let document = self.recording.kept_document(role.document)?;
                let behaviour = behaviour_of(&document.read()?, &role.part)?;
                Some((role.place, Arc::new(Program::new(behaviour))))
            });
            programs.collect()
        });
        programs.clone()
    }

    fn begin_at(&self, nth: usize) -> Option<Begin> {
        let (state, revision) = (self.states().get(nth)?, *self.revisions.get(nth)?);
        let is_there = state.tick + 1 >= *self.ticks.start() && state.tick <= *self.ticks.end();
        is_there.then_some(())?;
        Some(Begin {
            place: Place {
                segment: nth as u64,
                over: 0,
            },
            at: state.tick,
            revision,
            programs: self.programs(revision, &state.roles)?,
            state: self.recording.bytes(&state.state).ok()?.into(),
        })
    }
}

impl Store for Tape {
    fn ticks(&self) -> Option<(u64, u64)> {
        let first = self.ticks.start() - 1;
        let states = self.states().iter().map(|state| state.tick);
        let first = states.into_iter().find(|tick| *tick >= first)?;
        Some((first, (*self.ticks.end()).max(first)))
    }

    fn begin(&self, tick: u64) -> Option<Begin> {
        let (first, _) = self.ticks()?;
        let states = self.states();
        let next = states.partition_point(|state| state.tick <= tick.max(first));
        self.begin_at(next.checked_sub(1)?)
    }

    fn segment(&self, number: u64) -> Option<Begin> {
        self.begin_at(usize::try_from(number).ok()?)
    }

    fn next(&self, place: Place) -> Next {
        let nth = usize::try_from(place.segment).unwrap_or(usize::MAX);
        let Some(state) = self.states().get(nth) else {
            return Next::Gone;
        };
        let tick = state.tick + place.over as u64;
        let after = self.states().get(nth + 1);
        if after.is_some_and(|after| after.tick <= tick && after.tick <= *self.ticks.end()) {
            return Next::Segment;
        }
        if tick >= *self.ticks.end() {
            return Next::Nothing;
        }
        // Ticks are written together only from a state or the end of others on.
        let found = self.recording.ticks_with(tick + 1);
        let span = found.filter(|(before, _)| *before == 0);
        match span.map(|(_, span)| self.recording.bytes(&span)) {
            Some(Ok(bytes)) => Next::Ticks(bytes.into()),
            Some(Err(_)) | None => Next::Gone,
        }
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
}
