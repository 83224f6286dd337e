//! What names mean before and after an edit.

use super::change::Change;
use super::error::EditError;
use super::place::{LocatedNode, touches};
use super::{Editor, called};
use crate::language;
use crate::said;
use crate::symbols::{Names, SymbolId, SymbolKind, Use};
use std::ops::Range;

impl Editor {
    /// Refuses a change after which a name that is there now stands for something else.
    pub(super) fn keeps_meanings(&self, change: &Change) -> Result<(), EditError> {
        let mut after = self.clone();
        after.apply(change)?;
        let (before, names) = (self.names(), after.names());
        let mut found: Vec<_> = names.uses.iter().collect();
        found.sort_by_key(|one| (one.file, one.span.start));
        for one in &before.uses {
            let place = (one.file, change.moved(one.file, one.span.start));
            let at = found.partition_point(|other| (other.file, other.span.start) < place);
            let there = found[at..].iter();
            let mut there = there.take_while(|other| (other.file, other.span.start) == place);
            let mut meant: Vec<_> = one.symbols.iter().map(|id| declared(before, *id)).collect();
            for place in meant.iter_mut().flatten() {
                place.1 = change.moved(place.0, place.1);
            }
            let is_same = there.any(|other| {
                other
                    .symbols
                    .iter()
                    .map(|id| declared(names, *id))
                    .eq(meant.iter().copied())
            });
            if !is_same {
                let source = &self.files[one.file].source;
                let (line, _) = source.line_column(one.span.start);
                return Err(EditError::new(said!(
                    "`{}` in line {} would then stand for something else",
                    source.slice(&one.span),
                    line
                ))
                .at(one.file, one.span.start));
            }
        }
        Ok(())
    }

    /// The meaning of a key at the place of a node.
    pub(super) fn meaning_at(&self, found: &LocatedNode<'_>, key: &str) -> Meaning {
        let names = self.names();
        let own = found.node().extent();
        let mut here = names
            .uses
            .iter()
            .filter(|one| one.file == found.file && touches(&own, &one.token));
        let is_it = |one: &&Use| {
            one.symbols.iter().any(|id| names.symbols[*id].name == key) && !one.role.is_given
        };
        match here.find(is_it) {
            Some(one) => Meaning::of(names, one, (found.file, &(0..0))),
            None => Meaning {
                name: key.to_owned(),
                at: None,
                is_certain: false,
            },
        }
    }

    /// Refuses a change after which the names in the new place have other meanings than expected.
    pub(super) fn means_here(
        &self,
        found: &LocatedNode<'_>,
        change: &Change,
        mut expected: Vec<Meaning>,
    ) -> Result<(), EditError> {
        let names = self.names();
        let own = found.node().extent();
        let on_line = |one: &&Use| {
            let entry = found
                .node()
                .entries
                .iter()
                .find(|entry| touches(&entry.span, &one.token));
            let name = entry.and_then(|entry| entry.name.as_ref());
            one.file == found.file
                && !one.role.declares
                && name.is_some_and(|name| language::is_common_property(&name.value))
        };
        let placed = names.uses.iter().filter(on_line);
        expected.extend(placed.map(|one| Meaning::of(names, one, (found.file, &(0..0)))));
        for meaning in &mut expected {
            if let Some((file, at)) = &mut meaning.at {
                *at = change.moved(*file, *at);
            }
        }
        let start = change.moved(found.file, own.start);
        let splice = change
            .splices()
            .iter()
            .find(|one| one.file == found.file && one.range.start == own.start);
        let end = start + splice.map_or(0, |splice| splice.new.len());
        let mut after = self.clone();
        after.apply(change)?;
        let names = after.names();
        let region = start..end;
        let here = names
            .uses
            .iter()
            .filter(|one| one.file == found.file && touches(&region, &one.token));
        let here = here.filter(|one| !one.role.declares);
        let mut actual: Vec<Meaning> = here
            .map(|one| Meaning::of(names, one, (found.file, &region)))
            .collect();
        expected.sort();
        actual.sort();
        let differs = |(one, other): (&Meaning, &Meaning)| {
            one.name != other.name || one.is_certain && other.is_certain && one.at != other.at
        };
        let mut pairs = expected.iter().zip(&actual);
        let wrong = pairs.find(|pair| differs(*pair)).map(|(one, _)| one);
        let wrong = wrong.or_else(|| expected.get(actual.len()));
        match wrong.or_else(|| actual.get(expected.len())) {
            None => Ok(()),
            Some(wrong) => Err(EditError::new(said!(
                "`{}` in that tree would mean something else here",
                called(&wrong.name)
            ))
            .at(found.file, own.start)),
        }
    }
}

/// The first place that defines a symbol.
pub(super) fn declared(names: &Names, id: SymbolId) -> Option<(usize, usize)> {
    names.symbols[id].declared.first().copied()
}

/// The symbol that is defined at a place.
pub(super) fn declared_at(names: &Names, place: (usize, usize)) -> Option<SymbolId> {
    let symbols = names.symbols.iter();
    let mut symbols = symbols.enumerate();
    let found = symbols.find(|(_, symbol)| symbol.declared.contains(&place));
    found.map(|(id, _)| id)
}

/// What a name in a text means.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Meaning {
    name: String,
    /// Where it is defined; `None` for a place inside the text.
    at: Option<(usize, usize)>,
    /// It means one thing, wherever the tree is used.
    is_certain: bool,
}

impl Meaning {
    pub(super) fn of(names: &Names, one: &Use, (file, inside): (usize, &Range<usize>)) -> Self {
        let symbol = one.symbols[0];
        let at = declared(names, symbol);
        Self {
            name: names.symbols[symbol].name.clone(),
            at: at.filter(|(of, at)| *of != file || !inside.contains(at)),
            is_certain: one.symbols.len() == 1
                && names.symbols[symbol].kind != SymbolKind::NodeName,
        }
    }

    pub(super) fn inside(name: &str, _: &Use) -> Self {
        Self {
            name: name.to_owned(),
            at: None,
            is_certain: true,
        }
    }
}
