//! Behaviour trees in the XML of BehaviorTree.CPP, versions 3 and 4.
//!
//! The reader gives the same nodes as the KDL reader, with spans into the XML. Their options make them do, ticked once
//! per tick, what BehaviorTree.CPP does. A few of these options are not available in our own documents; the table of
//! the language knows them as imported. A node that needs scripts or ports is refused at its place.

mod against;
mod blackboard;
mod dialect;
mod enums;
mod facts;
mod files;
#[cfg(feature = "convert")]
mod kept;
mod leaves;
mod loops;
#[cfg(feature = "convert")]
mod mocked;
mod model;
mod names;
mod nodes;
#[cfg(feature = "convert")]
mod notes;
mod own;
mod packs;
mod ports;
mod py_trees;
mod script;
mod scripts;
#[cfg(feature = "convert")]
mod spelling;
mod subtrees;
mod switches;
mod words;
#[cfg(feature = "convert")]
mod write;

use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::xml;
use crate::said;
use crate::suggest;
use crate::syntax::{self, Entry, Parsed, Span, Text, shortened};
use dialect::Version;
use facts::Facts;
use files::File;
pub(crate) use files::Load;
#[cfg(feature = "convert")]
pub use mocked::{BtcppNode, BtcppScripts, GivenIf};
use model::Models;
#[cfg(feature = "convert")]
pub use names::is_btcpp_literal;
use nodes::Nodes;
#[cfg(feature = "convert")]
pub(crate) use notes::notes;
use roxmltree::{Attribute, Document, Node};
#[cfg(feature = "convert")]
pub use spelling::btcpp_tag;
#[cfg(feature = "convert")]
pub(crate) use spelling::{Doubts, Restored, is_plain, names, plainer};
use std::collections::{HashMap, HashSet};
use treemind_core::behaviour::MAX_DEPTH;
pub use words::btcpp_attribute;
#[cfg(feature = "convert")]
pub(crate) use write::{Observed, observed, write};

const DIALECT: xml::Dialect = xml::Dialect {
    documents: || said!("files of BehaviorTree.CPP"),
    beginning: "<root BTCPP_format=\"4\">",
    namespaces: 4,
};

/// The name of a single tree that has none.
const UNNAMED: &str = "BehaviorTree";

/// Names the trees of a file, which are asked for in their order. Those of several that have no name are numbered, as in
/// version 3.
struct TreeNames {
    is_single: bool,
    unnamed: usize,
}

impl TreeNames {
    fn of(root: Node<'_, '_>) -> Self {
        Self {
            is_single: root.children().filter(is_tree).nth(1).is_none(),
            unnamed: 0,
        }
    }

    fn next(&mut self, tree: Node<'_, '_>) -> String {
        match tree.attribute("ID") {
            Some(id) => id.to_owned(),
            None if self.is_single => UNNAMED.to_owned(),
            None => {
                self.unnamed += 1;
                format!("{UNNAMED}_{}", self.unnamed - 1)
            }
        }
    }
}

fn is_tree(element: &Node<'_, '_>) -> bool {
    element.tag_name().name() == "BehaviorTree"
}

/// Reads the file that the sink is at, and the files that belong to it, into the nodes of a document, in time linear in
/// their length. The file at the path `manifest` declares nodes in `<TreeNodesModel>`; its trees do not count.
pub(crate) fn parse(
    manifest: Option<&str>,
    load: Option<&mut Load<'_>>,
    sink: &mut Sink,
) -> Parsed {
    parse_and(manifest, load, sink, &mut |_, _| {})
}

/// What gets the files and the facts.
type See<'s> = dyn FnMut(&[(&File, Document<'_>)], Facts) + 's;

/// The same; `see` gets the files and what is known of their trees, if they can be read.
fn parse_and(
    manifest: Option<&str>,
    load: Option<&mut Load<'_>>,
    sink: &mut Sink,
    see: &mut See<'_>,
) -> Parsed {
    sink.enter_foreign();
    let files = files::all_of(manifest, load, sink);
    let mut documents = Vec::new();
    let mut depth = 0;
    for file in &files {
        file.report_mended(sink);
        file.enter(sink);
        let text = file.text();
        if let Some(scanned) = xml::scan(text, &DIALECT, sink) {
            match xml::document(text) {
                Ok(document) => {
                    // As for native documents, deeply nested ones are read where there is room for it.
                    depth = depth.max(xml::depth(&document).0);
                    documents.push((file, document));
                }
                Err(error) => xml::report(&error, text, (&scanned, &DIALECT), sink),
            }
        }
        sink.enter(0);
    }
    let is_whole = documents.len() == files.len();
    let mut read_in = None;
    if is_whole {
        read_in = crate::text::with_room(depth, || read(&documents, &mut *sink));
    }
    sink.enter(0);
    let nodes = read_in.map(|(nodes, facts)| {
        see(&documents, facts);
        nodes
    });
    Parsed {
        whole: nodes.is_some(),
        nodes: nodes.unwrap_or_default(),
        depth: depth.min(MAX_DEPTH),
    }
}

