//! From elements to nodes of the language, with spans into the XML.

use super::dialect::{self, Version};
use super::facts::Facts;
use super::model::Models;
use super::own;
use super::scripts::Assigning;
use super::words::{self, Builtin};
use super::{tag, value_of};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::xml;
use crate::language::{self, Children};
use crate::said;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use roxmltree::{Attribute, Node};
use std::collections::HashMap;
use treemind_core::behaviour::MAX_DEPTH;

/// The state while a document is read.
pub(super) struct Nodes<'s> {
    pub(super) sink: &'s mut Sink,
    pub(super) version: Version,
    /// Whether the file may have been written for version 3, whatever it is read as.
    pub(super) may_be_three: bool,
    /// Whether the file uses something that only py_trees has.
    pub(super) is_of_py_trees: bool,
    pub(super) models: Models,
    pub(super) facts: Facts,
    /// The declarations of all leaves so far, and what each is.
    pub(super) leaves: Vec<syntax::Node>,
    pub(super) kinds: HashMap<String, &'static str>,
    /// The name of the tree that is being read.
    pub(super) tree: String,
    /// Keys of this tree that hold what it gives to subtrees.
    pub(super) given: Vec<syntax::Node>,
    /// What the conditions of elements assign, with the property that the condition is.
    pub(super) assigning: Vec<Assigning>,
    /// How many keys could be unset so far by a node that a key tells which one.
    pub(super) unset_by_key: usize,
    /// Whether a node of the files asks if an entry was updated.
    pub(super) looks_for_updates: bool,
    is_too_deep: bool,
}

impl<'s> Nodes<'s> {
    pub(super) fn new(sink: &'s mut Sink, models: Models, facts: Facts) -> Self {
        Self {
            sink,
            version: Version::Four,
            may_be_three: false,
            is_of_py_trees: false,
            models,
            facts,
            leaves: Vec::new(),
            kinds: HashMap::new(),
            tree: String::new(),
            given: Vec::new(),
            assigning: Vec::new(),
            unset_by_key: 0,
            looks_for_updates: false,
            is_too_deep: false,
        }
    }

    /// The elements in an element. Text among them is reported.
    pub(super) fn elements<'a, 'd>(&mut self, parent: Node<'a, 'd>) -> Vec<Node<'a, 'd>> {
        let mut elements = Vec::new();
        for child in parent.children() {
            if child.is_element() {
                elements.push(child);
            } else if child.is_text() {
                let Some(span) = xml::visible_part(child.document().input_text(), child.range())
                else {
                    continue;
                };
                let message = said!("text between elements is ignored");
                self.sink
                    .warning(Code::Xml, span, message)
                    .with_help(said!("write a comment as `<!-- … -->`"));
            }
        }
        elements
    }

    /// The attribute `ID`, which must be there.
    pub(super) fn id<'a, 'd>(&mut self, element: Node<'a, 'd>) -> Option<Attribute<'a, 'd>> {
        let word = shortened(element.tag_name().name());
        match element.attribute_node("ID") {
            Some(id) if id.value().trim().is_empty() => {
                let message = said!("this name is empty");
                self.sink.error(Code::BadName, id.range(), message);
                None
            }
            Some(id) => Some(id),
            None => {
                let message = said!("`<{}>` has no `ID`", word);
                self.sink
                    .error(Code::MissingValue, tag(element), message)
                    .with_help(said!("write `<{} ID=\"…\">`", word));
                None
            }
        }
    }

    /// The name of a tree. A single tree needs none; of several, version 3 numbers those that have none.
    fn name_of_tree(&mut self, element: Node<'_, '_>, name: &str, is_single: bool) -> Entry {
        let is_refused = self.version == Version::Four && dialect::says_version(element);
        if element.has_attribute("ID") || is_refused && !is_single {
            return self.id(element).map_or(bad(tag(element)), value_of);
        }
        if !is_single {
            let message = said!("this tree has no `ID`, so its name is `{}`", name);
            self.sink
                .warning(Code::MissingValue, tag(element), message)
                .with_help(said!(
                    "version 4 refuses it: write `<BehaviorTree ID=\"…\">`"
                ));
        }
        Entry::word(name, tag(element))
    }

