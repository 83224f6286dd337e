//! The names in tests. Tests do not count as uses of keys: a key that only a test reads is unused.

use super::walk::{Definition, Lookup, ScopeOf, Walk, runs_of};
use super::{Home, Role, SymbolId, SymbolKind};
use crate::language::{Shape, Spot};
use crate::syntax::{Node, Text, Value};

impl<'e> Walk<'e> {
    /// Remembers what `main` or an archetype runs.
    pub(super) fn note_runs(&mut self, node: &'e Node) {
        let Some(runs) = runs_of(node) else {
            return;
        };
        match (node.name.value.as_str(), node.first_text()) {
            ("main", _) => self.main = self.main.or(Some(runs)),
            ("archetype", Some(name)) => {
                self.archetypes.entry(&name.value).or_insert(runs);
            }
            _ => {}
        }
    }

    /// `test NAME tree=TREE { … }`
    pub(super) fn test_of_document(&mut self, node: &'e Node) {
        let archetype = node.property_text("archetype");
        let archetype = archetype.and_then(|name| self.archetypes.get(name.value.as_str()));
        let runs = runs_of(node).or(archetype.copied()).or(self.main);
        let row = Spot::Top.word(&node.name.value);
        for entry in &node.entries {
            if let (Some(name), Value::Text(text)) = (&entry.name, &entry.value)
                && let Some(Shape::Names(named)) = row.and_then(|row| row.shape(&name.value))
                && let Some(kind) = SymbolKind::of(named)
            {
                self.whole(text, Role::READS, Lookup::Known(kind, Home::Everywhere));
            }
        }
        let outer = std::mem::replace(&mut self.is_disabled, true);
        if let Some(home) = runs.and_then(|runs| self.definitions.get(&runs)) {
            self.home = *home;
        }
        let work = |walk: &mut Self| {
            for step in node.children() {
                walk.test_step(step, runs, Spot::Test);
            }
        };
        match runs.and_then(|runs| Some((runs, *self.definitions.get(&runs)?))) {
            Some((runs, home)) => self.within(home, ScopeOf::Definition(runs), work),
            None => work(self),
        }
        self.is_disabled = outer;
        self.home = Home::Everywhere;
    }

    fn test_step(&mut self, node: &'e Node, runs: Option<Definition<'e>>, spot: Spot) {
        match node.name.value.as_str() {
            "given" => {
                for name in node.entries.iter().filter_map(|entry| entry.name.as_ref()) {
                    self.whole(name, Role::STARTS, Lookup::Given(runs));
                }
            }
            "table" => self.cases(node, runs),
            word => {
                self.line(node, spot.word(word));
                for inner in node.children() {
                    self.test_step(inner, runs, Spot::Random);
                }
            }
        }
    }

    /// The columns of a table, which are keys and leaves, and the names that it expects.
    fn cases(&mut self, table: &'e Node, runs: Option<Definition<'e>>) {
        let texts = |node: &'e Node| -> Vec<Option<&'e Text>> {
            let values = node.entries.iter().filter(|entry| entry.name.is_none());
            let text = |value: &'e Value| match value {
                Value::Text(text) => Some(text),
                _ => None,
            };
            values.map(|entry| text(&entry.value)).collect()
        };
        let columns = texts(table);
        let is_expected = |column: &Option<&Text>| column.is_some_and(|one| one.value == "expect");
        let asked = columns.iter().filter(|column| !is_expected(column));
        for column in asked.flatten() {
            self.whole(column, Role::STARTS, Lookup::Given(runs));
            self.whole(column, Role::READS, Lookup::Traced(self.home));
        }
        for row in table.children() {
            for (column, cell) in columns.iter().zip(texts(row)) {
                if let (true, Some(cell)) = (is_expected(column), cell) {
                    self.whole(cell, Role::READS, Lookup::Traced(self.home));
                }
            }
        }
    }

    /// What traces of the definition at `home` call by a name: a leaf; otherwise the only node or state with that name, those
    /// of the definition itself first.
    pub(super) fn traced(&self, home: Home, name: &str) -> Option<SymbolId> {
        let named = self.symbols.by_name.get(name)?;
        if let Some(leaf) = named.get(&(SymbolKind::Leaf, Home::Everywhere)) {
            return Some(*leaf);
        }
        let of = |(kind, _): &(SymbolKind, Home)| {
            matches!(kind, SymbolKind::NodeName | SymbolKind::State)
        };
        let found = named.iter().filter(|(at, _)| of(at));
        self.only_traced(home, found.map(|(_, id)| *id))
    }

    /// The states of a path in such a trace, the last one first; in each part, the only one that it may mean.
    pub(super) fn traced_path(&self, home: Home, path: &str) -> Option<Vec<Vec<SymbolId>>> {
        if !path.contains('.') {
            return None;
        }
        let mut parts: Vec<Vec<SymbolId>> = vec![Vec::new(); path.split('.').count()];
        for (states, ids) in &self.machines {
            for end in states.ending(path) {
                for (part, state) in parts.iter_mut().zip(states.upwards(end)) {
                    part.extend(state.checked_sub(1).map(|state| ids[state]));
                }
            }
        }
        if parts.iter().all(Vec::is_empty) {
            // While the states of a machine are moved, only their names are still right.
            for (part, name) in parts.iter_mut().zip(path.rsplit('.')) {
                let named = self.symbols.by_name.get(name).into_iter().flatten();
                let states = named.filter(|((kind, _), _)| *kind == SymbolKind::State);
                part.extend(states.map(|(_, id)| *id));
            }
        }
        let only = parts.into_iter().map(|mut part| {
            part.sort_unstable();
            part.dedup();
            self.only_traced(home, part.into_iter())
                .into_iter()
                .collect()
        });
        Some(only.collect())
    }

    /// The only one of some states and nodes; of those of one definition, if it has any.
    fn only_traced(&self, home: Home, found: impl Iterator<Item = SymbolId>) -> Option<SymbolId> {
        let all: Vec<SymbolId> = found.collect();
        let own = all.iter().copied();
        let own = own.filter(|id| self.is_inside(self.symbols[*id].home, home));
        let own: Vec<SymbolId> = own.collect();
        match (&own[..], &all[..]) {
            ([only], _) | ([], [only]) => Some(*only),
            _ => None,
        }
    }

    /// Whether a place is in the definition at `outer`.
    fn is_inside(&self, place: Home, outer: Home) -> bool {
        let (Home::Node(file, at), Home::Node(of, begin)) = (place, outer) else {
            return false;
        };
        let mut others = self.definitions.values();
        let is_between = |other: &Home| matches!(other, Home::Node(of, other) if *of == file && begin < *other && *other <= at);
        file == of && begin <= at && !others.any(is_between)
    }
}
