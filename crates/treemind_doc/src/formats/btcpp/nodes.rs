//! From elements to nodes of the language, with spans into the XML.

use super::words::{self, Builtin};
use super::{Declared, tag, value_of};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::xml;
use crate::language::{self, Children};
use crate::suggest;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use roxmltree::{Attribute, Node};
use std::collections::{HashMap, HashSet};
use treemind_core::behaviour::MAX_DEPTH;

/// The state while a document is read.
pub(super) struct Nodes<'s> {
    pub(super) sink: &'s mut Sink,
    pub(super) models: HashMap<String, Declared>,
    /// The names of all trees.
    pub(super) trees: HashSet<String>,
    /// The declarations of all leaves so far, and whether each is a condition.
    pub(super) leaves: Vec<syntax::Node>,
    pub(super) conditions: HashMap<String, bool>,
    is_too_deep: bool,
}

impl<'s> Nodes<'s> {
    pub(super) fn new(sink: &'s mut Sink) -> Self {
        Self {
            sink,
            models: HashMap::new(),
            trees: HashSet::new(),
            leaves: Vec::new(),
            conditions: HashMap::new(),
            is_too_deep: false,
        }
    }

    pub(super) fn not_yet(&mut self, element: Node<'_, '_>, what: &str) {
        let message = format!("BehaviorTree.CPP has {what}, but this version cannot run it yet");
        self.sink.error(Code::NotYet, tag(element), message);
    }

    /// The elements in an element. Text among them is reported.
    pub(super) fn elements<'a, 'd>(&mut self, parent: Node<'a, 'd>) -> Vec<Node<'a, 'd>> {
        let mut elements = Vec::new();
        for child in parent.children() {
            if child.is_element() {
                elements.push(child);
            } else if child.is_text() {
                let Some(span) = xml::visible_part(self.sink, child.range()) else {
                    continue;
                };
                let message = "unexpected text between elements";
                self.sink
                    .error(Code::Xml, span, message)
                    .with_help("write a comment as `<!-- … -->`");
            }
        }
        elements
    }

    /// `<TreeNodesModel>`
    pub(super) fn model(&mut self, model: Node<'_, '_>) {
        for element in model.children().filter(Node::is_element) {
            let word = element.tag_name().name();
            let declared = match word {
                "Condition" => Declared::Condition,
                "Action" => Declared::Action,
                "Control" | "Decorator" => Declared::Inner,
                "SubTree" => Declared::SubTree,
                _ => {
                    let word = shortened(word);
                    let known = words::EXPLICIT.iter().copied().chain(["SubTree"]);
                    let help = suggest::did_you_mean(&word, known.clone(), || {
                        Some(format!("allowed here: {}", suggest::listed(known)))
                    });
                    let message = format!("`<{word}>` is not allowed in a model");
                    self.sink
                        .error(Code::UnknownNode, tag(element), message)
                        .help = help;
                    continue;
                }
            };
            let Some(id) = self.id(element) else {
                continue;
            };
            let known = *self.models.entry(id.value().to_owned()).or_insert(declared);
            if known != declared {
                let message = format!(
                    "`{}` was declared as another kind of node above",
                    shortened(id.value())
                );
                self.sink.error(Code::WrongLeafKind, tag(element), message);
            }
        }
    }

    /// The attribute `ID`, which must be there.
    fn id<'a, 'd>(&mut self, element: Node<'a, 'd>) -> Option<Attribute<'a, 'd>> {
        let word = shortened(element.tag_name().name());
        match element.attribute_node("ID") {
            Some(id) if id.value().trim().is_empty() => {
                let message = "this name is empty";
                self.sink.error(Code::BadName, id.range(), message);
                None
            }
            Some(id) => Some(id),
            None => {
                let message = format!("`<{word}>` has no `ID`");
                self.sink
                    .error(Code::MissingValue, tag(element), message)
                    .with_help(format!("write `<{word} ID=\"…\">`"));
                None
            }
        }
    }

