//! Built-in nodes that work on the blackboard.

use super::dialect;
use super::facts::Guess;
use super::leaves::literal;
use super::nodes::{Nodes, span_of};
use super::tag;
use crate::code::Code;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use roxmltree::{Attribute, Node};

impl Nodes<'_> {
    /// One of these nodes, without its children.
    pub(super) fn on_blackboard(
        &mut self,
        element: Node<'_, '_>,
        (name, at): (&str, &Span),
        others: &[Attribute<'_, '_>],
        common: Vec<Entry>,
    ) -> Option<syntax::Node> {
        let ports = ports_of(name);
        for attribute in others {
            if attribute.name() != "ID" && !ports.contains(&attribute.name()) {
                self.unknown_attribute(name, *attribute, ports);
            }
        }
        let children = self.elements(element).len();
        let (word, mut entries, block) = match name {
            "SetBlackboard" => ("set", self.set_blackboard(element, others)?, None),
            "UnsetBlackboard" => ("unset", self.key_port(element, others, "key")?, None),
            "WasEntryUpdated" | "EntryUpdatedAction" => {
                ("changed", self.key_port(element, others, "entry")?, None)
            }
            "SkipUnlessUpdated" | "EntryUpdatedDecorator" | "WaitValueUpdate" => {
                let mut entries = self.key_port(element, others, "entry")?;
                if name == "WaitValueUpdate" {
                    entries.push(Entry::word("running", at.clone()).named("else"));
                }
                ("on-change", entries, None)
            }
            _ => {
                let (entries, cases) = self.switch(element, (name, at), others, children)?;
                ("switch", entries, Some(cases))
            }
        };
        let wanted = match word {
            "switch" => children,
            "on-change" => 1,
            _ => 0,
        };
        if children != wanted {
            let message = match wanted {
                0 => format!("`{name}` is a leaf and takes no children"),
                _ => format!("`{name}` takes one child, and has {children}"),
            };
            let code = match children < wanted {
                true => Code::MissingChildren,
                false => Code::ExtraChildren,
            };
            self.sink.error(code, tag(element), message);
            return None;
        }
        entries.extend(common);
        let node = syntax::Node::made(Text::made(word, at.clone()), span_of(element), entries);
        Some(match block {
            Some(block) => node.block(block),
            None => node,
        })
    }

    /// The attribute that a node needs.
    fn needed<'o, 'a, 'd>(
        &mut self,
        element: Node<'_, '_>,
        others: &'o [Attribute<'a, 'd>],
        port: &str,
    ) -> Option<&'o Attribute<'a, 'd>> {
        let found = others.iter().find(|attribute| attribute.name() == port);
        if found.is_none() {
            let name = shortened(element.tag_name().name());
            let message = format!("`{name}` needs its attribute `{port}`");
            self.sink
                .error(Code::MissingParameter, tag(element), message)
                .with_help(format!("write `{port}=\"…\"`"));
        }
        found
    }

    /// A key whose name may stand in braces or not.
    fn named_key(&mut self, attribute: &Attribute<'_, '_>) -> String {
        let raw = dialect::pointer_of(*attribute, self.version);
        let raw = raw.unwrap_or(attribute.value().trim());
        let tree = self.tree.clone();
        self.facts.key_in(&tree, raw)
    }

    fn key_port(
        &mut self,
        element: Node<'_, '_>,
        others: &[Attribute<'_, '_>],
        port: &str,
    ) -> Option<Vec<Entry>> {
        let attribute = self.needed(element, others, port)?;
        let key = self.named_key(attribute);
        Some(vec![Entry::word(&key, attribute.range_value())])
    }

    /// `<SetBlackboard value="…" output_key="…"/>`: a key without a value is not copied, and the node fails.
    fn set_blackboard(
        &mut self,
        element: Node<'_, '_>,
        others: &[Attribute<'_, '_>],
    ) -> Option<Vec<Entry>> {
        let value = self.needed(element, others, "value")?;
        let target = self.needed(element, others, "output_key")?;
        if let Some(key) = dialect::pointer_of(*target, self.version) {
            let message = format!(
                "the key `{}` is written; BehaviorTree.CPP writes the key that it names",
                shortened(key)
            );
            self.sink
                .warning(Code::BadName, target.range_value(), message)
                .with_help(format!("write `output_key=\"{}\"`", shortened(key)));
        }
        let target_key = self.named_key(target);
        let at = value.range();
        if let Some(raw) = dialect::pointer_of(*value, self.version) {
            let tree = self.tree.clone();
            let source = self.facts.key_in(&tree, raw);
            let copy = Entry::word(&format!("{target_key} = {source}"), at.clone());
            let is_there = Entry::word(&format!("has({source})"), at).named("when");
            return Some(vec![copy, is_there]);
        }
        let literal = written(value.value());
        let Some(literal) = literal else {
            let message = "this version cannot write a text with a `'` to a key";
            self.sink.error(Code::NotYet, value.range_value(), message);
            return None;
        };
        Some(vec![Entry::word(&format!("{target_key} = {literal}"), at)])
    }

    /// `<Switch2 variable="{key}" case_1="…" case_2="…">`, with a child for each case and one for all other values.
    fn switch(
        &mut self,
        element: Node<'_, '_>,
        (name, at): (&str, &Span),
        others: &[Attribute<'_, '_>],
        children: usize,
    ) -> Option<(Vec<Entry>, Vec<syntax::Node>)> {
        let count: usize = name["Switch".len()..].parse().unwrap_or(2);
        let variable = self.needed(element, others, "variable")?;
        if children != count + 1 {
            let message = format!(
                "`{name}` needs {} children, one for each case and one for all other values, and has {children}",
                count + 1
            );
            let code = match children > count {
                true => Code::ExtraChildren,
                false => Code::MissingChildren,
            };
            self.sink.error(code, tag(element), message);
            return None;
        }
        let expression = match dialect::pointer_of(*variable, self.version) {
            Some(raw) => {
                let tree = self.tree.clone();
                let key = self.facts.key_in(&tree, raw);
                // An unset key is no case.
                format!("if has({key}) {{ {key} }} else {{ '' }}")
            }
            None => written(variable.value())?,
        };
        let entry = Entry::word(&expression, variable.range_value());
        let mut cases = Vec::new();
        for nth in 1..=count {
            let port = format!("case_{nth}");
            let case = self.needed(element, others, &port)?;
            if dialect::pointer_of(*case, self.version).is_some() {
                let message = format!("this version cannot read `{port}` from the blackboard yet");
                self.sink.error(Code::NotYet, case.range_value(), message);
                return None;
            }
            let ty = match Guess::of(case.value()) {
                Guess::Bool => Guess::Text,
                guess => guess,
            };
            let value = literal(case.value(), Some(ty), &case.range_value());
            let value = Entry::value(value.unwrap_or(Value::Bad), case.range());
            let word = Text::made("case", case.range());
            cases.push(syntax::Node::made(word, case.range(), vec![value]));
        }
        let word = Text::made("default", at.clone());
        cases.push(syntax::Node::made(word, at.clone(), Vec::new()));
        Some((vec![entry], cases))
    }
}

/// A literal as expressions have it; only numbers have a type of their own.
fn written(text: &str) -> Option<String> {
    Some(match Guess::of(text) {
        Guess::Int | Guess::Double if text.starts_with('-') => {
            format!("-{}", decimal(&text[1..]))
        }
        Guess::Int | Guess::Double => decimal(text),
        Guess::Bool | Guess::Text => {
            if text.contains('\'') {
                return None;
            }
            format!("'{text}'")
        }
    })
}

/// A number as expressions have it.
fn decimal(text: &str) -> String {
    match text.parse::<i64>() {
        Ok(int) => int.to_string(),
        Err(_) => {
            dialect::double(text).map_or_else(|| "0".to_owned(), |number| format!("{number:?}"))
        }
    }
}

fn ports_of(name: &str) -> &'static [&'static str] {
    match name {
        "SetBlackboard" => &["value", "output_key"],
        "UnsetBlackboard" => &["key"],
        _ if name.starts_with("Switch") => {
            const ALL: &[&str] = &[
                "variable", "case_1", "case_2", "case_3", "case_4", "case_5", "case_6",
            ];
            let count: usize = name["Switch".len()..].parse().unwrap_or(2);
            &ALL[..=count]
        }
        _ => &["entry"],
    }
}
