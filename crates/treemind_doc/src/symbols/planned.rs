//! The names in planners: goals, tasks and steps.

use super::walk::{Lookup, Walk};
use super::{Home, Role, SymbolId, SymbolKind};
use crate::language::{Named, Shape, Spot, Word, node_word};
use crate::syntax::{Node, Text};
use std::collections::HashSet;

/// What names in a planner stand for.
#[derive(Default)]
pub(super) struct Planned<'e> {
    /// The steps, each with its name: that of a node, or of what it runs.
    steps: Vec<(&'e str, Step)>,
    /// The planners whose steps and tasks it uses.
    uses: Vec<&'e str>,
}

#[derive(Clone, Copy)]
struct Step {
    kind: SymbolKind,
    home: Home,
    /// It is in an `each`: names of its steps go on with `-` and the value.
    is_repeated: bool,
}

/// The name of a step, and whether it is a `name=`; without one it is called like what it runs.
pub(crate) fn step_name(node: &Node) -> Option<(&Text, bool)> {
    if let Some(name) = node.property_text("name") {
        return Some((name, true));
    }
    ran(node).map(|(name, _)| (name, false))
}

/// Whether a name is that of a step in an `each`, with `-` and a value behind it.
fn repeated(name: &str, step: &str) -> bool {
    let rest = name.strip_prefix(step);
    rest.is_some_and(|rest| {
        rest.strip_prefix('-')
            .is_some_and(|value| !value.is_empty())
    })
}

/// What a node runs: the leaf or definition that its line names.
fn ran(node: &Node) -> Option<(&Text, Named)> {
    let named = runs(&node.name.value)?;
    Some((node.first_text()?, named))
}

/// What the line of a node with this word names, if the node runs it. A step is called like that; the values of other nodes
/// name nothing that a step could be called by.
pub(crate) fn runs(word: &str) -> Option<Named> {
    match node_word(word)?.value?.shape() {
        Shape::Names(
            named @ (Named::Leaf | Named::Tree | Named::Machine | Named::Decision | Named::Planner),
        ) => Some(named),
        _ => None,
    }
}

impl<'e> Walk<'e> {
    /// The block of a planner.
    pub(super) fn planner(&mut self, planner: &'e Node) {
        let mut planned = Planned::default();
        for node in planner.children() {
            self.within_node(node, |walk| walk.planned_node(node, &mut planned));
        }
        self.planners.insert(self.home, planned);
    }

