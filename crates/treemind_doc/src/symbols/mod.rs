//! What names stand for: every definition in a set of files, with all its uses.
//!
//! One walk visits the nodes, correct or broken, according to the language table. Each declaration becomes a symbol.
//! Each use of a name is noted with its scope. When all declarations are known, each note is looked up. Nothing is
//! reported, and the walk does not stop at mistakes, so that tools find names in texts that are still being written. A
//! name that stands for nothing is left out.
//!
//! Checks resolve the keys of a document here before they check types ([`resolved`]), and tools all names of all files
//! ([`names_of`]).

mod checked;
mod line;
mod networks;
mod planned;
mod resolve;
mod test_cases;
#[cfg(all(test, feature = "edit"))]
mod tests;
#[cfg(feature = "edit")]
mod uses;
#[cfg(feature = "edit")]
mod values;
mod walk;
#[cfg(feature = "edit")]
mod written;

pub(crate) use checked::{DeclaredKey, Resolved, Uses, resolved};
pub(crate) use planned::{runs, step_name};
#[cfg(feature = "edit")]
pub(crate) use uses::{Names, Use, names_of};
#[cfg(feature = "edit")]
pub(crate) use values::{NamedValue, values_of};

use crate::Said;
pub(crate) use crate::expression::SymbolId;
use crate::language::Named;
use std::collections::{BTreeMap, HashMap};
use std::ops::{Deref, DerefMut};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SymbolKind {
    /// A behaviour tree.
    Tree,
    /// A state machine.
    Machine,
    /// A decision tree.
    Decision,
    /// A planner.
    Planner,
    /// A goal of a planner.
    Goal,
    /// A task of a planner.
    Task,
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
    /// A rule of `rules`.
    Rule,
    /// An archetype.
    Archetype,
    /// What an `interrupt` refers to in an `interruptible`.
    Label,
    /// A semaphore.
    Semaphore,
    /// A curve with a name.
    Curve,
    /// A neural network.
    Network,
    /// An output of a network.
    Output,
    /// The `name=` of a node.
    NodeName,
    /// A value of an enumeration. Keys and parameters with equal lists share it.
    EnumValue,
}

/// Its name in messages, which each language has a word for.
impl From<SymbolKind> for Said {
    fn from(kind: SymbolKind) -> Self {
        Self::plain(kind.as_str())
    }
}

impl SymbolKind {
    /// Its name in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            SymbolKind::Tree => "tree",
            SymbolKind::Machine => "machine",
            SymbolKind::Decision => "decision tree",
            SymbolKind::Planner => "planner",
            SymbolKind::Goal => "goal",
            SymbolKind::Task => "task",
            SymbolKind::Leaf => "leaf",
            SymbolKind::Param => "parameter",
            SymbolKind::Key => "key",
            SymbolKind::Port => "port",
            SymbolKind::Item => "item",
            SymbolKind::State => "state",
            SymbolKind::Branch => "branch",
            SymbolKind::Rule => "rule",
            SymbolKind::Archetype => "archetype",
            SymbolKind::Label => "label",
            SymbolKind::Semaphore => "semaphore",
            SymbolKind::Curve => "curve",
            SymbolKind::Network => "network",
            SymbolKind::Output => "output",
            SymbolKind::NodeName => "node",
            SymbolKind::EnumValue => "value",
        }
    }

    /// The kind for an entry of the language table. Values of enumerations are known only where types are checked.
    fn of(named: Named) -> Option<Self> {
        Some(match named {
            Named::Tree => SymbolKind::Tree,
            Named::Machine => SymbolKind::Machine,
            Named::Decision => SymbolKind::Decision,
            Named::Planner => SymbolKind::Planner,
            Named::Goal => SymbolKind::Goal,
            Named::PlanTask => SymbolKind::Task,
            Named::Leaf | Named::Event => SymbolKind::Leaf,
            Named::Param => SymbolKind::Param,
            Named::Key => SymbolKind::Key,
            Named::Item => SymbolKind::Item,
            Named::State => SymbolKind::State,
            Named::Branch => SymbolKind::Branch,
            Named::Rule => SymbolKind::Rule,
            Named::Archetype => SymbolKind::Archetype,
            Named::Label => SymbolKind::Label,
            Named::Semaphore => SymbolKind::Semaphore,
            Named::Curve => SymbolKind::Curve,
            Named::Network => SymbolKind::Network,
            Named::Output => SymbolKind::Output,
            Named::Node => SymbolKind::NodeName,
            Named::EnumValue | Named::Traced | Named::Column | Named::Planned => return None,
        })
    }
}

/// The place in which a symbol is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Home {
    Everywhere,
    /// Inside a node: its file, and the offset of its beginning.
    Node(usize, usize),
    /// For a parameter: its leaf. For an output: its network.
    Leaf(SymbolId),
    /// For a value: its enumeration, by a number.
    List(usize),
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
    /// For a port: how it uses the key that it is given.
    handed: Role,
    /// For a leaf: whether it is an event.
    is_event: bool,
}

#[cfg(feature = "edit")]
impl Symbol {
    /// What it is in messages.
    pub(crate) fn what(&self) -> Said {
        match self.is_event {
            true => crate::said!("event"),
            false => self.kind.into(),
        }
    }
}

/// How a name is used at one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Role {
    pub(crate) declares: bool,
    pub(crate) writes: bool,
    pub(crate) reads: bool,
    /// The key is read, but only to change it.
    pub(crate) updates: bool,
    /// An archetype gives the key its starting value.
    pub(crate) starts: bool,
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
        updates: false,
        starts: false,
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
    const UPDATES: Role = Role {
        updates: true,
        ..Role::WRITES
    };
    const STARTS: Role = Role {
        starts: true,
        ..Role::WRITES
    };
}

/// The symbols with one name.
type Namesakes = BTreeMap<(SymbolKind, Home), SymbolId>;

/// All symbols of some files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    all: Vec<Symbol>,
    by_name: HashMap<String, Namesakes>,
}

impl Deref for Symbols {
    type Target = [Symbol];

    fn deref(&self) -> &[Symbol] {
        &self.all
    }
}

impl DerefMut for Symbols {
    fn deref_mut(&mut self) -> &mut [Symbol] {
        &mut self.all
    }
}

impl Symbols {
    /// The symbol with that name; it is created if there is none.
    fn symbol(&mut self, kind: SymbolKind, home: Home, name: &str) -> SymbolId {
        if let Some(id) = self.find(kind, home, name) {
            return id;
        }
        let id = self.all.len();
        self.all.push(Symbol {
            kind,
            name: name.to_owned(),
            home,
            declared: Vec::new(),
            list: None,
            handed: Role::READS,
            is_event: false,
        });
        let named = self.by_name.entry(name.to_owned()).or_default();
        named.insert((kind, home), id);
        id
    }

    pub(crate) fn find(&self, kind: SymbolKind, home: Home, name: &str) -> Option<SymbolId> {
        self.by_name.get(name)?.get(&(kind, home)).copied()
    }
}
