//! All uses of all names, for tools.

use super::walk::{Note, Walk};
use super::written::Written;
use super::{Role, SymbolId, Symbols};
use crate::syntax::Node;
use std::ops::Range;

/// A place that names something.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) file: usize,
    pub(crate) span: Range<usize>,
    /// The whole string or word around the name.
    pub(crate) token: Range<usize>,
    /// The token is written without quotes.
    pub(crate) bare: bool,
    /// The symbols that the name stands for. There is more than one only where it depends on the place of a tree.
    pub(crate) symbols: Vec<SymbolId>,
    pub(crate) role: Role,
}

/// All names of some files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) symbols: Symbols,
    pub(crate) uses: Vec<Use>,
}

/// A file: its text and its nodes.
pub(super) type File<'e> = (&'e str, &'e [Node]);

/// All names in a set of files.
pub(crate) fn names_of(files: &[File<'_>]) -> Names {
    let mut names = Names::default();
    let walk = Walk::through(files.iter().map(|(_, nodes)| *nodes), false);
    names.symbols = walk.resolve(|symbols, note, said, found, role| {
        names
            .uses
            .extend(used(symbols, files, note, said, found, role));
    });
    names
}

/// A name in a string; `said` is its range in the value of the string.
fn used(
    symbols: &mut Symbols,
    files: &[File<'_>],
    note: &Note<'_>,
    said: Range<usize>,
    found: Vec<SymbolId>,
    role: Role,
) -> Option<Use> {
    let (file, text) = (note.file, note.text);
    if found.is_empty() {
        return None;
    }
    if role.declares {
        for symbol in &found {
            symbols[*symbol].declared.push((file, text.span.start));
        }
    }
    Some(Use {
        file,
        span: match said == (0..text.value.len()) {
            true => text.span.clone(),
            false => Written::new(text, files[file].0).span(&said),
        },
        token: text.span.clone(),
        bare: text.bare,
        symbols: found,
        role,
    })
}

impl Names {
    /// All places that refer to a symbol.
    pub(crate) fn uses_of(&self, symbol: SymbolId) -> impl Iterator<Item = &Use> {
        let names_it = move |one: &&Use| !one.role.is_pattern && one.symbols.contains(&symbol);
        self.uses.iter().filter(names_it)
    }

    /// What is named at a byte of a file: by the name there, or by the line of the node there.
    pub(crate) fn named_at(
        &self,
        (file, offset): (usize, usize),
        node: Option<&Node>,
    ) -> Option<&Use> {
        let names = || {
            let here = self.uses.iter().filter(move |one| one.file == file);
            here.filter(|one| !one.role.is_pattern)
        };
        let there = names().filter(|one| one.span.start <= offset && offset <= one.span.end);
        // Between two names, the name that begins there wins.
        let inner = there.reduce(|best, one| match best.span.start >= one.span.start {
            true => best,
            false => one,
        });
        inner.or_else(|| {
            // The name after the node's first word.
            let entry = node?.entries.first().filter(|entry| entry.name.is_none())?;
            names().find(|one| one.token == entry.value_span && one.span == one.token)
        })
    }
}
