//! What the leaves of one population see: its entities, their facts, and Bevy's world while they are ticked.

use crate::runs::{AnyRuns, Runs};
use bevy_ecs::prelude::*;
use bevy_ecs::system::{SystemId, SystemInput};
use bevy_platform::hash::NoOpHash;
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use treemind::leaves::Answer;
use treemind::{Status, TaskError};

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
        // Whole chunks, so that the last chunk has all its words too.
        let words = self.entities.len().div_ceil(CHUNK_WORDS * 64) * CHUNK_WORDS;
        for flags in &mut self.flags {
            flags.resize(words, 0);
        }
        for runs in &mut self.runs {
            runs.grow(words);
        }
    }

    /// Forgets what an earlier agent with this index knew.
    pub(crate) fn welcome(&mut self, index: usize, entity: Entity) {
        self.entities[index] = entity;
        for flags in &mut self.flags {
            flags[index / 64] &= !(1 << (index % 64));
        }
    }

    /// Notes what a condition is for some agents of a word.
    #[inline]
    pub(crate) fn set_flags(&mut self, number: usize, word: usize, agents: u64, holds: u64) {
        let word = &mut self.flags[number][word];
        *word = *word & !agents | holds;
    }

    /// Lends Bevy's world to the leaves, as long as `work` continues.
    pub(crate) fn with<T>(&mut self, world: &mut World, work: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(world, self.world_mut());
        let result = work(self);
        std::mem::swap(world, self.world_mut());
        result
    }

    /// Bevy's world during a tick.
    fn world_mut(&mut self) -> &mut World {
        // Leaves that panic leave the world as it is; their panics are faults.
        self.world
            .get_mut()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Looks at the entity of an agent.
    pub(crate) fn look<T>(
        &self,
        index: usize,
        look: impl FnOnce(EntityRef<'_>) -> T,
    ) -> Result<T, TaskError> {
        let world = self.world.read();
        let world = world.unwrap_or_else(|poisoned| poisoned.into_inner());
        let entity = world.get_entity(self.entities[index]);
        entity
            .map(look)
            .map_err(|_| TaskError::from("the entity is gone".to_owned()))
    }

    /// Looks at the entity of an agent and at another one.
    pub(crate) fn look_at_both<T>(
        &self,
        index: usize,
        other: Entity,
        look: impl FnOnce(EntityRef<'_>, EntityRef<'_>) -> T,
    ) -> Result<T, TaskError> {
        let gone = |_| TaskError::from("the entity is gone".to_owned());
        let world = self.world.read();
        let world = world.unwrap_or_else(|poisoned| poisoned.into_inner());
        let own = world.get_entity(self.entities[index]).map_err(gone)?;
        let other = world.get_entity(other).map_err(gone)?;
        Ok(look(own, other))
    }

    /// Runs a system for an agent.
    pub(crate) fn run<R: Answer + 'static>(
        &self,
        index: usize,
        system: SystemId<In<Entity>, R>,
    ) -> Result<Status, TaskError> {
        self.ask(system, self.entities[index])?.into_status()
    }

    /// Runs a system that answers something.
    pub(crate) fn ask<I, R>(
        &self,
        system: SystemId<I, R>,
        input: I::Inner<'_>,
    ) -> Result<R, TaskError>
    where
        I: SystemInput + 'static,
        R: 'static,
    {
        let world = self.world.write();
        let mut world = world.unwrap_or_else(|poisoned| poisoned.into_inner());
        let answer = world.run_system_with(system, input);
        answer.map_err(|error| TaskError::from(error.to_string()))
    }

    /// The runs of a type of action.
    #[inline]
    pub(crate) fn runs_of<T: 'static>(&mut self) -> Option<&mut Runs<T>> {
        let number = *self.numbers.get(&TypeId::of::<T>())?;
        self.runs[number].as_any().downcast_mut()
    }

    /// When a tick is over: puts into Bevy's world what agents have begun, ended and said.
    pub(crate) fn settle(&mut self, world: &mut World) {
        // Chunk by chunk, so that what several actions change of one entity is changed while the processor has it near.
        for chunk in 1..=self.entities.len().div_ceil(CHUNK_WORDS * 64) {
            for runs in &mut self.runs {
                runs.apply(&self.entities, chunk * CHUNK_WORDS, world);
            }
        }
        for say in self.said.drain(..) {
            say(world);
        }
    }
}

/// How many words of agents a chunk of a population has at most.
const CHUNK_WORDS: usize = 16;
