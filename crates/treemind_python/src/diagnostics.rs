//! What is wrong with a document, as objects and as the exception that carries them.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use treemind_doc::Diagnostic as Inner;

/// One problem of a document.
#[pyclass(frozen, module = "treemind", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct Diagnostic(Inner);

#[pymethods]
impl Diagnostic {
    /// The stable code, such as `T0102`.
    #[getter]
    fn code(&self) -> String {
        self.0.code().to_string()
    }

    /// `"error"` or `"warning"`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity().as_str()
    }

    #[getter]
    fn message(&self) -> &str {
        self.0.message()
    }

    #[getter]
    fn help(&self) -> Option<&str> {
        self.0.help()
    }

    /// The name of the file.
    #[getter]
    fn file(&self) -> &str {
        self.0.source().name()
    }

    /// The bytes of the file that it is about: begin and end, in UTF-8.
    #[getter]
    fn span(&self) -> (usize, usize) {
        let span = self.0.span();
        (span.start, span.end)
    }

    /// From 1.
    #[getter]
    fn line(&self) -> usize {
        self.0.line_column().0
    }

    /// From 1.
    #[getter]
    fn column(&self) -> usize {
        self.0.line_column().1
    }

    /// The lines of the file with the place marked.
    #[getter]
    fn excerpt(&self) -> String {
        excerpt(&self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_plain().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let (line, column) = self.0.line_column();
        let (file, code) = (self.0.source().name(), self.0.code());
        format!(
            "<Diagnostic {code} at {file}:{line}:{column}: {}>",
            self.0.message()
        )
    }
}

/// Lines longer than this are not shown.
const MOST_BYTES: usize = 1_000;

/// How many problems an exception shows.
const SHOWN: usize = 10;

fn excerpt(diagnostic: &Inner) -> String {
    let (line, _) = diagnostic.line_column();
    let text = diagnostic.source().line(line);
    let mut shown = String::new();
    let theme = miette::GraphicalTheme::unicode_nocolor();
    let is_long = text.is_some_and(|text| text.len() > MOST_BYTES);
    let handler = miette::GraphicalReportHandler::new_themed(theme);
    if is_long || handler.render_report(&mut shown, diagnostic).is_err() {
        return diagnostic.to_plain();
    }
    shown
}

/// The exception for a document that does not run.
pub(crate) fn error(py: Python<'_>, all: &[Inner]) -> PyErr {
    let fatal = |one: &&Inner| one.is_fatal();
    let mut sorted: Vec<&Inner> = all.iter().filter(fatal).collect();
    sorted.extend(all.iter().filter(|one| !fatal(one)));
    let mut text = String::from("\n");
    for one in sorted.iter().take(SHOWN) {
        text.push_str(&excerpt(one));
    }
    if let Some(more @ 1..) = sorted.len().checked_sub(SHOWN) {
        text.push_str(&format!("… and {more} more: see `diagnostics`\n"));
    }
    let all: Vec<Diagnostic> = sorted.into_iter().cloned().map(Diagnostic).collect();
    exception(py, "DocumentError", (text, all))
}

/// The problems as objects.
pub(crate) fn objects(all: &[Inner]) -> Vec<Diagnostic> {
    all.iter().cloned().map(Diagnostic).collect()
}

/// One of the exceptions that `treemind._errors` declares.
pub(crate) fn exception<'py, A>(py: Python<'py>, name: &'static str, args: A) -> PyErr
where
    A: IntoPyObject<'py> + pyo3::call::PyCallArgs<'py>,
{
    let made = class(py, name).and_then(|class| class.call1(args));
    match made {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

fn class<'py>(py: Python<'py>, name: &'static str) -> PyResult<Bound<'py, PyType>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || {
        PyResult::Ok(PyModule::import(py, "treemind._errors")?.unbind())
    })?;
    Ok(module.bind(py).getattr(name)?.cast_into()?)
}

/// The exception for what is wrong with how this package is used.
pub(crate) fn misuse(py: Python<'_>, text: impl Into<String>) -> PyErr {
    exception(py, "TreemindError", (text.into(),))
}
