//! Behaviour trees in the XML of BehaviorTree.CPP, format 4.
//!
//! The reader gives the same nodes as the KDL reader, with spans into the XML. Their options make them do, ticked once
//! per tick, what BehaviorTree.CPP does. A few of these options are not available in our own documents; the table of
//! the language knows them as imported. A node that needs scripts or ports is refused at its place.

mod leaves;
mod nodes;
mod ports;
mod words;

use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::xml;
use crate::suggest;
use crate::syntax::{self, Entry, Parsed, Span, Text, shortened};
use nodes::Nodes;
use roxmltree::{Attribute, Node};
use treemind_core::behaviour::MAX_DEPTH;

const DIALECT: xml::Dialect = xml::Dialect {
    documents: "files of BehaviorTree.CPP",
    beginning: "<root BTCPP_format=\"4\">",
    namespaces: 0,
};

/// How the model declares a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    Condition,
    Action,
    /// It has children, so the host would have to be asked how to tick them.
    Inner,
    SubTree,
}

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
    let mut nodes = Nodes::new(sink);
    let mut elements = Vec::new();
    for element in nodes.elements(root) {
        match element.tag_name().name() {
            "BehaviorTree" => elements.push(element),
            "TreeNodesModel" => nodes.model(element),
            "include" => nodes.not_yet(element, "`<include>`"),
            name => {
                let name = shortened(name);
                let message = format!("`<{name}>` is not allowed in `<root>`");
                let known = ["BehaviorTree", "TreeNodesModel"];
                let help = suggest::did_you_mean(&name, known, || {
                    Some("put nodes into `<BehaviorTree ID=\"…\">`".to_owned())
                });
                nodes
                    .sink
                    .error(Code::MisplacedNode, tag(element), message)
                    .help = help;
            }
        }
    }
    let names = nodes.name_trees(&elements);
    let trees = elements.iter().zip(names);
    let trees: Vec<_> = trees.map(|(tree, name)| nodes.tree(*tree, name)).collect();
    let leaves = nodes.leaves;
    if trees.is_empty() && !sink.has_errors() {
        sink.error(Code::NoTree, tag(root), "there is no tree in this document")
            .with_help("write `<BehaviorTree ID=\"Main\">` with the first node of the tree in it");
    }
    let made = |word, entries| syntax::Node::made(Text::made(word, tag(root)), tag(root), entries);
    let mut all = Vec::new();
    all.extend(main.map(|main| made("main", vec![value_of(main).named("tree")])));
    if !leaves.is_empty() {
        all.push(made("leaves", Vec::new()).block(leaves));
    }
    all.extend(trees);
    Some(all)
}

/// Reads the attributes of `<root>`. Returns the one that names the main tree.
fn root_attributes<'a, 'd>(root: Node<'a, 'd>, sink: &mut Sink) -> Option<Attribute<'a, 'd>> {
    let mut main = None;
    let mut has_format = false;
    for attribute in root.attributes() {
        match attribute.name() {
            "main_tree_to_execute" => main = Some(attribute),
            "BTCPP_format" => {
                has_format = true;
                let span = attribute.range_value();
                match attribute.value().trim() {
                    "4" => {}
                    "3" => {
                        let message = "this is format 3 of BehaviorTree.CPP, which this version cannot read yet";
                        sink.error(Code::NotYet, span, message)
                            .with_help("convert it to format 4 with the tools of BehaviorTree.CPP");
                    }
                    other => {
                        let message =
                            format!("unknown format `{}` of BehaviorTree.CPP", shortened(other));
                        sink.error(Code::BadChoice, span, message)
                            .with_help("use format `4`");
                    }
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
                let message = format!("`<root>` has no attribute `{name}`");
                sink.error(Code::UnknownProperty, attribute.range_qname(), message)
                    .help = help;
            }
        }
    }
    if !has_format {
        let message = "`<root>` has no `BTCPP_format`";
        sink.error(Code::MissingValue, tag(root), message)
            .with_help("write `<root BTCPP_format=\"4\">`");
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
