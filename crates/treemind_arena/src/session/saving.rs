//! Saved games: the world and all minds as bytes.

use super::Session;
use crate::body::BodyId;
use crate::packing::{packed, unpacked};
use crate::world::Saved;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use treemind::doc::testing::Subject;
use treemind::{Behaviour, Document, Migration, RestoreError, Society};

/// The first bytes of a saved game, with the version of its form.
const MAGIC: &[u8] = b"treemind arena 1\n";

/// The part of a saved game that is not the state of the minds.
#[derive(Serialize, Deserialize)]
struct Game {
    world: Saved,
    /// Per behaviour, the body of each agent.
    agents: Vec<Vec<BodyId>>,
    faults: u64,
    /// The names and texts of the document's files, for loading with another document.
    #[serde(default)]
    files: Vec<(String, String)>,
}

/// Why a saved game cannot be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The bytes are no saved game, or damaged.
    Damaged(&'static str),
    /// The game is another one: its map or its document has changed.
    Other(String),
    /// The minds cannot be restored.
    Minds(RestoreError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Damaged(what) => out.write_str(what),
            LoadError::Other(what) => out.write_str(what),
            LoadError::Minds(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for LoadError {}

impl Session {
    /// The whole game between two ticks: the world and all minds.
    pub fn save(&self) -> Vec<u8> {
        let game = Game {
            world: self.world.save(),
            agents: self
                .casts
                .iter()
                .map(|cast| cast.agents().to_vec())
                .collect(),
            faults: self.faults,
            files: self.files.clone(),
        };
        let game = serde_json::to_vec(&game).expect("a world has nothing that JSON cannot say");
        packed(MAGIC, &game, &self.society.save())
    }

    /// Continues a game that was [saved](Self::save), as if it had never stopped. This session has to be of the same
    /// document and map, and may be at any tick.
    ///
    /// # Errors
    /// When the bytes are no saved game, are damaged, or are of another map or document. Then nothing has changed.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let (game, society) = read(bytes)?;
        let other = |what: &str| LoadError::Other(format!("this is another game: {what}"));
        let world = self.world.restored(game.world).map_err(other)?;
        let casts = &self.casts;
        let program =
            |place: usize, _: &str| casts.get(place).map(|cast| Arc::clone(cast.program()));
        let society = Society::restore(society, program).map_err(LoadError::Minds)?;
        let mut casts = casts.clone();
        if game.agents.len() != casts.len() {
            return Err(other("it has other minds"));
        }
        for (cast, agents) in casts.iter_mut().zip(game.agents) {
            if !cast.restore(agents, &society) {
                return Err(other("it has other minds"));
            }
        }
        (self.world, self.society, self.casts) = (world, society, casts);
        self.faults = game.faults;
        Ok(())
    }

    /// Like [`load`](Self::load), but the game may have been saved with another version of the document, which is part of
    /// the saved game: it goes on with this one, as after a [reload](Self::reload). `document` is the one that this session
    /// was made with. Returns what that did, for each behaviour that is not as it was, with its name.
    ///
    /// # Errors
    /// As [`load`](Self::load), and [`reload`](Self::reload). Then nothing has changed.
    pub fn load_changed(
        &mut self,
        bytes: &[u8],
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, LoadError> {
        let changed = match self.load(bytes) {
            Err(LoadError::Minds(error)) if error.is_other_program() => error,
            other => return other.map(|()| Vec::new()),
        };
        let (game, _) = read(bytes)?;
        let main = self.casts[0].behaviour().clone();
        let mut refused = LoadError::Minds(changed);
        // Nobody has written down which of its definitions was played: it is the one that fits.
        for before in definitions(&game.files, main.name()) {
            let files = &game.files;
            let (first, text) = &files[0];
            let old = Document::read_with(text.as_bytes(), first, |path| file(files, path));
            let Ok(mut session) = Self::new(before, Some(&old), self.world.clone()) else {
                continue;
            };
            if let Err(error) = session.load(bytes) {
                refused = error;
                continue;
            }
            let changed = session.reload(main, Some(document));
            let migrations = changed.map_err(|error| LoadError::Other(error.to_string()))?;
            session.focus = self.focus;
            *self = session;
            return Ok(migrations);
        }
        Err(refused)
    }
}

/// The parts of a saved game.
fn read(bytes: &[u8]) -> Result<(Game, &[u8]), LoadError> {
    let (game, society) = unpacked(MAGIC, bytes).map_err(LoadError::Damaged)?;
    let game = serde_json::from_slice(game)
        .map_err(|_| LoadError::Damaged("the saved game has a world of another form"))?;
    Ok((game, society))
}

/// The text of a file.
fn file(files: &[(String, String)], path: &str) -> Result<Vec<u8>, String> {
    let found = files.iter().find(|(name, _)| name == path);
    let text = found.map(|(_, text)| text.clone().into_bytes());
    text.ok_or_else(|| "the saved game does not have this file".to_owned())
}

/// What a document may have played under this name.
fn definitions(files: &[(String, String)], name: &str) -> Vec<Behaviour> {
    let Some((first, text)) = files.first() else {
        return Vec::new();
    };
    let document = Document::read_with(text.as_bytes(), first, |path| file(files, path));
    let archetypes = document.archetypes().iter();
    let archetypes = archetypes.map(|one| Subject::Archetype(one.name().to_owned()));
    let subjects = [Subject::Tree, Subject::Machine, Subject::Decision];
    let subjects = subjects.map(|subject| subject(name.to_owned()));
    let named = subjects.into_iter().chain(archetypes);
    let named = named.filter_map(|subject| document.behaviour_of(&subject).ok());
    document.behaviour(None).into_iter().chain(named).collect()
}
