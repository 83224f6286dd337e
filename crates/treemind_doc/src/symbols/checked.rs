//! The keys that names stand for, for checks.

use super::walk::{Definition, ScopeId, ScopeOf, Walk};
use super::{Home, Role, SymbolKind};
use crate::expression::{Asts, Sites};
use crate::syntax::{Node, Text};
use crate::text::ByAddress;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A key, port or item of a document that has been checked.
#[derive(Debug)]
pub(crate) struct DeclaredKey<'e> {
    pub(crate) name: &'e Text,
    /// The node that declares it.
    pub(crate) node: &'e Node,
    /// The definition that contains it; none for a key of the document and for an item.
    pub(super) home: Option<Home>,
}

/// How the keys of a symbol are used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Uses {
    pub(crate) is_declared: bool,
    pub(crate) is_read: bool,
    pub(crate) is_written: bool,
    /// An archetype gives it its starting value.
    pub(crate) is_started: bool,
}

/// What names in a document stand for.
#[derive(Debug)]
pub(crate) struct Resolved<'e> {
    /// All keys, ports and items, in their order.
    pub(crate) keys: Vec<DeclaredKey<'e>>,
    /// One per symbol: how nodes use it that are not disabled.
    pub(crate) uses: Vec<Uses>,
    /// The labels of all `interruptible` nodes that are not disabled.
    pub(crate) labels: BTreeSet<String>,
    /// Definitions that take names from others, with the place of the first one that lends them.
    pub(crate) heirs: HashMap<Definition<'e>, Place<'e>>,
    lending: HashSet<Home>,
}

/// A place that holds a definition.
#[derive(Debug)]
pub(crate) struct Place<'e> {
    pub(crate) definition: Definition<'e>,
    /// The `scope`s around it, the innermost first.
    pub(crate) scopes: Vec<&'e Node>,
}

impl DeclaredKey<'_> {
    /// Whether it is known in the whole document.
    pub(crate) fn is_global(&self) -> bool {
        self.home.is_none()
    }
}

impl Resolved<'_> {
    /// Whether other definitions may use a key.
    pub(crate) fn is_lent(&self, key: &DeclaredKey<'_>) -> bool {
        key.home.is_some_and(|home| self.lending.contains(&home))
    }
}

/// Resolves the names of keys in the nodes of a document, and reads its expressions.
pub(crate) fn resolved(nodes: &[Node]) -> (Resolved<'_>, Sites, Asts) {
    let mut walk = Walk::through([nodes], true);
    let keys = std::mem::take(&mut walk.keys);
    let asts = std::mem::take(&mut walk.asts);
    let lending = std::mem::take(&mut walk.lending);
    let held = walk.holders.iter();
    let heirs = held.filter_map(|(held, holders)| Some((*held, place(&walk, &holders.heirs)?)));
    let heirs = heirs.collect();
    let mut sites = Vec::new();
    let mut uses = vec![Uses::default(); walk.symbols.len()];
    let symbols = walk.resolve(|_, note, said, symbols, role| {
        if !note.is_disabled {
            for symbol in &symbols {
                uses[*symbol].add(role);
            }
        }
        if !symbols.is_empty() {
            sites.push((&note.text.value[said], symbols));
        }
    });
    let labels = symbols.iter().zip(&uses).filter(|(symbol, uses)| {
        let is_label = symbol.kind == SymbolKind::Label;
        is_label && uses.is_declared
    });
    let resolved = Resolved {
        keys,
        labels: labels.map(|(label, _)| label.name.clone()).collect(),
        uses,
        heirs,
        lending,
    };
    (resolved, Sites::new(ByAddress::new(sites)), Asts::new(asts))
}

/// Of the places that lend names, the last one in the first definition.
fn place<'e>(walk: &Walk<'e>, heirs: &[Option<ScopeId>]) -> Option<Place<'e>> {
    let around = |scope| std::iter::successors(scope, |id: &ScopeId| walk.scopes[*id].parent);
    let definition = |scope| {
        around(scope).find_map(|id| match walk.scopes[id].of {
            ScopeOf::Definition(definition) => Some(definition),
            _ => None,
        })
    };
    let first = definition(*heirs.first()?)?;
    let last = heirs
        .iter()
        .rfind(|scope| definition(**scope) == Some(first))?;
    let scopes = around(*last).filter_map(|id| match walk.scopes[id].of {
        ScopeOf::Keys(node) => Some(node),
        _ => None,
    });
    Some(Place {
        definition: first,
        scopes: scopes.collect(),
    })
}

impl Uses {
    fn add(&mut self, role: Role) {
        self.is_declared |= role.declares;
        self.is_read |= role.reads;
        self.is_written |= role.writes && !role.starts;
        self.is_started |= role.starts;
    }
}
