//! Decision trees that ask less.

use crate::diagnostics::misuse;
use crate::document::Document;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use treemind_doc::{Document as Inner, Format};
use treemind_learn::{Expected, balance as balanced, same_decisions};

/// How often each way was taken through decision trees.
#[pyclass(frozen, module = "treemind")]
pub(crate) struct Profile(pub(crate) treemind_learn::Profile);

#[pymethods]
impl Profile {
    /// How many decisions each decision tree has made.
    #[getter]
    fn decisions(&self) -> std::collections::BTreeMap<String, u64> {
        let all = self.0.decisions();
        all.map(|(name, of)| (name.to_owned(), of.asked()))
            .collect()
    }

    fn __repr__(&self) -> String {
        format!("<Profile of {} decision trees>", self.0.decisions().count())
    }
}

/// A decision tree that was written again, or could not be made better.
#[pyclass(frozen, get_all, module = "treemind")]
pub(crate) struct Balanced {
    /// The whole text of the document.
    text: String,
    /// Whether anything has changed.
    changed: bool,
    /// The mean number of tests of a decision, before and now, by the profile.
    tests: (f64, f64),
    /// Their mean cost, before and now.
    cost: (f64, f64),
    /// How many answers of a decision, on average, are estimated.
    estimated: f64,
    /// In how many cases the old and the new form were compared, and found alike.
    cases: u64,
    /// Whether these are all cases that the tests can tell apart.
    all_cases: bool,
}

#[pymethods]
impl Balanced {
    fn __repr__(&self) -> String {
        let (before, after) = self.tests;
        format!("<Balanced: {before:.2} tests before, {after:.2} now>")
    }
}

/// Writes a decision tree so that likely and cheap tests come first, with the same answers, and compares the two.
#[pyfunction]
#[pyo3(signature = (document, profile, name = None))]
pub(crate) fn balance(
    py: Python<'_>,
    document: &Document,
    profile: &Profile,
    name: Option<&str>,
) -> PyResult<Balanced> {
    let inner = &document.inner;
    let names: Vec<&str> = inner.decisions().iter().map(|one| one.name()).collect();
    let name = match (name.or(inner.main_decision()), &names[..]) {
        (Some(name), all) if all.contains(&name) => name,
        (None, [only]) => only,
        (_, all) => {
            let text = format!("name one of the decision trees: {}", all.join(", "));
            return Err(PyKeyError::new_err(text));
        }
    };
    let refused = |why: String| misuse(py, format!("`{name}` was not balanced: {why}"));
    let made = balanced(inner, name, &profile.0).map_err(|why| refused(why.to_string()))?;
    let after = read_again(inner, &made.text);
    let proof = same_decisions(inner, &after, name, &made);
    let proof = proof.map_err(|why| refused(why.to_string()))?;
    let pair = |of: fn(&Expected) -> f64| (of(&made.before), of(&made.after));
    Ok(Balanced {
        changed: made.is_changed,
        tests: pair(|one| one.tests),
        cost: pair(|one| one.cost),
        estimated: made.guessed,
        cases: proof.cases,
        all_cases: proof.is_complete,
        text: made.text,
    })
}

/// The document with another text, and the files that it imports.
fn read_again(document: &Inner, text: &str) -> Inner {
    let texts = document.texts();
    let name = texts.first().map_or("", |(name, _)| name.as_str());
    let load = |path: &str| {
        let found = texts.iter().find(|(name, _)| name == path);
        let found = found.map(|(_, text)| text.clone().into_bytes());
        found.ok_or_else(|| "it was not read with the document".to_owned())
    };
    match document.format() {
        Format::Kdl => Inner::read_with(text.as_bytes(), name, load),
        _ => Inner::parse(text, name),
    }
}
