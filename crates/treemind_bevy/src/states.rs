//! The states of machines, as events of entities.

use crate::brains::Brains;
use crate::mind::{Agent, Allow};
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;

/// Has the changes of the entity's state machines told, as [`StateChanged`].
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component)]
pub struct WatchStates {
    /// The active states of each machine, as last told.
    states: Vec<(String, Vec<String>)>,
}

/// A state machine of an entity has other active states than after the tick before. It is triggered for entities with
/// [`WatchStates`], also when their mind begins to run the machine, and when it ends.
#[derive(EntityEvent, Clone, Debug, PartialEq)]
pub struct StateChanged {
    /// Who.
    pub entity: Entity,
    /// The machine, by its name or the path of its node.
    pub machine: String,
    /// The states that were active: paths such as `fight.aim`, the outer ones before the inner ones. None if the machine
    /// did not run.
    pub from: Vec<String>,
    /// The states that are active now.
    pub to: Vec<String>,
}

/// Tells which machines have changed.
pub(crate) fn tell(
    brains: Res<'_, Brains>,
    mut watched: Query<'_, '_, (Entity, &Agent, &mut WatchStates), Allow>,
    mut commands: Commands<'_, '_>,
) {
    for (entity, agent, mut watch) in &mut watched {
        let states = brains.states_of(agent);
        if states != watch.states {
            change(entity, &mut watch, states, &mut commands);
        }
    }
}

/// A mind is gone, so its machines have ended.
pub(crate) fn end(world: &mut DeferredWorld<'_>, gone: Entity) {
    let Some(mut watch) = world.get_mut::<WatchStates>(gone) else {
        return;
    };
    let mut watch = std::mem::take(&mut *watch);
    change(gone, &mut watch, Vec::new(), &mut world.commands());
    if let Some(mut now) = world.get_mut::<WatchStates>(gone) {
        *now = watch;
    }
}

fn change(
    entity: Entity,
    watch: &mut WatchStates,
    states: Vec<(String, Vec<String>)>,
    commands: &mut Commands<'_, '_>,
) {
    let find = |all: &[(String, Vec<String>)], machine: &str| {
        let found = all.iter().find(|(name, _)| name == machine);
        found.map_or_else(Vec::new, |(_, states)| states.clone())
    };
    let machines = watch.states.iter().chain(&states);
    let mut machines: Vec<String> = machines.map(|(machine, _)| machine.clone()).collect();
    machines.sort_unstable();
    machines.dedup();
    for machine in machines {
        let (from, to) = (find(&watch.states, &machine), find(&states, &machine));
        if from != to {
            commands.trigger(StateChanged {
                entity,
                machine,
                from,
                to,
            });
        }
    }
    watch.states = states;
}

/// Entities whose machines are watched, and whether they have a component.
type Watched<'w, 's, T> = Query<'w, 's, (&'static WatchStates, Has<T>), Allow>;

/// An observer that puts a component on entities in whose machines a state is active.
pub(crate) fn as_component<T: Component + Default>(
    path: &str,
) -> impl FnMut(On<'_, '_, StateChanged>, Watched<'_, '_, T>, Commands<'_, '_>) + Send + Sync + 'static
{
    let path = path.to_owned();
    move |changed, watched, mut commands| {
        let Ok((watch, has_it)) = watched.get(changed.entity) else {
            return;
        };
        let mut active = watch.states.iter().flat_map(|(_, states)| states);
        let is_active = active.any(|state| *state == path);
        if is_active == has_it {
            return;
        }
        let Ok(mut entity) = commands.get_entity(changed.entity) else {
            return;
        };
        match is_active {
            true => entity.try_insert(T::default()),
            false => entity.try_remove::<T>(),
        };
    }
}
