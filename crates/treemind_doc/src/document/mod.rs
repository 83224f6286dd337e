//! Documents: texts, their definitions, and their diagnostics.

mod archetype;
mod as_planned;
#[cfg(feature = "convert")]
mod convert;
mod import;
mod import_suggestions;
pub mod manifest;

mod allowed_imports;
mod behaviours;
#[cfg(not(all(feature = "btcpp", feature = "scxml", feature = "table")))]
mod missing_feature;
mod together;

use crate::said;
pub(crate) use crate::text::normal;
pub use allowed_imports::{ImportError, Imports};
pub use archetype::Archetype;
#[cfg(all(feature = "convert", feature = "table"))]
pub use convert::convert_table;
#[cfg(feature = "convert")]
pub use convert::{Converted, convert};
#[cfg(all(feature = "convert", feature = "btcpp"))]
pub use convert::{convert_btcpp, write_btcpp};
use together::Declaration;
pub use together::check_together;

use crate::check::{self, Checked, Definition, DefinitionKind, PerKind};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::formats::json;
#[cfg(feature = "scxml")]
use crate::formats::scxml;
use crate::source::Source;
use crate::text::{Format, Weights, refused, with_room};
use import::Load;
use manifest::Manifest;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A document that was read and checked, whether or not there were problems.
///
/// ```
/// let text = "
///     leaves { condition see-enemy; action attack; action patrol; }
///     tree guard {
///         reactive-selector {
///             sequence { condition see-enemy; action attack; }
///             action patrol
///         }
///     }";
/// let document = treemind_doc::Document::parse(text, "guard.kdl");
/// let guard = document.behaviour(None).unwrap();
/// assert_eq!(guard.nodes().len(), 5);
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    format: Format,
    pub(crate) sources: Vec<Arc<Source>>,
    diagnostics: Vec<Diagnostic>,
    pub(crate) checked: Checked,
    shared: Vec<Declaration>,
    pub(crate) definitions: PerKind<Vec<Tree>>,
    pub(crate) archetypes: Vec<Archetype>,
}

/// A tree, machine or decision tree that a document defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    name: String,
    doc: Option<String>,
    pub(crate) source: Arc<Source>,
    span: Range<usize>,
}

