//! What names stand for: every definition in a set of files, with all its uses.
//!
//! One walk visits the nodes, correct or broken, according to the language table. Each declaration becomes a symbol.
//! Each use of a name is noted with its scope. When all declarations are known, each note is looked up. Nothing is
//! reported, and the walk does not stop at mistakes, so that tools find names in texts that are still being written. A
//! name that stands for nothing is left out.

mod line;
mod resolve;
#[cfg(test)]
mod tests;
mod walk;
mod written;

pub(crate) use walk::names_of;

use crate::language::Named;
use crate::syntax::{Node, Text};
use std::collections::HashMap;
use std::ops::Range;
use written::Written;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A behaviour tree.
    Tree,
    /// A state machine.
    Machine,
    /// A decision tree.
    Decision,
    /// A condition, action, service, sensor, composite, decorator or event of the manifest.
    Leaf,
    /// A parameter of a leaf.
    Param,
    /// A key of a blackboard, of a tree or of a `scope`.
    Key,
    /// A port of a tree, machine or decision tree.
    Port,
    /// The item of a `for-each`.
    Item,
    /// A state of a machine.
    State,
    /// A branch of a decision tree.
    Branch,
    /// An archetype.
    Archetype,
    /// What an `interrupt` refers to in an `interruptible`.
    Label,
    /// A semaphore.
    Semaphore,
    /// The `name=` of a node.
    NodeName,
}

impl SymbolKind {
    /// Its name in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            SymbolKind::Tree => "tree",
            SymbolKind::Machine => "machine",
            SymbolKind::Decision => "decision tree",
            SymbolKind::Leaf => "leaf",
            SymbolKind::Param => "parameter",
            SymbolKind::Key => "key",
            SymbolKind::Port => "port",
            SymbolKind::Item => "item",
            SymbolKind::State => "state",
            SymbolKind::Branch => "branch",
            SymbolKind::Archetype => "archetype",
            SymbolKind::Label => "label",
            SymbolKind::Semaphore => "semaphore",
            SymbolKind::NodeName => "node",
        }
    }

    /// The kind for an entry of the language table; values of enumerations are not followed.
    fn of(named: Named) -> Option<Self> {
        Some(match named {
            Named::Tree => SymbolKind::Tree,
            Named::Machine => SymbolKind::Machine,
            Named::Decision => SymbolKind::Decision,
            Named::Leaf | Named::Event => SymbolKind::Leaf,
            Named::Param => SymbolKind::Param,
            Named::Key => SymbolKind::Key,
            Named::Item => SymbolKind::Item,
            Named::State => SymbolKind::State,
            Named::Branch => SymbolKind::Branch,
            Named::Archetype => SymbolKind::Archetype,
            Named::Label => SymbolKind::Label,
            Named::Semaphore => SymbolKind::Semaphore,
            Named::Node => SymbolKind::NodeName,
            Named::EnumValue => return None,
        })
    }
}

/// Number of a symbol in [`Names::symbols`].
pub(crate) type SymbolId = usize;

/// The place in which a symbol is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Home {
    Everywhere,
    /// Inside a node: its file, and the offset of its beginning.
    Node(usize, usize),
    /// For a parameter: its leaf.
    Leaf(SymbolId),
}

/// Something that has a name.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) kind: SymbolKind,
    pub(crate) name: String,
    pub(crate) home: Home,
    /// All places that define it: file and offset.
    pub(crate) declared: Vec<(usize, usize)>,
    /// For an item: the list that it comes from.
    pub(crate) list: Option<SymbolId>,
}

/// How a name is used at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Role {
    pub(crate) declares: bool,
    pub(crate) writes: bool,
    pub(crate) reads: bool,
    /// The use has `_` for each `-` of the name.
    pub(crate) is_underscored: bool,
    /// The use is a pattern that matches the name, and not the name itself.
    pub(crate) is_pattern: bool,
    /// The use says which parameter or port gets an argument.
    pub(crate) is_given: bool,
}

impl Role {
    const NONE: Role = Role {
        declares: false,
        writes: false,
        reads: false,
        is_underscored: false,
        is_pattern: false,
        is_given: false,
    };
    const DECLARES: Role = Role {
        declares: true,
        ..Role::NONE
    };
    const READS: Role = Role {
        reads: true,
        ..Role::NONE
    };
    const WRITES: Role = Role {
        writes: true,
        ..Role::NONE
    };
    const CHANGES: Role = Role {
        writes: true,
        ..Role::READS
    };
}

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
    pub(crate) symbols: Vec<Symbol>,
    ids: HashMap<(SymbolKind, Home), HashMap<String, SymbolId>>,
    pub(crate) uses: Vec<Use>,
}

impl Names {
    /// The symbol with that name; it is created if there is none.
    fn symbol(&mut self, kind: SymbolKind, home: Home, name: &str) -> SymbolId {
        if let Some(id) = self.find(kind, home, name) {
            return id;
        }
        let id = self.symbols.len();
        self.symbols.push(Symbol {
            kind,
            name: name.to_owned(),
            home,
            declared: Vec::new(),
            list: None,
        });
        let here = self.ids.entry((kind, home)).or_default();
        here.insert(name.to_owned(), id);
        id
    }

    pub(crate) fn find(&self, kind: SymbolKind, home: Home, name: &str) -> Option<SymbolId> {
        self.ids.get(&(kind, home))?.get(name).copied()
    }

    /// Notes a name in a string; `said` is its range in the value of the string.
    fn note(
        &mut self,
        (file, source): (usize, &str),
        (text, said): (&Text, Range<usize>),
        symbols: Vec<SymbolId>,
        role: Role,
    ) {
        if symbols.is_empty() {
            return;
        }
        if role.declares {
            for symbol in &symbols {
                let place = (file, text.span.start);
                self.symbols[*symbol].declared.push(place);
            }
        }
        let is_whole = said == (0..text.value.len());
        self.uses.push(Use {
            file,
            span: match is_whole {
                true => text.span.clone(),
                false => Written::new(text, source).span(&said),
            },
            token: text.span.clone(),
            bare: text.bare,
            symbols,
            role,
        });
    }

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
