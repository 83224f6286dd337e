//! One agent whose conditions and actions are functions of Python.

use crate::diagnostics::{exception, misuse};
use crate::document::{Document, DrawnNode, nodes_of};
use crate::host::{FaultPlace, Leaves, event_values};
use crate::me::{Cell, key_id};
use crate::runs;
use crate::values::{Status, duration};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;
use treemind_core::observer::{Observed, Observer, Observers, Texts};
use treemind_core::tape::Taped as _;
use treemind_core::{Behaviour, Faults, Population, PopulationId, Program, Tally, Trace};
use treemind_explain::Explainer;

/// One agent: a document, and the functions that are its conditions and actions.
#[pyclass(frozen, module = "treemind", weakref)]
pub(crate) struct Mind {
    state: Mutex<State>,
}

struct State {
    population: Population,
    leaves: Leaves,
    world: Py<PyAny>,
    code: Py<PyAny>,
    on_log: Option<Py<PyAny>>,
    name: Option<String>,
    texts: Texts,
    observers: Observers,
    explainer: Option<(Explainer, Trace)>,
}

/// Something that went wrong in a tick. The node at fault failed, and the tree went on.
#[pyclass(frozen, module = "treemind")]
pub(crate) struct Fault {
    /// What it was.
    #[pyo3(get)]
    text: String,
    /// The label of the node.
    #[pyo3(get)]
    node: String,
    /// The condition or action that the node calls, if it calls one.
    #[pyo3(get)]
    leaf: Option<String>,
    /// The number of the agent, among those who run the same.
    #[pyo3(get)]
    agent: usize,
    /// Which population of a cast it belongs to; `None` in a mind or a crowd.
    #[pyo3(get)]
    population: Option<String>,
    /// The number of the tick, from 1.
    #[pyo3(get)]
    tick: u64,
    /// What a function raised, with its traceback.
    #[pyo3(get)]
    exception: Option<Py<PyAny>>,
}

impl Fault {
    /// What is wrong with an event that a function has sent.
    pub(crate) fn of_event(
        event: String,
        text: String,
        (population, agent): (&str, usize),
        tick: u64,
    ) -> Self {
        Self {
            text,
            node: event.clone(),
            leaf: Some(event),
            agent,
            population: Some(population.to_owned()),
            tick,
            exception: None,
        }
    }
}

#[pymethods]
impl Fault {
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = format!(
            "tick {}, agent {}, {}: {}",
            self.tick, self.agent, self.node, self.text
        );
        if let Some(raised) = &self.exception {
            let module = PyModule::import(py, "traceback")?;
            let lines: Vec<String> = module
                .call_method1("format_exception", (raised,))?
                .extract()?;
            text.push('\n');
            text.push_str(lines.concat().trim_end());
        }
        Ok(text)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Fault in tick {} at {}: {}>",
            self.tick, self.node, self.text
        )
    }
}

/// The faults as objects, with what was raised.
pub(crate) fn faults(
    py: Python<'_>,
    faults: &Faults,
    mut raised: HashMap<FaultPlace, PyErr>,
    population: Option<&str>,
) -> Vec<Fault> {
    let fault = |fault: &treemind_core::Fault| Fault {
        text: fault.kind.to_string(),
        node: fault.label.as_str().to_owned(),
        leaf: fault.leaf.map(|leaf| leaf.as_str().to_owned()),
        agent: fault.agent,
        population: population.map(str::to_owned),
        tick: fault.tick,
        exception: raised
            .remove(&(fault.tick, fault.agent, fault.node.index()))
            .map(|error| error.into_value(py).into_any()),
    };
    faults.iter().map(fault).collect()
}

impl State {
    fn behaviour(&self) -> &Behaviour {
        self.population.program().behaviour()
    }

    fn tick(&mut self, py: Python<'_>, dt: Duration) -> PyResult<Tally> {
        let host = &mut self.leaves.serving(py);
        let population = &mut self.population;
        let tally = match (&mut self.explainer, self.observers.is_empty()) {
            (Some((explainer, trace)), true) => {
                explainer.before_tick(population);
                trace.clear();
                let tally = population.tick_traced(host, dt, trace);
                explainer.after_tick(population, trace);
                tally
            }
            (_, false) => self.observers.tick(population, host, dt),
            (None, true) => population.tick(host, dt),
        };
        for letter in self.leaves.take_letters() {
            // Nobody else is there to send it to; then it is lost, as in a cast when its receiver is dead.
            let _ = population.send_to(letter.to, letter.event, &letter.values);
        }
        self.leaves.finish(py)?;
        Ok(tally)
    }
}

impl Mind {
    fn state(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        locked(py, &self.state)
    }
}

