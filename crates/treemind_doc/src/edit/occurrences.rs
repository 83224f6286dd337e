//! What names stand for, and where else they stand.

use super::Editor;
use super::place::At;
use crate::symbols::{Names, SymbolKind, Use, names_of};
use std::ops::Range;

/// A place where a name stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The file, by its number among those of the [`Editor`].
    pub file: usize,
    /// The bytes of the name alone, or of the whole string if that is the name.
    pub span: Range<usize>,
    /// Whether it is given to something there, and not used.
    pub is_definition: bool,
    /// Whether the key of that name is written there.
    pub is_written: bool,
}

impl Editor {
    /// All names of the texts as they are now. They are found when they are asked for, once per change.
    pub(super) fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let files = self.files.iter();
            let files: Vec<_> = files.map(|file| (file.text(), &file.nodes[..])).collect();
            names_of(&files)
        })
    }

    /// The name at a byte; where no name is, the one behind the first word of the node there.
    pub(super) fn named_at(&self, at: At) -> Option<&Use> {
        let node = self.find(at).ok().map(|found| found.node());
        self.names().named_at((at.file, at.offset), node)
    }

    /// What the name at a byte stands for, and what it is called; where no name is, the one behind the first word of
    /// the node there: at `tree` of `tree guard { … }` it is the tree.
    pub fn symbol_at(&self, at: impl Into<At>) -> Option<(SymbolKind, String)> {
        let symbol = *self.named_at(at.into())?.symbols.first()?;
        let symbol = &self.names().symbols[symbol];
        Some((symbol.kind, symbol.name.clone()))
    }

    /// The definition and all uses of what the name at a byte stands for, in the order of files and texts.
    pub fn occurrences(&self, at: impl Into<At>) -> Vec<Occurrence> {
        let named = self.named_at(at.into());
        let Some(symbol) = named.and_then(|found| found.symbols.first()) else {
            return Vec::new();
        };
        let uses = self.names().uses_of(*symbol);
        let found = uses.map(|one| Occurrence {
            file: one.file,
            span: one.span.clone(),
            is_definition: one.role.declares,
            is_written: one.role.writes,
        });
        let mut found: Vec<Occurrence> = found.collect();
        found.sort_by_key(|one| (one.file, one.span.start));
        found
    }
}