    /// `<BehaviorTree ID="…">`
    pub(super) fn tree(
        &mut self,
        element: Node<'_, '_>,
        name: &str,
        is_single: bool,
    ) -> syntax::Node {
        let name = self.name_of_tree(element, name, is_single);
        self.tree = name.value.text().map_or("", |text| &text.value).to_owned();
        let mut others = Vec::new();
        let mut entries = self.common(element, &mut others);
        // The tree shows up under the name of its root, so only `doc` stays.
        entries.retain(|entry| entry.name.as_ref().is_some_and(|name| name.value == "doc"));
        entries.insert(0, name);
        for attribute in others {
            match attribute.name() {
                "ID" => {}
                _ if dialect::says_version(element) => {
                    self.unknown_attribute("BehaviorTree", attribute, &["ID"]);
                }
                name => {
                    let word = shortened(name);
                    let message = said!("`{}` of a `BehaviorTree` is ignored", word);
                    self.sink
                        .warning(Code::UnknownProperty, attribute.range_qname(), message)
                        .with_help(said!(
                            "for py_trees, it is a default of the port: give it at each `SubTree`"
                        ));
                }
            }
        }
        let elements = self.elements(element);
        let nodes: Vec<_> = elements.iter().map(|node| self.node(*node, 1)).collect();
        if let Some(second) = elements.get(1) {
            let message = said!("a tree has only one root, and this is a second one");
            self.sink
                .error(Code::ExtraChildren, tag(*second), message)
                .with_help(said!("wrap both in a control node, such as `<Sequence>`"));
        }
        let root = nodes.into_iter().next().unwrap_or_else(|| {
            let message = said!("this tree has no node");
            self.sink
                .error(Code::MissingChildren, tag(element), message)
                .with_help(said!("put the first node of the tree into it"));
            broken(element, Vec::new())
        });
        let word = Text::made("tree", name_of(element));
        let mut block = self.declared_keys(element);
        block.append(&mut self.given);
        block.push(root);
        syntax::Node::made(word, span_of(element), entries).block(block)
    }

    /// The keys and ports of a tree. A name on the blackboard holds any value, or none.
    fn declared_keys(&mut self, element: Node<'_, '_>) -> Vec<syntax::Node> {
        let tree = self.tree.clone();
        let at = tag(element);
        let keys = self.facts.keys_of(&tree);
        keys.iter()
            .map(|(raw, name)| {
                let is_port = self.facts.trees[&tree].ports.contains(raw);
                let word = if is_port { "inout" } else { "key" };
                let ty = self.facts.type_of(&tree, raw);
                declared_key(word, (name, ty), None, &at)
            })
            .collect()
    }

    /// A node with everything below it; the root has depth 1.
    fn node(&mut self, element: Node<'_, '_>, depth: usize) -> syntax::Node {
        let node = self.one_node(element, depth);
        self.after_assignments(element, node)
    }

