//! What names stand for, and where else they occur.

use super::Editor;
use super::place::At;
use crate::symbols::{Names, SymbolKind, Use, names_of};
use std::ops::Range;

/// A place where a name occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The file, by its number in the [`Editor`].
    pub file: usize,
    /// The bytes of the name alone, or of the whole string if that is the name.
    pub span: Range<usize>,
    /// Whether this is the definition of the name, not a use.
    pub is_definition: bool,
    /// Whether the key with that name is written there.
    pub is_written: bool,
}

/// A name that the texts define, with all places where it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSymbol {
    /// What it stands for.
    pub kind: SymbolKind,
    /// The name.
    pub name: String,
    /// Its definition and uses, in the order of the files and of the positions in them.
    pub occurrences: Vec<Occurrence>,
}

impl Editor {
    /// All names that occur in the current texts, in the order of their definitions, but no values of enumerations; also in
    /// texts in which something is not closed.
    pub fn symbols(&self) -> Vec<NamedSymbol> {
        let names = self.loose_names();
        let of = |symbol: &crate::symbols::Symbol| NamedSymbol {
            kind: symbol.kind,
            name: symbol.name.clone(),
            occurrences: Vec::new(),
        };
        let mut all: Vec<NamedSymbol> = names.symbols.iter().map(of).collect();
        for one in names.uses.iter().filter(|one| !one.role.is_pattern) {
            for symbol in &one.symbols {
                all[*symbol].occurrences.push(occurrence(one));
            }
        }
        all.retain(|symbol| !symbol.occurrences.is_empty());
        for symbol in &mut all {
            let place = |one: &Occurrence| (one.file, one.span.start);
            symbol.occurrences.sort_by_key(place);
        }
        all
    }

    /// All names in the current texts. They are collected on the first call after a change.
    pub(super) fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let files = self.files.iter();
            let files: Vec<_> = files.map(|file| (file.text(), &file.nodes[..])).collect();
            names_of(&files)
        })
    }

    /// The name at a byte; where there is none, the name after the first word of the node there.
    pub(super) fn named_at(&self, at: At) -> Option<&Use> {
        let node = self.find(at).ok().map(|found| found.node());
        self.names().named_at((at.file, at.offset), node)
    }

    /// The value of an enumeration that is named at a byte, and not only on the line of the node there.
    pub(super) fn value_at(&self, at: At) -> Option<&Use> {
        let place = (at.file, at.offset);
        if self.loose_names().named_at(place, None).is_some() {
            return None;
        }
        self.value_names().named_at(place, None)
    }

    /// The name at a byte with all names of its kind, also in texts in which something is not closed.
    fn loosely_named_at(&self, at: At) -> Option<(&Names, &Use)> {
        if let Some(value) = self.value_at(at) {
            return Some((self.value_names(), value));
        }
        let node = self.find(at).ok().map(|found| found.node());
        let names = self.loose_names();
        Some((names, names.named_at((at.file, at.offset), node)?))
    }

    /// The kind and the name of the symbol at a byte. Where there is no name, the one after the first word of the node
    /// counts: at `tree` of `tree guard { … }` it is the tree.
    pub fn symbol_at(&self, at: impl Into<At>) -> Option<(SymbolKind, String)> {
        let (names, named) = self.loosely_named_at(at.into())?;
        let symbol = &names.symbols[*named.symbols.first()?];
        Some((symbol.kind, symbol.name.clone()))
    }

    /// The definition and all uses of the symbol at a byte, in the order of the files and of the positions in them; also
    /// in texts in which something is not closed.
    pub fn occurrences(&self, at: impl Into<At>) -> Vec<Occurrence> {
        let Some((names, named)) = self.loosely_named_at(at.into()) else {
            return Vec::new();
        };
        let Some(symbol) = named.symbols.first() else {
            return Vec::new();
        };
        let uses = names.uses_of(*symbol);
        let mut found: Vec<Occurrence> = uses.map(occurrence).collect();
        found.sort_by_key(|one| (one.file, one.span.start));
        found
    }
}

fn occurrence(one: &Use) -> Occurrence {
    Occurrence {
        file: one.file,
        span: one.span.clone(),
        is_definition: one.role.declares,
        is_written: one.role.writes,
    }
}
