//! The front door: a document, the code of its leaves, and one agent or many, in one value.

mod error;
pub(crate) mod saving;

pub use error::Error;
pub use saving::{MindsRollback, readable};

use crate::keys::{self, KeyError};
use crate::registry::{BindError, Bound, KeyType, Registry};
use crate::world::World;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::observer::{Observed, Observer, Observers, Texts};
use treemind_core::tape::Taped as _;
use treemind_core::{
    Behaviour, Faults, Limits, Migration, Population, PopulationId, Program, Status, Tally,
};
use treemind_doc::{Document, Imports, visible_line};

/// One agent that thinks: a [`Population`] of one, with the leaves of its behaviour bound to a world of type `W`.
///
/// ```
/// use std::time::Duration;
/// use treemind::prelude::*;
///
/// let mut leaves = Registry::<bool>::new();
/// leaves.action("patrol", |_, _| Status::Running);
///
/// let text = b"leaves { action patrol; }\ntree guard { action patrol; }";
/// let mut guard = Mind::read(text, "guard.kdl", &leaves)?;
/// assert_eq!(guard.tick(&mut true, Duration::from_millis(50)), Status::Running);
/// # Ok::<(), treemind::Error>(())
/// ```
///
/// A mind that is dropped cannot call the stops of what it runs, because it no longer has a world. Call
/// [`stop`](Self::stop) first if those stops matter.
pub struct Mind<W: World + ?Sized>(Minds<W>);

/// Many agents that run the same behaviour: a [`Population`], with its leaves bound to a world of type `W`. A leaf
/// learns from [`Agent::index`](crate::Agent::index) which agent it serves.
///
/// A game with several threads or its own hosts uses the population and the bound leaves separately: see
/// [`parts`](Self::parts).
pub struct Minds<W: World + ?Sized> {
    population: Population,
    bound: Bound<W>,
    /// The names and texts of the document and its imports; none for agents of a behaviour.
    texts: Vec<(String, String)>,
    observers: Observers,
}

impl<W: World + ?Sized> Mind<W> {
    /// An agent that runs the only tree, machine or decision tree of a document, or the one that the document's
    /// `main` names. The document may import files from its folder and from folders below.
    ///
    /// # Errors
    /// When the file cannot be read, and as [`read`](Self::read).
    pub fn load(path: impl AsRef<Path>, leaves: &Registry<W>) -> Result<Self, Error> {
        Minds::load(path, leaves, 1).map(Self)
    }

    /// The same for the bytes of a document that imports nothing. `name` is its name in messages; its ending, such as
    /// `.kdl`, decides the format.
    ///
    /// # Errors
    /// When there is an error in the document, or it needs a leaf or a key that `leaves` does not have.
    pub fn read(bytes: &[u8], name: &str, leaves: &Registry<W>) -> Result<Self, Error> {
        Minds::read(bytes, name, leaves, 1).map(Self)
    }

    /// An agent that runs a behaviour.
    ///
    /// # Errors
    /// When the behaviour needs a leaf or a key that `leaves` does not have.
    pub fn new(behaviour: Behaviour, leaves: &Registry<W>) -> Result<Self, BindError> {
        Minds::new(behaviour, leaves, 1).map(Self)
    }

    /// Ticks once: time advances by `dt`, and the agent answers. If it is not [due](Population::set_interval), the
    /// answer is [`Status::Running`].
    pub fn tick(&mut self, world: &mut W::At<'_>, dt: Duration) -> Status {
        let tally = self.0.tick(world, dt);
        match tally {
            Tally { success: 1, .. } => Status::Success,
            Tally { failure: 1, .. } => Status::Failure,
            Tally { skipped: 1, .. } => Status::Skipped,
            _ => Status::Running,
        }
    }

    /// Sets a key of the blackboard.
    ///
    /// # Errors
    /// When there is no such key, when it is of another type, and when it is a list.
    pub fn set(&mut self, key: &str, value: impl KeyType) -> Result<(), KeyError> {
        self.0.set(0, key, value)
    }

    /// The value of a key of the blackboard.
    ///
    /// # Errors
    /// When there is no such key, when it is of another type, and when it is unset or a list.
    pub fn get<T: KeyType>(&self, key: &str) -> Result<T, KeyError> {
        self.0.get(0, key)
    }

    /// Aborts everything that runs, so that every start has its stop. The next tick starts from the beginning.
    pub fn stop(&mut self, world: &mut W::At<'_>) {
        self.0.stop(world);
    }

