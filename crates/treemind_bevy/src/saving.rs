//! Minds that are saved with the world of a game.

use crate::brain::Brain;
use crate::brains::Brains;
use crate::leaves::{Leaves, Role};
use crate::mind::{Agent, Allow, Newcomers};
use bevy_asset::{AssetServer, Assets};
use bevy_ecs::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use treemind::AgentId;
use treemind::population::Society;

/// All minds of a world, as the game saves them together with its entities. It is plain data with serde.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedMinds {
    /// The state of all populations, as [`Society::save`] writes it.
    society: Vec<u8>,
    /// Per population: the path of its document, and what it runs of it.
    roles: Vec<(String, Option<String>)>,
    /// The bits of the entities, and of their agents.
    entities: Vec<(u64, u64)>,
    /// The bits of the entities at which groups meet, and their numbers.
    groups: Vec<(u64, u32)>,
}

/// Why minds cannot be saved or restored. Nothing was changed.
#[derive(Clone, Debug, PartialEq)]
pub enum SavedMindsError {
    /// A document does not come from a file, so it could not be found again.
    NoFile(String),
    /// A document has not been loaded.
    NotLoaded(String),
    /// Something is wrong with a document: the text says what.
    Document(String, String),
    /// The saved state is damaged, or was made with other documents.
    State(String),
}

impl fmt::Display for SavedMindsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SavedMindsError::NoFile(id) => {
                write!(out, "the document {id} does not come from a file")
            }
            SavedMindsError::NotLoaded(path) => write!(out, "{path} is not loaded"),
            SavedMindsError::Document(path, text) => write!(out, "{path}: {text}"),
            SavedMindsError::State(text) => out.write_str(text),
        }
    }
}

impl std::error::Error for SavedMindsError {}

/// Saves all minds. Save the components of their entities, too, with [`Mind`](crate::Mind) and those of actions.
///
/// # Errors
/// When a document does not come from a file.
pub fn save_minds(world: &World) -> Result<SavedMinds, SavedMindsError> {
    let brains = world.resource::<Brains>();
    let server = world.resource::<AssetServer>();
    let path = |role: &Role| {
        let path = server.get_path(role.0);
        let path = path.ok_or_else(|| SavedMindsError::NoFile(role.0.to_string()))?;
        Ok((path.to_string(), role.1.clone()))
    };
    let mut entities: Vec<(u64, u64)> = brains
        .agents()
        .map(|(entity, agent)| (entity.to_bits(), agent.to_bits()))
        .collect();
    entities.sort_unstable();
    let groups = brains
        .groups
        .iter()
        .map(|(entity, group)| (entity.to_bits(), *group));
    let mut groups: Vec<(u64, u32)> = groups.collect();
    groups.sort_unstable_by_key(|(_, group)| *group);
    Ok(SavedMinds {
        society: brains.society().save(),
        roles: brains.roles().map(path).collect::<Result<_, _>>()?,
        entities,
        groups,
    })
}

/// Restores all minds, so that they continue as if they had never stopped. The minds that there are begin anew, unless
/// they are restored.
///
/// Their documents must have been loaded, and entities have their components again: `entity` says which entity is which
/// that was saved. Actions that were running continue and do not begin again, so their components must be there.
///
/// # Errors
/// When a document is not loaded or has changed, or the state is damaged. Then nothing has changed.
pub fn restore_minds(
    world: &mut World,
    saved: &SavedMinds,
    entity: impl Fn(Entity) -> Option<Entity>,
) -> Result<(), SavedMindsError> {
    let mut roles: Vec<Role> = Vec::new();
    for (path, runs) in &saved.roles {
        let id = world.resource::<AssetServer>().get_handle::<Brain>(path);
        let id = id
            .ok_or_else(|| SavedMindsError::NotLoaded(path.clone()))?
            .id();
        roles.push((id, runs.clone()));
    }
    let mut parts = Vec::new();
    {
        let assets = world.resource::<Assets<Brain>>();
        let leaves = world.resource::<Leaves>();
        for (role, (path, _)) in roles.iter().zip(&saved.roles) {
            let brain = assets.get(role.0);
            let brain = brain.ok_or_else(|| SavedMindsError::NotLoaded(path.clone()))?;
            let made = leaves.prepare(role, brain);
            parts.push(made.map_err(|text| SavedMindsError::Document(path.clone(), text))?);
        }
    }
    let program = |place: usize, _: &str| parts.get(place).map(|one| Arc::clone(&one.program));
    let society = Society::restore(&saved.society, program);
    let society = society.map_err(|error| SavedMindsError::State(error.to_string()))?;
    let found = saved.entities.iter().filter_map(|(old, bits)| {
        let agent = AgentId::from_bits(*bits)?;
        Some((entity(Entity::try_from_bits(*old)?)?, agent))
    });
    let found: HashMap<Entity, AgentId> = found.collect();
    let groups = saved.groups.iter();
    let groups =
        groups.filter_map(|(old, group)| Some((entity(Entity::try_from_bits(*old)?)?, *group)));
    let groups = groups.collect();

    // From here on nothing can fail. Whoever is not restored stops what it does.
    world.resource_scope(|world, mut brains: Mut<'_, Brains>| {
        let others = brains.agents();
        let others: Vec<AgentId> = others
            .filter(|(entity, _)| !found.contains_key(entity))
            .map(|(_, agent)| agent)
            .collect();
        for agent in others {
            brains.remove(world, agent);
        }
    });
    let mut brains = Brains::of(society, parts, world.resource::<Leaves>(), &found, groups);
    brains.observers = std::mem::take(&mut world.resource_mut::<Brains>().observers);
    world.insert_resource(brains);
    let mut all = world.query_filtered::<(Entity, &mut Agent), Allow>();
    let mut others = Vec::new();
    for (entity, mut agent) in all.iter_mut(world) {
        match found.get(&entity) {
            Some(id) => *agent = Agent::new(*id),
            None => {
                *agent = Agent::default();
                others.push(entity);
            }
        }
    }
    world.resource_mut::<Newcomers>().0 = others;
    Ok(())
}
