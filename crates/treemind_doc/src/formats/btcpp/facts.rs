//! What is known of a document before its nodes are read: which names each tree uses, what trees pass to one another,
//! and which ports the leaves have.
//!
//! Names on the blackboard need no declaration in BehaviorTree.CPP, and what a tree sees of its caller is said where
//! it is called. In the language a tree declares its keys and ports, so all trees are looked at first.

mod begun;
mod guess;
mod passed;
mod reached;
mod types;

use super::dialect::{self, Version};
use super::enums::Enums;
use super::model::Models;
use super::names::{self, Names};
use super::{loops, own, packs, script, words};
pub(super) use guess::Guess;
use passed::sort_literal;
pub(super) use passed::{Passed, Rest, has_meaning, remapped, rest_of};
use roxmltree::Node;
use std::collections::{BTreeSet, HashMap, HashSet};
use types::note;

/// How many names all trees of a document may hand down together.
const MAX_HANDED: usize = 1_000_000;

/// What is known of all trees and leaves.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) names: Names,
    pub(super) trees: HashMap<String, TreeFacts>,
    pub(super) leaves: HashMap<String, LeafFacts>,
    /// The names that any tree uses as `@name`.
    pub(super) globals: BTreeSet<String>,
    pub(super) enums: Enums,
    /// The tree that runs.
    pub(super) main: Option<String>,
    /// The trees that the main tree does not reach, if a file says which one that is.
    pub(super) unreached: HashSet<String>,
    /// The trees of all files that a node may name as its element, `<Home/>`: those that are no other node.
    pub(super) by_element: HashSet<String>,
    /// The trees have too many keys; those that are known do not suffice.
    pub(super) is_too_large: bool,
    /// How many files have been looked at.
    file: usize,
    /// The names that scripts calculate with, with their trees; without a tree, those that are used as `@name`.
    numbers: HashSet<(String, String)>,
    /// The names that say how often something runs.
    counts: HashSet<(String, String)>,
    /// The names that hold texts.
    texts: HashSet<(String, String)>,
    /// The names that hold texts, and that scripts calculate with.
    mixed: HashSet<(String, String)>,
    /// Those that are used as `@name` and get a text, or are added or put in order.
    of_text: HashSet<String>,
    perhaps: HashSet<String>,
    /// Those that are used as `@name` and get a whole number, something computed, or anything else.
    whole: HashSet<String>,
    computed: HashSet<String>,
    fractions: HashSet<String>,
    other: HashSet<String>,
    /// Those that nodes have at their ports.
    at_ports: HashSet<String>,
    /// A node unsets a key that another key names.
    unsets_any: bool,
    /// The names that others write, or that scripts give fractions, with their trees.
    loose: HashSet<(String, String)>,
    /// The names to which scripts give whole numbers.
    turned: HashSet<(String, String)>,
    /// The names that are there before anything runs: nodes have them at their ports, or calls give them a literal.
    there: HashSet<(String, String)>,
}

/// A tree: its names, and the trees that it calls.
#[derive(Default)]
pub(super) struct TreeFacts {
    keys: OrderedNames,
    /// The names that a caller gives.
    pub(super) ports: HashSet<String>,
    calls: Vec<Call>,
    file: usize,
    numbers: HashSet<String>,
    counts: HashSet<String>,
    copied: Vec<(String, String)>,
    /// The names that scripts add or put in order, those that get a text, and pairs of which the first one is a text if
    /// the other one is.
    perhaps: HashSet<String>,
    of_text: HashSet<String>,
    summed: Vec<(String, String)>,
    /// The names to which scripts give what they calculate of these other names, and of whole numbers.
    whole_if: Vec<(String, Vec<String>)>,
    /// The names that scripts give a whole number.
    whole: HashSet<String>,
    /// The names that scripts compute, and those of them that may get a fraction.
    computed: HashSet<String>,
    fractions: HashSet<String>,
    /// The names that may get anything from somebody else.
    other: HashSet<String>,
    /// The names that nodes have at their ports.
    at_ports: HashSet<String>,
    /// The names that get a whole number before anything else happens in this tree.
    begun: Vec<String>,
    /// The names that something unsets, or to which a node of its own copies anything.
    replaced: HashSet<String>,
}

