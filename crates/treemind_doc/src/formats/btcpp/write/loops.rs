//! What the reader makes of loops over items, and of a `Switch` that compares texts, as these elements again, also when
//! somebody has changed it.

use super::scripts::Script;
use super::xml::Element;
use super::{Writer, first, literal, words};
use crate::formats::btcpp::kept::Kept;
use crate::syntax::{Node, Value};

/// What is found of a loop over items.
struct Items<'n> {
    child: &'n Node,
    /// The key that gets each item, and the items; with their type.
    value: Option<String>,
    items: Vec<String>,
    name: &'static str,
    if_empty: &'static str,
}

impl<'n> Writer<'n, '_> {
    /// A loop over items; `None` if the node is none.
    pub(super) fn items(&mut self, node: &'n Node) -> Option<Element> {
        let found = self.items_of(node)?;
        let notes = self.notes.before.get(&node.span.start);
        let kept = notes.and_then(|notes| notes.iter().find_map(|note| Kept::in_note(note)));
        let kept = kept.map(|kept| kept.tag);
        // A queue of doubles may look like one of whole numbers.
        let is_loop = |name: &&str| name.starts_with("Loop") && found.name != "LoopString";
        let name = kept.as_ref().map(|tag| tag.node()).filter(is_loop);
        let mut element = Element::new(match name {
            Some("LoopDouble") if found.name != "LoopBool" => "LoopDouble",
            _ => found.name,
        });
        element.set("queue", found.items.join(";"));
        if found.if_empty != "SUCCESS" {
            element.set("if_empty", found.if_empty);
        }
        if let Some(value) = found.value {
            element.set("value", format!("{{{value}}}"));
        }
        element.children.extend(self.node(found.child));
        let mut known = Vec::new();
        self.common(node, &mut element, &mut known);
        self.notes_of(node, &[found.child], &mut element);
        self.leftovers(node, &known);
        Some(element)
    }

    fn items_of(&mut self, node: &'n Node) -> Option<Items<'n>> {
        let [nth, over, body] = node.children() else {
            return None;
        };
        let is_scope = is(node, "scope") && is(nth, "key") && is(over, "key");
        let (nth, over) = (words(nth).next()?, words(over).next()?);
        let (all, if_empty) = ended(body, over).filter(|_| is_scope)?;
        let [each] = all.children() else {
            return None;
        };
        let [begins, child] = each.children() else {
            return None;
        };
        let [is_left, set] = begins.children() else {
            return None;
        };
        let [left, end] = is_left.children() else {
            return None;
        };
        let [is_over, fails] = end.children() else {
            return None;
        };
        let is_it = is(all, "keep-running-until-failure")
            && is(each, "if")
            && is(begins, "sequence")
            && is(is_left, "selector")
            && is(end, "sequence")
            && says(is_over, "set", &format!("{over} = true"))
            && is(fails, "fail");
        let count = text(left).filter(|_| is_it && is(left, "check"))?;
        let count: usize = count.strip_prefix(nth)?.strip_prefix(" < ")?.parse().ok()?;
        let entry = first(set).filter(|_| is(set, "set"))?;
        let script = Script::statements(entry.value.text()?, &self.keys, self.sink)?;
        let (value, items) = script.items(nth)?;
        let items = match value {
            Some(_) => items,
            // Nobody sees what they are.
            None => (1..=count)
                .map(|nth| (nth.to_string(), "LoopInt"))
                .collect(),
        };
        let kinds = |name: &str| items.iter().filter(|(_, kind)| *kind == name).count();
        let name = ["LoopInt", "LoopBool", "LoopString"]
            .into_iter()
            .find(|name| kinds(name) == items.len());
        let numbers = kinds("LoopInt") + kinds("LoopDouble");
        let name = name.or((numbers == items.len()).then_some("LoopDouble"))?;
        // The queue is cut at each `;`.
        let is_whole = items.len() == count && !items.iter().any(|(item, _)| item.contains(';'));
        is_whole.then(|| Items {
            child,
            value,
            items: items.into_iter().map(|(item, _)| item).collect(),
            name,
            if_empty,
        })
    }

    /// `variable` and the cases of a switch whose value is the number of the case that holds.
    pub(super) fn numbered(&mut self, node: &Node, cases: &[&Node]) -> Option<Element> {
        let text = first(node)?.value.text()?;
        let script = Script::expression(text, &self.keys, self.sink)?;
        let (key, tests) = script.numbered()?;
        let name = format!("Switch{}", cases.len());
        let mut element = Element::new(&name).with("variable", format!("{{{key}}}"));
        for (nth, case) in cases.iter().enumerate() {
            let mut values = case.entries.iter().filter(|entry| entry.name.is_none());
            let (Some(value), None) = (values.next(), values.next()) else {
                return None;
            };
            let number = literal(&value.value);
            // A case for which nothing stands in the file never runs.
            if let Some((_, value)) = tests.iter().find(|(test, _)| *test == number) {
                element.set(&format!("case_{}", nth + 1), value.clone());
            }
        }
        Some(element)
    }
}

/// The loop, and what it answers when no item is left.
fn ended<'n>(body: &'n Node, over: &str) -> Option<(&'n Node, &'static str)> {
    match (&body.name.value[..], body.children()) {
        ("keep-running-until-failure", _) => Some((body, "FAILURE")),
        ("selector", [all, then]) if says(then, "check", over) => Some((all, "SUCCESS")),
        ("if", [all, well, then]) if is(well, "succeed") => match then.children() {
            [] => {
                let skips = then
                    .property_text("skip-if")
                    .is_some_and(|it| it.value == over);
                (is(then, "fail") && skips).then_some((all, "SKIPPED"))
            }
            [test, runs, fails] => {
                let never = runs.children().first();
                let is_it = says(test, "check", over)
                    && is(runs, "until-success")
                    && runs.entries.is_empty()
                    && never.is_some_and(|never| says(never, "check", "false"))
                    && is(fails, "fail");
                is_it.then_some((all, "RUNNING"))
            }
            _ => None,
        },
        _ => None,
    }
}

fn is(node: &Node, word: &str) -> bool {
    node.name.value == word
}

/// The value of a node.
fn text(node: &Node) -> Option<&str> {
    match &first(node)?.value {
        Value::Text(text) => Some(&text.value),
        _ => None,
    }
}

fn says(node: &Node, word: &str, value: &str) -> bool {
    let is_flag = |flag| first(node).is_some_and(|entry| entry.value == Value::Bool(flag));
    is(node, word) && (text(node) == Some(value) || value == "false" && is_flag(false))
}
