//! Recordings of minds and casts that tick themselves.

use crate::error::RecordError;
use crate::parts::part_of;
use crate::recorder::Recorder;
use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use treemind_core::host::Host;
use treemind_core::observer::{NextStep, NextTick, Observed, Observer, Texts, Ticks};
use treemind_core::{Delivery, Population, Society, Tally};
use treemind_doc::{Document, Format};
use treemind_replay::observe;

/// A recording that goes on while agents are ticked: see [`record`].
#[must_use = "`finish` says whether everything was written"]
pub struct Running(Shared);

type Shared = Arc<Mutex<Option<Recorder>>>;

/// Records minds or a cast into a new file, from now on. Ticks are made as before, and others may observe the agents, too,
/// such as the studio.
///
/// ```
/// use std::time::Duration;
/// use treemind::prelude::*;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("guard.mcap");
/// let document = Document::parse("tree guard { wait 1.0; }", "guard.kdl");
/// let mut cast = Cast::new(Registry::<()>::new());
/// cast.add(&document)?;
/// cast.spawn("guard", 10)?;
///
/// let recording = treemind_recording::record(&mut cast, &path)?;
/// for _ in 0..100 {
///     cast.step(&mut (), Duration::from_millis(50));
/// }
/// recording.finish()?;
/// # assert_eq!(treemind_recording::Recording::open(&path)?.ticks(), 1..=100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be written, or an agent runs a behaviour that is in none of its documents. Then there is no new
/// file. What goes wrong later ends the recording; [`Running::finish`] returns it.
pub fn record(agents: &mut impl Observed, path: impl AsRef<Path>) -> Result<Running, RecordError> {
    let documents = agents.documents();
    let documents: Vec<Document> = documents.iter().filter_map(document_of).collect();
    for (_, program) in agents.programs() {
        let mut parts = documents.iter().map(|document| part_of(document, &program));
        if !parts.any(|part| part.is_some()) {
            let name = program.behaviour().name();
            return Err(RecordError::NoDocument(name.to_owned()));
        }
    }
    let file = File::create(path).map_err(RecordError::Io)?;
    let mut recorder = Recorder::without_documents(file)?;
    for document in &documents {
        recorder.document(document);
    }
    let shared = Arc::new(Mutex::new(Some(recorder)));
    agents.observe(Box::new(Recorded(Arc::clone(&shared))));
    Ok(Running(shared))
}

fn document_of(texts: &Texts) -> Option<Document> {
    let (name, text) = texts.first()?;
    Document::of_texts(Format::of(name, text), texts)
}

fn locked(shared: &Shared) -> MutexGuard<'_, Option<Recorder>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Running {
    /// Notes something of the game's own: see [`Recorder::note`].
    pub fn note(&self, name: &str, bytes: &[u8]) {
        if let Some(recorder) = &mut *locked(&self.0) {
            recorder.note(name, bytes);
        }
    }

    /// Ends the recording. The agents go on without it.
    ///
    /// # Errors
    /// When something could not be written, now or before.
    pub fn finish(self) -> Result<(), RecordError> {
        match locked(&self.0).take() {
            Some(recorder) => recorder.finish(),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Running").finish_non_exhaustive()
    }
}

/// What the agents hold.
struct Recorded(Shared);

impl Observer for Recorded {
    fn tick(
        &mut self,
        population: &mut Population,
        host: &mut dyn Host,
        dt: Duration,
        next: &mut NextTick<'_>,
    ) -> Tally {
        match &mut *locked(&self.0) {
            Some(recorder) => observe::tick(recorder, population, host, dt, next),
            None => next(population, host),
        }
    }

    fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        ticks: &mut Ticks<'_>,
        next: &mut NextStep<'_>,
    ) -> Delivery {
        match &mut *locked(&self.0) {
            Some(recorder) => observe::step(recorder, society, dt, ticks, next),
            None => next(society, ticks),
        }
    }

    fn reloaded(&mut self, documents: &[Texts]) {
        if let Some(recorder) = &mut *locked(&self.0) {
            for document in documents.iter().filter_map(document_of) {
                recorder.add_if_new(&document);
            }
        }
    }

    fn is_over(&self) -> bool {
        locked(&self.0).is_none()
    }
}
