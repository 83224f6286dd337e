//! A crowd that is played again as it was recorded.

use std::sync::Arc;
use treemind_arena::Crowd;
use treemind_recording::Recording;

/// A recording that a crowd plays again.
pub(super) struct Replayed(pub(super) Arc<Recording>);

impl Replayed {
    /// Plays one tick as it was. The error says what is not as it was.
    pub(super) fn step(&self, crowd: &mut Crowd) -> Result<(), String> {
        let followed = self.follow(crowd);
        crowd.step();
        followed?;
        let tick = crowd.tick();
        if self.0.is_recast_after(tick) {
            // What is there is the crowd with the next document.
            return Ok(());
        }
        match self.0.game_state(tick).map_err(|error| error.to_string())? {
            Some(there) if *there != *crowd.save() => {
                Err("the crowd is in another state than in the recording".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Continues with the document that the recording has from here on, if it is another one, and with the crowd as it
    /// was then.
    fn follow(&self, crowd: &mut Crowd) -> Result<(), String> {
        let tick = crowd.tick();
        if !self.0.is_recast_after(tick) {
            return Ok(());
        }
        let cast = self.0.cast_after(tick);
        let (behaviour, document) = cast.ok_or("the next document cannot be read")?;
        let reloaded = crowd.reload(behaviour, &document);
        reloaded.map_err(|error| error.to_string())?;
        let game = self.0.game_state(tick);
        let game = game.map_err(|error| error.to_string())?;
        let game = game.ok_or("the state of the arena is missing")?;
        crowd.load(&game).map_err(|error| error.to_string())
    }
}
