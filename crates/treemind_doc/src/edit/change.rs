//! The bytes that an edit replaces, and how the edit is undone.

use super::error::EditError;
use crate::{Said, said};
use std::ops::Range;

/// A range of bytes in one file, and the text that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The file, by its number in the [`Editor`](super::Editor).
    pub file: usize,
    /// The range of bytes in the text before the change.
    pub range: Range<usize>,
    /// The text in the range before the change.
    pub old: String,
    /// The text that replaces it.
    pub new: String,
}

/// An edit: byte ranges in one or several files, and the text that replaces each.
///
/// A change also stores the text that it replaces. So it can be applied only to the text that it was made for, and it
/// can be inverted. Two changes are equal when they have the same label and replace the same bytes.
#[derive(Clone, Debug)]
pub struct Change {
    label: Said,
    splices: Vec<Splice>,
    notes: Vec<Said>,
    /// The old and the new name, if it renames something.
    renamed: Option<[String; 2]>,
    /// For a change that undoes another one: the ids of the nodes that it brings back, file by file.
    pub(super) ids: Option<Vec<(usize, Vec<u64>)>>,
}

impl PartialEq for Change {
    fn eq(&self, other: &Self) -> bool {
        self.label == other.label && self.splices == other.splices
    }
}

impl Eq for Change {}

impl Change {
    /// Sorts the splices, and leaves out those that change nothing.
    pub(super) fn new(label: Said, mut splices: Vec<Splice>) -> Result<Self, EditError> {
        splices.retain(|splice| splice.old != splice.new);
        splices.sort_by_key(|splice| (splice.file, splice.range.start, splice.range.end));
        splices.dedup_by(|one, other| one == other && !one.range.is_empty());
        let overlaps = splices
            .windows(2)
            .any(|pair| pair[0].file == pair[1].file && pair[0].range.end > pair[1].range.start);
        if overlaps {
            return Err(EditError::new(said!(
                "the removed text and the inserted text overlap here"
            )));
        }
        Ok(Self {
            label,
            splices,
            notes: Vec::new(),
            renamed: None,
            ids: None,
        })
    }

    /// The same change with what its author should know of it.
    pub(super) fn noting(mut self, notes: Vec<Said>) -> Self {
        self.notes = notes;
        self
    }

    /// The same change, which gives something another name.
    pub(super) fn renaming(mut self, old: &str, new: &str) -> Self {
        self.renamed = Some([old.to_owned(), new.to_owned()]);
        self
    }

    /// The old and the new name, if the change renames something: whoever knows other documents with the same files renames
    /// it there, too.
    pub fn renamed(&self) -> Option<[&str; 2]> {
        let names = self.renamed.as_ref()?;
        Some(names.each_ref().map(String::as_str))
    }

    /// A description for menus: `rename key health to life`.
    pub fn label(&self) -> &Said {
        &self.label
    }

    /// What the author should know: which properties a new kind does not have, or why a tree stays. Each is a sentence
    /// without a full stop.
    pub fn notes(&self) -> &[Said] {
        &self.notes
    }

    /// The replacements, in the order of the files and of the positions in them. They do not overlap.
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// Whether the change replaces nothing.
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// The files that the change affects, each listed once.
    pub fn files(&self) -> Vec<usize> {
        let mut files: Vec<usize> = self.splices.iter().map(|splice| splice.file).collect();
        files.dedup();
        files
    }

    /// The change that undoes this one after it was applied.
    pub fn inverse(&self) -> Self {
        let mut splices = Vec::with_capacity(self.splices.len());
        let (mut file, mut added, mut taken) = (usize::MAX, 0, 0);
        for splice in &self.splices {
            if splice.file != file {
                (file, added, taken) = (splice.file, 0, 0);
            }
            let start = splice.range.start + added - taken;
            splices.push(Splice {
                file,
                range: start..start + splice.new.len(),
                old: splice.new.clone(),
                new: splice.old.clone(),
            });
            added += splice.new.len();
            taken += splice.old.len();
        }
        Self {
            label: self.label.clone(),
            splices,
            notes: Vec::new(),
            renamed: self.renamed.clone().map(|[old, new]| [new, old]),
            ids: None,
        }
    }

    /// The text of a file after the change.
    ///
    /// # Errors
    /// When `text` is not the text that the change was made for.
    pub fn apply_to(&self, file: usize, text: &str) -> Result<String, EditError> {
        let mut out = String::with_capacity(text.len() + 64);
        let mut behind = 0;
        for splice in self.splices.iter().filter(|splice| splice.file == file) {
            let fits = text.get(splice.range.clone()) == Some(splice.old.as_str());
            if !fits || splice.range.start < behind {
                return Err(EditError::new(said!(
                    "the text has changed since this edit was made for it"
                )));
            }
            out.push_str(&text[behind..splice.range.start]);
            out.push_str(&splice.new);
            behind = splice.range.end;
        }
        out.push_str(&text[behind..]);
        Ok(out)
    }

    /// The offset of a byte in a file after the change. A byte that is replaced moves to the beginning of the
    /// replacement.
    pub fn moved(&self, file: usize, offset: usize) -> usize {
        let (mut added, mut taken) = (0, 0);
        for splice in self.splices.iter().filter(|splice| splice.file == file) {
            if splice.range.start > offset {
                break;
            }
            if offset < splice.range.end {
                return splice.range.start + added - taken;
            }
            added += splice.new.len();
            taken += splice.old.len();
        }
        offset + added - taken
    }
}
