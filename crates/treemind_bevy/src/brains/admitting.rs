//! Populations for the minds that there are: entities become agents, and get new versions of their documents.

use super::{Brains, Troupe, interval_of};
use crate::brain::{Brain, BrainProblem};
use crate::leaves::{Leaves, Parts, Role};
use crate::mind::{Agent, Mind};
use bevy_asset::{AssetId, Assets};
use bevy_ecs::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use treemind::core::chance::seed_of;
use treemind::population::{Population, Society};
use treemind::{AgentId, Migration};

impl Brains {
    /// The troupe for a role; none if the brain is not loaded, or has a problem.
    fn role(
        &mut self,
        role: &Role,
        brains: &Assets<Brain>,
        leaves: &Leaves,
    ) -> Option<Option<usize>> {
        if let Some(known) = self.roles.get(role) {
            return Some(*known);
        }
        let brain = brains.get(role.0)?;
        let made = self.make(role, brain, leaves);
        let place = match made {
            Ok(troupe) => {
                self.troupes.push(troupe);
                Some(self.troupes.len() - 1)
            }
            Err(text) => {
                self.problems.push(BrainProblem {
                    brain: role.0,
                    text,
                });
                None
            }
        };
        self.roles.insert(role.clone(), place);
        Some(place)
    }

    fn make(&mut self, role: &Role, brain: &Brain, leaves: &Leaves) -> Result<Troupe, String> {
        let parts = leaves.prepare(role, brain)?;
        let name = self.free_name(role, brain);
        // Not from the number of the asset, which depends on the order of loading.
        let seed = seed_of(0, &name);
        let population = Population::new(Arc::clone(&parts.program), 0).with_seed(seed);
        let joined = self.society.join(name, population);
        let id = joined.map_err(|error| error.to_string())?;
        Ok(Troupe {
            id,
            parts,
            link: leaves.link(),
        })
    }

    /// A name for a population: that of its document, and of what it runs of it.
    fn free_name(&self, role: &Role, brain: &Brain) -> String {
        let document = brain.document().sources().next();
        let document = document.map_or("", |source| source.name());
        let first = match &role.1 {
            Some(runs) => format!("{document} {runs}"),
            None => document.to_owned(),
        };
        let names: Vec<&str> = self.society.ids().map(|id| self.society.name(id)).collect();
        let is_free = |name: &String| !names.contains(&name.as_str());
        let numbered = (2..).map(|number| format!("{first} {number}"));
        let mut tried = std::iter::once(first.clone()).chain(numbered);
        tried.find(is_free).unwrap_or_default()
    }

    /// The minds of a society that was saved.
    pub(crate) fn of(
        society: Society,
        parts: Vec<Parts>,
        leaves: &Leaves,
        entities: &HashMap<Entity, AgentId>,
        groups: HashMap<Entity, u32>,
    ) -> Self {
        let troupes = society.ids().zip(parts).map(|(id, parts)| {
            let mut link = leaves.link();
            let population = society.population(id);
            parts.bound.reserve(population.len());
            link.grow(population.len());
            let behaviour = population.program().behaviour();
            for agent in (0..population.len()).filter(|agent| population.is_alive(*agent)) {
                for node in population.running(agent) {
                    let leaf = behaviour.node(node).kind.leaf();
                    let name = leaf.map(|leaf| behaviour.leaf(leaf).name.as_str());
                    if let Some(number) = name.and_then(|name| leaves.names.get(name)) {
                        link.runs[*number].resume(agent);
                    }
                }
            }
            Troupe { id, parts, link }
        });
        let mut troupes: Vec<Troupe> = troupes.collect();
        for (entity, agent) in entities {
            let troupe = troupes.get_mut(agent.population().number() as usize);
            if let (Some(troupe), Ok(index)) = (troupe, society.index_of(*agent)) {
                troupe.link.welcome(index, *entity);
            }
        }
        let roles = troupes.iter().enumerate();
        let roles = roles.map(|(place, troupe)| (troupe.parts.role.clone(), Some(place)));
        Self {
            roles: roles.collect(),
            society,
            troupes,
            groups,
            arrived: entities.keys().copied().collect(),
            ..Self::default()
        }
    }

