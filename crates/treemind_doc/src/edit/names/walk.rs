//! The walk through the files: definitions first, then everything that names something.

use super::texts::{braced, words};
use super::{Home, Names, Role, SymbolId, SymbolKind};
use crate::check::What;
use crate::edit::File;
use crate::edit::entries::{first_text, property_text};
use crate::expression::{self, UseOf};
use crate::language::{self, Spot};
use crate::syntax::{Entry, Node, Text, Value};
use std::collections::{BTreeSet, HashMap};

/// Through how many trees names fall that are handed on.
const MAX_HANDED_DOWN: usize = 64;

/// Names that nodes further in know.
pub(super) type Frame = HashMap<String, Vec<SymbolId>>;

pub(super) struct Walk<'e> {
    pub(super) files: &'e [&'e File],
    pub(super) names: Names,
    /// The file that is walked through.
    pub(super) file: usize,
    /// The innermost last.
    pub(super) frames: Vec<Frame>,
    /// All trees, machines and decision trees: file and node.
    pub(super) definitions: HashMap<(What, &'e str), (usize, &'e Node)>,
    /// The ports of each.
    pub(super) ports: HashMap<(What, &'e str), HashMap<&'e str, SymbolId>>,
    /// What those see that are held with `inherit=`, and those that are held without it.
    pub(super) handed: HashMap<(What, String), HashMap<String, BTreeSet<SymbolId>>>,
    pub(super) plainly: BTreeSet<(u8, String)>,
    pub(super) machines: Vec<super::machines::States<'e>>,
    /// The machine and state whose transitions decide with a decision tree.
    pub(super) deciders: HashMap<&'e str, Vec<(usize, usize)>>,
}

/// All names of some files.
pub(super) fn names(files: &[&File]) -> Names {
    let mut inherited = HashMap::new();
    for _ in 0..MAX_HANDED_DOWN {
        let mut walk = Walk::new(files);
        walk.names.inherited = std::mem::take(&mut inherited);
        walk.all();
        let handed = walk.falls_through();
        if handed == walk.names.inherited {
            return walk.names;
        }
        inherited = handed;
    }
    let mut walk = Walk::new(files);
    walk.names.inherited = inherited;
    walk.all();
    walk.names
}

