//! The states of machines, as events of entities.

use crate::brains::Brains;
use crate::mind::Agent;
use bevy_ecs::prelude::*;
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
    mut watched: Query<'_, '_, (Entity, Ref<'_, Agent>, &mut WatchStates)>,
    mut commands: Commands<'_, '_>,
) {
    for (entity, agent, mut watch) in &mut watched {
        let states = brains.states_of(&agent);
        if states == watch.states {
            continue;
        }
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
}
