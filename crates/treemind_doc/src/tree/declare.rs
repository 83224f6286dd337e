//! The declarations that a tree in code may refer to.

use super::Node;
use super::write::{Place, write, write_named};
use crate::document::Document;
use crate::document::manifest::{
    LeafEntry, LeafWord, Manifest, ParamEntry, ParamType, ParamValue, write_value,
};
use crate::syntax::write::{quoted, word};
use std::collections::BTreeMap;

/// No parameters, for [`Declarations::action`] and similar methods.
pub const NO_PARAMS: [(&str, ParamValue); 0] = [];

/// The leaves, keys and trees that a tree in code may name.
///
/// Leaves come from a [`Manifest`] of a registry or a document, or are declared one by one. Keys and other trees
/// are declared one by one too, or everything comes from a [`Document`].
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    manifest: Manifest,
    keys: Vec<(String, ParamType, ParamValue)>,
    trees: Vec<(String, Node)>,
    machines: Vec<(String, Node)>,
    decisions: Vec<(String, Node)>,
    /// The files of documents, by their names.
    files: BTreeMap<String, String>,
    imports: Vec<String>,
}

impl Declarations {
    /// No declarations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the leaves of a manifest.
    #[must_use]
    pub fn manifest(mut self, manifest: &Manifest) -> Self {
        self.manifest.leaves.extend(manifest.leaves.iter().cloned());
        self
    }

    /// Adds everything that a document declares: its leaves, keys and trees. From a document in the XML of
    /// BehaviorTree.CPP, only its leaves are added.
    #[must_use]
    pub fn document(mut self, document: &Document) -> Self {
        if !document.format().is_native() {
            return self.manifest(&document.manifest());
        }
        for (index, source) in document.sources().enumerate() {
            let name = crate::document::normal(source.name());
            if index == 0 && !self.imports.contains(&name) {
                self.imports.push(name.clone());
            }
            self.files.insert(name, source.text().to_owned());
        }
        self
    }

    /// Adds a condition without parameters; conditions with parameters come from a [`manifest`](Self::manifest).
    #[must_use]
    pub fn condition(self, name: &str) -> Self {
        self.leaf(name, LeafWord::Condition, NO_PARAMS)
    }

    /// Adds an action with parameters and their defaults.
    #[must_use]
    pub fn action<V: Into<ParamValue>>(
        self,
        name: &str,
        params: impl IntoIterator<Item = (&'static str, V)>,
    ) -> Self {
        self.leaf(name, LeafWord::Action, params)
    }

    /// Adds an event without parameters, for machines; events with parameters come from a [`manifest`](Self::manifest).
    #[must_use]
    pub fn event(self, name: &str) -> Self {
        self.leaf(name, LeafWord::Event, NO_PARAMS)
    }

    fn leaf<V: Into<ParamValue>>(
        mut self,
        name: &str,
        kind: LeafWord,
        params: impl IntoIterator<Item = (&'static str, V)>,
    ) -> Self {
        let params = params.into_iter().map(|(name, default)| {
            let default = default.into();
            ParamEntry {
                name: name.to_owned(),
                ty: default.ty(),
                default: Some(default),
                by_key: false,
                doc: None,
            }
        });
        self.manifest.leaves.push(LeafEntry {
            params: params.collect(),
            ..LeafEntry::plain(name, kind)
        });
        self
    }

    /// Adds a key, of the type of its default.
    #[must_use]
    pub fn key(mut self, name: &str, default: impl Into<ParamValue>) -> Self {
        let default = default.into();
        self.keys.push((name.to_owned(), default.ty(), default));
        self
    }

    /// Adds a key of type `enum`.
    #[must_use]
    pub fn choice(mut self, name: &str, values: &[&str], default: &str) -> Self {
        let values = values.iter().map(|&value| value.to_owned()).collect();
        let default = ParamValue::Name(default.to_owned());
        self.keys
            .push((name.to_owned(), ParamType::Enum(values), default));
        self
    }

    /// Adds a tree, for `subtree`.
    #[must_use]
    pub fn tree(mut self, name: &str, root: Node) -> Self {
        self.trees.push((name.to_owned(), root));
        self
    }

    /// Adds a state machine, for [`machine`](super::machine()); its parts are built with [`states`](super::states).
    #[must_use]
    pub fn machine(mut self, name: &str, machine: Node) -> Self {
        self.machines.push((name.to_owned(), machine));
        self
    }

    /// Adds a decision tree, for [`decide`](super::decide()) and [`transition_by`](super::states::transition_by); its
    /// tests are built with [`decisions`](super::decisions).
    #[must_use]
    pub fn decide(mut self, name: &str, decision: Node) -> Self {
        self.decisions.push((name.to_owned(), decision));
        self
    }

    /// All declarations as the beginning of a document, and the places of machines and decision trees in it.
    pub(super) fn text(&self) -> (String, Vec<Place>) {
        let mut out = String::new();
        for import in &self.imports {
            out.push_str("import ");
            quoted(import, &mut out);
            out.push('\n');
        }
        out.push_str(&self.manifest.to_kdl());
        out.push_str("blackboard {\n");
        for (name, ty, default) in &self.keys {
            out.push_str("    key ");
            word(name, &mut out);
            out.push_str(" type=");
            out.push_str(ty.keyword());
            out.push_str(" default=");
            write_value(default, &mut out);
            if let ParamType::Enum(values) = ty {
                out.push_str(" { value");
                for value in values {
                    out.push(' ');
                    word(value, &mut out);
                }
                out.push_str("; }");
            }
            out.push('\n');
        }
        out.push_str("}\n");
        let mut places = Vec::new();
        for (name, root) in &self.trees {
            write_named(name, root, &mut out);
        }
        for (name, node) in self.machines.iter().chain(&self.decisions) {
            let node = node.clone().named(name);
            write(&node, &mut places, &mut out);
        }
        (out, places)
    }

    /// A file of a document.
    pub(super) fn file(&self, path: &str) -> Result<Vec<u8>, &'static str> {
        let text = self.files.get(path).ok_or("it is not there")?;
        Ok(text.clone().into_bytes())
    }
}
