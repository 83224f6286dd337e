//! What an edit replaces, and how that is undone.

use super::error::EditError;
use std::ops::Range;

/// Bytes of one file, and what comes in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The file, by its number among those of the [`Editor`](super::Editor).
    pub file: usize,
    /// The bytes of its text, as it is before the change.
    pub range: Range<usize>,
    /// What stands there before.
    pub old: String,
    /// What stands there afterwards.
    pub new: String,
}

/// An edit: byte ranges of the text with what replaces them, in one or several files.
///
/// It knows what it replaces, so that it fits only the text that it was made for, and can be turned round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    label: String,
    splices: Vec<Splice>,
}

impl Change {
    /// The splices are brought into their order; those that replace something with itself are left out.
    pub(super) fn new(
        label: impl Into<String>,
        mut splices: Vec<Splice>,
    ) -> Result<Self, EditError> {
        splices.retain(|splice| splice.old != splice.new);
        splices.sort_by_key(|splice| (splice.file, splice.range.start, splice.range.end));
        splices.dedup_by(|one, other| one == other && !one.range.is_empty());
        let overlaps = splices
            .windows(2)
            .any(|pair| pair[0].file == pair[1].file && pair[0].range.end > pair[1].range.start);
        if overlaps {
            return Err(EditError::new(
                "what is taken away and what is put in lie one in the other here",
            ));
        }
        Ok(Self {
            label: label.into(),
            splices,
        })
    }

    /// What it does, for menus: `rename key health to life`.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The replacements, in the order of files and of their texts. They do not overlap.
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// The files that it changes, each once.
    pub fn files(&self) -> Vec<usize> {
        let mut files: Vec<usize> = self.splices.iter().map(|splice| splice.file).collect();
        files.dedup();
        files
    }

    /// The change that takes this one back, once it is applied.
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
        }
    }

    /// The text of a file afterwards.
    ///
    /// # Errors
    /// When it is not the text that the change was made for.
    pub fn apply_to(&self, file: usize, text: &str) -> Result<String, EditError> {
        let mut out = String::with_capacity(text.len() + 64);
        let mut behind = 0;
        for splice in self.splices.iter().filter(|splice| splice.file == file) {
            let fits = text.get(splice.range.clone()) == Some(splice.old.as_str());
            if !fits || splice.range.start < behind {
                return Err(EditError::new(
                    "the text has changed since this edit was made for it",
                ));
            }
            out.push_str(&text[behind..splice.range.start]);
            out.push_str(&splice.new);
            behind = splice.range.end;
        }
        out.push_str(&text[behind..]);
        Ok(out)
    }

    /// Where a byte of a file is afterwards; what is replaced is where it began.
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
