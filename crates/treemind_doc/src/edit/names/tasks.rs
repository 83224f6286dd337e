//! Names in behaviour trees.

use super::texts::{braced, logged, words};
use super::walk::{Frame, Walk};
use super::{Role, SymbolKind};
use crate::check::What;
use crate::edit::entries::{first_text, property_text};
use crate::language::{self, Build, Named, Shape, Special, Spot, Word};
use crate::syntax::{Entry, Node, Text, Value};

/// Where words stand that this walk comes to.
const READ: [Spot; 4] = [Spot::Task, Spot::Case, Spot::Score, Spot::Considered];

/// Where words stand that whoever holds them reads.
const READ_ABOVE: [Spot; 4] = [Spot::Given, Spot::Key, Spot::Port, Spot::KeyBlock];

impl<'e> Walk<'e> {
    /// The nodes in the block of another, each a task.
    pub(super) fn tasks(&mut self, node: &'e Node) {
        for child in node.children() {
            self.task(child);
        }
    }

    /// A node of a tree, and all below it.
    pub(super) fn task(&mut self, node: &'e Node) {
        let word = node.name.value.as_str();
        let row = language::find(&READ, word);
        if row.is_none() && language::find(&READ_ABOVE, word).is_some() {
            return;
        }
        self.line(node, row);
        let task = row.and_then(|row| row.task.as_ref());
        match task.map(|task| task.build) {
            Some(Build::By(Special::Scope)) => {
                let home = Some((self.file, node.span.start));
                let frame = self.items(node, home);
                for key in node.children().iter().filter(|key| key.name.value == "key") {
                    self.declaration(key, SymbolKind::Key, home);
                }
                self.frames.push(frame);
                self.tasks(node);
                self.frames.pop();
            }
            Some(Build::By(Special::ForEach)) => self.for_each(node),
            _ => self.tasks(node),
        }
    }

    /// What stands on the line of a node, by its row; without one, what every node may have.
    pub(super) fn line(&mut self, node: &'e Node, row: Option<&'static Word>) {
        let value = row.and_then(|row| row.value).map(|value| value.shape());
        match value {
            Some(Shape::Names(Named::Leaf | Named::Event)) => self.leaf_use(node, row),
            Some(Shape::Names(Named::Tree)) => self.held(node, What::Tree),
            Some(Shape::Names(Named::Machine)) => self.held(node, What::Machine),
            Some(Shape::Names(Named::Decision)) => self.held(node, What::Decision),
            Some(shape) => {
                if let Some(entry) = node.entries.iter().find(|entry| entry.name.is_none()) {
                    self.entry(node, entry, shape);
                }
            }
            None => {}
        }
        for entry in &node.entries {
            let Some(name) = &entry.name else {
                continue;
            };
            // On leaves those that are no properties of the node are parameters.
            let shape = match row {
                Some(row) => row.shape(&name.value),
                None => language::common(&name.value).map(|one| one.shape()),
            };
            if let Some(shape) = shape {
                self.entry(node, entry, shape);
            }
        }
    }

    /// A value or property of a node.
    fn entry(&mut self, node: &'e Node, entry: &'e Entry, shape: Shape) {
        let Value::Text(text) = &entry.value else {
            return;
        };
        match shape {
            Shape::Expr(_) => self.expression(entry),
            Shape::Times if text.value == "forever" => {}
            Shape::Times => self.expression(entry),
            Shape::Statements(words) if words.contains(&text.value.as_str()) => {}
            Shape::Statements(_) => self.statements(entry),
            Shape::Log => self.log(text),
            Shape::Key => self.key(text, Role::READS),
            Shape::WrittenKey => self.key(text, Role::WRITES),
            Shape::KeyInBraces => {
                self.key_in_braces(text, Role::READS);
            }
            Shape::Declares(Named::Node) => {
                let home = Some((self.file, node.span.start));
                let id = self.names.symbol(SymbolKind::NodeName, home, &text.value);
                self.whole(text, vec![id], Role::DECLARES);
            }
            Shape::Declares(Named::Label) => {
                self.global(SymbolKind::Label, text, Role::DECLARES);
            }
            Shape::Declares(Named::Semaphore) => {
                self.global(SymbolKind::Semaphore, text, Role::DECLARES);
            }
            Shape::Names(Named::Label) => self.global(SymbolKind::Label, text, Role::READS),
            Shape::Names(Named::Decision) => self.global(SymbolKind::Decision, text, Role::READS),
            Shape::AllNames(Named::Tree) => self.global_words(SymbolKind::Tree, text),
            // Whoever knows what is around them reads these: definitions, machines and decision trees.
            Shape::Declares(_) | Shape::Names(_) | Shape::AllNames(_) => {}
            Shape::Flag
            | Shape::Words(_)
            | Shape::WordsOrNumber(_)
            | Shape::Number
            | Shape::Literal
            | Shape::Type
            | Shape::Text => {}
        }
    }

    /// A leaf, and what it is given.
    fn leaf_use(&mut self, node: &'e Node, row: Option<&'static Word>) {
        let Some(name) = first_text(node) else {
            return;
        };
        self.global(SymbolKind::Leaf, name, Role::READS);
        let is_own = |name: &str| row.is_some_and(|row| row.shape(name).is_some());
        self.parameters(node, &name.value, is_own);
    }

    /// A text with keys in braces.
    fn log(&mut self, text: &'e Text) {
        for (name, at) in logged(&text.value) {
            let symbols = self.lookup(name);
            let said = at..at + name.len();
            self.names
                .note(self.source(), text, said, symbols, Role::READS);
        }
    }

    fn for_each(&mut self, node: &'e Node) {
        let list = property_text(node, "in").and_then(|list| {
            let (name, _) = braced(&list.value)?;
            self.lookup(name).first().copied()
        });
        let Some(name) = first_text(node) else {
            return self.tasks(node);
        };
        let known = self.lookup(&name.value);
        if !known.is_empty() {
            self.whole(name, known, Role::WRITES);
            return self.tasks(node);
        }
        let home = Some((self.file, node.span.start));
        let id = self.names.symbol(SymbolKind::Item, home, &name.value);
        self.names.symbols[id].list = list;
        self.whole(name, vec![id], Role::DECLARES);
        self.frames
            .push(Frame::from([(name.value.clone(), vec![id])]));
        self.tasks(node);
        self.frames.pop();
    }

    /// The patterns of `on=` and `defer`: names of events, what stands before a point in them, or `*`.
    pub(super) fn events(&mut self, text: &'e Text) -> Vec<usize> {
        let mut all = Vec::new();
        for (pattern, at) in words(&text.value) {
            let fitting: Vec<usize> = (0..self.names.symbols.len())
                .filter(|id| {
                    let symbol = &self.names.symbols[*id];
                    symbol.kind == SymbolKind::Leaf && fits(pattern, &symbol.name)
                })
                .collect();
            let exact = self.names.find(SymbolKind::Leaf, None, pattern);
            let role = Role {
                is_pattern: true,
                ..Role::READS
            };
            all.extend(&fitting);
            let said = at..at + pattern.len();
            self.names
                .note(self.source(), text, said.clone(), fitting, role);
            let exact = exact.into_iter().collect();
            self.names
                .note(self.source(), text, said, exact, Role::READS);
        }
        all
    }
}

/// Whether a name is a pattern, or begins with it and a point.
fn fits(pattern: &str, name: &str) -> bool {
    if pattern == "*" {
        return true;
    }
    let stem = pattern.strip_suffix(".*").unwrap_or(pattern);
    let rest = name.strip_prefix(stem);
    !stem.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
