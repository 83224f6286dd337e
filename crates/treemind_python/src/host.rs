//! The functions of a game as the host of its agents.

use crate::code::{Code, Method, Shape};
use crate::me::{Letter, Me};
use crate::runs::Run;
use crate::values::{real, shown, status_of, to_python, to_value};
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use std::collections::HashMap;
use std::sync::Arc;
use treemind_core::behaviour::Behaviour;
use treemind_core::host::{Answers, Candidates, Pairs};
use treemind_core::{Call, Host, KeyId, Lanes, Migration, NodeId, Outcome, Program, Status};

/// How many exceptions are kept until somebody asks for the faults.
const MOST_EXCEPTIONS: usize = 1_000;

/// The tick, the agent and the node of a fault.
pub(crate) type FaultPlace = (u64, usize, usize);

/// The code of all leaves, and what runs.
pub(crate) struct Leaves {
    codes: Vec<Option<Code>>,
    /// The generators and objects of runs, by node and agent.
    runs: HashMap<(usize, usize), Py<PyAny>>,
    me: Py<Me>,
    on_log: Option<Py<PyAny>>,
    program: Arc<Program>,
    exceptions: HashMap<FaultPlace, PyErr>,
    /// What functions have sent in this tick.
    letters: Vec<Letter>,
    /// What is no mistake of a function, such as `KeyboardInterrupt`: it ends the tick's call, after the tick.
    interrupt: Option<PyErr>,
}

impl Leaves {
    pub(crate) fn new(
        py: Python<'_>,
        program: &Arc<Program>,
        leaves: &Bound<'_, PyAny>,
        world: Py<PyAny>,
        on_log: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            codes: Code::all(py, program.behaviour(), leaves)?,
            runs: HashMap::new(),
            me: Py::new(py, Me::new(world))?,
            on_log,
            program: Arc::clone(program),
            exceptions: HashMap::new(),
            letters: Vec::new(),
            interrupt: None,
        })
    }

    /// The host for a tick.
    pub(crate) fn serving<'h, 'py>(&'h mut self, py: Python<'py>) -> Serving<'h, 'py> {
        Serving {
            me: self.me.bind(py).clone(),
            leaves: self,
            py,
        }
    }

    /// What ends the call of a tick: an interrupt, if there was one.
    pub(crate) fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        match self.interrupt.take() {
            Some(error) => Err(error),
            None => py.check_signals(),
        }
    }

    pub(crate) fn take_exceptions(&mut self) -> HashMap<FaultPlace, PyErr> {
        std::mem::take(&mut self.exceptions)
    }

    /// Takes over the runs of the same agents with another program.
    pub(crate) fn take_over(&mut self, old: Self, migration: &Migration) {
        let runs = old.runs.into_iter().filter_map(|((node, agent), run)| {
            let node = migration.goes_on_as(NodeId::new(node))?;
            Some(((node.index(), agent), run))
        });
        self.runs = runs.collect();
        self.exceptions = old.exceptions;
        self.letters = old.letters;
        self.interrupt = self.interrupt.take().or(old.interrupt);
    }

    /// What runs, by node and agent.
    pub(crate) fn runs(&self) -> &HashMap<(usize, usize), Py<PyAny>> {
        &self.runs
    }

    /// Puts objects in the place of what runs. What ran is forgotten, without being told.
    pub(crate) fn set_runs(&mut self, runs: Vec<Run>) {
        let runs = runs.into_iter();
        self.runs = runs
            .map(|(node, agent, run)| ((node, agent), run))
            .collect();
    }

    /// The program whose leaves these are.
    pub(crate) fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// An action that is written as a generator, if there is one.
    pub(crate) fn generator(&self) -> Option<&str> {
        let mut codes = self.codes.iter().flatten();
        let found = codes.find(|code| code.shape == Shape::Generator)?;
        Some(&found.name)
    }

    /// Everything of Python that this holds, for its garbage collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for code in self.codes.iter().flatten() {
            visit.call(code.function())?;
        }
        for run in self.runs.values() {
            visit.call(run)?;
        }
        visit.call(&self.on_log)?;
        visit.call(&self.me)
    }

    /// Takes everything of Python, because nobody can reach these leaves any more.
    pub(crate) fn take_all(&mut self, py: Python<'_>) -> impl Sized + use<> {
        if let Ok(mut me) = self.me.try_borrow_mut(py) {
            me.forget_world(py);
        }
        let codes: Vec<_> = self.codes.iter_mut().map(Option::take).collect();
        let runs = std::mem::take(&mut self.runs);
        let exceptions = std::mem::take(&mut self.exceptions);
        (codes, runs, exceptions, self.on_log.take())
    }

    /// What functions have sent since the last call.
    pub(crate) fn take_letters(&mut self) -> Vec<Letter> {
        std::mem::take(&mut self.letters)
    }

    /// The code of the action at a node, if it is a class.
    pub(crate) fn class_at(&self, node: NodeId) -> Option<&Code> {
        let leaf = self.program.behaviour().node(node).kind.leaf()?;
        let code = self.codes.get(leaf.index())?.as_ref()?;
        (code.shape == Shape::Class).then_some(code)
    }

    /// Says whether everything that runs can be saved: the objects of classes can, generators cannot.
    pub(crate) fn unsaved(&self) -> Option<&str> {
        let behaviour = self.program.behaviour();
        let of = |node: usize| {
            let leaf = behaviour.node(NodeId::new(node)).kind.leaf()?;
            let code = self.codes.get(leaf.index())?.as_ref()?;
            (code.shape == Shape::Generator).then_some(code.name.as_str())
        };
        self.runs.keys().find_map(|(node, _)| of(*node))
    }
}

