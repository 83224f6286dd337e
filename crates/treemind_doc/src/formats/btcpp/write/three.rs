//! What nodes of version 3 have become, with nodes of version 4, and elements that come back as they were.

use super::scripts::Script;
use super::xml::Element;
use super::{Writer, first, words};
use crate::formats::btcpp::kept::Kept;
use crate::formats::btcpp::spelling::{Tag, plainer};
use crate::syntax::{Node, Value};

impl<'n> Writer<'n, '_> {
    /// A test whether a key has a value, and whether it is this one, which no script can ask: a switch can.
    pub(super) fn same_value(&mut self, node: &Node) -> Option<Element> {
        let text = first(node)?.value.text()?;
        let script = Script::expression(text, &self.keys, self.sink)?;
        let (key, value) = script.same_value()?;
        let mut element = Element::new("Switch2").with("variable", format!("{{{key}}}"));
        for case in ["case_1", "case_2"] {
            element.set(case, value.clone());
        }
        let answers = ["AlwaysSuccess", "AlwaysSuccess", "AlwaysFailure"];
        element.children = answers.map(Element::new).into();
        Some(element)
    }

    /// Notes the leaf of a tag that calls a tree, which was missing: no model declares it.
    pub(super) fn note_call(&mut self, tag: &Tag) {
        if let Some(id) = tag.value("ID").filter(|_| tag.name == "SubTree") {
            self.called.extend([id.to_owned(), plainer(id)]);
        }
    }

    /// The comments at the nodes that an element has become, down to those that its children have.
    pub(super) fn notes_of(&mut self, node: &Node, children: &[&Node], element: &mut Element) {
        if children.iter().any(|child| std::ptr::eq(*child, node)) {
            return;
        }
        let before = self.notes.take_before(node).into_iter();
        for note in before.filter(|note| Kept::in_note(note).is_none()) {
            match crate::formats::btcpp::notes::in_leaf(&note) {
                Some(said) => element.after.push(said.to_owned()),
                None => element.before.push(note),
            }
        }
        for inner in node.children() {
            self.notes_of(inner, children, element);
        }
        element.after.extend(self.notes.take_inside(node));
    }

    /// Notes the leaves that stand in a node.
    pub(super) fn use_leaves(&mut self, node: &'n Node) {
        if matches!(&node.name.value[..], "condition" | "action" | "node") {
            self.used.extend(words(node).next());
        }
        for child in node.children() {
            self.use_leaves(child);
        }
    }
}

/// Whether a node only answers running.
pub(super) fn is_waiting(node: &Node) -> bool {
    let never = |one: &Node| {
        one.name.value == "check"
            && matches!(&one.entries[..], [entry] if match &entry.value {
                Value::Bool(is) => !is,
                value => value.text().is_some_and(|text| text.value == "false"),
            })
    };
    node.name.value == "until-success"
        && node.entries.is_empty()
        && matches!(node.children(), [child] if never(child))
}
