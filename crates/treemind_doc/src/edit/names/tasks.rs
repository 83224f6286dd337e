//! Names in behaviour trees.

use super::texts::{logged, words};
use super::walk::{Frame, Walk};
use super::{Role, SymbolKind};
use crate::check::What;
use crate::edit::entries::{first_text, property, property_text};
use crate::syntax::{Entry, Node, Value};
use crate::vocabulary;

/// Nodes whose first value is a number or an expression.
const ASKS: [&str; 11] = [
    "check", "wait", "timeout", "delay", "cooldown", "chance", "limit", "repeat", "retry",
    "switch", "option",
];

/// Properties of any node that are expressions.
const EXPRESSIONS: [&str; 12] = [
    "fail-if",
    "succeed-if",
    "skip-if",
    "when",
    "while",
    "weight",
    "score",
    "jitter",
    "interval",
    "hysteresis",
    "enter-if",
    "after",
];

const STATEMENTS: [&str; 4] = ["on-success", "on-failure", "on-abort", "on-end"];

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
        match word {
            "param" | "key" | "in" | "out" | "inout" | "value" => return,
            "consider" => {
                self.first_expression(node);
                self.expressions(node);
                return;
            }
            "score" => return self.tasks(node),
            _ => {}
        }
        self.node_name(node);
        match word {
            "condition" | "action" | "service" | "node" | "emit" => self.leaf_use(node, word),
            "set" => {
                if let Some(entry) = first_value(node) {
                    self.statements(entry);
                }
            }
            "unset" => self.first_key(node, Role::WRITES),
            "changed" | "on-change" => self.first_key(node, Role::READS),
            "log" => self.log(node),
            "interrupt" => self.first_global(node, SymbolKind::Label, Role::READS),
            "interruptible" => self.first_global(node, SymbolKind::Label, Role::DECLARES),
            "semaphore" => self.first_global(node, SymbolKind::Semaphore, Role::DECLARES),
            "subtree" => self.held(node, What::Tree),
            "machine" => self.held(node, What::Machine),
            "decide" => self.held(node, What::Decision),
            "subtree-by" => {
                self.first_key(node, Role::READS);
                if let Some(of) = property_text(node, "of") {
                    self.global_words(SymbolKind::Tree, of);
                }
            }
            word if ASKS.contains(&word) => self.first_expression(node),
            _ => {}
        }
        self.expressions(node);
        match word {
            "scope" => {
                let home = Some((self.file, node.span.start));
                let frame = self.items(node, home);
                for key in node.children().iter().filter(|key| key.name.value == "key") {
                    self.declaration(key, SymbolKind::Key, home);
                }
                self.frames.push(frame);
                self.tasks(node);
                self.frames.pop();
            }
            "for-each" => self.for_each(node),
            _ => self.tasks(node),
        }
    }

    /// `name=`
    pub(super) fn node_name(&mut self, node: &'e Node) {
        if let Some(name) = property_text(node, "name") {
            let home = Some((self.file, node.span.start));
            let id = self.names.symbol(SymbolKind::NodeName, home, &name.value);
            self.whole(name, vec![id], Role::DECLARES);
        }
    }

    /// Guards, hooks, weights and the like.
    pub(super) fn expressions(&mut self, node: &'e Node) {
        for entry in &node.entries {
            let Some(name) = entry.name.as_ref().map(|name| name.value.as_str()) else {
                continue;
            };
            // On leaves those that are no properties of the node are parameters.
            let word = node.name.value.as_str();
            let is_own = !vocabulary::takes_params(word)
                || vocabulary::is_common_property(name)
                || vocabulary::node_word(word).is_some_and(|word| word.properties.contains(&name));
            if EXPRESSIONS.contains(&name) && is_own {
                self.expression(entry);
            } else if STATEMENTS.contains(&name) {
                self.statements(entry);
            }
        }
    }

    pub(super) fn first_expression(&mut self, node: &'e Node) {
        if let Some(entry) = first_value(node) {
            let is_word = matches!(&entry.value, Value::Text(text) if text.value == "forever");
            if !is_word {
                self.expression(entry);
            }
        }
    }

    fn first_key(&mut self, node: &'e Node, role: Role) {
        if let Some(text) = first_text(node) {
            self.key(text, role);
        }
    }

    fn first_global(&mut self, node: &'e Node, kind: SymbolKind, role: Role) {
        if let Some(text) = first_text(node) {
            self.global(kind, text, role);
        }
    }

    /// A leaf, and what it is given.
    pub(super) fn leaf_use(&mut self, node: &'e Node, word: &str) {
        let Some(name) = first_text(node) else {
            return;
        };
        self.global(SymbolKind::Leaf, name, Role::READS);
        let own = vocabulary::node_word(word).map_or(&[][..], |word| word.properties);
        let is_own = |name: &str| own.contains(&name) || vocabulary::is_common_property(name);
        self.parameters(node, &name.value, is_own);
        if word == "emit"
            && let Some(value) = property(node, "value")
        {
            self.expression(value);
        }
    }

    fn log(&mut self, node: &'e Node) {
        let Some(text) = first_text(node) else {
            return;
        };
        for (name, at) in logged(&text.value) {
            let symbols = self.lookup(name);
            let said = at..at + name.len();
            self.names
                .note(self.source(), text, said, symbols, Role::READS);
        }
    }

    fn for_each(&mut self, node: &'e Node) {
        let list = property_text(node, "in").and_then(|list| self.key_in_braces(list, Role::READS));
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
    pub(super) fn events(&mut self, text: &'e crate::syntax::Text) -> Vec<usize> {
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

pub(super) fn first_value(node: &Node) -> Option<&Entry> {
    node.entries.iter().find(|entry| entry.name.is_none())
}
