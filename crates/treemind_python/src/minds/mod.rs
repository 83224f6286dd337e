//! Many agents: facts go in as arrays, and which agents do what comes out as arrays.

mod finding;
mod state;

use crate::columns::{read_column, set_each, write_column};
use crate::diagnostics::{exception, misuse};
use crate::document::Document;
use crate::host::event_values;
use crate::me::key_id;
use crate::mind::{Fault, event_id, faults, locked};
use crate::values::{duration, to_value};
use finding::Finding;
use numpy::{IntoPyArray as _, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use state::{Flags, Pace, State, What};
use std::sync::{Arc, Mutex, MutexGuard};
use treemind_core::host::{Columns, Requests};
use treemind_core::observer::{Observed, Observer, Observers, Texts};
use treemind_core::tape::Taped as _;
use treemind_core::{Outcome, Population, PopulationId, Program, Rollback, To, Type};

/// Many agents of one document, whose facts and answers are columns.
#[pyclass(frozen, module = "treemind", weakref)]
pub(crate) struct Minds {
    state: Mutex<State>,
    agents: usize,
}

impl State {
    /// The agents of requests, in ascending order.
    fn agents<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Columns) -> &Requests,
    ) -> Bound<'py, PyArray1<i64>> {
        let count = self.hosts.iter().map(|host| of(host).count()).sum();
        let mut agents: Vec<i64> = Vec::with_capacity(count);
        for host in &self.hosts {
            agents.extend(of(host).agents().map(|agent| agent as i64));
        }
        if !agents.is_sorted() {
            agents.sort_unstable();
        }
        agents.into_pyarray(py)
    }
}

impl Minds {
    fn state(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        locked(py, &self.state)
    }

    fn flags(&self, py: Python<'_>, name: &str, what: What) -> PyResult<Py<PyAny>> {
        let mut state = self.state(py)?;
        let leaf = state.leaf(name, what == What::Holds)?;
        let known = state
            .flags
            .iter()
            .find(|one| one.leaf == leaf && one.what == what);
        if let Some(known) = known {
            return Ok(known.shown.clone_ref(py));
        }
        let module = PyModule::import(py, "treemind._arrays")?;
        let made = module.call_method1("flags", (self.agents,))?;
        let (bytes, shown): (Bound<'_, PyArray1<u8>>, Py<PyAny>) = made.extract()?;
        state.flags.push(Flags {
            leaf,
            what,
            bytes: bytes.unbind(),
            shown: shown.clone_ref(py),
        });
        Ok(shown)
    }

    fn check_agent(&self, agent: usize) -> PyResult<usize> {
        match agent < self.agents {
            true => Ok(agent),
            false => Err(PyIndexError::new_err(format!(
                "there are {} agents, so there is no agent {agent}",
                self.agents
            ))),
        }
    }
}

/// The most agents of a crowd.
const MOST_AGENTS: usize = 100_000_000;

#[pymethods]
impl Minds {
    #[new]
    #[pyo3(signature = (document, agents, *, name = None, seed = 0, threads = 1))]
    fn new(
        py: Python<'_>,
        document: &Document,
        agents: usize,
        name: Option<String>,
        seed: u64,
        threads: usize,
    ) -> PyResult<Self> {
        if !(1..=1024).contains(&threads) {
            return Err(PyValueError::new_err("`threads` is from 1 to 1024"));
        }
        if !(1..=MOST_AGENTS).contains(&agents) {
            return Err(PyValueError::new_err("`agents` is from 1 to 100 million"));
        }
        let behaviour = document.behaviour(py, name.as_deref())?;
        let hosts = (0..threads)
            .map(|_| Columns::new(&behaviour, agents))
            .collect();
        let finding = Finding::new(&behaviour, agents);
        let program = Arc::new(Program::new(behaviour));
        let state = State {
            population: Population::new(program, agents).with_seed(seed),
            hosts,
            flags: Vec::new(),
            finding,
            name,
            texts: document.inner.texts(),
            observers: Observers::default(),
            rollback: None,
            pool: None,
            pace: Pace::default(),
        };
        Ok(Self {
            state: Mutex::new(state),
            agents,
        })
    }

