//! Saved games: the world and all minds as bytes.

use super::Session;
use crate::ids::BodyId;
use crate::packing::{packed, unpacked};
use crate::world::Saved;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use treemind::doc::Format;
use treemind::doc::testing::Subject;
use treemind::population::{Behaviour, Program, Society};
use treemind::saving::{Readable, RestoreError};
use treemind::{Document, Migration};

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

    /// Like [`load`](Self::load), but the game may have been saved with another version of the document, which is part
    /// of the saved game: it continues with this one, as after a [reload](Self::reload). `document` is the one that
    /// this session was made with. Returns what that did, for each behaviour that is not as it was, with its name.
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
        let Some(old) = document_of(&game.files) else {
            return Err(refused);
        };
        // Nobody has written down which of its definitions was played: it is the one that fits.
        for before in definitions(&old, main.name()) {
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

/// The document of a saved game.
pub(crate) fn document_of(files: &[(String, String)]) -> Option<Document> {
    let (name, text) = files.first()?;
    Document::of_texts(Format::of(name, text), files)
}

/// What a document may have played under this name.
pub(crate) fn definitions(document: &Document, name: &str) -> Vec<Behaviour> {
    let archetypes = document.archetypes().iter();
    let archetypes = archetypes.map(|one| Subject::Archetype(one.name().to_owned()));
    let subjects = [
        Subject::Tree,
        Subject::Machine,
        Subject::Decision,
        Subject::Planner,
    ];
    let subjects = subjects.map(|subject| subject(name.to_owned()));
    let named = subjects.into_iter().chain(archetypes);
    let named = named.filter_map(|subject| document.behaviour_of(&subject).ok());
    document.behaviour(None).into_iter().chain(named).collect()
}

/// A saved game for people: the world, and the state of all minds, or only of the agent with this index in each
/// population.
pub(crate) fn readable(bytes: &[u8], only: Option<usize>) -> Result<Readable, LoadError> {
    let (game, society) = read(bytes)?;
    let Game {
        world,
        agents,
        faults,
        files,
    } = game;
    let document = document_of(&files);
    let document = document.ok_or_else(|| {
        LoadError::Other("the saved game does not have the text of its document".to_owned())
    })?;
    let society = restored(&document, society).map_err(LoadError::Minds)?;
    let mut shown = Readable::EMPTY;
    shown.add("faults_so_far", faults);
    shown.add("documents", names_of(&files));
    let minds = society.readable_of(|_, agent| only.is_none_or(|only| only == agent));
    shown.add("minds", minds);
    let bodies = agents.iter().map(|bodies| {
        let bodies = bodies.iter().map(|body| Readable::from(body.index()));
        Readable::List(bodies.collect())
    });
    shown.add("bodies_of_agents_by_population", bodies.collect::<Vec<_>>());
    // It is the longest part, and comes last.
    let world = serde_json::to_value(world).map_err(|_| LoadError::Damaged("its world"))?;
    shown.add("world", of_json(world));
    Ok(shown)
}

/// Restores a society that played parts of a document. Which parts is found out: those that fit.
fn restored(document: &Document, society: &[u8]) -> Result<Society, RestoreError> {
    let mut choices: Vec<usize> = Vec::new();
    loop {
        let mut asked = Vec::new();
        let program = |place: usize, name: &str| {
            let choice = choices.get(place).copied().unwrap_or_default();
            let found = definitions(document, name).into_iter().nth(choice);
            asked.push(found.is_some());
            found.map(|behaviour| Arc::new(Program::new(behaviour)))
        };
        match Society::restore(society, program) {
            // The last one that was asked for does not fit.
            Err(error) if error.is_other_program() => {
                choices.resize(asked.len(), 0);
                choices[asked.len() - 1] += 1;
            }
            restored => return restored,
        }
    }
}

pub(crate) fn names_of(files: &[(String, String)]) -> Vec<Readable> {
    files
        .iter()
        .map(|(name, _)| Readable::from(name.as_str()))
        .collect()
}

pub(crate) fn of_json(value: serde_json::Value) -> Readable {
    use serde_json::Value;
    match value {
        Value::Null => Readable::Nothing,
        Value::Bool(value) => value.into(),
        Value::String(text) => text.into(),
        Value::Array(items) => Readable::List(items.into_iter().map(of_json).collect()),
        Value::Object(entries) => {
            let entries = entries.into_iter();
            Readable::Map(
                entries
                    .map(|(name, value)| (name, of_json(value)))
                    .collect(),
            )
        }
        Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(number), ..) => Readable::Count(number),
            (_, Some(number), _) => Readable::Int(number),
            (.., number) => Readable::Double(number.unwrap_or(f64::NAN)),
        },
    }
}