impl<'e> Walk<'e> {
    fn new(files: &'e [&'e File]) -> Self {
        Self {
            files,
            names: Names::default(),
            file: 0,
            frames: Vec::new(),
            definitions: HashMap::new(),
            ports: HashMap::new(),
            handed: HashMap::new(),
            plainly: BTreeSet::new(),
            machines: Vec::new(),
            deciders: HashMap::new(),
        }
    }

    fn all(&mut self) {
        self.declare();
        self.machine_states();
        for file in 0..self.files.len() {
            self.file = file;
            let files = self.files;
            for node in &files[file].nodes {
                self.top(node);
            }
        }
    }

    /// What is known everywhere, and the ports of trees.
    fn declare(&mut self) {
        for (number, file) in self.files.iter().enumerate() {
            for node in &file.nodes {
                let what = What::ALL
                    .into_iter()
                    .find(|what| what.word() == node.name.value);
                match (node.name.value.as_str(), what) {
                    ("blackboard", _) => {
                        for key in node.children().iter().filter(|key| key.name.value == "key") {
                            if let Some(name) = first_text(key) {
                                self.names.symbol(SymbolKind::Key, None, &name.value);
                            }
                        }
                    }
                    ("leaves", _) => {
                        for leaf in node.children() {
                            if let Some(name) = first_text(leaf) {
                                self.names.symbol(SymbolKind::Leaf, None, &name.value);
                                self.params_of(leaf, &name.value);
                            }
                        }
                    }
                    (_, Some(what)) => self.define(number, node, what),
                    _ => {}
                }
                self.declare_marks(node);
            }
        }
    }

    /// Labels and semaphores, which may be spoken of before they come.
    fn declare_marks(&mut self, node: &'e Node) {
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            let kind = match node.name.value.as_str() {
                "interruptible" => Some(SymbolKind::Label),
                "semaphore" => Some(SymbolKind::Semaphore),
                _ => None,
            };
            if let (Some(kind), Some(name)) = (kind, first_text(node)) {
                self.names.symbol(kind, None, &name.value);
            }
            pending.extend(node.children().iter().rev());
        }
    }

    fn params_of(&mut self, leaf: &'e Node, name: &str) {
        let id = self.names.symbol(SymbolKind::Leaf, None, name);
        for param in leaf
            .children()
            .iter()
            .filter(|child| child.name.value == "param")
        {
            if let Some(text) = first_text(param) {
                self.names
                    .symbol(SymbolKind::Param, Some((usize::MAX, id)), &text.value);
            }
        }
    }

    fn define(&mut self, file: usize, node: &'e Node, what: What) {
        let Some(name) = first_text(node) else {
            return;
        };
        self.names.symbol(SymbolKind::of(what), None, &name.value);
        self.definitions
            .entry((what, &name.value))
            .or_insert((file, node));
        let home = Some((file, node.span.start));
        let mut ports = HashMap::new();
        for item in node.children() {
            if let (Some(kind), Some(name)) = (item_kind(item), first_text(item)) {
                let id = self.names.symbol(kind, home, &name.value);
                if kind == SymbolKind::Port {
                    ports.insert(name.value.as_str(), id);
                }
            }
        }
        self.ports.entry((what, &name.value)).or_insert(ports);
    }

    /// What falls through to those that are held with `inherit=`.
    fn falls_through(&mut self) -> HashMap<(What, String), HashMap<String, BTreeSet<SymbolId>>> {
        let mut handed = std::mem::take(&mut self.handed);
        for ((what, name), seen) in &mut handed {
            for (key, symbols) in seen {
                // Where it stands by itself, or another holder has no such key, it is the document's.
                let global = self.names.find(SymbolKind::Key, None, key);
                if self.plainly.contains(&(*what as u8, name.clone())) {
                    symbols.extend(global);
                }
            }
        }
        handed
    }

    pub(super) fn source(&self) -> (usize, &'e str) {
        let files = self.files;
        (self.file, files[self.file].text())
    }

    /// A name that is a whole string.
    pub(super) fn whole(&mut self, text: &Text, symbols: Vec<SymbolId>, role: Role) {
        let said = 0..text.value.len();
        self.names.note(self.source(), text, said, symbols, role);
    }

    /// A name of something that is known everywhere, used or defined by it.
    pub(super) fn global(&mut self, kind: SymbolKind, text: &Text, role: Role) {
        let symbol = if role.declares {
            Some(self.names.symbol(kind, None, &text.value))
        } else {
            self.names.find(kind, None, &text.value)
        };
        self.whole(text, symbol.into_iter().collect(), role);
    }

    /// The words of a text, each the name of something.
    pub(super) fn global_words(&mut self, kind: SymbolKind, text: &Text) {
        for (word, at) in words(&text.value) {
            let symbol = self.names.find(kind, None, word).into_iter().collect();
            let said = at..at + word.len();
            self.names
                .note(self.source(), text, said, symbol, Role::READS);
        }
    }

    /// The key, port or item that a name stands for here.
    pub(super) fn lookup(&self, name: &str) -> Vec<SymbolId> {
        let local = self.frames.iter().rev().find_map(|frame| frame.get(name));
        match local {
            Some(symbols) => symbols.clone(),
            None => self
                .names
                .find(SymbolKind::Key, None, name)
                .into_iter()
                .collect(),
        }
    }

    /// A key by its name alone, perhaps in braces.
    pub(super) fn key(&mut self, text: &Text, role: Role) {
        let (name, at) = braced(&text.value).unwrap_or((&text.value, 0));
        let symbols = self.lookup(name);
        self.names
            .note(self.source(), text, at..at + name.len(), symbols, role);
    }

    /// `"{key}"`, and nothing else.
    pub(super) fn key_in_braces(&mut self, text: &Text, role: Role) -> Option<SymbolId> {
        braced(&text.value)?;
        self.key(text, role);
        let (name, _) = braced(&text.value)?;
        self.lookup(name).first().copied()
    }

    /// An expression, or statements, from byte `skip` on.
    fn expression_from(&mut self, text: &Text, skip: usize, statements: bool) {
        for name in expression::names(text, skip, statements) {
            let word = &text.value[name.span.clone()];
            let (symbols, said, role) = match name.of {
                UseOf::Value => (self.lookup(word), name.span, Role::READS),
                UseOf::Written => (self.lookup(word), name.span, Role::WRITES),
                UseOf::Changed => (self.lookup(word), name.span, Role::CHANGES),
                UseOf::Part(part) => {
                    let whole = format!("{word}.{}", &text.value[part.clone()]);
                    let parameter = self.lookup(&whole);
                    if parameter.is_empty() {
                        (self.lookup(word), name.span, Role::READS)
                    } else {
                        (parameter, part, Role::READS)
                    }
                }
                UseOf::Semaphore => {
                    let dashed = word.replace('_', "-");
                    let exact = self.names.find(SymbolKind::Semaphore, None, word);
                    let other = self.names.find(SymbolKind::Semaphore, None, &dashed);
                    let role = Role {
                        underscored: true,
                        ..Role::READS
                    };
                    (exact.or(other).into_iter().collect(), name.span, role)
                }
            };
            self.names.note(self.source(), text, said, symbols, role);
        }
    }

    /// A number, a key in braces, or an expression with or without `=`.
    pub(super) fn expression(&mut self, entry: &Entry) {
        let Value::Text(text) = &entry.value else {
            return;
        };
        if braced(&text.value).is_some() {
            self.key(text, Role::READS);
        } else {
            self.expression_from(text, usize::from(text.value.starts_with('=')), false);
        }
    }

    pub(super) fn statements(&mut self, entry: &Entry) {
        if let Value::Text(text) = &entry.value {
            self.expression_from(text, 0, true);
        }
    }

    /// What a parameter of a leaf is given: a literal, `"{key}"`, or an expression behind `=`.
    pub(super) fn argument(&mut self, entry: &Entry) {
        let Value::Text(text) = &entry.value else {
            return;
        };
        if text.value.starts_with('=') {
            self.expression_from(text, 1, false);
        } else {
            self.key_in_braces(text, Role::READS);
        }
    }

    fn top(&mut self, node: &'e Node) {
        let word = node.name.value.as_str();
        match word {
            "main" => self.held_by_properties(node, true),
            "blackboard" => {
                for key in node.children().iter().filter(|key| key.name.value == "key") {
                    self.declaration(key, SymbolKind::Key, None);
                }
            }
            "leaves" => node.children().iter().for_each(|leaf| self.leaf(leaf)),
            "archetype" => self.archetype(node),
            _ => {}
        }
        let Some(what) = What::ALL.into_iter().find(|what| what.word() == word) else {
            return;
        };
        let name = first_text(node);
        if let Some(name) = name {
            self.global(SymbolKind::of(what), name, Role::DECLARES);
        }
        let home = Some((self.file, node.span.start));
        let inherited = name.and_then(|name| self.names.inherited.get(&(what, name.value.clone())));
        let inherited: Frame = inherited
            .into_iter()
            .flatten()
            .map(|(name, symbols)| (name.clone(), symbols.iter().copied().collect()))
            .collect();
        self.frames = vec![inherited, self.items(node, home)];
        for item in node.children() {
            if let Some(kind) = item_kind(item) {
                self.declaration(item, kind, home);
            }
        }
        match what {
            What::Tree => self.tasks(node),
            What::Machine => self.machine(node),
            What::Decision => self.decision(node),
        }
        self.frames.clear();
    }

    /// The keys and ports of a tree, or of a `scope`.
    pub(super) fn items(&mut self, node: &'e Node, home: Home) -> Frame {
        let mut frame = Frame::new();
        for item in node.children() {
            if let (Some(kind), Some(name)) = (item_kind(item), first_text(item)) {
                let id = self.names.symbol(kind, home, &name.value);
                frame.entry(name.value.clone()).or_insert_with(|| vec![id]);
            }
        }
        frame
    }

    /// The line of a key or port, with its sensor.
    pub(super) fn declaration(&mut self, node: &'e Node, kind: SymbolKind, home: Home) {
        if let Some(name) = first_text(node) {
            let id = self.names.symbol(kind, home, &name.value);
            self.whole(name, vec![id], Role::DECLARES);
        }
        let Some(sensor) = property_text(node, "sensor") else {
            return;
        };
        self.global(SymbolKind::Leaf, sensor, Role::READS);
        let row = Spot::Key.word("key");
        self.parameters(node, &sensor.value, |name| {
            row.is_some_and(|row| row.has(name))
        });
    }

    /// What stands in `leaves`.
    fn leaf(&mut self, node: &'e Node) {
        let Some(name) = first_text(node) else {
            return;
        };
        self.global(SymbolKind::Leaf, name, Role::DECLARES);
        let leaf = self.names.symbol(SymbolKind::Leaf, None, &name.value);
        for param in node
            .children()
            .iter()
            .filter(|child| child.name.value == "param")
        {
            if let Some(name) = first_text(param) {
                let home = Some((usize::MAX, leaf));
                let id = self.names.symbol(SymbolKind::Param, home, &name.value);
                self.whole(name, vec![id], Role::DECLARES);
            }
        }
    }

    /// The names of the parameters that a leaf is given: properties that are not the node's own, and `param NAME`.
    pub(super) fn parameters(&mut self, node: &'e Node, leaf: &str, is_own: impl Fn(&str) -> bool) {
        let leaf = self.names.find(SymbolKind::Leaf, None, leaf);
        let home = leaf.map(|leaf| (usize::MAX, leaf));
        for entry in &node.entries {
            if let Some(name) = entry.name.as_ref().filter(|name| !is_own(&name.value)) {
                self.parameter(name, home);
                self.argument(entry);
            }
        }
        for child in node
            .children()
            .iter()
            .filter(|child| child.name.value == "param")
        {
            if let Some(name) = first_text(child) {
                self.parameter(name, home);
            }
            if let Some(value) = child.entries.get(1) {
                self.argument(value);
            }
        }
    }

    fn parameter(&mut self, name: &Text, home: Home) {
        let symbol = home.and_then(|_| self.names.find(SymbolKind::Param, home, &name.value));
        self.whole(name, symbol.into_iter().collect(), Role::READS);
    }

    /// `tree=`, `machine=` and `decide=`.
    fn held_by_properties(&mut self, node: &'e Node, notes: bool) {
        for what in What::ALL {
            if let Some(text) = property_text(node, what.word()) {
                self.global(SymbolKind::of(what), text, Role::READS);
                if notes {
                    self.plainly.insert((what as u8, text.value.clone()));
                }
            }
        }
    }

    fn archetype(&mut self, node: &'e Node) {
        if let Some(name) = first_text(node) {
            self.global(SymbolKind::Archetype, name, Role::DECLARES);
        }
        self.held_by_properties(node, true);
        let held = What::ALL.into_iter().find_map(|what| {
            let name = property_text(node, what.word())?;
            self.definitions.get(&(what, name.value.as_str())).copied()
        });
        for given in node
            .children()
            .iter()
            .filter(|child| child.name.value == "given")
        {
            for entry in &given.entries {
                let Some(name) = &entry.name else {
                    continue;
                };
                let own = held.and_then(|(file, held)| {
                    let home = Some((file, held.span.start));
                    let kinds = [SymbolKind::Key, SymbolKind::Port];
                    kinds
                        .iter()
                        .find_map(|kind| self.names.find(*kind, home, &name.value))
                });
                let symbol = own.or_else(|| self.names.find(SymbolKind::Key, None, &name.value));
                self.whole(name, symbol.into_iter().collect(), Role::WRITES);
            }
        }
    }

    /// `subtree NAME port=…` and the like: the name, and what the ports are given.
    pub(super) fn held(&mut self, node: &'e Node, what: What) {
        let Some(name) = first_text(node) else {
            return;
        };
        self.global(SymbolKind::of(what), name, Role::READS);
        let ports = self
            .ports
            .get(&(what, name.value.as_str()))
            .cloned()
            .unwrap_or_default();
        let row = language::node_word(what.node_word());
        let is_own = |name: &str| row.is_some_and(|row| row.shape(name).is_some());
        let definition = self.definitions.get(&(what, name.value.as_str())).copied();
        let gives_back = |port: &str| {
            let items = definition.map_or(&[][..], |(_, node)| node.children());
            items.iter().any(|item| {
                let word = item.name.value.as_str();
                ["out", "inout"].contains(&word)
                    && first_text(item).is_some_and(|name| name.value == port)
            })
        };
        let mut given: Vec<(&'e Text, &'e Entry)> = Vec::new();
        for entry in &node.entries {
            if let Some(name) = entry.name.as_ref().filter(|name| !is_own(&name.value)) {
                given.push((name, entry));
            }
        }
        for child in node
            .children()
            .iter()
            .filter(|child| child.name.value == "param")
        {
            if let (Some(name), Some(value)) = (first_text(child), child.entries.get(1)) {
                given.push((name, value));
            }
        }
        for (port, entry) in given {
            let symbol = ports.get(port.value.as_str()).copied();
            self.whole(port, symbol.into_iter().collect(), Role::READS);
            if let Value::Text(text) = &entry.value {
                let role = if gives_back(&port.value) {
                    Role::CHANGES
                } else {
                    Role::READS
                };
                self.key_in_braces(text, role);
            }
        }
        self.hand_down(node, what, &name.value);
    }

    /// What a tree sees where it stands.
    fn hand_down(&mut self, node: &Node, what: What, name: &str) {
        let inherits = node.entries.iter().any(|entry| {
            let named = entry.name.as_ref();
            named.is_some_and(|name| name.value == "inherit") && entry.value == Value::Bool(true)
        });
        if !inherits {
            self.plainly.insert((what as u8, name.to_owned()));
            return;
        }
        let mut seen: HashMap<&String, &Vec<SymbolId>> = HashMap::new();
        for frame in &self.frames {
            seen.extend(frame.iter().filter(|(name, _)| !name.contains('.')));
        }
        let seen: Vec<(String, Vec<SymbolId>)> = seen
            .into_iter()
            .map(|(name, symbols)| (name.clone(), symbols.clone()))
            .collect();
        let handed = self.handed.entry((what, name.to_owned())).or_default();
        for (name, symbols) in seen {
            handed.entry(name).or_default().extend(symbols);
        }
    }
}

/// What a node in front of the root of a tree declares.
pub(super) fn item_kind(node: &Node) -> Option<SymbolKind> {
    match node.name.value.as_str() {
        "key" => Some(SymbolKind::Key),
        "in" | "out" | "inout" => Some(SymbolKind::Port),
        _ => None,
    }
}
