//! Recordings as columns: a row for each agent and tick.

use crate::balance::Profile;
use crate::diagnostics::misuse;
use numpy::{IntoPyArray as _, PyArrayMethods as _};
use pyo3::exceptions::{PyKeyError, PyOSError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use treemind_core::{Behaviour, KeyId, Population, Program, Status, Type, Value};
use treemind_recording::decisions::{self, Decision, Fact, Scene};
use treemind_recording::{OpenError, Recording as Inner, ReplayError};

/// A recording that was opened. It is played when it is asked for something.
#[pyclass(frozen, module = "treemind")]
pub(crate) struct Recording {
    inner: Inner,
    path: PathBuf,
}

/// The name of a column, what it is, its array, and for each row whether there is a value; for texts also the texts, to
/// whose places the array points.
type Column<'py> = (
    String,
    &'static str,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Vec<String>,
);

fn opened(path: &Path) -> PyResult<Inner> {
    Inner::open(path).map_err(|error| match &error {
        OpenError::Io(io) if io.raw_os_error().is_some() => PyOSError::new_err((
            io.raw_os_error(),
            io.to_string(),
            path.display().to_string(),
        )),
        error => PyOSError::new_err(format!("{}: {error}", path.display())),
    })
}

#[pymethods]
impl Recording {
    #[new]
    #[pyo3(signature = (path, *, run = 0))]
    fn new(py: Python<'_>, path: PathBuf, run: usize) -> PyResult<Self> {
        let inner = py.detach(|| opened(&path))?;
        let inner = match run {
            0 => inner,
            nth => inner.run(nth).ok_or_else(|| {
                let text = format!("{} has {} runs", path.display(), inner.runs().len());
                misuse(py, text)
            })?,
        };
        Ok(Self { inner, path })
    }

    /// The populations, by their names.
    #[getter]
    fn populations(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let names = py.detach(|| decisions::populations(&self.inner));
        names.map_err(|error| self.broken(py, &error))
    }

    /// The first tick and the last one.
    #[getter]
    fn ticks(&self) -> (u64, u64) {
        let ticks = self.inner.ticks();
        (*ticks.start(), *ticks.end())
    }

    /// How many recordings follow each other in the file.
    #[getter]
    fn runs(&self) -> usize {
        self.inner.runs().len()
    }

    /// The names and texts of the documents.
    #[getter]
    fn texts(&self) -> Vec<Vec<(String, String)>> {
        let documents = self.inner.documents();
        documents.map(|document| document.texts()).collect()
    }

    /// The columns of a population: one row for each agent and tick.
    #[pyo3(signature = (population, first, last))]
    fn _columns<'py>(
        &self,
        py: Python<'py>,
        population: Option<&str>,
        first: u64,
        last: u64,
    ) -> PyResult<Vec<Column<'py>>> {
        let wanted = self.wanted(py, population)?;
        let mut table = Table::default();
        let played = py.detach(|| {
            decisions::play(&self.inner, first..=last, |scene| {
                if scene.name == wanted {
                    table.add(&scene);
                }
            })
        });
        played.map_err(|error| self.broken(py, &error))?;
        table.columns(py)
    }

    /// How often each way was taken through each decision tree, by the agents of a population.
    #[pyo3(signature = (population, first, last))]
    fn _profile(
        &self,
        py: Python<'_>,
        population: Option<&str>,
        first: u64,
        last: u64,
    ) -> PyResult<Profile> {
        let wanted = self.wanted(py, population)?;
        let mut profile: Option<treemind_learn::Profile> = None;
        let played = py.detach(|| {
            decisions::play(&self.inner, first..=last, |scene| {
                if scene.name == wanted {
                    let behaviour = scene.population.program().behaviour();
                    let profile =
                        profile.get_or_insert_with(|| treemind_learn::Profile::of(behaviour));
                    profile.record(behaviour, scene.trace);
                }
            })
        });
        played.map_err(|error| self.broken(py, &error))?;
        Ok(Profile(profile.unwrap_or_default()))
    }

    fn __repr__(&self) -> String {
        let ticks = self.inner.ticks();
        format!(
            "<Recording {}: ticks {} to {}>",
            self.path.display(),
            ticks.start(),
            ticks.end()
        )
    }
}

