//! `subtree`, and `machine` and `decide` in a tree: trees and machines that hold others, and what they pass to one
//! another.
//!
//! What these comments say about trees also applies to machines and decision trees. Every tree is first checked alone.
//! If that finds no mistake, trees that hold others are checked again with the others in their places. Each place has
//! its own keys. The result is what runs, and the second pass finds the mistakes that depend on the place.

// long: the two passes over trees that hold others share what they find on the way

use super::declare::{KeyHome, expression_name, is_new};
use super::definition_graph::DefinitionGraph;
use super::key_names::KeyNames;
use super::leaf::given_in_block;
use super::line::{Line, quoted, written};
use super::undecided::root_of;
use super::{Checker, Definition, DefinitionKind, Layout, Synchronization, decision, planner};
use crate::code::Code;
use crate::diagnostic::{Severity, Sink};
use crate::expression::{Asked, Frame, Local, SymbolId};
use crate::language;
use crate::said;
use crate::suggest;
use crate::symbols::Resolved;
use crate::syntax::{Entry, Node, Span, Text, shortened};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use treemind_core::behaviour::{self, Form, Key, MAX_DEPTH, Yields};
use treemind_core::{KeyId, Kind, Value};

/// The largest size of all trees of a document, including the trees that they hold. Without a limit, a short document
/// could hold a tree twice in one that is held twice, and so on. Roughly in bytes of text.
pub(super) const MAX_SIZE: usize = 32 << 20;

/// The largest number of nodes; each node counts with this share of the size.
pub(super) const MAX_NODES: usize = 250_000;

/// How many trees names may fall through when a tree that inherits names is checked before it is in its place.
const MAX_HANDED_DOWN: usize = 64;

/// The direction of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    In,
    Out,
    InOut,
}

/// A key or port of a tree.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) key: Key,
    /// `None` for one of the tree's own keys.
    pub(super) way: Option<Way>,
    pub(super) has_default: bool,
    pub(super) symbols: Vec<SymbolId>,
}

impl Item {
    /// Whether it is a port that needs an argument.
    pub(super) fn is_required(&self) -> bool {
        let may_lack = self.has_default || matches!(self.key.form, Form::Optional { .. });
        self.way.is_some() && !may_lack
    }
}

/// A tree or machine that others may hold.
#[derive(Debug)]
pub(super) struct DefinitionNode<'n> {
    pub(super) what: DefinitionKind,
    pub(super) node: &'n Node,
    pub(super) name: String,
    pub(super) items: Rc<[Item]>,
    /// A decision tree that leads to states instead of tasks: a transition uses it.
    pub(super) states: bool,
    /// A planner without goals: others use its steps.
    pub(super) lacks_goals: bool,
    /// Its keys or ports have a mistake, so its uses cannot be checked.
    pub(super) is_broken: bool,
    /// A key may choose any other tree inside it.
    pub(super) chooses_freely: bool,
    /// The first tree that holds it with `inherit=#true`.
    pub(super) heir_of: Option<usize>,
    /// The `scope`s around the place where it is held, the innermost first.
    heir_in: Vec<&'n Node>,
    /// The trees that it holds, and where it holds them.
    pub(super) uses: Vec<(usize, Span)>,
    /// Of a decision tree: the first test with a way that leads nowhere and does not say `none`.
    pub(super) unsaid: Option<Span>,
    /// Of a decision tree that has been checked alone: where each part is written.
    pub(super) layout: Option<Layout>,
}

/// The argument for a port.
pub(super) enum Given {
    Key(KeyId),
    Value(Value),
}

/// The place of a tree in another one.
struct Place {
    /// Its name in this place.
    label: String,
    /// The line that puts it here, for outlines.
    written: String,
    span: Span,
    /// An extra node is put above its root.
    wraps: bool,
    /// The root keeps its own name; the place adds nothing.
    keeps_name: bool,
    /// Whether the place has guards or hooks of its own.
    is_guarded: bool,
}

/// The state of putting trees into their places.
#[derive(Debug)]
pub(super) struct Places {
    /// The innermost `subtree` node.
    pub(super) span: Span,
    /// The remaining part of [`MAX_SIZE`].
    left: usize,
    /// The trees around the current node, the outermost first.
    pub(super) path: Vec<usize>,
    /// A limit was exceeded, so the work stops.
    pub(super) is_over: bool,
}