/// The nodes of a document: the one that says what runs, the leaves, and the trees; and what is known of the trees.
/// `None` if this is no such document.
fn read(
    documents: &[(&File, Document<'_>)],
    sink: &mut Sink,
) -> Option<(Vec<syntax::Node>, Facts)> {
    let known: HashSet<&str> = words::without_host().collect();
    let mut models = Models::default();
    let mut facts = Facts::default();
    let mut main = None;
    let roots = documents
        .iter()
        .map(|(_, document)| document.root_element());
    facts.by_element = dialect::named_by_elements(roots);
    for (file, document) in documents {
        file.enter(sink);
        let root = root_of(document, sink)?;
        let is_model = |element: &Node<'_, '_>| element.tag_name().name() == "TreeNodesModel";
        for model in root.children().filter(is_model) {
            models.read(model, sink);
        }
        facts.enums.read(root, sink);
    }
    for (nth, (file, document)) in documents.iter().enumerate() {
        file.enter(sink);
        let root = document.root_element();
        let named = root_attributes(root, sink);
        if nth == 0 {
            main = named;
            facts.main = main_tree(root, named);
        }
        let version = Version::of(root, &facts.by_element);
        facts.scan(root, (version, &models), file.wanted.as_ref(), &known);
    }
    let (file, first) = documents.first()?;
    let first = first.root_element();
    file.enter(sink);
    facts.follow();
    if let Some(main) = main {
        facts.reach(main.value());
    }
    if facts.is_too_large {
        let message = said!("the trees hand down too many names to one another");
        sink.error(Code::TooLarge, tag(first), message)
            .with_help(said!("pass single ports instead of `_autoremap`"));
        return None;
    }
    let roots = documents.iter().map(|(_, one)| one.root_element());
    let unknown = enums::unknown(&roots.collect::<Vec<_>>(), &facts.enums);
    for (nth, name, at) in unknown {
        documents[nth].0.enter(sink);
        enums::report(&name, at, sink);
    }
    file.enter(sink);
    let mut nodes = Nodes::new(sink, models, facts);
    let trees = trees_of(documents, &mut nodes);
    let globals: Vec<String> = nodes.facts.globals.iter().cloned().collect();
    let globals = globals.iter().map(|raw| {
        let name = nodes.facts.names.of(&format!("@{raw}"));
        let ty = nodes.facts.type_of("", raw);
        nodes::declared_key("key", (&name, ty), None, &tag(first))
    });
    let globals: Vec<_> = globals.collect();
    let (mut leaves, models, facts) = (nodes.leaves, nodes.models, nodes.facts);
    file.enter(sink);
    if trees.is_empty() && !sink.has_errors() {
        leaves = declared(&models, &tag(first));
        file.place(&mut leaves);
        let is_model = |one: Node<'_, '_>| one.tag_name().name() == "TreeNodesModel";
        let has_model = first.children().any(is_model);
        no_tree(first, leaves.is_empty() && !has_model, sink);
    }
    let made =
        |word, entries| syntax::Node::made(Text::made(word, tag(first)), tag(first), entries);
    let mut all = Vec::new();
    all.extend(main.map(|main| made("main", vec![value_of(main).named("tree")])));
    if !globals.is_empty() {
        all.push(made("blackboard", Vec::new()).block(globals));
    }
    file.place(&mut all);
    if !leaves.is_empty() {
        all.push(made("leaves", Vec::new()).block(leaves));
    }
    all.extend(trees);
    Some((all, facts))
}

/// A file without a tree. One that declares nodes is of use all the same.
fn no_tree(root: Node<'_, '_>, is_empty: bool, sink: &mut Sink) {
    if is_empty {
        let message = said!("there is no tree in this document");
        sink.error(Code::NoTree, tag(root), message)
            .with_help(said!(
                "write `<BehaviorTree ID=\"Main\">` with the first node of the tree in it"
            ));
    } else {
        let message = said!("there is no tree in this document, only a model of nodes");
        sink.warning(Code::NoTree, tag(root), message)
            .with_help(said!(
                "give it to the documents that use these nodes: `--manifest FILE`"
            ));
    }
}

/// The leaves that models declare.
fn declared(models: &Models, at: &Span) -> Vec<syntax::Node> {
    let leaves = models.leaves().into_iter();
    leaves
        .map(|(name, word)| {
            let name = Entry::word(name, at.clone());
            syntax::Node::made(Text::made(word, at.clone()), at.clone(), vec![name])
        })
        .collect()
}

/// The element around everything.
fn root_of<'a>(document: &'a Document<'_>, sink: &mut Sink) -> Option<Node<'a, 'a>> {
    let root = document.root_element();
    if root.tag_name().name() == "root" {
        return has_one_namespace(root, sink).then_some(root);
    }
    let word = shortened(root.tag_name().name());
    let message = said!(
        "expected `<root>` at the beginning of a document of BehaviorTree.CPP, found `<{}>`",
        word
    );
    sink.error(Code::UnknownNode, tag(root), message)
        .with_help(said!("wrap it in `<root BTCPP_format=\"4\"> … </root>`"));
    None
}

/// Whether all names in the document are in the namespace of its root. The attributes of the root, which may say where
/// its schema is, do not matter.
fn has_one_namespace(root: Node<'_, '_>, sink: &mut Sink) -> bool {
    let own = root.tag_name().namespace();
    let others = root.descendants().filter(Node::is_element).skip(1);
    for element in others {
        let prefixed = element.attributes().find(|one| one.namespace().is_some());
        let at = match prefixed {
            Some(attribute) => attribute.range_qname(),
            None if element.tag_name().namespace() != own => tag(element),
            None => continue,
        };
        let message = said!("names with a prefix of XML are not read");
        sink.error(Code::Xml, at, message)
            .with_help(said!("leave out the prefix and the `:`"));
        return false;
    }
    true
}

/// Reports a tree that has the name of a node that is built in, which version 4 refuses.
fn named_as_node(element: Node<'_, '_>, name: &str, nodes: &mut Nodes<'_>) {
    let at = element.attribute_node("ID");
    let at = at.map_or(tag(element), |id| id.range_value());
    let is_refused = nodes.version == Version::Four && dialect::says_version(element);
    let message = said!(
        "the tree `{}` has the name of a node that is built in",
        name
    );
    let help = said!("version 4 refuses it: give the tree another name");
    if is_refused {
        nodes.sink.error(Code::BadName, at, message).with_help(help);
    } else {
        nodes
            .sink
            .warning(Code::BadName, at, message)
            .with_help(help);
    }
}

/// Reports a `${key}`, or a name without braces, that the other version reads as something else.
fn report_pointer(root: Node<'_, '_>, nodes: &mut Nodes<'_>) {
    let by_element = &nodes.facts.by_element;
    let found = dialect::doubtful_pointer(root, nodes.version, by_element)
        .or_else(|| dialect::doubtful_name(root, nodes.version, by_element));
    let Some(found) = found else {
        return;
    };
    let value = shortened(found.value().trim());
    let key = found.value().trim().trim_start_matches('$');
    let braced = format!("{{{key}}}");
    let key = match key.starts_with('{') {
        true => key,
        false => &braced,
    };
    let (message, help) = match nodes.version {
        Version::Three => (
            said!("`{}` is read as a key, as in version 3", value),
            said!(
                "in version 4 it is a text: write `BTCPP_format=\"3\"` into `<root>`, or `{}` for the key",
                shortened(key)
            ),
        ),
        Version::Four => (
            said!("`{}` is a text in version 4, and a key in version 3", value),
            said!("write `{}` for the key", shortened(key)),
        ),
    };
    nodes
        .sink
        .warning(Code::BadName, found.range_value(), message)
        .with_help(help);
}

/// The trees of all files. Of two trees with one name in different files, the one that was found first counts.
fn trees_of(documents: &[(&File, Document<'_>)], nodes: &mut Nodes<'_>) -> Vec<syntax::Node> {
    let mut trees = Vec::new();
    let mut names: HashSet<String> = HashSet::new();
    nodes.looks_for_updates = documents.iter().any(|(_, document)| {
        let mut all = document.descendants();
        all.any(|one| {
            let name = match one.tag_name().name() {
                word if words::EXPLICIT.contains(&word) => one.attribute("ID").unwrap_or(word),
                word => word,
            };
            words::names_key(name, "entry")
        })
    });
    for (file, document) in documents {
        file.enter(nodes.sink);
        let root = document.root_element();
        nodes.version = Version::of(root, &nodes.facts.by_element);
        nodes.may_be_three = dialect::may_be_three(root);
        nodes.is_of_py_trees = py_trees::is_file(root);
        if !nodes.is_of_py_trees {
            report_pointer(root, nodes);
        }
        let elements = trees_in(root, nodes);
        let is_single = elements.len() == 1;
        let before = nodes.leaves.len();
        let mut own = Vec::new();
        let mut named = TreeNames::of(root);
        for element in elements {
            let name = named.next(element);
            let is_wanted = |wanted: &HashSet<String>| wanted.contains(&name);
            if !file.wanted.as_ref().is_none_or(is_wanted) {
                continue;
            }
            if !names.insert(name.clone()) {
                let message = said!("a tree `{}` was read from another file", shortened(&name));
                nodes.sink.warning(Code::Duplicate, tag(element), message);
                continue;
            }
            if words::is_registered(&name) {
                named_as_node(element, &name, nodes);
            }
            own.push(nodes.tree(element, &name, is_single));
        }
        file.place(&mut own);
        file.place(&mut nodes.leaves[before..]);
        trees.append(&mut own);
    }
    nodes.sink.enter(0);
    trees
}

/// The trees of a document. Whatever else is there is reported.
fn trees_in<'a, 'd>(root: Node<'a, 'd>, nodes: &mut Nodes<'_>) -> Vec<Node<'a, 'd>> {
    let mut trees: Vec<Option<Node<'a, 'd>>> = Vec::new();
    let mut known = HashMap::new();
    for element in nodes.elements(root) {
        match element.tag_name().name() {
            "BehaviorTree" => {
                let id = element.attribute("ID");
                let first = id.and_then(|id| known.insert(id, trees.len()));
                if let (Some(id), Some(first)) = (id, first) {
                    let message = said!("a second tree `{}` replaces the first", shortened(id));
                    nodes
                        .sink
                        .warning(Code::Duplicate, tag(element), message)
                        .with_help(said!("give each tree an `ID` of its own"));
                    trees[first] = None;
                }
                trees.push(Some(element));
            }
            "TreeNodesModel" => {}
            word if dialect::is_include(word) || word == enums::ELEMENT => {}
            name => {
                let word = shortened(name);
                let message = said!("`<{}>` is not read in `<root>`", word);
                let known = ["BehaviorTree", "TreeNodesModel"];
                let is_node =
                    words::all().any(|node| node == name) || words::EXPLICIT.contains(&name);
                let help = suggest::did_you_mean(&word, known, || {
                    Some(said!("put nodes into `<BehaviorTree ID=\"…\">`"))
                });
                let at = tag(element);
                // Beside trees, BehaviorTree.CPP does not look at it.
                if is_node && !root.children().any(|one| is_tree(&one)) {
                    nodes
                        .sink
                        .error(Code::MisplacedNode, at, message)
                        .with_perhaps(help);
                } else {
                    nodes
                        .sink
                        .warning(Code::MisplacedNode, at, message)
                        .with_perhaps(help);
                }
            }
        }
    }
    trees.into_iter().flatten().collect()
}

/// The name of the tree that runs.
fn main_tree(root: Node<'_, '_>, main: Option<Attribute<'_, '_>>) -> Option<String> {
    if let Some(main) = main {
        return Some(main.value().to_owned());
    }
    let first = root.children().find(is_tree)?;
    Some(TreeNames::of(root).next(first))
}

/// Reads the attributes of `<root>`. Returns the one that names the main tree.
fn root_attributes<'a, 'd>(root: Node<'a, 'd>, sink: &mut Sink) -> Option<Attribute<'a, 'd>> {
    let mut main = None;
    for attribute in root.attributes().filter(|one| one.namespace().is_none()) {
        match attribute.name() {
            "main_tree_to_execute" if attribute.value().trim().is_empty() => {}
            "main_tree_to_execute" => main = Some(attribute),
            "BTCPP_format" => {
                if !matches!(attribute.value().trim(), "3" | "4") {
                    let other = shortened(attribute.value());
                    let message = said!(
                        "unknown version `{}` of BehaviorTree.CPP, read as version 4",
                        other
                    );
                    sink.warning(Code::BadChoice, attribute.range_value(), message)
                        .with_help(said!("use version `4`"));
                }
            }
            "project_name" => {}
            name if name.starts_with('_') => {}
            name => {
                let name = shortened(name);
                let known = ["BTCPP_format", "main_tree_to_execute"];
                let help = suggest::did_you_mean(&name, known, || {
                    Some(said!("its attributes are {}", suggest::listed(known)))
                });
                let message = said!("`<root>` has no attribute `{}`, so it is ignored", name);
                sink.warning(Code::UnknownProperty, attribute.range_qname(), message)
                    .with_perhaps(help);
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
