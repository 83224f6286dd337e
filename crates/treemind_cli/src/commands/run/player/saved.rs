//! Saved games.

use super::{Player, Source, minds_of};
use treemind_arena::{LoadError, Session};
use treemind_core::Migration;
use treemind_doc::Document;

impl Player {
    /// Continues a saved game. The log begins anew.
    pub(in super::super) fn load(&mut self, game: &[u8]) -> Result<(), LoadError> {
        self.load_with(|session| session.load(game))
    }

    /// Continues a game that was saved with another version of this document. Returns what that did to each behaviour that
    /// is not as it was.
    pub(in super::super) fn load_changed(
        &mut self,
        game: &[u8],
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, LoadError> {
        let mut migrations = Vec::new();
        self.load_with(|session| {
            migrations = session.load_changed(game, document)?;
            Ok(())
        })?;
        Ok(migrations)
    }

    fn load_with(
        &mut self,
        load: impl FnOnce(&mut Session) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        if let Source::Arena(session) = &mut self.source {
            load(session)?;
            self.tick = session.world().tick();
            self.faults = session.faults();
            self.minds = minds_of(session);
            self.log.clear();
            self.noises.clear();
            self.fresh = 0;
            self.read_keys();
        }
        Ok(())
    }
}