/// The code while it serves agents.
pub(crate) struct Serving<'h, 'py> {
    leaves: &'h mut Leaves,
    me: Bound<'py, Me>,
    py: Python<'py>,
}

impl<'py> Serving<'_, 'py> {
    fn behaviour(&self) -> &Behaviour {
        self.leaves.program.behaviour()
    }

    /// Does something that calls a function, for an agent; what it raises is a fault. `None` if it raised.
    fn guarded<T>(
        &mut self,
        call: &mut Call<'_>,
        agent: usize,
        work: impl FnOnce(&mut Self, &mut Call<'_>, Option<&Code>) -> PyResult<T>,
    ) -> Option<T> {
        let leaf = call.leaf().index();
        // The code is put back below: nothing that a function can reach looks for it in between.
        let code = self.leaves.codes.get_mut(leaf).and_then(Option::take);
        let shows_keys = code.as_ref().is_none_or(Code::takes_me);
        let begun = match shows_keys {
            true => self.begin(call, agent),
            false => Ok(()),
        };
        let done = begun.and_then(|()| work(self, call, code.as_ref()));
        if shows_keys && let Ok(mut me) = self.me.try_borrow_mut() {
            me.end(call, &mut self.leaves.letters);
        }
        if let Some(kept) = self.leaves.codes.get_mut(leaf) {
            *kept = code;
        }
        done.map_err(|error| self.fail(call, agent, error)).ok()
    }

    fn begin(&mut self, call: &Call<'_>, agent: usize) -> PyResult<()> {
        self.me
            .try_borrow_mut()?
            .begin(&self.leaves.program, call, agent);
        Ok(())
    }

    fn fail(&mut self, call: &mut Call<'_>, agent: usize, error: PyErr) {
        call.fault(agent, said(self.py, &error));
        if !error.is_instance_of::<PyException>(self.py) {
            self.leaves.interrupt.get_or_insert(error);
        } else if self.leaves.exceptions.len() < MOST_EXCEPTIONS {
            let place = (call.tick(), agent, call.node().index());
            self.leaves.exceptions.entry(place).or_insert(error);
        }
    }

    fn call_code(&self, call: &Call<'_>, agent: usize, code: &Code) -> PyResult<Bound<'py, PyAny>> {
        let behaviour = self.behaviour();
        code.call(self.me.as_any(), |at| {
            to_python(self.py, behaviour, call.arg(at, agent))
        })
    }

    /// Calls a leaf that has no runs: its function, or the method of an object that lives for this call.
    fn once(
        &self,
        call: &Call<'_>,
        agent: usize,
        code: &Code,
        method: Method,
    ) -> PyResult<Bound<'py, PyAny>> {
        let answer = self.call_code(call, agent, code)?;
        self.answered(code, answer, method)
    }

    /// What a function has answered, or what the method of the object answers that it has made.
    fn answered(
        &self,
        code: &Code,
        made: Bound<'py, PyAny>,
        method: Method,
    ) -> PyResult<Bound<'py, PyAny>> {
        if code.shape != Shape::Class {
            return Ok(made);
        }
        let answered = Code::call_method(&made, method, (&self.me,))?;
        Ok(answered.unwrap_or_else(|| self.py.None().into_bound(self.py)))
    }

    fn ask_agent(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        let answer = self.guarded(call, agent, |this, call, code| {
            let code = code.ok_or_else(without_code)?;
            let answer = this.once(call, agent, code, Method::Check)?;
            match status_of(&answer) {
                Some(status) if status != Status::Running => Ok(status),
                _ => Err(nonsense(code, &answer, "True or False")),
            }
        });
        answer.unwrap_or(Status::Failure)
    }

    fn update_agent(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        let run = (call.node().index(), agent);
        let answer = self.guarded(call, agent, |this, call, code| {
            let code = code.ok_or_else(without_code)?;
            let running = this
                .leaves
                .runs
                .get(&run)
                .map(|run| run.bind(this.py).clone());
            match (code.shape, running) {
                (Shape::Generator, Some(running)) => resume(code, &running),
                (Shape::Class, Some(running)) => {
                    let answer = Code::call_method(&running, Method::Update, (&this.me,))?;
                    let answer = answer.unwrap_or_else(|| this.py.None().into_bound(this.py));
                    status_of(&answer).ok_or_else(|| nonsense(code, &answer, ANSWERS))
                }
                (Shape::Function, _) => {
                    let answer = this.call_code(call, agent, code)?;
                    status_of(&answer).ok_or_else(|| nonsense(code, &answer, ANSWERS))
                }
                // Its start went wrong, which is a fault already.
                (_, None) => Ok(Status::Failure),
            }
        });
        answer.unwrap_or(Status::Failure)
    }

    fn start_agent(&mut self, call: &mut Call<'_>, agent: usize) {
        let run = (call.node().index(), agent);
        self.guarded(call, agent, |this, call, code| {
            let Some(code) = code.filter(|code| code.shape != Shape::Function) else {
                return Ok(());
            };
            let running = this.call_code(call, agent, code)?;
            if code.shape == Shape::Class {
                Code::call_method(&running, Method::Start, (&this.me,))?;
            }
            this.leaves.runs.insert(run, running.unbind());
            Ok(())
        });
    }

    fn stop_agent(&mut self, call: &mut Call<'_>, agent: usize, outcome: Outcome) {
        let Some(running) = self.leaves.runs.remove(&(call.node().index(), agent)) else {
            return;
        };
        self.guarded(call, agent, |this, _, code| {
            let running = running.bind(this.py);
            match code.map(|code| code.shape) {
                Some(Shape::Generator) => running
                    .call_method0(pyo3::intern!(this.py, "close"))
                    .map(drop),
                _ => {
                    Code::call_method(running, Method::Stop, (&this.me, outcome.as_str())).map(drop)
                }
            }
        });
    }
}

