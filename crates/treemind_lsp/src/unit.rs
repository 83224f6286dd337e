//! A document with the files that it imports, read once and kept as long as they stay the same.

use crate::imports::import_lines;
use crate::world::{Files, Stamp};
use treemind_doc::edit::Editor;
use treemind_doc::{Document, Format};

/// A document with the files that it imports.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) root: String,
    /// Its files, and those that it would import if they were there, as they were when they were read.
    stamps: Vec<(String, Stamp)>,
    /// Of a document in KDL: its texts, to be asked about.
    editor: Option<Editor>,
    /// What was found when it was last checked; `None` since it was changed.
    document: Option<Document>,
}

impl Unit {
    /// Reads a document; `None` if there is no such text.
    pub(crate) fn read(root: &str, files: &Files) -> Option<Self> {
        let (document, stamps) = checked(root, files)?;
        let is_kdl = document.format() == Format::Kdl;
        Some(Self {
            root: root.to_owned(),
            editor: is_kdl.then(|| Editor::of_texts(&document.texts())),
            document: Some(document),
            stamps,
        })
    }

    /// Takes over what has changed in its files. `None` if it has to be read again.
    pub(crate) fn refreshed(mut self, files: &Files) -> Option<Self> {
        let now = |name: &str| files.stamp(name);
        let changed: Vec<usize> = (0..self.stamps.len())
            .filter(|at| now(&self.stamps[*at].0) != self.stamps[*at].1)
            .collect();
        if changed.is_empty() {
            return Some(self);
        }
        let editor = self.editor.as_mut()?;
        for at in changed {
            let name = &self.stamps[at].0;
            let file = editor.file_named(name)?;
            let text = files.text(name)?;
            if import_lines(editor.text(file)) != import_lines(&text) {
                return None;
            }
            editor.reread(file, &text);
            self.stamps[at].1 = now(name);
        }
        self.document = None;
        Some(self)
    }

    pub(crate) fn editor(&self) -> Option<&Editor> {
        self.editor.as_ref()
    }

    /// The document, checked.
    pub(crate) fn document(&mut self, files: &Files) -> Option<&Document> {
        if self.document.is_none() {
            self.document = Some(checked(&self.root, files)?.0);
        }
        self.document.as_ref()
    }

    /// What it was made of, and which texts those were.
    pub(crate) fn stamps(&self) -> &[(String, Stamp)] {
        &self.stamps
    }

    /// Whether a file is part of it.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.stamps.iter().any(|(known, _)| known == name)
    }
}

/// Reads and checks a document, and notes what it was made of.
fn checked(root: &str, files: &Files) -> Option<(Document, Vec<(String, Stamp)>)> {
    let text = files.text(root)?;
    let mut stamps = vec![(root.to_owned(), files.stamp(root))];
    let allowed = files.allowed(root);
    let document = Document::read_with(text.as_bytes(), root, |path| {
        stamps.push((path.to_owned(), files.stamp(path)));
        files.load(path, &allowed)
    });
    Some((document, stamps))
}
