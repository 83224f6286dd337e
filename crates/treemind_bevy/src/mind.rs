//! Minds: which brain an entity has, and which agent it is.

use crate::brain::Brain;
use bevy_asset::Handle;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;
use treemind::AgentId;

/// Gives an entity a mind. As soon as the brain is loaded, it is an [`Agent`], and thinks.
///
/// When the component is removed, the entity is despawned or [disabled](bevy_ecs::entity_disabling::Disabled), what
/// the mind runs is stopped. A disabled entity that is enabled again begins anew.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component)]
#[component(summary_tick)]
#[require(Agent)]
pub struct Mind {
    /// The document.
    pub brain: Handle<Brain>,
    /// Which archetype, tree, machine or decision tree of it; by default what the document names as its `main`, or its
    /// only one.
    pub runs: Option<String>,
    /// It is ticked in every how many ticks: 1 is every tick. By default what the archetype says, or 1.
    pub interval: Option<u32>,
    /// Whether it does not think. What it runs continues when it thinks again; its timers continue meanwhile.
    pub is_paused: bool,
}

impl Mind {
    /// A mind that runs what its document names as its `main`, or has only one of.
    pub fn new(brain: Handle<Brain>) -> Self {
        Self {
            brain,
            runs: None,
            interval: None,
            is_paused: false,
        }
    }

    /// A mind that runs an archetype, tree, machine or decision tree.
    #[must_use]
    pub fn running(self, name: impl Into<String>) -> Self {
        Self {
            runs: Some(name.into()),
            ..self
        }
    }

    /// The same, ticked in every how many ticks.
    ///
    /// # Panics
    /// When the interval is 0.
    #[must_use]
    pub fn every(self, ticks: u32) -> Self {
        assert!(ticks > 0, "an interval has at least one tick");
        Self {
            interval: Some(ticks),
            ..self
        }
    }
}

/// Which agent an entity is. It comes with [`Mind`].
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component)]
#[component(on_add = arrived, on_remove = left, summary_tick)]
pub struct Agent {
    /// The number of its handle; 0 while the brain is not loaded.
    bits: u64,
}

impl Agent {
    pub(crate) fn new(id: AgentId) -> Self {
        Self { bits: id.to_bits() }
    }

    /// Its handle: in documents the value of `me()`, and an address for messages. None while the brain is not loaded.
    pub fn id(&self) -> Option<AgentId> {
        AgentId::from_bits(self.bits)
    }
}

/// Entities whose mind waits for its brain.
#[derive(Resource, Default)]
pub(crate) struct Newcomers(pub(crate) Vec<Entity>);

fn arrived(mut world: DeferredWorld<'_>, at: HookContext) {
    if let Some(mut newcomers) = world.get_resource_mut::<Newcomers>() {
        newcomers.0.push(at.entity);
    }
}

// A hook and not an observer: one observer of a component makes every removal of another component from the same entity
// allocate.
fn left(mut world: DeferredWorld<'_>, at: HookContext) {
    if let Some(WhenGone(gone)) = world.get_resource().copied() {
        gone(&mut world, at.entity);
    }
}

/// What to do when the mind of an entity is gone. The plugin says so: what thinks is built on minds, and they do not
/// know it.
#[derive(Resource, Clone, Copy)]
pub(crate) struct WhenGone(pub(crate) fn(&mut DeferredWorld<'_>, Entity));

/// Also disabled entities: what they did has been stopped, so nothing happens to them.
pub(crate) type Allow = bevy_ecs::query::Allow<bevy_ecs::entity_disabling::Disabled>;
