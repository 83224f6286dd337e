//! What is done with documents: their tests, and decision trees learned from tables.

use crate::diagnostics::{self, misuse};
use crate::document::Document;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::AtomicBool;
use treemind_learn::{Criterion, Examples, Judgement, Options, Table, find_ccp_alpha};

/// The result of a test of a document, or of one case of its table.
#[pyclass(frozen, get_all, module = "treemind")]
pub(crate) struct TestOutcome {
    id: String,
    name: String,
    file: String,
    line: usize,
    passed: bool,
    /// Why it failed, for people.
    failure: Option<String>,
    seconds: f64,
}

#[pymethods]
impl TestOutcome {
    fn __repr__(&self) -> String {
        let word = if self.passed { "passed" } else { "failed" };
        format!("<test {} {word}>", self.name)
    }

    fn __bool__(&self) -> bool {
        self.passed
    }
}

/// Runs the tests of a document whose names contain `filter`, or the one with the id `only`.
#[pyfunction]
#[pyo3(signature = (document, filter = "", *, only = None))]
pub(crate) fn test(
    py: Python<'_>,
    document: &Document,
    filter: &str,
    only: Option<&str>,
) -> PyResult<Vec<TestOutcome>> {
    let run = || {
        let mut outcomes = Vec::new();
        let is_wanted = |one: &treemind_test::Listed| match only {
            Some(id) => one.id == id,
            None => one.name.contains(filter),
        };
        let tell = |ran: treemind_test::Ran| {
            let outcome = ran.outcome;
            outcomes.push(TestOutcome {
                id: ran.id,
                name: outcome.name,
                file: outcome.file,
                line: outcome.line,
                passed: outcome.failure.is_none(),
                failure: outcome.failure.map(|failure| failure.to_string()),
                seconds: outcome.time.as_secs_f64(),
            });
        };
        treemind_test::run_each(&document.inner, is_wanted, &AtomicBool::new(false), tell)?;
        Ok(outcomes)
    };
    let ran: Result<_, treemind_doc::Diagnostics> = py.detach(run);
    ran.map_err(|problems| diagnostics::error(py, &problems))
}

/// The tests of a document: id, name, file and line.
#[pyfunction]
pub(crate) fn list_tests(document: &Document) -> Vec<(String, String, String, usize)> {
    let listed = treemind_test::list(&document.inner).into_iter();
    listed
        .map(|one| (one.id, one.name, one.file, one.line))
        .collect()
}

/// How a tree is learned.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Wanted {
    target: String,
    ignore: Vec<String>,
    name: String,
    depth: usize,
    min_leaf: usize,
    criterion: String,
    ccp_alpha: Option<f64>,
    hold_out: f64,
    stretch: usize,
    seed: u64,
}

/// What was learned: the document, the depth and the leaves of the tree, the rows that were learned from and held out,
/// how many of each it gets right, the classes, and how the classes of the rows held out were confused.
type Learned = (
    String,
    usize,
    usize,
    (u32, u32),
    (u32, u32),
    Vec<String>,
    Vec<Vec<u32>>,
);

/// Learns a decision tree from a table in comma-separated values.
#[pyfunction]
pub(crate) fn learn(py: Python<'_>, table: &[u8], wanted: Wanted) -> PyResult<Learned> {
    let criterion = match wanted.criterion.as_str() {
        "entropy" => Criterion::Entropy,
        "gini" => Criterion::Gini,
        other => {
            return Err(PyValueError::new_err(format!(
                "`criterion` is `entropy` or `gini`, not `{other}`"
            )));
        }
    };
    let in_range = [
        ((1..=64).contains(&wanted.depth), "`depth` is from 1 to 64"),
        (wanted.min_leaf > 0, "`min_leaf` is 1 or more"),
        (wanted.stretch > 0, "`stretch` is 1 or more"),
        (
            (0.0..1.0).contains(&wanted.hold_out),
            "`hold_out` is from 0 to below 1",
        ),
        (
            wanted
                .ccp_alpha
                .is_none_or(|share| (0.0..1.0).contains(&share)),
            "`ccp_alpha` is from 0 to below 1",
        ),
    ];
    if let Some((_, text)) = in_range.into_iter().find(|(holds, _)| !holds) {
        return Err(PyValueError::new_err(text));
    }
    py.detach(|| learned(table, &wanted, criterion))
        .map_err(|text| misuse(py, text))
}

fn learned(table: &[u8], wanted: &Wanted, criterion: Criterion) -> Result<Learned, String> {
    let table = Table::read(table).map_err(|error| error.to_string())?;
    let examples =
        Examples::of(table, &wanted.target, &wanted.ignore).map_err(|error| error.to_string())?;
    let [rows, held_out] = examples.divided(wanted.hold_out, wanted.seed, wanted.stretch);
    if rows.is_empty() {
        return Err("all rows are held out".to_owned());
    }
    let mut options = Options {
        depth: wanted.depth,
        min_leaf: wanted.min_leaf,
        criterion,
        ccp_alpha: 0.0,
    };
    options.ccp_alpha = match wanted.ccp_alpha {
        Some(share) => share,
        None => find_ccp_alpha(&examples, &rows, wanted.stretch, &options),
    };
    let tree = treemind_learn::learn(&examples, &rows, &options);
    let text = treemind_learn::document(&tree, &examples, &wanted.name);
    let known = Judgement::of(&tree, &examples, &rows);
    let unknown = Judgement::of(&tree, &examples, &held_out);
    Ok((
        text,
        tree.depth(),
        tree.leaves(),
        (known.right(), known.rows()),
        (unknown.right(), unknown.rows()),
        unknown.classes,
        unknown.confusion,
    ))
}
