//! `LoopInt` and its kin with the items in the file. With a queue on the blackboard they are nodes of the host, because
//! only programs can fill a queue.

use super::blackboard::written;
use super::dialect;
use super::nodes::{Nodes, here, span_of};
use crate::code::Code;
use crate::said;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use roxmltree::{Attribute, Node};

/// How many items a loop may have to be read here.
const MOST_ITEMS: usize = 32;

impl Nodes<'_> {
    /// Reports items that are not of the type of a loop, and an answer that is none.
    pub(super) fn refuse_in_loop(&mut self, name: &str, others: &[Attribute<'_, '_>]) {
        if !matches!(name, "LoopInt" | "LoopDouble" | "LoopBool" | "LoopString") {
            return;
        }
        for attribute in others {
            if dialect::pointer_of(*attribute, self.version).is_some() {
                continue;
            }
            let at = attribute.range_value();
            let is_item = |item: &&str| match name {
                "LoopString" => true,
                "LoopBool" => {
                    dialect::is_true(item) || matches!(*item, "false" | "False" | "FALSE" | "0")
                }
                // What stands behind a number is ignored.
                _ => {
                    let number = item.trim_start_matches(['-', '+']);
                    let number = match name {
                        "LoopDouble" => number.strip_prefix('.').unwrap_or(number),
                        _ => number,
                    };
                    number.starts_with(|c: char| c.is_ascii_digit())
                }
            };
            match attribute.name() {
                "queue" if !attribute.value().trim().is_empty() => {
                    let mut items = attribute.value().split(';').map(str::trim);
                    if let Some(item) = items.find(|item| !is_item(item)) {
                        let item = shortened(item);
                        let message = match name {
                            "LoopInt" => said!(
                                "expected whole numbers in the queue of `{}`, found `{}`",
                                name,
                                item
                            ),
                            "LoopDouble" => said!(
                                "expected numbers in the queue of `{}`, found `{}`",
                                name,
                                item
                            ),
                            _ => said!(
                                "expected `true` or `false` in the queue of `{}`, found `{}`",
                                name,
                                item
                            ),
                        };
                        self.sink.error(Code::WrongType, at, message);
                    }
                }
                "if_empty" => {
                    const STATUSES: [&str; 5] =
                        ["SUCCESS", "FAILURE", "SKIPPED", "RUNNING", "IDLE"];
                    let given = attribute.value().trim();
                    if !STATUSES.contains(&given) {
                        let given = shortened(given);
                        let message = said!(
                            "expected `SUCCESS`, `FAILURE` or `SKIPPED` for `if_empty`, found `{}`",
                            given
                        );
                        self.sink.error(Code::BadChoice, at, message);
                    }
                }
                _ => {}
            }
        }
    }

    /// The items of a loop, as expressions have them; `None` if the node is no loop, or is left to the host.
    pub(super) fn literal_queue(
        &self,
        name: &str,
        others: &[Attribute<'_, '_>],
    ) -> Option<Vec<String>> {
        if !matches!(name, "LoopInt" | "LoopBool" | "LoopDouble" | "LoopString") {
            return None;
        }
        let port = |name: &str| others.iter().find(|attribute| attribute.name() == name);
        let queue = port("queue")?;
        let is_read = matches!(if_empty(others), "SUCCESS" | "FAILURE" | "SKIPPED");
        if !is_read
            || queue.value().is_empty()
            || dialect::pointer_of(*queue, self.version).is_some()
        {
            return None;
        }
        let item = |text: &str| match (name, text) {
            ("LoopString", text) if text.contains('\'') => None,
            ("LoopString", text) => Some(format!("'{text}'")),
            ("LoopBool", "true" | "1") => Some("true".to_owned()),
            ("LoopBool", "false" | "0") => Some("false".to_owned()),
            ("LoopBool", _) => None,
            (_, text) => dialect::double(text).and_then(|_| written(text)),
        };
        let items: Option<Vec<String>> = queue.value().split(';').map(item).collect();
        items.filter(|items| items.len() <= MOST_ITEMS)
    }

    /// `<LoopInt queue="1;2;3" if_empty="SUCCESS" value="{key}">`: one item per tick, until the child fails; one more
    /// tick for the answer when no item is left.
    pub(super) fn over_items(
        &mut self,
        element: Node<'_, '_>,
        at: &Span,
        others: &[Attribute<'_, '_>],
        items: &[String],
    ) -> syntax::Node {
        let names = &mut self.facts.names;
        let (nth, is_over) = (names.fresh("nth_item"), names.fresh("is_over"));
        let port = |name: &str| others.iter().find(|attribute| attribute.name() == name);
        let value = port("value").and_then(|value| dialect::pointer_of(*value, self.version));
        let mut statements = Vec::new();
        if let Some(raw) = value {
            let tree = self.tree.clone();
            let key = self.facts.key_in(&tree, raw);
            let (last, before) = items
                .split_last()
                .map_or(("0", &[][..]), |(last, before)| (last, before));
            let choice = |rest: String, (index, item): (usize, &String)| {
                format!("if {nth} == {index} {{ {item} }} else {{ {rest} }}")
            };
            let item = before
                .iter()
                .enumerate()
                .rev()
                .fold(last.to_owned(), choice);
            statements.push(format!("{key} = {item}"));
        }
        statements.push(format!("{nth} += 1"));
        let node = |word: &str, entries: Vec<Entry>, block: Vec<syntax::Node>| {
            let node = syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries);
            match block.is_empty() {
                true => node,
                false => node.block(block),
            }
        };
        let text = |text: String| vec![Entry::word(&text, at.clone())];
        let key = |name: &str, ty: &str, default: Value| {
            let property = |name: &str, value: Value| Entry::value(value, at.clone()).named(name);
            let ty = Value::Text(Text::made(ty, at.clone()));
            let entries = vec![
                Entry::word(name, at.clone()),
                property("type", ty),
                property("default", default),
            ];
            node("key", entries, Vec::new())
        };
        let end = vec![
            node("set", text(format!("{is_over} = true")), Vec::new()),
            node("fail", Vec::new(), Vec::new()),
        ];
        let is_left = vec![
            node(
                "check",
                text(format!("{nth} < {}", items.len())),
                Vec::new(),
            ),
            node("sequence", Vec::new(), end),
        ];
        let begins = vec![
            node("selector", Vec::new(), is_left),
            node("set", text(statements.join("; ")), Vec::new()),
        ];
        let asks_again = Entry::value(Value::Bool(true), at.clone()).named("asks-again");
        let each = vec![node("sequence", Vec::new(), begins), here(at)];
        let each = node("if", vec![asks_again], each);
        let all = node("keep-running-until-failure", Vec::new(), vec![each]);
        let body = match if_empty(others) {
            "FAILURE" => all,
            "SKIPPED" => {
                let skips = Entry::word(&is_over, at.clone()).named("skip-if");
                let over = node("fail", vec![skips], Vec::new());
                node(
                    "if",
                    Vec::new(),
                    vec![all, node("succeed", Vec::new(), Vec::new()), over],
                )
            }
            _ => {
                let over = node("check", text(is_over.clone()), Vec::new());
                node("selector", Vec::new(), vec![all, over])
            }
        };
        let keys = vec![
            key(&nth, "int", Value::Int(0)),
            key(&is_over, "bool", Value::Bool(false)),
            body,
        ];
        let word = Text::made("scope", at.clone());
        syntax::Node::made(word, span_of(element), Vec::new()).block(keys)
    }
}

/// What a loop answers when no item is left.
fn if_empty<'a>(others: &[Attribute<'a, '_>]) -> &'a str {
    let mut others = others.iter();
    let given = others.find(|attribute| attribute.name() == "if_empty");
    given.map_or("SUCCESS", |given| given.value().trim())
}
