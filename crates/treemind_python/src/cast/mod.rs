//! Agents of several documents in one world.

mod actor;
mod library;
mod reloading;
mod saving;

pub(crate) use actor::Actor;

use crate::diagnostics::{self, misuse};
use crate::document::Document;
use crate::host::{Leaves, event_values};
use crate::me::{Cell, Letter, addressee};
use crate::mind::{Fault, event_id, faults, locked};
use crate::runs::SavedRun;
use crate::values::duration;
use library::{Candidate, Place, candidates, free_name};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use treemind_core::behaviour::{LeafKind, Scope};
use treemind_core::chance::seed_of;
use treemind_core::observer::{Hosts, Observed, Observer, Observers, Texts};
use treemind_core::society::SendError;
use treemind_core::tape::Taped as _;
use treemind_core::{
    AgentId, Behaviour, KeyId, MAX_GROUPS, Population, PopulationId, Program, Society,
    SocietyRollback, Tally, Text, To, Value,
};
use treemind_doc::testing::Subject;

/// Agents of several documents in one world. They share, by name, the keys that their documents declare with
/// `scope=world` or `scope=group`, and send events to each other.
#[pyclass(frozen, module = "treemind", weakref)]
pub(crate) struct Cast {
    state: Mutex<State>,
}

struct State {
    society: Society,
    troupes: Vec<Troupe>,
    roles: Vec<Role>,
    documents: Vec<Added>,
    code: Py<PyAny>,
    world: Py<PyAny>,
    on_log: Option<Py<PyAny>>,
    seed: u64,
    observers: Observers,
    /// Of which archetype agents are, also some that are dead.
    who: HashMap<AgentId, Text>,
    kept: Option<Kept>,
    /// Events that could not be sent.
    late: Vec<Fault>,
}

/// A population, and its code.
struct Troupe {
    id: PopulationId,
    leaves: Leaves,
    document: usize,
    subject: Subject,
    place: Place,
}

/// An archetype that can be spawned.
struct Role {
    name: String,
    population: PopulationId,
    document: usize,
    place: Place,
}

/// A document that was added.
struct Added {
    prefix: String,
    texts: Texts,
    code: Py<PyAny>,
}

/// The last steps: what the engine keeps, and what ran in Python.
struct Kept {
    rollback: SocietyRollback,
    most: usize,
    steps: VecDeque<KeptStep>,
}

struct KeptStep {
    number: u64,
    /// For each population.
    runs: Vec<Vec<SavedRun>>,
    who: HashMap<AgentId, Text>,
}

impl State {
    fn add(
        &mut self,
        py: Python<'_>,
        document: &Document,
        prefix: String,
        code: Py<PyAny>,
    ) -> PyResult<Vec<String>> {
        let all = candidates(&document.inner, &prefix);
        let all = all.map_err(|problems| diagnostics::error(py, &problems))?;
        let known = (self.troupes.len(), self.roles.len());
        let names = all.iter().map(|one| one.name.clone()).collect();
        self.documents.push(Added {
            prefix,
            texts: document.inner.texts(),
            code,
        });
        let number = self.documents.len() - 1;
        for one in all {
            if let Err(error) = self.admit(py, number, one) {
                self.roles.truncate(known.1);
                for troupe in self.troupes.drain(known.0..) {
                    self.society.leave(troupe.id);
                }
                self.documents.pop();
                return Err(error);
            }
        }
        self.changed(py)?;
        Ok(names)
    }

    /// Adds an archetype of a document.
    fn admit(&mut self, py: Python<'_>, document: usize, new: Candidate) -> PyResult<()> {
        if let Some(known) = self.roles.iter().find(|role| role.name == new.name) {
            return match known.place == new.place {
                true => Ok(()),
                false => Err(same_name(py, known, &new)),
            };
        }
        let known = self.troupes.iter().find(|troupe| {
            let population = self.society.population(troupe.id);
            troupe.place == new.runs && *population.program().behaviour() == new.behaviour
        });
        let population = match known {
            Some(known) => known.id,
            None => self.join(py, document, new.behaviour, (new.subject, new.runs))?,
        };
        let mut members = self.society.population_mut(population);
        members.name_archetype(&new.name, &new.start, new.interval);
        drop(members);
        self.roles.push(Role {
            name: new.name,
            population,
            document,
            place: new.place,
        });
        Ok(())
    }

