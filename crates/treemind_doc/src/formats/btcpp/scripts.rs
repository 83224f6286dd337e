//! Attributes and nodes that hold scripts.

use super::nodes::Nodes;
use super::script::{self, Held, Lowered};
use crate::code::Code;
use crate::syntax::{Entry, shortened};
use roxmltree::Attribute;

/// The attribute of BehaviorTree.CPP, our property, and whether it is a condition.
const ATTRIBUTES: [(&str, &str, bool); 8] = [
    ("_failureIf", "fail-if", true),
    ("_successIf", "succeed-if", true),
    ("_skipIf", "skip-if", true),
    ("_while", "while", true),
    ("_onSuccess", "on-success", false),
    ("_onFailure", "on-failure", false),
    ("_onHalted", "on-abort", false),
    ("_post", "on-end", false),
];

impl Nodes<'_> {
    /// The script of an attribute. A mistake in it is reported.
    pub(super) fn script(&mut self, attribute: Attribute<'_, '_>) -> Option<Lowered> {
        let at = attribute.range_value();
        let name = shortened(attribute.name());
        let script = match script::parse(attribute.value()) {
            Ok(script) => script,
            Err(reason) => {
                let message = format!("the script of `{name}` cannot be read: {reason}");
                self.sink.error(Code::ExpressionSyntax, at, message);
                return None;
            }
        };
        let tree = self.tree.clone();
        let facts = &mut self.facts;
        let lowered = script::lower(&script, &mut |raw| {
            let held = match facts.type_of(&tree, raw) {
                "double" => Held::Double,
                "int" => Held::Whole,
                _ if facts.is_text(&tree, raw) => Held::Text,
                _ => Held::Any,
            };
            (facts.key_in(&tree, raw), held)
        });
        match lowered {
            Ok(lowered) => Some(lowered),
            Err(reason) => {
                let message = format!("this version cannot run the script of `{name}`: {reason}");
                self.sink.error(Code::NotYet, at, message);
                None
            }
        }
    }

    /// The script of an attribute, as a condition. `None` if it has none, or assigns something.
    pub(super) fn condition_of(&mut self, attribute: Attribute<'_, '_>) -> Option<String> {
        let lowered = self.script(attribute)?;
        if !lowered.statements.is_empty() {
            let message = format!(
                "this version cannot assign in the condition `{}`",
                shortened(attribute.name())
            );
            self.sink
                .error(Code::NotYet, attribute.range_value(), message);
            return None;
        }
        lowered.condition
    }

    /// `_skipIf`, `_onSuccess` and the like, as a guard or a hook.
    pub(super) fn guard_or_hook(&mut self, attribute: Attribute<'_, '_>) -> Option<Entry> {
        let mut all = ATTRIBUTES.iter();
        let (_, ours, is_condition) = all.find(|(name, ..)| *name == attribute.name())?;
        let text = match is_condition {
            true => self.condition_of(attribute)?,
            false => {
                let statements = self.script(attribute)?.statements;
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
}