    /// Continues with a changed document: see [`Minds::reload`].
    ///
    /// # Errors
    /// As [`Minds::reload`].
    pub fn reload(
        &mut self,
        document: &Document,
        leaves: &Registry<W>,
        world: &mut W::At<'_>,
    ) -> Result<Migration, Error> {
        self.0.reload(document, leaves, world)
    }

    /// Sets limits of a tick from now on: how many events a mailbox keeps, and how many runs the loops of an agent start.
    pub fn set_limits(&mut self, limits: Limits) {
        self.0.set_limits(limits);
    }

    /// What went wrong since the last call. A node at fault fails, and the tree continues.
    pub fn take_faults(&mut self) -> Faults {
        self.0.take_faults()
    }

    /// From now on, this one takes part in every tick, beside those that do already.
    pub fn observe(&mut self, observer: Box<dyn Observer>) {
        self.0.observe(observer);
    }

    /// Forgets all that [observe](Self::observe).
    pub fn stop_observing(&mut self) {
        self.0.stop_observing();
    }

    /// The names and texts of the document and of what it imports; none for an agent of a behaviour.
    pub fn texts(&self) -> &[(String, String)] {
        self.0.texts()
    }

    /// The population of one and the leaves bound to it, for everything that a `Mind` does not offer itself.
    pub fn parts(&mut self) -> (&mut Population, &Bound<W>) {
        self.0.parts()
    }
}

impl<W: World + ?Sized> Minds<W> {
    /// `agents` agents, each made as [`Mind::load`] makes one.
    ///
    /// # Errors
    /// As [`Mind::load`].
    pub fn load(
        path: impl AsRef<Path>,
        leaves: &Registry<W>,
        agents: usize,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let imports = Imports::of(path);
        let name = path.to_string_lossy();
        let bytes = imports
            .read(path)
            .map_err(|error| Error::Read(format!("{}: {error}", visible_line(&name))))?;
        let document = Document::read_with(&bytes, &name, |path| imports.read(path));
        Self::of(&document, leaves, agents)
    }

    /// `agents` agents, each made as [`Mind::read`] makes one.
    ///
    /// # Errors
    /// As [`Mind::read`].
    pub fn read(
        bytes: &[u8],
        name: &str,
        leaves: &Registry<W>,
        agents: usize,
    ) -> Result<Self, Error> {
        Self::of(&Document::read(bytes, name), leaves, agents)
    }

    /// Agents of a document; leaves can ask for more of its archetypes.
    fn of(document: &Document, leaves: &Registry<W>, agents: usize) -> Result<Self, Error> {
        let mut minds = Self::new(document.behaviour(None)?, leaves, agents)?;
        minds.name_archetypes(document);
        minds.texts = document.texts();
        Ok(minds)
    }

    fn name_archetypes(&mut self, document: &Document) {
        let behaviour = self.behaviour();
        let archetypes = document.archetypes().iter();
        let own = archetypes.filter(|archetype| archetype.runs() == behaviour.name());
        let own: Vec<_> = own
            .map(|one| (one.name(), one.start(behaviour), one.interval()))
            .collect();
        for (name, start, interval) in own {
            self.population.name_archetype(name, &start, interval);
        }
    }

    /// `agents` agents that run a behaviour.
    ///
    /// # Errors
    /// As [`Mind::new`].
    pub fn new(
        behaviour: Behaviour,
        leaves: &Registry<W>,
        agents: usize,
    ) -> Result<Self, BindError> {
        let bound = leaves.bind(&behaviour)?;
        bound.reserve(agents);
        let population = Population::new(Arc::new(Program::new(behaviour)), agents);
        Ok(Self {
            population,
            bound,
            texts: Vec::new(),
            observers: Observers::default(),
        })
    }

    /// Ticks all agents once: time advances by `dt`, and each agent answers. Returns how many gave each answer.
    pub fn tick(&mut self, world: &mut W::At<'_>, dt: Duration) -> Tally {
        let host = &mut self.bound.host(world);
        match self.observers.is_empty() {
            true => self.population.tick(host, dt),
            false => self.observers.tick(&mut self.population, host, dt),
        }
    }

    /// From now on, this one takes part in every tick, beside those that do already.
    pub fn observe(&mut self, observer: Box<dyn Observer>) {
        self.observers.add(observer);
    }

