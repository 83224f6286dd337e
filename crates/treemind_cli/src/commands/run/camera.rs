//! What records a run.

use super::course::{Course, Plays};
use super::notes::{self, Printed};
use super::reloading::Reloaded;
use crate::io::{self, Failure, Output};
use treemind_arena::{Rules, SessionError};
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Migration};
use treemind_doc::Document;
use treemind_recording::{RecordError, Recorder};

/// What a recording of a run is made of, apart from the run.
pub(super) struct Subject {
    pub(super) output: Output,
    /// The document at the begin of the game.
    pub(super) document: Document,
    /// The map of the arena and its rules; `None` for a run by a script.
    pub(super) map: Option<(String, Rules)>,
    /// What the log shows.
    pub(super) printed: Printed,
}

/// A game that continues with a changed document, and what records it.
pub(super) struct Recorded<'a, G> {
    pub(super) game: &'a mut G,
    pub(super) camera: Option<&'a mut Camera>,
    /// The game at its begin, if it may have gone back since: what it has left behind is not part of the recording.
    pub(super) begin: Option<&'a G>,
}

impl<G: Plays> Reloaded for Recorded<'_, G> {
    fn reload(
        &mut self,
        main: Behaviour,
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, SessionError> {
        let migrations = self.game.reload(main, document)?;
        if let Some(camera) = &mut self.camera
            && !self.begin.is_some_and(|begin| camera.cut(begin, self.game))
        {
            camera.recorder.document(document);
        }
        Ok(migrations)
    }

    fn answer_from(&mut self, script: Scripted) {
        self.game.answer_from(script);
    }
}

/// Records a run into a file.
pub(super) struct Camera {
    subject: Subject,
    recorder: Recorder,
    /// The last tick that was recorded.
    last: u64,
}

impl Subject {
    /// Begins to record a game with the document that it plays.
    fn recorder(&self, course: &Course) -> Result<Recorder, Failure> {
        let replaced = course.documents_since(0).last();
        let document = replaced.unwrap_or(&self.document);
        let recorder = Recorder::create(self.output.path(), document);
        let mut recorder = recorder.map_err(|error| self.failure(&error))?;
        if let Some((map, rules)) = &self.map {
            notes::arena(&mut recorder, map, *rules);
        }
        notes::log(&mut recorder, self.printed);
        Ok(recorder)
    }

    /// What went wrong, with the name of the file.
    fn failure(&self, error: &RecordError) -> Failure {
        let name = io::display_name(self.output.path());
        let reason = match error {
            RecordError::Io(error) => io::reason(error).to_string(),
            error => error.to_string(),
        };
        Failure::failed(format!("cannot record into {name}: {reason}"))
    }
}

impl Camera {
    /// Begins a recording with the next tick of a game.
    pub(super) fn new(subject: Subject, game: &impl Plays) -> Result<Self, Failure> {
        Ok(Self {
            recorder: subject.recorder(game.course())?,
            subject,
            last: game.tick(),
        })
    }

    /// Plays one tick. A tick that was recorded before, and is only played again, is not recorded twice.
    pub(super) fn step(&mut self, game: &mut impl Plays) {
        if game.tick() != self.last {
            game.step_recorded(None);
            return;
        }
        let revision = game.course().revision();
        game.step_recorded(Some(&mut self.recorder));
        self.last += 1;
        for document in game.course().documents_since(revision) {
            self.recorder.document(document);
        }
    }

    /// After something new in the past, the game is another one from there on: it is recorded again from its begin. Returns
    /// whether it was in the past.
    pub(super) fn cut<G: Plays>(&mut self, begin: &G, now: &G) -> bool {
        let is_past = now.tick() < self.last;
        if is_past {
            let mut game = begin.clone();
            game.take_course(now);
            self.begin_again(&game);
            while game.tick() < now.tick() {
                self.step(&mut game);
            }
        }
        is_past
    }

    /// Records another game from here on, into the same file.
    pub(super) fn begin_again(&mut self, game: &impl Plays) {
        self.last = game.tick();
        // If it cannot, the old one continues, and says at the end that ticks are missing.
        if let Ok(recorder) = self.subject.recorder(game.course()) {
            self.recorder = recorder;
        }
    }

    /// Writes what was recorded so far: nothing happens for a while.
    pub(super) fn flush(&mut self) {
        self.recorder.flush();
    }

    /// Finishes the file.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let finished = self.recorder.finish();
        finished.map_err(|error| self.subject.failure(&error))
    }
}
