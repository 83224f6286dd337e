//! `interrupt` and `interruptible`: which node cuts off which.

use super::declare::plain_name;
use super::definition_graph::DefinitionGraph;
use super::line::{Line, quoted};
use super::{Checker, Definition, DefinitionKind};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::suggest;
use crate::syntax::{Span, shortened};
use std::collections::{BTreeMap, HashMap, HashSet};
use treemind_core::LabelId;

/// The labels of a tree and of all trees that it holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) names: Vec<String>,
    ids: HashMap<String, LabelId>,
    interrupts: Vec<(LabelId, Span)>,
    interruptibles: Vec<(LabelId, Span)>,
}

impl Labels {
    fn id(&mut self, name: &str) -> LabelId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = LabelId::new(self.names.len());
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }
}

impl Checker<'_> {
    /// The label of `interruptible LABEL { CHILD }`.
    pub(super) fn interruptible(&mut self, line: &Line<'_>) -> Option<LabelId> {
        let name = line.name(&said!("a label"), self.sink);
        line.only_name(self.sink);
        let name = name.filter(|name| plain_name(name, &said!("label"), self.sink))?;
        let label = self.own_labels.id(&name.value);
        let span = line.node.span.clone();
        self.own_labels.interruptibles.push((label, span));
        Some(label)
    }

    /// The label of `interrupt LABEL`.
    pub(super) fn interrupted(&mut self, line: &Line<'_>) -> Option<LabelId> {
        let name = line.name(&said!("a label"), self.sink);
        line.only_name(self.sink);
        let name = name?;
        if !self.labels.contains(&name.value) {
            let word = shortened(&name.value);
            let labels = self.labels.iter().map(String::as_str);
            let help = suggest::among(&word, said!("the labels"), labels, || {
                let written = quoted(&name.value);
                Some(said!(
                    "wrap the node to cut off in `interruptible {} { … }`",
                    written
                ))
            });
            let message = said!("unknown label `{}`", word);
            self.sink
                .error(Code::UnknownLabel, name.span.clone(), message)
                .with_perhaps(help);
            return None;
        }
        let label = self.own_labels.id(&name.value);
        let span = name.span.clone();
        self.own_labels.interrupts.push((label, span));
        Some(label)
    }
}

/// Reports an `interrupt` whose target is in another tree, and an `interruptible` that nothing interrupts. In a tree
/// that others hold, the other half may be in one of those trees.
pub(super) fn judge<'d>(
    definitions: impl Iterator<Item = (DefinitionKind, &'d Definition)>,
    graph: &DefinitionGraph<'_>,
    main: Option<&(DefinitionKind, String)>,
    sink: &mut Sink,
) {
    let held = graph.by_others();
    let mut told: HashSet<usize> = HashSet::new();
    let mut unmoved: BTreeMap<usize, (&Span, &str)> = BTreeMap::new();
    let mut reached: HashSet<usize> = HashSet::new();
    for (what, tree) in definitions {
        let labels = &tree.synchronization.labels;
        let can: HashSet<LabelId> = ids(&labels.interruptibles);
        let does: HashSet<LabelId> = ids(&labels.interrupts);
        for (label, span) in &labels.interruptibles {
            if does.contains(label) {
                reached.insert(span.start);
            } else {
                unmoved.insert(span.start, (span, &labels.names[label.index()]));
            }
        }
        let index = graph.named(what, &tree.name);
        let is_alone = index.is_none_or(|index| !held.contains(&index));
        let is_main = main.is_some_and(|main| main.0 == what && main.1 == tree.name);
        if !is_alone && !is_main {
            continue;
        }
        for (label, span) in &labels.interrupts {
            if can.contains(label) || !told.insert(span.start) {
                continue;
            }
            let name = shortened(&labels.names[label.index()]);
            let message = said!(
                "when `{}` runs, no `interruptible` has the label `{}`",
                shortened(&tree.name),
                name
            );
            sink.error(Code::UnknownLabel, span.clone(), message)
                .with_help(said!("include the tree that contains that `interruptible`"));
        }
    }
    for (start, (span, name)) in unmoved {
        if !reached.contains(&start) {
            let message = said!("nothing interrupts `{}`", shortened(name));
            sink.warning(Code::NeverInterrupted, span.clone(), message)
                .with_help(said!(
                    "add `interrupt {}` in another part of the tree, or remove this node",
                    quoted(name)
                ));
        }
    }
}

fn ids(places: &[(LabelId, Span)]) -> HashSet<LabelId> {
    places.iter().map(|(label, _)| *label).collect()
}