/// Whether there is a `subtree` or a similar node: then nodes may be nested deeper than in the text.
pub(crate) fn any(nodes: &[Node]) -> bool {
    let mut pending: Vec<&Node> = nodes.iter().collect();
    while let Some(node) = pending.pop() {
        if matches!(
            node.name.value.as_str(),
            "subtree" | "subtree-by" | "machine" | "decide" | "planner"
        ) {
            return true;
        }
        pending.extend(node.children());
    }
    false
}

impl<'s> Checker<'s> {
    /// Finds the keys and ports of all trees, and which trees pass names on to the trees that they hold.
    pub(super) fn hold(&mut self, nodes: &'s [Node], resolved: &Resolved<'s>) {
        let trees = nodes
            .iter()
            .filter_map(|node| Some((DefinitionKind::of(node)?, node)));
        for (what, node) in trees {
            if self.sink.is_full() {
                return;
            }
            let name = node.first_text().map(|name| name.value.clone());
            let (items, is_broken) = self.items(node);
            self.graph.add(DefinitionNode {
                what,
                states: what == DefinitionKind::Decision && decision::leads_to_states(node),
                node,
                name: name.unwrap_or_default(),
                items: items.into(),
                lacks_goals: what == DefinitionKind::Planner && planner::lacks_goals(node),
                is_broken,
                chooses_freely: false,
                heir_of: None,
                heir_in: Vec::new(),
                uses: Vec::new(),
                unsaid: None,
                layout: None,
            });
        }
        for (heir, place) in &resolved.heirs {
            let above = self.graph.resolved(place.definition);
            if let Some(heir) = self.graph.resolved(*heir) {
                self.graph[heir].heir_of = above;
                self.graph[heir].heir_in.clone_from(&place.scopes);
            }
        }
    }

    /// Reads `key`, `in`, `out` and `inout` in the block of a tree; also answers whether one has a mistake.
    fn items(&mut self, tree: &Node) -> (Vec<Item>, bool) {
        let mut items: Vec<Item> = Vec::new();
        let mut seen = HashMap::new();
        let mut is_broken = false;
        for node in tree.children() {
            let word = node.name.value.as_str();
            let way = match word {
                "key" => None,
                "in" => Some(Way::In),
                "out" => Some(Way::Out),
                "inout" => Some(Way::InOut),
                _ => continue,
            };
            if self.sink.is_full() {
                break;
            }
            let kind = if way.is_some() {
                said!("port")
            } else {
                said!("key")
            };
            let home = if way.is_some() {
                KeyHome::Port
            } else {
                KeyHome::Tree
            };
            let Some((name, declared, doc)) = self.declaration(node, home) else {
                is_broken = true;
                continue;
            };
            if !expression_name(name, &kind, self.sink)
                || !is_new(
                    &mut seen,
                    name,
                    &said!("keys or ports of this tree"),
                    self.sink,
                )
            {
                is_broken = true;
            } else {
                let has_default = declared.has_default();
                items.push(Item {
                    key: declared.key(name.value.clone(), doc),
                    way,
                    has_default,
                    symbols: self.scope.sites.at(&name.value).to_vec(),
                });
            }
        }
        (items, is_broken)
    }

    /// Creates the keys of a tree in its place, using the arguments for its ports.
    pub(super) fn frame(
        &mut self,
        held: usize,
        prefix: &str,
        given: &HashMap<&str, Given>,
        inherits: bool,
    ) -> Frame {
        let items = Rc::clone(&self.graph[held].items);
        let mut frame = Frame::new(prefix.to_owned(), inherits);
        for item in items.iter() {
            let (default, form) = match given.get(item.key.name.as_str()) {
                Some(Given::Key(key)) => {
                    let local = Local {
                        key: *key,
                        is_read_only: item.way == Some(Way::In),
                    };
                    frame.insert(item.key.name.clone(), &item.symbols, local);
                    continue;
                }
                Some(Given::Value(value)) => (*value, starting_set(&item.key.form)),
                None => (item.key.default, item.key.form.clone()),
            };
            if let Form::List { bound, .. } = form {
                self.spend(bound as usize * 64);
            }
            let key = self.scope.add_key(Key {
                name: format!("{prefix}.{}", item.key.name),
                default,
                form,
                ..item.key.clone()
            });
            let local = Local {
                key,
                is_read_only: item.way == Some(Way::In),
            };
            frame.insert(item.key.name.clone(), &item.symbols, local);
        }
        frame
    }