/// Names in the order in which they were found.
#[derive(Default)]
pub(super) struct OrderedNames {
    order: Vec<String>,
    known: HashSet<String>,
}

impl OrderedNames {
    fn add(&mut self, name: &str) -> bool {
        let is_new = self.known.insert(name.to_owned());
        if is_new {
            self.order.push(name.to_owned());
        }
        is_new
    }
}

/// One use of a tree by another one.
struct Call {
    tree: String,
    given: Vec<String>,
    /// The keys that are given, with the ports.
    bound: Vec<(String, String)>,
    /// The ports that are given a whole number, another literal, and of these a text.
    whole: Vec<String>,
    literals: Vec<String>,
    texts: Vec<String>,
    rest: Rest,
}

/// A leaf: how often it occurs, and what its ports are given.
#[derive(Default)]
pub(super) struct LeafFacts {
    pub(super) uses: usize,
    /// The first element that says what it is.
    pub(super) element: Option<&'static str>,
    pub(super) ports: Vec<PortFacts>,
    by_name: HashMap<String, usize>,
}

/// A port of a leaf.
pub(super) struct PortFacts {
    pub(super) name: String,
    /// Its name as a parameter.
    pub(super) param: String,
    /// How many nodes give it.
    pub(super) uses: usize,
    /// Whether a node gives it a key.
    pub(super) has_key: bool,
    /// What all its literals are.
    pub(super) guess: Option<Guess>,
}

impl LeafFacts {
    /// The port with this name.
    pub(super) fn port(&self, name: &str) -> Option<&PortFacts> {
        self.by_name.get(name).map(|index| &self.ports[*index])
    }
}

impl Facts {
    /// Looks at all trees of a file.
    pub(super) fn scan(
        &mut self,
        root: Node<'_, '_>,
        (version, models): (Version, &Models),
        wanted: Option<&HashSet<String>>,
        known: &HashSet<&str>,
    ) {
        let mut named = super::TreeNames::of(root);
        for element in root.children().filter(super::is_tree) {
            let name = named.next(element);
            if !wanted.is_none_or(|wanted| wanted.contains(&name)) {
                continue;
            }
            let mut tree = TreeFacts {
                begun: begun::of(element),
                ..TreeFacts::default()
            };
            for node in element.descendants().filter(Node::is_element).skip(1) {
                self.node(node, (version, models), &mut tree, known);
            }
            // Within a file the last tree of a name counts, and the first file that has it.
            let is_other = self
                .trees
                .get(&name)
                .is_some_and(|known| known.file != self.file);
            if !is_other {
                tree.file = self.file;
                self.trees.insert(name, tree);
            }
        }
        self.file += 1;
    }

