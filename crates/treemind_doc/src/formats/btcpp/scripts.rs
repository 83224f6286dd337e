//! Attributes and nodes that hold scripts.

use super::blackboard::leaves_open;
use super::dialect;
use super::facts::Facts;
use super::nodes::{Nodes, declared_key, span_of};
use super::script::{self, Ast, Held, Lowered};
use super::words;
use crate::code::Code;
use crate::language;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use crate::{Said, said};
use roxmltree::{Attribute, Node};

/// The statements of a script of a tree, and its value if that is wanted.
fn lower(
    facts: &mut Facts,
    tree: &str,
    (script, is_condition): (&[Ast], bool),
    seen: Option<&str>,
) -> Result<Lowered, Said> {
    let enums = facts.enums.clone();
    script::lower((script, is_condition), &enums, seen, &mut |raw| {
        let held = held(facts, tree, raw);
        let is_there = facts.is_there(tree, raw);
        (facts.key_in(tree, raw), held, is_there)
    })
}

/// What a key of a tree holds.
pub(super) fn held(facts: &Facts, tree: &str, raw: &str) -> Held {
    match facts.type_of(tree, raw) {
        "double" => Held::Double,
        "int" => Held::Whole,
        _ if facts.is_mixed(tree, raw) && facts.is_turned(tree, raw) => Held::Turned,
        _ if facts.is_mixed(tree, raw) => Held::Mixed,
        _ if facts.is_text(tree, raw) => Held::Text,
        _ if facts.is_loose(tree, raw) => Held::Any,
        _ if facts.is_turned(tree, raw) => Held::Numbers,
        _ => Held::Plain,
    }
}

/// What the condition of an element assigns.
pub(super) struct Assigning {
    /// Where the element begins.
    start: usize,
    /// The property that the condition is.
    guard: &'static str,
    statements: String,
    at: Span,
}

impl Nodes<'_> {
    /// The script of an attribute, with its value if that is wanted. A mistake in it is reported.
    pub(super) fn script(
        &mut self,
        attribute: Attribute<'_, '_>,
        is_condition: bool,
    ) -> Option<Lowered> {
        let at = attribute.range_value();
        let name = shortened(attribute.name());
        if words::script_attribute(attribute.name()).is_none()
            && let Some(key) = dialect::pointer_of(attribute, self.version)
        {
            let message = said!(
                "the script stands in the key `{}`: scripts are read when the file is loaded",
                shortened(key)
            );
            self.sink
                .error(Code::NotYet, at, message)
                .with_help(said!("write the script itself into `{}`", name));
            return None;
        }
        let script = match self.facts.enums.parse(attribute.value()) {
            Ok(script) => script,
            Err(reason) => {
                let message = said!("the script of `{}` cannot be read: {}", name, reason);
                self.sink.error(Code::ExpressionSyntax, at, message);
                return None;
            }
        };
        let of = (&script[..], is_condition);
        let only_read = |nth: &usize| script::is_only_read(of, *nth);
        let seen = (0..script.len()).find(only_read).map(|_| {
            let seen = self.facts.names.fresh("seen");
            self.given
                .push(declared_key("key", (&seen, "any"), None, &at));
            seen
        });
        match lower(&mut self.facts, &self.tree, of, seen.as_deref()) {
            Ok(lowered) => Some(lowered),
            Err(reason) => {
                let message = said!(
                    "this version cannot run the script of `{}`: {}",
                    name,
                    reason
                );
                self.sink.error(Code::NotYet, at, message);
                None
            }
        }
    }

    /// Whether the last value of a script holds.
    pub(super) fn truth(&mut self, script: Attribute<'_, '_>, lowered: &Lowered) -> Option<String> {
        if lowered.condition.is_none() {
            let message = said!("this script assigns a text, which is neither true nor false");
            self.sink
                .error(Code::WrongType, script.range_value(), message)
                .with_help(said!(
                    "write `==` to compare, or put `<Script>` before the node"
                ));
        }
        lowered.condition.clone()
    }

    /// `_skipIf`, `_onSuccess` and the like, as a guard or a hook.
    pub(super) fn guard_or_hook(
        &mut self,
        element: Node<'_, '_>,
        attribute: Attribute<'_, '_>,
    ) -> Option<Entry> {
        let start = element.range().start;
        let of = words::script_attribute(attribute.name())?;
        self.new_in_four(element, attribute.name(), attribute.range_qname());
        let ours = of.property;
        let text = match of.is_condition {
            true => {
                let lowered = self.script(attribute, true)?;
                let condition = self.truth(attribute, &lowered)?;
                if !lowered.statements.is_empty() {
                    self.assigning.push(Assigning {
                        start,
                        guard: ours,
                        statements: lowered.statements.join("; "),
                        at: attribute.range(),
                    });
                }
                condition
            }
            false => {
                let statements = self.script(attribute, false)?.statements;
                if statements.is_empty() {
                    return None;
                }
                statements.join("; ")
            }
        };
        let mut entry = Entry::word(&text, attribute.range()).named(ours);
        entry.value_span = attribute.range_value();
        Some(entry)
    }

    /// A node whose conditions assign something, inside of those that do. Each is tested, in the order of
    /// BehaviorTree.CPP, when the node is about to start; `_while` in every tick.
    pub(super) fn after_assignments(
        &mut self,
        element: Node<'_, '_>,
        node: syntax::Node,
    ) -> syntax::Node {
        let start = element.range().start;
        let own = |one: &mut Assigning| one.start == start;
        let own: Vec<Assigning> = self.assigning.extract_if(.., own).collect();
        if own.is_empty() {
            return node;
        }
        let mut node = node;
        let is_of_node = |entry: &mut Entry| {
            // A `try-catch` has an option with the name of a hook.
            if matches!(entry.value, Value::Bool(_)) {
                return false;
            }
            let name = entry.name.as_ref().map_or("", |name| &name.value);
            language::is_guard_or_hook(name)
        };
        let mut around: Vec<Entry> = node.entries.extract_if(.., is_of_node).collect();
        let conditions = words::SCRIPTS.iter().rev().filter(|one| one.is_condition);
        for guard in conditions.map(|one| one.property) {
            let is_it =
                |entry: &mut Entry| entry.name.as_ref().is_some_and(|name| name.value == guard);
            node.entries.extend(around.extract_if(.., is_it));
            let Some(assigning) = own.iter().find(|one| one.guard == guard) else {
                continue;
            };
            let at = &assigning.at;
            let made = |word: &str, entries| {
                syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries)
            };
            let set = made("set", vec![Entry::word(&assigning.statements, at.clone())]);
            let word = match guard {
                "while" => "reactive-if",
                _ => "if",
            };
            let word = Text::made(word, at.clone());
            let around = syntax::Node::made(word, span_of(element), vec![leaves_open(at)]);
            node = around.block(vec![set, node]);
        }
        node.entries.append(&mut around);
        node
    }
}
