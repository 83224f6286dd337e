//! What `find` asks a crowd: which candidates there are, and what is measured of them, by arrays.

use crate::columns::array_of;
use crate::diagnostics::misuse;
use crate::host::FaultPlace;
use numpy::{IntoPyArray as _, PyReadonlyArray1};
use pyo3::exceptions::{PyException, PyKeyError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use treemind_core::behaviour::{LeafKind, Param};
use treemind_core::host::{Answers, Candidates, Columns, Pairs};
use treemind_core::{Behaviour, Call, Host, KeyId, Lanes, Outcome, Type, Value};

/// How many exceptions are kept until somebody asks for the faults.
const MOST_EXCEPTIONS: usize = 1_000;

/// What was given for a leaf.
enum Given {
    /// The candidates of all agents, or of each.
    Candidates(Listed<Value>),
    /// A number for each candidate, by its place among those of its agent.
    Measures(Listed<f32>),
    /// What gives them when they are asked for, for many agents in one call.
    Function(Py<PyAny>),
}

/// A row of items: one for all agents, or one for each.
struct Listed<T> {
    items: Vec<T>,
    width: usize,
    is_each: bool,
}

impl<T> Listed<T> {
    fn of(&self, agent: usize) -> &[T] {
        match self.is_each {
            true => &self.items[agent * self.width..][..self.width],
            false => &self.items,
        }
    }
}

/// The sources of candidates and measures of a crowd.
pub(crate) struct Finding {
    behaviour: Behaviour,
    agents: usize,
    /// By the number of the leaf.
    given: Vec<Option<Given>>,
    raised: Mutex<Raised>,
}

/// What functions have raised.
#[derive(Default)]
struct Raised {
    exceptions: HashMap<FaultPlace, PyErr>,
    /// What is no mistake of a function, such as `KeyboardInterrupt`: it ends the call of a step, after the step.
    interrupt: Option<PyErr>,
}

impl Finding {
    /// Of a crowd of so many agents; nothing is given yet.
    pub(crate) fn new(behaviour: &Behaviour, agents: usize) -> Self {
        Self {
            given: behaviour.leaves().iter().map(|_| None).collect(),
            behaviour: behaviour.clone(),
            agents,
            raised: Mutex::default(),
        }
    }

    /// Of the same crowd with another behaviour: what was given for leaves that are still there is kept.
    pub(crate) fn with_behaviour(&mut self, behaviour: &Behaviour) {
        let mut new = Self::new(behaviour, self.agents);
        let old = self.behaviour.leaves().iter().zip(&mut self.given);
        for (leaf, given) in old {
            let same = behaviour.leaf_id(&leaf.name);
            let same = same.filter(|id| behaviour.leaf(*id).kind == leaf.kind);
            if let Some(id) = same {
                new.given[id.index()] = given.take();
            }
        }
        std::mem::swap(&mut new.raised, &mut self.raised);
        *self = new;
    }

    /// Takes what a crowd is given for a leaf: an array, or a function that makes one.
    pub(crate) fn give(
        &mut self,
        name: &str,
        is_measure: bool,
        given: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (leaf, kind) = self.leaf(name, is_measure)?;
        self.given[leaf] = Some(if given.is_callable() {
            Given::Function(given.clone().unbind())
        } else if let LeafKind::Candidates { ty } = kind {
            Given::Candidates(listed(name, ty, given, self.agents)?)
        } else {
            if let [_, second, ..] = &self.behaviour.leaves()[leaf].params[..] {
                let text = format!(
                    "measure `{name}` has the parameter `{}`, too, so an array cannot say what it is: give a function",
                    second.name
                );
                return Err(PyTypeError::new_err(text));
            }
            Given::Measures(measured(name, given, self.agents)?)
        });
        Ok(())
    }

    fn leaf(&self, name: &str, is_measure: bool) -> PyResult<(usize, LeafKind)> {
        let fits = |kind: LeafKind| match is_measure {
            true => kind == LeafKind::Measure,
            false => matches!(kind, LeafKind::Candidates { .. }),
        };
        let leaves = self.behaviour.leaves();
        let found = leaves
            .iter()
            .position(|leaf| leaf.name == name && fits(leaf.kind));
        found.map(|at| (at, leaves[at].kind)).ok_or_else(|| {
            let known = leaves.iter().filter(|leaf| fits(leaf.kind));
            let known: Vec<&str> = known.map(|leaf| leaf.name.as_str()).collect();
            let what = match is_measure {
                true => "is no measure",
                false => "are no candidates",
            };
            PyKeyError::new_err(format!(
                "there {what} `{name}`; there are: {}",
                known.join(", ")
            ))
        })
    }

    /// What was raised since the last call, for the faults.
    pub(crate) fn take_exceptions(&mut self) -> HashMap<FaultPlace, PyErr> {
        std::mem::take(&mut self.raised().exceptions)
    }

    /// What ends the call of a step: an interrupt, if there was one.
    pub(crate) fn finish(&mut self) -> PyResult<()> {
        self.raised().interrupt.take().map_or(Ok(()), Err)
    }

    fn raised(&mut self) -> &mut Raised {
        self.raised
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The functions, for Python's garbage collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for given in self.given.iter().flatten() {
            if let Given::Function(function) = given {
                visit.call(function)?;
            }
        }
        Ok(())
    }

    /// Takes the functions, because nobody can reach the crowd any more.
    pub(crate) fn take_all(&mut self) -> impl Sized + use<> {
        std::mem::take(&mut self.given)
    }

    /// Notes what a function has raised.
    fn fail(&self, py: Python<'_>, call: &mut Call<'_>, agent: usize, error: PyErr) {
        call.fault(agent, crate::host::said(py, &error));
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if !error.is_instance_of::<PyException>(py) {
            raised.interrupt.get_or_insert(error);
        } else if raised.exceptions.len() < MOST_EXCEPTIONS {
            let place = (call.tick(), agent, call.node().index());
            raised.exceptions.entry(place).or_insert(error);
        }
    }

    fn of(&self, call: &Call<'_>) -> Option<&Given> {
        self.given.get(call.leaf().index())?.as_ref()
    }

    fn candidates(&self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        match self.of(call) {
            Some(Given::Candidates(listed)) => {
                for agent in lanes {
                    push_all(candidates, agent, listed.of(agent));
                }
            }
            Some(Given::Function(function)) => Python::attach(|py| {
                let agents: Vec<usize> = lanes.iter().collect();
                match self.ask_candidates(py, function, call, &agents, candidates.ty()) {
                    Ok(listed) => {
                        for (row, agent) in agents.iter().enumerate() {
                            push_all(candidates, *agent, listed.of(row));
                        }
                    }
                    Err(error) => self.fail(py, call, agents[0], error),
                }
            }),
            _ => {
                let name = &self.behaviour.leaf(call.leaf()).name;
                let text =
                    format!("nobody has said which they are: `crowd.candidates({name:?}, …)`");
                for agent in lanes {
                    call.fault(agent, text.as_str());
                }
            }
        }
    }

    fn ask_candidates(
        &self,
        py: Python<'_>,
        function: &Py<PyAny>,
        call: &Call<'_>,
        agents: &[usize],
        ty: Type,
    ) -> PyResult<Listed<Value>> {
        let leaf = self.behaviour.leaf(call.leaf());
        let arg = |at: usize, row: usize| call.arg(at, agents[row]);
        let named = self.columns(py, &leaf.params, agents.len(), arg)?;
        let given = function.call(py, (numbers(py, agents),), Some(&named))?;
        listed(&leaf.name, ty, given.bind(py), agents.len())
    }

    fn measure(&self, call: &mut Call<'_>, pairs: &mut Pairs) {
        match self.of(call) {
            Some(Given::Measures(numbers)) => {
                for pair in 0..pairs.len() {
                    let of = numbers.of(pairs.agent(pair));
                    if let Some(number) = of.get(pairs.place(pair)) {
                        pairs.set(pair, *number);
                    }
                }
            }
            Some(Given::Function(function)) => {
                Python::attach(|py| match self.ask_measures(py, function, call, pairs) {
                    Ok(numbers) => pairs.values_mut().copy_from_slice(&numbers),
                    Err(error) => self.fail(py, call, pairs.agent(0), error),
                })
            }
            _ => {
                let name = &self.behaviour.leaf(call.leaf()).name;
                let text = format!("nobody has said what it is: `crowd.measure({name:?}, …)`");
                call.fault(pairs.agent(0), text);
            }
        }
    }

    fn ask_measures(
        &self,
        py: Python<'_>,
        function: &Py<PyAny>,
        call: &Call<'_>,
        pairs: &Pairs,
    ) -> PyResult<Vec<f32>> {
        let leaf = self.behaviour.leaf(call.leaf());
        let agents: Vec<usize> = (0..pairs.len()).map(|pair| pairs.agent(pair)).collect();
        let arg = |at: usize, pair: usize| pairs.arg(pair, at);
        let named = self.columns(py, &leaf.params, agents.len(), arg)?;
        let given = function.call(py, (numbers(py, &agents),), Some(&named))?;
        let module = PyModule::import(py, "treemind._arrays")?;
        let given = module.call_method1("answers", (&leaf.name, given, agents.len()))?;
        let given: PyReadonlyArray1<'_, f32> = given.extract()?;
        Ok(given.as_slice()?.to_vec())
    }

    /// The arguments of a call, a column for each parameter.
    fn columns<'py>(
        &self,
        py: Python<'py>,
        params: &[Param],
        rows: usize,
        arg: impl Fn(usize, usize) -> Value,
    ) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        for (at, param) in params.iter().enumerate() {
            let values = (0..rows).map(|row| Some(arg(at, row)));
            let column = array_of(py, &self.behaviour, param.ty, values)?;
            named.set_item(&param.name, column)?;
        }
        Ok(named)
    }
}

