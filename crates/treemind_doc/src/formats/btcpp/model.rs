//! `<TreeNodesModel>`: what a file says of the nodes of the host.

use super::dialect::{self, Version};
use super::facts::Guess;
use super::{tag, words};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::suggest;
use crate::syntax::shortened;
use roxmltree::{Attribute, Node};
use std::collections::HashMap;

/// How the model declares a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    Condition,
    Action,
    Control,
    Decorator,
    SubTree,
}

/// A node of the model.
pub(super) struct Model {
    pub(super) declared: Declared,
    pub(super) ports: HashMap<String, PortModel>,
}

/// A port of the model.
pub(super) struct PortModel {
    pub(super) direction: Direction,
    /// What its literals are, if the type is one that the language has.
    pub(super) ty: Option<Guess>,
    pub(super) default: Option<String>,
    /// What stands in its `default`, also if that points to a key.
    written: Option<String>,
}

/// Whether a node reads or writes a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
    Both,
}

/// All nodes that models declare.
#[derive(Default)]
pub(super) struct Models {
    known: HashMap<String, Model>,
}

impl Models {
    /// The node with this name.
    pub(super) fn get(&self, name: &str) -> Option<&Model> {
        self.known.get(name)
    }

    /// How the node with this name is declared.
    pub(super) fn declared(&self, name: &str) -> Option<Declared> {
        self.known.get(name).map(|model| model.declared)
    }

    /// The key that a node gives to a port: in braces, and in version 3 also without them to a port that it only writes.
    pub(super) fn key<'v>(
        &self,
        node: &str,
        attribute: Attribute<'v, '_>,
        version: Version,
    ) -> Option<&'v str> {
        let pointer = dialect::pointer_of(attribute, version);
        if pointer.is_some() || version == Version::Four {
            return pointer;
        }
        let plain = attribute.value().trim();
        let is_key = match self.direction(node, attribute.name())? {
            // What it reads is the text.
            Direction::In | Direction::Both => false,
            Direction::Out => !plain.is_empty(),
        };
        is_key.then_some(plain)
    }

    /// Whether a node reads or writes a port, if a model says so.
    pub(super) fn direction(&self, node: &str, port: &str) -> Option<Direction> {
        let port = self.get(node)?.ports.get(port)?;
        Some(port.direction)
    }

    /// The nodes of the host that are declared, in order, with what each is.
    pub(super) fn leaves(&self) -> Vec<(&str, &'static str)> {
        let kind = |declared| match declared {
            Declared::Condition => Some("condition"),
            Declared::Action => Some("action"),
            Declared::Control => Some("composite"),
            Declared::Decorator => Some("decorator"),
            Declared::SubTree => None,
        };
        let is_host = |name: &str| words::all().all(|builtin| builtin != name);
        let known = self.known.iter().filter(|(name, _)| is_host(name));
        let known = known.filter_map(|(name, model)| Some((&name[..], kind(model.declared)?)));
        let mut leaves: Vec<_> = known.collect();
        leaves.sort_unstable();
        leaves
    }

    /// The ports that the model of a tree declares, by name, with what each is given if a call says nothing. Of files
    /// of version 3, models are for editors only.
    pub(super) fn ports_of_tree(&self, name: &str) -> Vec<(&str, Option<&str>)> {
        let is_tree = |model: &&Model| model.declared == Declared::SubTree;
        let Some(model) = self.get(name).filter(is_tree) else {
            return Vec::new();
        };
        let ports = model.ports.iter();
        let mut ports: Vec<_> = ports
            .map(|(name, port)| (&name[..], port.written.as_deref()))
            .map(|(name, default)| (name, default.filter(|text| !text.is_empty())))
            .collect();
        ports.sort_unstable();
        ports
    }

    /// `<TreeNodesModel>`
    pub(super) fn read(&mut self, model: Node<'_, '_>, sink: &mut Sink) {
        for element in model.children().filter(Node::is_element) {
            let word = element.tag_name().name();
            let declared = match word {
                "Condition" => Declared::Condition,
                "Action" => Declared::Action,
                "Control" => Declared::Control,
                "Decorator" => Declared::Decorator,
                "SubTree" | "SubTreePlus" => Declared::SubTree,
                _ => {
                    unknown_word(element, sink);
                    continue;
                }
            };
            let Some(id) = element.attribute("ID").filter(|id| !id.trim().is_empty()) else {
                let word = shortened(word);
                let message = said!("this `<{}>` has no `ID`, so it declares nothing", word);
                sink.warning(Code::MissingValue, tag(element), message);
                continue;
            };
            for port in element.children().filter(is_port) {
                if port.attribute("name").is_none_or(str::is_empty) {
                    let word = port.tag_name().name();
                    let message = said!("this `<{}>` has no `name`, so it declares nothing", word);
                    sink.warning(Code::MissingValue, tag(port), message);
                }
            }
            let ports = ports(element);
            let known = self.known.entry(id.to_owned());
            let known = known.or_insert(Model { declared, ports });
            if known.declared != declared {
                let message = said!(
                    "`{}` was declared as another kind of node above, which counts",
                    shortened(id)
                );
                sink.warning(Code::WrongLeafKind, tag(element), message);
            }
        }
    }
}

fn unknown_word(element: Node<'_, '_>, sink: &mut Sink) {
    let word = shortened(element.tag_name().name());
    let known = words::EXPLICIT.iter().copied().chain(["SubTree"]);
    let help = suggest::did_you_mean(&word, known.clone(), || {
        Some(said!("allowed here: {}", suggest::listed(known)))
    });
    let message = said!("`<{}>` declares nothing in a model", word);
    sink.warning(Code::UnknownNode, tag(element), message)
        .with_perhaps(help);
}

fn is_port(element: &Node<'_, '_>) -> bool {
    matches!(
        element.tag_name().name(),
        "input_port" | "output_port" | "inout_port"
    )
}

fn ports(element: Node<'_, '_>) -> HashMap<String, PortModel> {
    let ports = element.children().filter(is_port);
    ports
        .filter_map(|port| {
            let name = port.attribute("name")?;
            let default = port.attribute("default").map(str::to_owned);
            let is_pointer =
                |text: &String| dialect::pointer(text, name, dialect::Version::Four).is_some();
            let model = PortModel {
                direction: match port.tag_name().name() {
                    "input_port" => Direction::In,
                    "output_port" => Direction::Out,
                    _ => Direction::Both,
                },
                ty: port.attribute("type").and_then(type_of),
                written: default.clone(),
                default: default.filter(|text| !is_pointer(text)),
            };
            Some((name.to_owned(), model))
        })
        .collect()
}

/// What the literals of a type of C++ are; `None` for types of the host.
fn type_of(name: &str) -> Option<Guess> {
    let name = name.trim().trim_start_matches("std::");
    Some(match name {
        "bool" => Guess::Bool,
        "int" | "unsigned" | "unsigned int" | "long" | "short" | "size_t" | "int8_t"
        | "int16_t" | "int32_t" | "int64_t" | "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t"
        | "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64" => {
            Guess::Int
        }
        "double" | "float" => Guess::Double,
        "string" => Guess::Text,
        _ => return None,
    })
}