    /// Runs `work` while a tree's keys are visible. Returns the result with the keys, labels and semaphores that were
    /// created.
    fn with_keys<T>(
        &mut self,
        held: usize,
        lends: bool,
        work: impl FnOnce(&mut Self) -> T,
    ) -> (T, Vec<Key>, Synchronization) {
        let before = self.scope.keys.len();
        let mut chain = vec![held];
        while lends && chain.len() < MAX_HANDED_DOWN {
            match self.graph[chain[chain.len() - 1]].heir_of {
                Some(above) if !chain.contains(&above) => chain.push(above),
                _ => break,
            }
        }
        self.key_names = KeyNames::default();
        for (depth, held) in chain.into_iter().rev().enumerate() {
            if depth > 0 {
                let scopes = self.graph[held].heir_in.clone();
                scopes
                    .iter()
                    .rev()
                    .for_each(|scope| self.lend_locals(scope));
            }
            let prefix = self.graph[held].name.clone();
            self.key_names.reserve(&prefix);
            let frame = self.frame(held, &prefix, &HashMap::new(), depth > 0);
            self.scope.push(frame);
        }
        let done = work(self);
        while self.scope.pop().is_some() {}
        let keys = self.scope.take_keys(before);
        let synchronization = Synchronization {
            labels: std::mem::take(&mut self.own_labels),
            semaphores: self.scope.semaphores.taken(),
        };
        (done, keys, synchronization)
    }

    /// Reads conditions of a test with the keys of the definition that it runs. Returns the result with all keys that
    /// the conditions may read, and with what they ask about nodes and states.
    pub(super) fn with_questions<T>(
        &mut self,
        held: usize,
        work: impl FnOnce(&mut Self) -> T,
    ) -> (T, Vec<Key>, Vec<Asked>) {
        let mut keys = self.scope.keys.clone();
        self.scope.asked = Some(Vec::new());
        let (done, own, _) = self.with_keys(held, true, work);
        keys.extend(own);
        let asked = self.scope.asked.take().unwrap_or_default();
        (done, keys, asked)
    }

    /// Checks a tree alone, without the trees that it holds.
    pub(super) fn alone(
        &mut self,
        held: usize,
    ) -> (Option<behaviour::Node>, Vec<Key>, Synchronization) {
        self.current = held;
        self.with_keys(held, true, |checker| checker.root_of(held, 1))
    }

    /// Lowers the root of a tree, the machine or the decision tree, at `depth`.
    fn root_of(&mut self, held: usize, depth: usize) -> Option<behaviour::Node> {
        let node = self.graph[held].node;
        match self.graph[held].what {
            DefinitionKind::Tree => self.root(node, depth),
            DefinitionKind::Machine => self.machine(held, depth),
            DefinitionKind::Decision => self.decision(held, depth),
            DefinitionKind::Planner => self.planner(held, depth),
        }
    }

