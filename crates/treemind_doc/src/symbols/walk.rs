//! The walk through the nodes: what they declare, and what they refer to.

// long: a walk through every place that has names.

use super::planned::Planned;
use super::{DeclaredKey, Home, Role, SymbolId, SymbolKind, Symbols};
use crate::diagnostic::Sink;
use crate::expression::{Ast, Grammar};
use crate::language::{self, Build, Named, Shape, Special, Spot, Word};
use crate::names::{States, braced, words};
use crate::source::Source;
use crate::syntax::{Node, Text, Value};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// A tree, machine or decision tree, as others refer to it.
pub(crate) type Definition<'e> = (SymbolKind, &'e str);

/// The number of a scope in the walk.
pub(super) type ScopeId = usize;

/// A scope for the names of keys.
pub(super) struct Scope<'e> {
    pub(super) home: Home,
    pub(super) parent: Option<ScopeId>,
    pub(super) of: ScopeOf<'e>,
}

pub(super) enum ScopeOf<'e> {
    /// A definition; names that it does not declare may come from the definitions that hold it.
    Definition(Definition<'e>),
    /// A `scope` in a tree.
    Keys(&'e Node),
    /// A `for-each`: its item, unless the name is known outside.
    Item {
        symbol: SymbolId,
        is_new: bool,
        /// The list that it comes from.
        list: Option<&'e str>,
    },
    /// A transition.
    Event(EventScope<'e>),
}

/// The event of which `event.NAME` is a parameter.
pub(super) enum EventScope<'e> {
    /// One that all these patterns match.
    Waits(Vec<&'e str>),
    /// The one that was found, if there is one.
    For(Option<SymbolId>),
}

/// A use of a name, to be looked up when all declarations are known.
pub(super) struct Note<'e> {
    pub(super) file: usize,
    pub(super) text: &'e Text,
    /// The range in the value of the text.
    pub(super) said: Range<usize>,
    pub(super) role: Role,
    pub(super) to: Lookup<'e>,
    /// The node, or one around it, is disabled.
    pub(super) is_disabled: bool,
}

/// How to look up a name. The name is the value of the text in that range.
pub(super) enum Lookup<'e> {
    Symbol(SymbolId),
    Known(SymbolKind, Home),
    /// A key, port or item that is known in a scope.
    Key(Option<ScopeId>),
    /// A key, and the range of the part that is used.
    Part(Option<ScopeId>, Range<usize>),
    /// An event, with `_` in place of `-`.
    AskedEvent,
    /// A parameter of such an event.
    AskedPart(&'e str),
    /// A parameter of the event of a scope.
    OfEvent(ScopeId),
    /// A key that is the argument of a port.
    Handed(Option<ScopeId>, Definition<'e>, &'e str),
    /// The name of a `for-each`.
    Item(ScopeId),
    /// A semaphore, with `_` in place of `-`.
    Semaphore,
    /// The same, of a curve.
    Curve,
    Param(&'e str),
    /// An output of a network.
    Output(&'e str),
    Port(Definition<'e>),
    /// A key to which an archetype gives a starting value.
    Given(Option<Definition<'e>>),
    /// A step or task of the planner at this place, or of those that it uses.
    Planned(Home),
    /// A goal of the planner at this place.
    Goal(Home),
    /// The states of a path, seen from one of a machine.
    States(usize, usize),
    /// The same, seen from every state whose transition uses a decision tree.
    DecidedStates(&'e str),
    /// The events that a pattern matches.
    Events,
    /// The rules with that name, in all `rules`.
    Rules,
    /// A leaf, the only node with that name, the only such state, or the states of a path.
    Traced(Home),
}

/// Which states a name refers to, and from where.
#[derive(Clone, Copy)]
pub(super) enum StateContext<'e> {
    Nothing,
    /// A state of a machine: the numbers of both.
    State(usize, usize),
    Decision(&'e str),
}

/// The places that hold a definition.
#[derive(Default)]
pub(super) struct Holders {
    /// The scopes in which it is held with `inherit=#true`.
    pub(super) heirs: Vec<Option<ScopeId>>,
    /// It is also held without `inherit=#true`, or runs alone.
    pub(super) is_plain: bool,
}

pub(super) struct Walk<'e> {
    pub(super) symbols: Symbols,
    /// Only names that checks want to know are noted.
    pub(super) is_for_checks: bool,
    file: usize,
    /// A node around the current one, or that node itself, is disabled.
    pub(super) is_disabled: bool,
    pub(super) scopes: Vec<Scope<'e>>,
    /// The innermost scope.
    pub(super) scope: Option<ScopeId>,
    /// The home of the current definition.
    pub(super) home: Home,
    pub(super) states_from: StateContext<'e>,
    pub(super) notes: Vec<Note<'e>>,
    /// All keys, ports and items with their nodes, in their order.
    pub(super) keys: Vec<DeclaredKey<'e>>,
    /// The homes of the definitions that lend names to others.
    pub(super) lending: HashSet<Home>,
    /// The expressions and statements that have no mistake.
    pub(super) asts: Vec<(&'e str, (Grammar, Ast))>,
    /// What is reported of the others is of no interest.
    pub(super) muted: Sink,
    /// All trees, machines and decision trees; the first one of each name.
    pub(super) definitions: HashMap<Definition<'e>, Home>,
    pub(super) holders: HashMap<Definition<'e>, Holders>,
    /// The states of each machine, and the symbols of all states but the first.
    pub(super) machines: Vec<(States<'e>, Vec<SymbolId>)>,
    /// The states whose transitions use a decision tree.
    pub(super) deciders: HashMap<&'e str, Vec<(usize, usize)>>,
    /// Decision trees inside other decision trees.
    pub(super) inner_decisions: HashSet<(&'e str, &'e str)>,
    /// What names in planners stand for, by the place of the planner.
    pub(super) planners: HashMap<Home, Planned<'e>>,
    /// What archetypes run.
    pub(super) archetypes: HashMap<&'e str, Definition<'e>>,
    /// What `main` runs.
    pub(super) main: Option<Definition<'e>>,
}

/// The places for words in trees.
const IN_TREES: [Spot; 5] = [
    Spot::Task,
    Spot::Case,
    Spot::Rule,
    Spot::Score,
    Spot::Considered,
];

/// The places for words in decision trees.
const IN_DECISIONS: [Spot; 6] = [
    Spot::Decision,
    Spot::Option,
    Spot::Side,
    Spot::DecisionCase,
    Spot::Branch,
    Spot::DecidedState,
];

/// The places for words that the parent node reads.
const READ_ABOVE: [Spot; 4] = [Spot::Given, Spot::Key, Spot::Port, Spot::KeyBlock];

pub(super) fn shape_of(row: &Word) -> Option<Shape> {
    row.value.map(|value| value.shape())
}

impl<'e> Walk<'e> {
    /// Walks through files, each with its nodes.
    pub(super) fn through(
        files: impl IntoIterator<Item = &'e [Node]>,
        is_for_checks: bool,
    ) -> Self {
        let mut walk = Walk {
            symbols: Symbols::default(),
            is_for_checks,
            file: 0,
            is_disabled: false,
            scopes: Vec::new(),
            scope: None,
            home: Home::Everywhere,
            states_from: StateContext::Nothing,
            notes: Vec::new(),
            keys: Vec::new(),
            lending: HashSet::new(),
            asts: Vec::new(),
            muted: Sink::new(Arc::new(Source::new("", ""))),
            definitions: HashMap::new(),
            holders: HashMap::new(),
            machines: Vec::new(),
            deciders: HashMap::new(),
            inner_decisions: HashSet::new(),
            planners: HashMap::new(),
            archetypes: HashMap::new(),
            main: None,
        };
        for (file, nodes) in files.into_iter().enumerate() {
            walk.file = file;
            nodes.iter().for_each(|node| walk.top(node));
            // They refer to definitions, which are known by now.
            let tests = nodes.iter().filter(|node| node.name.value == "test");
            tests.for_each(|test| walk.test_of_document(test));
        }
        walk
    }

    /// The home that a node makes for names.
    pub(super) fn at(&self, node: &Node) -> Home {
        Home::Node(self.file, node.span.start)
    }

    pub(super) fn note(&mut self, text: &'e Text, said: Range<usize>, role: Role, to: Lookup<'e>) {
        if self.is_for_checks && !self.is_checked(&to) {
            return;
        }
        self.notes.push(Note {
            file: self.file,
            text,
            said,
            role,
            to,
            is_disabled: self.is_disabled,
        });
    }

    /// Whether checks want to know a name: one of a key, of a parameter of an event, which is read like a key, or of an
    /// `interruptible`.
    fn is_checked(&self, to: &Lookup<'_>) -> bool {
        match to {
            Lookup::Symbol(symbol) => matches!(
                self.symbols[*symbol].kind,
                SymbolKind::Key | SymbolKind::Port | SymbolKind::Param | SymbolKind::Label
            ),
            Lookup::Key(_)
            | Lookup::Part(..)
            | Lookup::Handed(..)
            | Lookup::Item(_)
            | Lookup::Given(_) => true,
            Lookup::Known(..)
            | Lookup::Semaphore
            | Lookup::Curve
            | Lookup::Param(_)
            | Lookup::Output(_)
            | Lookup::OfEvent(_)
            | Lookup::AskedEvent
            | Lookup::AskedPart(_)
            | Lookup::Port(_)
            | Lookup::States(..)
            | Lookup::DecidedStates(_)
            | Lookup::Planned(_)
            | Lookup::Goal(_)
            | Lookup::Events
            | Lookup::Rules
            | Lookup::Traced(_) => false,
        }
    }

    /// Does something inside a node, which may be disabled.
    pub(super) fn within_node(&mut self, node: &'e Node, work: impl FnOnce(&mut Self)) {
        let outer = self.is_disabled;
        self.is_disabled |= is_true(node, "disabled");
        work(self);
        self.is_disabled = outer;
    }

    pub(super) fn whole(&mut self, text: &'e Text, role: Role, to: Lookup<'e>) {
        self.note(text, 0..text.value.len(), role, to);
    }

    /// Does something inside a scope whose names are not known outside.
    pub(super) fn within(&mut self, home: Home, of: ScopeOf<'e>, work: impl FnOnce(&mut Self)) {
        let outer = self.scope;
        self.scopes.push(Scope {
            home,
            parent: outer,
            of,
        });
        self.scope = Some(self.scopes.len() - 1);
        work(self);
        self.scope = outer;
    }

    /// A node at the top of a document.
    fn top(&mut self, node: &'e Node) {
        let Some(row) = Spot::Top.word(&node.name.value) else {
            return;
        };
        if let Some(Shape::Declares(named)) = shape_of(row)
            && let Named::Tree | Named::Machine | Named::Decision | Named::Planner = named
            && let Some(kind) = SymbolKind::of(named)
        {
            return self.definition(node, row, kind);
        }
        if row.name == "test" {
            return;
        }
        self.line(node, Some(row));
        if row.name == "curve" {
            return;
        }
        if row.name == "network" {
            return self.network(node);
        }
        self.note_runs(node);
        let spots = row.holds();
        if spots.contains(&Spot::Leaves) {
            node.children().iter().for_each(|leaf| self.leaf(leaf));
        } else if spots.contains(&Spot::Archetype) {
            let given = node.children().iter();
            let given = given.filter(|child| Spot::Archetype.has(&child.name.value));
            given.for_each(|child| self.starts(node, child));
        } else {
            self.keys(node, spots);
        }
    }

    /// A leaf of the manifest, with its parameters. Another word is perhaps a misspelt leaf.
    fn leaf(&mut self, node: &'e Node) {
        self.line(node, Spot::Leaves.words().first().copied());
        let Some(name) = node.first_text() else {
            return;
        };
        let leaf = self
            .symbols
            .symbol(SymbolKind::Leaf, Home::Everywhere, &name.value);
        self.symbols[leaf].is_event |= node.name.value == "event";
        let params = node.children().iter();
        for param in params.filter(|child| Spot::LeafBlock.has(&child.name.value)) {
            if let Some(name) = param.first_text() {
                let param = self
                    .symbols
                    .symbol(SymbolKind::Param, Home::Leaf(leaf), &name.value);
                self.whole(name, Role::DECLARES, Lookup::Symbol(param));
            }
        }
    }

    /// `given KEY=VALUE` of an archetype.
    fn starts(&mut self, archetype: &'e Node, given: &'e Node) {
        let runs = runs_of(archetype);
        for name in given.entries.iter().filter_map(|entry| entry.name.as_ref()) {
            self.whole(name, Role::STARTS, Lookup::Given(runs));
        }
    }

    fn definition(&mut self, node: &'e Node, row: &'static Word, kind: SymbolKind) {
        let name = node.first_text().map_or("", |name| name.value.as_str());
        self.home = self.at(node);
        let first = self.definitions.entry((kind, name));
        first.or_insert(self.home);
        let of = ScopeOf::Definition((kind, name));
        self.within(self.home, of, |walk| {
            walk.line(node, Some(row));
            walk.keys(node, &[Spot::Key, Spot::Port]);
            match kind {
                SymbolKind::Machine => {
                    walk.machines.push((States::new(name), Vec::new()));
                    walk.states(node, walk.machines.len() - 1, 0);
                }
                SymbolKind::Decision => {
                    walk.states_from = StateContext::Decision(name);
                    walk.decision_list(node);
                }
                SymbolKind::Planner => walk.planner(node),
                _ => walk.tasks(node),
            }
            walk.states_from = StateContext::Nothing;
        });
        self.home = Home::Everywhere;
    }

    /// The keys and ports that a node declares. A port has no sensor, but the text may contain one by mistake.
    fn keys(&mut self, node: &'e Node, spots: &[Spot]) {
        for child in node.children() {
            if language::find(spots, &child.name.value).is_some() {
                self.line(child, Spot::Key.words().first().copied());
            }
        }
    }

    /// A decision tree inside another one looks up its states from the same places as the outer one.
    fn tasks(&mut self, node: &'e Node) {
        node.children().iter().for_each(|child| self.task(child));
    }

    /// A node of a tree, and all nodes below it.
    pub(super) fn task(&mut self, node: &'e Node) {
        self.within_node(node, |walk| walk.enabled_task(node));
    }

    fn enabled_task(&mut self, node: &'e Node) {
        let word = node.name.value.as_str();
        let row = language::find(&IN_TREES, word);
        if row.is_none() && language::find(&READ_ABOVE, word).is_some() {
            return;
        }
        let build = row.and_then(|row| row.task.as_ref()).map(|task| task.build);
        match build {
            Some(Build::By(Special::Scope)) => {
                self.line(node, row);
                self.within(self.at(node), ScopeOf::Keys(node), |walk| {
                    walk.keys(node, &[Spot::Key, Spot::Port]);
                    walk.tasks(node);
                });
            }
            Some(Build::By(Special::ForEach)) => self.for_each(node, row),
            Some(Build::By(Special::Find)) => self.find(node, row),
            Some(Build::By(Special::Received)) => self.received(node, row),
            _ => {
                self.line(node, row);
                self.tasks(node);
            }
        }
    }

    /// `received` and `wait-for-event`: only `where=` speaks of the event, and parameters are written to keys.
    fn received(&mut self, node: &'e Node, row: Option<&'static Word>) {
        self.line(node, row);
        let event = ScopeOf::Event(EventScope::Waits(patterns_of(node.first_text())));
        let outer = self.scope;
        self.within(self.at(node), event, |walk| {
            if let Some(test) = node.property_text(language::WHERE.name) {
                walk.expression(test);
            }
            walk.bound(node, row, outer);
        });
    }

    /// The scope of an item, with its name.
    pub(super) fn item(
        &mut self,
        name: &'e Text,
        node: &'e Node,
        list: Option<&'e str>,
    ) -> ScopeOf<'e> {
        let home = self.at(node);
        let symbol = self.symbols.symbol(SymbolKind::Item, home, &name.value);
        self.keys.push(DeclaredKey {
            name,
            node,
            home: None,
        });
        self.whole(name, Role::NONE, Lookup::Item(self.scopes.len()));
        ScopeOf::Item {
            symbol,
            is_new: true,
            list,
        }
    }

    fn for_each(&mut self, node: &'e Node, row: Option<&'static Word>) {
        self.line(node, row);
        let Some(name) = node.first_text() else {
            return self.tasks(node);
        };
        let list = node
            .property_text("in")
            .and_then(|list| braced(&list.value));
        let of = self.item(name, node, list.map(|(name, _)| name));
        self.within(self.at(node), of, |walk| walk.tasks(node));
    }

    /// `find`: only its block speaks of the candidate.
    fn find(&mut self, node: &'e Node, row: Option<&'static Word>) {
        self.line(node, row);
        let Some(name) = node.first_text() else {
            return;
        };
        let list = node
            .property_text("in")
            .and_then(|list| braced(&list.value));
        let of = self.item(name, node, list.map(|(name, _)| name));
        self.within(self.at(node), of, |walk| {
            for child in node.children() {
                if let Some(row) = Spot::Found.word(&child.name.value) {
                    walk.within_node(child, |walk| {
                        walk.line(child, Some(row));
                        walk.tasks(child);
                    });
                }
            }
        });
    }

    /// The lines of a list in a decision tree.
    fn decision_list(&mut self, block: &'e Node) {
        for node in block.children() {
            let word = node.name.value.as_str();
            let row = language::find(&IN_DECISIONS, word);
            if row.is_none() {
                self.task(node);
                continue;
            }
            self.within_node(node, |walk| {
                walk.line(node, row);
                if Spot::DecidedState.has(word) {
                    walk.tasks(node);
                } else {
                    walk.decision_list(node);
                }
            });
        }
    }

    /// The states in the block of a state or machine, with everything that belongs to them.
    fn states(&mut self, block: &'e Node, machine: usize, index: usize) {
        for node in block.children() {
            let Some(row) = Spot::State.word(&node.name.value) else {
                continue;
            };
            self.states_from = StateContext::State(machine, index);
            self.within_node(node, |walk| walk.part(node, row, machine, index));
        }
    }

    /// A part of a state: a state inside it, a transition, or what is done there.
    fn part(&mut self, node: &'e Node, row: &'static Word, machine: usize, index: usize) {
        if let Some(Shape::Declares(_)) = shape_of(row) {
            self.line(node, Some(row));
            let name = node.first_text().map_or("", |name| name.value.as_str());
            let symbol = self.symbols.symbol(SymbolKind::State, self.at(node), name);
            let (states, symbols) = &mut self.machines[machine];
            let inner = states.add(name, index, is_true(node, "disabled"));
            symbols.push(symbol);
            self.states(node, machine, inner);
        } else if row.holds().contains(&Spot::Transition) {
            self.transition(node, row);
        } else {
            self.line(node, Some(row));
            self.tasks(node);
        }
    }

    fn transition(&mut self, node: &'e Node, row: &'static Word) {
        let events = patterns_of(node.property_text("on"));
        if let Some(decision) = node.property_text("decide")
            && let StateContext::State(machine, state) = self.states_from
        {
            let known = self.deciders.entry(&decision.value).or_default();
            known.push((machine, state));
        }
        let event = ScopeOf::Event(EventScope::Waits(events));
        self.within(self.at(node), event, |walk| {
            walk.line(node, Some(row));
            for child in node.children() {
                walk.test(child, &[Spot::Transition]);
            }
        });
    }

    /// A node in the block of a transition, or among its conditions.
    fn test(&mut self, node: &'e Node, spots: &[Spot]) {
        let row = language::find(spots, &node.name.value);
        match row.filter(|row| row.holds() == [Spot::When]) {
            Some(_) => self.within_node(node, |walk| {
                let tests = node.children().iter();
                tests.for_each(|child| walk.test(child, &[Spot::When]));
            }),
            None => self.task(node),
        }
    }
}

/// The definition that a node at the top runs.
pub(super) fn runs_of(node: &Node) -> Option<Definition<'_>> {
    ["tree", "machine", "decide", "planner"]
        .into_iter()
        .find_map(|word| {
            let name = node.property_text(word)?;
            let row = Spot::Top.word(word)?;
            match shape_of(row)? {
                Shape::Declares(named) => Some((SymbolKind::of(named)?, name.value.as_str())),
                _ => None,
            }
        })
}

/// The patterns for events in a text.
fn patterns_of(text: Option<&Text>) -> Vec<&str> {
    let words = text.map_or(Vec::new(), |text| words(&text.value));
    words.into_iter().map(|(pattern, _)| pattern).collect()
}

/// Whether a property is `#true`.
pub(super) fn is_true(node: &Node, property: &str) -> bool {
    node.entries.iter().any(|entry| {
        let name = entry.name.as_ref();
        name.is_some_and(|name| name.value == property) && entry.value == Value::Bool(true)
    })
}
