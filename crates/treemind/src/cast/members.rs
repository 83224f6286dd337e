//! Who is in a cast.

use super::Cast;
use crate::mind::saving::living;
use crate::world::World;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use treemind_core::{AgentId, Text};

/// An agent of a [`Cast`], as [`Cast::agents`] shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'c> {
    /// Its handle.
    pub id: AgentId,
    /// The archetype that it was spawned as; `None` if the game has added it to the [society](Cast::society) itself.
    pub archetype: Option<&'c str>,
    /// The population that it is in, named after the tree, machine or decision tree that it runs.
    pub program: &'c str,
    /// Whether others are in that population, or were.
    has_fellows: bool,
}

impl Member<'_> {
    /// The name by which the studio and reasons know it: that of its population, and a number if there are several.
    pub fn name(&self) -> String {
        match self.has_fellows {
            false => self.program.to_owned(),
            true => format!("{}-{}", self.program, self.id.index() + 1),
        }
    }
}

impl<W: World + ?Sized> Cast<W> {
    /// All agents that live, population by population.
    pub fn agents(&self) -> impl Iterator<Item = Member<'_>> {
        self.troupes.iter().flat_map(move |troupe| {
            let population = self.society.population(troupe.id);
            let ids = living(population)
                .into_iter()
                .filter_map(|index| population.id_of(index));
            ids.map(move |id| Member {
                id,
                archetype: self.who.get(&id).map(|name| name.as_str()),
                program: self.society.name(troupe.id),
                has_fellows: population.len() > 1,
            })
        })
    }

    /// Notes of which archetype new agents are.
    pub(super) fn meet(&mut self, archetype: &str, agents: &[AgentId]) {
        if archetype.is_empty() || agents.is_empty() {
            return;
        }
        let name = Text::new(archetype);
        let who = Arc::make_mut(&mut self.who);
        who.extend(agents.iter().map(|agent| (*agent, name)));
        let ids = self.troupes.iter().map(|troupe| troupe.id);
        let there: usize = ids.map(|id| self.society.population(id).len()).sum();
        if who.len() > 2 * there + 1_024 {
            who.retain(|agent, _| self.society.index_of(*agent).is_ok());
        }
    }

    /// Notes the agents that leaves have asked for in the last step.
    pub(super) fn meet_newborns(&mut self) {
        for troupe in 0..self.troupes.len() {
            let population = self.society.population(self.troupes[troupe].id);
            if !population.newborns().is_empty() {
                for newborn in population.newborns().to_vec() {
                    self.meet(newborn.archetype.as_str(), &[newborn.id]);
                }
            }
        }
    }

    /// The archetypes with their agents that live, to be saved.
    pub(super) fn who_is_what(&self) -> Vec<(String, Vec<u64>)> {
        let mut all: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for Member { id, archetype, .. } in self.agents() {
            if let Some(archetype) = archetype {
                all.entry(archetype).or_default().push(id.to_bits());
            }
        }
        let all = all.into_iter();
        all.map(|(name, agents)| (name.to_owned(), agents))
            .collect()
    }
}

/// Of which archetype saved agents are; `None` if a handle names nobody.
pub(super) fn known(saved: &[(String, Vec<u64>)]) -> Option<HashMap<AgentId, Text>> {
    let mut all = HashMap::new();
    for (archetype, agents) in saved {
        let name = Text::new(archetype);
        for bits in agents {
            all.insert(AgentId::from_bits(*bits)?, name);
        }
    }
    Some(all)
}
