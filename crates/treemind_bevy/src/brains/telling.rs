//! Facts in components become what minds know.

use super::{Brains, Troupe};
use crate::facts::{FactWriter, Facts, Target, Told, has_keys};
use crate::link::Link;
use crate::mind::Agent;
use bevy_ecs::change_detection::ContiguousRef;
use bevy_ecs::prelude::*;
use std::any::TypeId;

/// The population of the agents that are being told.
struct Audience<'t> {
    targets: &'t [Target],
    has_keys: bool,
    link: &'t mut Link,
}

impl Audience<'_> {
    /// Notes what the conditions are for some agents of a word.
    fn note(&mut self, word: usize, agents: u64, words: &mut [u64]) {
        for (target, holds) in self.targets.iter().zip(words) {
            if let Target::Condition(number) = target {
                self.link.set_flags(*number, word, agents, *holds);
            }
            *holds = 0;
        }
    }
}

impl Brains {
    /// Tells minds the facts in components. Those in keys wait for [`tell_keys`](Self::tell_keys).
    // Neighbours in a table are mostly neighbours in their population, so conditions are noted for words of agents.
    pub(crate) fn tell<'f, T: Facts>(&mut self, facts: impl Iterator<Item = (&'f Agent, &'f T)>) {
        let Told { words, keys } = &mut self.told;
        words.clear();
        words.resize(T::FIELDS.len(), 0);
        keys.resize_with(self.troupes.len(), Vec::new);
        let mut audience: Option<Audience<'_>> = None;
        let (mut place, mut word, mut told) = (usize::MAX, usize::MAX, 0);
        for (agent, facts) in facts {
            let Some(id) = agent.id() else { continue };
            let (population, index) = (id.population().number() as usize, id.index());
            if (population, index / 64) != (place, word) {
                if let Some(audience) = &mut audience {
                    audience.note(word, told, words);
                }
                if population != place {
                    audience = audience_at::<T>(&mut self.troupes, population);
                }
                (place, word, told) = (population, index / 64, 0);
            }
            let Some(audience) = &mut audience else {
                continue;
            };
            told |= 1 << (index % 64);
            facts.tell(&mut FactWriter {
                targets: audience.targets,
                has_keys: audience.has_keys,
                words,
                keys: &mut keys[place],
                index,
            });
        }
        if let Some(audience) = &mut audience {
            audience.note(word, told, words);
        }
    }

    /// Writes what was told to keys.
    pub(crate) fn tell_keys(&mut self) {
        for (troupe, keys) in self.troupes.iter().zip(&mut self.told.keys) {
            if keys.is_empty() {
                continue;
            }
            let mut population = self.society.population_mut(troupe.id);
            for (index, key, value) in keys.drain(..) {
                match value {
                    // Its type was compared when the population began.
                    Some(value) => drop(population.set(index, key, value)),
                    None => drop(population.board(index).unset(key, index)),
                }
            }
        }
    }
}

/// The population at that place, if it knows any of these facts.
fn audience_at<T: Facts>(troupes: &mut [Troupe], place: usize) -> Option<Audience<'_>> {
    let troupe = troupes.get_mut(place)?;
    let targets = troupe.parts.targets.get(&TypeId::of::<T>())?;
    Some(Audience {
        targets,
        has_keys: has_keys(targets),
        link: &mut troupe.link,
    })
}

/// Tells minds the fields of components that have changed, or that are new to them.
pub(crate) fn tell<T: Facts>(
    mut brains: ResMut<'_, Brains>,
    all: Query<'_, '_, (&Agent, Ref<'_, T>)>,
) {
    match all.contiguous_iter() {
        Ok(tables) => {
            for (agents, facts) in tables {
                let (facts, ticks) = ContiguousRef::split(facts);
                if ticks.summary_tick_is_changed() != Some(false) {
                    let rows = agents.iter().zip(facts).zip(ticks.is_changed_iter());
                    let changed = rows.filter(|(_, is_changed)| *is_changed);
                    brains.tell(changed.map(|(row, _)| row));
                }
            }
        }
        // Its components are not in tables.
        Err(_) => {
            let changed = all.iter().filter(|(_, facts)| facts.is_changed());
            brains.tell(changed.map(|(agent, facts)| (agent, facts.into_inner())));
        }
    }
    let arrived = std::mem::take(&mut brains.arrived);
    let new = arrived.iter().filter_map(|entity| all.get(*entity).ok());
    brains.tell(new.map(|(agent, facts)| (agent, facts.into_inner())));
    brains.arrived = arrived;
    brains.tell_keys();
}