const ANSWERS: &str = "a Status, or True and False for the end";

/// What an exception says, for a fault.
pub(crate) fn said(py: Python<'_>, error: &PyErr) -> String {
    let value = error.value(py);
    let name = value.get_type().name().map(|name| name.to_string());
    let said = value.str().map(|text| text.to_string());
    match (name, said) {
        (Ok(name), Ok(said)) if said.is_empty() => name,
        (Ok(name), Ok(said)) => format!("{name}: {said}"),
        (Ok(name), Err(_)) => name,
        _ => "an exception without a name".to_owned(),
    }
}

/// Goes on with a generator: it has run until it returns.
fn resume(code: &Code, running: &Bound<'_, PyAny>) -> PyResult<Status> {
    use pyo3::types::iterator::PySendResult;
    let py = running.py();
    let running = running.cast::<PyIterator>()?;
    match running.send(&py.None().into_bound(py))? {
        PySendResult::Next(value) => match status_of(&value) {
            None if value.is_none() => Ok(Status::Running),
            Some(Status::Running) => Ok(Status::Running),
            _ => {
                let text = format!(
                    "action `{}` yielded {}: `yield` means that it goes on; `return True` or `return False` ends it",
                    code.name,
                    shown(&value)
                );
                Err(PyTypeError::new_err(text))
            }
        },
        PySendResult::Return(value) if value.is_none() => Ok(Status::Success),
        PySendResult::Return(value) => {
            let status = status_of(&value).filter(|status| *status != Status::Running);
            status.ok_or_else(|| {
                nonsense(
                    code,
                    &value,
                    "nothing, True, False or a Status that is an end",
                )
            })
        }
    }
}

fn nonsense(code: &Code, answer: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let text = format!(
        "{} `{}` answered {}, but it answers {wanted}",
        code.word,
        code.name,
        shown(answer)
    );
    PyTypeError::new_err(text)
}

