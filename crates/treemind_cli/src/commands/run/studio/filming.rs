//! Tests that are played as recordings.

use super::super::replay;
use super::testing::errors;
use crate::io::Failure as Unplayable;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use treemind_core::{Program, Trace};
use treemind_doc::Said;
use treemind_doc::testing::Action;
use treemind_doc::{Document, said};
use treemind_recording::{Recorder, Recording, Tape};
use treemind_replay::history::History;
use treemind_studio::{Replay, Show};
use treemind_test::{Failure, Harness, Played};

/// How many recordings are kept: those that were opened last.
const MOST_KEPT: usize = 8;
/// How many ticks of a test are played.
const MOST_TICKS: u64 = 20_000;

/// A test that was played.
pub(super) struct Filmed {
    pub(super) id: String,
    /// The name of the test.
    pub(super) name: String,
    /// The recording.
    pub(super) bytes: Vec<u8>,
    /// The tick to look at: the one in which it failed, or the last one.
    pub(super) tick: u64,
}

/// The recordings of tests that can be looked at.
#[derive(Clone, Default)]
pub(super) struct Films(Rc<RefCell<VecDeque<Kept>>>);

/// A recording, with its name.
type Kept = (String, Vec<u8>);

impl Films {
    /// Keeps a recording under a name.
    pub(super) fn keep(&self, name: &str, bytes: Vec<u8>) {
        let mut all = self.0.borrow_mut();
        all.retain(|(known, _)| known != name);
        all.push_back((name.to_owned(), bytes));
        while all.len() > MOST_KEPT {
            all.pop_front();
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.borrow().iter().any(|(known, _)| known == name)
    }

    /// Shows a recording.
    pub(super) fn open(&self, name: &str) -> Result<Box<dyn Show>, Unplayable> {
        let all = self.0.borrow();
        let found = all.iter().find(|(known, _)| known == name);
        let bytes = found.map(|(_, bytes)| bytes.clone());
        let bytes = bytes.ok_or_else(|| Unplayable::failed(said!("the test is gone")))?;
        let failed = |error: String| replay::failed(Path::new(name), &error);
        let recording = Recording::read(bytes).map_err(|error| failed(error.to_string()))?;
        let history = History::at_begin(Tape::whole(&recording));
        let history = history.map_err(|error| failed(error.to_string()))?;
        Ok(Box::new(Replay::new(name, history.of_test())))
    }
}

/// Bytes that are written on another thread.
#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Bytes {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Plays a test as it failed, or as it passes, and records it.
pub(super) fn film(
    document: &Document,
    id: &str,
    failure: Option<&Failure>,
    stop: &AtomicBool,
) -> Result<Filmed, Said> {
    let played = Played::with_id(document, id).ok_or_else(|| said!("the test is gone"))?;
    let test = played.test;
    let behaviour = document.behaviour_of_test(test);
    let behaviour = behaviour.map_err(|_| errors())?;
    let actions = match failure {
        Some(failure) => played.failing(failure),
        None => played.actions(0),
    };
    let bytes = Bytes::default();
    let recorder = Recorder::to(bytes.clone(), document);
    let mut recorder = recorder.map_err(|error| error.to_string())?;
    let mut harness = Harness::new(&Arc::new(Program::new(behaviour)), test.seed);
    let last = play(&mut harness, (actions, test.dt), &mut recorder, stop);
    recorder.finish().map_err(|error| error.to_string())?;
    Ok(Filmed {
        id: id.to_owned(),
        name: played.name,
        bytes: bytes.take(),
        tick: failure.map_or(last, |failure| failure.tick.min(last)),
    })
}

/// Does what happens in a test; returns the last tick.
fn play(
    harness: &mut Harness,
    (actions, dt): (Vec<Action>, f64),
    recorder: &mut Recorder,
    stop: &AtomicBool,
) -> u64 {
    let mut trace = Trace::new();
    let mut tick = 0;
    for action in actions {
        if let Action::Tick(times, own) = action {
            let dt = Duration::from_secs_f64(own.unwrap_or(dt));
            for _ in 0..times {
                if tick == MOST_TICKS || stop.load(Ordering::Relaxed) {
                    return tick;
                }
                trace.clear();
                let Harness {
                    population, host, ..
                } = harness;
                recorder.tick_traced(population, host, dt, &mut trace);
                tick += 1;
            }
        } else if matches!(action, Action::Abort) {
            let Harness {
                population, host, ..
            } = harness;
            population.abort_all(host);
        } else if harness.act(&action).is_err() {
            // The test has failed here.
            return tick;
        }
    }
    tick
}