    /// Forgets all that [observe](Self::observe).
    pub fn stop_observing(&mut self) {
        self.observers.clear();
    }

    /// The names and texts of the document and of what it imports; none for agents of a behaviour.
    pub fn texts(&self) -> &[(String, String)] {
        &self.texts
    }

    /// Sets a key of an agent. An `f64` is rounded if the key is a `float`. A shared key is set for all agents that
    /// share it. To set keys of many agents, look each key up once and use [`Population::set`].
    ///
    /// # Errors
    /// When there is no such key, when it is of another type, and when it is a list.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn set(&mut self, agent: usize, key: &str, value: impl KeyType) -> Result<(), KeyError> {
        let (id, value) = keys::fit(self.behaviour(), key, value)?;
        let set = self.population.set(agent, id, value);
        set.map_err(|error| keys::refused(key, error))
    }

    /// The value of a key of an agent.
    ///
    /// # Errors
    /// When there is no such key, when it is of another type, and when it is unset or a list.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn get<T: KeyType>(&self, agent: usize, key: &str) -> Result<T, KeyError> {
        keys::read(&self.population, agent, key)
    }

    /// Aborts everything that any agent runs, so that every start has its stop. The next tick starts from the
    /// beginning.
    pub fn stop(&mut self, world: &mut W::At<'_>) {
        self.population.abort_all(&mut self.bound.host(world));
    }

    /// Continues with a changed document, between two ticks. What has not changed continues: runs with their states,
    /// timers, states of machines, keys. What has changed is aborted once. Returns what it was. `leaves` are those that
    /// the agents were made with.
    ///
    /// # Errors
    /// When there is an error in the document, or it needs a leaf or a key that `leaves` does not have. Then nothing
    /// has changed.
    pub fn reload(
        &mut self,
        document: &Document,
        leaves: &Registry<W>,
        world: &mut W::At<'_>,
    ) -> Result<Migration, Error> {
        let behaviour = document.behaviour(None)?;
        let bound = leaves.bind(&behaviour)?;
        bound.reserve(self.population.len());
        let program = Arc::new(Program::new(behaviour));
        let host = &mut self.bound.host(world);
        let migration = self.population.change_program(program, host);
        bound.take_over(&self.bound, &migration);
        self.bound = bound;
        self.name_archetypes(document);
        self.texts = document.texts();
        self.observers.reloaded(std::slice::from_ref(&self.texts));
        Ok(migration)
    }

    /// Sets limits of a tick from now on: how many events a mailbox keeps, and how many runs the loops of an agent start.
    pub fn set_limits(&mut self, limits: Limits) {
        self.population.set_limits(limits);
    }

    /// What went wrong since the last call. A node at fault fails, and the tree continues.
    pub fn take_faults(&mut self) -> Faults {
        self.population.take_faults()
    }

    /// The population and the leaves bound to it, for everything that `Minds` does not offer itself: spawning and
    /// removing, [traces](Population::tick_traced), [threads](Population::tick_in_parallel), groups, events.
    pub fn parts(&mut self) -> (&mut Population, &Bound<W>) {
        (&mut self.population, &self.bound)
    }

    fn behaviour(&self) -> &Behaviour {
        self.population.program().behaviour()
    }
}

impl<W: World + ?Sized> Observed for Minds<W> {
    fn documents(&self) -> Vec<Texts> {
        let texts = Some(&self.texts).filter(|texts| !texts.is_empty());
        texts.into_iter().cloned().collect()
    }

    fn programs(&self) -> Vec<(PopulationId, Arc<Program>)> {
        self.population.programs()
    }

    fn observe(&mut self, observer: Box<dyn Observer>) {
        self.observers.add(observer);
    }
}

impl<W: World + ?Sized> Observed for Mind<W> {
    fn documents(&self) -> Vec<Texts> {
        self.0.documents()
    }

    fn programs(&self) -> Vec<(PopulationId, Arc<Program>)> {
        self.0.programs()
    }

    fn observe(&mut self, observer: Box<dyn Observer>) {
        self.0.observers.add(observer);
    }
}

impl<W: World + ?Sized> fmt::Debug for Minds<W> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Minds")
            .field("behaviour", &self.population.program().behaviour().name())
            .field("agents", &self.population.len())
            .field("ticks", &self.population.ticks())
            .finish_non_exhaustive()
    }
}

impl<W: World + ?Sized> fmt::Debug for Mind<W> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}
