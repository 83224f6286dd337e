//! Edits of documents in KDL as byte ranges on their texts, for editors, codemods and tools.
//!
//! An [`Editor`] holds the files of a [`Document`]. Each operation takes the position of a node and returns a
//! [`Change`]: which bytes of which file are replaced, and by what. Nothing else is touched: comments stay with their
//! nodes, and texts keep their spelling and their line endings. [`Editor::apply`] applies a change to the texts and
//! returns the change that undoes it; [`History`] stores both. An operation that is not possible returns an
//! [`EditError`] with the reason.
//! ```
//! use treemind_doc::Document;
//! use treemind_doc::edit::{Editor, Spot};
//!
//! let text = r#"blackboard { key health type=float default=100.0; }
//! leaves { action patrol; action flee; }
//! tree guard {
//!     selector {
//!         action flee when="health < 20" // it hurts
//!         action patrol
//!     }
//! }
//! "#;
//! let mut editor = Editor::new(Document::parse(text, "guard.kdl"))?;
//!
//! // A key with all its uses.
//! let undo = editor.apply(&editor.rename(text.find("health").unwrap(), "life")?)?;
//! assert!(editor.text(0).contains(r#"action flee when="life < 20" // it hurts"#));
//! assert!(!editor.document().has_errors());
//!
//! editor.apply(&undo)?;
//! assert_eq!(editor.text(0), text);
//! # Ok::<(), treemind_doc::edit::EditError>(())
//! ```
//!
//! Operations work on every part of a document that could be read, whatever other mistakes it has. Only a file in which
//! a block, text or comment is not closed cannot be edited. `docs/editing.md` lists the operations and what they
//! guarantee.

mod behind;
mod change;
mod comments;
mod compare;
mod copies;
mod cursor;
mod decisions;
mod differing;
mod entries;
mod error;
mod extract;
mod fits;
mod history;
mod ids;
mod inline;
mod keys;
mod kinds;
mod known;
mod layout;
mod leaves;
mod loose;
mod machines;
mod meanings;
mod merge;
mod occurrences;
mod outline;
mod outlined;
mod paste;
mod place;
mod planned;
mod regions;
mod rename;
mod reread;
mod room;
mod runs;
mod snippet;
mod standing;
mod structure;
mod tables;
mod test_paths;
mod utf16;
mod values;
mod wrap;

pub use crate::symbols::SymbolKind;
pub use behind::LeftBehind;
pub use change::{Change, Splice};
pub use compare::{
    ComparedNode, Difference, Differs, Told, Version, compare, compare_all, compare_versions,
};
pub use cursor::{Cursor, CursorEntry, CursorNode, CursorPart, ReadNode, WrittenNode};
pub use differing::differing;
pub use entries::NewValue;
pub use error::EditError;
pub use fits::Fit;
pub use history::History;
pub use keys::NewKey;
pub use known::Known;
pub use merge::{Clash, Conflict, Merged, Side, merge, pieces};
pub use occurrences::{NamedSymbol, Occurrence};
pub use outline::{SourceEntry, SourceNode, SourceOutline, SourceRole};
pub use place::{At, EntryView, NodeView, Spot};
pub use planned::PlannedName;
pub use runs::Running;
pub use tables::{KeyRow, LeafRow, UsedBy};
pub use utf16::Utf16;

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::document::{self, Document};
use crate::said;
use crate::source::Source;
use crate::symbols::Names;
use crate::syntax::{Node, parse, shortened};
use crate::text::{Format, beside};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The texts of a document, which can be changed. An editor knows nothing about folders: the caller writes the files.
#[derive(Clone, Debug)]
pub struct Editor {
    files: Vec<File>,
    /// The last id that was given to a node.
    next_id: u64,
    /// The checked document of the current texts, computed on first use.
    document: OnceLock<Document>,
    /// What the names in the texts stand for, computed on first use.
    names: OnceLock<Names>,
    /// The values of enumerations that they name, computed on first use.
    value_names: OnceLock<Names>,
    /// The same as `names` for texts in which not everything is closed.
    loose_names: OnceLock<Names>,
}

