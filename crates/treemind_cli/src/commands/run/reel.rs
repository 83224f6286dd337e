//! Rewinding: keeps copies of earlier ticks, and plays the ticks after them again.

use super::camera::Camera;
use super::player::Player;
use super::reloading::Reloaded as _;
use treemind_arena::Key;
use treemind_core::host::Scripted;
use treemind_replay::history::KeyFrames;

/// A player, and copies of its earlier states. The same seed gives the same run, so a tick that is played again is
/// the same as before.
pub(super) struct Reel {
    now: Player,
    /// The first is the beginning of the run.
    kept: KeyFrames<Player>,
    camera: Option<Camera>,
}

impl Reel {
    pub(super) fn new(player: Player) -> Self {
        Self {
            kept: KeyFrames::new(player.tick(), player.clone()),
            now: player,
            camera: None,
        }
    }

    /// The same, recorded.
    pub(super) fn recorded_by(mut self, camera: Option<Camera>) -> Self {
        self.camera = camera;
        self
    }

    /// Stops recording, and returns what records.
    pub(super) fn take_camera(&mut self) -> Option<Camera> {
        self.camera.take()
    }

    /// Continues recording.
    pub(super) fn give_camera(&mut self, camera: Option<Camera>) {
        self.camera = camera;
    }

    /// Continues with another game.
    pub(super) fn replace(&mut self, player: Player) {
        let mut camera = self.camera.take();
        if let Some(camera) = &mut camera {
            camera.begin_again(&player);
        }
        *self = Self::new(player).recorded_by(camera);
    }

    /// Writes what was recorded so far.
    pub(super) fn flush(&mut self) {
        self.camera.as_mut().map(Camera::flush);
    }

    pub(super) fn player(&self) -> &Player {
        &self.now
    }

    /// The player at its begin.
    pub(super) fn begin(&self) -> Option<&Player> {
        self.kept.first()
    }

    pub(super) fn into_parts(self) -> (Player, Option<Camera>) {
        (self.now, self.camera)
    }

    pub(super) fn tick(&self) -> u64 {
        self.now.tick()
    }

    /// The earliest tick that can be reached again.
    pub(super) fn first_tick(&self) -> u64 {
        self.kept.first_tick()
    }

    /// Plays one tick.
    pub(super) fn step(&mut self) {
        match &mut self.camera {
            Some(camera) => camera.step(&mut self.now),
            None => self.now.step(),
        }
        self.kept.keep(self.now.tick(), || self.now.clone());
    }

    /// Goes to the copy from which a tick is reached soonest, back or forward.
    pub(super) fn seek(&mut self, tick: u64) {
        if let Some(player) = self.kept.nearest(self.tick(), tick) {
            let mut player = player.clone();
            player.take_course(&self.now);
            self.now = player;
        }
    }

    /// Presses a key for the next tick. What was played after this tick is forgotten.
    pub(super) fn press(&mut self, key: Key) {
        self.now.press(key);
        let tick = self.tick();
        self.kept.cut(tick);
        if let (Some(camera), Some(begin)) = (&mut self.camera, self.kept.first()) {
            camera.cut(begin, &self.now, tick);
        }
    }

    /// Has a key of a mind's blackboard written before the next tick. What was played after this tick is forgotten.
    pub(super) fn write(&mut self, mind: usize, key: &str, text: &str) -> Result<(), String> {
        self.now.write(mind, key, text)?;
        let tick = self.tick();
        self.kept.cut(tick);
        Ok(())
    }

    /// Holds a key of a mind's blackboard from the next tick on, or, without a text, no longer. What was played after this
    /// tick is forgotten.
    pub(super) fn hold(
        &mut self,
        mind: usize,
        key: &str,
        text: Option<&str>,
    ) -> Result<(), String> {
        self.now.hold(mind, key, text)?;
        let tick = self.tick();
        self.kept.cut(tick);
        Ok(())
    }

    /// Continues with what a changed document has made of the game. Earlier ticks are played with the document that they had.
    pub(super) fn turn(&mut self, player: Player) {
        self.kept.cut(player.tick());
        self.now = player;
    }

    /// Tells something in the log.
    pub(super) fn note(&mut self, text: String) {
        self.now.note(text);
    }

    /// From the next reload on, leaves answer from this script.
    pub(super) fn answer_from(&mut self, script: Scripted) {
        self.now.answer_from(script);
    }
}
