//! The systems of a tick.

use crate::brain::Brain;
use crate::brains::{Brains, report};
use crate::decide::Deciders;
use crate::groups::InGroup;
use crate::leaves::Leaves;
use crate::mind::{Agent, Mind, Newcomers};
use crate::states;
use bevy_asset::{AssetEvent, AssetId};
use bevy_ecs::change_detection::ContiguousRef;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_time::Time;
use std::time::Duration;
use treemind::AgentId;

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
        reload(world, &modified);
    }
    admit(world);
    report(world);
}

/// A tick of all minds, by the clock of the schedule.
pub(crate) fn think(world: &mut World) {
    let dt = world.resource::<Time>().delta();
    step(world, dt);
    report(world);
}

/// A mind runs something else, or at other times.
pub(crate) fn heed(
    minds: Query<'_, '_, (Entity, Ref<'_, Mind>, &Agent)>,
    mut brains: ResMut<'_, Brains>,
    mut commands: Commands<'_, '_>,
) {
    let Ok(tables) = minds.contiguous_iter() else {
        return;
    };
    for (entities, minds, agents) in tables {
        let (minds, ticks) = ContiguousRef::split(minds);
        if ticks.summary_tick_is_changed() == Some(false) {
            continue;
        }
        let rows = entities.iter().zip(minds).zip(agents);
        for (((entity, mind), agent), is_changed) in rows.zip(ticks.is_changed_iter()) {
            let Some(id) = agent.id().filter(|_| is_changed) else {
                continue;
            };
            if brains.runs(id, mind) {
                brains.keep_time(id, mind);
            } else {
                let entity = *entity;
                commands.queue(move |world: &mut World| begin_anew(world, entity));
            }
        }
    }
}

/// Stops what an entity runs; it begins anew unless it is disabled.
fn begin_anew(world: &mut World, entity: Entity) {
    let agent = world.get::<Agent>(entity).and_then(Agent::id);
    if let Some(agent) = agent {
        leave(world, agent);
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

/// The mind of an entity is gone: its machines have ended, and what it runs is stopped.
pub(crate) fn gone(world: &mut DeferredWorld<'_>, entity: Entity) {
    states::end(world, entity);
    let agent = world.get::<Agent>(entity).and_then(Agent::id);
    if let Some(agent) = agent {
        world
            .commands()
            .queue(move |world: &mut World| leave(world, agent));
    }
}

/// Removes an agent whose entity no longer has a mind.
fn leave(world: &mut World, agent: AgentId) {
    let left = world.try_resource_scope(|world, mut brains: Mut<'_, Brains>| {
        brains.remove(world, agent);
    });
    // While minds are ticked, they are elsewhere.
    if left.is_none()
        && let Some(mut late) = world.get_resource_mut::<Departures>()
    {
        late.0.push(agent);
    }
}

/// Agents that have left while minds were ticked.
#[derive(Resource, Default)]
pub(crate) struct Departures(Vec<AgentId>);

/// Makes agents of entities whose brain has been loaded.
pub(crate) fn admit(world: &mut World) {
    let waiting = std::mem::take(&mut world.resource_mut::<Newcomers>().0);
    if waiting.is_empty() {
        return;
    }
    world.resource_scope(|world, mut brains: Mut<'_, Brains>| {
        world.resource_scope(|world, leaves: Mut<'_, Leaves>| {
            let mut newcomers = Vec::with_capacity(waiting.len());
            for entity in waiting {
                let Ok(found) = world.get_entity(entity) else {
                    continue;
                };
                if found.contains::<Disabled>() {
                    continue;
                }
                let is_new = found
                    .get::<Agent>()
                    .is_some_and(|agent| agent.id().is_none());
                if let (Some(mind), true) = (found.get::<Mind>(), is_new) {
                    let meets_at = found.get::<InGroup>();
                    let group = meets_at.map_or(0, |at| brains.group_at(at.0));
                    newcomers.push((entity, mind.clone(), group));
                }
            }
            let waiting = brains.admit(newcomers, world, &leaves);
            world.resource_mut::<Newcomers>().0.extend(waiting);
        });
    });
}

/// Gives minds the new versions of documents.
pub(crate) fn reload(world: &mut World, changed: &[AssetId<Brain>]) {
    world.resource_scope(|world, mut brains: Mut<'_, Brains>| {
        world.resource_scope(|world, leaves: Mut<'_, Leaves>| {
            for id in changed {
                world.resource_mut::<Deciders>().forget(*id);
                brains.reload(*id, world, &leaves);
            }
        });
    });
}

/// A tick of all minds.
pub(crate) fn step(world: &mut World, dt: Duration) {
    world.resource_scope(|world, mut brains: Mut<'_, Brains>| {
        brains.step(world, dt);
        let late = std::mem::take(&mut world.resource_mut::<Departures>().0);
        for agent in late {
            brains.remove(world, agent);
        }
    });
}