    fn node(
        &mut self,
        element: Node<'_, '_>,
        (version, models): (Version, &Models),
        tree: &mut TreeFacts,
        known: &HashSet<&str>,
    ) {
        let word = element.tag_name().name();
        let is_explicit = words::EXPLICIT.contains(&word);
        let id = match is_explicit {
            true => element.attribute("ID").unwrap_or(""),
            false => word,
        };
        for attribute in element.attributes() {
            if words::script_attribute(attribute.name()).is_some() {
                self.script(attribute.value(), tree);
            }
        }
        if self.calls(element) {
            self.call(element, (version, models), tree);
            return;
        }
        let id = words::current(id).unwrap_or(id);
        if let ("SetBlackboard", Some(to), Some(from)) = (
            id,
            element.attribute("output_key"),
            element.attribute("value"),
        ) && let Some(from) = dialect::pointer(from, "value", version)
        {
            let to = dialect::pointer(to, "output_key", version).unwrap_or(to.trim());
            tree.copied.push((to.to_owned(), from.to_owned()));
        }
        let replaced = match id {
            "SetBlackboard" => element.attribute("output_key"),
            "UnsetBlackboard" => element.attribute("key"),
            _ => None,
        };
        if let Some(raw) = replaced {
            // Which one a key names is not known.
            self.unsets_any |= id == "UnsetBlackboard" && raw.contains('{');
            let key = dialect::pointer(raw, "output_key", version).unwrap_or(raw.trim());
            tree.replaced.insert(key.to_owned());
        }
        for attribute in element.attributes() {
            let Some(key) = dialect::pointer_of(attribute, version) else {
                continue;
            };
            match (id, attribute.name()) {
                ("Repeat", "num_cycles")
                | ("RetryUntilSuccessful", "num_attempts")
                | ("Delay", "delay_msec")
                | ("Timeout" | "Sleep", "msec") => {
                    tree.counts.insert(key.to_owned());
                }
                _ => {}
            }
        }
        let is_host = !known.contains(id) || own::of_host(element, id, version, models).is_some();
        if is_host {
            let leaf = self.leaves.entry(id.to_owned()).or_default();
            leaf.uses += 1;
            let mut said = words::EXPLICIT.iter().filter(|kind| **kind == word);
            leaf.element = leaf.element.or(said.next().copied());
            for name in packs::looked_at(element, id) {
                self.port(id, name, "", true);
                self.written_by_others(name, tree);
                self.key(name, tree);
            }
        }
        for attribute in element.attributes() {
            let name = attribute.name();
            if matches!(name, "ID" | "name") || name.starts_with('_') {
                continue;
            }
            let value = attribute.value();
            let pointer = match is_host {
                true => models.key(id, attribute, version),
                false => dialect::pointer(value, name, version),
            };
            if is_host {
                self.port(id, name, value, pointer.is_some());
                // `Echo`, which only shows what it is given, is the one host that is known.
                if let Some(key) = pointer.filter(|_| id != "Echo") {
                    match loops::gives_whole(element, (id, name), version) {
                        true => note(key, &mut self.whole, &mut tree.whole),
                        false => self.written_by_others(key, tree),
                    }
                }
            } else if name == "output_key" {
                let key = dialect::pointer(value, name, version).unwrap_or(value.trim());
                let given = element.attribute("value").unwrap_or_default();
                let guess = Guess::of(given);
                if dialect::pointer(given, "value", version).is_none() {
                    match guess {
                        Guess::Int => note(key, &mut self.whole, &mut tree.whole),
                        Guess::Double => {
                            note(key, &mut self.computed, &mut tree.computed);
                            note(key, &mut self.fractions, &mut tree.fractions);
                        }
                        Guess::Bool | Guess::Text => {
                            self.written_by_others(key, tree);
                            note(key, &mut self.of_text, &mut tree.of_text);
                        }
                    }
                }
            }
            if !is_host && words::is_script(id, name) {
                self.script(value, tree);
            } else if (!is_host || id == "StatusToBlackboard") && words::names_key(id, name) {
                let key = dialect::pointer(value, name, version).unwrap_or(value.trim());
                self.key(key, tree);
            } else if let Some(key) = pointer {
                self.key(key, tree);
            }
            if let Some(key) = pointer {
                note(key, &mut self.at_ports, &mut tree.at_ports);
            }
        }
    }

    /// Whether an element calls another tree.
    pub(super) fn calls(&self, element: Node<'_, '_>) -> bool {
        let word = element.tag_name().name();
        dialect::is_subtree(word) || self.by_element.contains(word)
    }

    fn port(&mut self, id: &str, name: &str, value: &str, has_key: bool) {
        let leaf = self.leaves.entry(id.to_owned()).or_default();
        let index = *leaf.by_name.entry(name.to_owned()).or_insert_with(|| {
            let mut param = names::param(name);
            while leaf.ports.iter().any(|port| port.param == param) {
                param.push('_');
            }
            leaf.ports.push(PortFacts {
                name: name.to_owned(),
                param,
                uses: 0,
                has_key: false,
                guess: None,
            });
            leaf.ports.len() - 1
        });
        let port = &mut leaf.ports[index];
        port.uses += 1;
        port.has_key |= has_key;
        if !has_key {
            let guess = Guess::of(value);
            port.guess = Some(port.guess.map_or(guess, |known| known.join(guess)));
        }
    }