    /// The steps of an `each`: only its block speaks of the value.
    fn each(&mut self, node: &'e Node, row: &'static Word, planned: &mut Planned<'e>) {
        self.line(node, Some(row));
        let steps = |walk: &mut Self, planned: &mut Planned<'e>| {
            let before = planned.steps.len();
            for child in node.children() {
                walk.within_node(child, |walk| walk.planned_node(child, planned));
            }
            planned.steps[before..]
                .iter_mut()
                .for_each(|(_, step)| step.is_repeated = true);
        };
        let Some(name) = node.first_text() else {
            return steps(self, planned);
        };
        let of = self.item(
            name,
            node,
            node.property_text("of").map(|of| of.value.as_str()),
        );
        self.within(self.at(node), of, |walk| steps(walk, planned));
    }

    fn planned_node(&mut self, node: &'e Node, planned: &mut Planned<'e>) {
        let Some(row) = Spot::Planner.word(&node.name.value) else {
            if !self.is_disabled
                && let Some((name, is_own)) = step_name(node)
            {
                let step = match ran(node) {
                    Some((_, named)) if !is_own => SymbolKind::of(named).map(|kind| Step {
                        kind,
                        home: Home::Everywhere,
                        is_repeated: false,
                    }),
                    _ => Some(Step {
                        kind: SymbolKind::NodeName,
                        home: self.at(node),
                        is_repeated: false,
                    }),
                };
                planned
                    .steps
                    .extend(step.map(|step| (name.value.as_str(), step)));
            }
            return self.task(node);
        };
        if row.name == "each" {
            return self.each(node, row, planned);
        }
        self.line(node, Some(row));
        if row.name == "use" {
            let used = node.first_text().filter(|_| !self.is_disabled);
            planned.uses.extend(used.map(|used| used.value.as_str()));
        }
        for child in node.children() {
            match Spot::Method.word(&child.name.value) {
                Some(method) => self.within_node(child, |walk| walk.line(child, Some(method))),
                None => self.task(child),
            }
        }
    }

    /// What a name in a method stands for: a task of the planner at `home` or of a planner that it uses, or a step.
    /// Elsewhere, the only task or step with that name.
    pub(super) fn planned(&self, home: Home, name: &str) -> Option<SymbolId> {
        let Some(planner) = self.planners.get(&home) else {
            return self.only(|home| self.planned_by(home, name));
        };
        let mut seen = HashSet::new();
        let mut pending = vec![(home, planner)];
        while let Some((home, planner)) = pending.pop() {
            if !seen.insert(home) {
                continue;
            }
            if let Some(found) = self.planned_by(home, name) {
                return Some(found);
            }
            let used = planner.uses.iter().rev();
            let used = used.filter_map(|name| self.definitions.get(&(SymbolKind::Planner, *name)));
            pending.extend(used.filter_map(|home| Some((*home, self.planners.get(home)?))));
        }
        None
    }

    /// What a name in a trace means. In the planner at `home`, its own steps come first. Elsewhere, a step of an `each` is
    /// found only by its name with a value, after everything else.
    pub(super) fn traced_in(&self, home: Home, name: &str) -> Option<SymbolId> {
        let planned = || {
            let found = self.planned(home, name);
            found.filter(|id| self.symbols[*id].kind != SymbolKind::Task)
        };
        if self.planners.contains_key(&home) {
            return planned().or_else(|| self.traced(home, name));
        }
        let with_value = || planned().filter(|id| self.symbols[*id].name != name);
        self.traced(home, name).or_else(with_value)
    }

    /// The goal with that name of the planner at `home`; elsewhere, the only goal with that name.
    pub(super) fn goal(&self, home: Home, name: &str) -> Option<SymbolId> {
        if self.planners.contains_key(&home) {
            return self.symbols.find(SymbolKind::Goal, home, name);
        }
        self.only(|home| self.symbols.find(SymbolKind::Goal, home, name))
    }

    fn planned_by(&self, home: Home, name: &str) -> Option<SymbolId> {
        if let Some(task) = self.symbols.find(SymbolKind::Task, home, name) {
            return Some(task);
        }
        let steps = &self.planners.get(&home)?.steps;
        let mut plain = steps.iter().filter(|(_, step)| !step.is_repeated);
        let exact = plain.find(|(own, _)| *own == name);
        // Of `go` and `go-on`, the longer one goes on as `go-on-mill`.
        let with_value = || {
            let all = steps.iter().filter(|(_, step)| step.is_repeated);
            all.filter(|(own, _)| repeated(name, own))
                .max_by_key(|(own, _)| own.len())
        };
        let (own, step) = exact.or_else(with_value)?;
        self.symbols.find(step.kind, step.home, own)
    }

    /// What is found in one of the planners, if it is the same in all in which something is found.
    fn only(&self, find: impl Fn(Home) -> Option<SymbolId>) -> Option<SymbolId> {
        let mut found = self.planners.keys().filter_map(|home| find(*home));
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    /// `plan=`, `goal=` or `no-plan=` of a test, with the planner that runs if it is one.
    pub(super) fn planned_words(&mut self, text: &'e Text, named: Named) {
        for (word, at) in crate::names::words(&text.value) {
            let to = match named {
                Named::Goal => Lookup::Goal(self.home),
                _ => Lookup::Planned(self.home),
            };
            self.note(text, at..at + word.len(), Role::READS, to);
        }
    }
}
