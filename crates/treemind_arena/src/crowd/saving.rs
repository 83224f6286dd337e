//! Saved crowds.

use super::Crowd;
use super::people::{Columns, Now, Quarter};
use super::town::Town;
use crate::hash::Fnv;
use crate::packing::{packed, unpacked};
use crate::session::saving::{definitions, document_of, names_of};
use crate::session::{self, LoadError, SessionError};
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use treemind::population::{Behaviour, Population, Program};
use treemind::saving::{Readable, RestoreError};
use treemind::{Document, Migration};

/// The first bytes of a saved crowd, with the version of its form.
const MAGIC: &[u8] = b"treemind crowd 2\n";

/// Everything of a crowd that changes, except for the minds.
#[derive(Serialize, Deserialize)]
struct Game {
    /// A hash of the map.
    map: u64,
    /// The seed of the town: who lives where.
    seed: u64,
    people: u64,
    now: Now,
    next_cue: u64,
    dangers: i64,
    told: u64,
    /// Everybody, in the order of their numbers.
    columns: Columns,
    /// The names and texts of the document's files, for loading with another document.
    files: Vec<(String, String)>,
    /// The name of what the people follow.
    behaviour: String,
}

impl Crowd {
    /// The whole crowd between two ticks: where everybody is, what everybody does, and all minds. It does not depend on
    /// the number of threads.
    pub fn save(&self) -> Vec<u8> {
        // A new field has to be named here, so nobody forgets to save it.
        let Self {
            scenario: _,
            town,
            population,
            bound: _,
            quarters,
            now,
            next_cue,
            dangers,
            danger_key: _,
            hour_key: _,
            said: _,
            told,
            files,
            held: _,
            stubbing: _,
        } = self;
        let mut columns = Columns::default();
        quarters
            .iter()
            .for_each(|quarter| quarter.add_to(&mut columns));
        let game = Game {
            map: self.map_hash(),
            seed: town.seed(),
            people: population.len() as u64,
            now: now.clone(),
            next_cue: *next_cue as u64,
            dangers: *dangers,
            told: *told,
            columns,
            files: files.clone(),
            behaviour: population.program().behaviour().name().to_owned(),
        };
        let game = postcard::to_stdvec(&game).expect("vectors grow as needed");
        packed(MAGIC, &game, &population.save())
    }

    /// Continues a crowd that was [saved](Self::save), as if it had never stopped, on as many threads as this one. This
    /// crowd has to be of the same document and map; the number of people and the seed are those of the saved one.
    ///
    /// # Errors
    /// When the bytes are no saved crowd, are damaged, or are of another map or document. Then nothing has changed.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let (game, minds) = read(bytes)?;
        let program = Arc::clone(self.population.program());
        let population = Population::restore(program, minds).map_err(LoadError::Minds)?;
        self.go_on(game, population)
    }

    /// Like [`load`](Self::load), but the crowd may have been saved with another version of the document, which is part
    /// of what was saved: it continues with this one, as after a [reload](Self::reload). `behaviour` is what the crowd
    /// plays of `document`. Returns what that did.
    ///
    /// # Errors
    /// As [`load`](Self::load), and [`reload`](Self::reload). Then nothing has changed.
    pub fn load_changed(
        &mut self,
        bytes: &[u8],
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<Migration, LoadError> {
        let changed = match self.load(bytes) {
            Err(LoadError::Minds(error)) if error.is_other_program() => error,
            other => return other.map(|()| Migration::default()),
        };
        let (game, minds) = read(bytes)?;
        let old = document_of(&game.files).ok_or(LoadError::Minds(changed))?;
        let before = restored(&old, behaviour.name(), minds).map_err(LoadError::Minds)?;
        let refused = |error: SessionError| LoadError::Other(error.to_string());
        let (old, people) = (before.program().behaviour().clone(), before.len());
        let threads = self.quarters.len();
        let mut next =
            Self::new(old, self.scenario.clone(), people, threads, 0).map_err(refused)?;
        next.load(bytes)?;
        let migration = next.reload(behaviour, document).map_err(refused)?;
        *self = next;
        Ok(migration)
    }

    /// Continues with what was saved.
    fn go_on(&mut self, game: Game, population: Population) -> Result<(), LoadError> {
        let other = |what: &str| LoadError::Other(format!("this is another game: {what}"));
        if game.map != self.map_hash() {
            return Err(other("the map has changed since"));
        }
        let town = Arc::new(Town::new(&self.scenario, game.seed));
        let people = population.len();
        let is_whole = game.people == people as u64 && game.columns.fit(people, &town);
        let next_cue = usize::try_from(game.next_cue).ok();
        let next_cue = next_cue.filter(|next| *next <= self.scenario.script.len());
        let (true, Some(next_cue)) = (is_whole, next_cue) else {
            return Err(OF_ANOTHER_FORM);
        };
        let parts = population.parts(self.quarters.len().max(1));
        let quarters = parts.map(|part| Quarter::restored(&town, part, &game.columns));
        self.quarters = quarters.collect();
        (self.town, self.population, self.now) = (town, population, game.now);
        (self.next_cue, self.dangers, self.told) = (next_cue, game.dangers, game.told);
        self.said.clear();
        Ok(())
    }

    fn map_hash(&self) -> u64 {
        let mut hasher = Fnv::new();
        self.scenario.hash(&mut hasher);
        hasher.finish()
    }
}