    /// A name that may get any number.
    fn written_by_others(&mut self, key: &str, tree: &mut TreeFacts) {
        note(key, &mut self.other, &mut tree.other);
    }

    fn script(&mut self, code: &str, tree: &mut TreeFacts) {
        let names = script::names(&self.enums.parse(code).unwrap_or_default());
        for name in names.all {
            self.key(&name, tree);
        }
        tree.copied.extend(names.copied);
        tree.summed.extend(names.summed);
        tree.whole_if.extend(names.whole_if);
        for (found, whole, own) in [
            (names.whole, &mut self.whole, &mut tree.whole),
            (names.perhaps, &mut self.perhaps, &mut tree.perhaps),
            (names.texts, &mut self.of_text, &mut tree.of_text),
            (names.computed, &mut self.computed, &mut tree.computed),
            (names.fractions, &mut self.fractions, &mut tree.fractions),
        ] {
            for name in found {
                note(&name, whole, own);
            }
        }
        for name in names.numbers {
            match name.strip_prefix('@') {
                Some(global) => {
                    self.numbers.insert((String::new(), global.to_owned()));
                }
                None => {
                    tree.numbers.insert(name);
                }
            }
        }
    }

    fn key(&mut self, name: &str, tree: &mut TreeFacts) {
        match name.strip_prefix('@') {
            Some(global) => {
                self.globals.insert(global.to_owned());
            }
            None => {
                tree.keys.add(name);
            }
        }
        self.names.of(name);
    }