    /// `subtree NAME port=…` or `machine NAME port=…`, at `depth`.
    pub(super) fn subtree(
        &mut self,
        line: &mut Line<'_>,
        (what, above): (DefinitionKind, Option<&str>),
        depth: usize,
    ) -> Option<behaviour::Node> {
        let name = line.name(&said!("the {}", what.called()), self.sink);
        line.only_name(self.sink);
        let inherits = line.flag("inherit", self.sink);
        if what == DefinitionKind::Tree {
            line.flag("keeps-name", self.sink);
        }
        let mut given: Vec<(&Text, Option<&Entry>)> = Vec::new();
        for (name, entry) in line.unread() {
            if !language::is_common_property(&name.value) {
                line.take(&name.value);
                given.push((name, Some(entry)));
            }
        }
        given_in_block(line.node, &mut given, self.sink);
        let name = name?;
        let held = self.graph.find_held(what, name, self.sink)?;
        if self.graph[held].states {
            let word = shortened(&name.value);
            let message = said!("`{}` leads to states, so it cannot run as a task", word);
            self.sink
                .error(Code::MisplacedNode, name.span.clone(), message)
                .with_help(said!(
                    "use it in a state of a machine: `transition decide={}`",
                    word
                ));
            return None;
        }
        if self.graph[held].lacks_goals {
            let word = shortened(&name.value);
            let message = said!("planner `{}` has no goal, so it cannot run", word);
            self.sink
                .error(Code::MissingChildren, name.span.clone(), message)
                .with_help(said!(
                    "add a goal to it, or take its steps into a planner that has goals: `use {}`",
                    word
                ));
            return None;
        }
        if self.places.is_none() {
            self.note_uses(&[held], &line.node.span);
        }
        if self.graph[held].is_broken {
            return None;
        }
        let written = self.places.as_ref().map(|_| written(line, name, &given));
        let given = self.bind(line.node, held, given)?;
        let Some(written) = written else {
            // A placeholder stands for it until all trees are known.
            return Some(behaviour::Node::leaf(Kind::Run));
        };
        let place = self.placed_by(line.node, (held, written), above);
        self.place(place, held, &given, inherits, depth)
    }

    /// Notes that the tree that is being checked holds others. Returns false when all trees together hold too many:
    /// each held tree will be put into its place.
    pub(super) fn note_uses(&mut self, held: &[usize], span: &Span) -> bool {
        self.graph.uses += held.len();
        if self.graph.uses > MAX_NODES {
            too_large(span.clone(), self.sink);
            return false;
        }
        let uses = held.iter().map(|held| (*held, span.clone()));
        self.graph[self.current].uses.extend(uses);
        true
    }

    /// What a node that stands for a tree adds to it, in a node whose kind is `above`.
    fn placed_by(
        &self,
        node: &Node,
        (held, written): (usize, String),
        above: Option<&str>,
    ) -> Place {
        let label = node
            .property_text("name")
            .map_or(&*self.graph[held].name, |name| &*name.value);
        let keeps_name = node.entry("keeps-name").is_some();
        let is_tree = self.graph[held].what == DefinitionKind::Tree;
        let tree = self.graph[held].node;
        // A planner looks at the guards of its steps, and not at those of nodes in them.
        let is_step = above == Some(planner::PLANNER);
        Place {
            label: label.to_owned(),
            written,
            span: node.span.clone(),
            wraps: !keeps_name
                && is_tree
                && (wraps(Some(node), tree) || is_step && is_guarded(tree)),
            keeps_name,
            is_guarded: has_guard_or_hook(node),
        }
    }

    /// Puts a tree under its own name, without arguments for its ports.
    pub(super) fn put_plain(
        &mut self,
        span: Span,
        held: usize,
        depth: usize,
    ) -> Option<behaviour::Node> {
        let place = Place {
            label: self.graph[held].name.clone(),
            written: format!("subtree {}", quoted(&self.graph[held].name)),
            span,
            wraps: wraps(None, self.graph[held].node),
            keeps_name: false,
            is_guarded: false,
        };
        self.place(place, held, &HashMap::new(), false, depth)
    }

    fn place(
        &mut self,
        place: Place,
        held: usize,
        given: &HashMap<&str, Given>,
        inherits: bool,
        depth: usize,
    ) -> Option<behaviour::Node> {
        let Place {
            label,
            written,
            span,
            wraps,
            keeps_name,
            is_guarded,
        } = place;
        let tree = self.graph[held].node;
        let prefix = self.key_names.prefix(&label);
        let frame = self.frame(held, &prefix, given, inherits);
        for item in tree.children() {
            self.spend(item.span.len());
        }
        self.scope.push(frame);
        let places = self.places.as_mut();
        let outer = places.map(|places| {
            places.path.push(held);
            std::mem::replace(&mut places.span, span)
        });
        // Each level counts, so that nested trees come to an end.
        let root = self.root_of(held, depth + usize::from(wraps || keeps_name));
        if let (Some(places), Some(span)) = (self.places.as_mut(), outer) {
            places.span = span;
            places.path.pop();
        }
        self.scope.pop();
        let mut root = root?;
        let has_own = !root.guards.is_empty() || !root.hooks.is_empty();
        if wraps || keeps_name && is_guarded && has_own {
            let kind = match keeps_name {
                // In BehaviorTree.CPP, a call changes nothing in what it is around: a child that is skipped in the
                // middle of its run stays open.
                true => Kind::Scope { keys: Vec::new() },
                false => Kind::Sequence {
                    yields: Yields::Never,
                },
            };
            root = behaviour::Node::with(kind, vec![root]);
            root.written.parts_mut().is_above = true;
        }
        if keeps_name {
            let ports = given.iter().filter_map(|(port, given)| match given {
                Given::Key(key) => Some(((*port).into(), *key)),
                Given::Value(_) => None,
            });
            let mut ports: Vec<(Box<str>, KeyId)> = ports.collect();
            ports.sort_unstable();
            root.written.parts_mut().ports.insert(0, ports.into());
            return Some(root);
        }
        if self.graph[held].what == DefinitionKind::Tree {
            root.written.parts_mut().places.insert(0, written.into());
        }
        let own = tree.property_text("doc");
        root.doc = root.doc.or_else(|| own.map(|own| own.value.clone()));
        root.name = Some(label);
        Some(root)
    }

