//! What runs in Python, as data that is saved with the state of agents.

use crate::diagnostics::{exception, misuse};
use crate::host::Leaves;
use pyo3::prelude::*;
use treemind_core::NodeId;

/// The node, the agent, and the fields of the object in JSON.
pub(crate) type SavedRun = (usize, usize, String);

/// A run that was made again.
pub(crate) type Run = (usize, usize, Py<PyAny>);

/// What runs, in the order of nodes and agents.
pub(crate) fn saved(py: Python<'_>, leaves: &Leaves) -> PyResult<Vec<SavedRun>> {
    if let Some(name) = leaves.unsaved() {
        return Err(misuse(py, unsaved(name)));
    }
    let helper = PyModule::import(py, "treemind._saving")?;
    let mut runs: Vec<_> = leaves.runs().iter().collect();
    runs.sort_by_key(|(place, _)| **place);
    let mut saved = Vec::with_capacity(runs.len());
    for ((node, agent), run) in runs {
        let name = leaves.program().behaviour().label(NodeId::new(*node));
        let text: String = helper.call_method1("dump", (name, run))?.extract()?;
        saved.push((*node, *agent, text));
    }
    Ok(saved)
}

/// Why an action cannot be saved.
pub(crate) fn unsaved(name: &str) -> String {
    format!("action `{name}` runs as a generator, whose state cannot be saved: write it as a class")
}

/// The error for runs that do not belong to the agents.
pub(crate) fn damaged(py: Python<'_>) -> PyErr {
    exception(
        py,
        "RestoreError",
        ("what ran in Python is damaged in these bytes",),
    )
}

/// Makes the objects of saved runs of so many agents again. Nothing is put in their place yet, so that nothing has changed if one of them
/// cannot be made.
pub(crate) fn made(
    py: Python<'_>,
    leaves: &Leaves,
    agents: usize,
    saved: Vec<SavedRun>,
) -> PyResult<Vec<Run>> {
    let helper = PyModule::import(py, "treemind._saving")?;
    let behaviour = leaves.program().behaviour();
    let mut runs = Vec::with_capacity(saved.len());
    for (node, agent, text) in saved {
        let is_there = node < behaviour.nodes().len() && agent < agents;
        let code = Some(NodeId::new(node)).filter(|_| is_there);
        let code = code.and_then(|node| leaves.class_at(node));
        let code = code.ok_or_else(|| damaged(py))?;
        let run = helper.call_method1("load", (code.function(), text))?;
        runs.push((node, agent, run.unbind()));
    }
    Ok(runs)
}