impl Recording {
    /// The population that somebody asks for; without a name the only one.
    fn wanted(&self, py: Python<'_>, population: Option<&str>) -> PyResult<String> {
        let names = self.populations(py)?;
        let why = match population {
            Some(name) if names.iter().any(|known| known == name) => return Ok(name.to_owned()),
            Some(name) => format!("there is no population `{name}`"),
            None if names.len() == 1 => return Ok(names[0].clone()),
            None => "there are several populations".to_owned(),
        };
        let names = names.join(", ");
        Err(PyKeyError::new_err(format!("{why}: name one of {names}")))
    }

    fn broken(&self, py: Python<'_>, error: &ReplayError) -> PyErr {
        misuse(py, format!("{}: {error}", self.path.display()))
    }
}

/// The columns of one population.
#[derive(Default)]
struct Table {
    ticks: Vec<i64>,
    seconds: Vec<f64>,
    agents: Vec<i64>,
    facts: Vec<FactColumn>,
    actions: Texts,
    answers: Texts,
    /// The program that the places of facts belong to.
    places_of: Option<u64>,
}

struct FactColumn {
    name: String,
    ty: Type,
    /// In the program that agents run now; `None` if it has no such fact.
    place: Option<Fact>,
    values: Values,
    is_there: Vec<bool>,
}

enum Values {
    Bool(Vec<bool>),
    Int(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Entity(Vec<u64>),
    Vector(Vec<f32>, usize),
    Text(Texts),
}

/// Texts that occur often, by their places in a list.
#[derive(Default)]
struct Texts {
    places: HashMap<String, i32>,
    all: Vec<String>,
    rows: Vec<i32>,
    is_there: Vec<bool>,
}

impl Texts {
    fn push(&mut self, text: Option<&str>) {
        self.is_there.push(text.is_some());
        let place = match text {
            None => 0,
            Some(text) => match self.places.get(text) {
                Some(place) => *place,
                None => {
                    let place = i32::try_from(self.all.len()).unwrap_or(i32::MAX);
                    self.all.push(text.to_owned());
                    self.places.insert(text.to_owned(), place);
                    place
                }
            },
        };
        self.rows.push(place);
    }
}

impl Values {
    fn of(ty: Type) -> Self {
        match ty {
            Type::Bool => Values::Bool(Vec::new()),
            Type::Int => Values::Int(Vec::new()),
            Type::Float => Values::Float(Vec::new()),
            Type::Double => Values::Double(Vec::new()),
            Type::Entity => Values::Entity(Vec::new()),
            Type::Vec2 => Values::Vector(Vec::new(), 2),
            Type::Vec3 => Values::Vector(Vec::new(), 3),
            _ => Values::Text(Texts::default()),
        }
    }

    fn push(&mut self, behaviour: &Behaviour, value: Option<Value>) {
        match (self, value) {
            (Values::Bool(all), value) => all.push(value == Some(Value::Bool(true))),
            (Values::Int(all), Some(Value::Int(value))) => all.push(value),
            (Values::Float(all), Some(Value::Float(value))) => all.push(value),
            (Values::Double(all), Some(Value::Double(value))) => all.push(value),
            (Values::Entity(all), Some(Value::Entity(value))) => all.push(value),
            (Values::Vector(all, _), Some(Value::Vec2(value))) => all.extend(value),
            (Values::Vector(all, _), Some(Value::Vec3(value))) => all.extend(value),
            (Values::Text(texts), Some(Value::Text(text))) => texts.push(Some(text.as_str())),
            (Values::Text(texts), Some(value)) => {
                texts.push(Some(&behaviour.display_value(value)));
            }
            (Values::Text(texts), None) => texts.push(None),
            (Values::Int(all), _) => all.push(0),
            (Values::Float(all), _) => all.push(0.0),
            (Values::Double(all), _) => all.push(0.0),
            (Values::Entity(all), _) => all.push(0),
            (Values::Vector(all, parts), _) => all.extend(std::iter::repeat_n(0.0, *parts)),
        }
    }
}

impl FactColumn {
    fn of(behaviour: &Behaviour, fact: Fact) -> Self {
        let ty = type_of(behaviour, fact);
        Self {
            name: fact.name(behaviour).to_owned(),
            ty,
            place: Some(fact),
            values: Values::of(ty),
            is_there: Vec::new(),
        }
    }