/// A file, and the nodes that could be read from it, also when something is not closed.
#[derive(Clone, Debug)]
struct File {
    source: Arc<Source>,
    nodes: Vec<Node>,
    /// Whether everything that was opened is closed.
    whole: bool,
    ids: ids::Ids,
}

impl File {
    fn new(source: Arc<Source>) -> Self {
        let mut sink = crate::diagnostic::Sink::new(Arc::clone(&source));
        let parsed = parse(source.text(), &mut sink);
        let nodes = match parsed.whole {
            true => parsed.nodes,
            false => loose::unfinished(source.text()),
        };
        Self {
            source,
            nodes,
            whole: parsed.whole,
            ids: ids::Ids::default(),
        }
    }

    fn text(&self) -> &str {
        self.source.text()
    }
}

impl Editor {
    /// Opens the files of a document: number 0 is the file that was read, the files that it imports follow.
    ///
    /// # Errors
    /// When the document is not written in KDL, or is not text at all.
    pub fn new(document: Document) -> Result<Self, EditError> {
        if document.format() != Format::Kdl {
            return Err(EditError::new(said!("only documents in KDL can be edited")));
        }
        let is_text = |found: &Diagnostic| found.code() != Code::NotText;
        if !document.diagnostics().iter().all(is_text) {
            return Err(EditError::new(said!(
                "a document that is not UTF-8 text cannot be edited"
            )));
        }
        let files: Vec<File> = document.sources.iter().cloned().map(File::new).collect();
        Ok(Self::of_files(files, OnceLock::from(document)))
    }

    /// Opens texts in KDL, each with its name; the first is the document, and the others are what it imports. They are
    /// checked when [`document`](Self::document) is asked for, and not before.
    pub fn of_texts<T: AsRef<str>>(texts: &[(T, T)]) -> Self {
        let source = |(name, text): &(T, T)| Arc::new(Source::new(name.as_ref(), text.as_ref()));
        let mut files: Vec<File> = texts.iter().map(source).map(File::new).collect();
        if files.is_empty() {
            files.push(File::new(Arc::new(Source::new("", ""))));
        }
        Self::of_files(files, OnceLock::new())
    }

    fn of_files(files: Vec<File>, document: OnceLock<Document>) -> Self {
        let mut editor = Self {
            files,
            next_id: 0,
            document,
            names: OnceLock::new(),
            value_names: OnceLock::new(),
            loose_names: OnceLock::new(),
        };
        (0..editor.files.len()).for_each(|file| editor.number(file));
        editor
    }

    /// Adds a file that the document does not import yet, so that it can, and returns its number. If a file with that
    /// name exists already, it is kept as it is.
    pub fn add_file(&mut self, name: &str, text: &str) -> usize {
        let name = document::normal(name);
        let known = self.files.iter().skip(1);
        if let Some(at) = known
            .map(|file| file.source.name())
            .position(|known| known == name)
        {
            return at + 1;
        }
        self.document = OnceLock::new();
        self.names = OnceLock::new();
        self.value_names = OnceLock::new();
        self.loose_names = OnceLock::new();
        self.files
            .push(File::new(Arc::new(Source::new(name, text))));
        let file = self.files.len() - 1;
        self.number(file);
        file
    }

    /// The names of the files that these files import, or read weights from, and that are not among them.
    pub fn missing_files(&self) -> Vec<String> {
        let mut missing: Vec<String> = Vec::new();
        for file in &self.files {
            let named = file
                .nodes
                .iter()
                .filter_map(|node| match node.name.value.as_str() {
                    "import" => node.first_text(),
                    "network" => node.property_text("from"),
                    _ => None,
                });
            for path in named.map(|text| beside(file.source.name(), &text.value)) {
                let is_known = |known: &File| document::normal(known.source.name()) == path;
                if !self.files.iter().any(is_known) && !missing.contains(&path) {
                    missing.push(path);
                }
            }
        }
        missing
    }

