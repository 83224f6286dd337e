//! Agents that move from one cast to another.

use super::{Cast, CastError, Troupe};
use crate::mind::saving::living;
use crate::registry::{RunError, SavedRuns};
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use treemind_core::{AgentId, Dead, Population, RestoreError};

/// The agents of one population.
#[derive(Serialize, Deserialize)]
struct Taken {
    /// The name of the population.
    population: String,
    /// What [`Population::take_out_with`] gives, with [`Luggage`] attached.
    agents: Vec<u8>,
}

/// What is attached to the agents of one population.
#[derive(Serialize, Deserialize)]
struct Luggage {
    /// The archetype of each; empty if it is not known.
    archetypes: Vec<String>,
    runs: SavedRuns,
}

impl<W: World + ?Sized> Cast<W> {
    /// Takes agents out, so that they can continue in another cast of the same documents, in this process or another,
    /// with the states of what they run: see [`Population::take_out`]. Nothing is stopped, and their handles are dead
    /// from now on.
    ///
    /// # Errors
    /// When one of them is dead. Then no agent is taken out.
    ///
    /// # Panics
    /// When an agent is named twice.
    pub fn take_out(&mut self, agents: &[AgentId]) -> Result<Vec<u8>, Dead> {
        for agent in agents {
            self.society.index_of(*agent)?;
        }
        let mut taken = Vec::new();
        let who = Arc::clone(&self.who);
        for Troupe { id, bound, .. } in &self.troupes {
            let own = agents.iter().filter(|agent| agent.population() == *id);
            let own: Vec<usize> = own.map(|agent| agent.index()).collect();
            if own.is_empty() {
                continue;
            }
            let named = agents.iter().filter(|agent| agent.population() == *id);
            let named = named.map(|agent| who.get(agent).map_or("", |name| name.as_str()));
            let luggage = Luggage {
                archetypes: named.map(str::to_owned).collect(),
                runs: bound.runs_of(self.society.population(*id), &own),
            };
            let luggage = postcard::to_stdvec(&luggage).expect("vectors grow as needed");
            let agents = self
                .society
                .population_mut(*id)
                .take_out_with(&own, &luggage);
            own.iter().for_each(|agent| bound.forget_runs(*agent));
            taken.push(Taken {
                population: self.society.name(*id).to_owned(),
                agents,
            });
        }
        Ok(postcard::to_stdvec(&taken).expect("vectors grow as needed"))
    }

    /// Adds agents that were [taken out](Self::take_out) of another cast: see [`Population::put_in`]. Returns their new
    /// handles, population by population.
    ///
    /// # Errors
    /// When the bytes are damaged; when there is no population of the same name here, or it runs something else; when
    /// the states of runs do not fit the types of the registry. Then no agent is added.
    pub fn put_in(&mut self, agents: &[u8]) -> Result<Vec<AgentId>, CastError> {
        let refused = |why: String| CastError::Restore(RestoreError::refused(why));
        let taken = match postcard::take_from_bytes::<Vec<Taken>>(agents) {
            Ok((taken, [])) => taken,
            Ok(_) | Err(_) => return Err(refused("these are no agents of a cast".to_owned())),
        };
        let mut all: Vec<(usize, Luggage)> = Vec::new();
        for Taken { population, agents } in &taken {
            let name = |troupe: &Troupe<W>| self.society.name(troupe.id) == population;
            let troupe = self.troupes.iter().position(name).ok_or_else(|| {
                refused(format!("there is no population `{population}` in the cast"))
            })?;
            let Troupe { id, bound, .. } = &self.troupes[troupe];
            let program = Arc::clone(self.society.population(*id).program());
            let newcomers = living(&Population::restore(program, agents)?).len();
            let luggage = postcard::from_bytes(Population::attached(agents)?);
            let luggage: Luggage = luggage.map_err(|error| RunError {
                leaf: String::new(),
                reason: error.to_string(),
            })?;
            bound.check_runs(self.society.population(*id), newcomers, &luggage.runs)?;
            let room = AgentId::MAX_AGENTS - self.society.population(*id).len();
            if newcomers > room {
                let why = "there would be more agents than a population can have";
                return Err(refused(why.to_owned()));
            }
            all.push((troupe, luggage));
        }
        let mut handles = Vec::new();
        for (one, (troupe, luggage)) in taken.iter().zip(all) {
            let Troupe { id, bound, .. } = &self.troupes[troupe];
            let ids = self.society.population_mut(*id).put_in(&one.agents)?;
            let population = self.society.population(*id);
            bound.reserve(population.len());
            let agents: Vec<usize> = ids.iter().map(|id| id.index()).collect();
            bound.put_runs(population, &agents, &luggage.runs)?;
            for (id, archetype) in ids.iter().zip(&luggage.archetypes) {
                self.meet(archetype, &[*id]);
            }
            handles.extend(ids);
        }
        Ok(handles)
    }
}