    fn __len__(&self) -> usize {
        self.agents
    }

    /// Where a condition holds: an array of `bool` that belongs to the crowd. Write into it before a step.
    fn holds(&self, py: Python<'_>, condition: &str) -> PyResult<Py<PyAny>> {
        self.flags(py, condition, What::Holds)
    }

    /// Which agents have completed an action: an array of `bool` like `holds`.
    fn succeeded(&self, py: Python<'_>, action: &str) -> PyResult<Py<PyAny>> {
        self.flags(py, action, What::Succeeded)
    }

    /// Which agents have failed to carry an action out: an array of `bool` like `holds`.
    fn failed(&self, py: Python<'_>, action: &str) -> PyResult<Py<PyAny>> {
        self.flags(py, action, What::Failed)
    }

    /// What a `find` chooses from: an array of places or entities, the same for all agents or a row for each; or a
    /// function that is called with the agents that ask, and the parameters by name, a column for each, and returns one.
    fn candidates(&self, py: Python<'_>, name: &str, given: &Bound<'_, PyAny>) -> PyResult<()> {
        self.state(py)?.finding.give(name, false, given)
    }

    /// A number for each candidate: an array, by the places of candidates, for all agents or a row for each; or a
    /// function that is called with the agents of many pairs, and the parameters by name, a column for each, of which the
    /// first is the candidate.
    fn measure(&self, py: Python<'_>, name: &str, given: &Bound<'_, PyAny>) -> PyResult<()> {
        self.state(py)?.finding.give(name, true, given)
    }

    /// Lets time pass by `dt` seconds, and all agents decide. Returns how many answered success, failure, running and
    /// skipped. Other threads of Python go on meanwhile.
    #[pyo3(signature = (dt = 0.1))]
    fn step(&self, py: Python<'_>, dt: f64) -> PyResult<(u64, u64, u64, u64)> {
        let dt = duration(dt)?;
        let state = &mut *self.state(py)?;
        let tally = state.step(py, dt)?;
        let tally = tally.map_err(|text| misuse(py, text))?;
        Ok((tally.success, tally.failure, tally.running, tally.skipped))
    }

