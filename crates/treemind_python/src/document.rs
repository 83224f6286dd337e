//! Documents: read from files and texts, with what they define.

use crate::diagnostics::{self, Diagnostic};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use treemind_core::Behaviour;
use treemind_doc::{Document as Inner, Format, Imports};

/// A document that has been read. It never changes, and any number of minds, also on other threads, may run it.
#[pyclass(frozen, module = "treemind", weakref)]
pub(crate) struct Document {
    pub(crate) inner: Arc<Inner>,
}

/// The format of a document and its texts.
type Pickled = (String, Vec<(String, String)>);

/// A node for a drawing: id, parent and label.
pub(crate) type DrawnNode = (usize, Option<usize>, String);

/// The largest file that is read.
const MOST_BYTES: u64 = 256 << 20;

/// Reads a file, which may import others from its folder and from the folders `allow`.
#[pyfunction]
#[pyo3(signature = (path, *, manifest = None, allow = Vec::new(), check = true))]
pub(crate) fn read_file(
    py: Python<'_>,
    path: PathBuf,
    manifest: Option<PathBuf>,
    allow: Vec<PathBuf>,
    check: bool,
) -> PyResult<Document> {
    let read = || {
        let mut imports = Imports::of(&path);
        for folder in allow {
            imports = imports.allow(folder);
        }
        let manifest = manifest.map(|path| path.to_string_lossy().into_owned());
        let name = path.to_string_lossy();
        let bytes = treemind_doc::files::read(&path, MOST_BYTES)?;
        let load = |path: &str| match manifest.as_deref() == Some(path) {
            // Whoever names it may read it.
            true => treemind_doc::files::read(path.as_ref(), MOST_BYTES)
                .map_err(|error| error.to_string()),
            false => imports.read(path).map_err(|error| error.to_string()),
        };
        Ok::<_, std::io::Error>(read(&bytes, &name, manifest.as_deref(), load))
    };
    let inner = py.detach(read);
    let inner = inner.map_err(|error| {
        let number = error.raw_os_error();
        match number {
            Some(number) => {
                PyOSError::new_err((number, error.to_string(), path.display().to_string()))
            }
            None => PyOSError::new_err(format!("{}: {error}", path.display())),
        }
    })?;
    Document::checked(py, inner, check)
}

/// Reads a text, which may import those in `files`.
#[pyfunction]
#[pyo3(signature = (text, name = "document.kdl", *, files = HashMap::new(), manifest = None, check = true))]
pub(crate) fn read_text(
    py: Python<'_>,
    text: String,
    name: &str,
    files: HashMap<String, String>,
    manifest: Option<&str>,
    check: bool,
) -> PyResult<Document> {
    let load = |path: &str| {
        let text = files.get(path).map(|text| text.clone().into_bytes());
        text.ok_or_else(|| "it is not among `files`".to_owned())
    };
    let inner = py.detach(|| read(text.as_bytes(), name, manifest, load));
    Document::checked(py, inner, check)
}

