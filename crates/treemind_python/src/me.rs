//! `me`: the agent that a function serves.
//!
//! A function gets no reference into the engine. Before each call, `me` takes a copy of the agent's keys; what the
//! function writes is written after the call.

use crate::diagnostics::misuse;
use crate::host::event_values;
use crate::mind::event_id;
use crate::values::{held_to_python, to_value};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::Arc;
use treemind_core::behaviour::Behaviour;
use treemind_core::host::Call;
use treemind_core::{AgentId, Held, KeyId, LeafId, Program, To, Type, Value};

/// What a key held when the call began, or was given since.
#[derive(Clone)]
pub(crate) enum Cell {
    Unset,
    One(Value),
    List(Vec<Value>),
}

impl Cell {
    pub(crate) fn of(held: Held<'_>) -> Self {
        match held {
            Held::One(value) => Cell::One(value),
            Held::List(list) => Cell::List(list.iter().collect()),
            _ => Cell::Unset,
        }
    }

    pub(crate) fn to_python<'py>(
        &self,
        py: Python<'py>,
        behaviour: &Behaviour,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Cell::Unset => Ok(py.None().into_bound(py)),
            Cell::One(value) => held_to_python(py, behaviour, Held::One(*value)),
            Cell::List(items) => {
                let items = items
                    .iter()
                    .map(|value| held_to_python(py, behaviour, Held::One(*value)));
                Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
            }
        }
    }

    /// What Python gives a key: `None` unsets it.
    pub(crate) fn given(
        behaviour: &Behaviour,
        key: KeyId,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let about = behaviour.key(key);
        let of_key = |error: PyErr| {
            let text = format!("key `{}`: {}", about.name, error.value(value.py()));
            PyErr::from_type(error.get_type(value.py()), text)
        };
        if about.form.is_list() {
            let items = value.try_iter().map_err(|_| {
                PyTypeError::new_err(format!(
                    "key `{}` is a list: give it a list of values",
                    about.name
                ))
            })?;
            let items = items.map(|item| to_value(behaviour, about.ty, &item?));
            return items
                .collect::<PyResult<_>>()
                .map(Cell::List)
                .map_err(of_key);
        }
        if value.is_none() {
            return match about.form {
                treemind_core::behaviour::Form::Optional { .. } => Ok(Cell::Unset),
                _ => Err(PyTypeError::new_err(format!(
                    "key `{}` is not optional, so it cannot be None",
                    about.name
                ))),
            };
        }
        to_value(behaviour, about.ty, value)
            .map(Cell::One)
            .map_err(of_key)
    }
}

impl Cell {
    /// Gives it to a key of an agent.
    pub(crate) fn write(
        &self,
        board: &mut treemind_core::Board<'_>,
        key: KeyId,
        agent: usize,
    ) -> Result<(), String> {
        match self {
            Cell::Unset => {
                board.unset(key, agent);
            }
            Cell::One(value) => board
                .set(key, agent, *value)
                .map_err(|error| error.to_string())?,
            Cell::List(items) => {
                let Some(mut list) = board.list_mut(key, agent) else {
                    return Ok(());
                };
                list.clear();
                for item in items {
                    list.push(*item).map_err(|error| error.to_string())?;
                }
            }
        }
        Ok(())
    }
}

/// Finds a key by its name.
pub(crate) fn key_id(behaviour: &Behaviour, name: &str) -> PyResult<KeyId> {
    behaviour.key_id(name).ok_or_else(|| {
        let keys = behaviour.keys().iter().map(|key| key.name.as_str());
        let keys: Vec<&str> = keys.collect();
        PyKeyError::new_err(format!(
            "there is no key `{name}`; there are: {}",
            keys.join(", ")
        ))
    })
}

/// An event that a function sends, with its values in order.
pub(crate) struct Letter {
    pub(crate) from: AgentId,
    pub(crate) to: To,
    pub(crate) event: LeafId,
    pub(crate) values: Vec<Value>,
}

/// What a function asks for, done after the call.
enum Wish {
    Send(To, LeafId, Vec<Value>),
    Spawn(String, Vec<(String, Value)>),
    Group(u32),
    Remove,
}

