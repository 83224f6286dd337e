//! `<TreeNodesModel>`: the leaves that the trees use.

use super::xml::Element;
use super::{Writer, literal, words as words_of};
use crate::formats::btcpp::words;
use crate::syntax::{Node, Value};

impl Writer<'_, '_> {
    /// The model; `None` if no tree uses a leaf.
    pub(super) fn model(&mut self) -> Option<Element> {
        let mut model = Element::new("TreeNodesModel");
        let is_own = |name: &&&str| words::all().all(|builtin| builtin != **name);
        for name in self.used.iter().filter(is_own) {
            let leaf = self.leaves.get(name);
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
