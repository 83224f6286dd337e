//! What records a run.

use super::notes::{self, Printed};
use super::player::Player;
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
    pub(super) document: Document,
    /// The map of the arena and its rules; `None` for a run by a script.
    pub(super) map: Option<(String, Rules)>,
    /// What the log shows.
    pub(super) printed: Printed,
}

/// A player that continues with a changed document, and what records it.
pub(super) struct Recorded<'a> {
    pub(super) player: &'a mut Player,
    pub(super) camera: Option<&'a mut Camera>,
    /// The player at its begin, if it may have gone back since: what it has left behind is not part of the recording.
    pub(super) begin: Option<&'a Player>,
}

impl Reloaded for Recorded<'_> {
    fn reload(
        &mut self,
        main: Behaviour,
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, SessionError> {
        if let (Some(camera), Some(begin)) = (&mut self.camera, self.begin) {
            camera.cut(begin, self.player, self.player.tick());
        }
        let migrations = self.player.reload(main, document)?;
        if let Some(camera) = &mut self.camera {
            camera.document(document);
        }
        Ok(migrations)
    }

    fn answer_from(&mut self, script: Scripted) {
        self.player.answer_from(script);
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
    /// Begins to record.
    pub(super) fn recorder(&self) -> Result<Recorder, Failure> {
        let recorder = Recorder::create(self.output.path(), &self.document);
        let mut recorder = recorder.map_err(|error| self.failure(&error))?;
        if let Some((map, rules)) = &self.map {
            notes::arena(&mut recorder, map, *rules);
        }
        notes::log(&mut recorder, self.printed);
        Ok(recorder)
    }

    /// What went wrong, with the name of the file.
    pub(super) fn failure(&self, error: &RecordError) -> Failure {
        let name = io::display_name(self.output.path());
        let reason = match error {
            RecordError::Io(error) => io::reason(error),
            error => error.to_string(),
        };
        Failure::Failed(format!("cannot record into {name}: {reason}"))
    }
}

impl Camera {
    /// Begins a recording with the next tick of a player.
    pub(super) fn new(subject: Subject, player: &Player) -> Result<Self, Failure> {
        Ok(Self {
            recorder: subject.recorder()?,
            subject,
            last: player.tick(),
        })
    }

    /// Plays one tick. A tick that was recorded before, and is only played again, is not recorded twice.
    pub(super) fn step(&mut self, player: &mut Player) {
        if player.tick() == self.last {
            let revision = player.revision();
            player.step_recorded(Some(&mut self.recorder));
            self.last += 1;
            for document in player.documents_since(revision) {
                self.recorder.document(document);
                self.subject.document = document.clone();
            }
        } else {
            player.step();
        }
    }

    /// The agents follow another document from the next tick on.
    pub(super) fn document(&mut self, document: &Document) {
        self.recorder.document(document);
        self.subject.document = document.clone();
    }

    /// After something new in the past, the game is another one from there on: it is recorded again from its begin.
    pub(super) fn cut(&mut self, begin: &Player, now: &Player, tick: u64) {
        if tick < self.last {
            let mut player = begin.clone();
            player.take_course(now);
            self.begin_again(&player);
            while player.tick() < tick {
                self.step(&mut player);
            }
        }
    }

    /// Records another game from here on, into the same file.
    pub(super) fn begin_again(&mut self, player: &Player) {
        match self.subject.recorder() {
            Ok(recorder) => (self.recorder, self.last) = (recorder, player.tick()),
            // The old one continues, and says at the end that ticks are missing.
            Err(_) => self.last = player.tick(),
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
