//! What names stand for: every definition of a document with all its uses.
//!
//! This follows the same rules as checking does, but on texts that may be broken, and without stopping at anything:
//! a name that stands for nothing is simply not there. Tests hold the two against each other.

mod decisions;
mod machines;
mod tasks;
mod texts;
mod walk;

use super::place::At;
use super::{Editor, File};
use crate::check::What;
use crate::syntax::{Node, Text};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use texts::Written;

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
    /// What is interrupted, and by whom.
    Label,
    /// A semaphore.
    Semaphore,
    /// The `name=` of a node.
    NodeName,
}

impl SymbolKind {
    /// What people call it.
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

    pub(super) fn of(what: What) -> Self {
        match what {
            What::Tree => SymbolKind::Tree,
            What::Machine => SymbolKind::Machine,
            What::Decision => SymbolKind::Decision,
        }
    }
}

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

/// Number of a symbol in [`Names::symbols`].
pub(super) type SymbolId = usize;

/// Where a symbol is known: file and offset of the node that has it, or `None` if everywhere.
pub(super) type Home = Option<(usize, usize)>;

/// Something that has a name.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) kind: SymbolKind,
    pub(super) name: String,
    pub(super) home: Home,
    /// Where it is defined, each time.
    pub(super) declared: Vec<At>,
    /// Of an item: the list that it is from.
    pub(super) list: Option<SymbolId>,
}

/// A place where something is named.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) file: usize,
    pub(super) span: Range<usize>,
    /// The whole string or word that it stands in.
    pub(super) token: Range<usize>,
    /// That is written without quotes.
    pub(super) bare: bool,
    /// The symbols that it stands for: one, but for what depends on the place where a tree stands.
    pub(super) symbols: Vec<SymbolId>,
    /// It is the name of its symbols itself, and not a pattern that they fit.
    pub(super) is_name: bool,
    /// `_` stands for each `-` of the name.
    pub(super) underscored: bool,
    pub(super) declares: bool,
    pub(super) writes: bool,
    pub(super) reads: bool,
}

/// All names of some files.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) symbols: Vec<Symbol>,
    ids: HashMap<(SymbolKind, Home, String), SymbolId>,
    pub(super) uses: Vec<Use>,
    /// The keys, ports, or items that are known by a name, in trees that hand names on.
    inherited: HashMap<(What, String), HashMap<String, BTreeSet<SymbolId>>>,
}

/// What a name is for, where it stands.
#[derive(Clone, Copy, Debug, Default)]
struct Role {
    declares: bool,
    writes: bool,
    reads: bool,
    underscored: bool,
    is_pattern: bool,
}

impl Role {
    const DECLARES: Role = Role {
        declares: true,
        writes: false,
        reads: false,
        underscored: false,
        is_pattern: false,
    };
    const READS: Role = Role {
        declares: false,
        reads: true,
        writes: false,
        underscored: false,
        is_pattern: false,
    };
    const WRITES: Role = Role {
        reads: false,
        writes: true,
        ..Role::READS
    };
    const CHANGES: Role = Role {
        writes: true,
        ..Role::READS
    };
}

impl Names {
    /// The names of all files of an editor.
    pub(super) fn of(editor: &Editor) -> Self {
        let files: Vec<&File> = editor.files.iter().collect();
        walk::names(&files)
    }

    fn symbol(&mut self, kind: SymbolKind, home: Home, name: &str) -> SymbolId {
        let key = (kind, home, name.to_owned());
        if let Some(id) = self.ids.get(&key) {
            return *id;
        }
        let id = self.symbols.len();
        self.symbols.push(Symbol {
            kind,
            name: name.to_owned(),
            home,
            declared: Vec::new(),
            list: None,
        });
        self.ids.insert(key, id);
        id
    }

    pub(super) fn find(&self, kind: SymbolKind, home: Home, name: &str) -> Option<SymbolId> {
        self.ids.get(&(kind, home, name.to_owned())).copied()
    }

    /// What stands in some bytes of a string; `said` is where in what the string says.
    fn note(
        &mut self,
        (file, source): (usize, &str),
        text: &Text,
        said: Range<usize>,
        symbols: Vec<SymbolId>,
        role: Role,
    ) {
        if symbols.is_empty() {
            return;
        }
        let whole = said == (0..text.value.len());
        let span = if whole {
            text.span.clone()
        } else {
            Written::new(text, source).span(&said)
        };
        if role.declares {
            for symbol in &symbols {
                self.symbols[*symbol].declared.push(At {
                    file,
                    offset: text.span.start,
                });
            }
        }
        self.uses.push(Use {
            file,
            span,
            token: text.span.clone(),
            bare: text.bare,
            symbols,
            is_name: !role.is_pattern,
            underscored: role.underscored,
            declares: role.declares,
            writes: role.writes,
            reads: role.reads,
        });
    }

    /// What is named at a byte: by the name there, or by the line of the node there.
    pub(super) fn named_at(&self, at: At, node: Option<&Node>) -> Option<&Use> {
        let here = |one: &&Use| {
            one.file == at.file
                && one.is_name
                && one.span.start <= at.offset
                && at.offset <= one.span.end
        };
        let mut found = self.uses.iter().filter(here);
        let first = found.next();
        let inner = found.fold(first, |best, one| {
            // At the border of two the one that begins there.
            match best {
                Some(best) if best.span.start >= one.span.start => Some(best),
                _ => Some(one),
            }
        });
        inner.or_else(|| {
            // The name behind the first word of the node.
            let node = node?;
            let entry = node.entries.first().filter(|entry| entry.name.is_none())?;
            let is_name = |one: &&Use| {
                one.file == at.file
                    && one.is_name
                    && one.token == entry.value_span
                    && one.span == one.token
            };
            self.uses.iter().find(is_name)
        })
    }
}

impl Editor {
    /// What the name at a byte stands for, and what it is called; where no name is, the one behind the first word of
    /// the node there: at `tree` of `tree guard { … }` it is the tree.
    pub fn symbol_at(&self, at: impl Into<At>) -> Option<(SymbolKind, String)> {
        let at = at.into();
        let names = Names::of(self);
        let node = self.find(at).ok().map(|found| found.node());
        let symbol = *names.named_at(at, node)?.symbols.first()?;
        let symbol = &names.symbols[symbol];
        Some((symbol.kind, symbol.name.clone()))
    }

    /// The definition and all uses of what the name at a byte stands for, in the order of files and texts.
    pub fn occurrences(&self, at: impl Into<At>) -> Vec<Occurrence> {
        let at = at.into();
        let names = Names::of(self);
        let node = self.find(at).ok().map(|found| found.node());
        let Some(symbol) = names
            .named_at(at, node)
            .and_then(|found| found.symbols.first())
        else {
            return Vec::new();
        };
        let mut found: Vec<Occurrence> = names
            .uses
            .iter()
            .filter(|one| one.is_name && one.symbols.contains(symbol))
            .map(|one| Occurrence {
                file: one.file,
                span: one.span.clone(),
                is_definition: one.declares,
                is_written: one.writes,
            })
            .collect();
        found.sort_by_key(|one| (one.file, one.span.start));
        found
    }
}
