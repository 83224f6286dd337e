//! `<TreeNodesModel>`: the leaves that the trees use.

use super::xml::Element;
use super::{Writer, literal, words as words_of};
use crate::formats::btcpp::spelling::Tag;
use crate::formats::btcpp::words;
use crate::syntax::{Node, Value};
use roxmltree::Document;

impl Writer<'_, '_> {
    /// The model; `None` if no tree uses a leaf.
    pub(super) fn model(&mut self) -> Option<Element> {
        let mut model = Element::new("TreeNodesModel");
        let is_own = |name: &&&str| words::all().all(|builtin| builtin != **name);
        for name in self.used.iter().filter(is_own) {
            let leaf = self.leaves.get(name);
            // Nothing said what it is, and nobody has said it since.
            let word = leaf.map_or("action", |leaf| leaf.name.value.as_str());
            if self.doubts.0.contains(*name) && matches!(word, "action" | "composite") {
                continue;
            }
            let kind = leaf.map_or("Action", |leaf| match leaf.name.value.as_str() {
                "condition" => "Condition",
                "composite" => "Control",
                "decorator" => "Decorator",
                _ => "Action",
            });
            let mut element = Element::new(kind).with("ID", *name);
            let params = leaf.map_or(&[][..], |leaf| leaf.children());
            let params = params.iter().filter(|node| node.name.value == "param");
            element.children = params.filter_map(port).collect();
            model.children.push(element);
        }
        (!model.children.is_empty()).then_some(model)
    }
}

/// A port of a leaf.
fn port(param: &Node) -> Option<Element> {
    let is_by_key = param
        .entry("by-key")
        .is_some_and(|entry| entry.value == Value::Bool(true));
    let mut port = Element::new(match is_by_key {
        true => "inout_port",
        false => "input_port",
    });
    port.set("name", words_of(param).next()?);
    let ty = param.property_text("type").map(|ty| ty.value.as_str());
    let ty = match ty {
        Some("bool") => Some("bool"),
        Some("int") => Some("int"),
        Some("float" | "double") => Some("double"),
        Some("string" | "enum") => Some("std::string"),
        _ => None,
    };
    if let Some(ty) = ty {
        port.set("type", ty);
    }
    if let Some(default) = param.entry("default") {
        port.set("default", literal(&default.value));
    }
    port.text = param.property_text("doc").map(|doc| doc.value.clone());
    Some(port)
}

/// A model in which everything stays as another one has it, but for what only the first one says.
pub(super) fn merged(model: Option<Element>, known: &str) -> Option<Element> {
    let Ok(document) = Document::parse(known) else {
        return model;
    };
    let raw = |element: roxmltree::Node<'_, '_>| {
        let mut whole = Element::new(element.tag_name().name());
        whole.raw = Some(known[element.range()].to_owned());
        whole
    };
    let mut model = model.unwrap_or_else(|| Element::new("TreeNodesModel"));
    let elements = document.root_element().children();
    for element in elements.filter(roxmltree::Node::is_element) {
        let id = element.attribute("ID");
        let is_it = |leaf: &&mut Element| leaf.tag().value("ID") == id;
        let Some(leaf) = model.children.iter_mut().find(is_it) else {
            model.children.push(raw(element));
            continue;
        };
        // It has become another kind of node.
        if leaf.name != element.tag_name().name() {
            continue;
        }
        let ports = element.children().filter(roxmltree::Node::is_element);
        let names: Vec<&str> = ports
            .clone()
            .filter_map(|port| port.attribute("name"))
            .collect();
        let is_new = |port: &Element| {
            let tag = port.tag();
            tag.value("name").is_none_or(|name| !names.contains(&name))
        };
        leaf.children.retain(is_new);
        if leaf.children.is_empty() {
            leaf.raw = Some(known[element.range()].to_owned());
            continue;
        }
        leaf.attributes = Tag::of(element).attributes;
        let mut children: Vec<Element> = ports.map(raw).collect();
        children.append(&mut leaf.children);
        leaf.children = children;
    }
    Some(model)
}
