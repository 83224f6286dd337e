//! A cast: agents of any number of characters, from any number of documents, in one world.

mod error;
mod library;
mod members;
mod moving;
mod reloading;
mod rollback;
mod saving;

pub use error::{CastError, UnknownArchetype};
pub use members::Member;

use crate::keys::{self, KeyError};
use crate::registry::{KeyType, Registry, closest};
use crate::world::World;
use error::unknown;
use library::{Added, Role, Troupe};
pub use rollback::CastRollback;
pub(crate) use saving::readable;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::Scope;
#[cfg(feature = "rayon")]
use treemind_core::host::Host;
use treemind_core::observer::{Hosts, Observed, Observer, Observers, Texts};
use treemind_core::society::SendError;
use treemind_core::tape::Taped as _;
use treemind_core::{
    AgentId, Behaviour, Dead, Faults, Late, Limits, PopulationId, Program, Sent, Society, Tally,
    Text, Ticket, To, Value,
};

/// Agents of different characters in one world of type `W`: a library of archetypes, and a [`Society`] with a
/// population for each tree, machine or decision tree that they run. Agents are known by their handles
/// ([`AgentId`]), and share the keys, groups and semaphores that their documents declare with `scope=world` and
/// `scope=group`.
///
/// ```
/// use std::time::Duration;
/// use treemind::population::Dead;
/// use treemind::prelude::*;
///
/// let guards = "
///     leaves { action shoot; }
///     blackboard scope=world { key ammo type=int default=3 merge=add; }
///     blackboard { key aim type=float default=0.5; }
///     tree guard { sequence { check \"ammo > 0\"; set \"ammo -= 1\"; action shoot; } }
///     archetype rookie tree=guard
///     archetype marksman tree=guard { given aim=0.9; }
/// ";
/// let cooks = "
///     leaves { action cook; }
///     blackboard scope=world { key ammo type=int default=3 merge=add; }
///     tree cook { reactive-selector { sequence { check \"ammo == 0\"; set \"ammo += 5\"; }; action cook; } }
/// ";
/// let mut leaves = Registry::<Vec<String>>::new();
/// leaves
///     .action("shoot", |told, me| {
///         told.push(format!("shoots with {}", me.get::<f32>("aim")));
///         Status::Success
///     })
///     .action("cook", |_, _| Status::Running);
///
/// let mut cast = Cast::new(leaves);
/// cast.add(&Document::parse(guards, "guards.kdl"))?;
/// cast.add(&Document::parse(cooks, "cooks.kdl"))?;
/// let cook = cast.spawn("cook", 1)?[0];
/// let guards = [cast.spawn("rookie", 2)?, cast.spawn("marksman", 1)?].concat();
///
/// let mut told = Vec::new();
/// cast.step(&mut told, Duration::from_millis(50));
/// assert_eq!(told, ["shoots with 0.5", "shoots with 0.5", "shoots with 0.9"]);
/// // All three have taken from one store; the cook sees in the next step that it is empty.
/// assert_eq!(cast.get::<i64>(cook, "ammo"), Ok(0));
/// cast.step(&mut told, Duration::from_millis(50));
/// assert_eq!(cast.get::<i64>(guards[0], "ammo"), Ok(5));
///
/// cast.remove(guards[0], &mut told)?;
/// assert_eq!(cast.remove(guards[0], &mut told), Err(Dead));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A cast that is dropped cannot call the stops of what its agents run, because it no longer has a world. Call
/// [`stop`](Self::stop) first if those stops matter.
pub struct Cast<W: World + ?Sized> {
    leaves: Registry<W>,
    society: Society,
    seed: u64,
    limits: Limits,
    /// In the order of joining.
    troupes: Vec<Troupe<W>>,
    roles: Vec<Role>,
    /// In the order of adding.
    documents: Vec<Added>,
    observers: Observers,
    /// Of which archetype agents are, also some that are dead.
    who: Arc<HashMap<AgentId, Text>>,
}

