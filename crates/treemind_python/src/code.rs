//! The functions and classes of a game as the leaves of a behaviour.

use crate::diagnostics::misuse;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use treemind_core::Behaviour;
use treemind_core::behaviour::{Leaf, LeafKind, Life};

/// What a leaf is in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Called again for each answer.
    Function,
    /// Called at the start of a run; each answer is what it yields.
    Generator,
    /// Called at the start of a run with the parameters; the object answers.
    Class,
}

/// The code of a leaf.
pub(crate) struct Code {
    pub(crate) shape: Shape,
    function: Py<PyAny>,
    takes_me: bool,
    /// The parameters that it takes by name, and their positions.
    params: Vec<(Py<PyString>, usize)>,
    pub(crate) name: String,
    pub(crate) word: &'static str,
}

impl Code {
    /// The code for each leaf of a behaviour, by its number. Events may be without any.
    pub(crate) fn all(
        py: Python<'_>,
        behaviour: &Behaviour,
        leaves: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Option<Self>>> {
        let helper = PyModule::import(py, "treemind._leaves")?;
        let mut missing = Vec::new();
        let mut found = Vec::new();
        for leaf in behaviour.leaves() {
            let code = helper.call_method1("find", (leaves, &leaf.name))?;
            if code.is_none() {
                if leaf.kind != LeafKind::Event {
                    missing.push(format!("{} `{}`", word(&leaf.kind), leaf.name));
                }
                found.push(None);
                continue;
            }
            found.push(Some(Self::of(&helper, leaf, &code)?));
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let text = format!(
            "the document needs code that `leaves` does not have: {}",
            missing.join(", ")
        );
        Err(misuse(py, text))
    }

    fn of(helper: &Bound<'_, PyModule>, leaf: &Leaf, code: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = helper.py();
        let word = word(&leaf.kind);
        if let LeafKind::Composite { .. } | LeafKind::Decorator = leaf.kind {
            let text = format!(
                "{word} `{}`: composites and decorators of a game cannot be written in Python yet",
                leaf.name
            );
            return Err(misuse(py, text));
        }
        if let LeafKind::Action {
            life: Life::Reported,
        } = leaf.kind
        {
            let text = format!(
                "action `{}` is reported on by the game, which Python cannot do yet: leave `reports` out",
                leaf.name
            );
            return Err(misuse(py, text));
        }
        let params: Vec<&str> = leaf
            .params
            .iter()
            .map(|param| param.name.as_str())
            .collect();
        let described = helper.call_method1("describe", (&leaf.name, word, &params, code))?;
        let (shape, function, takes_me, keywords): (String, Py<PyAny>, bool, Vec<String>) =
            described.extract()?;
        let position = |name: &String| params.iter().position(|param| param == name);
        let params = keywords.iter().filter_map(|name| {
            let at = position(name)?;
            Some((PyString::new(py, name).unbind(), at))
        });
        Ok(Self {
            shape: match shape.as_str() {
                "generator" => Shape::Generator,
                "class" => Shape::Class,
                _ => Shape::Function,
            },
            function,
            takes_me,
            params: params.collect(),
            name: leaf.name.clone(),
            word,
        })
    }

    /// Calls the function, or makes the object of a run. `arg` gives the parameter at a position.
    pub(crate) fn call<'py>(
        &self,
        me: &Bound<'py, PyAny>,
        mut arg: impl FnMut(usize) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = me.py();
        let function = self.function.bind(py);
        let passes_me = self.takes_me && self.shape != Shape::Class;
        if self.params.is_empty() {
            return match passes_me {
                true => function.call1((me,)),
                false => function.call0(),
            };
        }
        let named = PyDict::new(py);
        for (name, at) in &self.params {
            named.set_item(name.bind(py), arg(*at)?)?;
        }
        match passes_me {
            true => function.call((me,), Some(&named)),
            false => function.call((), Some(&named)),
        }
    }

    /// The function, or what makes the object of a run.
    pub(crate) fn function(&self) -> &Py<PyAny> {
        &self.function
    }

    /// Whether a call needs a copy of the agent's keys.
    pub(crate) fn takes_me(&self) -> bool {
        self.takes_me
    }

    /// Calls a method of the object of a run with `me`; `None` if it has no such method and does not need one.
    pub(crate) fn call_method<'py>(
        object: &Bound<'py, PyAny>,
        method: Method,
        args: impl pyo3::call::PyCallArgs<'py>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = object.py();
        let name = match method {
            Method::Check => intern!(py, "check"),
            Method::Serve => intern!(py, "serve"),
            Method::Sense => intern!(py, "sense"),
            Method::Hear => intern!(py, "hear"),
            Method::Start => intern!(py, "start"),
            Method::Update => intern!(py, "update"),
            Method::Stop => intern!(py, "stop"),
            Method::List => intern!(py, "list"),
            Method::Measure => intern!(py, "measure"),
        };
        let is_needed = !matches!(method, Method::Start | Method::Stop);
        if !is_needed && !object.hasattr(name)? {
            return Ok(None);
        }
        object.call_method1(name, args).map(Some)
    }
}

/// The methods of a class that is a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Check,
    Serve,
    Sense,
    Hear,
    Start,
    Update,
    Stop,
    List,
    Measure,
}

fn word(kind: &LeafKind) -> &'static str {
    kind.keyword()
}