    /// The agents that carried an action out in the last step, in ascending order.
    fn running<'py>(&self, py: Python<'py>, action: &str) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let state = self.state(py)?;
        let leaf = state.leaf(action, false)?;
        Ok(state.agents(py, |host| host.running(leaf)))
    }

    /// The agents that started an action in the last step.
    fn started<'py>(&self, py: Python<'py>, action: &str) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let state = self.state(py)?;
        let leaf = state.leaf(action, false)?;
        Ok(state.agents(py, |host| host.started(leaf)))
    }

    /// The agents that ended an action in the last step: by `"success"`, `"failure"`, or because it was `"aborted"`.
    fn stopped<'py>(
        &self,
        py: Python<'py>,
        action: &str,
        outcome: &str,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let all = [Outcome::Success, Outcome::Failure, Outcome::Aborted];
        let outcome = all.into_iter().find(|one| one.as_str() == outcome);
        let outcome = outcome.ok_or_else(|| {
            PyValueError::new_err("an action ends by `success`, `failure` or `aborted`")
        })?;
        let state = self.state(py)?;
        let leaf = state.leaf(action, false)?;
        Ok(state.agents(py, |host| host.stopped(leaf, outcome)))
    }

    /// Sets a key: one value for all agents, or an array with one for each; of `agents` only, if they are given.
    #[pyo3(signature = (key, values, agents = None))]
    fn set(
        &self,
        py: Python<'_>,
        key: &str,
        values: &Bound<'_, PyAny>,
        agents: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        let id = key_id(state.behaviour(), key)?;
        let about = state.behaviour().key(id).clone();
        if about.form.is_list() {
            return Err(PyTypeError::new_err(format!(
                "key `{key}` is a list, which has no column"
            )));
        }
        let module = PyModule::import(py, "treemind._arrays")?;
        let chosen = match agents {
            Some(agents) => Some(module.call_method1("indices", (agents, self.agents))?),
            None => None,
        };
        let chosen: Option<PyReadonlyArray1<'_, i64>> =
            chosen.map(|chosen| chosen.extract()).transpose()?;
        let rows = match &chosen {
            Some(chosen) => chosen.as_slice()?.len(),
            None => self.agents,
        };
        if let Type::Text | Type::Any = about.ty {
            // They have no column: one value for all.
            let value = to_value(state.behaviour(), about.ty, values)?;
            let chosen = chosen
                .as_ref()
                .map(|chosen| chosen.as_slice())
                .transpose()?;
            return set_each(&mut state.population, id, chosen, self.agents, |_| value);
        }
        let names = match about.ty {
            Type::Enum(list) => state.behaviour().enumeration(list).values.clone(),
            _ => Vec::new(),
        };
        let column =
            module.call_method1("column", (key, about.ty.keyword(), names, values, rows))?;
        let chosen = chosen
            .as_ref()
            .map(|chosen| chosen.as_slice())
            .transpose()?;
        write_column(
            &mut state.population,
            (id, about.ty),
            &column,
            chosen,
            self.agents,
        )
    }

    /// The values of a key, one for each agent, as a new array.
    fn get<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let state = &*self.state(py)?;
        let behaviour = state.behaviour();
        let id = key_id(behaviour, key)?;
        read_column(py, &state.population, id, self.agents)
    }

    /// The value of a key of one agent; `None` if it is unset.
    fn get_one<'py>(
        &self,
        py: Python<'py>,
        key: &str,
        agent: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = &*self.state(py)?;
        let id = key_id(state.behaviour(), key)?;
        let held = state.population.held(self.check_agent(agent)?, id);
        crate::values::held_to_python(py, state.behaviour(), held)
    }

    /// Sends an event to all agents, or to one of them. Returns how many took it.
    #[pyo3(signature = (event, to = None, **values))]
    fn send(
        &self,
        py: Python<'_>,
        event: &str,
        to: Option<usize>,
        values: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        let state = &mut *self.state(py)?;
        let id = event_id(state.behaviour(), event)?;
        let values = event_values(state.behaviour(), id, values)?;
        match to {
            Some(agent) => Ok(usize::from(state.population.send(
                self.check_agent(agent)?,
                id,
                &values,
            ))),
            None => {
                let sent = state.population.send_to(To::World, id, &values);
                Ok(sent.map_or(0, |sent| sent.received))
            }
        }
    }

    /// The names of the keys.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let state = self.state(py)?;
        Ok(state
            .behaviour()
            .keys()
            .iter()
            .map(|key| key.name.clone())
            .collect())
    }

    /// The labels of the nodes that an agent has running.
    fn running_nodes(&self, py: Python<'_>, agent: usize) -> PyResult<Vec<String>> {
        let state = self.state(py)?;
        let running = state
            .population
            .running(self.check_agent(agent)?)
            .into_iter();
        Ok(running
            .map(|node| state.behaviour().label(node).to_owned())
            .collect())
    }

    /// How many steps there were.
    #[getter]
    fn ticks(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.state(py)?.population.ticks())
    }

    /// The seconds that have passed.
    #[getter]
    fn now(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.state(py)?.population.now_ns() as f64 / 1e9)
    }

    /// What went wrong since the last call.
    fn take_faults(&self, py: Python<'_>) -> PyResult<Vec<Fault>> {
        let state = &mut *self.state(py)?;
        let raised = state.finding.take_exceptions();
        Ok(faults(py, &state.population.take_faults(), raised, None))
    }

    /// Aborts everything that runs.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        if let Some(first) = state.hosts.first_mut() {
            state.population.abort_all(first);
        }
        Ok(())
    }

    /// The whole state as bytes, for `restore`.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = &*self.state(py)?;
        let saved = py.detach(|| state.population.save());
        Ok(PyBytes::new(py, &saved))
    }

    /// Goes back to a state that was saved with the same document and number of agents.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        let program = Arc::clone(state.population.program());
        let restored = py.detach(|| Population::restore(program, saved));
        let population =
            restored.map_err(|error| exception(py, "RestoreError", (error.to_string(),)))?;
        if population.len() != self.agents {
            let text = format!(
                "these are the bytes of {} agents, not of {}",
                population.len(),
                self.agents
            );
            return Err(exception(py, "RestoreError", (text,)));
        }
        state.rollback = None;
        state.population = population;
        Ok(())
    }

    /// Keeps the last `ticks` steps from now on, so that `go_back` can go to any of them.
    fn keep(&self, py: Python<'_>, ticks: usize) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        state.rollback = (ticks > 0).then(|| Rollback::new(&state.population, ticks));
        Ok(())
    }

    /// Makes the crowd what it was after a step that is kept, and forgets the steps after it.
    fn go_back(&self, py: Python<'_>, tick: u64) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        let Some(rollback) = &mut state.rollback else {
            return Err(misuse(py, "nothing is kept: call `keep(ticks)` first"));
        };
        let kept = rollback.oldest()..=rollback.newest();
        if rollback.go_back(&mut state.population, tick) {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "step {tick} is not kept, only {} to {}",
            kept.start(),
            kept.end()
        )))
    }

    /// Goes on with a changed document. What has not changed goes on; what has changed is aborted once. Arrays of
    /// leaves that are no longer there belong to nobody afterwards.
    fn reload(&self, py: Python<'_>, document: &Document) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        let behaviour = document.behaviour(py, state.name.as_deref())?;
        let hosts = state
            .hosts
            .iter()
            .map(|_| Columns::new(&behaviour, self.agents));
        let hosts: Vec<Columns> = hosts.collect();
        let names: Vec<String> = state
            .flags
            .iter()
            .map(|one| state.behaviour().leaf(one.leaf).name.clone())
            .collect();
        let program = Arc::new(Program::new(behaviour));
        if let Some(first) = state.hosts.first_mut() {
            state.population.change_program(program, first);
        }
        state
            .finding
            .with_behaviour(state.population.program().behaviour());
        state.hosts = hosts;
        state.rollback = None;
        let old = std::mem::take(&mut state.flags);
        for (mut flags, name) in old.into_iter().zip(names) {
            if let Ok(leaf) = state.leaf(&name, flags.what == What::Holds) {
                flags.leaf = leaf;
                state.flags.push(flags);
            }
        }
        state.texts = document.inner.texts();
        state.observers.reloaded(std::slice::from_ref(&state.texts));
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.state.try_lock() {
            Ok(state) => state.finding.traverse(&visit),
            Err(_) => Ok(()),
        }
    }

    fn __clear__(&self) {
        if let Ok(mut state) = self.state.try_lock() {
            let taken = state.finding.take_all();
            drop(state);
            // What this calls may look at the crowd.
            drop(taken);
        }
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a crowd cannot be pickled or copied: `save()` gives its state as bytes, which `restore()` of another crowd of the same document takes",
        ))
    }

    fn __repr__(&self) -> String {
        match self.state.try_lock() {
            Ok(state) => format!(
                "<Minds {}: {} agents, {} ticks>",
                state.behaviour().name(),
                self.agents,
                state.population.ticks()
            ),
            Err(_) => format!("<Minds: {} agents, in a step>", self.agents),
        }
    }
}

/// A crowd that somebody observes.
pub(crate) struct Seen<'s>(&'s mut State);

impl Minds {
    /// Lets something observe the crowd.
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
        vec![self.0.texts.clone()]
    }

    fn programs(&self) -> Vec<(PopulationId, Arc<Program>)> {
        self.0.population.programs()
    }

    fn observe(&mut self, observer: Box<dyn Observer>) {
        self.0.observers.add(observer);
    }
}
