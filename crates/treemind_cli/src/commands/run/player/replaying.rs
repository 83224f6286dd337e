//! Playing what was recorded.

use super::super::reloading::Reloaded as _;
use super::{Player, Stage};

impl Player {
    /// Continues with the document that replaced another one in the recording after the last tick.
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

    /// Continues with the document that the recording has from here on, if it is another one, and with the game as it
    /// was then: there may have been other documents in between.
    fn follow_recording(&mut self) -> Result<(), String> {
        let recording = self.recording.clone();
        let Some(recording) = recording.filter(|one| one.is_recast_after(self.tick)) else {
            return Ok(());
        };
        let cast = recording.cast_after(self.tick);
        let (behaviour, document) = cast.ok_or("the next document cannot be read")?;
        let reloaded = self.reload(behaviour, &document);
        reloaded.map_err(|error| error.to_string())?;
        let game = recording.game_state(self.tick);
        let game = game.map_err(|error| error.to_string())?;
        if let (Stage::Arena(session), Some(game)) = (&mut self.stage, game) {
            session.load(&game).map_err(|error| error.to_string())?;
            self.read_keys();
        }
        Ok(())
    }

    /// What is not as in the recording that is played, where the recording has a state of the arena.
    pub(super) fn difference(&self) -> Option<String> {
        let recording = self.recording.as_ref()?;
        if recording.is_recast_after(self.tick) {
            // What is there is the game with the next document.
            return None;
        }
        let there = match recording.game_state(self.tick) {
            Ok(there) => there?,
            Err(error) => return Some(format!("the recording cannot be read: {error}")),
        };
        let is_same = self.save().is_none_or(|here| *here == *there);
        (!is_same).then(|| "the arena is in another state than in the recording".to_owned())
    }
}
