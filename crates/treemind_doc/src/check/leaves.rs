//! `leaves`: the conditions, actions, sensors and events that the game provides.

use super::declare::{Declared, duplicate, expression_name, is_new, plain_name};
use super::leaf::called;
use super::line::Line;
use super::list_keys::single_parameter;
use super::reading::finish_in;
use super::{Checker, Shared, stranger};
use crate::code::Code;
use crate::expression::{SymbolId, is_function};
use crate::language::{self, Spot};
use crate::syntax::{Node, Span, Text, Value as Written, shortened};
use crate::{Said, said};
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use treemind_core::LeafId;
use treemind_core::behaviour::{Leaf, LeafKind, Param};
use treemind_core::society::{SharedKind, declared_event};

/// How many parameters a leaf may have. Every node that uses the leaf has an argument for each parameter. Without a
/// limit, a short document could ask for any amount of memory.
const MAX_PARAMS: usize = 64;

/// The leaves of a document.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub(super) all: Vec<Leaf>,
    spans: Vec<Span>,
    /// One per leaf: the symbols of its parameters.
    pub(super) symbols: Vec<Vec<SymbolId>>,
    /// Leaves with a mistake in their parameters: their uses cannot be checked.
    broken: HashSet<LeafId>,
    ids: HashMap<String, LeafId>,
    /// The names of leaves that have a number.
    pub(super) numbers: HashMap<u32, String>,
}

impl Deref for Leaves {
    type Target = [Leaf];

    fn deref(&self) -> &[Leaf] {
        &self.all
    }
}

impl Leaves {
    pub(super) fn find(&self, name: &str) -> Option<LeafId> {
        self.ids.get(name).copied()
    }

    pub(super) fn named(&self, name: &str) -> Option<&Leaf> {
        Some(&self.all[self.find(name)?.index()])
    }

    /// The events among them.
    pub(super) fn events(&self) -> Vec<(LeafId, Leaf)> {
        let all = self.all.iter().enumerate();
        let events = all.filter(|(_, leaf)| leaf.kind == LeafKind::Event);
        events
            .map(|(index, leaf)| (LeafId::new(index), leaf.clone()))
            .collect()
    }

    /// The measures among them whose parameters are sound.
    pub(super) fn measures(&self) -> Vec<(LeafId, Leaf)> {
        let all = self.all.iter().enumerate();
        let all = all.map(|(index, leaf)| (LeafId::new(index), leaf));
        let measures = all.filter(|(id, leaf)| {
            leaf.kind == LeafKind::Measure && !self.is_broken(*id) && !leaf.params.is_empty()
        });
        measures.map(|(id, leaf)| (id, leaf.clone())).collect()
    }

    pub(super) fn is_broken(&self, leaf: LeafId) -> bool {
        self.broken.contains(&leaf)
    }
}

