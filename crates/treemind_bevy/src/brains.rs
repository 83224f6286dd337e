//! All minds of a world.

use crate::brain::Brain;
use crate::facts::{FactWriter, Facts};
use crate::leaves::{Leaves, Parts, Role};
use crate::link::Link;
use crate::mind::{Agent, Mind};
use crate::think::BrainProblem;
use bevy_asset::{AssetId, Assets};
use bevy_ecs::prelude::*;
use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use treemind::behaviour::StateIndex;
use treemind::society::SendError;
use treemind::{
    AgentId, Delivery, KeyType, Kind, Migration, Population, PopulationId, Society, Tally, To,
    Value,
};

/// A population, with its leaves.
struct Troupe {
    id: PopulationId,
    parts: Parts,
    link: Link,
}

/// All minds: a [`Society`] with a population for each document and definition that minds run. Systems read and write
/// blackboards with it, and send messages.
#[derive(Resource, Default)]
pub struct Brains {
    society: Society,
    troupes: Vec<Troupe>,
    /// The positions of roles among the troupes; none for those that have problems.
    roles: HashMap<Role, Option<usize>>,
    /// What the last step has answered.
    tally: Tally,
    delivery: Option<Delivery>,
    /// Entities at which agents meet, by the number of the group.
    pub(crate) groups: HashMap<Entity, u32>,
    pub(crate) problems: Vec<BrainProblem>,
}

/// Why a key of a mind cannot be read or written.
#[derive(Clone, Debug, PartialEq)]
pub enum MindError {
    /// The entity has no mind, or its brain is not loaded.
    NoMind,
    /// Its document has no such key, event or leaf.
    Unknown(String),
    /// The value is of another type.
    WrongType(String),
}

impl fmt::Display for MindError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MindError::NoMind => out.write_str("the entity has no mind that thinks"),
            MindError::Unknown(name) => write!(out, "the document has no `{name}`"),
            MindError::WrongType(name) => write!(out, "`{name}` is of another type"),
        }
    }
}

impl std::error::Error for MindError {}

impl Brains {
    /// The populations, for everything that is not offered here: shared keys, traces, recordings, snapshots.
    pub fn society(&self) -> &Society {
        &self.society
    }

    /// How many minds gave which answer in the last tick.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// What became of the messages of the last tick.
    pub fn delivery(&self) -> Option<Delivery> {
        self.delivery
    }

    /// The entity of an agent; none if it is dead.
    pub fn entity_of(&self, agent: AgentId) -> Option<Entity> {
        let index = self.society.index_of(agent).ok()?;
        let troupe = self.troupe_of(agent)?;
        Some(troupe.link.entities[index])
    }

    /// The value of a key; none if it is unset.
    ///
    /// # Errors
    /// When the entity has no mind that thinks, there is no such key, or it is a list or of another type.
    pub fn get<T: KeyType>(&self, agent: &Agent, key: &str) -> Result<Option<T>, MindError> {
        let (id, index) = self.place(agent)?;
        let population = self.society.population(id);
        let behaviour = population.program().behaviour();
        let found = behaviour.key_id(key);
        let key_id = found.ok_or_else(|| MindError::Unknown(key.to_owned()))?;
        let wrong = || MindError::WrongType(key.to_owned());
        if behaviour.key(key_id).form.is_list() {
            return Err(wrong());
        }
        let value = population.find(index, key_id);
        value
            .map(|value| T::from_value(value).ok_or_else(wrong))
            .transpose()
    }

    /// The actions that a mind runs, by their names in the document.
    ///
    /// # Errors
    /// When the entity has no mind that thinks.
    pub fn doing(&self, agent: &Agent) -> Result<Vec<&str>, MindError> {
        let (id, index) = self.place(agent)?;
        let population = self.society.population(id);
        let behaviour = population.program().behaviour();
        let leaves = population.running(index).into_iter();
        let leaves = leaves.filter_map(|node| behaviour.node(node).kind.leaf());
        Ok(leaves
            .map(|leaf| behaviour.leaf(leaf).name.as_str())
            .collect())
    }