    /// Collects the names of trees before the trees are read, as they may come in any order. A single tree needs no
    /// name.
    pub(super) fn name_trees(&mut self, elements: &[Node<'_, '_>]) -> Vec<Entry> {
        let names = elements.iter().map(|element| {
            if elements.len() == 1 && element.attribute("ID").is_none() {
                return Entry::word("BehaviorTree", tag(*element));
            }
            self.id(*element).map_or(bad(tag(*element)), value_of)
        });
        let names: Vec<Entry> = names.collect();
        let known = names.iter().filter_map(|name| name.value.text());
        self.trees.extend(known.map(|name| name.value.clone()));
        names
    }

    /// `<BehaviorTree ID="…">`
    pub(super) fn tree(&mut self, element: Node<'_, '_>, name: Entry) -> syntax::Node {
        let mut others = Vec::new();
        let mut entries = self.common(element, &mut others);
        // The tree shows up under the name of its root, so only `doc` stays.
        entries.retain(|entry| entry.name.as_ref().is_some_and(|name| name.value == "doc"));
        entries.insert(0, name);
        for attribute in others {
            if attribute.name() != "ID" {
                let word = shortened(attribute.name());
                let message = format!("`<BehaviorTree>` has no attribute `{word}`");
                let help = suggest::nearest(&word, ["ID"]);
                self.sink
                    .error(Code::UnknownProperty, attribute.range_qname(), message)
                    .help = help.map(|_| "did you mean `ID`?".to_owned());
            }
        }
        let elements = self.elements(element);
        let nodes: Vec<_> = elements.iter().map(|node| self.node(*node, 1)).collect();
        if let Some(second) = elements.get(1) {
            let message = "a tree has only one root, and this is a second one";
            self.sink
                .error(Code::ExtraChildren, tag(*second), message)
                .with_help("wrap both in a control node, such as `<Sequence>`");
        }
        let root = nodes.into_iter().next().unwrap_or_else(|| {
            let message = "this tree has no node";
            self.sink
                .error(Code::MissingChildren, tag(element), message)
                .with_help("put the first node of the tree into it");
            broken(element, Vec::new())
        });
        let word = Text::made("tree", name_of(element));
        syntax::Node::made(word, span_of(element), entries).block(vec![root])
    }

    /// A node with everything below it; the root has depth 1.
    fn node(&mut self, element: Node<'_, '_>, depth: usize) -> syntax::Node {
        if self.sink.is_full() {
            return broken(element, Vec::new());
        }
        if depth > MAX_DEPTH {
            if !self.is_too_deep {
                self.is_too_deep = true;
                let message = format!("nodes are nested deeper than {MAX_DEPTH}");
                self.sink.error(Code::TooDeep, tag(element), message);
            }
            return broken(element, Vec::new());
        }
        let word = element.tag_name().name();
        if word == "SubTree" {
            let read = self.subtree(element);
            return read.unwrap_or_else(|| broken(element, Vec::new()));
        }
        let elements = self.elements(element);
        let children = elements.iter().map(|child| self.node(*child, depth + 1));
        let mut children: Vec<syntax::Node> = children.collect();
        let Some(node) = self.line(element, word, &elements) else {
            return broken(element, children);
        };
        // A timeout of zero is no limit here. Such a node does nothing, so it is left out.
        let is_zero = |entry: &Entry| matches!(entry.value, Value::Decimal(secs, _) if secs == 0.0);
        if node.name.value == "timeout"
            && node.entries.iter().any(is_zero)
            && let Some(child) = children.pop()
        {
            return child;
        }
        match children.is_empty() {
            true => node,
            false => node.block(children),
        }
    }

    /// A node that is not a `SubTree`, without its children. `None` if it has a mistake that cannot be left to one of
    /// its entries.
    fn line(
        &mut self,
        element: Node<'_, '_>,
        word: &str,
        nodes: &[Node<'_, '_>],
    ) -> Option<syntax::Node> {
        let is_explicit = words::EXPLICIT.contains(&word);
        let mut others = Vec::new();
        let common = self.common(element, &mut others);
        let id = match is_explicit {
            true => Some(self.id(element)?),
            false => None,
        };
        let name = id.map_or(word, |id| id.value());
        let at = id.map_or(name_of(element), |id| id.range_value());
        let (word, mut entries) = match words::of(name) {
            Some(builtin) => {
                self.known_ports(builtin, &others, is_explicit);
                let well = self.count_children(element, builtin, nodes);
                let entries = self.ports(element, builtin, &others, nodes.len());
                (well.then_some(builtin.word)?, entries)
            }
            None => {
                let word = self.leaf(element, (name, &at, is_explicit), &others, nodes)?;
                (word, vec![Entry::word(name, at.clone())])
            }
        };
        entries.extend(common);
        let word = Text::made(word, at);
        Some(syntax::Node::made(word, span_of(element), entries))
    }

