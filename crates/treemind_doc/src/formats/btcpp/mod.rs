//! Behaviour trees in the XML of BehaviorTree.CPP, format 4.
//!
//! They are lowered to the same nodes as native documents, with the options that make them do, ticked once per tick,
//! what BehaviorTree.CPP does: nothing here runs anything. What needs scripts or ports is refused with the place
//! where it stands.

mod leaves;
mod lower;
mod ports;
mod subtrees;
mod words;
#[cfg(feature = "convert")]
mod write;

#[cfg(feature = "convert")]
pub(crate) use write::Written;

use crate::check::{self, Checked, Definition, What};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::xml;
use crate::suggest;
use crate::syntax::{Span, shortened};
use lower::Lowering;
use roxmltree::{Attribute, Node};
use std::collections::HashMap;
use treemind_core::LeafId;
use treemind_core::behaviour::{Kind, Leaf};

const DIALECT: xml::Dialect = xml::Dialect {
    documents: "files of BehaviorTree.CPP",
    beginning: "<root BTCPP_format=\"4\">",
    namespaces: 0,
};

/// A node while it is put together.
#[derive(Clone, Debug)]
struct Draft {
    body: Body,
    name: Option<String>,
    doc: Option<String>,
    children: Vec<Draft>,
}

#[derive(Clone, Debug)]
enum Body {
    Kind(Kind),
    /// The tree of that number.
    SubTree(usize),
}

/// A `BehaviorTree`.
struct TreeOf {
    name: String,
    span: Span,
    doc: Option<String>,
    root: Option<Draft>,
    /// Where other trees stand in it: their number, how deep, and the element.
    uses: Vec<(usize, usize, Span)>,
    /// How deep its own nodes lie, and how many there are.
    depth: usize,
    size: usize,
}

/// What the model says about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    Condition,
    Action,
    /// It has children, so that the host would have to be asked how to tick them.
    Inner,
    SubTree,
}

/// What a text says, before subtrees are put in their places.
#[derive(Default)]
struct Found {
    trees: Vec<TreeOf>,
    leaves: Vec<Leaf>,
    main: Option<String>,
}

/// Reads a text and checks it. Takes time linear in its length, but for subtrees that are used many times.
pub(crate) fn read(sink: &mut Sink) -> Checked {
    with_document(sink, check)
}

/// Reads a text and writes it as a document of Treemind's own; `None` when there is a mistake in it, or something that such a
/// document has no words for.
#[cfg(feature = "convert")]
pub(crate) fn rewrite(sink: &mut Sink) -> Option<Written> {
    with_document(sink, |document, sink| {
        let found = lower(document, sink)?;
        // What holds itself, or is too large, has no meaning either.
        subtrees::expand(&found.trees, sink);
        if sink.has_errors() {
            return None;
        }
        write::write(&found, sink)
    })
}

fn with_document<T: Default + Send>(
    sink: &mut Sink,
    work: impl Fn(&roxmltree::Document<'_>, &mut Sink) -> T + Sync,
) -> T {
    let source = std::sync::Arc::clone(sink.source());
    let text = source.text();
    let Some(scanned) = xml::scan(text, &DIALECT, sink) else {
        return T::default();
    };
    match roxmltree::Document::parse(text) {
        Ok(document) => {
            // As for native documents, deep ones are checked where there is room for it.
            let (depth, _) = xml::depth(&document);
            crate::text::with_room(depth, || work(&document, &mut *sink))
        }
        Err(error) => {
            xml::report(&error, text, (&scanned, &DIALECT), sink);
            T::default()
        }
    }
}

fn check(document: &roxmltree::Document<'_>, sink: &mut Sink) -> Checked {
    let Some(Found {
        trees,
        leaves,
        main,
    }) = lower(document, sink)
    else {
        return Checked::default();
    };
    let roots = subtrees::expand(&trees, sink);
    let trees = trees.into_iter().zip(roots).map(|(tree, root)| Definition {
        name: tree.name,
        span: tree.span,
        doc: tree.doc,
        root,
        keys: Vec::new(),
        found: check::Found::default(),
        refusal: Vec::new(),
        layout: None,
    });
    Checked {
        trees: trees.collect(),
        leaves,
        main: main.map(|name| (What::Tree, name)),
        ..Checked::default()
    }
}

fn lower(document: &roxmltree::Document<'_>, sink: &mut Sink) -> Option<Found> {
    let root = document.root_element();
    if root.tag_name().name() != "root" {
        let word = shortened(root.tag_name().name());
        let message =
            format!("a tree of BehaviorTree.CPP begins with `<root>`, not with `<{word}>`");
        sink.error(Code::UnknownNode, tag(root), message)
            .with_help("put it into `<root BTCPP_format=\"4\"> … </root>`");
        return None;
    }
    let main = root_attributes(root, sink);
    let mut lowering = Lowering::new(sink);
    let mut elements = Vec::new();
    for element in lowering.elements(root) {
        match element.tag_name().name() {
            "BehaviorTree" => elements.push(element),
            "TreeNodesModel" => lowering.model(element),
            "include" => lowering.not_yet(element, "`<include>`"),
            name => {
                let name = shortened(name);
                let message = format!("`<{name}>` cannot stand in `<root>`");
                let known = ["BehaviorTree", "TreeNodesModel"];
                let help = suggest::did_you_mean(&name, known, || {
                    Some("nodes stand inside `<BehaviorTree ID=\"…\">`".to_owned())
                });
                lowering
                    .sink
                    .error(Code::MisplacedNode, tag(element), message)
                    .help = help;
            }
        }
    }
    lowering.name_trees(&elements);
    for (number, element) in elements.iter().enumerate() {
        lowering.tree(number, *element);
    }
    let (trees, leaves) = lowering.finish();
    let main = main.and_then(|main| find_main(main, &trees, sink));
    if trees.is_empty() && !sink.has_errors() {
        sink.error(Code::NoTree, tag(root), "there is no tree in this document")
            .with_help("write `<BehaviorTree ID=\"Main\">` with the first node of the tree in it");
    }
    Some(Found {
        trees,
        leaves,
        main,
    })
}

/// The attributes of `<root>`; gives the one that names the main tree.
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
                            .with_help("its own tools convert it to format 4");
                    }
                    other => {
                        let message =
                            format!("`{}` is not a format of BehaviorTree.CPP", shortened(other));
                        sink.error(Code::BadChoice, span, message)
                            .with_help("the one that is read is `4`");
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
        let message = "`<root>` does not say which format it is in";
        sink.error(Code::MissingValue, tag(root), message)
            .with_help("write `<root BTCPP_format=\"4\">`");
    }
    main
}

fn find_main(main: Attribute<'_, '_>, trees: &[TreeOf], sink: &mut Sink) -> Option<String> {
    if trees.iter().any(|tree| tree.name == main.value()) {
        return Some(main.value().to_owned());
    }
    let word = shortened(main.value());
    let names = trees.iter().map(|tree| tree.name.as_str());
    let help = suggest::did_you_mean(&word, names.clone(), || {
        (!trees.is_empty()).then(|| format!("the trees are {}", suggest::listed(names)))
    });
    let message = format!("no tree is named `{word}`");
    sink.error(Code::UnknownTree, main.range_value(), message)
        .help = help;
    None
}

/// Where the name of an element stands in its first tag.
fn tag(element: Node<'_, '_>) -> Span {
    let start = element.range().start;
    start..start + 1 + element.tag_name().name().len()
}

/// What leaves have been met.
#[derive(Debug, Default)]
struct Leaves {
    list: Vec<Leaf>,
    ids: HashMap<String, LeafId>,
}