    fn one_node(&mut self, element: Node<'_, '_>, depth: usize) -> syntax::Node {
        if self.sink.is_full() {
            return broken(element, Vec::new());
        }
        if depth > MAX_DEPTH {
            if !self.is_too_deep {
                self.is_too_deep = true;
                let message = said!("nodes are nested deeper than {}", MAX_DEPTH);
                self.sink.error(Code::TooDeep, tag(element), message);
            }
            return broken(element, Vec::new());
        }
        let word = element.tag_name().name();
        if self.facts.calls(element) {
            let read = self.subtree(element);
            return read.unwrap_or_else(|| broken(element, Vec::new()));
        }
        let elements = self.elements(element);
        let children = elements.iter().map(|child| self.node(*child, depth + 1));
        let mut children: Vec<syntax::Node> = children.collect();
        let Some(node) = self.line(element, word, &elements) else {
            return broken(element, children);
        };
        if self.is_inverted(element) {
            Self::inverted(element, &mut children);
        }
        let mut node = node;
        without_limit(&mut node);
        if node.name.value == "switch" {
            return cases(node, children);
        }
        if children.is_empty() {
            return node;
        }
        if fill(&mut node, &mut children) {
            return node;
        }
        // Parameters come before the children.
        let mut block = node.children.take().unwrap_or_default();
        block.append(&mut children);
        node.block(block)
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
        let named = element.attribute("ID").filter(|_| word == "Decorator");
        if let Some(node) = self.decorator_of_py_trees(element, named.unwrap_or(word)) {
            return Some(node);
        }
        let mut others = Vec::new();
        let common = self.common(element, &mut others);
        let id = match is_explicit {
            true => Some(self.id(element)?),
            false => None,
        };
        let name = id.map_or(word, |id| id.value());
        let at = id.map_or(name_of(element), |id| id.range_value());
        let name = match words::current(name) {
            Some(now) => {
                self.old_name(element, name, now);
                now
            }
            None => name,
        };
        let (name, more) = self.of_py_trees(element, name, &mut others);
        let of_host = own::of_host(element, name, self.version, &self.models);
        if of_host.is_none() && own::is_new(name) {
            self.new_in_four(element, name, tag(element));
        }
        if of_host.is_none() && words::ON_BLACKBOARD.contains(&name) {
            return self.on_blackboard(element, (name, &at), &others, common);
        }
        if of_host.is_none()
            && let Some((items, if_empty)) = self.literal_queue(name, &others)
        {
            let mut read = self.over_items(element, &at, &others, (&items, if_empty));
            read.entries = common;
            return Some(read);
        }
        let builtin = match of_host {
            Some(_) => None,
            None => words::of(name),
        };
        let by_key = others.iter().find(|one| {
            name == "TryCatch"
                && one.name() == "catch_on_halt"
                && dialect::pointer_of(**one, self.version).is_some()
        });
        if let (Some(port), Some(builtin)) = (by_key, builtin) {
            self.known_ports(builtin, &others, is_explicit);
            let well = self.count_children(element, builtin, nodes);
            return well
                .then(|| self.try_catch_by_key(element, &at, (*port, common)))
                .flatten();
        }
        let (word, mut entries) = match builtin {
            Some(builtin) => {
                self.known_ports(builtin, &others, is_explicit);
                let well = self.count_children(element, builtin, nodes);
                let entries = match more.is_empty() {
                    true => self.ports(element, builtin, &others, nodes.len()),
                    false => more,
                };
                (well.then_some(builtin.word)?, entries)
            }
            None => {
                let word = self.leaf(element, (name, &at, is_explicit), nodes)?;
                let mut entries = vec![Entry::word(name, at.clone())];
                entries.extend(common);
                let (given, below) = self.arguments(name, &others, is_explicit);
                entries.extend(given);
                entries.extend(self.looked_at(element, name, &at));
                let node = syntax::Node::made(Text::made(word, at), span_of(element), entries);
                return Some(match below.is_empty() {
                    true => node,
                    false => node.block(below),
                });
            }
        };
        // `on-abort` of a `try-catch` may say one thing only, so a node around it holds the hook.
        let is_abort = |entry: &Entry| {
            entry
                .name
                .as_ref()
                .is_some_and(|name| name.value == "on-abort")
        };
        if entries.iter().any(is_abort) && common.iter().any(is_abort) {
            let inner = syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries);
            let inner = inner.block(vec![here(&at)]);
            let word = Text::made("sequence", at);
            return Some(syntax::Node::made(word, span_of(element), common).block(vec![inner]));
        }
        if self.is_inverted(element) {
            let inner = syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries);
            let inner = inner.block(vec![here(&at)]);
            let word = Text::made("invert", at);
            return Some(syntax::Node::made(word, span_of(element), common).block(vec![inner]));
        }
        if word == "parallel-all" && entries.iter().any(|one| matches!(one.value, Value::Int(0))) {
            // It always fails.
            let inner = syntax::Node::made(Text::made(word, at.clone()), at.clone(), Vec::new());
            let inner = inner.block(vec![here(&at)]);
            let word = Text::made("force-failure", at);
            return Some(syntax::Node::made(word, span_of(element), common).block(vec![inner]));
        }
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
        // As the file has it: an old name, or one of py_trees.
        let name = element.tag_name().name();
        let id = element
            .attribute("ID")
            .filter(|_| words::EXPLICIT.contains(&name));
        let name = shortened(id.unwrap_or(name));
        let children = language::node_word(builtin.word).map(|word| word.children());
        let (least, most) = match children {
            Some(Children::None) => (0, Some(0)),
            Some(Children::One) => (1, Some(1)),
            Some(Children::TwoOrThree) => (2, Some(3)),
            Some(Children::TwoOrMore) => (2, None),
            _ => (1, None),
        };
        if nodes.len() < least {
            let message = match children {
                Some(Children::One) => said!("`{}` needs a child", name),
                _ if least == 1 => said!("`{}` needs at least one child", name),
                _ => said!("`{}` needs at least two children", name),
            };
            self.sink
                .error(Code::MissingChildren, tag(element), message);
            return false;
        }
        if let Some(most) = most
            && let Some(extra) = nodes.get(most)
        {
            let message = match most {
                0 => said!("`{}` takes no child, and this is one too many", name),
                1 => said!("`{}` takes one child, and this is one too many", name),
                _ => said!(
                    "`{}` takes at most three children, and this is one too many",
                    name
                ),
            };
            let diagnostic = self.sink.error(Code::ExtraChildren, tag(*extra), message);
            if most == 1 {
                diagnostic.with_help(said!(
                    "wrap the children in a control node, such as `<Sequence>`"
                ));
            }
            return false;
        }
        true
    }
}

