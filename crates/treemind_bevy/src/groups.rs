//! Groups: entities that belong to another one share keys, semaphores and messages with `scope=group`.

use crate::brains::Brains;
use crate::mind::Agent;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;

/// The entity belongs to a group: that of another entity, such as a squad or its leader. Entities with minds that belong
/// to no group are one group, too.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component)]
#[relationship(relationship_target = GroupOf)]
#[component(on_remove = part)]
pub struct InGroup(pub Entity);

/// The entities of a group.
#[derive(Component, Reflect, Debug, Default)]
#[reflect(Component)]
#[relationship_target(relationship = InGroup)]
pub struct GroupOf(Vec<Entity>);

/// A mind joins a group.
pub(crate) fn join(
    joined: On<Insert<InGroup>>,
    members: Query<'_, '_, (&Agent, &InGroup)>,
    brains: Option<ResMut<'_, Brains>>,
) {
    // While minds are ticked, they cannot change their groups; documents can say so in this case.
    if let (Ok((agent, group)), Some(mut brains)) = (members.get(joined.entity), brains) {
        let number = brains.group_at(group.0);
        brains.set_group(agent, number);
    }
}

// A hook and not an observer: one observer of a component makes every removal of another component from the same entity
// allocate.
/// A mind leaves its group.
fn part(mut world: DeferredWorld<'_>, at: HookContext) {
    let agent = world.get::<Agent>(at.entity).copied();
    if let (Some(agent), Some(mut brains)) = (agent, world.get_resource_mut::<Brains>()) {
        brains.set_group(&agent, 0);
    }
}