    fn join(
        &mut self,
        py: Python<'_>,
        document: usize,
        behaviour: Behaviour,
        (subject, place): (Subject, Place),
    ) -> PyResult<PopulationId> {
        let added = &self.documents[document];
        let name = free_name(&self.society, &added.prefix, behaviour.name());
        let program = Arc::new(Program::new(behaviour));
        let leaves = self.leaves(py, &program, &added.code)?;
        let population = Population::new(program, 0).with_seed(seed_of(self.seed, &name));
        let joined = self.society.join(name, population);
        let id = joined.map_err(|error| misuse(py, error.to_string()))?;
        self.troupes.push(Troupe {
            id,
            leaves,
            document,
            subject,
            place,
        });
        Ok(id)
    }

    fn leaves(&self, py: Python<'_>, program: &Arc<Program>, code: &Py<PyAny>) -> PyResult<Leaves> {
        let log = self.on_log.as_ref().map(|log| log.clone_ref(py));
        Leaves::new(py, program, code.bind(py), self.world.clone_ref(py), log)
    }

    /// Other documents, or other populations: who observes is told, and what is kept begins anew.
    fn changed(&mut self, py: Python<'_>) -> PyResult<()> {
        let texts: Vec<Texts> = self.documents.iter().map(|one| one.texts.clone()).collect();
        self.observers.reloaded(&texts);
        match self.kept.take() {
            Some(kept) => self.keep(py, kept.most),
            None => Ok(()),
        }
    }

    fn step(&mut self, py: Python<'_>, dt: Duration) -> PyResult<Tally> {
        let mut tally = Tally::default();
        let troupes = &mut self.troupes;
        self.observers.step(&mut self.society, dt, &mut |tick| {
            for troupe in troupes.iter_mut() {
                let host = &mut troupe.leaves.serving(py);
                tally = tally + tick(troupe.id, Hosts::One(host));
            }
        });
        self.meet_newborns();
        self.deliver();
        let recorded = self.record(py);
        self.finish(py)?;
        recorded.map(|()| tally)
    }

    /// What ends the call of a step: an interrupt, if there was one.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        let finished: Vec<PyResult<()>> = self
            .troupes
            .iter_mut()
            .map(|troupe| troupe.leaves.finish(py))
            .collect();
        finished.into_iter().collect()
    }

    fn meet_newborns(&mut self) {
        for troupe in &self.troupes {
            for newborn in self.society.population(troupe.id).newborns() {
                self.who.insert(newborn.id, newborn.archetype);
            }
        }
        let there = self.troupes.iter();
        let there: usize = there.map(|one| self.society.population(one.id).len()).sum();
        if self.who.len() > 2 * there + 1_024 {
            let society = &self.society;
            self.who.retain(|agent, _| society.index_of(*agent).is_ok());
        }
    }

    /// Sends what functions have sent in the last step.
    fn deliver(&mut self) {
        for place in 0..self.troupes.len() {
            for letter in self.troupes[place].leaves.take_letters() {
                self.post(self.troupes[place].id, &letter);
            }
        }
    }

    fn post(&mut self, from: PopulationId, letter: &Letter) {
        let behaviour = self.society.population(from).program().behaviour();
        let event = behaviour.leaf(letter.event).name.clone();
        let values = portable(behaviour, &letter.values);
        match self.society.send(letter.to, &event, &values) {
            // Whoever it was for is gone: so are letters of documents.
            Ok(_) | Err(SendError::Dead) => {}
            Err(error) => self.late.push(Fault::of_event(
                event,
                error.to_string(),
                (self.society.name(from), letter.from.index()),
                self.society.steps(),
            )),
        }
    }

    fn index_of(&self, py: Python<'_>, agent: AgentId) -> PyResult<usize> {
        let index = self.society.index_of(agent);
        index.map_err(|_| misuse(py, "the agent is dead: it was removed, or has left"))
    }

    /// The agents that live, population by population.
    fn living(&self) -> Vec<AgentId> {
        let troupes = self.troupes.iter();
        let agents = troupes.flat_map(|troupe| {
            let population = self.society.population(troupe.id);
            (0..population.len()).filter_map(|index| population.id_of(index))
        });
        agents.collect()
    }

    /// A population that has a key of the world, and the key there.
    fn world_key(&self, name: &str) -> PyResult<(PopulationId, KeyId)> {
        let mut names = Vec::new();
        for troupe in &self.troupes {
            let behaviour = self.society.population(troupe.id).program().behaviour();
            for key in behaviour
                .keys()
                .iter()
                .filter(|key| key.scope == Scope::World)
            {
                match behaviour.key_id(&key.name) {
                    Some(id) if key.name == name => return Ok((troupe.id, id)),
                    _ if names.contains(&key.name) => {}
                    _ => names.push(key.name.clone()),
                }
            }
        }
        let text = format!(
            "there is no key `{name}` with `scope=world`; there are: {}",
            names.join(", ")
        );
        Err(PyKeyError::new_err(text))
    }

    /// The values of an event, as every document understands them.
    fn values_of(&self, event: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Value>> {
        for troupe in &self.troupes {
            let behaviour = self.society.population(troupe.id).program().behaviour();
            let known = behaviour.leaf_id(event);
            if known.is_some_and(|id| behaviour.leaf(id).kind == LeafKind::Event) {
                let id = event_id(behaviour, event)?;
                return Ok(portable(behaviour, &event_values(behaviour, id, given)?));
            }
        }
        Err(PyKeyError::new_err(format!(
            "no document has the event `{event}`"
        )))
    }
}