    /// Sets a key. A shared key is set for all that share it.
    ///
    /// # Errors
    /// When the entity has no mind that thinks, there is no such key, or it is a list or of another type.
    pub fn set(&mut self, agent: &Agent, key: &str, value: impl KeyType) -> Result<(), MindError> {
        let (id, index) = self.place(agent)?;
        let mut population = self.society.population_mut(id);
        let found = population.program().behaviour().key_id(key);
        let key_id = found.ok_or_else(|| MindError::Unknown(key.to_owned()))?;
        let set = population.set(index, key_id, value.into_value());
        set.map_err(|_| MindError::WrongType(key.to_owned()))
    }

    /// Sends an event to one mind, which has it in the next tick.
    ///
    /// # Errors
    /// When the entity has no mind that thinks, its document has no such event, or the values do not fit.
    pub fn send(&mut self, agent: &Agent, event: &str, values: &[Value]) -> Result<(), MindError> {
        let agent = agent.id().ok_or(MindError::NoMind)?;
        self.send_to(To::Agent(agent), event, values)
    }

    /// Sends an event to one mind, to a group or to all.
    ///
    /// # Errors
    /// When the agent is dead, no document has such an event, or the values do not fit.
    pub fn send_to(&mut self, to: To, event: &str, values: &[Value]) -> Result<(), MindError> {
        let sent = self.society.send(to, event, values);
        sent.map(drop).map_err(|error| match error {
            SendError::Dead => MindError::NoMind,
            SendError::UnknownEvent(name) => MindError::Unknown(name),
            SendError::WrongValues { event, .. } => MindError::WrongType(event),
        })
    }

    /// The number of the group of agents that belong to an entity.
    pub fn group_at(&mut self, entity: Entity) -> u32 {
        // Group 0 are all that belong to nobody.
        let next = self.groups.len() as u32 + 1;
        *self.groups.entry(entity).or_insert(next)
    }

    pub(crate) fn set_group(&mut self, agent: &Agent, group: u32) {
        if let Ok((id, index)) = self.place(agent) {
            self.society.population_mut(id).set_group(index, group);
        }
    }

    /// Whether an agent runs what its mind says.
    pub(crate) fn runs(&self, agent: AgentId, mind: &Mind) -> bool {
        let (brain, runs) = (mind.brain.id(), &mind.runs);
        let role = self.troupe_of(agent).map(|troupe| &troupe.parts.role);
        role.is_some_and(|role| role.0 == brain && role.1 == *runs)
    }

    /// Has an agent ticked as often as its mind says.
    pub(crate) fn keep_time(&mut self, agent: AgentId, mind: &Mind) {
        let (Ok(index), Some(troupe)) = (self.society.index_of(agent), self.troupe_of(agent))
        else {
            return;
        };
        let interval = interval_of(mind, troupe.parts.interval);
        let mut population = self.society.population_mut(agent.population());
        population.set_interval(index, interval);
    }

    /// The active states of all machines that an agent runs, machine by machine.
    pub(crate) fn states_of(&self, agent: &Agent) -> Vec<(String, Vec<String>)> {
        let Ok((id, index)) = self.place(agent) else {
            return Vec::new();
        };
        let population = self.society.population(id);
        let behaviour = population.program().behaviour();
        let mut found = Vec::new();
        for node in behaviour.node_ids() {
            let Kind::Machine(machine) = &behaviour.node(node).kind else {
                continue;
            };
            // The first is the machine itself.
            let states: std::ops::Range<StateIndex> = 1..machine.states.len();
            let active = states.filter(|state| population.is_in(index, node, *state));
            let paths: Vec<String> = active.map(|state| machine.path(state).join(".")).collect();
            if !paths.is_empty() {
                found.push((behaviour.label(node).to_owned(), paths));
            }
        }
        found
    }

    fn place(&self, agent: &Agent) -> Result<(PopulationId, usize), MindError> {
        let agent = agent.id().ok_or(MindError::NoMind)?;
        let index = self.society.index_of(agent);
        Ok((agent.population(), index.map_err(|_| MindError::NoMind)?))
    }

    fn troupe_of(&self, agent: AgentId) -> Option<&Troupe> {
        // Populations never leave, so the number of a population is its position.
        self.troupes.get(agent.population().number() as usize)
    }

    /// What the leaves of a living agent see.
    pub(crate) fn link_of(&mut self, agent: AgentId) -> Option<&mut Link> {
        self.society.index_of(agent).ok()?;
        let troupe = self.troupes.get_mut(agent.population().number() as usize)?;
        Some(&mut troupe.link)
    }

