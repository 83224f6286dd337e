//! Recordings of agents, and the studio that shows them.

use crate::cast::Cast;
use crate::diagnostics::misuse;
use crate::mind::{Mind, locked};
use crate::minds::Minds;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Mutex;
use treemind_recording::{RecordError, Running, record};

/// What can be recorded and shown.
#[derive(FromPyObject)]
pub(crate) enum Agents<'py> {
    Mind(Bound<'py, Mind>),
    Minds(Bound<'py, Minds>),
    Cast(Bound<'py, Cast>),
}

/// A recording that goes on while agents are ticked.
#[pyclass(frozen, module = "treemind")]
pub(crate) struct Recorder {
    running: Mutex<Option<Running>>,
    path: PathBuf,
}

fn failed(py: Python<'_>, path: &std::path::Path, error: &RecordError) -> PyErr {
    match error {
        RecordError::Io(error) => PyOSError::new_err(format!("{}: {error}", path.display())),
        error => misuse(py, format!("{}: {error}", path.display())),
    }
}

#[pymethods]
impl Recorder {
    #[new]
    fn new(py: Python<'_>, agents: Agents<'_>, path: PathBuf) -> PyResult<Self> {
        let running = match agents {
            Agents::Mind(mind) => mind.get().observed(py, |seen| record(seen, &path))?,
            Agents::Minds(minds) => minds.get().observed(py, |seen| record(seen, &path))?,
            Agents::Cast(cast) => cast.get().observed(py, |seen| record(seen, &path))?,
        };
        let running = running.map_err(|error| failed(py, &path, &error))?;
        Ok(Self {
            running: Mutex::new(Some(running)),
            path,
        })
    }

    /// Ends the recording. The agents go on without it.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let Some(running) = locked(py, &self.running)?.take() else {
            return Ok(());
        };
        let finished = py.detach(|| running.finish());
        finished.map_err(|error| failed(py, &self.path, &error))
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.finish(py)
    }
}

/// The studio of this process: a page of this machine that shows the agents.
#[pyclass(frozen, module = "treemind")]
pub(crate) struct Studio(treemind_studio::Studio);

#[pymethods]
impl Studio {
    #[new]
    #[pyo3(signature = (port = 0))]
    fn new(port: u16) -> PyResult<Self> {
        let opened = treemind_studio::Studio::open(port);
        let opened = opened.map_err(|error| {
            PyOSError::new_err(format!("the studio does not open at port {port}: {error}"))
        })?;
        Ok(Self(opened))
    }

    /// Shows agents under a name, from their next tick on.
    fn watch(&self, py: Python<'_>, agents: Agents<'_>, name: &str) -> PyResult<()> {
        match agents {
            Agents::Mind(mind) => mind.get().observed(py, |seen| self.0.watch(seen, name)),
            Agents::Minds(minds) => minds.get().observed(py, |seen| self.0.watch(seen, name)),
            Agents::Cast(cast) => cast.get().observed(py, |seen| self.0.watch(seen, name)),
        }
    }

    /// The address of the page.
    #[getter]
    fn url(&self) -> &str {
        self.0.url()
    }

    /// Whether the pages want the next tick now: a loop that asks can be held and stepped from the page.
    fn wants_tick(&self) -> bool {
        self.0.wants_tick()
    }

    fn __repr__(&self) -> String {
        format!("<Studio at {}>", self.0.url())
    }
}
