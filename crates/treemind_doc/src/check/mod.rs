//! From the syntax tree to the vocabulary of `treemind_core`: resolves names, checks types, reports problems.

mod allow;
mod archetypes;
mod children;
mod curve;
mod dead_branches;
mod decision;
mod declare;
mod define;
mod definition_graph;
mod definitions;
mod expressions;
mod find;
mod for_each;
mod guards;
mod hosted;
mod interrupts;
mod key_names;
mod keys;
mod leaf;
mod leaf_kinds;
mod leaves;
mod line;
mod list_keys;
mod literal;
mod log_and_emit;
mod machine;
mod networks;
mod options;
mod outcome;
mod planner;
mod ports;
mod rates;
mod reading;
mod received;
mod rules;
mod self_waits;
mod semaphores;
mod subtree;
mod subtree_by;
mod switch;
mod table_numbers;
mod testing;
mod tree;
mod undecided;
mod unused;
mod utility;

pub(crate) use archetypes::Archetype;
pub use decision::Layout;
#[cfg(feature = "internals")]
pub(crate) use decision::facts;
pub(crate) use declare::{FIRST_AT, with_article};
pub(crate) use definitions::{Definition, DefinitionKind, PerKind, Synchronization};
pub(crate) use leaf::called;
pub use testing::{
    Action, ByKeys, Case, Choice, Condition, Expectation, Random, Rule, RuleKind, Step, Subject,
    Test, Values,
};
#[cfg(feature = "internals")]
pub(crate) use tree::present;

use crate::code::Code;
use crate::diagnostic::Sink;
#[cfg(feature = "edit")]
use crate::expression::ValueName;
use crate::expression::{Asts, KeyScope};
use crate::language::{self, Spot};
use crate::suggest;
use crate::symbols;
use crate::syntax::{Node, Span, Text, Value as Written, shortened};
use crate::{Said, said};
use declare::first_at;
use definition_graph::DefinitionGraph;
use interrupts::Labels;
use key_names::KeyNames;
use leaves::Leaves;
use networks::DeclaredNetwork;
use std::collections::{BTreeSet, HashMap, HashSet};
use subtree::Places;
pub(crate) use subtree::any as any_subtree;
#[cfg(all(feature = "btcpp", feature = "convert"))]
pub(crate) use subtree::wraps;
use treemind_core::LeafId;
use treemind_core::behaviour::{self, Leaf};
use treemind_core::society::{SharedKind, declared_key, declared_semaphore};

/// The results of the check.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checked {
    pub(crate) enums: Vec<behaviour::Enum>,
    pub(crate) keys: Vec<behaviour::Key>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) definitions: PerKind<Vec<Definition>>,
    pub(crate) archetypes: Vec<Archetype>,
    pub(crate) tests: Vec<Test>,
    /// The definition that runs by default.
    pub(crate) main: Option<(DefinitionKind, String)>,
    /// What agents share: where it is declared, its kind, its name, and its declaration.
    pub(crate) shared: Vec<Shared>,
    /// Where no warning is wanted that something is shared with no other document.
    pub(crate) allowed_alone: Vec<Span>,
    /// The places that name values of enumerations.
    #[cfg(feature = "edit")]
    pub(crate) value_names: Vec<ValueName>,
}

