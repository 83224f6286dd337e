//! Looks up what each name stands for, now that all declarations are known.

use super::walk::{Definition, Lookup, Note, ScopeId, ScopeOf, Walk};
use super::{Home, Names, Role, SymbolId, SymbolKind};
use crate::language::Spot;
use crate::names::{FoundState, is_meant};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What names stand for that a definition takes from the definitions that hold it.
type Fallen<'e> = HashMap<(Definition<'e>, String), Vec<SymbolId>>;

impl<'e> Walk<'e> {
    pub(super) fn resolve(mut self) -> Names {
        self.settle_items();
        self.settle_deciders();
        let mut fallen = Fallen::new();
        for note in std::mem::take(&mut self.notes) {
            let source = (note.file, self.files[note.file].0);
            if let Lookup::States(..) | Lookup::DecidedStates(_) = note.to {
                let mut end = note.said.end;
                let word = &note.text.value[note.said.clone()];
                for (part, symbols) in word.rsplit('.').zip(self.states_of(&note, word)) {
                    let said = end - part.len()..end;
                    end = said.start.saturating_sub(1);
                    self.names
                        .note(source, (note.text, said), symbols, note.role);
                }
                continue;
            }
            let (symbols, said, role) = self.look_up(&note, &mut fallen);
            self.names.note(source, (note.text, said), symbols, role);
        }
        self.names
    }

    /// Looks up a note: the symbols, given the place of the name and its use there.
    fn look_up(
        &mut self,
        note: &Note<'e>,
        fallen: &mut Fallen<'e>,
    ) -> (Vec<SymbolId>, Range<usize>, Role) {
        let name = &note.text.value[note.said.clone()];
        let (mut said, mut role) = (note.said.clone(), note.role);
        let find = |kind, home| self.names.find(kind, home, name);
        let one = |symbol: Option<SymbolId>| symbol.into_iter().collect();
        let symbols = match &note.to {
            Lookup::Symbol(symbol) => vec![*symbol],
            Lookup::Known(kind, home) => one(find(*kind, *home)),
            Lookup::Key(scope) => self.keys_named(*scope, name, fallen),
            Lookup::Part(scope, part) => {
                match self.param_of_event(*scope, name, &note.text.value[part.clone()]) {
                    Some(param) => {
                        said = part.clone();
                        vec![param]
                    }
                    None => self.keys_named(*scope, name, fallen),
                }
            }
            Lookup::Handed(scope, definition, port) => {
                if self.gives_back(*definition, port) {
                    role = Role::CHANGES;
                }
                self.keys_named(*scope, name, fallen)
            }
            Lookup::Item(scope) => {
                let scope = &self.scopes[*scope];
                match scope.of {
                    ScopeOf::Item {
                        symbol,
                        is_new: true,
                        ..
                    } => {
                        role = Role::DECLARES;
                        vec![symbol]
                    }
                    _ => {
                        role = Role::WRITES;
                        self.keys_named(scope.parent, name, fallen)
                    }
                }
            }
            Lookup::Semaphore => {
                let dashed = name.replace('_', "-");
                let exact = find(SymbolKind::Semaphore, Home::Everywhere);
                let find = |name| {
                    self.names
                        .find(SymbolKind::Semaphore, Home::Everywhere, name)
                };
                one(exact.or_else(|| find(&dashed)))
            }
            Lookup::Param(leaf) => {
                let leaf = self.names.find(SymbolKind::Leaf, Home::Everywhere, leaf);
                one(leaf.and_then(|leaf| find(SymbolKind::Param, Home::Leaf(leaf))))
            }
            Lookup::Port(definition) => {
                let home = self.definitions.get(definition).map(|(home, _)| *home);
                one(home.and_then(|home| find(SymbolKind::Port, home)))
            }
            Lookup::Given(runs) => {
                let held = runs.and_then(|runs| self.definitions.get(&runs));
                let own = held.and_then(|(home, _)| self.own(*home, name));
                one(own.or_else(|| find(SymbolKind::Key, Home::Everywhere)))
            }
            Lookup::Events => self.events(name).collect(),
            Lookup::States(..) | Lookup::DecidedStates(_) => Vec::new(),
        };
        (symbols, said, role)
    }

    /// The key or port that a node declares under this name.
    fn own(&self, home: Home, name: &str) -> Option<SymbolId> {
        let key = self.names.find(SymbolKind::Key, home, name);
        key.or_else(|| self.names.find(SymbolKind::Port, home, name))
    }

    /// The key, port or item that a name stands for in a scope. There is more than one when it depends on the place
    /// that holds the definition.
    fn keys_named(
        &self,
        scope: Option<ScopeId>,
        name: &str,
        fallen: &mut Fallen<'e>,
    ) -> Vec<SymbolId> {
        match self.inside(scope, name) {
            Ok(symbol) => vec![symbol],
            Err(None) => self.global(name).into_iter().collect(),
            Err(Some(definition)) => {
                let found = fallen.entry((definition, name.to_owned()));
                let found = found.or_insert_with(|| self.of_holders(definition, name));
                found.clone()
            }
        }
    }

    fn global(&self, name: &str) -> Option<SymbolId> {
        self.names.find(SymbolKind::Key, Home::Everywhere, name)
    }