    fn call(
        &mut self,
        element: Node<'_, '_>,
        (version, models): (Version, &Models),
        tree: &mut TreeFacts,
    ) {
        let word = element.tag_name().name();
        let (id, word) = match dialect::is_subtree(word) {
            true => (element.attribute("ID"), word),
            false => (Some(word), "SubTree"),
        };
        let Some(id) = id else {
            return;
        };
        let (mut given, mut bound) = (Vec::new(), Vec::new());
        let (mut whole, mut literals, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let rest = rest_of(element, version);
        for attribute in element.attributes() {
            let Some(passed) = Passed::of((word, rest), attribute, version) else {
                continue;
            };
            self.names.of(attribute.name());
            given.push(attribute.name().to_owned());
            match passed {
                Passed::Key(key) => {
                    self.key(key, tree);
                    bound.push((key.to_owned(), attribute.name().to_owned()));
                }
                Passed::Literal(text) => {
                    let into = (&mut whole, &mut literals, &mut texts);
                    sort_literal(attribute.name(), text, into);
                }
            }
        }
        for (port, key) in remapped(element, rest) {
            self.names.of(port.value());
            given.push(port.value().to_owned());
            self.key(key.value().trim(), tree);
            bound.push((key.value().trim().to_owned(), port.value().to_owned()));
        }
        if version == Version::Four && rest == Rest::Own {
            for (port, default) in models.ports_of_tree(id) {
                let Some(default) = default.filter(|_| !given.iter().any(|one| one == port)) else {
                    continue;
                };
                self.names.of(port);
                given.push(port.to_owned());
                match Passed::by_default(port, default) {
                    Passed::Key(key) => {
                        self.key(key, tree);
                        bound.push((key.to_owned(), port.to_owned()));
                    }
                    Passed::Literal(text) => {
                        sort_literal(port, text, (&mut whole, &mut literals, &mut texts));
                    }
                }
            }
        }
        tree.calls.push(Call {
            tree: id.to_owned(),
            given,
            bound,
            whole,
            literals,
            texts,
            rest,
        });
    }

    /// Follows what trees pass to one another.
    pub(super) fn follow(&mut self) {
        let order = self.inner_first();
        let given: Vec<(String, String)> = order
            .iter()
            .flat_map(|name| &self.trees[name].calls)
            .flat_map(|call| {
                call.given
                    .iter()
                    .map(|port| (call.tree.clone(), port.clone()))
            })
            .collect();
        for (tree, port) in given {
            if let Some(held) = self.trees.get_mut(&tree) {
                held.keys.add(&port);
                held.ports.insert(port);
            }
        }
        let mut work = 0;
        for name in order {
            let Some(mut tree) = self.trees.remove(&name) else {
                continue;
            };
            for call in tree.calls.iter().filter(|call| call.rest != Rest::Own) {
                // A tree that holds itself is refused later.
                let Some(held) = self.trees.get_mut(&call.tree) else {
                    continue;
                };
                work += held.keys.order.len();
                if work > MAX_HANDED {
                    self.is_too_large = true;
                    break;
                }
                let handed: Vec<String> = held.handed(call).cloned().collect();
                for key in handed {
                    tree.keys.add(&key);
                    held.ports.insert(key);
                }
            }
            self.trees.insert(name, tree);
        }
        self.follow_numbers();
    }

    /// All trees, those that a tree calls before it.
    fn inner_first(&self) -> Vec<String> {
        let mut names: Vec<&String> = self.trees.keys().collect();
        names.sort();
        let (mut order, mut seen) = (Vec::new(), HashSet::new());
        for name in names {
            // The trees on the way, and which of its calls is next.
            let mut path = vec![(name, 0)];
            if !seen.insert(name) {
                continue;
            }
            while let Some((at, next)) = path.last_mut() {
                let Some(call) = self.trees[*at].calls.get(*next) else {
                    order.push((*at).clone());
                    path.pop();
                    continue;
                };
                *next += 1;
                if let Some((inner, _)) = self.trees.get_key_value(&call.tree)
                    && seen.insert(inner)
                {
                    path.push((inner, 0));
                }
            }
        }
        order
    }

    /// The names of a tree's own keys and ports, in order: as they are written, and in the language. The names of the
    /// main tree that are used as `@name`, too, are declared for all trees.
    pub(super) fn keys_of(&mut self, tree: &str) -> Vec<(String, String)> {
        let Some(facts) = self.trees.get(tree) else {
            return Vec::new();
        };
        let own = facts.keys.order.iter();
        let own: Vec<String> = own
            .filter(|key| !self.is_global(tree, key))
            .cloned()
            .collect();
        own.into_iter()
            .map(|raw| {
                let name = self.names.of(&raw);
                (raw, name)
            })
            .collect()
    }

    /// Whether a name of a tree is the one that others call `@name`.
    fn is_global(&self, tree: &str, raw: &str) -> bool {
        self.main.as_deref() == Some(tree)
            && self.globals.contains(raw)
            && !self.trees[tree].ports.contains(raw)
    }

    /// The key that a tree means by a name.
    pub(super) fn key_in(&mut self, tree: &str, raw: &str) -> String {
        if !raw.starts_with('@') && self.trees.contains_key(tree) && self.is_global(tree, raw) {
            return self.names.of(&format!("@{raw}"));
        }
        self.names.of(raw)
    }

    /// The names that a call hands down without mentioning them.
    pub(super) fn handed_down(&self, tree: &str, given: &[&str], rest: Rest) -> Vec<String> {
        let Some(held) = self.trees.get(tree) else {
            return Vec::new();
        };
        let given: HashSet<&str> = given.iter().copied().collect();
        let keys = held.keys.order.iter();
        keys.filter(|key| rest.takes(key) && !given.contains(key.as_str()))
            .cloned()
            .collect()
    }
}

impl TreeFacts {
    fn handed<'t>(&'t self, call: &'t Call) -> impl Iterator<Item = &'t String> {
        let given: HashSet<&str> = call.given.iter().map(String::as_str).collect();
        let keys = self.keys.order.iter();
        keys.filter(move |key| call.rest.takes(key) && !given.contains(key.as_str()))
    }
}
