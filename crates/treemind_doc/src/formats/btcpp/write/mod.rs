//! Documents of ours as XML of BehaviorTree.CPP 4.
//!
//! The nodes come from a document without errors. What the XML cannot say is reported node by node.

mod loops;
mod model;
mod nodes;
mod scripts;
mod three;
mod xml;

use super::kept::Kept;
use super::spelling::{self, Doubts, Form, Tag};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats;
use crate::syntax::{Entry, Node, Span, Value, shortened};
use crate::text::Notes;
use crate::{Said, said};
use scripts::Keys;
use std::collections::{BTreeSet, HashMap};
use xml::Element;
pub(super) use xml::escape;

/// The state while a document is written.
struct Writer<'n, 's> {
    sink: &'s mut Sink,
    /// The leaves by their names.
    leaves: HashMap<&'n str, &'n Node>,
    /// The leaves that trees use, in the order of their names.
    used: BTreeSet<&'n str>,
    /// What keys are called.
    keys: Keys,
    /// Keys of the tree that only hand a literal to a subtree, with the literal.
    literals: HashMap<String, String>,
    /// What differs, one sentence each.
    differences: BTreeSet<String>,
    /// The comments of the document.
    notes: &'s mut Notes,
    observed: Observed,
    form: Form,
    doubts: Doubts,
    /// The leaves that are calls of trees in the XML.
    called: BTreeSet<String>,
    /// How a port of a leaf is spelled, by the names of the leaf and of the parameter, where they differ.
    odd_ports: HashMap<(String, String), String>,
}

/// How the nodes of a document are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observed {
    /// The tags, by where their nodes begin, and how many children they have.
    pub(in crate::formats::btcpp) tags: HashMap<usize, (Tag, usize)>,
    pub(in crate::formats::btcpp) model: Option<String>,
}

/// How these nodes would be written.
pub(crate) fn observed(
    nodes: &[Node],
    (xml, doubts): (&str, &Doubts),
    sink: &mut Sink,
) -> Observed {
    let mut notes = Notes::default();
    notes.last.extend(doubts.said());
    if let Ok(document) = formats::xml::document(&formats::xml::readable(xml)) {
        let form = Form::of(&document);
        notes.last.extend(form.said().map(str::to_owned));
    }
    written(nodes, &mut notes, sink).2
}

/// The XML, and what differs in it, one sentence each.
pub(crate) fn write(nodes: &[Node], notes: &mut Notes, sink: &mut Sink) -> (String, Vec<String>) {
    let (text, differences, _) = written(nodes, notes, sink);
    (text, differences)
}

