//! Names in state machines: states by their paths, events, and what states carry out.

use super::texts::words;
use super::walk::{Frame, Walk};
use super::{Role, SymbolId, SymbolKind};
use crate::check::What;
use crate::edit::entries::{first_text, property, property_text};
use crate::language::Spot;
use crate::syntax::{Node, Text, Value};
use std::collections::{HashMap, HashSet};

/// The states of one machine; 0 is the machine itself.
pub(super) struct States<'e> {
    file: usize,
    all: Vec<State<'e>>,
    by_name: HashMap<&'e str, Vec<usize>>,
    /// By where their nodes begin.
    by_start: HashMap<usize, usize>,
}

struct State<'e> {
    name: &'e str,
    parent: Option<usize>,
    symbol: Option<SymbolId>,
    /// It is disabled, or in one that is.
    is_out: bool,
}

impl<'e> States<'e> {
    /// Whether a state is another or lies in it.
    fn is_inside(&self, state: usize, outer: usize) -> bool {
        let mut at = Some(state);
        while let Some(state) = at {
            if state == outer {
                return true;
            }
            at = self.all[state].parent;
        }
        false
    }

    /// The state that a path means, seen from another, as checking finds it: of the states around that, the nearest
    /// that has it says; what lies directly in that comes first.
    fn find(&self, path: &str, from: usize) -> Option<usize> {
        self.found(path, from, false)
            .or_else(|| self.found(path, from, true))
    }

    fn found(&self, path: &str, from: usize, with_out: bool) -> Option<usize> {
        let mut names = path.rsplit('.');
        let all = self.by_name.get(names.next()?)?;
        let rest: Vec<&str> = names.collect();
        let fitting: Vec<usize> = all
            .iter()
            .copied()
            .filter(|state| (with_out || !self.all[*state].is_out) && self.has_path(*state, &rest))
            .collect();
        let mut around = Some(from);
        while let Some(outer) = around {
            let directly = |state: &&usize| self.all[**state].parent == Some(outer);
            if let Some(state) = fitting.iter().find(directly) {
                return Some(*state);
            }
            let mut inside = fitting
                .iter()
                .filter(|state| **state != outer && self.is_inside(**state, outer));
            match (inside.next(), inside.next()) {
                (None, _) => around = self.all[outer].parent,
                (Some(state), None) => return Some(*state),
                _ => return None,
            }
        }
        None
    }

    fn has_path(&self, state: usize, names: &[&str]) -> bool {
        let mut above = self.all[state].parent;
        for name in names {
            let Some(outer) = above.filter(|outer| self.all[*outer].name == *name) else {
                return false;
            };
            above = self.all[outer].parent;
        }
        true
    }

    /// The symbols of a state and of as many around it, the innermost first.
    fn upwards(&self, state: usize) -> impl Iterator<Item = Option<SymbolId>> + '_ {
        let mut at = Some(state);
        std::iter::from_fn(move || {
            let state = &self.all[at?];
            at = state.parent;
            Some(state.symbol)
        })
    }
}

impl<'e> Walk<'e> {
    /// Finds the states of all machines, and which decision trees their transitions decide with.
    pub(super) fn machine_states(&mut self) {
        for (number, file) in self.files.iter().enumerate() {
            let machines = file
                .nodes
                .iter()
                .filter(|node| node.name.value == "machine");
            for node in machines {
                self.states_of(number, node);
            }
        }
        // A decision tree that stands in another leads to the states of that.
        let mut more: Vec<(&'e str, &'e str)> = Vec::new();
        for ((what, name), (_, node)) in &self.definitions {
            if *what == What::Decision {
                let mut pending: Vec<&'e Node> = node.children().iter().collect();
                while let Some(node) = pending.pop() {
                    pending.extend(node.children());
                    if node.name.value == "decide" {
                        more.extend(first_text(node).map(|inner| (*name, inner.value.as_str())));
                    }
                }
            }
        }
        more.sort_unstable();
        let mut pending: Vec<&'e str> = self.deciders.keys().copied().collect();
        pending.sort_unstable();
        let mut seen: HashSet<(&str, &str)> = HashSet::new();
        while let Some(outer) = pending.pop() {
            for (_, inner) in more.iter().filter(|(holder, _)| *holder == outer) {
                if seen.insert((outer, inner)) {
                    let from = self.deciders.get(outer).cloned().unwrap_or_default();
                    let known = self.deciders.entry(inner).or_default();
                    known.extend(from);
                    known.sort_unstable();
                    known.dedup();
                    pending.push(inner);
                }
            }
        }
    }