const OF_ANOTHER_FORM: LoadError = LoadError::Damaged("the saved crowd has another form");

/// The parts of a saved crowd.
fn read(bytes: &[u8]) -> Result<(Game, &[u8]), LoadError> {
    let (game, minds) = unpacked(MAGIC, bytes).map_err(LoadError::Damaged)?;
    match postcard::from_bytes(game) {
        Ok(game) => Ok((game, minds)),
        Err(_) => Err(OF_ANOTHER_FORM),
    }
}

/// The population that followed a part of a document. Which part is found out: the one that fits.
fn restored(document: &Document, name: &str, minds: &[u8]) -> Result<Population, RestoreError> {
    let mut refused = None;
    for behaviour in definitions(document, name) {
        match Population::restore(Arc::new(Program::new(behaviour)), minds) {
            Err(error) if error.is_other_program() => refused = Some(error),
            other => return other,
        }
    }
    let none = || RestoreError::refused(format!("its document has no `{name}`"));
    Err(refused.unwrap_or_else(none))
}

/// A saved crowd for people: the state of the world, and of all minds, or only of the agent with this index. The people
/// are numbered as the agents are.
pub(crate) fn readable(bytes: &[u8], only: Option<usize>) -> Result<Readable, LoadError> {
    let (game, minds) = read(bytes)?;
    let document = document_of(&game.files).ok_or_else(|| {
        LoadError::Other("the saved crowd does not have the text of its document".to_owned())
    })?;
    let population = restored(&document, &game.behaviour, minds).map_err(LoadError::Minds)?;
    let mut shown = Readable::EMPTY;
    shown.add("documents", names_of(&game.files));
    // A new field has to be named here, so nobody forgets to show it.
    let Game {
        map: _,
        seed,
        people,
        now,
        next_cue,
        dangers,
        told,
        columns,
        files: _,
        behaviour: _,
    } = game;
    shown.add("seed_of_town", seed);
    shown.add("people", people);
    shown.add("next_cue", next_cue);
    shown.add("dangers", dangers);
    shown.add("messages_this_second", told);
    let of_json = |value: Result<serde_json::Value, serde_json::Error>| {
        let value = value.map_err(|_| OF_ANOTHER_FORM)?;
        Ok(session::saving::of_json(value))
    };
    shown.add("now", of_json(serde_json::to_value(now))?);
    let all = of_json(serde_json::to_value(columns))?;
    let shows = |person: usize| only.is_none_or(|only| only == person);
    let mut one = Readable::EMPTY;
    if let Readable::Map(entries) = all {
        for (name, items) in entries {
            let items = items.items().iter().enumerate();
            let items = items.filter(|(person, _)| name == "moved" || shows(*person));
            let items: Vec<Readable> = items.map(|(_, item)| item.clone()).collect();
            one.add(name, items);
        }
    }
    shown.add("columns_of_people", one);
    let agents = (0..population.len()).filter(|agent| shows(*agent) && population.is_alive(*agent));
    shown.add("minds", population.readable_of(&agents.collect::<Vec<_>>()));
    Ok(shown)
}