fn read(
    bytes: &[u8],
    name: &str,
    manifest: Option<&str>,
    load: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Inner {
    let format = Format::of(name, &String::from_utf8_lossy(bytes));
    match (manifest, format) {
        (Some(_), Format::BtCpp) => Inner::read_btcpp(bytes, name, manifest, load),
        (_, Format::Table) => Inner::read_table(bytes, name, manifest, load),
        _ => Inner::read_with(bytes, name, load),
    }
}

impl Document {
    fn checked(py: Python<'_>, inner: Inner, check: bool) -> PyResult<Self> {
        if check && !inner.can_run() {
            return Err(diagnostics::error(py, inner.diagnostics()));
        }
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// What an agent runs: the tree, machine, decision tree, planner or archetype of that name; without a name the one
    /// that is the document's main one.
    pub(crate) fn behaviour(&self, py: Python<'_>, name: Option<&str>) -> PyResult<Behaviour> {
        let inner = &self.inner;
        let found = match name {
            Some(name) if inner.archetype(name).is_some() => inner.behaviour_for(name),
            Some(name) if named(inner.machines(), name) => inner.machine(name),
            Some(name) if named(inner.decisions(), name) => inner.decision(name),
            Some(name) if named(inner.planners(), name) => inner.planner(name),
            name => inner.behaviour(name),
        };
        found.map_err(|problems| diagnostics::error(py, &problems))
    }
}

fn named(all: &[treemind_doc::Tree], name: &str) -> bool {
    all.iter().any(|tree| tree.name() == name)
}

fn names(all: &[treemind_doc::Tree]) -> Vec<String> {
    all.iter().map(|tree| tree.name().to_owned()).collect()
}

#[pymethods]
impl Document {
    /// Its name: the path, if it was read from a file.
    #[getter]
    fn name(&self) -> String {
        let first = self.inner.sources().next();
        first
            .map(|source| source.name().to_owned())
            .unwrap_or_default()
    }

    /// Errors and warnings.
    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        diagnostics::objects(self.inner.diagnostics())
    }

    #[getter]
    fn trees(&self) -> Vec<String> {
        names(self.inner.trees())
    }

    #[getter]
    fn machines(&self) -> Vec<String> {
        names(self.inner.machines())
    }

    #[getter]
    fn decisions(&self) -> Vec<String> {
        names(self.inner.decisions())
    }

    #[getter]
    fn planners(&self) -> Vec<String> {
        names(self.inner.planners())
    }

    #[getter]
    fn archetypes(&self) -> Vec<String> {
        let all = self.inner.archetypes().iter();
        all.map(|one| one.name().to_owned()).collect()
    }

    /// The name and the text of the file and of everything that it imports.
    #[getter]
    fn texts(&self) -> Vec<(String, String)> {
        self.inner.texts()
    }

    /// Why no agent can run it, as the exception that `load` raises.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let checked = self.inner.ok();
        checked.map_err(|problems| diagnostics::error(py, &problems))
    }

    /// The tree as indented text.
    #[pyo3(signature = (name = None))]
    fn outline(&self, py: Python<'_>, name: Option<&str>) -> PyResult<String> {
        Ok(treemind_doc::outline(&self.behaviour(py, name)?))
    }

    /// The leaves that the document declares, as a document in KDL that others can import.
    fn manifest(&self) -> String {
        self.inner.manifest().to_kdl()
    }

    /// A diagram in Mermaid.
    #[pyo3(signature = (name = None))]
    fn mermaid(&self, py: Python<'_>, name: Option<&str>) -> PyResult<String> {
        Ok(treemind_doc::mermaid(&self.behaviour(py, name)?))
    }

    /// A diagram in DOT, for Graphviz.
    #[pyo3(signature = (name = None))]
    fn dot(&self, py: Python<'_>, name: Option<&str>) -> PyResult<String> {
        Ok(treemind_doc::dot(&self.behaviour(py, name)?))
    }

    /// The nodes for a drawing: id, parent, label.
    #[pyo3(signature = (name = None))]
    fn _nodes(&self, py: Python<'_>, name: Option<&str>) -> PyResult<Vec<DrawnNode>> {
        Ok(nodes_of(&self.behaviour(py, name)?))
    }

    /// What `pickle` needs: the texts, from which the document is read again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let module = PyModule::import(py, "treemind._pickle")?;
        let format = format!("{:?}", self.inner.format());
        Ok((module.getattr("document")?, (format, self.inner.texts())))
    }

    /// The document of such texts.
    #[staticmethod]
    fn _of_texts(py: Python<'_>, format: &str, texts: Vec<(String, String)>) -> PyResult<Self> {
        let all = [
            Format::Kdl,
            Format::Json,
            Format::BtCpp,
            Format::Scxml,
            Format::Table,
        ];
        let format = all.into_iter().find(|one| format!("{one:?}") == format);
        let inner = format.and_then(|format| Inner::of_texts(format, &texts));
        let inner = inner
            .ok_or_else(|| diagnostics::misuse(py, "these are not the texts of a document"))?;
        Self::checked(py, inner, true)
    }

    fn __repr__(&self) -> String {
        let defined = [
            self.inner.trees(),
            self.inner.machines(),
            self.inner.decisions(),
            self.inner.planners(),
        ];
        let defined = defined.map(names).concat();
        format!("<Document {}: {}>", self.name(), defined.join(", "))
    }
}

/// Id, parent and label of each node, parents first.
pub(crate) fn nodes_of(behaviour: &Behaviour) -> Vec<DrawnNode> {
    let mut texts: HashMap<usize, String> = HashMap::new();
    for line in treemind_doc::outline_lines(behaviour) {
        if let treemind_doc::About::Node(id) = line.about {
            texts.entry(id.index()).or_insert(line.text);
        }
    }
    let mut todo = vec![behaviour.root()];
    let mut found = Vec::new();
    while let Some(id) = todo.pop() {
        let node = behaviour.node(id);
        let text = texts.remove(&id.index());
        let label = text.unwrap_or_else(|| behaviour.label(id).to_owned());
        found.push((id.index(), node.parent.map(|parent| parent.index()), label));
        todo.extend(node.children.iter().rev());
    }
    found
}