fn without_code() -> PyErr {
    PyTypeError::new_err("there is no code for it, or it called itself")
}

impl Host for Serving<'_, '_> {
    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        for agent in lanes {
            answers.set(agent, self.ask_agent(call, agent));
        }
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        for agent in lanes {
            self.start_agent(call, agent);
        }
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        for agent in lanes {
            answers.set(agent, self.update_agent(call, agent));
        }
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        for agent in lanes {
            self.stop_agent(call, agent, outcome);
        }
    }

    fn serve(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        for agent in lanes {
            self.guarded(call, agent, |this, call, code| {
                let code = code.ok_or_else(without_code)?;
                this.once(call, agent, code, Method::Serve).map(drop)
            });
        }
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        for agent in lanes {
            let sensed = self.guarded(call, agent, |this, call, code| {
                let code = code.ok_or_else(without_code)?;
                let sensed = this.once(call, agent, code, Method::Sense)?;
                crate::me::Cell::given(this.behaviour(), key, &sensed)
            });
            let written = sensed.map(|cell| crate::me::write(call, key, agent, &cell));
            if let Some(Err(text)) = written {
                call.fault(agent, text);
            }
        }
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        let (ty, most) = (candidates.ty(), candidates.max());
        for agent in lanes {
            let listed = self.guarded(call, agent, |this, call, code| {
                let code = code.ok_or_else(without_code)?;
                let listed = this.once(call, agent, code, Method::List)?;
                let wanted = "candidates, one after the other: a list, a generator or an array";
                let items = listed
                    .try_iter()
                    .map_err(|_| nonsense(code, &listed, wanted))?;
                let items = items.take(most);
                let items = items.map(|item| to_value(this.behaviour(), ty, &item?));
                items.collect::<PyResult<Vec<_>>>()
            });
            for candidate in listed.into_iter().flatten() {
                candidates.push(agent, candidate);
            }
        }
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        for pair in 0..pairs.len() {
            let measured = self.guarded(call, pairs.agent(pair), |this, _, code| {
                let code = code.ok_or_else(without_code)?;
                let args = pairs.args_of(pair);
                let made = code.call(this.me.as_any(), |at| {
                    to_python(this.py, this.behaviour(), args[at])
                })?;
                let number = this.answered(code, made, Method::Measure)?;
                real(&number).ok_or_else(|| nonsense(code, &number, "a number"))
            });
            if let Some(number) = measured {
                pairs.set(pair, number as f32);
            }
        }
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        let Some(hear) = self
            .leaves
            .on_log
            .as_ref()
            .map(|hear| hear.clone_ref(self.py))
        else {
            return;
        };
        for agent in lanes {
            self.guarded(call, agent, |this, call, _| {
                hear.bind(this.py).call1((call.text(agent),)).map(drop)
            });
        }
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        if self
            .leaves
            .codes
            .get(call.leaf().index())
            .is_none_or(Option::is_none)
        {
            return;
        }
        for agent in lanes {
            self.guarded(call, agent, |this, call, code| {
                let code = code.ok_or_else(without_code)?;
                this.once(call, agent, code, Method::Hear).map(drop)
            });
        }
    }

    fn ask_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        self.ask_agent(call, agent)
    }

    fn update_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        self.update_agent(call, agent)
    }
}

/// Values for the parameters of an event, by their names.
pub(crate) fn event_values(
    behaviour: &Behaviour,
    event: treemind_core::LeafId,
    given: Option<&Bound<'_, pyo3::types::PyDict>>,
) -> PyResult<Vec<treemind_core::Value>> {
    let leaf = behaviour.leaf(event);
    let mut left = given.map_or(0, |given| given.len());
    let value = |param: &treemind_core::behaviour::Param| {
        let value = match given {
            Some(given) => given.get_item(&param.name)?,
            None => None,
        };
        match (value, param.default) {
            (Some(value), _) => {
                left -= 1;
                to_value(behaviour, param.ty, &value)
            }
            (None, Some(default)) => Ok(default),
            (None, None) => Err(PyTypeError::new_err(format!(
                "event `{}` needs `{}`",
                leaf.name, param.name
            ))),
        }
    };
    let values = leaf
        .params
        .iter()
        .map(value)
        .collect::<PyResult<Vec<_>>>()?;
    match left {
        0 => Ok(values),
        _ => Err(PyTypeError::new_err(format!(
            "event `{}` has no such value",
            leaf.name
        ))),
    }
}
