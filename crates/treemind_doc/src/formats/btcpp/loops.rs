//! `LoopInt` and its kin with the items in the file. With a queue on the blackboard they are nodes of the host.

use super::blackboard::written;
use super::dialect::{self, Version};
use super::nodes::{Nodes, here, span_of};
use super::ports::{given, whole_part};
use crate::code::Code;
use crate::said;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use roxmltree::{Attribute, Node};

/// How many items a loop may have to be read here.
const MOST_ITEMS: usize = 512;

/// How many items are looked for one by one.
const FEW_ITEMS: usize = 32;

/// How many letters a number in a queue may have.
const MOST_DIGITS: usize = 64;

/// What a loop answers when no item is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IfEmpty<'a> {
    Status(&'a str),
    /// What the key says.
    Key(&'a str),
}

impl Nodes<'_> {
    /// The items of a loop as expressions have them, and what it answers behind the last one; `None` if the node is no
    /// loop, or is left to the host. What BehaviorTree.CPP refuses is reported.
    pub(super) fn literal_queue<'a>(
        &mut self,
        name: &str,
        others: &[Attribute<'a, '_>],
    ) -> Option<(Vec<String>, IfEmpty<'a>)> {
        if !matches!(name, "LoopInt" | "LoopBool" | "LoopDouble" | "LoopString") {
            return None;
        }
        let port = |name: &str| given(others, name);
        let if_empty = self.if_empty(port("if_empty"));
        let queue = port("queue")?;
        if dialect::pointer_of(*queue, self.version).is_some() {
            return None;
        }
        let written = queue.value();
        // A `;` at the end is not followed by one more item.
        let written = written.strip_suffix(';').unwrap_or(written);
        let texts = || {
            let texts = written.split(';');
            texts.filter(|_| !queue.value().is_empty())
        };
        let is_long = texts().nth(MOST_ITEMS).is_some();
        let mut items = Vec::new();
        // Any text is an item of a `LoopString`, so those of a long one need no look.
        for text in texts().filter(|_| !is_long || name != "LoopString") {
            items.push(self.item(name, text, queue)?);
        }
        if is_long {
            return None;
        }
        Some((items, if_empty?))
    }

    /// What a loop answers when no item is left. A text that is no answer is reported.
    fn if_empty<'a>(&mut self, given: Option<&Attribute<'a, '_>>) -> Option<IfEmpty<'a>> {
        let Some(attribute) = given else {
            return Some(IfEmpty::Status("SUCCESS"));
        };
        if let Some(key) = dialect::pointer_of(*attribute, self.version) {
            return Some(IfEmpty::Key(key));
        }
        let given = attribute.value().trim();
        if !matches!(given, "SUCCESS" | "FAILURE" | "SKIPPED" | "RUNNING") {
            let given = shortened(given);
            let message = said!(
                "expected `SUCCESS`, `FAILURE`, `SKIPPED` or `RUNNING` for `if_empty`, found `{}`",
                given
            );
            self.sink
                .error(Code::BadChoice, attribute.range_value(), message);
            return None;
        }
        Some(IfEmpty::Status(given))
    }

    /// An item as an expression has it. What is none of the type of the loop is reported.
    fn item(&mut self, name: &str, text: &str, queue: &Attribute<'_, '_>) -> Option<String> {
        let at = queue.range_value();
        let item = match name {
            // No expression can write such a text.
            "LoopString" if text.contains('\'') => {
                return Some(self.held(("text_item", text), "any", at));
            }
            "LoopString" => return Some(format!("'{text}'")),
            "LoopBool" => match dialect::flag(text) {
                Some(flag) => return Some(flag.to_string()),
                None => None,
            },
            "LoopInt" => Some(whole_part(text)).filter(|digits| digits.parse::<i32>().is_ok()),
            // Up to version 4.8, blanks before a number were ignored, too.
            _ => Some(number_part(text.trim_start())).filter(|digits| !digits.is_empty()),
        };
        if let Some(item) = item.and_then(|item| Some((item, written(item)?))) {
            let (digits, item) = item;
            // What stands behind a number is ignored.
            if digits != text.trim_end() {
                let message = said!(
                    "`{}` is read as `{}`, as BehaviorTree.CPP reads it",
                    shortened(text),
                    digits
                );
                self.sink
                    .warning(Code::BadNumber, at, message)
                    .with_help(said!("write a number only"));
            }
            return Some(item);
        }
        let item = shortened(text);
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
        None
    }

    /// `<LoopInt queue="1;2;3" if_empty="SUCCESS" value="{key}">`: one item per tick, until the child fails; one more
    /// tick for the answer when no item is left.
    pub(super) fn over_items(
        &mut self,
        element: Node<'_, '_>,
        at: &Span,
        others: &[Attribute<'_, '_>],
        (items, if_empty): (&[String], IfEmpty<'_>),
    ) -> syntax::Node {
        let names = &mut self.facts.names;
        let (nth, is_over) = (names.fresh("nth_item"), names.fresh("is_over"));
        let port = |name: &str| given(others, name);
        let value = port("value").and_then(|value| dialect::pointer_of(*value, self.version));
        let mut statements = Vec::new();
        if let Some(raw) = value.filter(|_| !items.is_empty()) {
            let tree = self.tree.clone();
            let key = self.facts.key_in(&tree, raw);
            statements.push(format!("{key} = {}", nth_item(&nth, 0, items)));
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
        let runs = |entries: Vec<Entry>| {
            let never = node("check", text("false".to_owned()), Vec::new());
            node("until-success", entries, vec![never])
        };
        // What is ticked when no item is left; a child that failed is a failure.
        let at_the_end = |over: syntax::Node| {
            let is_over = node("check", text(is_over.clone()), Vec::new());
            let over = vec![is_over, over, node("fail", Vec::new(), Vec::new())];
            let over = node("if", Vec::new(), over);
            let both = vec![all.clone(), node("succeed", Vec::new(), Vec::new()), over];
            node("if", Vec::new(), both)
        };
        let body = match if_empty {
            IfEmpty::Status("FAILURE") => all,
            IfEmpty::Status("SKIPPED") => {
                let skips = Entry::word(&is_over, at.clone()).named("skip-if");
                let over = node("fail", vec![skips], Vec::new());
                node(
                    "if",
                    Vec::new(),
                    vec![all, node("succeed", Vec::new(), Vec::new()), over],
                )
            }
            IfEmpty::Status("RUNNING") => at_the_end(runs(Vec::new())),
            IfEmpty::Key(raw) => at_the_end(runs(self.answer_by_key(raw, None, at))),
            IfEmpty::Status(_) => {
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

/// Whether a port is that to which a `LoopInt` with its items in the file gives them.
pub(super) fn gives_whole(
    element: Node<'_, '_>,
    (node, port): (&str, &str),
    version: Version,
) -> bool {
    let queue = element.attribute("queue").unwrap_or_default();
    (node, port) == ("LoopInt", "value")
        && dialect::pointer(queue, "queue", version).is_none()
        && queue.split(';').nth(MOST_ITEMS).is_none()
}

/// An expression for the item with the number that a key has; `first` is that of the first one. Long lists are halved,
/// so that no expression is nested deeply.
fn nth_item(nth: &str, first: usize, items: &[String]) -> String {
    let (item, rest) = match items {
        [] => return "0".to_owned(),
        [item] => return item.clone(),
        [item, rest @ ..] => (item, rest),
    };
    if items.len() <= FEW_ITEMS {
        let rest = nth_item(nth, first + 1, rest);
        return format!("if {nth} == {first} {{ {item} }} else {{ {rest} }}");
    }
    let (one, other) = items.split_at(items.len() / 2);
    let middle = first + one.len();
    let (one, other) = (nth_item(nth, first, one), nth_item(nth, middle, other));
    format!("if {nth} < {middle} {{ {one} }} else {{ {other} }}")
}

/// The number that a text begins with, which may have a fraction and an exponent.
pub(super) fn number_part(text: &str) -> &str {
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let mut ends: Vec<usize> = ends.take(MOST_DIGITS).collect();
    ends.reverse();
    let parts = ends.into_iter().map(|end| &text[..end]);
    let mut numbers = parts.filter(|part| dialect::double(part).is_some());
    numbers.next().unwrap_or_default()
}
