//! Playing what was recorded.

use super::super::reloading::Reloaded as _;
use super::{Player, Stage};

impl Player {
    /// Goes on with the document that replaced another one in the recording after the last tick.
    pub(super) fn recast(&mut self) {
        if let Stage::Recorded(screening) = &mut self.stage
            && screening.recast()
        {
            self.minds = screening.minds();
            self.traces.clear();
            self.read_keys();
        }
        if let Err(error) = self.follow_recording() {
            self.note(error);
        }
    }

    /// Goes on with the document that the recording has from here on, if it is another one, and with the game as it was
    /// then: there may have been other documents in between.
    fn follow_recording(&mut self) -> Result<(), String> {
        let recording = self.recording.clone();
        let Some(recording) = recording.filter(|one| one.is_recast_after(self.tick)) else {
            return Ok(());
        };
        let cast = recording.cast_after(self.tick);
        let (behaviour, document) = cast.ok_or("the next document cannot be read")?;
        let reloaded = self.reload(behaviour, &document);
        reloaded.map_err(|error| error.to_string())?;
        if let (Stage::Arena(session), Some(game)) =
            (&mut self.stage, recording.game_state(self.tick))
        {
            session.load(game).map_err(|error| error.to_string())?;
            self.read_keys();
        }
        Ok(())
    }

    /// Whether the arena is in another state than in the recording that is played, where the recording has one.
    pub(super) fn differs(&self) -> bool {
        let (Some(recording), Some(here)) = (&self.recording, self.save()) else {
            return false;
        };
        if recording.is_recast_after(self.tick) {
            // What is there is the game with the next document.
            return false;
        }
        let there = recording.game_state(self.tick);
        there.is_some_and(|there| there != here)
    }
}
