//! Behaviour trees in the XML of BehaviorTree.CPP, versions 3 and 4.
//!
//! The reader gives the same nodes as the KDL reader, with spans into the XML. Their options make them do, ticked once
//! per tick, what BehaviorTree.CPP does. A few of these options are not available in our own documents; the table of
//! the language knows them as imported. A node that needs scripts or ports is refused at its place.

mod blackboard;
mod dialect;
mod facts;
mod leaves;
mod model;
mod names;
mod nodes;
mod ports;
mod script;
mod subtrees;
mod words;

use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::xml;
use crate::suggest;
use crate::syntax::{self, Entry, Parsed, Span, Text, shortened};
use dialect::Version;
use facts::Facts;
use model::Models;
use nodes::Nodes;
use roxmltree::{Attribute, Node};
use std::collections::HashSet;
use treemind_core::behaviour::MAX_DEPTH;

const DIALECT: xml::Dialect = xml::Dialect {
    documents: "files of BehaviorTree.CPP",
    beginning: "<root BTCPP_format=\"4\">",
    namespaces: 0,
};

/// The name of a tree that has none.
const UNNAMED: &str = "BehaviorTree";

/// Reads a text into the nodes of a document, in time linear in its length.
pub(crate) fn parse(text: &str, sink: &mut Sink) -> Parsed {
    sink.enter_foreign();
    let mut nodes = None;
    let mut depth = 0;
    if let Some(scanned) = xml::scan(text, &DIALECT, sink) {
        match roxmltree::Document::parse(text) {
            Ok(document) => {
                // As for native documents, deeply nested ones are read where there is room for it.
                (depth, _) = xml::depth(&document);
                nodes = crate::text::with_room(depth, || read(document.root_element(), &mut *sink));
            }
            Err(error) => xml::report(&error, text, (&scanned, &DIALECT), sink),
        }
    }
    Parsed {
        whole: nodes.is_some(),
        nodes: nodes.unwrap_or_default(),
        depth: depth.min(MAX_DEPTH),
    }
}

/// The nodes of a document: the one that says what runs, the leaves, and the trees. `None` if this is no such
/// document.
fn read(root: Node<'_, '_>, sink: &mut Sink) -> Option<Vec<syntax::Node>> {
    if root.tag_name().name() != "root" {
        let word = shortened(root.tag_name().name());
        let message = format!(
            "expected `<root>` at the beginning of a document of BehaviorTree.CPP, found `<{word}>`"
        );
        sink.error(Code::UnknownNode, tag(root), message)
            .with_help("wrap it in `<root BTCPP_format=\"4\"> … </root>`");
        return None;
    }
    let main = root_attributes(root, sink);
    let version = Version::of(root);
    let mut models = Models::default();
    let is_model = |element: &Node<'_, '_>| element.tag_name().name() == "TreeNodesModel";
    for model in root.children().filter(is_model) {
        models.read(model, sink);
    }
    let known: HashSet<&str> = words::all().collect();
    let mut facts = Facts {
        main: main_tree(root, main),
        ..Facts::default()
    };
    facts.scan(root, version, &known);
    facts.follow();
    if facts.is_too_large {
        let message = "the trees hand down too many names to one another";
        sink.error(Code::TooLarge, tag(root), message)
            .with_help("pass single ports instead of `_autoremap`");
        return None;
    }
    let mut nodes = Nodes::new(sink, models, facts);
    nodes.version = version;
    let elements = trees_in(root, &mut nodes);
    let is_single = elements.len() == 1;
    let trees = elements.iter().map(|tree| nodes.tree(*tree, is_single));
    let trees: Vec<_> = trees.collect();
    let globals: Vec<String> = nodes.facts.globals.iter().cloned().collect();
    let globals = globals.iter().map(|raw| {
        let name = nodes.facts.names.of(&format!("@{raw}"));
        nodes::declared_key("key", &name, None, &tag(root))
    });
    let globals: Vec<_> = globals.collect();
    let leaves = nodes.leaves;
    if trees.is_empty() && !sink.has_errors() {
        sink.error(Code::NoTree, tag(root), "there is no tree in this document")
            .with_help("write `<BehaviorTree ID=\"Main\">` with the first node of the tree in it");
    }
    let made = |word, entries| syntax::Node::made(Text::made(word, tag(root)), tag(root), entries);
    let mut all = Vec::new();
    all.extend(main.map(|main| made("main", vec![value_of(main).named("tree")])));
    if !globals.is_empty() {
        all.push(made("blackboard", Vec::new()).block(globals));
    }
    if !leaves.is_empty() {
        all.push(made("leaves", Vec::new()).block(leaves));
    }
    all.extend(trees);
    Some(all)
}