    /// Counts a node against the limits while trees are in their places; false when there are too many nodes or they
    /// are nested too deeply.
    pub(super) fn fits(&mut self, node: &Node, depth: usize) -> bool {
        if self.places.is_none() {
            return true;
        }
        let text: usize = node.children().iter().map(|child| child.span.len()).sum();
        self.spend(MAX_SIZE / MAX_NODES + node.span.len() + text);
        let Some(places) = &mut self.places else {
            return true;
        };
        if depth > MAX_DEPTH && !places.is_over {
            places.is_over = true;
            let message = said!("this subtree nests nodes deeper than {}", MAX_DEPTH);
            self.sink.error(Code::TooDeep, places.span.clone(), message);
        }
        !places.is_over
    }

    /// Counts a size against the limit while trees are in their places; `size` is in bytes of text.
    pub(super) fn spend(&mut self, size: usize) {
        let Some(places) = &mut self.places else {
            return;
        };
        let is_over = size > places.left && !places.is_over;
        places.is_over |= is_over;
        places.left = places.left.saturating_sub(size);
        if is_over {
            let span = places.span.clone();
            too_large(span, self.sink);
        }
    }

    /// Checks trees that hold others again, with the others in their places.
    pub(super) fn put_in_places(&mut self, main: Option<&(DefinitionKind, String)>) {
        let mut left = MAX_SIZE;
        let mut found: HashSet<(Span, String)> = HashSet::new();
        let all = DefinitionKind::ALL.into_iter().flat_map(|what| {
            let count = self.definitions[what as usize].len();
            (0..count).map(move |index| (what, index))
        });
        for (what, index) in all.collect::<Vec<_>>() {
            let Definition { name, span, .. } = &self.definitions[what as usize][index];
            let (name, span) = (name.clone(), span.clone());
            let Some(held) = self.graph.named(what, &name) else {
                continue;
            };
            let is_heir = self.graph[held].heir_of.is_some();
            if self.graph[held].states || self.graph[held].lacks_goals {
                continue;
            }
            let holds = !self.graph[held].uses.is_empty() || self.graph[held].chooses_freely;
            if !holds && !is_heir {
                continue;
            }
            let mut scratch = self.sink.fresh();
            std::mem::swap(self.sink, &mut scratch);
            self.places = Some(Places {
                span,
                path: vec![held],
                left,
                is_over: false,
            });
            let (root, keys, made) =
                self.with_keys(held, false, |checker| checker.root_of(held, 1));
            let places = self.places.take();
            std::mem::swap(self.sink, &mut scratch);
            left = places.map_or(0, |places| places.left);
            let errors: Vec<_> = scratch
                .finish()
                .into_iter()
                .filter(|item| item.severity == Severity::Error)
                .collect();
            let is_main = main.is_some_and(|main| main.0 == what && main.1 == name);
            let definition = &mut self.definitions[what as usize][index];
            definition.root = root;
            definition.keys = keys;
            definition.synchronization = made;
            if is_heir && !is_main && !errors.is_empty() {
                // The tree may be correct in its places, and lack names only when no tree holds it.
                definition.root = None;
                definition.refusal = errors;
                for error in &mut definition.refusal {
                    error.with_help(said!(
                        "run the tree that contains `{}`: it uses names from that tree",
                        shortened(&name)
                    ));
                }
                continue;
            }
            let too_large = errors.iter().any(|item| item.code == Code::TooLarge);
            for error in errors {
                if !found.insert((error.place(), error.message().to_owned())) {
                    continue;
                }
                let place = error.place();
                // The place causes the mistake, not the tree in which it shows.
                let help = match (error.code, error.help) {
                    (Code::TooDeep | Code::TooLarge, Some(help)) => help.into_said(),
                    _ => said!("this happens when `{}` runs", shortened(&name)),
                };
                self.sink
                    .error(error.code, place, error.message.into_said())
                    .with_help(help);
            }
            if too_large {
                return;
            }
        }
    }
}