    /// Whether all blocks, texts and comments of a file are closed: only then its nodes can be edited.
    pub fn is_whole(&self, file: usize) -> bool {
        self.files.get(file).is_some_and(|file| file.whole)
    }

    /// The number of files.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The current text of a file; empty when there is no such file.
    pub fn text(&self, file: usize) -> &str {
        self.files.get(file).map_or("", File::text)
    }

    /// The name of a file; empty when there is no such file.
    pub fn name(&self, file: usize) -> &str {
        self.files.get(file).map_or("", |file| file.source.name())
    }

    /// The number of the file with that name.
    pub fn file_named(&self, name: &str) -> Option<usize> {
        self.files
            .iter()
            .position(|file| file.source.name() == name)
    }

    /// The current texts, read and checked. The check runs on the first call after a change.
    pub fn document(&self) -> &Document {
        self.document.get_or_init(|| {
            let first = &self.files[0].source;
            Document::read_with(first.text().as_bytes(), first.name(), |path| {
                let mut files = self.files.iter().skip(1);
                let found = files.find(|file| file.source.name() == path);
                let found = found.map(|file| file.text().as_bytes().to_vec());
                found.ok_or("it is not one of the files being edited")
            })
        })
    }

    /// Applies a change to the texts, and returns the change that undoes it. Nodes that stay keep their ids. The change
    /// that undoes it also gives the old ids back to the nodes that it brings back.
    ///
    /// # Errors
    /// When the change was made for other texts. Then nothing is changed.
    pub fn apply(&mut self, change: &Change) -> Result<Change, EditError> {
        let mut changed = Vec::new();
        for file in change.files() {
            let Some(found) = self.files.get(file) else {
                return Err(EditError::new(said!("there is no file {}", file)));
            };
            let text = change.apply_to(file, found.text())?;
            changed.push((file, Arc::new(Source::new(found.source.name(), text))));
        }
        if !changed.is_empty() {
            self.document = OnceLock::new();
            self.names = OnceLock::new();
            self.value_names = OnceLock::new();
            self.loose_names = OnceLock::new();
        }
        let mut old = Vec::with_capacity(changed.len());
        for (file, source) in changed {
            old.push((
                file,
                std::mem::replace(&mut self.files[file], File::new(source)),
            ));
        }
        let mut undo = change.inverse();
        undo.ids = Some(self.carry_ids(change, &old));
        Ok(undo)
    }

    fn splice(&self, file: usize, range: Range<usize>, new: String) -> Result<Splice, EditError> {
        let old = self.file(file)?.text().get(range.clone());
        let old =
            old.ok_or_else(|| EditError::new(said!("this place does not exist in the text")))?;
        Ok(Splice {
            file,
            range,
            old: old.to_owned(),
            new,
        })
    }
}

/// A name or text as documents write it: with quotes only where it needs them.
pub fn written_word(text: &str) -> String {
    let mut out = String::new();
    crate::syntax::write::word(text, &mut out);
    out
}

/// Where a text of an expression ends that begins with the first quote of `rest`: behind its last quote. `None` if it is not
/// closed.
pub fn end_of_text(rest: &str) -> Option<usize> {
    crate::expression::quotes::end(rest)
}

/// The name of a node in labels.
fn called(word: &str) -> String {
    shortened(word)
}

/// A node in labels: its word, and the name that follows it, if one does: `action bark`, but `check`.
fn titled(node: &Node) -> String {
    let word = called(&node.name.value);
    match node.first_text().filter(|text| text.bare) {
        Some(name) => format!("{word} {}", called(&name.value)),
        None => word,
    }
}