/// The agent that a function serves: its keys, the time, and the world of the game.
#[pyclass(module = "treemind", name = "Me")]
pub(crate) struct Me {
    program: Option<Arc<Program>>,
    cells: Vec<Cell>,
    written: Vec<KeyId>,
    wishes: Vec<Wish>,
    world: Py<PyAny>,
    is_active: bool,
    id: Option<AgentId>,
    group: u32,
    index: usize,
    now_ns: u64,
    dt_ns: u64,
    tick: u64,
    label: usize,
}

impl Me {
    pub(crate) fn new(world: Py<PyAny>) -> Self {
        Self {
            program: None,
            cells: Vec::new(),
            written: Vec::new(),
            wishes: Vec::new(),
            world,
            is_active: false,
            id: None,
            group: 0,
            index: 0,
            now_ns: 0,
            dt_ns: 0,
            tick: 0,
            label: 0,
        }
    }

    /// Copies what a function may ask for.
    pub(crate) fn begin(&mut self, program: &Arc<Program>, call: &Call<'_>, agent: usize) {
        if !self
            .program
            .as_ref()
            .is_some_and(|known| Arc::ptr_eq(known, program))
        {
            self.program = Some(Arc::clone(program));
        }
        self.cells.clear();
        let keys = program.behaviour().keys().len();
        self.cells
            .extend((0..keys).map(|key| Cell::of(call.held(KeyId::new(key), agent))));
        self.written.clear();
        self.wishes.clear();
        self.is_active = true;
        (self.id, self.group) = (Some(call.id_of(agent)), call.group(agent));
        (self.index, self.tick, self.label) = (agent, call.tick(), call.node().index());
        (self.now_ns, self.dt_ns) = (call.now_ns(), call.dt_ns());
    }

    /// Writes what the function has written, and does what it has asked for.
    pub(crate) fn end(&mut self, call: &mut Call<'_>, letters: &mut Vec<Letter>) {
        self.is_active = false;
        let agent = self.index;
        for wish in self.wishes.drain(..) {
            match wish {
                Wish::Send(to, event, values) => letters.push(Letter {
                    from: call.id_of(agent),
                    to,
                    event,
                    values,
                }),
                Wish::Spawn(archetype, given) => {
                    let given = given.iter().map(|(key, value)| (key.as_str(), *value));
                    call.spawn(agent, &archetype, &given.collect::<Vec<_>>());
                }
                Wish::Group(group) => call.set_group(agent, group),
                Wish::Remove => call.remove(agent),
            }
        }
        for key in self.written.drain(..) {
            if let Err(text) = write(call, key, agent, &self.cells[key.index()]) {
                call.fault(agent, text);
            }
        }
    }

    /// Lets go of the world, because nobody can reach the agents any more.
    pub(crate) fn forget_world(&mut self, py: Python<'_>) {
        self.world = py.None();
    }

    fn behaviour(&self, py: Python<'_>) -> PyResult<&Behaviour> {
        let program = self.program.as_ref().filter(|_| self.is_active);
        let program = program.ok_or_else(|| {
            misuse(
                py,
                "`me` belongs to a call: use it inside of the function that got it, not afterwards",
            )
        })?;
        Ok(program.behaviour())
    }
}

/// Writes what a key was given.
pub(crate) fn write(
    call: &mut Call<'_>,
    key: KeyId,
    agent: usize,
    cell: &Cell,
) -> Result<(), String> {
    cell.write(&mut call.board(), key, agent)
}

/// Whom an event is for: everybody, a group, or one agent by its number.
pub(crate) fn addressee(to: Option<&Bound<'_, PyAny>>, own_group: Option<u32>) -> PyResult<To> {
    let Some(to) = to else {
        return Ok(To::World);
    };
    if let Ok(bits) = to.extract::<u64>() {
        let agent = AgentId::from_bits(bits);
        return agent
            .map(To::Agent)
            .ok_or_else(|| PyValueError::new_err("0 is the number of nobody"));
    }
    let word = to.extract::<String>().unwrap_or_default();
    match (word.as_str(), own_group) {
        ("world", _) => Ok(To::World),
        ("group", Some(group)) => Ok(To::Group(group)),
        _ => Err(PyTypeError::new_err(match own_group {
            Some(_) => "`to` is the number of an agent, \"group\" or \"world\"",
            None => "`to` is an agent, its number, or \"world\"; `group` is the number of a group",
        })),
    }
}

