//! The names on the line of a node: what it declares and what it refers to, according to the shapes in the language
//! table.

use super::walk::{Definition, Lookup, ScopeId, StateContext, Walk, is_true, shape_of};
use super::{DeclaredKey, Home, Role, SymbolKind};
use crate::expression::{self, Fragment, Grammar, UseOf};
use crate::language::{self, Named, Shape, Spot, Word};
use crate::names::{LogPiece, braced, log_pieces, words};
use crate::syntax::{Entry, Node, Text, Value};
use std::ops::Range;

impl<'e> Walk<'e> {
    /// Reads the line of a node according to its table row; without a row, only what every node may have.
    pub(super) fn line(&mut self, node: &'e Node, row: Option<&'static Word>) {
        let value = row.and_then(shape_of);
        let mut is_first = true;
        for entry in &node.entries {
            let shape = match &entry.name {
                None => {
                    let is_read = std::mem::replace(&mut is_first, false);
                    value.filter(|shape| is_read || matches!(shape, Shape::AllNames(_)))
                }
                // It speaks of the event that the node looks for.
                Some(name) if name.value == language::WHERE.name => None,
                // Nothing is written: it says only what a step achieves.
                Some(name) if name.value == language::GIVES.name => {
                    if let Value::Text(text) = &entry.value {
                        self.foreseen(text);
                    }
                    None
                }
                Some(name) => match row {
                    Some(row) => row.shape(&name.value),
                    None => language::common(&name.value).map(|one| one.shape()),
                },
            };
            if let (Some(shape), Value::Text(text)) = (shape, &entry.value) {
                self.entry(node, row, text, shape);
            }
        }
    }

    /// A value or property of a node.
    fn entry(&mut self, node: &'e Node, row: Option<&'static Word>, text: &'e Text, shape: Shape) {
        match shape {
            Shape::Expr(_) => self.expression(text),
            Shape::Times if text.value == "forever" => {}
            Shape::Times => self.expression(text),
            Shape::Statements(words) if words.contains(&text.value.as_str()) => {}
            Shape::Statements(_) => self.parsed(text, Fragment::new(text, 0), Grammar::Statements),
            Shape::Log => {
                for (_, piece) in log_pieces(&text.value) {
                    if let LogPiece::Key(name, at) = piece {
                        self.key_at(text, (name, at), Role::READS, Lookup::Key(self.scope));
                    }
                }
            }
            Shape::Key => self.key(text, Role::READS, Lookup::Key(self.scope)),
            Shape::WrittenKey => self.key(text, Role::WRITES, Lookup::Key(self.scope)),
            Shape::WrittenKeyInBraces => {
                self.key_in_braces(text, Role::WRITES, Lookup::Key(self.scope));
            }
            Shape::KeyInBraces | Shape::WordsOrKey(_) => {
                self.key_in_braces(text, Role::READS, Lookup::Key(self.scope))
            }
            Shape::Declares(named) => self.declares(node, text, named),
            Shape::Names(named) => self.names(node, row, text, named),
            Shape::NamesOrKey(named) => match braced(&text.value) {
                Some(_) => self.key(text, Role::READS, Lookup::Key(self.scope)),
                None => self.names(node, row, text, named),
            },
            Shape::AllNames(named) => self.all_names(text, named),
            Shape::Flag
            | Shape::Words(_)
            | Shape::WordsOrNumber(_)
            | Shape::Number
            | Shape::Literal
            | Shape::Type
            | Shape::Text => {}
        }
    }

    fn declares(&mut self, node: &'e Node, text: &'e Text, named: Named) {
        let Some(kind) = SymbolKind::of(named) else {
            return;
        };
        let (kind, home) = match kind {
            // It may be a name that is known already.
            SymbolKind::Item => return,
            SymbolKind::Key => {
                let is_port = Spot::Port.has(&node.name.value);
                let kind = if is_port { SymbolKind::Port } else { kind };
                let home = self.scope.map(|scope| self.scopes[scope].home);
                (kind, home.unwrap_or(Home::Everywhere))
            }
            SymbolKind::State | SymbolKind::Rule | SymbolKind::NodeName => (kind, self.at(node)),
            SymbolKind::Branch | SymbolKind::Goal | SymbolKind::Task => (kind, self.home),
            _ => (kind, Home::Everywhere),
        };
        let is_checked = matches!(kind, SymbolKind::Key | SymbolKind::Port | SymbolKind::Label);
        if self.is_for_checks && !is_checked {
            return;
        }
        let symbol = self.symbols.symbol(kind, home, &text.value);
        if let SymbolKind::Key | SymbolKind::Port = kind {
            self.symbols[symbol].handed = match node.name.value.as_str() {
                "out" => Role::UPDATES,
                "inout" => Role {
                    reads: true,
                    ..Role::WRITES
                },
                _ => Role::READS,
            };
            self.keys.push(DeclaredKey {
                name: text,
                node,
                home: self.scope.map(|_| self.home),
            });
        }
        self.whole(text, Role::DECLARES, Lookup::Symbol(symbol));
    }