impl Checker<'_> {
    /// The events that go to other agents, or that something waits for.
    pub(super) fn shared_events(&self) -> Vec<Shared> {
        let events = self.scope.events.iter();
        let shared = events.map(|(id, event)| Shared {
            is_sent: self.sent_events.contains(id),
            is_awaited: self.awaited_events.contains(id) || self.scope.asks_about(*id),
            ..Shared::new(
                &self.leaves.spans[id.index()],
                (SharedKind::Event, &event.name),
                declared_event(&self.scope.enums, event),
            )
        });
        shared.filter(|one| one.is_sent || one.is_awaited).collect()
    }

    /// `leaves { condition …; action …; sensor …; event …; }`
    pub(super) fn leaves(&mut self, node: &Node) {
        let line = Line::new(node, self.sink);
        line.no_values(self.sink);
        finish_in(line, Spot::Top, self.sink);
        for child in node.children() {
            if self.sink.is_full() {
                return;
            }
            match child.name.value.as_str() {
                word if Spot::Leaves.has(word) => self.leaf(child),
                _ => stranger(
                    child,
                    &said!("in a list of leaves"),
                    &Spot::Leaves.list(),
                    self.sink,
                ),
            }
        }
    }

    fn leaf(&mut self, node: &Node) {
        let word = node.name.value.as_str();
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the {}", called(word)), self.sink);
        line.only_name(self.sink);
        let doc = line.doc(self.sink);
        let kind = self.leaf_kind(&mut line);
        let number =
            self.leaves
                .leaf_number(&mut line, name.map_or("", |name| &name.value), self.sink);
        let params = self.params(node, &mut line);
        let params = params.filter(|params| self.is_called(node, name, params));
        finish_in(line, Spot::Leaves, self.sink);
        let Some(name) = name.filter(|name| plain_name(name, &called(word), self.sink)) else {
            return;
        };
        if let Some(first) = self.leaves.find(&name.value) {
            let first = self.leaves.spans[first.index()].clone();
            duplicate(name, &said!("leaves"), &first, self.sink);
            return;
        }
        let id = LeafId::new(self.leaves.len());
        if params.is_none() {
            self.leaves.broken.insert(id);
        }
        self.leaves.ids.insert(name.value.clone(), id);
        self.leaves.spans.push(name.span.clone());
        let (params, symbols) = params.unwrap_or_default().into_iter().unzip();
        self.leaves.all.push(Leaf {
            name: name.value.clone(),
            kind,
            params,
            number,
            doc,
        });
        self.leaves.symbols.push(symbols);
    }

    /// Whether expressions can call a leaf, if it is a measure.
    fn is_called(
        &mut self,
        node: &Node,
        name: Option<&Text>,
        params: &[(Param, SymbolId)],
    ) -> bool {
        let Some(name) = name.filter(|_| node.name.value == "measure") else {
            return true;
        };
        let called = name.value.replace('-', "_");
        if is_function(&called) {
            let message = said!("`{}` is a function already", called);
            self.sink.error(Code::BadName, name.span.clone(), message);
            return false;
        }
        if params.is_empty() && node.children().is_empty() {
            let message = said!("a measure needs a parameter: the candidate");
            self.sink
                .error(Code::MissingParameter, name.span.clone(), message)
                .with_help(said!("write `{ param of type=vec2; }`"));
            return false;
        }
        true
    }

    /// Reads `by-key=` of a parameter: only leaves that nodes use can be given a key.
    fn by_key(&mut self, leaf: &Node, line: &mut Line<'_>, what: &Said) -> bool {
        let entry = line.node.entry("by-key");
        let by_key = line.flag("by-key", self.sink);
        if let Some(entry) = entry.filter(|_| by_key)
            && matches!(leaf.name.value.as_str(), "sensor" | "event" | "measure")
        {
            let kind = super::declare::with_article(&called(&leaf.name.value));
            let message = said!(
                "{} cannot be given a key itself: it belongs to {}",
                what,
                kind
            );
            self.sink
                .error(Code::UnknownProperty, entry.span.clone(), message);
            return false;
        }
        by_key
    }

    /// Reads `param NAME type=…` below a leaf; `None` when a parameter has a mistake. It is an easy slip to write a
    /// parameter as a property of the leaf.
    fn params(&mut self, node: &Node, line: &mut Line<'_>) -> Option<Vec<(Param, SymbolId)>> {
        for (name, entry) in line.unread() {
            let word = name.value.as_str();
            let is_type = matches!(&entry.value, Written::Text(text) if language::TYPES.contains(&text.value.as_str()));
            if is_type {
                line.take(word);
                let message = said!(
                    "declare a parameter in the leaf's block, not as `{}=`",
                    shortened(word)
                );
                self.sink
                    .error(Code::UnknownProperty, entry.span.clone(), message)
                    .with_help(said!("write `{ param {} type=…; }`", shortened(word)));
            }
        }
        let mut params: Vec<(Param, SymbolId)> = Vec::new();
        let mut seen = HashMap::new();
        let mut well = true;
        for (index, child) in node.children().iter().enumerate() {
            if index == MAX_PARAMS {
                let message = said!("a leaf has at most {} parameters", MAX_PARAMS);
                self.sink.error(Code::TooLarge, child.span.clone(), message);
                return None;
            }
            if child.name.value != "param" {
                stranger(
                    child,
                    &said!("in the block of a leaf"),
                    &Spot::LeafBlock.list(),
                    self.sink,
                );
                well = false;
                continue;
            }
            let mut line = Line::new(child, self.sink);
            let name = line.name(&said!("the parameter"), self.sink);
            line.only_name(self.sink);
            let doc = line.doc(self.sink);
            let what = name.map_or(said!("the parameter"), |name| {
                said!("parameter `{}`", shortened(&name.value))
            });
            let is_single = single_parameter(&mut line, &what, self.sink);
            let by_key = self.by_key(node, &mut line, &what);
            let declared = self.declared(&mut line, &what);
            finish_in(line, Spot::LeafBlock, self.sink);
            let (Some(name), Some(Declared { ty, default, .. }), true) =
                (name, declared, is_single)
            else {
                well = false;
                continue;
            };
            if !expression_name(name, &said!("parameter"), self.sink) {
                well = false;
            } else if is_new(&mut seen, name, &said!("parameters"), self.sink) {
                let param = Param {
                    name: name.value.clone(),
                    ty,
                    default,
                    by_key,
                    doc,
                };
                let symbols = self.scope.sites.at(&name.value).iter();
                params.extend(symbols.map(|symbol| (param.clone(), *symbol)));
            }
        }
        well.then_some(params)
    }
}