    /// What a name stands for within a definition; otherwise the definition itself, if others lend it names.
    fn inside(
        &self,
        mut scope: Option<ScopeId>,
        name: &str,
    ) -> Result<SymbolId, Option<Definition<'e>>> {
        while let Some(id) = scope {
            let here = &self.scopes[id];
            let own = match here.of {
                ScopeOf::Item { symbol, is_new, .. } => {
                    Some(symbol).filter(|_| is_new && self.names.symbols[symbol].name == name)
                }
                ScopeOf::Definition(_) | ScopeOf::Keys => self.own(here.home, name),
                ScopeOf::Event(_) => None,
            };
            if let Some(own) = own {
                return Ok(own);
            }
            if let ScopeOf::Definition(definition) = here.of {
                let holders = self.holders.get(&definition);
                let lends = holders.is_some_and(|holders| !holders.heirs.is_empty());
                return Err(Some(definition).filter(|_| lends));
            }
            scope = here.parent;
        }
        Err(None)
    }

    /// What a name stands for that a definition takes from the places that hold it.
    fn of_holders(&self, definition: Definition<'e>, name: &str) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let mut seen = HashSet::from([definition]);
        let mut pending = vec![definition];
        while let Some(definition) = pending.pop() {
            let holders = &self.holders[&definition];
            if holders.is_plain {
                found.extend(self.global(name));
            }
            for scope in &holders.heirs {
                match self.inside(*scope, name) {
                    Ok(symbol) => found.push(symbol),
                    Err(None) => found.extend(self.global(name)),
                    Err(Some(outer)) if seen.insert(outer) => pending.push(outer),
                    Err(Some(_)) => {}
                }
            }
        }
        if found.is_empty() {
            found.extend(self.global(name));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Resolves the items of each `for-each`. If the name is already known outside, the item is that key.
    fn settle_items(&mut self) {
        let mut fallen = Fallen::new();
        for id in 0..self.scopes.len() {
            let parent = self.scopes[id].parent;
            if let ScopeOf::Item { symbol, .. } = self.scopes[id].of {
                let name = &self.names.symbols[symbol].name;
                let is_known = !self.keys_named(parent, name, &mut fallen).is_empty();
                if let ScopeOf::Item { is_new, .. } = &mut self.scopes[id].of {
                    *is_new = !is_known;
                }
            }
        }
        fallen.clear();
        for scope in &self.scopes {
            if let ScopeOf::Item {
                symbol,
                list: Some(list),
                ..
            } = scope.of
            {
                let list = self.keys_named(scope.parent, list, &mut fallen);
                self.names.symbols[symbol].list = list.first().copied();
            }
        }
    }

    /// The parameter that `event.NAME` refers to, if the transition waits for one event.
    fn param_of_event(&self, scope: Option<ScopeId>, name: &str, part: &str) -> Option<SymbolId> {
        let mut around = std::iter::successors(scope, |id| self.scopes[*id].parent);
        let patterns = around.find_map(|id| match &self.scopes[id].of {
            ScopeOf::Event(patterns) => Some(patterns),
            _ => None,
        });
        let patterns = patterns.filter(|_| name == "event")?;
        let mut events = patterns.iter().flat_map(|pattern| self.events(pattern));
        let event = events.next()?;
        let is_one = events.all(|other| other == event);
        let param = self.names.find(SymbolKind::Param, Home::Leaf(event), part);
        param.filter(|_| is_one)
    }

    /// The events that a pattern matches.
    fn events(&self, pattern: &str) -> impl Iterator<Item = SymbolId> {
        let all = self.names.symbols.iter().enumerate();
        let fitting = all.filter(move |(_, symbol)| {
            symbol.kind == SymbolKind::Leaf && is_meant(pattern, &symbol.name)
        });
        fitting.map(|(id, _)| id)
    }

    /// Whether a port of a definition returns a value.
    fn gives_back(&self, definition: Definition<'e>, port: &str) -> bool {
        let items = self.definitions.get(&definition);
        let mut items = items.into_iter().flat_map(|(_, node)| node.children());
        items.any(|item| {
            let is_given_back = item.name.value != "in" && Spot::Port.has(&item.name.value);
            is_given_back && item.first_text().is_some_and(|name| name.value == port)
        })
    }

    /// The symbols of each name in a path of states, the last name first.
    fn states_of(&self, note: &Note<'e>, path: &str) -> Vec<Vec<SymbolId>> {
        let one;
        let from = match note.to {
            Lookup::States(machine, state) => {
                one = [(machine, state)];
                &one[..]
            }
            Lookup::DecidedStates(decision) => {
                self.deciders.get(decision).map_or(&[][..], |all| all)
            }
            _ => &[],
        };
        let mut symbols: Vec<Vec<SymbolId>> = vec![Vec::new(); path.split('.').count()];
        for (machine, state) in from {
            let (states, ids) = &self.machines[*machine];
            let FoundState::One(state) = states.find(path, *state) else {
                continue;
            };
            for (symbols, state) in symbols.iter_mut().zip(states.upwards(state)) {
                let symbol = match state.checked_sub(1) {
                    Some(state) => Some(ids[state]),
                    None => {
                        let name = states.name(0);
                        self.names.find(SymbolKind::Machine, Home::Everywhere, name)
                    }
                };
                symbols.extend(symbol.filter(|symbol| !symbols.contains(symbol)));
            }
        }
        symbols
    }

    /// A decision tree inside another one looks up its states from the same places as the outer one.
    fn settle_deciders(&mut self) {
        let mut pending: Vec<&'e str> = self.deciders.keys().copied().collect();
        pending.sort_unstable();
        let mut more: Vec<_> = self.inner_decisions.iter().copied().collect();
        more.sort_unstable();
        let mut seen = HashSet::new();
        while let Some(outer) = pending.pop() {
            for (_, inner) in more.iter().filter(|(holder, _)| *holder == outer) {
                if seen.insert((outer, *inner)) {
                    let from = self.deciders[outer].clone();
                    let known = self.deciders.entry(inner).or_default();
                    known.extend(from);
                    known.sort_unstable();
                    known.dedup();
                    pending.push(inner);
                }
            }
        }
    }
}