    fn names(&mut self, node: &'e Node, row: Option<&'static Word>, text: &'e Text, named: Named) {
        let Some(kind) = SymbolKind::of(named) else {
            return;
        };
        let home = match kind {
            // The node that it belongs to reads it.
            SymbolKind::Param => return,
            SymbolKind::Branch => self.home,
            // It may belong to a planner whose steps and tasks are used.
            SymbolKind::Task => {
                return self.whole(text, Role::READS, Lookup::Planned(self.home));
            }
            _ => Home::Everywhere,
        };
        self.whole(text, Role::READS, Lookup::Known(kind, home));
        let name = text.value.as_str();
        match kind {
            SymbolKind::Leaf => self.given(node, row, None, name),
            SymbolKind::Network => self.outputs(node, row, name),
            SymbolKind::Tree | SymbolKind::Machine | SymbolKind::Decision | SymbolKind::Planner => {
                let is_held = row.is_some_and(|row| row.task.is_some());
                let holders = self.holders.entry((kind, name)).or_default();
                if is_held && is_true(node, "inherit") {
                    holders.heirs.push(self.scope);
                    self.lending.insert(self.home);
                } else {
                    holders.is_plain = true;
                }
                if is_held {
                    self.given(node, row, Some((kind, name)), name);
                    if let (SymbolKind::Decision, StateContext::Decision(outer)) =
                        (kind, self.states_from)
                    {
                        self.inner_decisions.insert((outer, name));
                    }
                }
            }
            _ => {}
        }
    }

    /// Reads the arguments of a leaf or definition: properties that are not the node's own, and `param NAME VALUE`.
    fn given(
        &mut self,
        node: &'e Node,
        row: Option<&'static Word>,
        of: Option<Definition<'e>>,
        leaf: &'e str,
    ) {
        for (name, entry) in arguments(node, row) {
            let role = Role {
                is_given: true,
                ..Role::READS
            };
            self.whole(name, role, of.map_or(Lookup::Param(leaf), Lookup::Port));
            let Some(Entry {
                value: Value::Text(text),
                ..
            }) = entry
            else {
                continue;
            };
            match of {
                Some(of) => {
                    let to = Lookup::Handed(self.scope, of, &name.value);
                    self.key_in_braces(text, Role::READS, to);
                }
                None if text.value.starts_with('=') => {
                    self.parsed(text, Fragment::new(text, 1), Grammar::Expression);
                }
                None => self.key_in_braces(text, Role::READS, Lookup::Key(self.scope)),
            }
        }
    }

    /// Reads the parameters of the event of the innermost scope, which are written to keys known in another scope.
    pub(super) fn bound(
        &mut self,
        node: &'e Node,
        row: Option<&'static Word>,
        outer: Option<ScopeId>,
    ) {
        let Some(scope) = self.scope else { return };
        for (name, entry) in arguments(node, row) {
            self.whole(name, Role::READS, Lookup::OfEvent(scope));
            if let Some(Value::Text(text)) = entry.map(|entry| &entry.value) {
                self.key_in_braces(text, Role::WRITES, Lookup::Key(outer));
            }
        }
    }

    fn all_names(&mut self, text: &'e Text, named: Named) {
        if let Named::Planned | Named::Goal = named {
            return self.planned_words(text, named);
        }
        let kind = SymbolKind::of(named).unwrap_or(SymbolKind::Leaf);
        // The name of a node may have spaces.
        if named == Named::Traced
            && text.value.contains(char::is_whitespace)
            && self.traced(self.home, &text.value).is_some()
        {
            return self.whole(text, Role::READS, Lookup::Traced(self.home));
        }
        for (word, at) in words(&text.value) {
            let said = at..at + word.len();
            let to = match (named, self.states_from) {
                (Named::Traced, _) => Lookup::Traced(self.home),
                (Named::State, StateContext::State(machine, state)) => {
                    Lookup::States(machine, state)
                }
                (Named::State, StateContext::Decision(name)) => Lookup::DecidedStates(name),
                (Named::State, StateContext::Nothing) => continue,
                (Named::Rule, _) => Lookup::Rules,
                (Named::Event, _) => {
                    let role = Role {
                        is_pattern: true,
                        ..Role::READS
                    };
                    self.note(text, said.clone(), role, Lookup::Events);
                    Lookup::Known(kind, Home::Everywhere)
                }
                _ => Lookup::Known(kind, Home::Everywhere),
            };
            self.note(text, said, Role::READS, to);
        }
    }

