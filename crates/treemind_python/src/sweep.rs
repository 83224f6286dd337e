//! Sweeps: the rows of many runs as columns.

use crate::diagnostics::{self, misuse};
use crate::document::Document;
use crate::values::to_python;
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use treemind_arena::sweep::{Row, Sweep as Inner, SweepError, Wanted};

/// One scenario, to be played many times.
#[pyclass(frozen, module = "treemind", name = "SweepRuns")]
pub(crate) struct Sweep {
    inner: Inner,
    document: Py<Document>,
    main: Option<String>,
}

/// Ticks, whether the one who was asked lived, faults, the promise that did not hold (-1 if all did), the tick of that, and the measures.
type Columns<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<f64>>,
);

pub(crate) fn failed(py: Python<'_>, error: SweepError) -> PyErr {
    match error {
        SweepError::Document(problems) => diagnostics::error(py, &problems),
        error => misuse(py, error.to_string()),
    }
}

#[pymethods]
impl Sweep {
    #[new]
    #[pyo3(signature = (document, map, *, name, ticks, measures, always, until, vary))]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are arguments by name in Python"
    )]
    fn new(
        py: Python<'_>,
        document: Py<Document>,
        map: &str,
        name: Option<String>,
        ticks: u64,
        measures: Vec<String>,
        always: Vec<String>,
        until: Option<String>,
        vary: Vec<(String, Vec<String>)>,
    ) -> PyResult<Self> {
        let wanted = Wanted {
            ticks,
            measures,
            always,
            until,
        };
        let read = document.get().inner.as_ref().clone();
        let made = Inner::new(read, name.as_deref(), map, &wanted);
        let mut inner = made.map_err(|error| failed(py, error))?;
        for (key, values) in &vary {
            inner.vary(key, values).map_err(|error| failed(py, error))?;
        }
        Ok(Self {
            inner,
            document,
            main: name,
        })
    }

    /// How many settings there are.
    #[getter]
    fn settings(&self) -> usize {
        self.inner.settings()
    }

    /// The keys and values of a setting.
    fn setting<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyDict>> {
        let behaviour = self.document.get().behaviour(py, self.main.as_deref())?;
        let given = PyDict::new(py);
        for (key, value) in self.inner.setting(number) {
            given.set_item(key, to_python(py, &behaviour, value)?)?;
        }
        Ok(given)
    }

    /// Plays runs, given by settings and seeds, on several threads. Other threads of Python go on meanwhile.
    fn run<'py>(
        &self,
        py: Python<'py>,
        settings: PyReadonlyArray1<'py, i64>,
        seeds: PyReadonlyArray1<'py, u64>,
        threads: usize,
    ) -> PyResult<Columns<'py>> {
        let threads = NonZeroUsize::new(threads)
            .ok_or_else(|| PyValueError::new_err("`threads` is 1 or more"))?;
        let (settings, seeds) = (settings.as_slice()?, seeds.as_slice()?);
        let known = 0..self.inner.settings() as i64;
        if settings.len() != seeds.len() || settings.iter().any(|one| !known.contains(one)) {
            return Err(PyValueError::new_err(
                "settings and seeds do not fit together, or there is no such setting",
            ));
        }
        let runs = settings
            .iter()
            .map(|one| *one as usize)
            .zip(seeds.iter().copied());
        let runs: Vec<(usize, u64)> = runs.collect();
        let never = AtomicBool::new(false);
        let rows = py.detach(|| self.inner.run_all(&runs, threads, &never, &|_| {}));
        columns(py, &rows.map_err(|error| failed(py, error))?)
    }

    /// Plays one run again, and records it.
    fn record(&self, py: Python<'_>, setting: usize, seed: u64, path: PathBuf) -> PyResult<()> {
        if setting >= self.inner.settings() {
            return Err(PyValueError::new_err("there is no such setting"));
        }
        let recorded = py.detach(|| self.inner.record(setting, seed, path));
        recorded.map(drop).map_err(|error| failed(py, error))
    }
}

fn columns<'py>(py: Python<'py>, rows: &[Row]) -> PyResult<Columns<'py>> {
    let numbers =
        |of: &dyn Fn(&Row) -> i64| rows.iter().map(of).collect::<Vec<i64>>().into_pyarray(py);
    let width = rows.first().map_or(0, |row| row.measures.len());
    let measures: Vec<f64> = rows
        .iter()
        .flat_map(|row| row.measures.iter().copied())
        .collect();
    let alive: Vec<bool> = rows.iter().map(|row| row.alive).collect();
    Ok((
        numbers(&|row| row.ticks as i64),
        alive.into_pyarray(py),
        numbers(&|row| row.faults as i64),
        numbers(&|row| row.broken.map_or(-1, |(promise, _)| promise as i64)),
        numbers(&|row| row.broken.map_or(0, |(_, tick)| tick as i64)),
        measures.into_pyarray(py).reshape([rows.len(), width])?,
    ))
}