/// Checks the nodes of a document.
pub(crate) fn check(nodes: &[Node], sink: &mut Sink) -> Checked {
    let (mut resolved, sites, asts) = symbols::resolved(nodes);
    let mut checker = Checker {
        sink,
        scope: KeyScope::new(sites, resolved.uses.len()),
        asts,
        leaves: Leaves::default(),
        definitions: PerKind::default(),
        graph: DefinitionGraph::default(),
        current: 0,
        places: None,
        is_placed: false,
        key_names: KeyNames::default(),
        labels: std::mem::take(&mut resolved.labels),
        own_labels: Labels::default(),
        items: 0,
        sent_events: HashSet::new(),
        awaited_events: HashSet::new(),
        rule_names: BTreeSet::new(),
        item_guards: planner::ItemGuards::default(),
        networks: Vec::new(),
    };
    // Read declarations.
    checker.declarations(nodes);
    checker.scope.events = checker.leaves.events();
    checker.scope.measures = checker.leaves.measures();
    checker.hold(nodes, &resolved);
    let semaphores = semaphores::find(nodes, &mut checker.scope.semaphores, checker.sink);
    let mut shared = checker.scope.shared(&semaphores);
    checker.networks(nodes);
    // Check types.
    checker.trees();
    let main = checker.main(nodes);
    let archetypes = checker.archetypes(nodes);
    // Check the finished definitions together.
    undecided::judge(&checker.graph, main.as_ref(), &archetypes, checker.sink);
    checker.graph.judge_cycles(checker.sink);
    if !checker.sink.has_errors() {
        self_waits::judge(&checker.graph, &checker.scope.semaphores, checker.sink);
        checker.put_in_places(main.as_ref());
        checker.is_placed = true;
    }
    if !checker.sink.has_errors() {
        let definitions = &checker.definitions;
        let all = DefinitionKind::ALL.into_iter();
        let all = all.flat_map(|what| {
            definitions[what as usize]
                .iter()
                .map(move |one| (what, one))
        });
        interrupts::judge(all, &checker.graph, main.as_ref(), checker.sink);
    }
    checker.note_held();
    checker.sink.enter_tests();
    let tests = testing::read(&mut checker, nodes, &archetypes, main.as_ref());
    let had_errors = checker.sink.leave_tests();
    shared.extend(checker.shared_events());
    // A test with a mistake may leave out what it uses.
    if !had_errors && checker.has_definitions(nodes) && !checker.sink.has_errors() {
        unused::judge(&resolved, &checker.scope, checker.sink);
    }
    checker.scope.fault_words.judge(checker.sink);
    let allowed_alone = allow::allow(nodes, checker.sink);
    Checked {
        #[cfg(feature = "edit")]
        value_names: checker.scope.value_names.take(),
        enums: checker.scope.enums,
        keys: checker.scope.keys,
        leaves: checker.leaves.all,
        definitions: checker.definitions,
        archetypes,
        tests,
        main,
        shared,
        allowed_alone,
    }
}

/// Something that programs share by name.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    pub(crate) span: Span,
    pub(crate) kind: SharedKind,
    pub(crate) name: String,
    /// What its declaration says, in a form in which equal declarations are equal.
    pub(crate) text: String,
    /// Of an event: whether it is emitted to other agents, and whether something waits for it.
    pub(crate) is_sent: bool,
    pub(crate) is_awaited: bool,
}

impl Shared {
    fn new(span: &Span, (kind, name): (SharedKind, &str), text: String) -> Self {
        Self {
            span: span.clone(),
            kind,
            name: name.to_owned(),
            text,
            is_sent: false,
            is_awaited: false,
        }
    }
}

/// What is known while a document is checked. Its methods are the ways through definitions and nodes, each of which may
/// lead to all others. What needs less takes less: it is a function with a sink, or belongs to the keys, the leaves or the
/// graph of definitions.
struct Checker<'s> {
    sink: &'s mut Sink,
    scope: KeyScope,
    /// The expressions and statements that have been read.
    asts: Asts,
    leaves: Leaves,
    /// The definitions that have been checked alone.
    definitions: PerKind<Vec<Definition>>,
    /// All trees, machines and decision trees, and which of them hold which others.
    graph: DefinitionGraph<'s>,
    /// The definition that is being checked alone.
    current: usize,
    /// The current place, while trees are put into the trees that hold them.
    places: Option<Places>,
    /// Whether all trees are in the trees that hold them: only in a document without mistakes.
    is_placed: bool,
    /// The names of the keys in the definition that is being checked.
    key_names: KeyNames,
    /// The labels of all `interruptible` nodes in the document.
    labels: BTreeSet<String>,
    /// The labels of the tree that is being checked, and of the trees that are put into it.
    own_labels: Labels,
    /// How many items all lists have room for.
    items: u32,
    /// The events that are emitted to other agents, and those that something waits for.
    sent_events: HashSet<LeafId>,
    awaited_events: HashSet<LeafId>,
    /// The names of all rules.
    rule_names: BTreeSet<String>,
    /// The guards of steps in an `each`.
    item_guards: planner::ItemGuards,
    networks: Vec<DeclaredNetwork>,
}