    /// A key, named alone or in braces.
    fn key(&mut self, text: &'e Text, role: Role, to: Lookup<'e>) {
        let name = braced(&text.value).unwrap_or((&text.value, 0));
        self.key_at(text, name, role, to);
    }

    /// A key in a text, or a parameter of an event.
    fn key_at(&mut self, text: &'e Text, (name, at): (&str, usize), role: Role, to: Lookup<'e>) {
        let end = at + name.len();
        if name.starts_with("event.") {
            let (event, part) = (at..at + "event".len(), at + "event.".len()..end);
            self.note(text, event, Role::READS, Lookup::Part(self.scope, part));
        } else {
            self.note(text, at..end, role, to);
        }
    }

    /// A key in braces, `"{key}"`, and nothing else.
    pub(super) fn key_in_braces(&mut self, text: &'e Text, role: Role, to: Lookup<'e>) {
        if braced(&text.value).is_some() {
            self.key(text, role, to);
        }
    }

    /// A key in braces, or an expression, with or without `=`.
    pub(super) fn expression(&mut self, text: &'e Text) {
        self.parsed(text, Fragment::of_value(text), Grammar::Expression);
    }

    /// An expression or statements.
    fn parsed(&mut self, text: &'e Text, fragment: Fragment<'e>, grammar: Grammar) {
        self.parsed_as(text, fragment, grammar, |role| role);
    }

    /// Statements that are never carried out: whatever they name is only read.
    fn foreseen(&mut self, text: &'e Text) {
        let fragment = Fragment::new(text, 0);
        self.parsed_as(text, fragment, Grammar::Statements, |_| Role::READS);
    }

    fn parsed_as(
        &mut self,
        text: &'e Text,
        fragment: Fragment<'e>,
        grammar: Grammar,
        written: impl Fn(Role) -> Role,
    ) {
        let scope = self.scope;
        let Ok(ast) = expression::parse(fragment, grammar, &mut self.muted) else {
            return;
        };
        let skip = fragment.text.as_ptr().addr() - text.value.as_ptr().addr();
        let moved = |span: Range<usize>| span.start + skip..span.end + skip;
        for name in expression::names_in(&ast, fragment.text) {
            let (role, to) = match name.of {
                UseOf::Value => (Role::READS, Lookup::Key(scope)),
                UseOf::Written => (written(Role::WRITES), Lookup::Key(scope)),
                UseOf::Changed => (written(Role::UPDATES), Lookup::Key(scope)),
                UseOf::Part(part) => (Role::READS, Lookup::Part(scope, moved(part))),
                UseOf::Traced => (Role::READS, Lookup::Traced(self.home)),
                UseOf::Semaphore => {
                    let role = Role {
                        is_underscored: true,
                        ..Role::READS
                    };
                    (role, Lookup::Semaphore)
                }
                UseOf::Curve => {
                    let role = Role {
                        is_underscored: true,
                        ..Role::READS
                    };
                    (role, Lookup::Curve)
                }
                UseOf::Event => {
                    let role = Role {
                        is_underscored: true,
                        ..Role::READS
                    };
                    (role, Lookup::AskedEvent)
                }
                UseOf::EventPart(event) => (Role::READS, Lookup::AskedPart(&fragment.text[event])),
            };
            self.note(text, moved(name.span), role, to);
        }
        self.asts.push((fragment.text, (grammar, ast)));
    }
}

/// The arguments of a node: properties that are not the node's own, and `param NAME VALUE`.
pub(super) fn arguments<'e>(
    node: &'e Node,
    row: Option<&'static Word>,
) -> impl Iterator<Item = (&'e Text, Option<&'e Entry>)> {
    let is_own = move |name: &Text| row.is_some_and(|row| row.shape(&name.value).is_some());
    let named = node.entries.iter();
    let named = named.filter_map(|entry| Some((entry.name.as_ref()?, Some(entry))));
    let named = named.filter(move |(name, _)| !is_own(name));
    let params = node.children().iter();
    let params = params.filter(|child| Spot::Given.has(&child.name.value));
    let params = params.filter_map(|child| Some((child.first_text()?, child.entries.get(1))));
    named.chain(params)
}
