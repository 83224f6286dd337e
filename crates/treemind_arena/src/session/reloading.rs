//! A changed document under a running game.

use super::cast::Cast;
use super::{Session, SessionError, definition_of};
use crate::body::Mind;
use treemind::population::Behaviour;
use treemind::{Document, Migration};

impl Session {
    /// Continues with a changed document, between two ticks: see
    /// [`Society::change_program`](treemind::population::Society::change_program). Returns what that did, for each
    /// behaviour that is not as it was, with its name.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when behaviours no longer agree about what they share. Then nothing has changed.
    pub fn reload(
        &mut self,
        main: Behaviour,
        document: Option<&Document>,
    ) -> Result<Vec<(String, Migration)>, SessionError> {
        let mut next = self.clone();
        let mut main = Some(main);
        let mut told = Vec::new();
        for nth in 0..next.casts.len() {
            let mind = next.casts[nth].mind().clone();
            let behaviour = match (&mind, main.take()) {
                (Mind::Main, Some(main)) => main,
                _ => definition_of(&mind, document).map_err(SessionError::Mind)?,
            };
            let name = behaviour.name().to_owned();
            let migration = next.change(nth, behaviour)?;
            next.start_as_before(nth, document);
            if !migration.is_empty() {
                told.push((name, migration));
            }
        }
        next.files = document.map_or_else(Vec::new, Document::texts);
        *self = next;
        Ok(told)
    }

    fn change(&mut self, nth: usize, behaviour: Behaviour) -> Result<Migration, SessionError> {
        let (society, world) = (&mut self.society, &mut self.world);
        let stubbed = self.stubbed.as_ref();
        self.casts[nth].change(behaviour, society, world, stubbed)
    }

    /// Gives bodies of archetypes, who may come back later, the start values of the new document.
    fn start_as_before(&mut self, nth: usize, document: Option<&Document>) {
        let Some(document) = document else { return };
        let world = &self.world;
        let cast: &mut Cast = &mut self.casts[nth];
        cast.start_again(|who, behaviour| {
            let mind = world.body(who).traits().mind.as_ref()?;
            let Mind::Archetype(name) = mind else {
                return None;
            };
            Some(document.archetype(name)?.start(behaviour))
        });
    }
}