    fn states_of(&mut self, file: usize, machine: &'e Node) {
        let name = first_text(machine).map_or("", |name| name.value.as_str());
        let mut states = States {
            file,
            all: vec![State {
                name,
                parent: None,
                symbol: self.names.find(SymbolKind::Machine, None, name),
                is_out: false,
            }],
            by_name: HashMap::new(),
            by_start: HashMap::from([(machine.span.start, 0)]),
        };
        let number = self.machines.len();
        let mut pending: Vec<(&'e Node, usize)> = vec![(machine, 0)];
        while let Some((block, parent)) = pending.pop() {
            let first_new = pending.len();
            for node in block.children() {
                match node.name.value.as_str() {
                    "state" | "parallel" => {
                        let name = first_text(node).map_or("", |name| name.value.as_str());
                        let disabled = property(node, "disabled");
                        let home = Some((file, node.span.start));
                        let symbol = self.names.symbol(SymbolKind::State, home, name);
                        let index = states.all.len();
                        let is_out = states.all[parent].is_out
                            || disabled.is_some_and(|entry| entry.value == Value::Bool(true));
                        states.all.push(State {
                            name,
                            parent: Some(parent),
                            symbol: Some(symbol),
                            is_out,
                        });
                        states.by_name.entry(name).or_default().push(index);
                        states.by_start.insert(node.span.start, index);
                        pending.push((node, index));
                    }
                    "transition" => {
                        if let Some(decision) = property_text(node, "decide") {
                            let known = self.deciders.entry(&decision.value).or_default();
                            known.push((number, parent));
                        }
                    }
                    _ => {}
                }
            }
            pending[first_new..].reverse();
        }
        self.machines.push(states);
    }

    /// The machine of a definition.
    pub(super) fn machine(&mut self, node: &'e Node) {
        let start = node.span.start;
        let here = |machine: &States<'_>| {
            machine.file == self.file && machine.by_start.get(&start) == Some(&0)
        };
        if let Some(number) = self.machines.iter().position(here) {
            self.state_block(node, number);
        }
    }

    /// What stands in a state, or in the machine.
    fn state_block(&mut self, block: &'e Node, number: usize) {
        let Some(index) = self.machines[number]
            .by_start
            .get(&block.span.start)
            .copied()
        else {
            return;
        };
        for node in block.children() {
            match node.name.value.as_str() {
                "state" | "parallel" => {
                    if let Some(name) = first_text(node) {
                        let home = Some((self.file, node.span.start));
                        let symbol = self.names.symbol(SymbolKind::State, home, &name.value);
                        self.whole(name, vec![symbol], Role::DECLARES);
                    }
                    self.line(node, Spot::State.word(&node.name.value));
                    self.state_block(node, number);
                }
                "initial" => {
                    if let Some(name) = first_text(node) {
                        self.paths(name, number, index);
                    }
                }
                "defer" => {
                    for entry in &node.entries {
                        if let Value::Text(text) = &entry.value {
                            self.events(text);
                        }
                    }
                }
                "entry" | "exit" | "do" => self.tasks(node),
                "transition" => self.transition(node, number, index),
                _ => {}
            }
        }
    }

    fn transition(&mut self, node: &'e Node, number: usize, source: usize) {
        for target in ["to", "push"] {
            if let Some(path) = property_text(node, target) {
                self.paths(path, number, source);
            }
        }
        let mut frame = Frame::new();
        if let Some(on) = property_text(node, "on") {
            let mut events = self.events(on);
            events.sort_unstable();
            events.dedup();
            if let [event] = events[..] {
                let home = Some((usize::MAX, event));
                let symbols = self.names.symbols.iter().enumerate();
                let params =
                    symbols.filter(|(_, one)| one.kind == SymbolKind::Param && one.home == home);
                frame = params
                    .map(|(id, one)| (format!("event.{}", one.name), vec![id]))
                    .collect();
            }
        }
        self.frames.push(frame);
        self.line(node, Spot::State.word(&node.name.value));
        for child in node.children() {
            if child.name.value == "when" {
                self.tests(child);
            } else {
                self.task(child);
            }
        }
        self.frames.pop();
    }

    /// The conditions of a transition.
    fn tests(&mut self, node: &'e Node) {
        for child in node.children() {
            match child.name.value.as_str() {
                "all" | "any" | "not" => self.tests(child),
                _ => self.task(child),
            }
        }
    }

    /// The states that a text names, seen from one.
    fn paths(&mut self, text: &'e Text, number: usize, from: usize) {
        for (path, at) in words(&text.value) {
            let Some(state) = self.machines[number].find(path, from) else {
                continue;
            };
            let symbols: Vec<Option<SymbolId>> = self.machines[number].upwards(state).collect();
            let mut end = at + path.len();
            for (part, symbol) in path.rsplit('.').zip(symbols) {
                let said = end - part.len()..end;
                end = said.start.saturating_sub(1);
                let symbol = symbol.into_iter().collect();
                self.names
                    .note(self.source(), text, said, symbol, Role::READS);
            }
        }
    }

    /// The states that a leaf of a decision tree leads to, in all machines that decide with it.
    pub(super) fn led_to(&mut self, decision: &str, text: &'e Text) {
        let from = self.deciders.get(decision).cloned().unwrap_or_default();
        for (path, at) in words(&text.value) {
            let parts = path.rsplit('.').count();
            let mut symbols: Vec<Vec<SymbolId>> = vec![Vec::new(); parts];
            for (number, source) in &from {
                let machine = &self.machines[*number];
                let Some(state) = machine.find(path, *source) else {
                    continue;
                };
                for (symbols, symbol) in symbols.iter_mut().zip(machine.upwards(state)) {
                    symbols.extend(symbol.filter(|symbol| !symbols.contains(symbol)));
                }
            }
            let mut end = at + path.len();
            for (part, symbols) in path.rsplit('.').zip(symbols) {
                let said = end - part.len()..end;
                end = said.start.saturating_sub(1);
                self.names
                    .note(self.source(), text, said, symbols, Role::READS);
            }
        }
    }
}