/// A timeout of zero is no limit there. Such a node only passes on what its child does, as a delay of zero does.
fn without_limit(node: &mut syntax::Node) {
    let is_zero = |entry: &Entry| {
        entry.name.is_none() && matches!(entry.value, Value::Decimal(secs, _) if secs == 0.0)
    };
    if node.name.value == "timeout" && node.entries.iter().any(is_zero) {
        node.name.value = "delay".to_owned();
        let is_kept = |name: &Text| name.value != "across-skips";
        node.entries
            .retain(|entry| entry.name.as_ref().is_none_or(is_kept));
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

/// Stands for the place of the children in a node that becomes several ones.
pub(super) fn here(at: &Span) -> syntax::Node {
    syntax::Node::made(Text::made(HERE, at.clone()), at.clone(), Vec::new())
}

/// Stands for the place of the last child, where the others are in another place.
pub(super) fn last(at: &Span) -> syntax::Node {
    syntax::Node::made(Text::made(LAST, at.clone()), at.clone(), Vec::new())
}

/// No element has such names.
const HERE: &str = "<here>";
const LAST: &str = "<last>";

/// Puts children into the places that stand for them, if there are some.
fn fill(node: &mut syntax::Node, children: &mut Vec<syntax::Node>) -> bool {
    if let Some(place) = place_of(LAST, node) {
        *place = match children.pop() {
            Some(child) => child,
            None => return false,
        };
    }
    fill_here(node, children)
}

/// The node that stands for a place.
fn place_of<'n>(name: &str, node: &'n mut syntax::Node) -> Option<&'n mut syntax::Node> {
    let block = node.children.iter_mut().flatten();
    for inner in block {
        if inner.name.value == name {
            return Some(inner);
        }
        if let Some(place) = place_of(name, inner) {
            return Some(place);
        }
    }
    None
}

fn fill_here(node: &mut syntax::Node, children: &mut Vec<syntax::Node>) -> bool {
    let Some(block) = &mut node.children else {
        return false;
    };
    if let Some(place) = block.iter().position(|node| node.name.value == HERE) {
        block.splice(place..=place, children.drain(..));
        return true;
    }
    block.iter_mut().any(|node| fill_here(node, children))
}

pub(super) fn bad(at: Span) -> Entry {
    Entry::value(Value::Bad, at)
}

/// A key or a port of a tree, which holds any value or, where scripts calculate with it, a number; or none.
pub(super) fn declared_key(
    word: &str,
    (name, ty): (&str, &str),
    default: Option<Value>,
    at: &Span,
) -> syntax::Node {
    let property = |name: &str, value: Value| Entry::value(value, at.clone()).named(name);
    let any = Value::Text(Text::made(ty, at.clone()));
    let mut entries = vec![Entry::word(name, at.clone()), property("type", any)];
    entries.extend(default.map(|value| property("default", value)));
    entries.push(property("optional", Value::Bool(true)));
    syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries)
}

/// Puts the children of a `switch` into its cases, which are in its block already; the last one is the default.
fn cases(mut node: syntax::Node, children: Vec<syntax::Node>) -> syntax::Node {
    let cases = node.children.take().unwrap_or_default();
    let filled = cases.into_iter().zip(children);
    let filled = filled.map(|(case, child)| case.block(vec![child]));
    node.block(filled.collect())
}

/// The name of an element, without the `<` before it.
pub(super) fn name_of(element: Node<'_, '_>) -> Span {
    let tag = tag(element);
    tag.start + 1..tag.end
}

/// An element from its name to its last attribute.
pub(super) fn span_of(element: Node<'_, '_>) -> Span {
    let tag = tag(element);
    let last = element.attributes().map(|one| one.range().end).max();
    tag.start..last.unwrap_or(tag.end)
}