impl DefinitionGraph<'_> {
    pub(super) fn find_held(
        &self,
        what: DefinitionKind,
        name: &Text,
        sink: &mut Sink,
    ) -> Option<usize> {
        let found = self.named(what, &name.value);
        if found.is_none() {
            self.unknown(what, &name.value, name.span.clone(), sink);
        }
        found
    }

    pub(super) fn unknown_tree(&self, name: &str, span: Span, sink: &mut Sink) {
        self.unknown(DefinitionKind::Tree, name, span, sink);
    }

    fn unknown(&self, what: DefinitionKind, name: &str, span: Span, sink: &mut Sink) {
        let word = shortened(name);
        let kind = what.called();
        let names = self.iter().filter(|held| held.what == what);
        let names = names.map(|held| held.name.as_str());
        #[cfg(feature = "btcpp")]
        let nearby = sink.trees_nearby.iter().map(String::as_str);
        #[cfg(feature = "btcpp")]
        let names = names.chain(nearby.filter(|_| what == DefinitionKind::Tree));
        let mut others = DefinitionKind::ALL.into_iter();
        let other = others.find(|other| self.named(*other, name).is_some());
        let help = if let Some(other) = other {
            let (called, node) = (other.called(), other.node_word());
            Some(said!("use `{} {}`, because it is a {}", node, word, called))
        } else {
            suggest::among(&word, said!("the {}", what.several()), names, || None)
        };
        let message = said!("unknown {} `{}`", kind, word);
        let at = (name, span);
        sink.missing(what.unknown(), at, message).with_perhaps(help);
    }
}

pub(super) fn too_large(span: Span, sink: &mut Sink) {
    let message = said!("the document is too large once its subtrees are inserted");
    let help = sink.say(
        said!(
            "use at most {} nodes, fewer if they are long; use `of=` to exclude trees from a `subtree-by`",
            MAX_NODES
        ),
        said!("use at most {} nodes, fewer if they are long", MAX_NODES),
    );
    sink.error(Code::TooLarge, span, message).with_help(help);
}

/// The form of a port that gets a value.
fn starting_set(form: &Form) -> Form {
    match form {
        Form::Optional { .. } => Form::Optional { starts_set: true },
        other => other.clone(),
    }
}

/// Whether the root of a tree has guards or hooks.
fn is_guarded(tree: &Node) -> bool {
    root_of(tree).is_some_and(has_guard_or_hook)
}

/// Whether the line of a node has a guard or a hook.
fn has_guard_or_hook(node: &Node) -> bool {
    let mut names = node.entries.iter().filter_map(|entry| entry.name.as_ref());
    names.any(|name| language::is_guard_or_hook(&name.value))
}

/// Whether an extra node must be put above the root of a tree to hold what its place adds. The root must keep the name
/// of its leaf and its own properties.
pub(crate) fn wraps(place: Option<&Node>, tree: &Node) -> bool {
    let Some(root) = root_of(tree) else {
        return false;
    };
    let has = |node: &Node, is_meant: fn(&str) -> bool| {
        let mut names = node.entries.iter().filter_map(|entry| entry.name.as_ref());
        names.any(|name| is_meant(&name.value))
    };
    let both = |is_meant| has(root, is_meant) && place.is_some_and(|place| has(place, is_meant));
    language::takes_params(&root.name.value)
        || has(root, |name| name == "name")
        || both(|name| name == "doc")
        || both(language::is_guard_or_hook)
}