impl Checker<'_> {
    /// Reads declarations before anything else, so that their order in the document does not matter.
    fn declarations(&mut self, nodes: &[Node]) {
        // Keys refer to sensors, so the leaves come first.
        for node in nodes.iter().filter(|node| node.name.value == "leaves") {
            self.leaves(node);
        }
        for node in nodes.iter().filter(|node| node.name.value == "curve") {
            self.named_curve(node);
        }
        for node in nodes {
            match node.name.value.as_str() {
                "blackboard" => self.blackboard(node),
                "curve" | "leaves" | "main" | "tree" | "machine" | "decide" | "planner"
                | "archetype" | "network" | "test" => {}
                _ => stranger(
                    node,
                    &said!("at the top of a document"),
                    &Spot::Top.list(),
                    self.sink,
                ),
            }
            if self.sink.is_full() {
                return;
            }
        }
    }

    /// Notes which definitions are inside others.
    fn note_held(&mut self) {
        let uses = self.graph.iter().enumerate();
        let uses =
            uses.flat_map(|(holder, one)| one.uses.iter().map(move |(held, _)| (holder, *held)));
        let uses: Vec<usize> = uses
            .filter(|(holder, held)| holder != held)
            .map(|(_, held)| held)
            .collect();
        for held in uses.into_iter().chain(self.graph.deciders.iter().copied()) {
            let (what, name) = (self.graph[held].what, &self.graph[held].name);
            let mut all = self.definitions[what as usize].iter_mut();
            if let Some(definition) = all.find(|one| one.name == *name) {
                definition.is_held = true;
            }
        }
    }

    fn trees(&mut self) {
        for held in 0..self.graph.len() {
            if self.sink.is_full() {
                return;
            }
            self.define(held);
        }
    }

    /// Whether a document has something that can run; reports a document without anything.
    fn has_definitions(&mut self, nodes: &[Node]) -> bool {
        if nodes.is_empty() {
            // A model of no nodes was reported by its reader.
            if self.sink.is_foreign() {
                return false;
            }
            self.sink
                .error(
                    Code::NothingInIt,
                    0..0,
                    said!("there is nothing in this document"),
                )
                .with_help(said!("add a tree: `tree NAME { … }`"));
            return false;
        }
        let nothing_runs = self.graph.is_empty();
        if nothing_runs && self.leaves.is_empty() && self.scope.keys.is_empty() {
            self.sink
                .error(
                    Code::NoTree,
                    0..0,
                    said!("there is no tree in this document"),
                )
                .with_help(said!(
                    "write `tree NAME { … }` with the first node of the tree in its block"
                ));
        }
        // Otherwise it is a file for others to import. They may use what it declares.
        !nothing_runs
    }
}

impl KeyScope {
    /// The keys and semaphores of groups and of the world.
    fn shared(&self, semaphores: &[(Span, behaviour::Semaphore)]) -> Vec<Shared> {
        let keys = self.keys.iter();
        let keys = keys.filter(|key| key.scope != behaviour::Scope::Agent);
        let keys = keys.filter_map(|key| {
            let (_, span) = self.global(&key.name)?;
            let text = declared_key(&self.enums, key);
            Some(Shared::new(span, (SharedKind::Key, &key.name), text))
        });
        let semaphores = semaphores.iter().map(|(span, one)| {
            let text = declared_semaphore(one);
            Shared::new(span, (SharedKind::Semaphore, &one.name), text)
        });
        keys.chain(semaphores).collect()
    }
}