#[pymethods]
impl Me {
    fn __getitem__<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let behaviour = self.behaviour(py)?;
        self.cells[key_id(behaviour, key)?.index()].to_python(py, behaviour)
    }

    fn __setitem__(&mut self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let behaviour = self.behaviour(py)?;
        let id = key_id(behaviour, key)?;
        let cell = Cell::given(behaviour, id, value)?;
        self.cells[id.index()] = cell;
        self.written.push(id);
        Ok(())
    }

    fn __delitem__(&mut self, py: Python<'_>, key: &str) -> PyResult<()> {
        let none = py.None();
        self.__setitem__(py, key, none.bind(py))
    }

    fn __contains__(&self, py: Python<'_>, key: &str) -> PyResult<bool> {
        Ok(self.behaviour(py)?.key_id(key).is_some())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.world)
    }

    fn __clear__(&mut self, py: Python<'_>) {
        self.forget_world(py);
    }

    /// The names of the keys.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self
            .behaviour(py)?
            .keys()
            .iter()
            .map(|key| key.name.clone())
            .collect())
    }

    /// What was given as `world`.
    #[getter]
    fn world(&self, py: Python<'_>) -> Py<PyAny> {
        self.world.clone_ref(py)
    }

    /// The number of the agent.
    #[getter]
    fn index(&self) -> usize {
        self.index
    }

    /// The agent as a number, as keys of type `entity` have it. No other agent ever has the same.
    #[getter]
    fn id(&self) -> u64 {
        self.id.map_or(0, AgentId::to_bits)
    }

    /// The number of its group, as it was when the tick began.
    #[getter]
    fn group(&self) -> u32 {
        self.group
    }

    /// Moves it to another group when the tick ends.
    #[setter]
    fn set_group(&mut self, py: Python<'_>, group: u32) -> PyResult<()> {
        self.behaviour(py)?;
        self.wishes.push(Wish::Group(group));
        Ok(())
    }

    /// Sends an event of its document when the tick ends: to the agent with the number `to`, to `"group"`, its own one,
    /// or to `"world"`, everybody. They see it in their next tick.
    #[pyo3(signature = (event, *, to = None, **values))]
    fn send(
        &mut self,
        py: Python<'_>,
        event: &str,
        to: Option<&Bound<'_, PyAny>>,
        values: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let behaviour = self.behaviour(py)?;
        let id = event_id(behaviour, event)?;
        let values = event_values(behaviour, id, values)?;
        let to = addressee(to, Some(self.group))?;
        self.wishes.push(Wish::Send(to, id, values));
        Ok(())
    }

    /// Asks for a new agent of an archetype, with other values for some keys, which are of the types of this document.
    #[pyo3(signature = (archetype, **keys))]
    fn spawn(
        &mut self,
        py: Python<'_>,
        archetype: String,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let behaviour = self.behaviour(py)?;
        let given = keys.into_iter().flatten().map(|(key, value)| {
            let name: String = key.extract()?;
            let known = behaviour.key_id(&name);
            let ty = known.map_or(Type::Any, |key| behaviour.key(key).ty);
            Ok((name, to_value(behaviour, ty, &value)?))
        });
        let given = given.collect::<PyResult<Vec<_>>>()?;
        self.wishes.push(Wish::Spawn(archetype, given));
        Ok(())
    }

    /// Lets the agent leave when the tick ends.
    fn remove(&mut self, py: Python<'_>) -> PyResult<()> {
        self.behaviour(py)?;
        self.wishes.push(Wish::Remove);
        Ok(())
    }

    /// Seconds since the first tick.
    #[getter]
    fn now(&self) -> f64 {
        self.now_ns as f64 / 1e9
    }

    /// Seconds since the last tick of this agent.
    #[getter]
    fn dt(&self) -> f64 {
        self.dt_ns as f64 / 1e9
    }

    /// The number of the tick, from 1.
    #[getter]
    fn tick(&self) -> u64 {
        self.tick
    }

    /// The label of the node that makes the call.
    #[getter]
    fn node(&self, py: Python<'_>) -> PyResult<String> {
        let behaviour = self.behaviour(py)?;
        Ok(behaviour
            .label(treemind_core::NodeId::new(self.label))
            .to_owned())
    }
}
