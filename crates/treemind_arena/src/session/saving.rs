//! Saved games: the world and all minds as bytes.

use super::Session;
use crate::body::BodyId;
use crate::packing::{packed, unpacked};
use crate::world::Saved;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use treemind::{RestoreError, Society};

/// The first bytes of a saved game, with the version of its form.
const MAGIC: &[u8] = b"treemind arena 1\n";

/// The part of a saved game that is not the state of the minds.
#[derive(Serialize, Deserialize)]
struct Game {
    world: Saved,
    /// Per behaviour, the body of each agent.
    agents: Vec<Vec<BodyId>>,
    faults: u64,
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
        let (game, society) = unpacked(MAGIC, bytes).map_err(LoadError::Damaged)?;
        let game: Game = serde_json::from_slice(game)
            .map_err(|_| LoadError::Damaged("the saved game has a world of another form"))?;
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
}