/// The trees of a document. Whatever else is there is reported.
fn trees_in<'a, 'd>(root: Node<'a, 'd>, nodes: &mut Nodes<'_>) -> Vec<Node<'a, 'd>> {
    let mut trees: Vec<Node<'a, 'd>> = Vec::new();
    let mut names = HashSet::new();
    for element in nodes.elements(root) {
        match element.tag_name().name() {
            "BehaviorTree" => {
                let id = element.attribute("ID").unwrap_or_default();
                let first = trees
                    .iter()
                    .position(|tree| tree.attribute("ID") == Some(id));
                if let Some(first) = first.filter(|_| !names.insert(id)) {
                    let message = format!("a second tree `{}` replaces the first", shortened(id));
                    nodes
                        .sink
                        .warning(Code::Duplicate, tag(element), message)
                        .with_help("give each tree an `ID` of its own");
                    trees.remove(first);
                }
                names.insert(id);
                trees.push(element);
            }
            "TreeNodesModel" => {}
            "include" => nodes.not_yet(element, "`<include>`"),
            name => {
                let word = shortened(name);
                let message = format!("`<{word}>` is not read in `<root>`");
                let known = ["BehaviorTree", "TreeNodesModel"];
                let is_node =
                    words::all().any(|node| node == name) || words::EXPLICIT.contains(&name);
                let help = suggest::did_you_mean(&word, known, || {
                    Some("put nodes into `<BehaviorTree ID=\"…\">`".to_owned())
                });
                let at = tag(element);
                if is_node {
                    nodes.sink.error(Code::MisplacedNode, at, message).help = help;
                } else {
                    nodes.sink.warning(Code::MisplacedNode, at, message).help = help;
                }
            }
        }
    }
    trees
}

/// The name of the tree that runs.
fn main_tree(root: Node<'_, '_>, main: Option<Attribute<'_, '_>>) -> Option<String> {
    if let Some(main) = main {
        return Some(main.value().to_owned());
    }
    let is_tree = |element: &Node<'_, '_>| element.tag_name().name() == "BehaviorTree";
    let first = root.children().find(is_tree)?;
    Some(first.attribute("ID").unwrap_or(UNNAMED).to_owned())
}

/// Reads the attributes of `<root>`. Returns the one that names the main tree.
fn root_attributes<'a, 'd>(root: Node<'a, 'd>, sink: &mut Sink) -> Option<Attribute<'a, 'd>> {
    let mut main = None;
    for attribute in root.attributes() {
        match attribute.name() {
            "main_tree_to_execute" if attribute.value().trim().is_empty() => {}
            "main_tree_to_execute" => main = Some(attribute),
            "BTCPP_format" => {
                if !matches!(attribute.value().trim(), "3" | "4") {
                    let other = shortened(attribute.value());
                    let message = format!("unknown version `{other}` of BehaviorTree.CPP");
                    sink.error(Code::BadChoice, attribute.range_value(), message)
                        .with_help("use version `4`");
                }
            }
            "project_name" => {}
            name if name.starts_with('_') => {}
            name => {
                let name = shortened(name);
                let known = ["BTCPP_format", "main_tree_to_execute"];
                let help = suggest::did_you_mean(&name, known, || {
                    Some(format!("its attributes are {}", suggest::listed(known)))
                });
                let message = format!("`<root>` has no attribute `{name}`, so it is ignored");
                sink.warning(Code::UnknownProperty, attribute.range_qname(), message)
                    .help = help;
            }
        }
    }
    main
}

/// The place of an element's name in its first tag.
fn tag(element: Node<'_, '_>) -> Span {
    let start = element.range().start;
    start..start + 1 + element.tag_name().name().len()
}

/// The value of an attribute, as a text.
fn value_of(attribute: Attribute<'_, '_>) -> Entry {
    let text = Text::made(attribute.value(), attribute.range_value());
    Entry {
        value_span: attribute.range_value(),
        ..Entry::value(syntax::Value::Text(text), attribute.range())
    }
}