fn numbers<'py>(py: Python<'py>, agents: &[usize]) -> Bound<'py, PyAny> {
    let agents: Vec<i64> = agents.iter().map(|agent| *agent as i64).collect();
    agents.into_pyarray(py).into_any()
}

/// Lists candidates up to the first that is nobody or nowhere: rows of an array may end earlier than the array.
fn push_all(candidates: &mut Candidates, agent: usize, all: &[Value]) {
    let is_there = |candidate: &&Value| match candidate {
        Value::Vec2(place) => place.iter().all(|part| !part.is_nan()),
        Value::Vec3(place) => place.iter().all(|part| !part.is_nan()),
        candidate => **candidate != Value::Entity(0),
    };
    for candidate in all.iter().take_while(is_there) {
        if !candidates.push(agent, *candidate) {
            return;
        }
    }
}

/// Candidates from an array: a row for all agents, or one for each.
fn listed(name: &str, ty: Type, given: &Bound<'_, PyAny>, rows: usize) -> PyResult<Listed<Value>> {
    let py = given.py();
    let module = PyModule::import(py, "treemind._arrays")?;
    let made = module.call_method1("candidates", (name, ty.keyword(), given, rows))?;
    let (flat, width, is_each): (Bound<'_, PyAny>, usize, bool) = made.extract()?;
    let items: Vec<Value> = match ty {
        Type::Entity => {
            let flat: PyReadonlyArray1<'_, u64> = flat.extract()?;
            let entities = flat.as_slice()?.iter();
            entities.map(|entity| Value::Entity(*entity)).collect()
        }
        Type::Vec2 => {
            let flat: PyReadonlyArray1<'_, f32> = flat.extract()?;
            let (places, _) = flat.as_slice()?.as_chunks::<2>();
            places.iter().map(|place| Value::Vec2(*place)).collect()
        }
        Type::Vec3 => {
            let flat: PyReadonlyArray1<'_, f32> = flat.extract()?;
            let (places, _) = flat.as_slice()?.as_chunks::<3>();
            places.iter().map(|place| Value::Vec3(*place)).collect()
        }
        other => {
            let text = format!("candidates of type {other} cannot be given as an array");
            return Err(misuse(py, text));
        }
    };
    Ok(Listed {
        items,
        width,
        is_each,
    })
}

/// Numbers by the places of candidates.
fn measured(name: &str, given: &Bound<'_, PyAny>, rows: usize) -> PyResult<Listed<f32>> {
    let module = PyModule::import(given.py(), "treemind._arrays")?;
    let made = module.call_method1("measures", (name, given, rows))?;
    let (flat, width, is_each): (PyReadonlyArray1<'_, f32>, usize, bool) = made.extract()?;
    Ok(Listed {
        items: flat.as_slice()?.to_vec(),
        width,
        is_each,
    })
}

/// The columns of a crowd, or of a part of it, with what `find` asks.
pub(crate) struct Hosting<'s> {
    pub(crate) columns: &'s mut Columns,
    pub(crate) finding: &'s Finding,
}

impl Host for Hosting<'_> {
    #[inline]
    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.columns.ask(call, lanes, answers);
    }

    #[inline]
    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.columns.start(call, lanes);
    }

    #[inline]
    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.columns.update(call, lanes, answers);
    }

    #[inline]
    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        self.columns.stop(call, lanes, outcome);
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        self.columns.sense(call, key, lanes);
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        self.finding.candidates(call, lanes, candidates);
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        self.finding.measure(call, pairs);
    }
}