/// Values for programs that have other enumerations: those know a value by its name.
fn portable(behaviour: &Behaviour, values: &[Value]) -> Vec<Value> {
    let named = |value: &Value| match *value {
        Value::Enum(list, at) => {
            let names = &behaviour.enumeration(list).values;
            Value::Text(Text::new(names.get(at as usize).map_or("", String::as_str)))
        }
        other => other,
    };
    values.iter().map(named).collect()
}

fn same_name(py: Python<'_>, known: &Role, new: &Candidate) -> PyErr {
    let text = format!(
        "two files define `{}`: {} and {}; add one of them with a `prefix`",
        new.name, known.place.0, new.place.0
    );
    misuse(py, text)
}

impl Cast {
    fn state(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        locked(py, &self.state)
    }

    fn send_event(
        &self,
        py: Python<'_>,
        to: To,
        event: &str,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        let state = &mut *self.state(py)?;
        let values = state.values_of(event, given)?;
        let sent = state.society.send(to, event, &values);
        sent.map(|sent| sent.received)
            .map_err(|error| misuse(py, error.to_string()))
    }
}

fn checked_group(group: u32) -> PyResult<u32> {
    match group < MAX_GROUPS {
        true => Ok(group),
        false => Err(pyo3::exceptions::PyValueError::new_err(format!(
            "groups are numbered from 0 to {}",
            MAX_GROUPS - 1
        ))),
    }
}

#[pymethods]
impl Cast {
    #[new]
    #[pyo3(signature = (leaves = None, *, world = None, seed = 0, on_log = None))]
    fn new(
        py: Python<'_>,
        leaves: Option<Py<PyAny>>,
        world: Option<Py<PyAny>>,
        seed: u64,
        on_log: Option<Py<PyAny>>,
    ) -> Self {
        let state = State {
            society: Society::new(),
            troupes: Vec::new(),
            roles: Vec::new(),
            documents: Vec::new(),
            code: leaves.unwrap_or_else(|| PyDict::new(py).into_any().unbind()),
            world: world.unwrap_or_else(|| py.None()),
            on_log,
            seed,
            observers: Observers::default(),
            who: HashMap::new(),
            kept: None,
            late: Vec::new(),
        };
        Self {
            state: Mutex::new(state),
        }
    }

    /// Adds the archetypes of a document, and returns their names. A document without archetypes adds what it runs, under
    /// its own name. `leaves` is its code, if it is not that of the cast; `prefix` stands before the names.
    #[pyo3(signature = (document, *, leaves = None, prefix = String::new()))]
    fn add(
        &self,
        py: Python<'_>,
        document: &Document,
        leaves: Option<Py<PyAny>>,
        prefix: String,
    ) -> PyResult<Vec<String>> {
        let state = &mut *self.state(py)?;
        let code = leaves.unwrap_or_else(|| state.code.clone_ref(py));
        state.add(py, document, prefix, code)
    }