impl<W: World + ?Sized> Cast<W> {
    /// A cast without archetypes, whose leaves are these.
    pub fn new(leaves: Registry<W>) -> Self {
        Self {
            leaves,
            society: Society::new(),
            seed: 0,
            limits: Limits::new(),
            troupes: Vec::new(),
            roles: Vec::new(),
            documents: Vec::new(),
            observers: Observers::default(),
            who: Arc::default(),
        }
    }

    /// The same, with another seed for all random numbers. Each population has a seed that depends on this one and on
    /// its name. Set it before adding documents.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets limits of a tick from now on, for all agents: how many events a mailbox keeps, and how many runs the loops of
    /// an agent start. They also hold for documents that are added later.
    ///
    /// ```
    /// use treemind::prelude::*;
    /// use treemind::population::Limits;
    ///
    /// let mut cast = Cast::new(Registry::<()>::new());
    /// cast.set_limits(Limits::new().mailbox(64).runs_per_tick(10_000));
    /// ```
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        for troupe in &self.troupes {
            self.society.population_mut(troupe.id).set_limits(limits);
        }
    }

    /// The archetypes that can be spawned, in the order in which they were added.
    pub fn archetypes(&self) -> impl ExactSizeIterator<Item = &str> {
        self.roles.iter().map(|role| role.name.as_str())
    }

    /// Adds agents of an archetype. Returns their handles. Each is in group 0, and ticked from the next step on.
    ///
    /// # Errors
    /// When there is no such archetype.
    pub fn spawn(
        &mut self,
        archetype: &str,
        agents: usize,
    ) -> Result<Vec<AgentId>, UnknownArchetype> {
        let role = self.roles.iter().find(|role| role.name == archetype);
        let Some(role) = role else {
            return Err(unknown(archetype, self.archetypes()));
        };
        let troupe = &self.troupes[role.troupe];
        let mut population = self.society.population_mut(troupe.id);
        let ids = population.spawn_archetype(archetype, agents);
        troupe.bound.reserve(population.len());
        drop(population);
        let ids = ids.expect("the population knows its archetypes");
        self.meet(archetype, &ids);
        Ok(ids)
    }

    /// Removes an agent, after aborting everything that it runs.
    ///
    /// # Errors
    /// When it is already dead.
    pub fn remove(&mut self, agent: AgentId, world: &mut W::At<'_>) -> Result<(), Dead> {
        let index = self.society.index_of(agent)?;
        let mut troupes = self.troupes.iter();
        let troupe = troupes.find(|troupe| troupe.id == agent.population());
        let troupe = troupe.ok_or(Dead)?;
        let mut population = self.society.population_mut(troupe.id);
        population.remove(index, &mut troupe.bound.host(world));
        Ok(())
    }

    /// Removes agents, after aborting everything that they run. Those that are dead are left out. This is faster than
    /// removing them one by one.
    pub fn remove_many(&mut self, agents: &[AgentId], world: &mut W::At<'_>) {
        for troupe in &self.troupes {
            let own = agents
                .iter()
                .filter(|agent| agent.population() == troupe.id);
            let society = &self.society;
            let own: Vec<usize> = own
                .filter_map(|agent| society.index_of(*agent).ok())
                .collect();
            if !own.is_empty() {
                let mut population = self.society.population_mut(troupe.id);
                population.remove_many(own, &mut troupe.bound.host(world));
            }
        }
    }

    /// Whether an agent is alive.
    pub fn is_alive(&self, agent: AgentId) -> bool {
        self.society.index_of(agent).is_ok()
    }

    /// One step: time advances by `dt`, and all agents are ticked, population by population in the order in which they
    /// joined. What they share changes when all have been ticked. Returns how many gave each answer.
    pub fn step(&mut self, world: &mut W::At<'_>, dt: Duration) -> Tally {
        let mut tally = Tally::default();
        let troupes = &self.troupes;
        self.observers.step(&mut self.society, dt, &mut |tick| {
            for troupe in troupes {
                tally = tally + tick(troupe.id, Hosts::One(&mut troupe.bound.host(world)));
            }
        });
        self.meet_newborns();
        tally
    }

    /// Like [`step`](Self::step), on several threads: each world serves a part of the agents of each population, as
    /// [`Population::parts`](crate::population::Population::parts) divides them. The threads are those of the current
    /// `rayon` pool.
    ///
    /// The result is the same for any number of worlds, as long as what leaves do for one agent does not depend on what
    /// they did for another one in the same step. A world that [borrows](crate::world) can hold what all threads read, and
    /// a list of what its agents want to change. Unlike `step`, it allocates a short list for each population.
    ///
    /// # Panics
    /// When there is no world.
    #[cfg(feature = "rayon")]
    pub fn step_in_parallel<'w>(&mut self, worlds: &mut [W::At<'w>], dt: Duration) -> Tally
    where
        W::At<'w>: Send,
    {
        assert!(!worlds.is_empty(), "a step needs a world");
        let mut tally = Tally::default();
        let troupes = &self.troupes;
        self.observers.step(&mut self.society, dt, &mut |tick| {
            for troupe in troupes {
                let hosts = worlds.iter_mut().map(|world| troupe.bound.host(world));
                let mut hosts: Vec<_> = hosts.collect();
                let hosts = hosts.iter_mut().map(|host| host as &mut (dyn Host + Send));
                let mut hosts: Vec<_> = hosts.collect();
                tally = tally + tick(troupe.id, Hosts::Many(&mut hosts));
            }
        });
        self.meet_newborns();
        tally
    }

    /// Sends an event to one agent, to a group or to all, between two steps; they see it in the next one. `values` are those
    /// of the event's parameters, in order: see [`Society::send`].
    ///
    /// # Errors
    /// When there is no such agent, no document has the event, or the values do not fit its parameters.
    pub fn send(&mut self, to: To, event: &str, values: &[Value]) -> Result<Sent, SendError> {
        self.society.send(to, event, values)
    }

    /// From now on, this one takes part in every step, beside those that do already.
    pub fn observe(&mut self, observer: Box<dyn Observer>) {
        self.observers.add(observer);
    }

    /// Forgets all that [observe](Self::observe).
    pub fn stop_observing(&mut self) {
        self.observers.clear();
    }

    /// The names and texts of the documents and of what they import.
    pub fn texts(&self) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = Vec::new();
        for (name, text) in self.documents.iter().flat_map(|added| &added.texts) {
            if !all.iter().any(|(known, _)| known == name) {
                all.push((name.clone(), text.clone()));
            }
        }
        all
    }

    /// Sets a key of an agent. An `f64` is rounded if the key is a `float`. A shared key is set for all agents that
    /// share it.
    ///
    /// # Errors
    /// When the agent is dead, there is no such key, it is of another type, or it is a list.
    pub fn set(&mut self, agent: AgentId, key: &str, value: impl KeyType) -> Result<(), KeyError> {
        let index = self.index_of(agent)?;
        let mut population = self.society.population_mut(agent.population());
        let (id, value) = keys::fit(population.program().behaviour(), key, value)?;
        let set = population.set(index, id, value);
        set.map_err(|error| keys::refused(key, error))
    }

    /// The value of a key of an agent.
    ///
    /// # Errors
    /// When the agent is dead, there is no such key, it is of another type, unset, or a list.
    pub fn get<T: KeyType>(&self, agent: AgentId, key: &str) -> Result<T, KeyError> {
        let index = self.index_of(agent)?;
        keys::read(self.society.population(agent.population()), index, key)
    }

    /// Sets a key of the world, that is, one with `scope=world`, whether agents live or not. An `f64` is rounded if the key
    /// is a `float`.
    ///
    /// # Errors
    /// When no document has such a key, it is of another type, or it is a list.
    pub fn set_world(&mut self, key: &str, value: impl KeyType) -> Result<(), KeyError> {
        let id = self.with_world_key(key)?;
        let mut population = self.society.population_mut(id);
        let (id, value) = keys::fit(population.program().behaviour(), key, value)?;
        let set = population.set_shared(id, 0, value);
        set.map_err(|error| keys::refused(key, error))
    }

    /// The value of a key of the world.
    ///
    /// # Errors
    /// When no document has such a key, it is of another type, unset, or a list.
    pub fn get_world<T: KeyType>(&self, key: &str) -> Result<T, KeyError> {
        let population = self.society.population(self.with_world_key(key)?);
        keys::read_as(population.program().behaviour(), key, |id| {
            population.shared_held(id, 0)
        })
    }

    /// A population that has a key of the world.
    fn with_world_key(&self, key: &str) -> Result<PopulationId, KeyError> {
        let of = |troupe: &Troupe<W>| self.society.population(troupe.id).program().behaviour();
        let mut found = None;
        for troupe in &self.troupes {
            let Some(id) = of(troupe).key_id(key) else {
                continue;
            };
            if of(troupe).key(id).scope == Scope::World {
                return Ok(troupe.id);
            }
            found = Some(KeyError::NotOfWorld {
                name: key.to_owned(),
            });
        }
        Err(found.unwrap_or_else(|| {
            let behaviours = self.troupes.iter().map(of);
            let keys = behaviours.flat_map(Behaviour::keys);
            let world = keys.filter(|key| key.scope == Scope::World);
            KeyError::Missing {
                name: key.to_owned(),
                suggestion: closest(key, world.map(|key| key.name.as_str())),
            }
        }))
    }

    /// Moves an agent to a group; groups are numbered from 0, for all archetypes.
    ///
    /// # Errors
    /// When the agent is dead.
    ///
    /// # Panics
    /// When the number is [`MAX_GROUPS`](crate::population::MAX_GROUPS) or more.
    pub fn set_group(&mut self, agent: AgentId, group: u32) -> Result<(), Dead> {
        let index = self.society.index_of(agent)?;
        let mut population = self.society.population_mut(agent.population());
        population.set_group(index, group);
        Ok(())
    }

    /// Reports the end of a run of an action that the game ends itself: see [`Agent::ticket`](crate::Agent::ticket).
    ///
    /// # Errors
    /// When the agent is dead, or the run is over.
    pub fn finish(&mut self, ticket: Ticket, success: bool) -> Result<(), Late> {
        self.index_of(ticket.agent).map_err(|_| Late::Dead)?;
        let mut population = self.society.population_mut(ticket.agent.population());
        population.finish(ticket, success)
    }

    /// Aborts everything that any agent runs, so that every start has its stop. The next step starts from the
    /// beginning.
    pub fn stop(&mut self, world: &mut W::At<'_>) {
        for troupe in &self.troupes {
            let mut population = self.society.population_mut(troupe.id);
            population.abort_all(&mut troupe.bound.host(world));
        }
    }

    /// What went wrong since the last call, for each population with faults, by its name. A node at fault fails, and
    /// the agent continues.
    pub fn take_faults(&mut self) -> Vec<(String, Faults)> {
        let ids = self.troupes.iter().map(|troupe| troupe.id);
        let faults = ids.map(|id| {
            let faults = self.society.population_mut(id).take_faults();
            (self.society.name(id).to_owned(), faults)
        });
        faults.filter(|(_, faults)| faults.total() > 0).collect()
    }

    /// The populations, for everything that `Cast` does not offer itself: shared keys, events, newborns, traces.
    pub fn society(&mut self) -> &mut Society {
        &mut self.society
    }

    fn index_of(&self, agent: AgentId) -> Result<usize, KeyError> {
        self.society.index_of(agent).map_err(|Dead| KeyError::Dead)
    }
}

impl<W: World + ?Sized> Observed for Cast<W> {
    fn documents(&self) -> Vec<Texts> {
        let documents = self.documents.iter();
        documents.map(|added| added.texts.clone()).collect()
    }

    fn programs(&self) -> Vec<(PopulationId, Arc<Program>)> {
        self.society.programs()
    }

    fn observe(&mut self, observer: Box<dyn Observer>) {
        self.observers.add(observer);
    }
}

impl<W: World + ?Sized> fmt::Debug for Cast<W> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.roles.iter().map(|role| role.name.as_str()).collect();
        out.debug_struct("Cast")
            .field("archetypes", &names)
            .field("steps", &self.society.steps())
            .finish_non_exhaustive()
    }
}