fn written(nodes: &[Node], notes: &mut Notes, sink: &mut Sink) -> (String, Vec<String>, Observed) {
    let behind_root = super::notes::behind_root(&mut notes.last);
    let form = notes.last.iter().find_map(|note| Form::in_note(note));
    notes.last.retain(|note| Form::in_note(note).is_none());
    let doubts = notes.last.iter().find_map(|note| Doubts::in_note(note));
    notes.last.retain(|note| Doubts::in_note(note).is_none());
    let mut writer = Writer {
        sink,
        leaves: HashMap::new(),
        used: BTreeSet::new(),
        keys: Keys::new(),
        literals: HashMap::new(),
        differences: BTreeSet::new(),
        notes,
        observed: Observed::default(),
        form: form.unwrap_or_default(),
        doubts: doubts.unwrap_or_default(),
        called: BTreeSet::new(),
        odd_ports: HashMap::new(),
    };
    let mut root = Element::new("root").with("BTCPP_format", "4");
    writer.declarations(nodes);
    let trees: Vec<&Node> = nodes
        .iter()
        .filter(|node| node.name.value == "tree")
        .collect();
    let main = nodes.iter().find(|node| node.name.value == "main");
    let main = main.and_then(|main| main.property_text("tree"));
    // Of several trees, BehaviorTree.CPP wants to know which is the main one.
    let first = trees.first().filter(|_| trees.len() > 1);
    let first = first.and_then(|tree| words(tree).next());
    if let Some(main) = main.map(|main| main.value.as_str()).or(first) {
        root.set("main_tree_to_execute", main);
    }
    let names_main = main.is_some();
    for note in std::mem::take(&mut writer.notes.last) {
        match super::notes::beside_trees(&note) {
            Some(tag) if tag.name == "root" => {
                let written = std::mem::take(&mut root.attributes);
                root.attributes = as_spelled(&tag, written, names_main);
            }
            Some(tag) => {
                let mut include = Element::new(&tag.name);
                include.attributes = tag.attributes;
                root.children.push(include);
            }
            None => writer.notes.last.push(note),
        }
    }
    let mut waiting = Vec::new();
    for node in nodes {
        match node.name.value.as_str() {
            "tree" => {
                if let Some(mut tree) = writer.tree(node) {
                    waiting.append(&mut tree.before);
                    tree.before = std::mem::take(&mut waiting);
                    root.children.push(tree);
                }
            }
            // What stands above a declaration comes before the next tree.
            "leaves" | "blackboard" | "main" | "enum" => {
                let said = writer.notes.take_before(node);
                // What begins the document is about all of it.
                match nodes.first().is_some_and(|first| first == node) {
                    true => root.before = said,
                    false => waiting.extend(said),
                }
            }
            "test" | "import" => {}
            word => {
                let message = said!("BehaviorTree.CPP has no `{}`", shortened(word));
                writer.lacks(&node.name.span, message);
            }
        }
    }
    if nodes.iter().any(|node| node.name.value == "test") {
        writer.note("tests are left out");
    }
    let mut last = std::mem::take(&mut writer.notes.last);
    let model = writer.model();
    let is_in_front = spelling::is_in_front(&mut last);
    let (model, behind) = writer.spelled_model(model, &mut last);
    let is_tree = |one: &Element| one.name == "BehaviorTree";
    let first = root.children.iter().position(is_tree);
    if !is_in_front || first.is_none() {
        waiting.append(&mut last);
    }
    match model {
        Some(mut model) if is_in_front && first.is_some() => {
            model.before = last;
            root.children.insert(first.unwrap_or_default(), model);
            waiting.extend(behind);
            root.after = waiting;
        }
        Some(mut model) => {
            model.before = waiting;
            root.children.push(model);
            root.after = behind;
        }
        None => {
            waiting.append(&mut last);
            waiting.extend(behind);
            root.after = waiting;
        }
    }
    if root.children.is_empty() {
        let message = said!("there is no tree in this document, and no leaf that a tree uses");
        writer
            .sink
            .error(Code::NoTree, 0..0, message)
            .with_help(said!(
                "only trees, and the leaves in them, have a form in this XML"
            ));
    }
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    root.print(0, &mut text);
    for note in behind_root {
        xml::comment(&note, "", &mut text);
    }
    let differences = writer.differences.into_iter().collect();
    (text, differences, writer.observed)
}

/// The attributes of `<root>`: those that were spelled, in their order, with the values that they have now.
fn as_spelled(
    spelled: &Tag,
    written: Vec<(String, String)>,
    names_main: bool,
) -> Vec<(String, String)> {
    let mut now: Vec<(String, String)> = written;
    now.retain(|(name, _)| {
        let is_needed = name != "main_tree_to_execute" || names_main;
        is_needed || spelled.value(name).is_some()
    });
    let mut attributes = Vec::new();
    for (name, value) in &spelled.attributes {
        let held = now.iter().position(|(known, _)| known == name);
        let value = held.map_or(value.clone(), |held| now.remove(held).1);
        attributes.push((name.clone(), value));
    }
    // What a file of version 3 lacks comes first.
    now.append(&mut attributes);
    now
}