    /// Tells minds the facts in components.
    pub(crate) fn tell_all<'f, T: Facts>(
        &mut self,
        facts: impl Iterator<Item = (&'f Agent, &'f T)>,
    ) {
        let ty = TypeId::of::<T>();
        let mut keys: Vec<Vec<_>> = vec![Vec::new(); self.troupes.len()];
        for (agent, facts) in facts {
            let Some(id) = agent.id() else { continue };
            let at = id.population().number() as usize;
            let Some(troupe) = self.troupes.get_mut(at) else {
                continue;
            };
            let Some(targets) = troupe.parts.targets.get(&ty) else {
                continue;
            };
            facts.tell(&mut FactWriter {
                targets,
                link: &mut troupe.link,
                keys: &mut keys[at],
                index: id.index(),
            });
        }
        for (troupe, keys) in self.troupes.iter().zip(keys) {
            if keys.is_empty() {
                continue;
            }
            let mut population = self.society.population_mut(troupe.id);
            for (index, key, value) in keys {
                match value {
                    // Its type was compared when the population began.
                    Some(value) => drop(population.set(index, key, value)),
                    None => drop(population.board(index).unset(key, index)),
                }
            }
        }
    }

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
        let name = match &role.1 {
            Some(runs) => format!("{} {runs}", role.0),
            None => role.0.to_string(),
        };
        let seed = name.bytes().fold(0_u64, |seed, byte| {
            seed.rotate_left(8) ^ u64::from(byte).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        let population = Population::new(Arc::clone(&parts.program), 0).with_seed(seed);
        let joined = self.society.join(name, population);
        let id = joined.map_err(|error| error.to_string())?;
        Ok(Troupe {
            id,
            parts,
            link: leaves.link(),
        })
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
            ..Self::default()
        }
    }

    /// What the populations run, in their order.
    pub(crate) fn roles(&self) -> impl Iterator<Item = &Role> {
        self.troupes.iter().map(|troupe| &troupe.parts.role)
    }

    /// All agents with their entities.
    pub(crate) fn agents(&self) -> impl Iterator<Item = (Entity, AgentId)> + '_ {
        self.troupes.iter().flat_map(|troupe| {
            let population = self.society.population(troupe.id);
            let ids = (0..population.len()).filter_map(|index| population.id_of(index));
            ids.map(|id| (troupe.link.entities[id.index()], id))
        })
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
                }
            }
        }
        waiting
    }

    /// Removes an agent, and stops what it runs.
    pub(crate) fn remove(&mut self, world: &mut World, agent: AgentId) {
        let Ok(index) = self.society.index_of(agent) else {
            return;
        };
        let Some(troupe) = self.troupes.get_mut(agent.population().number() as usize) else {
            return;
        };
        let mut population = self.society.population_mut(troupe.id);
        let bound = &troupe.parts.bound;
        troupe.link.with(world, |link| {
            population.remove(&mut bound.host(link), index);
        });
        drop(population);
        troupe.link.settle(world);
    }

    /// A tick of all minds.
    pub(crate) fn step(&mut self, world: &mut World, dt: Duration) {
        let mut tally = Tally::default();
        let mut step = self.society.step(dt);
        for troupe in &mut self.troupes {
            let (id, bound) = (troupe.id, &troupe.parts.bound);
            tally = tally
                + troupe
                    .link
                    .with(world, |link| step.tick(id, &mut bound.host(link)));
        }
        self.delivery = Some(step.end());
        self.tally = tally;
        for troupe in &mut self.troupes {
            let mut population = self.society.population_mut(troupe.id);
            if population.faults().total() > 0 {
                for fault in population.take_faults().iter() {
                    self.problems.push(BrainProblem {
                        brain: troupe.parts.role.0,
                        text: fault.to_string(),
                    });
                }
            }
            drop(population);
            troupe.link.settle(world);
        }
        self.adopt_newborns(world);
    }

    /// Agents that documents have asked for become entities.
    fn adopt_newborns(&mut self, world: &mut World) {
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
            }
        }
    }

    /// Gives minds the new version of a document. What has not changed goes on.
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

/// In every how many ticks a mind is ticked.
fn interval_of(mind: &Mind, of_archetype: u32) -> u32 {
    match mind.is_paused {
        true => u32::MAX,
        false => mind.interval.unwrap_or(of_archetype).max(1),
    }
}