/// Reports a node in the wrong place: `place` (such as "in a tree") takes only the words in `known`.
fn stranger(node: &Node, place: &Said, known: &[&str], sink: &mut Sink) {
    let word = shortened(&node.name.value);
    let name = node.name.value.as_str();
    let span = node.name.span.clone();
    let home = if known.contains(&name) {
        None
    } else if Spot::Task.has(name) {
        Some(said!("move it into a tree: `tree NAME { … }`"))
    } else if name == "test" && place != "at the top of a document" {
        Some(said!(
            "use `test` in `decide NAME { … }`, and `check` in a tree"
        ))
    } else if Spot::Top.has(name) {
        Some(said!(
            "move it to the top of the document, outside any block"
        ))
    } else {
        match name {
            "key" => Some(
                said!("declare keys in `blackboard { … }`, or before the root of a tree or the child of a `scope`")
                    .to_owned(),
            ),
            "in" | "out" | "inout" => {
                Some(said!("declare ports in `tree NAME { … }`, before its root"))
            }
            "case" | "default" => Some(said!("move it into the block of a `switch`")),
            "all" | "any" | "not" => {
                Some(said!("move it into the `when { … }` of a transition"))
            }
            "when" if known.contains(&"rule") => {
                Some(said!("write `rule NAME when=\"…\" { … }`"))
            }
            "when" => Some(said!("move it into the block of a `transition`")),
            name if Spot::State.has(name) => {
                Some(said!("move it into a machine: `machine NAME { … }`"))
            }
            name if language::decision_words().any(|word| word == name) => {
                Some(said!("move it into a decision tree: `decide NAME { … }`"))
            }
            "keep" => Some(said!("move it into the block of a `find`")),
            "rule" => Some(said!("move it into the block of a `rules`")),
            "method" => Some(said!("move it into a `task` of a planner")),
            name if language::is_planned_word(name) => {
                Some(said!("move it into a planner: `planner NAME { … }`"))
            }
            "given" => Some(said!("move it into the block of an `archetype`")),
            "param" => Some(said!("move it into the block of a leaf")),
            "value" => Some(
                said!("move it into the block of a key or parameter of `type=enum`"),
            ),
            _ => None,
        }
    };
    if let Some(home) = home {
        let message = said!("`{}` is not allowed {}", word, place);
        sink.error(Code::MisplacedNode, span, message)
            .with_help(home);
        return;
    }
    let foreign = language::foreign(name).filter(|ours| known.contains(ours));
    let help = match foreign {
        Some(ours) => Some(said!("use `{}` instead", ours)),
        None => suggest::did_you_mean(&word, known.iter().copied(), || {
            Some(said!("expected {}", suggest::either(known)))
        }),
    };
    let message = said!("unknown node `{}` {}", word, place);
    sink.error(Code::UnknownNode, span, message)
        .with_perhaps(help);
}

/// Reports a node with the same `name=` as one of its siblings.
fn sibling_name<'n>(node: &'n Node, seen: &mut HashMap<&'n str, Span>, sink: &mut Sink) {
    let named = node
        .entries
        .iter()
        .find_map(|entry| match (&entry.name, &entry.value) {
            (Some(name), Written::Text(text)) if name.value == "name" => Some(text),
            _ => None,
        });
    let Some(Text { value, span, .. }) = named else {
        return;
    };
    if sink.is_foreign() {
        // Elsewhere siblings may share a name.
        return;
    }
    let Some(first) = seen.get(value.as_str()) else {
        seen.insert(value, span.clone());
        return;
    };
    let message = said!("two sibling nodes are named `{}`", shortened(value));
    let why = said!("saved states and traces tell siblings apart by their names");
    let help = match first_at(first, span, sink) {
        Some(place) => said!("{}; {}", place, why),
        None => why.to_owned(),
    };
    sink.error(Code::Duplicate, span.clone(), message)
        .with_help(help);
}