/// The state, if nobody uses it at the moment.
pub(crate) fn locked<'m, T>(py: Python<'_>, state: &'m Mutex<T>) -> PyResult<MutexGuard<'m, T>> {
    match state.try_lock() {
        Ok(state) => Ok(state),
        Err(TryLockError::Poisoned(state)) => Ok(PoisonError::into_inner(state)),
        Err(TryLockError::WouldBlock) => Err(misuse(
            py,
            "it is being ticked at this moment, by another thread or by whoever called this function: \
             in a function use `me`, and give each thread agents of its own",
        )),
    }
}

#[pymethods]
impl Mind {
    #[new]
    #[pyo3(signature = (document, leaves = None, *, name = None, world = None, seed = 0, on_log = None, explain = false))]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are arguments by name in Python"
    )]
    fn new(
        py: Python<'_>,
        document: &Document,
        leaves: Option<Py<PyAny>>,
        name: Option<String>,
        world: Option<Py<PyAny>>,
        seed: u64,
        on_log: Option<Py<PyAny>>,
        explain: bool,
    ) -> PyResult<Self> {
        let behaviour = document.behaviour(py, name.as_deref())?;
        let code = leaves.unwrap_or_else(|| PyDict::new(py).into_any().unbind());
        let world = world.unwrap_or_else(|| py.None());
        let program = Arc::new(Program::new(behaviour));
        let log = on_log.as_ref().map(|log| log.clone_ref(py));
        let leaves = Leaves::new(py, &program, code.bind(py), world.clone_ref(py), log)?;
        let population = Population::new(program, 1).with_seed(seed);
        let explainer = explain.then(|| (Explainer::new(&population, 0), Trace::with_values()));
        let state = State {
            population,
            leaves,
            world,
            code,
            on_log,
            name,
            texts: document.inner.texts(),
            observers: Observers::default(),
            explainer,
        };
        Ok(Self {
            state: Mutex::new(state),
        })
    }

    /// Lets time pass by `dt` seconds, and the agent decide and act. Returns what the tree answers.
    #[pyo3(signature = (dt = 0.1))]
    fn tick(&self, py: Python<'_>, dt: f64) -> PyResult<Status> {
        let dt = duration(dt)?;
        let tally = self.state(py)?.tick(py, dt)?;
        Ok(match tally {
            Tally { success: 1, .. } => Status::Success,
            Tally { failure: 1, .. } => Status::Failure,
            Tally { skipped: 1, .. } => Status::Skipped,
            _ => Status::Running,
        })
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state(py)?;
        let behaviour = state.behaviour();
        let id = key_id(behaviour, key)?;
        Cell::of(state.population.held(0, id)).to_python(py, behaviour)
    }

    fn __setitem__(&self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.state(py)?;
        let behaviour = state.behaviour();
        let id = key_id(behaviour, key)?;
        let cell = Cell::given(behaviour, id, value)?;
        cell.write(&mut state.population.board(0), id, 0)
            .map_err(|text| misuse(py, text))
    }

    fn __delitem__(&self, py: Python<'_>, key: &str) -> PyResult<()> {
        let none = py.None();
        self.__setitem__(py, key, none.bind(py))
    }

    fn __contains__(&self, py: Python<'_>, key: &str) -> PyResult<bool> {
        Ok(self.state(py)?.behaviour().key_id(key).is_some())
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

    /// Aborts everything that runs, so that every start has its stop.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        state.population.abort_all(&mut state.leaves.serving(py));
        state.leaves.finish(py)
    }

    /// Sends an event; its values are given by name. Returns whether there was room for it.
    #[pyo3(signature = (event, **values))]
    fn send(
        &self,
        py: Python<'_>,
        event: &str,
        values: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<bool> {
        let mut state = self.state(py)?;
        let behaviour = state.behaviour();
        let id = event_id(behaviour, event)?;
        let values = event_values(behaviour, id, values)?;
        Ok(state.population.send(0, id, &values))
    }

    /// What went wrong since the last call.
    fn take_faults(&self, py: Python<'_>) -> PyResult<Vec<Fault>> {
        let state = &mut *self.state(py)?;
        let raised = state.leaves.take_exceptions();
        Ok(faults(py, &state.population.take_faults(), raised, None))
    }

    /// The labels of the nodes that run now.
    #[getter]
    fn running(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let state = self.state(py)?;
        let running = state.population.running(0).into_iter();
        Ok(running
            .map(|node| state.behaviour().label(node).to_owned())
            .collect())
    }

    /// How many ticks there were.
    #[getter]
    fn ticks(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.state(py)?.population.ticks())
    }

    /// The seconds that have passed.
    #[getter]
    fn now(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.state(py)?.population.now_ns() as f64 / 1e9)
    }

    /// What was given as `world`.
    #[getter]
    fn world(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.state(py)?.world.clone_ref(py))
    }

    /// Why it does what it does, in sentences. The mind must have been made with `explain=True`.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        let state = self.state(py)?;
        match &state.explainer {
            Some((explainer, _)) => Ok(explainer.explain(&state.population).to_string()),
            None => Err(misuse(
                py,
                "make the mind with `explain=True`: what is explained has to be noted while it happens",
            )),
        }
    }

    /// Its whole state as bytes, for `restore`.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.state(py)?;
        let saved = runs::saved(py, &state.leaves)?;
        let saved = serde_json::to_vec(&saved).map_err(|error| misuse(py, error.to_string()))?;
        Ok(PyBytes::new(py, &state.population.save_with(&saved)))
    }

    /// Goes back to a state that was saved with the same document. What runs now is forgotten, without a stop.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        let refused = |error: treemind_core::RestoreError| {
            exception(py, "RestoreError", (error.to_string(),))
        };
        let attached = Population::attached(saved).map_err(refused)?;
        let population =
            Population::restore(Arc::clone(state.population.program()), saved).map_err(refused)?;
        if population.len() != 1 {
            return Err(exception(
                py,
                "RestoreError",
                ("these are not the bytes of one mind",),
            ));
        }
        let saved = serde_json::from_slice(attached).map_err(|_| runs::damaged(py))?;
        let made = runs::made(py, &state.leaves, population.len(), saved)?;
        state.leaves.set_runs(made);
        state.population = population;
        Ok(())
    }

    /// Goes on with a changed document. What has not changed goes on; what has changed is aborted once.
    #[pyo3(signature = (document, leaves = None))]
    fn reload(
        &self,
        py: Python<'_>,
        document: &Document,
        leaves: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let state = &mut *self.state(py)?;
        let program = Arc::new(Program::new(document.behaviour(py, state.name.as_deref())?));
        let code = leaves.unwrap_or_else(|| state.code.clone_ref(py));
        let log = state.on_log.as_ref().map(|log| log.clone_ref(py));
        let mut new = Leaves::new(py, &program, code.bind(py), state.world.clone_ref(py), log)?;
        let migration = state
            .population
            .change_program(program, &mut state.leaves.serving(py));
        std::mem::swap(&mut state.leaves, &mut new);
        state.leaves.take_over(new, &migration);
        state.code = code;
        state.texts = document.inner.texts();
        state.observers.reloaded(std::slice::from_ref(&state.texts));
        state.leaves.finish(py)
    }

    /// The nodes for a drawing, and which of them run.
    fn _drawing(&self, py: Python<'_>) -> PyResult<(Vec<DrawnNode>, Vec<usize>)> {
        let state = self.state(py)?;
        let running = state
            .population
            .running(0)
            .into_iter()
            .map(|node| node.index());
        Ok((nodes_of(state.behaviour()), running.collect()))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Ok(state) = self.state.try_lock() else {
            return Ok(());
        };
        visit.call(&state.code)?;
        visit.call(&state.world)?;
        visit.call(&state.on_log)?;
        state.leaves.traverse(&visit)
    }

    fn __clear__(&self, py: Python<'_>) {
        if let Ok(mut state) = self.state.try_lock() {
            (state.code, state.world, state.on_log) = (py.None(), py.None(), None);
            let taken = state.leaves.take_all(py);
            drop(state);
            // What this calls may look at the mind.
            drop(taken);
        }
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a mind cannot be pickled or copied: `save()` gives its state as bytes, which `restore()` of another mind of the same document takes",
        ))
    }

    fn __repr__(&self) -> String {
        match self.state.try_lock() {
            Ok(state) => format!(
                "<Mind {}: {} ticks>",
                state.behaviour().name(),
                state.population.ticks()
            ),
            Err(_) => "<Mind, in a tick>".to_owned(),
        }
    }
}

/// Finds an event by its name.
pub(crate) fn event_id(behaviour: &Behaviour, name: &str) -> PyResult<treemind_core::LeafId> {
    let found = behaviour.leaf_id(name);
    let found =
        found.filter(|id| behaviour.leaf(*id).kind == treemind_core::behaviour::LeafKind::Event);
    found.ok_or_else(|| PyKeyError::new_err(format!("there is no event `{name}` in the document")))
}

/// A mind that somebody observes.
pub(crate) struct Seen<'s>(&'s mut State);

impl Mind {
    /// Lets something observe the mind.
    pub(crate) fn observed<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Seen<'_>) -> T,
    ) -> PyResult<T> {
        let mut state = self.state(py)?;
        if state.explainer.is_some() {
            return Err(misuse(
                py,
                "a mind with `explain=True` cannot be recorded or shown in the studio, which explain by themselves",
            ));
        }
        Ok(work(&mut Seen(&mut state)))
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
