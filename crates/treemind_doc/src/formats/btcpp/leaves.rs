//! Leaves: nodes that the host provides.

use super::nodes::Nodes;
use super::{Declared, tag, words};
use crate::code::Code;
use crate::suggest;
use crate::syntax::{self, Entry, Span, Text, shortened};
use roxmltree::{Attribute, Node};

impl Nodes<'_> {
    /// A node that is not built into BehaviorTree.CPP. Returns its keyword if it has no mistake. `at` is the place of
    /// its name.
    pub(super) fn leaf(
        &mut self,
        element: Node<'_, '_>,
        (name, at, is_explicit): (&str, &Span, bool),
        others: &[Attribute<'_, '_>],
        nodes: &[Node<'_, '_>],
    ) -> Option<&'static str> {
        let word = shortened(name);
        if words::LATER.contains(&name) {
            self.not_yet(element, &format!("`{word}`"));
            return None;
        }
        if words::AROUND.contains(&name) {
            let message = format!("`<{word}>` is not allowed in a tree");
            self.sink.error(Code::MisplacedNode, tag(element), message);
            return None;
        }
        let model = self.models.get(name).copied();
        if self.trees.contains(name) || model == Some(Declared::SubTree) {
            let message = format!("expected a node, but `{word}` is a tree");
            self.sink
                .error(Code::UnknownNode, tag(element), message)
                .with_help(format!("write `<SubTree ID=\"{word}\"/>`"));
            return None;
        }
        let tag_name = element.tag_name().name();
        if model == Some(Declared::Inner) || matches!(tag_name, "Control" | "Decorator") {
            self.not_yet_inner(element, &word);
            return None;
        }
        let known = words::BUILTINS.iter().map(|builtin| builtin.name);
        let known = known.chain(words::LATER.iter().copied()).chain(["SubTree"]);
        // Suggested once for each name, and not in documents with more names than anybody writes.
        let is_new = !self.conditions.contains_key(name) && self.leaves.len() < 1_000;
        let near = match words::foreign(name) {
            Some(ours) => Some(format!("use `{ours}` instead")),
            None if is_new => {
                suggest::nearest(&word, known).map(|near| format!("did you mean `{near}`?"))
            }
            None => None,
        };
        if !nodes.is_empty() {
            if model.is_some() || is_explicit {
                let message = format!("`{word}` is a leaf and takes no children");
                self.sink.error(Code::ExtraChildren, tag(element), message);
            } else if near.is_some() {
                let message = format!("unknown control or decorator `{word}`");
                self.sink
                    .error(Code::UnknownNode, tag(element), message)
                    .help = near;
            } else {
                self.not_yet_inner(element, &word);
            }
            return None;
        }
        if let Some(near) = near.filter(|_| is_new && model.is_none() && !is_explicit) {
            let message = format!("unknown node `{word}`, read as an action of the host");
            self.sink
                .warning(Code::UnknownLeaf, tag(element), message)
                .with_help(near);
        }
        self.refuse_ports(&word, others, is_explicit);
        let is_condition = match (tag_name, model) {
            ("Condition", _) => true,
            ("Action", _) => false,
            (_, Some(model)) => model == Declared::Condition,
            _ => name == "Cond",
        };
        self.declare(element, (name, at), is_condition, model)
    }

    fn not_yet_inner(&mut self, element: Node<'_, '_>, word: &str) {
        let message = format!(
            "`{word}` is a control or decorator of the host, which this version cannot run yet"
        );
        self.sink.error(Code::NotYet, tag(element), message);
    }

    fn refuse_ports(&mut self, word: &str, others: &[Attribute<'_, '_>], is_explicit: bool) {
        for attribute in others {
            match attribute.name() {
                "ID" if is_explicit => {}
                "ID" => {
                    let message =
                        "`ID` is only allowed on elements such as `<Action>` and `<Condition>`";
                    self.sink
                        .error(Code::UnknownProperty, attribute.range(), message)
                        .with_help(format!(
                            "to give the node a name, write `<{word} name=\"…\"/>`"
                        ));
                }
                port => {
                    let message = format!(
                        "this version cannot pass the port `{}` to the leaf `{word}` yet",
                        shortened(port)
                    );
                    self.sink.error(Code::NotYet, attribute.range(), message);
                }
            }
        }
    }

    /// Declares the leaf with this name, which is a condition or an action in the whole document. Returns its keyword.
    fn declare(
        &mut self,
        element: Node<'_, '_>,
        (name, at): (&str, &Span),
        is_condition: bool,
        model: Option<Declared>,
    ) -> Option<&'static str> {
        let called = |is_condition| match is_condition {
            true => "a condition",
            false => "an action",
        };
        let known = self.conditions.get(name).copied();
        let before = known.or(model.map(|model| model == Declared::Condition));
        if let Some(before) = before.filter(|before| *before != is_condition) {
            let message = format!(
                "`{}` is {} elsewhere, but {} here",
                shortened(name),
                called(before),
                called(is_condition)
            );
            self.sink.error(Code::WrongLeafKind, tag(element), message);
            return None;
        }
        let word = if is_condition { "condition" } else { "action" };
        if known.is_none() {
            self.conditions.insert(name.to_owned(), is_condition);
            let entry = Entry::word(name, at.clone());
            let leaf = syntax::Node::made(Text::made(word, at.clone()), tag(element), vec![entry]);
            self.leaves.push(leaf);
        }
        Some(word)
    }
}
