//! Saved crowds.

use super::Crowd;
use super::people::{Columns, Now, Quarter};
use super::town::Town;
use crate::hash::Fnv;
use crate::packing::{packed, unpacked};
use crate::session::LoadError;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use treemind::Population;

/// The first bytes of a saved crowd, with the version of its form.
const MAGIC: &[u8] = b"treemind crowd 1\n";

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
        let (game, minds) = unpacked(MAGIC, bytes).map_err(LoadError::Damaged)?;
        let of_another_form = LoadError::Damaged("the saved crowd has another form");
        let Ok(game) = postcard::from_bytes::<Game>(game) else {
            return Err(of_another_form);
        };
        let other = |what: &str| LoadError::Other(format!("this is another game: {what}"));
        if game.map != self.map_hash() {
            return Err(other("the map has changed since"));
        }
        let program = Arc::clone(self.population.program());
        let population = Population::restore(program, minds).map_err(LoadError::Minds)?;
        let town = Arc::new(Town::new(&self.scenario, game.seed));
        let people = population.len();
        let is_whole = game.people == people as u64 && game.columns.fit(people, &town);
        let next_cue = usize::try_from(game.next_cue).ok();
        let next_cue = next_cue.filter(|next| *next <= self.scenario.script.len());
        let (true, Some(next_cue)) = (is_whole, next_cue) else {
            return Err(of_another_form);
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
