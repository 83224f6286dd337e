//! All minds of a world.

mod admitting;
pub(crate) mod telling;

use crate::brain::BrainProblem;
use crate::facts::Told;
use crate::leaves::{Parts, Role};
use crate::link::Link;
use crate::mind::{Agent, Mind};
use bevy_asset::AssetServer;
use bevy_ecs::prelude::*;
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;
use treemind::AgentId;
use treemind::blackboard::{KeyType, Value};
use treemind::core::Kind;
use treemind::core::behaviour::StateIndex;
use treemind::core::society::SendError;
use treemind::events::{Delivery, To};
use treemind::observer::{Hosts, Observers, TickFn};
use treemind::population::{Population, PopulationId, Society, Tally};

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
    /// Entities that have become agents since the last tick.
    pub(crate) arrived: Vec<Entity>,
    told: Told,
    /// Makes the steps, if somebody watches.
    pub(crate) observers: Observers,
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
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn send_to(&mut self, to: To, event: &str, values: &[Value]) -> Result<(), MindError> {
        let sent = self.society.send(to, event, values);
        sent.map(drop).map_err(|error| match error {
            SendError::Dead => MindError::NoMind,
            SendError::UnknownEvent(name) => MindError::Unknown(name),
            SendError::WrongValues { event, .. } => MindError::WrongType(event),
            _ => treemind::core::unlisted(&error),
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

    /// The population of a mind, and its index there.
    pub(crate) fn mind(&self, agent: &Agent) -> Option<(&Population, usize)> {
        let (id, index) = self.place(agent).ok()?;
        Some((self.society.population(id), index))
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
            population.remove(index, &mut bound.host(link));
        });
        drop(population);
        troupe.link.settle(world);
    }

    /// A tick of all minds.
    pub(crate) fn step(&mut self, world: &mut World, dt: Duration) {
        self.arrived.clear();
        let mut tally = Tally::default();
        let troupes = &mut self.troupes;
        let mut tick_all = |tick: &mut TickFn<'_>| {
            for troupe in &mut *troupes {
                let (id, bound) = (troupe.id, &troupe.parts.bound);
                let link = &mut troupe.link;
                tally =
                    tally + link.with(world, |link| tick(id, Hosts::One(&mut bound.host(link))));
            }
        };
        self.delivery = Some(self.observers.step(&mut self.society, dt, &mut tick_all));
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
}

/// Logs what went wrong.
pub(crate) fn report(world: &mut World) {
    let problems = std::mem::take(&mut world.resource_mut::<Brains>().problems);
    for problem in problems {
        let server = world.get_resource::<AssetServer>();
        let path = server.and_then(|server| server.get_path(problem.brain));
        match path {
            Some(path) => tracing::error!("{path}: {}", problem.text),
            None => tracing::error!("{}", problem.text),
        }
        world.write_message(problem);
    }
}

/// In every how many ticks a mind is ticked.
fn interval_of(mind: &Mind, of_archetype: u32) -> u32 {
    match mind.is_paused {
        true => u32::MAX,
        false => mind.interval.unwrap_or(of_archetype).max(1),
    }
}