    /// Makes agents of entities whose brain is loaded. Returns the others.
    pub(crate) fn admit(
        &mut self,
        newcomers: Vec<(Entity, Mind, u32)>,
        world: &mut World,
        leaves: &Leaves,
    ) -> Vec<Entity> {
        let mut waiting = Vec::new();
        let mut groups: HashMap<usize, Vec<(Entity, Mind, u32)>> = HashMap::new();
        {
            let brains = world.resource::<Assets<Brain>>();
            for (entity, mind, group) in newcomers {
                let role = (mind.brain.id(), mind.runs.clone());
                match self.role(&role, brains, leaves) {
                    Some(Some(troupe)) => {
                        groups
                            .entry(troupe)
                            .or_default()
                            .push((entity, mind, group));
                    }
                    // Its problem has been named.
                    Some(None) | None => waiting.push(entity),
                }
            }
        }
        let mut all: Vec<_> = groups.into_iter().collect();
        all.sort_unstable_by_key(|(troupe, _)| *troupe);
        for (troupe, minds) in all {
            let troupe = &mut self.troupes[troupe];
            let mut population = self.society.population_mut(troupe.id);
            let ids = population.spawn_many(minds.len());
            troupe.parts.bound.reserve(population.len());
            troupe.link.grow(population.len());
            for ((entity, mind, group), id) in minds.into_iter().zip(ids) {
                let index = id.index();
                troupe.link.welcome(index, entity);
                let interval = interval_of(&mind, troupe.parts.interval);
                if interval != population.interval(index) {
                    population.set_interval(index, interval);
                }
                if group != 0 {
                    population.set_group(index, group);
                }
                if let Ok(mut entity) = world.get_entity_mut(entity)
                    && let Some(mut agent) = entity.get_mut::<Agent>()
                {
                    *agent = Agent::new(id);
                    self.arrived.push(entity.id());
                }
            }
        }
        waiting
    }

    /// Agents that documents have asked for become entities.
    pub(super) fn adopt_newborns(&mut self, world: &mut World) {
        for troupe in &mut self.troupes {
            let population = self.society.population(troupe.id);
            let newborns = population.newborns().to_vec();
            if newborns.is_empty() {
                continue;
            }
            troupe.parts.bound.reserve(population.len());
            troupe.link.grow(population.len());
            for newborn in newborns {
                let entity = world.spawn(Agent::new(newborn.id)).id();
                troupe.link.welcome(newborn.id.index(), entity);
                self.arrived.push(entity);
            }
        }
    }

    /// Gives minds the new version of a document. What has not changed continues.
    pub(crate) fn reload(&mut self, id: AssetId<Brain>, world: &mut World, leaves: &Leaves) {
        // Whose document had problems may have none now.
        self.roles
            .retain(|role, place| role.0 != id || place.is_some());
        let Some(brain) = world.resource::<Assets<Brain>>().get(id).cloned() else {
            return;
        };
        for place in 0..self.troupes.len() {
            if self.troupes[place].parts.role.0 == id
                && let Err(text) = self.exchange(place, &brain, world, leaves)
            {
                self.problems.push(BrainProblem { brain: id, text });
            }
        }
    }

    fn exchange(
        &mut self,
        place: usize,
        brain: &Brain,
        world: &mut World,
        leaves: &Leaves,
    ) -> Result<Migration, String> {
        let troupe = &mut self.troupes[place];
        let parts = leaves.prepare(&troupe.parts.role, brain)?;
        let program = Arc::clone(&parts.program);
        let (society, id, old) = (&mut self.society, troupe.id, &troupe.parts.bound);
        let changed = troupe.link.with(world, |link| {
            society.change_program(id, program, &mut old.host(link))
        });
        let migration = changed.map_err(|error| error.to_string())?;
        parts.bound.take_over(&troupe.parts.bound, &migration);
        parts
            .bound
            .reserve(self.society.population(troupe.id).len());
        troupe.parts = parts;
        troupe.link.settle(world);
        Ok(migration)
    }
}
