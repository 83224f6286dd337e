//! One agent of a cast.

use super::{Cast, checked_group};
use crate::diagnostics::misuse;
use crate::me::{Cell, key_id};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use treemind_core::{AgentId, To};

/// An agent of a cast, for as long as it lives.
#[pyclass(frozen, module = "treemind")]
pub(crate) struct Actor {
    cast: Py<Cast>,
    agent: AgentId,
}

impl Actor {
    pub(super) fn new(cast: &Bound<'_, Cast>, agent: AgentId) -> Self {
        Self {
            cast: cast.clone().unbind(),
            agent,
        }
    }

    pub(super) fn agent(&self) -> AgentId {
        self.agent
    }
}

#[pymethods]
impl Actor {
    fn __getitem__<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let state = self.cast.get().state(py)?;
        let index = state.index_of(py, self.agent)?;
        let population = state.society.population(self.agent.population());
        let behaviour = population.program().behaviour();
        let id = key_id(behaviour, key)?;
        Cell::of(population.held(index, id)).to_python(py, behaviour)
    }

    fn __setitem__(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let state = &mut *self.cast.get().state(py)?;
        let index = state.index_of(py, self.agent)?;
        let mut population = state.society.population_mut(self.agent.population());
        let behaviour = population.program().behaviour();
        let id = key_id(behaviour, key)?;
        let cell = Cell::given(behaviour, id, value)?;
        cell.write(&mut population.board(index), id, index)
            .map_err(|text| misuse(py, text))
    }

    fn __delitem__(&self, py: Python<'_>, key: &str) -> PyResult<()> {
        let none = py.None();
        self.__setitem__(py, key, none.bind(py))
    }

    /// The names of its keys.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let state = self.cast.get().state(py)?;
        state.index_of(py, self.agent)?;
        let population = state.society.population(self.agent.population());
        let keys = population.program().behaviour().keys().iter();
        Ok(keys.map(|key| key.name.clone()).collect())
    }

    /// The agent as a number, as keys of type `entity` have it.
    #[getter]
    fn id(&self) -> u64 {
        self.agent.to_bits()
    }

    /// Its number among those who run the same, as faults have it.
    #[getter]
    fn index(&self) -> usize {
        self.agent.index()
    }

    #[getter]
    fn cast(&self, py: Python<'_>) -> Py<Cast> {
        self.cast.clone_ref(py)
    }

    /// What it was spawned as.
    #[getter]
    fn archetype(&self, py: Python<'_>) -> PyResult<String> {
        let state = self.cast.get().state(py)?;
        let known = state.who.get(&self.agent);
        Ok(known
            .map(|name| name.as_str().to_owned())
            .unwrap_or_default())
    }

    /// Whether it lives.
    #[getter]
    fn alive(&self, py: Python<'_>) -> PyResult<bool> {
        let state = self.cast.get().state(py)?;
        Ok(state.society.index_of(self.agent).is_ok())
    }

    /// The labels of the nodes that run now.
    #[getter]
    fn running(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let state = self.cast.get().state(py)?;
        let index = state.index_of(py, self.agent)?;
        let population = state.society.population(self.agent.population());
        let running = population.running(index).into_iter();
        let behaviour = population.program().behaviour();
        Ok(running
            .map(|node| behaviour.label(node).to_owned())
            .collect())
    }

    /// The number of its group.
    #[getter]
    fn group(&self, py: Python<'_>) -> PyResult<u32> {
        let state = self.cast.get().state(py)?;
        let index = state.index_of(py, self.agent)?;
        let population = state.society.population(self.agent.population());
        Ok(population.group(index))
    }

    #[setter]
    fn set_group(&self, py: Python<'_>, group: u32) -> PyResult<()> {
        let group = checked_group(group)?;
        let state = &mut *self.cast.get().state(py)?;
        let index = state.index_of(py, self.agent)?;
        let mut population = state.society.population_mut(self.agent.population());
        population.set_group(index, group);
        Ok(())
    }

    /// Sends it an event. Returns whether it received it.
    #[pyo3(signature = (event, **values))]
    fn send(
        &self,
        py: Python<'_>,
        event: &str,
        values: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<bool> {
        let cast = self.cast.get();
        let received = cast.send_event(py, To::Agent(self.agent), event, values)?;
        Ok(received > 0)
    }

    /// Removes it, after aborting everything that it runs.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        let state = &mut *self.cast.get().state(py)?;
        let index = state.index_of(py, self.agent)?;
        let id = self.agent.population();
        let mut troupes = state.troupes.iter_mut();
        if let Some(troupe) = troupes.find(|troupe| troupe.id == id) {
            let mut population = state.society.population_mut(id);
            population.remove(index, &mut troupe.leaves.serving(py));
        }
        state.finish(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| {
            let other = other.get();
            other.agent == self.agent && other.cast.is(&self.cast)
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.agent.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let cast = self.cast.get().state.try_lock();
        let known = cast.ok();
        let name = known.as_ref().and_then(|state| state.who.get(&self.agent));
        let name = name.map_or("agent", |name| name.as_str());
        format!("<Actor {name} {}>", self.agent.index())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.cast)
    }
}
