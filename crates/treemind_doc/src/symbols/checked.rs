//! The keys that names stand for, for checks.

use super::walk::Walk;
use super::{Home, Role};
use crate::expression::{Asts, Sites};
use crate::syntax::{Node, Text};
use crate::text::ByAddress;
use std::collections::HashSet;

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

/// What the names of keys in a document stand for.
#[derive(Debug)]
pub(crate) struct Resolved<'e> {
    /// All keys, ports and items, in their order.
    pub(crate) keys: Vec<DeclaredKey<'e>>,
    /// One per symbol: how nodes use it that are not disabled.
    pub(crate) uses: Vec<Uses>,
    /// The definitions that lend names to others.
    lenders: HashSet<Home>,
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
        key.home.is_some_and(|home| self.lenders.contains(&home))
    }
}

/// Resolves the names of keys in the nodes of a document, and reads its expressions.
pub(crate) fn resolved(nodes: &[Node]) -> (Resolved<'_>, Sites, Asts) {
    let mut walk = Walk::through([nodes], true);
    let (keys, asts) = (
        std::mem::take(&mut walk.keys),
        std::mem::take(&mut walk.asts),
    );
    let lenders = std::mem::take(&mut walk.lenders);
    let mut sites = Vec::new();
    let mut uses = vec![Uses::default(); walk.symbols.len()];
    walk.resolve(|_, note, said, symbols, role| {
        if !note.is_disabled {
            for symbol in &symbols {
                uses[*symbol].add(role);
            }
        }
        if !symbols.is_empty() {
            sites.push((&note.text.value[said], symbols));
        }
    });
    let resolved = Resolved {
        keys,
        uses,
        lenders,
    };
    (resolved, Sites::new(ByAddress::new(sites)), Asts::new(asts))
}

impl Uses {
    fn add(&mut self, role: Role) {
        self.is_declared |= role.declares;
        self.is_read |= role.reads;
        self.is_written |= role.writes && !role.starts;
        self.is_started |= role.starts;
    }
}
