//! Looks up what each name stands for, now that all declarations are known.

use super::walk::{Definition, EventScope, Lookup, Note, ScopeId, ScopeOf, Walk};
use super::{Home, Namesakes, Role, SymbolId, SymbolKind, Symbols};
use crate::names::{FoundState, is_meant};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What names stand for that a definition takes from the definitions that hold it.
type Fallen<'e> = HashMap<(Definition<'e>, String), Vec<SymbolId>>;

/// How many definitions a name may fall through.
const MAX_FALLEN: usize = 64;

impl<'e> Walk<'e> {
    /// Hands over what each noted name stands for: its range in the note's text, its symbols and its role.
    pub(super) fn resolve(
        mut self,
        mut found: impl FnMut(&mut Symbols, &Note<'e>, Range<usize>, Vec<SymbolId>, Role),
    ) -> Symbols {
        self.settle_items();
        self.settle_deciders();
        let mut fallen = Fallen::new();
        for note in std::mem::take(&mut self.notes) {
            let word = &note.text.value[note.said.clone()];
            let path = match note.to {
                Lookup::States(..) | Lookup::DecidedStates(_) => Some(self.states_of(&note, word)),
                Lookup::Traced(home) if self.traced_in(home, word).is_none() => {
                    self.traced_path(home, word)
                }
                _ => None,
            };
            if let Some(path) = path {
                let mut end = note.said.end;
                for (part, symbols) in word.rsplit('.').zip(path) {
                    let said = end - part.len()..end;
                    end = said.start.saturating_sub(1);
                    found(&mut self.symbols, &note, said, symbols, note.role);
                }
                continue;
            }
            let (symbols, said, role) = self.look_up(&note, &mut fallen);
            found(&mut self.symbols, &note, said, symbols, role);
        }
        self.symbols
    }

    /// Looks up a note: the symbols, given the place of the name and its use there.
    fn look_up(
        &mut self,
        note: &Note<'e>,
        fallen: &mut Fallen<'e>,
    ) -> (Vec<SymbolId>, Range<usize>, Role) {
        let name = &note.text.value[note.said.clone()];
        let mut role = note.role;
        if let Lookup::Part(scope, part) = &note.to
            && let Some(param) = self.param_of_event(*scope, name, &note.text.value[part.clone()])
        {
            return (vec![param], part.clone(), role);
        }
        if let Lookup::OfEvent(scope) = note.to {
            let param = self.param_of_event(Some(scope), "event", name);
            return (param.into_iter().collect(), note.said.clone(), role);
        }
        let find = |kind, home| self.symbols.find(kind, home, name);
        let one = |symbol: Option<SymbolId>| symbol.into_iter().collect();
        let symbols = match &note.to {
            Lookup::Symbol(symbol) => vec![*symbol],
            Lookup::Known(kind, home) => one(find(*kind, *home)),
            Lookup::Key(scope) | Lookup::Part(scope, _) => self.keys_named(*scope, name, fallen),
            Lookup::Handed(scope, definition, port) => {
                let home = self.definitions.get(definition);
                let port = home.and_then(|home| self.symbols.find(SymbolKind::Port, *home, port));
                if let Some(port) = port {
                    role = self.symbols[port].handed;
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
            Lookup::Semaphore | Lookup::Curve => {
                let kind = match note.to {
                    Lookup::Curve => SymbolKind::Curve,
                    _ => SymbolKind::Semaphore,
                };
                let dashed = name.replace('_', "-");
                let exact = find(kind, Home::Everywhere);
                let find = |name| self.symbols.find(kind, Home::Everywhere, name);
                let called = exact.or_else(|| find(&dashed));
                let is_call = matches!(note.to, Lookup::Curve);
                let measure = || self.asked_event(name).filter(|_| is_call);
                one(called.or_else(measure))
            }
            Lookup::AskedEvent => one(self.asked_event(name)),
            Lookup::AskedPart(event) => {
                let event = self.asked_event(event);
                one(event.and_then(|event| find(SymbolKind::Param, Home::Leaf(event))))
            }
            Lookup::Param(leaf) => {
                let leaf = self.symbols.find(SymbolKind::Leaf, Home::Everywhere, leaf);
                one(leaf.and_then(|leaf| find(SymbolKind::Param, Home::Leaf(leaf))))
            }
            Lookup::Output(network) => {
                let kind = SymbolKind::Network;
                let network = self.symbols.find(kind, Home::Everywhere, network);
                one(network.and_then(|network| find(SymbolKind::Output, Home::Leaf(network))))
            }
            Lookup::Port(definition) => {
                let home = self.definitions.get(definition);
                one(home.and_then(|home| find(SymbolKind::Port, *home)))
            }
            Lookup::Given(runs) => {
                let held = runs.and_then(|runs| self.definitions.get(&runs));
                let named = self.symbols.by_name.get(name);
                let own = |named| held.and_then(|home| own(named, *home));
                one(named.and_then(|named| own(named).or_else(|| global(named))))
            }
            Lookup::Planned(home) | Lookup::Traced(home) => {
                let found = match note.to {
                    Lookup::Traced(_) => self.traced_in(*home, name),
                    _ => self.planned(*home, name),
                };
                // A step of an `each`: its name ends before the value.
                let own = found.map_or(name.len(), |id| self.symbols[id].name.len());
                let said = note.said.start..note.said.end.min(note.said.start + own);
                return (found.into_iter().collect(), said, role);
            }
            Lookup::Goal(home) => one(self.goal(*home, name)),
            Lookup::Events => self.events(name).collect(),
            Lookup::Rules => self.rules(name),
            Lookup::OfEvent(_) | Lookup::States(..) | Lookup::DecidedStates(_) => Vec::new(),
        };
        (symbols, note.said.clone(), role)
    }

    /// The key, port or item that a name stands for in a scope. There is more than one when it depends on the place
    /// that holds the definition.
    fn keys_named(
        &self,
        scope: Option<ScopeId>,
        name: &str,
        fallen: &mut Fallen<'e>,
    ) -> Vec<SymbolId> {
        let Some(named) = self.symbols.by_name.get(name) else {
            return Vec::new();
        };
        match self.inside(scope, named) {
            Ok(symbol) => vec![symbol],
            Err(None) => global(named).into_iter().collect(),
            Err(Some(definition)) => {
                let found = fallen.entry((definition, name.to_owned()));
                let found = found.or_insert_with(|| self.of_holders(definition, named));
                found.clone()
            }
        }
    }

    /// What a name stands for within a definition; otherwise the definition itself, if others lend it names.
    fn inside(
        &self,
        mut scope: Option<ScopeId>,
        named: &Namesakes,
    ) -> Result<SymbolId, Option<Definition<'e>>> {
        while let Some(id) = scope {
            let here = &self.scopes[id];
            let own = match here.of {
                ScopeOf::Item { is_new: false, .. } => None,
                ScopeOf::Item { .. } => named.get(&(SymbolKind::Item, here.home)).copied(),
                ScopeOf::Definition(_) | ScopeOf::Keys(_) => own(named, here.home),
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
    fn of_holders(&self, definition: Definition<'e>, named: &Namesakes) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let mut seen = HashSet::from([definition]);
        let mut pending = vec![definition];
        while let Some(definition) = pending.pop() {
            let holders = &self.holders[&definition];
            if holders.is_plain {
                found.extend(global(named));
            }
            for scope in &holders.heirs {
                match self.inside(*scope, named) {
                    Ok(symbol) => found.push(symbol),
                    Err(None) => found.extend(global(named)),
                    Err(Some(outer)) if seen.len() < MAX_FALLEN && seen.insert(outer) => {
                        pending.push(outer);
                    }
                    Err(Some(_)) => {}
                }
            }
        }
        // Checks also check it alone. Then its names are those of the document.
        if found.is_empty() || self.is_for_checks {
            found.extend(global(named));
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
                let name = &self.symbols[symbol].name;
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
                self.symbols[symbol].list = list.first().copied();
            }
        }
    }

    /// The parameter that `event.NAME` refers to, if the transition waits for one event.
    fn param_of_event(
        &mut self,
        scope: Option<ScopeId>,
        name: &str,
        part: &str,
    ) -> Option<SymbolId> {
        if name != "event" {
            return None;
        }
        let is_event = |id: &ScopeId| matches!(self.scopes[*id].of, ScopeOf::Event(_));
        let mut around = std::iter::successors(scope, |id| self.scopes[*id].parent);
        let id = around.find(is_event)?;
        let event = match &self.scopes[id].of {
            ScopeOf::Event(EventScope::Waits(patterns)) => {
                let mut events = patterns.iter().flat_map(|pattern| self.events(pattern));
                let event = events.next();
                event.filter(|event| events.all(|other| other == *event))
            }
            ScopeOf::Event(EventScope::For(event)) => *event,
            _ => None,
        };
        self.scopes[id].of = ScopeOf::Event(EventScope::For(event));
        self.symbols
            .find(SymbolKind::Param, Home::Leaf(event?), part)
    }

    /// The event with this name, with `_` in place of `-`.
    fn asked_event(&self, name: &str) -> Option<SymbolId> {
        let find = |name: &str| self.symbols.find(SymbolKind::Leaf, Home::Everywhere, name);
        find(name).or_else(|| find(&name.replace('_', "-")))
    }

    /// The events that a pattern matches.
    fn events(&self, pattern: &str) -> impl Iterator<Item = SymbolId> {
        let all = self.symbols.iter().enumerate();
        let fitting =
            all.filter(move |(_, symbol)| symbol.is_event && is_meant(pattern, &symbol.name));
        fitting.map(|(id, _)| id)
    }

    /// The rules with this name.
    fn rules(&self, name: &str) -> Vec<SymbolId> {
        let named = self.symbols.by_name.get(name).into_iter().flatten();
        let rules = named.filter(|((kind, _), _)| *kind == SymbolKind::Rule);
        rules.map(|(_, id)| *id).collect()
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
                        self.symbols
                            .find(SymbolKind::Machine, Home::Everywhere, name)
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

/// The key or port that a node declares.
fn own(named: &Namesakes, home: Home) -> Option<SymbolId> {
    let kinds = [SymbolKind::Key, SymbolKind::Port];
    kinds
        .into_iter()
        .find_map(|kind| named.get(&(kind, home)).copied())
}

/// The key of the document.
fn global(named: &Namesakes) -> Option<SymbolId> {
    named.get(&(SymbolKind::Key, Home::Everywhere)).copied()
}