    /// The archetypes that can be spawned.
    #[getter]
    fn archetypes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let state = self.state(py)?;
        Ok(state.roles.iter().map(|role| role.name.clone()).collect())
    }

    /// Adds agents of an archetype. They are ticked from the next step on.
    #[pyo3(signature = (archetype, agents = 1, *, group = 0))]
    fn spawn(
        slf: &Bound<'_, Self>,
        archetype: &str,
        agents: usize,
        group: u32,
    ) -> PyResult<Vec<Actor>> {
        let py = slf.py();
        let group = checked_group(group)?;
        let state = &mut *slf.get().state(py)?;
        let Some(role) = state.roles.iter().find(|role| role.name == archetype) else {
            let names: Vec<&str> = state.roles.iter().map(|role| role.name.as_str()).collect();
            return Err(PyKeyError::new_err(format!(
                "there is no archetype `{archetype}`; there are: {}",
                names.join(", ")
            )));
        };
        let id = role.population;
        let there = state.society.population(id).len();
        if agents > MOST_AGENTS.saturating_sub(there) {
            return Err(misuse(py, "a population has at most 100 million agents"));
        }
        let mut population = state.society.population_mut(id);
        let born = population.spawn_archetype(archetype, agents);
        let born = born.unwrap_or_default();
        for agent in born.iter().filter(|_| group > 0) {
            population.set_group(agent.index(), group);
        }
        drop(population);
        let name = Text::new(archetype);
        state.who.extend(born.iter().map(|agent| (*agent, name)));
        Ok(born.into_iter().map(|id| Actor::new(slf, id)).collect())
    }

    /// The agents that live, in the order in which they are ticked.
    #[getter]
    fn agents(slf: &Bound<'_, Self>) -> PyResult<Vec<Actor>> {
        let living = slf.get().state(slf.py())?.living();
        Ok(living.into_iter().map(|id| Actor::new(slf, id)).collect())
    }

    /// The agent with this number, as keys of type `entity` have it; `None` if it is dead.
    fn find(slf: &Bound<'_, Self>, id: u64) -> PyResult<Option<Actor>> {
        let state = slf.get().state(slf.py())?;
        let agent = AgentId::from_bits(id);
        let agent = agent.filter(|agent| state.society.index_of(*agent).is_ok());
        Ok(agent.map(|agent| Actor::new(slf, agent)))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.state(py)?.living().len())
    }

    /// Lets time pass by `dt` seconds, and all agents decide and act, document by document. What they share changes when all
    /// have been ticked. Returns how many answered success, failure, running and skipped.
    #[pyo3(signature = (dt = 0.1))]
    fn step(&self, py: Python<'_>, dt: f64) -> PyResult<(u64, u64, u64, u64)> {
        let dt = duration(dt)?;
        let tally = self.state(py)?.step(py, dt)?;
        Ok((tally.success, tally.failure, tally.running, tally.skipped))
    }

    /// Sends an event: to an agent or its number, to a `group`, or to everybody. They see it in the next step. Returns how
    /// many received it.
    #[pyo3(signature = (event, *, to = None, group = None, **values))]
    fn send(
        &self,
        py: Python<'_>,
        event: &str,
        to: Option<&Bound<'_, PyAny>>,
        group: Option<u32>,
        values: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        let to = match (to, group) {
            (Some(_), Some(_)) => {
                return Err(PyTypeError::new_err(
                    "an event is for `to` or for a `group`",
                ));
            }
            (None, Some(group)) => To::Group(checked_group(group)?),
            (Some(to), None) => match to.cast::<Actor>() {
                Ok(actor) => To::Agent(actor.get().agent()),
                Err(_) => addressee(Some(to), None)?,
            },
            (None, None) => To::World,
        };
        self.send_event(py, to, event, values)
    }

    /// The value of a key of the world.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state(py)?;
        let (population, id) = state.world_key(key)?;
        let population = state.society.population(population);
        let behaviour = population.program().behaviour();
        Cell::of(population.shared_held(id, 0)).to_python(py, behaviour)
    }

    fn __setitem__(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        let (population, id) = state.world_key(key)?;
        let mut population = state.society.population_mut(population);
        let cell = Cell::given(population.program().behaviour(), id, value)?;
        let written = match cell {
            Cell::One(value) => population
                .set_shared(id, 0, value)
                .map_err(|error| error.to_string()),
            Cell::Unset => {
                population.unset_shared(id, 0);
                Ok(())
            }
            Cell::List(items) => match population.shared_list_mut(id, 0) {
                Some(mut list) => {
                    list.clear();
                    let mut items = items.into_iter();
                    items.try_for_each(|item| list.push(item).map_err(|error| error.to_string()))
                }
                None => Ok(()),
            },
        };
        written.map_err(|text| misuse(py, text))
    }

    /// How many steps there were.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.state(py)?.society.steps())
    }

    /// What was given as `world`.
    #[getter]
    fn world(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.state(py)?.world.clone_ref(py))
    }

    /// What went wrong since the last call.
    fn take_faults(&self, py: Python<'_>) -> PyResult<Vec<Fault>> {
        let state = &mut *self.state(py)?;
        let mut all = std::mem::take(&mut state.late);
        for troupe in &mut state.troupes {
            let raised = troupe.leaves.take_exceptions();
            let taken = state.society.population_mut(troupe.id).take_faults();
            all.extend(faults(
                py,
                &taken,
                raised,
                Some(state.society.name(troupe.id)),
            ));
        }
        Ok(all)
    }

    /// Aborts everything that any agent runs, so that every start has its stop.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        for troupe in &mut state.troupes {
            let mut population = state.society.population_mut(troupe.id);
            population.abort_all(&mut troupe.leaves.serving(py));
        }
        state.finish(py)
    }

    /// The whole state as bytes, for `restore`.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.state(py)?.save(py)?;
        Ok(PyBytes::new(py, &saved))
    }

    /// Goes back to a state that was saved by a cast to which the same documents were added, in this process or another.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        self.state(py)?.restore(py, saved)
    }

    /// Keeps the last `steps` steps from now on, so that `go_back` can go to any of them.
    fn keep(&self, py: Python<'_>, steps: usize) -> PyResult<()> {
        self.state(py)?.keep(py, steps)
    }

    /// Makes the cast what it was after a step that is kept, and forgets the steps after it.
    fn go_back(&self, py: Python<'_>, step: u64) -> PyResult<()> {
        self.state(py)?.go_back(py, step)
    }

    /// Goes on with a changed document, which is known by the name of its file. What has not changed goes on; what has changed
    /// is aborted once.
    #[pyo3(signature = (document, leaves = None))]
    fn reload(
        &self,
        py: Python<'_>,
        document: &Document,
        leaves: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        self.state(py)?.reload(py, document, leaves)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a cast cannot be pickled or copied: `save()` gives its state as bytes, which `restore()` of another cast with the same documents takes",
        ))
    }

    fn __repr__(&self) -> String {
        match self.state.try_lock() {
            Ok(state) => format!(
                "<Cast of {} agents, {} steps>",
                state.living().len(),
                state.society.steps()
            ),
            Err(_) => "<Cast, in a step>".to_owned(),
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Ok(state) = self.state.try_lock() else {
            return Ok(());
        };
        visit.call(&state.code)?;
        visit.call(&state.world)?;
        visit.call(&state.on_log)?;
        for added in &state.documents {
            visit.call(&added.code)?;
        }
        let mut troupes = state.troupes.iter();
        troupes.try_for_each(|troupe| troupe.leaves.traverse(&visit))
    }

    fn __clear__(&self, py: Python<'_>) {
        if let Ok(mut state) = self.state.try_lock() {
            (state.code, state.world, state.on_log) = (py.None(), py.None(), None);
            for added in &mut state.documents {
                added.code = py.None();
            }
            let mut troupes = state.troupes.iter_mut();
            let taken: Vec<_> = troupes
                .by_ref()
                .map(|one| one.leaves.take_all(py))
                .collect();
            drop(troupes);
            drop(state);
            // What this calls may look at the cast.
            drop(taken);
        }
    }
}

/// The most agents of a population.
const MOST_AGENTS: usize = 100_000_000;

/// A cast that somebody observes.
pub(crate) struct Seen<'s>(&'s mut State);

impl Cast {
    /// Lets something observe the cast.
    pub(crate) fn observed<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Seen<'_>) -> T,
    ) -> PyResult<T> {
        Ok(work(&mut Seen(&mut *self.state(py)?)))
    }
}

impl Observed for Seen<'_> {
    fn documents(&self) -> Vec<Texts> {
        let documents = self.0.documents.iter();
        documents.map(|added| added.texts.clone()).collect()
    }

    fn programs(&self) -> Vec<(PopulationId, Arc<Program>)> {
        self.0.society.programs()
    }

    fn observe(&mut self, observer: Box<dyn Observer>) {
        self.0.observers.add(observer);
    }
}