    fn push(&mut self, population: &Population, agent: usize, decided: &Decision) {
        let value = match self.place {
            None => None,
            Some(Fact::Key(key)) => decided.value(population, agent, key),
            Some(Fact::Condition(leaf)) => decided.answer(leaf).map(Value::Bool),
        };
        self.is_there.push(value.is_some());
        self.values.push(population.program().behaviour(), value);
    }
}

fn type_of(behaviour: &Behaviour, fact: Fact) -> Type {
    match fact {
        Fact::Key(key) => behaviour.key(KeyId::new(key.index())).ty,
        Fact::Condition(_) => Type::Bool,
    }
}

impl Table {
    fn add(&mut self, scene: &Scene<'_>) {
        let program = scene.population.program();
        self.find_places(program);
        let behaviour = program.behaviour();
        for agent in 0..scene.population.len() {
            let Some(decided) = Decision::of(behaviour, &scene.events, agent) else {
                continue;
            };
            self.ticks.push(scene.tick as i64);
            self.seconds.push(scene.now_ns as f64 / 1e9);
            self.agents.push(agent as i64);
            for fact in &mut self.facts {
                fact.push(scene.population, agent, &decided);
            }
            let action = decided.action();
            let action = action.map(|leaf| behaviour.leaf(leaf).name.as_str());
            self.actions.push(action);
            self.answers.push(decided.status().map(word));
        }
    }

    /// A changed document may have its keys in other places. Those that it no longer has are empty from then on, and new
    /// ones have no column.
    fn find_places(&mut self, program: &Program) {
        if self.places_of == Some(program.fingerprint()) {
            return;
        }
        let behaviour = program.behaviour();
        let all = Fact::all(behaviour);
        if self.places_of.is_none() {
            let facts = all.into_iter();
            self.facts = facts.map(|fact| FactColumn::of(behaviour, fact)).collect();
        } else {
            for column in &mut self.facts {
                let is_same = |fact: &&Fact| {
                    fact.name(behaviour) == column.name && type_of(behaviour, **fact) == column.ty
                };
                column.place = all.iter().find(is_same).copied();
            }
        }
        self.places_of = Some(program.fingerprint());
    }

    fn columns(self, py: Python<'_>) -> PyResult<Vec<Column<'_>>> {
        let rows = self.ticks.len();
        let all = || vec![true; rows].into_pyarray(py).into_any();
        let named = |name: &str, kind, array| (name.to_owned(), kind, array, all(), Vec::new());
        let mut columns = vec![
            named("tick", "int", self.ticks.into_pyarray(py).into_any()),
            named("time", "double", self.seconds.into_pyarray(py).into_any()),
            named("agent", "int", self.agents.into_pyarray(py).into_any()),
        ];
        for fact in self.facts {
            columns.push(fact.into_column(py)?);
        }
        columns.push(self.actions.into_column(py, "action".to_owned()));
        columns.push(self.answers.into_column(py, "status".to_owned()));
        Ok(columns)
    }
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Success => "success",
        Status::Failure => "failure",
        Status::Running => "running",
        Status::Skipped => "skipped",
    }
}

impl FactColumn {
    fn into_column(self, py: Python<'_>) -> PyResult<Column<'_>> {
        let (kind, array) = match self.values {
            Values::Bool(all) => ("bool", all.into_pyarray(py).into_any()),
            Values::Int(all) => ("int", all.into_pyarray(py).into_any()),
            Values::Float(all) => ("float", all.into_pyarray(py).into_any()),
            Values::Double(all) => ("double", all.into_pyarray(py).into_any()),
            Values::Entity(all) => ("entity", all.into_pyarray(py).into_any()),
            Values::Vector(all, parts) => {
                let rows = all.len() / parts;
                let array = all.into_pyarray(py).reshape([rows, parts])?;
                ("vector", array.into_any())
            }
            Values::Text(texts) => return Ok(texts.into_column(py, self.name)),
        };
        let is_there = self.is_there.into_pyarray(py).into_any();
        Ok((self.name, kind, array, is_there, Vec::new()))
    }
}

impl Texts {
    fn into_column(self, py: Python<'_>, name: String) -> Column<'_> {
        (
            name,
            "text",
            self.rows.into_pyarray(py).into_any(),
            self.is_there.into_pyarray(py).into_any(),
            self.all,
        )
    }
}
