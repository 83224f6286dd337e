//! What the leaves of one population see: its entities, their facts, and Bevy's world while they are ticked.

use crate::actions::AnyRuns;
use bevy_ecs::prelude::*;
use bevy_platform::hash::NoOpHash;
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

/// Positions by types, whose ids are hashes already.
pub(crate) type Numbers = HashMap<TypeId, usize, NoOpHash>;

/// Passes on what an agent has said.
type Say = Box<dyn FnOnce(&mut World) + Send + Sync>;

/// The world of the leaves, for the registry.
pub(crate) struct Link {
    /// Bevy's world during a tick; an empty one otherwise.
    world: RwLock<World>,
    /// By the index of the agent.
    pub(crate) entities: Vec<Entity>,
    /// One per condition that is a fact: a bit per agent.
    pub(crate) flags: Vec<Vec<u64>>,
    /// One per type of action.
    pub(crate) runs: Vec<Box<dyn AnyRuns>>,
    /// The positions of the types among them.
    pub(crate) numbers: Arc<Numbers>,
    /// What agents have said, to be passed on when the tick is over.
    pub(crate) said: Vec<Say>,
}

impl Link {
    pub(crate) fn new(flags: usize, runs: Vec<Box<dyn AnyRuns>>, numbers: Arc<Numbers>) -> Self {
        Self {
            world: RwLock::new(World::new()),
            entities: Vec::new(),
            flags: vec![Vec::new(); flags],
            runs,
            numbers,
            said: Vec::new(),
        }
    }

    /// Makes room for agents.
    pub(crate) fn grow(&mut self, agents: usize) {
        if agents > self.entities.len() {
            self.entities.resize(agents, Entity::PLACEHOLDER);
        }
        for flags in &mut self.flags {
            flags.resize(self.entities.len().div_ceil(64), 0);
        }
        for runs in &mut self.runs {
            runs.grow(self.entities.len());
        }
    }

    /// Forgets what an earlier agent with this index knew.
    pub(crate) fn welcome(&mut self, index: usize, entity: Entity) {
        self.entities[index] = entity;
        for flags in &mut self.flags {
            flags[index / 64] &= !(1 << (index % 64));
        }
    }

    #[inline]
    pub(crate) fn flag(&self, number: usize, index: usize) -> bool {
        self.flags[number][index / 64] >> (index % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn set_flag(&mut self, number: usize, index: usize, holds: bool) {
        let (word, bit) = (&mut self.flags[number][index / 64], 1 << (index % 64));
        *word = if holds { *word | bit } else { *word & !bit };
    }

    /// Lends Bevy's world to the leaves, as long as `work` goes on.
    pub(crate) fn with<T>(&mut self, world: &mut World, work: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(world, self.world_mut());
        let result = work(self);
        std::mem::swap(world, self.world_mut());
        result
    }

    /// Bevy's world during a tick.
    pub(crate) fn world_mut(&mut self) -> &mut World {
        // Leaves that panic leave the world as it is; their panics are faults.
        self.world
            .get_mut()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Reads Bevy's world during a tick.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&World) -> T) -> T {
        work(
            &self
                .world
                .read()
                .unwrap_or_else(|poisoned| poisoned.into_inner()),
        )
    }

    /// Changes Bevy's world during a tick, for a condition that is a system.
    pub(crate) fn write<T>(&self, work: impl FnOnce(&mut World) -> T) -> T {
        work(
            &mut self
                .world
                .write()
                .unwrap_or_else(|poisoned| poisoned.into_inner()),
        )
    }

    /// When a tick is over: puts into Bevy's world what agents have begun, ended and said.
    pub(crate) fn settle(&mut self, world: &mut World) {
        for runs in &mut self.runs {
            runs.apply(&self.entities, world);
        }
        for say in self.said.drain(..) {
            say(world);
        }
    }
}
