//! `archetype`: a named character, the tree, machine or decision tree that it runs, and its starting values.

use super::declare::{duplicate, plain_name};
use super::line::{Line, quoted};
use super::literal::literal;
use super::reading::finish_in;
use super::table_numbers::table_number;
use super::{Checker, DefinitionKind, stranger};
use crate::code::Code;
use crate::language::Spot;
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Node, Span, Text, Value as Written, shortened};
use std::collections::{HashMap, HashSet};
use treemind_core::behaviour::Scope;
use treemind_core::{Type, Value};

/// An archetype as the document defines it.
#[derive(Clone, Debug)]
pub(crate) struct Archetype {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) doc: Option<String>,
    /// The definition that it runs.
    pub(crate) runs: (DefinitionKind, String),
    pub(crate) number: Option<u32>,
    /// In every how many ticks it is ticked.
    pub(crate) interval: u32,
    /// The keys with a starting value other than their default, under their names in behaviours.
    pub(crate) given: Vec<(String, Value)>,
}

impl Checker<'_> {
    /// Reads all archetypes; all trees must be known by then.
    pub(super) fn archetypes(&mut self, nodes: &[Node]) -> Vec<Archetype> {
        let mut known: HashMap<String, Span> = HashMap::new();
        let mut numbers = HashMap::new();
        let mut archetypes = Vec::new();
        for node in nodes.iter().filter(|node| node.name.value == "archetype") {
            if self.sink.is_full() {
                break;
            }
            let Some(archetype) = self.archetype(node, &mut numbers) else {
                continue;
            };
            match known.get(&archetype.name) {
                Some(first) => {
                    let name = Line::new(node, self.sink).name(&said!("the archetype"), self.sink);
                    if let Some(name) = name {
                        duplicate(name, &said!("archetypes"), first, self.sink);
                    }
                }
                None => {
                    known.insert(archetype.name.clone(), archetype.span.clone());
                    archetypes.push(archetype);
                }
            }
        }
        archetypes
    }

    /// `archetype NAME tree=TREE every=TICKS number=N { given KEY=VALUE …; }`
    fn archetype(&mut self, node: &Node, numbers: &mut HashMap<u32, String>) -> Option<Archetype> {
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the archetype"), self.sink);
        line.only_name(self.sink);
        let doc = line.doc(self.sink);
        let number = table_number(
            &mut line,
            name.map_or("", |name| &name.value),
            numbers,
            self.sink,
        );
        let interval = self.interval(&mut line);
        let mut named = DefinitionKind::ALL
            .map(|what| Some((what, line.property(what.word())?)))
            .into_iter()
            .flatten();
        let first = named.next();
        finish_in(line, Spot::Top, self.sink);
        if let Some((_, second)) = named.next() {
            let message =
                said!("an archetype takes only one tree, machine, decision tree or planner");
            self.sink
                .error(Code::Contradiction, second.span.clone(), message);
        }
        let runs = match first {
            Some((what, entry)) => self.runs(what, entry),
            None => {
                let message =
                    said!("this archetype has no tree, machine, decision tree or planner");
                self.sink
                    .error(Code::MissingValue, node.name.span.clone(), message)
                    .with_help(said!(
                        "write `tree=NAME`, `machine=NAME`, `decide=NAME` or `planner=NAME`"
                    ));
                None
            }
        };
        let followed = runs.as_ref();
        let followed = followed.map(|(what, name)| (*what, name.as_str()));
        let given = self.all_given(node, followed);
        let name = name.filter(|name| plain_name(name, &said!("archetype"), self.sink))?;
        Some(Archetype {
            name: name.value.clone(),
            span: name.span.clone(),
            doc,
            runs: runs?,
            number,
            interval,
            given,
        })
    }

    /// `every=TICKS`
    fn interval(&mut self, line: &mut Line<'_>) -> u32 {
        let Some(entry) = line.property("every") else {
            return 1;
        };
        let ticks = match &entry.value {
            Written::Int(ticks) => u32::try_from(*ticks).ok().filter(|ticks| *ticks > 0),
            Written::Bad => return 1,
            _ => None,
        };
        if ticks.is_none() {
            let message = said!("expected a whole number of ticks from 1 to {}", u32::MAX);
            self.sink
                .error(Code::BadNumber, entry.value_span.clone(), message)
                .with_help(said!(
                    "write `every=4` for an agent that thinks in every fourth tick"
                ));
        }
        ticks.unwrap_or(1)
    }

    /// `given KEY=VALUE …`, any number of times.
    fn all_given(
        &mut self,
        node: &Node,
        runs: Option<(DefinitionKind, &str)>,
    ) -> Vec<(String, Value)> {
        let mut given = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for child in node.children() {
            if self.sink.is_full() {
                break;
            }
            if child.name.value != "given" {
                stranger(
                    child,
                    &said!("in an archetype"),
                    &Spot::Archetype.list(),
                    self.sink,
                );
                continue;
            }
            let mut line = Line::new(child, self.sink);
            if let [first, ..] = line.values() {
                let diagnostic = self.sink.error(
                    Code::ExtraValue,
                    first.span.clone(),
                    said!("expected `KEY=VALUE` in `given`, found a value without a key"),
                );
                if let Written::Text(text) = &first.value {
                    diagnostic.with_help(said!("write `given {}=…`", quoted(&text.value)));
                }
            } else if child.entries.is_empty() {
                let message = said!("`given` sets no key");
                self.sink
                    .error(Code::MissingValue, child.span.clone(), message)
                    .with_help(said!("write `given KEY=VALUE`"));
            }
            if let Some(inner) = child.children().first() {
                let message = said!("`given` takes no block");
                self.sink
                    .error(Code::ExtraChildren, inner.span.clone(), message);
            }
            for (name, entry) in line.unread() {
                line.take(&name.value);
                if !seen.insert(&name.value) {
                    let message = said!("`{}` is given twice", shortened(&name.value));
                    self.sink.error(Code::Duplicate, name.span.clone(), message);
                    continue;
                }
                given.extend(self.given_key(name, entry, runs));
            }
        }
        given
    }

    /// One key and its value; the key belongs to the document or to the tree.
    fn given_key(
        &mut self,
        name: &Text,
        entry: &Entry,
        runs: Option<(DefinitionKind, &str)>,
    ) -> Option<(String, Value)> {
        let (key, ty) = self.startable(name, runs)?;
        let what = said!("key `{}`", shortened(&name.value));
        let value = literal(entry, ty, &what, &self.scope, self.sink).ok()?;
        Some((key, value))
    }

    /// The name in behaviours and the type of a key that can be given.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn startable(
        &mut self,
        name: &Text,
        runs: Option<(DefinitionKind, &str)>,
    ) -> Option<(String, Type)> {
        let held = runs.and_then(|(what, name)| self.graph.named(what, name));
        let items = held.map(|held| &self.graph[held].items);
        let own = items.and_then(|items| items.iter().find(|item| item.key.name == name.value));
        let (key, found) = match (own, runs) {
            (Some(item), Some((_, outer))) => (format!("{outer}.{}", name.value), item.key.clone()),
            _ => match self.scope.global(&name.value) {
                Some((id, _)) => (name.value.clone(), self.scope.key(*id).clone()),
                None => {
                    self.unknown_start(name, runs.is_some(), held);
                    return None;
                }
            },
        };
        let word = shortened(&name.value);
        let refusal = match found.scope {
            _ if found.form.is_list() => Some(said!(
                "`{}` is a list, and an archetype can only set single values",
                word
            )),
            Scope::Agent => None,
            Scope::Group | Scope::World => Some(said!(
                "`{}` is shared, and an archetype can only set keys of one agent",
                word
            )),
            _ => treemind_core::unlisted(&found.scope),
        };
        if let Some(message) = refusal {
            self.sink.error(Code::WrongType, name.span.clone(), message);
            return None;
        }
        Some((key, found.ty))
    }

    fn unknown_start(&mut self, name: &Text, has_tree: bool, held: Option<usize>) {
        // Without the tree, the missing key cannot be named.
        if !has_tree || self.scope.broken.contains(&name.value) {
            return;
        }
        let items = held.map(|held| std::rc::Rc::clone(&self.graph[held].items));
        let own = items.iter().flat_map(|items| items.iter());
        let own = own.map(|item| item.key.name.as_str());
        let all = self.scope.keys.iter().map(|key| key.name.as_str());
        let names: Vec<&str> = own.chain(all).collect();
        let word = shortened(&name.value);
        let help = suggest::among(&word, said!("the keys"), names.iter().copied(), || {
            Some(said!("declare keys in `blackboard { key NAME type=…; }`"))
        });
        let message = said!("unknown key `{}`", word);
        let at = (name.value.as_str(), name.span.clone());
        self.sink
            .missing(Code::UnknownKey, at, message)
            .with_perhaps(help);
    }
}