impl Tree {
    fn new(definition: &Definition, sink: &Sink) -> Self {
        let (source, span) = sink.locate(&definition.span);
        Self {
            name: definition.name.clone(),
            doc: definition.doc.clone(),
            source: Arc::clone(source),
            span,
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its one line for people.
    pub fn doc(&self) -> Option<&str> {
        self.doc.as_deref()
    }

    /// The file that contains it.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The place of its name in its file.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

impl Document {
    /// Reads the bytes of a file, which should be UTF-8 text, or XML that declares `encoding="ISO-8859-1"`. `name` is its name in diagnostics; its ending decides
    /// the format (see [`Format::of`]). The document cannot import other files; see [`read_with`](Self::read_with).
    pub fn read(bytes: &[u8], name: &str) -> Self {
        Self::read_files(bytes, name, None)
    }

    /// Like [`read`](Self::read), for documents that import others: `load` returns the bytes of the file at a path,
    /// which is relative if `name` is. To read files from a disk, use [`Imports`](crate::Imports), which keeps
    /// documents from reading files outside the allowed folders.
    ///
    /// ```
    /// use treemind_doc::Document;
    ///
    /// let leaves = "leaves { action patrol; }";
    /// let guard = "import \"parts/leaves.kdl\"; tree guard { action patrol; }";
    /// let document = Document::read_with(guard.as_bytes(), "guards/guard.kdl", |path| match path {
    ///     "guards/parts/leaves.kdl" => Ok(leaves.as_bytes().to_vec()),
    ///     _ => Err("there is no such file"), // with files: `|path| std::fs::read(path)`
    /// });
    /// assert!(document.behaviour(None).is_ok());
    /// ```
    pub fn read_with<E: fmt::Display>(
        bytes: &[u8],
        name: &str,
        mut load: impl FnMut(&str) -> Result<Vec<u8>, E>,
    ) -> Self {
        let mut load = |path: &str| load(path).map_err(|error| error.to_string());
        Self::read_files(bytes, name, Some(&mut load))
    }

    fn read_files(bytes: &[u8], name: &str, load: Option<&mut Load<'_>>) -> Self {
        match crate::text::decoded(bytes) {
            Ok(text) => Self::parse_files(&text, name, (Format::of(name, &text), None), load),
            Err(error) => Self::refused(bytes, error.valid_up_to(), name),
        }
    }

    /// Like [`read`](Self::read), in a given format, whatever the name.
    pub fn read_as(bytes: &[u8], name: &str, format: Format) -> Self {
        match crate::text::decoded(bytes) {
            Ok(text) => Self::parse_as(&text, name, format),
            Err(error) => Self::refused(bytes, error.valid_up_to(), name),
        }
    }

    /// Like [`read_with`](Self::read_with), in a given format, whatever the name.
    pub fn read_as_with<E: fmt::Display>(
        bytes: &[u8],
        name: &str,
        format: Format,
        mut load: impl FnMut(&str) -> Result<Vec<u8>, E>,
    ) -> Self {
        let mut load = |path: &str| load(path).map_err(|error| error.to_string());
        match crate::text::decoded(bytes) {
            Ok(text) => Self::parse_files(&text, name, (format, None), Some(&mut load)),
            Err(error) => Self::refused(bytes, error.valid_up_to(), name),
        }
    }

    /// Reads a tree as a flat table, in comma-separated values or as rows in JSON. The types of its rows are nodes,
    /// and leaves that the document at the path `manifest` declares in `leaves`, by name or by `number=`; `load`
    /// returns the bytes of that document.
    ///
    /// ```
    /// use treemind_doc::Document;
    ///
    /// let pet = "id,parent,type,description\n1,0,0,\n2,1,10,\n3,1,stroll,has nothing to do\n";
    /// let leaves = "leaves { action pick-up number=10; action stroll; }";
    /// let load = |path: &str| match path {
    ///     "leaves.kdl" => Ok(leaves.as_bytes().to_vec()),
    ///     _ => Err("there is no such file"),
    /// };
    /// let document = Document::read_table(pet.as_bytes(), "pet.csv", Some("leaves.kdl"), load);
    /// assert_eq!(document.behaviour(Some("pet")).unwrap().nodes().len(), 3);
    /// ```
    #[cfg(feature = "table")]
    pub fn read_table<E: fmt::Display>(
        bytes: &[u8],
        name: &str,
        manifest: Option<&str>,
        load: impl FnMut(&str) -> Result<Vec<u8>, E>,
    ) -> Self {
        Self::read_with_manifest(bytes, name, (Format::Table, manifest), load)
    }

    /// Reads trees of BehaviorTree.CPP, with the nodes that the file at the path `manifest` declares in
    /// `<TreeNodesModel>`, such as `nav2_tree_nodes.xml`; `load` returns the bytes of that file, and of the files that
    /// the document includes.
    ///
    /// ```
    /// use treemind_doc::Document;
    ///
    /// let tree = r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><Look/></BehaviorTree></root>"#;
    /// let nodes = r#"<root><TreeNodesModel><Condition ID="Look"/></TreeNodesModel></root>"#;
    /// let load = |path: &str| match path {
    ///     "nodes.xml" => Ok(nodes.as_bytes().to_vec()),
    ///     _ => Err("there is no such file"),
    /// };
    /// let document = Document::read_btcpp(tree.as_bytes(), "tree.xml", Some("nodes.xml"), load);
    /// assert!(document.diagnostics().is_empty());
    /// ```
    #[cfg(feature = "btcpp")]
    pub fn read_btcpp<E: fmt::Display>(
        bytes: &[u8],
        name: &str,
        manifest: Option<&str>,
        load: impl FnMut(&str) -> Result<Vec<u8>, E>,
    ) -> Self {
        Self::read_with_manifest(bytes, name, (Format::BtCpp, manifest), load)
    }

    /// Reads a format whose leaves or nodes may be declared in another file.
    #[cfg(any(feature = "table", feature = "btcpp"))]
    fn read_with_manifest<E: fmt::Display>(
        bytes: &[u8],
        name: &str,
        what: (Format, Option<&str>),
        mut load: impl FnMut(&str) -> Result<Vec<u8>, E>,
    ) -> Self {
        let mut load = |path: &str| load(path).map_err(|error| error.to_string());
        match crate::text::decoded(bytes) {
            Ok(text) => Self::parse_files(&text, name, what, Some(&mut load)),
            Err(error) => Self::refused(bytes, error.valid_up_to(), name),
        }
    }

    /// The names and texts of all files, from which [`of_texts`](Self::of_texts) makes the document again.
    pub fn texts(&self) -> Vec<(String, String)> {
        let text = |source: &Source| (source.name().to_owned(), source.text().to_owned());
        self.sources().map(text).collect()
    }

    /// The document with these [texts](Self::texts): the first is the document, and the others are what it imports.
    /// `None` if there are none.
    pub fn of_texts<T: AsRef<str>>(format: Format, texts: &[(T, T)]) -> Option<Self> {
        let ((name, text), others) = texts.split_first()?;
        let load = |path: &str| {
            let known = others.iter().find(|(name, _)| name.as_ref() == path);
            let found = known.map(|(_, text)| text.as_ref().as_bytes().to_vec());
            found.ok_or("its text was not kept")
        };
        let (name, text) = (name.as_ref(), text.as_ref().as_bytes());
        #[cfg(feature = "table")]
        if format == Format::Table {
            // A table names no file itself, so the one that it needs is the one with its leaves.
            let manifest = others.first().map(|(name, _)| name.as_ref());
            return Some(Self::read_table(text, name, manifest, load));
        }
        #[cfg(feature = "btcpp")]
        if format == Format::BtCpp {
            // Its manifest is the last file. To read another file as one changes nothing.
            let is_manifest = |(_, text): &&(T, T)| text.as_ref().contains("<TreeNodesModel");
            let manifest = others.last().filter(is_manifest);
            let manifest = manifest.map(|(name, _)| name.as_ref());
            return Some(Self::read_btcpp(text, name, manifest, load));
        }
        Some(Self::read_as_with(text, name, format, load))
    }

    /// Reads a text. `name` is its name in diagnostics; its ending decides the format (see [`Format::of`]).
    pub fn parse(text: &str, name: &str) -> Self {
        Self::parse_files(text, name, (Format::of(name, text), None), None)
    }

    /// Like [`parse`](Self::parse), in a given format, whatever the name.
    pub fn parse_as(text: &str, name: &str, format: Format) -> Self {
        Self::parse_files(text, name, (format, None), None)
    }

    fn parse_files(
        text: &str,
        name: &str,
        (format, manifest): (Format, Option<&str>),
        load: Option<&mut Load<'_>>,
    ) -> Self {
        let mut sink = Sink::new(Arc::new(Source::new(name, text)));
        let checked = match format {
            Format::Kdl if Weights::is_in(text) => {
                let message = said!("this is a file of weights, and not a document");
                sink.error(Code::BadWeights, 0..0, message).with_help(said!(
                    "a document names it: `network NAME from=\"FILE\" { … }`"
                ));
                Checked::default()
            }
            Format::Kdl | Format::Json => native(&mut sink, (format, manifest), load),
            #[cfg(feature = "table")]
            Format::Table => native(&mut sink, (format, manifest), load),
            #[cfg(feature = "btcpp")]
            Format::BtCpp => native(&mut sink, (format, manifest), load),
            #[cfg(feature = "scxml")]
            Format::Scxml => scxml::read(&mut sink),
            #[cfg(not(all(feature = "btcpp", feature = "scxml", feature = "table")))]
            other => {
                missing_feature::without_feature(other, &mut sink);
                Checked::default()
            }
        };
        let definitions = DefinitionKind::ALL.map(|what| {
            let all = checked.definitions[what as usize].iter();
            all.map(|one| Tree::new(one, &sink)).collect()
        });
        let archetypes = checked.archetypes.iter();
        Self {
            format,
            definitions,
            archetypes: archetypes.map(|one| Archetype::new(one, &sink)).collect(),
            shared: Declaration::all(&checked, &sink),
            sources: sink
                .sources()
                .iter()
                .map(|(_, one)| Arc::clone(one))
                .collect(),
            diagnostics: json::in_its_words(sink.finish(), format),
            checked,
        }
    }

    /// The document for bytes that are not text: it keeps the part up to `valid`, which is text.
    fn refused(bytes: &[u8], valid: usize, name: &str) -> Self {
        let (source, diagnostics) = refused(bytes, valid, name);
        Self {
            format: Format::of(name, ""),
            sources: vec![source],
            diagnostics: diagnostics.into_vec(),
            checked: Checked::default(),
            shared: Vec::new(),
            definitions: PerKind::default(),
            archetypes: Vec::new(),
        }
    }

    /// The format that it is written in.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The texts; the first is the file that was read.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter().map(|source| &**source)
    }

    /// All diagnostics, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The same, mutable, to add details.
    pub(crate) fn diagnostics_mut(&mut self) -> &mut [Diagnostic] {
        &mut self.diagnostics
    }

    /// Whether there is an error. If it is not about a `test`, the document does not run; see
    /// [`can_run`](Self::can_run).
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether the document runs: it has no error, or only errors in its tests, which do not run with it. `check` and
    /// `test` refuse it all the same.
    pub fn can_run(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_fatal)
    }

    /// The trees, in the order of the text.
    pub fn trees(&self) -> &[Tree] {
        &self.definitions[DefinitionKind::Tree as usize]
    }

    /// The state machines, in the order of the text.
    pub fn machines(&self) -> &[Tree] {
        &self.definitions[DefinitionKind::Machine as usize]
    }

    /// The decision trees, in the order of the text.
    pub fn decisions(&self) -> &[Tree] {
        &self.definitions[DefinitionKind::Decision as usize]
    }

    /// The planners, in the order of the text.
    pub fn planners(&self) -> &[Tree] {
        &self.definitions[DefinitionKind::Planner as usize]
    }

    /// The tree that `main` or `main_tree_to_execute` names.
    pub fn main(&self) -> Option<&str> {
        self.main_of(DefinitionKind::Tree)
    }

    /// The machine that `main` names.
    pub fn main_machine(&self) -> Option<&str> {
        self.main_of(DefinitionKind::Machine)
    }

    /// The decision tree that `main` names.
    pub fn main_decision(&self) -> Option<&str> {
        self.main_of(DefinitionKind::Decision)
    }

    /// The planner that `main` names.
    pub fn main_planner(&self) -> Option<&str> {
        self.main_of(DefinitionKind::Planner)
    }

    fn main_of(&self, what: DefinitionKind) -> Option<&str> {
        let main = self.checked.main.as_ref();
        let main = main.filter(|(of, _)| *of == what);
        main.map(|(_, name)| name.as_str())
    }

    /// The leaves that the document declares, or, in formats without declarations, those that its trees use.
    pub fn manifest(&self) -> Manifest {
        Manifest::new(&self.checked.leaves, &self.checked.enums)
    }
}

/// Checks nodes of Treemind's language, whatever format they were read from, with everything that they import.
fn native(sink: &mut Sink, form: (Format, Option<&str>), load: Option<&mut Load<'_>>) -> Checked {
    let all = import::gather(sink, form, load);
    if !all.whole {
        return Checked::default();
    }
    // Trees inside trees are nested more deeply than the text.
    let depth = if check::any_subtree(&all.nodes) {
        usize::MAX
    } else {
        all.depth
    };
    with_room(depth, || check::check(&all.nodes, &mut *sink))
}
