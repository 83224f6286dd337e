//! What Python can do with a cast.

use super::{Actor, Cast, State, checked_group};
use crate::diagnostics::misuse;
use crate::document::Document;
use crate::me::{Cell, addressee};
use crate::mind::{Fault, faults};
use crate::values::duration;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::HashMap;
use std::sync::Mutex;
use treemind_core::observer::Observers;
use treemind_core::{AgentId, Society, Text, To};

/// The most agents of a population.
const MOST_AGENTS: usize = 100_000_000;

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