impl<'n> Writer<'n, '_> {
    /// Something that the XML cannot say.
    fn lacks(&mut self, at: &Span, message: Said) {
        self.sink.error(Code::NoForm, at.clone(), message);
    }

    fn note(&mut self, sentence: &str) {
        self.differences.insert(sentence.to_owned());
    }

    /// The leaves and keys that the document declares.
    fn declarations(&mut self, nodes: &'n [Node]) {
        for node in nodes {
            match node.name.value.as_str() {
                "leaves" => {
                    for leaf in node.children() {
                        if let Some(name) = words(leaf).next() {
                            self.leaves.insert(name, leaf);
                        }
                    }
                }
                "blackboard" => {
                    for key in node.children() {
                        self.global(key);
                    }
                }
                "tree" => {
                    let keys = node.children().iter();
                    for key in keys.filter(|key| is_key(key)) {
                        if let Some(name) = words(key).next() {
                            self.keys.insert(name.to_owned(), name.to_owned());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A key of all trees, which is on the root blackboard there.
    fn global(&mut self, key: &Node) {
        let Some(name) = words(key).next() else {
            return;
        };
        // The reader calls the key `@goal` `root_goal`.
        let plain = name.strip_prefix("root_").filter(|rest| !rest.is_empty());
        self.keys
            .insert(name.to_owned(), format!("@{}", plain.unwrap_or(name)));
        self.start_value(key);
    }

    /// Says that a key has no start value there.
    fn start_value(&mut self, key: &Node) {
        let is_set = key.entry("default").is_some() || key.entry("optional").is_none();
        if let (true, Some(name)) = (is_set, words(key).next()) {
            self.note(&format!(
                "the key `{name}` has no start value in the file: set it before the tree runs"
            ));
        }
    }

    /// `<BehaviorTree ID="…">`
    fn tree(&mut self, tree: &'n Node) -> Option<Element> {
        let name = words(tree).next()?;
        let mut element = Element::new("BehaviorTree").with("ID", name);
        if let Some(doc) = tree.property_text("doc") {
            element.set("_description", &doc.value);
        }
        self.literals.clear();
        let (keys, roots): (Vec<&Node>, Vec<&Node>) =
            tree.children().iter().partition(|node| is_key(node));
        for key in keys {
            self.own_key(tree, key);
        }
        let children = roots.len();
        for root in roots {
            element.children.extend(self.node(root));
        }
        self.noted(tree, &mut element, children);
        Some(element)
    }

    /// The comments at a node with so many children. Those that hold attributes of editors become attributes again.
    fn noted(&mut self, node: &Node, element: &mut Element, children: usize) {
        let tag = spelling::explicit(element.tag(), self.kind(&element.name));
        (element.name, element.attributes) = (tag.name, tag.attributes);
        let tag = element.tag();
        self.observed.tags.insert(node.span.start, (tag, children));
        let mut in_leaf = Vec::new();
        for note in self.notes.take_before(node) {
            if Kept::in_note(&note).is_some() {
                continue;
            }
            if let Some(said) = super::notes::in_leaf(&note).filter(|_| children == 0) {
                in_leaf.push(said.to_owned());
                continue;
            }
            if let Some(known) = spelling::tag_in(&note) {
                self.odd_ports.extend(known.0.odd_ports());
                let spelled = spelling::again(&known, &element.tag());
                if element.name != "SubTree" {
                    self.note_call(&spelled);
                }
                (element.name, element.attributes) = (spelled.name, spelled.attributes);
                continue;
            }
            match super::notes::attributes(&note) {
                Some(attributes) => {
                    for (name, value) in attributes {
                        element.set(&name, value);
                    }
                }
                None => element.before.push(note),
            }
        }
        element.after = in_leaf;
        element.after.append(&mut self.notes.take_inside(node));
    }

    /// The element that the explicit form has for a node.
    fn kind(&self, name: &str) -> Option<&'static str> {
        use crate::formats::btcpp::words;
        let is_builtin = words::all().any(|builtin| builtin == name);
        let is_explicit = match is_builtin {
            true => self.form.builtin,
            false => self.form.leaves,
        };
        if !is_explicit {
            return None;
        }
        if let Some(builtin) = words::of(name) {
            let children = crate::language::node_word(builtin.word)?.children();
            return Some(match children {
                crate::language::Children::None => "Action",
                crate::language::Children::One => "Decorator",
                _ => "Control",
            });
        }
        Some(match name {
            "Script" | "SetBlackboard" | "UnsetBlackboard" | "WasEntryUpdated" => "Action",
            "ScriptCondition" => "Condition",
            "SkipUnlessUpdated" | "WaitValueUpdate" => "Decorator",
            _ if is_builtin && name.starts_with("Switch") => "Control",
            _ => match self.leaves.get(name)?.name.value.as_str() {
                "condition" => "Condition",
                "composite" => "Control",
                "decorator" => "Decorator",
                _ => "Action",
            },
        })
    }

    /// The model as the file had it that the document comes from, if it still says the same; otherwise what the other
    /// one says of nodes that no tree uses is kept. With it, the comments that stood behind it.
    fn spelled_model(
        &mut self,
        model: Option<Element>,
        last: &mut Vec<String>,
    ) -> (Option<Element>, Vec<String>) {
        let mut written = String::new();
        if let Some(model) = &model {
            model.print(1, &mut written);
        }
        self.observed.model = Some(written.clone());
        let is_model = |note: &String| spelling::model_in(note).is_some();
        let Some(found) = last.iter().position(is_model) else {
            return (self.with_odd_ports(model), Vec::new());
        };
        let behind = last.split_off(found + 1);
        let note = last.pop().unwrap_or_default();
        let Some((text, mark)) = spelling::model_in(&note) else {
            return (self.with_odd_ports(model), behind);
        };
        if !spelling::is_marked(&written, mark) {
            self.note("the `TreeNodesModel` is written anew where the leaves have changed");
            let model = self.with_odd_ports(model);
            return (super::write::model::merged(model, text), behind);
        }
        let mut model = Element::new("TreeNodesModel");
        model.raw = Some(text.to_owned());
        (Some(model), behind)
    }

    /// A model whose ports are called as they are spelled in trees.
    fn with_odd_ports(&self, model: Option<Element>) -> Option<Element> {
        let mut model = model?;
        let is_called = |leaf: &Element| {
            let tag = leaf.tag();
            tag.value("ID").is_some_and(|id| self.called.contains(id))
        };
        model.children.retain(|leaf| !is_called(leaf));
        if model.children.is_empty() {
            return None;
        }
        for leaf in &mut model.children {
            let Some(id) = leaf.tag().value("ID").map(str::to_owned) else {
                continue;
            };
            for port in &mut leaf.children {
                let Some((_, name)) = port.attributes.iter_mut().find(|(key, _)| key == "name")
                else {
                    continue;
                };
                if let Some(odd) = self.odd_ports.get(&(id.clone(), name.clone())) {
                    name.clone_from(odd);
                }
            }
        }
        Some(model)
    }

    /// A key of a tree. One that only hands a literal to a subtree is written there.
    fn own_key(&mut self, tree: &'n Node, key: &'n Node) {
        let (Some(name), Some(default)) = (words(key).next(), key.entry("default")) else {
            if key.name.value == "key" {
                self.start_value(key);
            }
            return;
        };
        let mut uses = 0;
        count_uses(tree.children(), name, &mut uses);
        match uses {
            1 => drop(
                self.literals
                    .insert(name.to_owned(), literal(&default.value)),
            ),
            _ => self.start_value(key),
        }
    }
}

/// How often a subtree is given a key, and how often the key is used otherwise, which counts more.
fn count_uses(nodes: &[Node], name: &str, uses: &mut usize) {
    let given = format!("{{{name}}}");
    for node in nodes {
        for entry in &node.entries {
            let Some(text) = entry.value.text() else {
                continue;
            };
            if is_key(node) {
                continue;
            }
            if text.value == given {
                *uses += if node.name.value == "subtree" { 1 } else { 10 };
            } else if mentions(&text.value, name) {
                *uses += 10;
            }
        }
        count_uses(node.children(), name, uses);
    }
}

/// Whether a word stands in a text.
fn mentions(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).any(|part| part == word)
}

fn is_key(node: &Node) -> bool {
    matches!(node.name.value.as_str(), "key" | "in" | "out" | "inout")
}

/// The values of a node that are words.
fn words(node: &Node) -> impl Iterator<Item = &str> {
    let values = node.entries.iter().filter(|entry| entry.name.is_none());
    values.filter_map(|entry| entry.value.text().map(|text| text.value.as_str()))
}

/// The first value of a node without a name.
fn first(node: &Node) -> Option<&Entry> {
    node.entries.iter().find(|entry| entry.name.is_none())
}

/// A literal as an attribute has it.
fn literal(value: &Value) -> String {
    match value {
        Value::Text(text) => {
            let quoted = text
                .value
                .strip_prefix("='")
                .and_then(|rest| rest.strip_suffix('\''));
            quoted.unwrap_or(&text.value).to_owned()
        }
        Value::Int(int) => int.to_string(),
        Value::Decimal(_, text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        Value::Null | Value::Bad => String::new(),
    }
}
