//! The systems of a tick.

use crate::brain::Brain;
use crate::brains::{self, Brains};
use crate::mind::{Agent, Mind, Newcomers};
use bevy_asset::{AssetEvent, AssetId, AssetServer};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_time::Time;

/// Something is wrong with a document or what it does: it needs a leaf that the app does not have, or a leaf has failed.
/// Each is also logged as an error.
#[derive(Message, Clone, Debug)]
pub struct BrainProblem {
    /// The document.
    pub brain: AssetId<Brain>,
    /// What is wrong.
    pub text: String,
}

/// Makes agents of new minds, and gives them new versions of their documents.
pub(crate) fn prepare(
    world: &mut World,
    mut changes: Local<bevy_ecs::message::MessageCursor<AssetEvent<Brain>>>,
) {
    let messages = world.resource::<Messages<AssetEvent<Brain>>>();
    let modified = changes.read(messages).filter_map(|event| match event {
        AssetEvent::Modified { id } => Some(*id),
        _ => None,
    });
    let mut modified: Vec<AssetId<Brain>> = modified.collect();
    modified.dedup();
    if !modified.is_empty() {
        brains::reload(world, &modified);
    }
    brains::admit(world);
    report(world);
}

/// A tick of all minds, by the clock of the schedule.
pub(crate) fn think(world: &mut World) {
    let dt = world.resource::<Time>().delta();
    brains::step(world, dt);
    report(world);
}

/// Logs what went wrong.
fn report(world: &mut World) {
    let problems = std::mem::take(&mut world.resource_mut::<Brains>().problems);
    for problem in problems {
        let server = world.get_resource::<AssetServer>();
        let path = server.and_then(|server| server.get_path(problem.brain));
        match path {
            Some(path) => tracing::error!("{path}: {}", problem.text),
            None => tracing::error!("{}", problem.text),
        }
        world.write_message(problem);
    }
}

/// A mind runs something else, or at other times.
pub(crate) fn heed(
    changed: Query<'_, '_, (Entity, Ref<'_, Mind>, &Agent), Changed<Mind>>,
    mut brains: ResMut<'_, Brains>,
    mut commands: Commands<'_, '_>,
) {
    for (entity, mind, agent) in &changed {
        let Some(id) = agent.id() else { continue };
        if brains.runs(id, &mind) {
            brains.keep_time(id, &mind);
        } else {
            commands.queue(move |world: &mut World| begin_anew(world, entity));
        }
    }
}

/// Stops what an entity runs; it begins anew unless it is disabled.
fn begin_anew(world: &mut World, entity: Entity) {
    let agent = world.get::<Agent>(entity).and_then(Agent::id);
    if let Some(agent) = agent {
        brains::leave(world, agent);
    }
    if let Some(mut agent) = world.get_mut::<Agent>(entity) {
        *agent = Agent::default();
        world.resource_mut::<Newcomers>().0.push(entity);
    }
}

/// A disabled entity does not think.
pub(crate) fn stop_disabled(disabled: On<Add<Disabled>>, mut commands: Commands<'_, '_>) {
    let entity = disabled.entity;
    commands.queue(move |world: &mut World| begin_anew(world, entity));
}

/// An entity that is enabled again does.
pub(crate) fn start_enabled(enabled: On<Remove<Disabled>>, mut newcomers: ResMut<'_, Newcomers>) {
    newcomers.0.push(enabled.entity);
}