    fn count_children(
        &mut self,
        element: Node<'_, '_>,
        builtin: &Builtin,
        nodes: &[Node<'_, '_>],
    ) -> bool {
        let name = builtin.name;
        let children = language::node_word(builtin.word).map(|word| word.children());
        let (least, most) = match children {
            Some(Children::None) => (0, Some((0, "no child"))),
            Some(Children::One) => (1, Some((1, "one child"))),
            Some(Children::TwoOrThree) => (2, Some((3, "at most three children"))),
            Some(Children::TwoOrMore) => (2, None),
            _ => (1, None),
        };
        if nodes.len() < least {
            let needs = match children {
                Some(Children::One) => "a child",
                _ if least == 1 => "at least one child",
                _ => "at least two children",
            };
            let message = format!("`{name}` needs {needs}");
            self.sink
                .error(Code::MissingChildren, tag(element), message);
            return false;
        }
        if let Some((most, words)) = most
            && let Some(extra) = nodes.get(most)
        {
            let message = format!("`{name}` takes {words}, and this is one too many");
            let diagnostic = self.sink.error(Code::ExtraChildren, tag(*extra), message);
            if most == 1 {
                diagnostic.with_help("wrap the children in a control node, such as `<Sequence>`");
            }
            return false;
        }
        true
    }

    /// `<SubTree ID="…"/>`
    fn subtree(&mut self, element: Node<'_, '_>) -> Option<syntax::Node> {
        let mut others = Vec::new();
        self.common(element, &mut others);
        for attribute in others {
            let name = attribute.name();
            let is_off = matches!(attribute.value().trim(), "false" | "0");
            if name == "ID" || (name == "_autoremap" && is_off) {
                continue;
            }
            let message = if name == "_autoremap" {
                "this version cannot share the blackboard with a subtree yet (`_autoremap`)"
                    .to_owned()
            } else {
                format!(
                    "this version cannot pass ports to a subtree yet (`{}`)",
                    shortened(name)
                )
            };
            self.sink.error(Code::NotYet, attribute.range(), message);
        }
        if let Some(child) = self.elements(element).first() {
            let message = "`SubTree` takes no children";
            self.sink
                .error(Code::ExtraChildren, tag(*child), message)
                .with_help("put the nodes of a subtree into its `<BehaviorTree>`");
        }
        let name = self.id(element)?;
        // The calling node does not show: the root of the tree looks the same as when the tree runs by itself.
        let keeps_name = Entry::value(Value::Bool(true), tag(element)).named("keeps-name");
        let entries = vec![value_of(name), keeps_name];
        let word = Text::made("subtree", name_of(element));
        Some(syntax::Node::made(word, span_of(element), entries))
    }
}

/// Stands in for a node with a mistake, so that the nodes around it and in it are checked all the same.
fn broken(element: Node<'_, '_>, children: Vec<syntax::Node>) -> syntax::Node {
    let at = tag(element);
    let made =
        |word, entry| syntax::Node::made(Text::made(word, at.clone()), at.clone(), vec![entry]);
    match children.is_empty() {
        true => made("action", bad(at.clone())),
        false => made("parallel", bad(at.clone()).named("success")).block(children),
    }
}

fn bad(at: Span) -> Entry {
    Entry::value(Value::Bad, at)
}

/// The name of an element, without the `<` before it.
fn name_of(element: Node<'_, '_>) -> Span {
    let tag = tag(element);
    tag.start + 1..tag.end
}

/// An element from its name to its last attribute.
fn span_of(element: Node<'_, '_>) -> Span {
    let tag = tag(element);
    let last = element.attributes().map(|one| one.range().end).max();
    tag.start..last.unwrap_or(tag.end)
}
