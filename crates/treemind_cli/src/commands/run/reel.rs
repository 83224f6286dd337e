//! Rewinding: keeps copies of earlier ticks, and plays the ticks after them again.

use super::camera::{Camera, Recorded};
use super::course::Plays;
use super::reloading::Reloaded;
use treemind_arena::{Key, SessionError};
use treemind_core::host::{Scripted, Stub};
use treemind_core::{Behaviour, Migration};
use treemind_doc::Document;
use treemind_doc::Said;
use treemind_replay::follow::Typed;
use treemind_replay::history::{COPY_BYTES, KeyFrames};

/// A game, and copies of its earlier states. The same seed gives the same run, so a tick that is played again is the same
/// as before.
pub(super) struct Reel<G> {
    now: G,
    /// The first is the beginning of the run.
    kept: KeyFrames<G>,
    camera: Option<Camera>,
}

impl<G: Plays> Reel<G> {
    pub(super) fn new(game: G) -> Self {
        Self {
            kept: KeyFrames::new(game.tick(), game.clone()),
            now: game,
            camera: None,
        }
    }

    /// The same, recorded.
    pub(super) fn recorded_by(mut self, camera: Option<Camera>) -> Self {
        self.camera = camera;
        self
    }

    /// Continues with another game.
    pub(super) fn replace(&mut self, game: G) {
        let mut camera = self.camera.take();
        if let Some(camera) = &mut camera {
            camera.begin_again(&game);
        }
        *self = Self::new(game).recorded_by(camera);
    }

    /// Writes what was recorded so far.
    pub(super) fn flush(&mut self) {
        self.camera.as_mut().map(Camera::flush);
    }

    pub(super) fn now(&self) -> &G {
        &self.now
    }

    /// The same, for what is no part of its course.
    pub(super) fn now_mut(&mut self) -> &mut G {
        &mut self.now
    }

    pub(super) fn into_parts(self) -> (G, Option<Camera>) {
        (self.now, self.camera)
    }

    pub(super) fn tick(&self) -> u64 {
        self.now.tick()
    }

    /// The earliest tick that can be reached again.
    pub(super) fn first_tick(&self) -> u64 {
        self.kept.first_tick()
    }

    /// A copy of the game as it was at a tick or shortly before. What is done with it leaves this one as it is.
    pub(super) fn copy_before(&self, tick: u64) -> G {
        let base = self.now.followed_from(tick);
        let copy = self.kept.before(base).or(self.kept.first());
        let mut copy = copy.unwrap_or(&self.now).clone();
        copy.take_course(&self.now);
        copy
    }

    /// Plays one tick.
    pub(super) fn step(&mut self) {
        match &mut self.camera {
            Some(camera) => camera.step(&mut self.now),
            None => self.now.step_recorded(None),
        }
        let now = &self.now;
        self.kept
            .keep_within(COPY_BYTES, now.tick(), || (now.clone(), now.bytes()));
    }

    /// Goes to the copy from which a tick is reached soonest with everything known of it, back or forward, unless what is
    /// there now is nearer.
    pub(super) fn seek(&mut self, tick: u64) {
        let base = self.now.followed_from(tick);
        let copy = self.kept.before(base).or(self.kept.first());
        let now = self.tick();
        let is_nearer = |at: u64| at <= tick && (tick < now || now < at);
        if let Some(copy) = copy.filter(|copy| is_nearer(copy.tick())) {
            let mut copy = copy.clone();
            copy.take_course(&self.now);
            self.now = copy;
        }
    }

    /// Presses a key for the next tick. What was played after this tick is forgotten.
    pub(super) fn press(&mut self, key: Key) {
        self.now.press(key);
        self.kept.cut(self.now.tick());
        if let (Some(camera), Some(begin)) = (&mut self.camera, self.kept.first()) {
            camera.cut(begin, &self.now);
        }
    }

    /// Has a key of a mind's blackboard written before the next tick, or an event sent. What was played after this tick is
    /// forgotten.
    pub(super) fn give(&mut self, mind: usize, typed: Typed) -> Result<(), Said> {
        self.now.give(mind, typed)?;
        self.kept.cut(self.now.tick());
        Ok(())
    }

    /// Holds a key of a mind's blackboard from the next tick on, or, without a text, no longer. What was played after this
    /// tick is forgotten.
    pub(super) fn hold(&mut self, mind: usize, key: &str, text: Option<&str>) -> Result<(), Said> {
        self.now.hold(mind, key, text)?;
        self.kept.cut(self.now.tick());
        Ok(())
    }

    /// Lets a leaf without code answer in a way from the next tick on. What was played after this tick is forgotten.
    pub(super) fn answer(&mut self, leaf: &str, stub: Stub) -> Result<(), Said> {
        self.now.answer(leaf, stub)?;
        self.kept.cut(self.now.tick());
        Ok(())
    }
}

impl<G: Plays> Reloaded for Reel<G> {
    /// Continues with a changed document. Earlier ticks are played with the document that they had.
    fn reload(
        &mut self,
        main: Behaviour,
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, SessionError> {
        let mut game = self.now.clone();
        let migrations = Recorded {
            game: &mut game,
            camera: self.camera.as_mut(),
            begin: self.kept.first(),
        }
        .reload(main, document)?;
        self.kept.cut(game.tick());
        self.now = game;
        Ok(migrations)
    }

    fn answer_from(&mut self, script: Scripted) {
        self.now.course_mut().answer_from(script);
    }
}
