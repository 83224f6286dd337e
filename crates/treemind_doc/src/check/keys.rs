//! Keys that a sensor computes, nodes that check whether a key was written, and the keys of a `scope`.

use super::Checker;
use super::declare::{KeyHome, expression_name, is_new};
use super::leaf::{Given, braced, given_in_block};
use super::line::Line;
use super::literal::literal;
use super::tree::Below;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::{Frame, KeyScope, Local};
use crate::language::{Spot, Word};
use crate::said;
use crate::syntax::{Entry, Node, Value as Written, shortened};
use std::collections::HashMap;
use treemind_core::behaviour::{Arg, Param, Scope, Sensed};
use treemind_core::{KeyId, Kind, LeafId, Type, Value};

/// The name of the sensor that lists the other agents of the group.
const MATES: &str = "members";

/// What computes a key.
pub(super) enum Source {
    /// A sensor of the game.
    Sensor(Sensed),
    /// Treemind: the key lists the other agents of the group.
    Mates,
}

impl Checker<'_> {
    /// Reads `sensor=`, `interval=` and the arguments of the sensor; adds the names of its parameters to the known
    /// ones. `Ok(None)` for a key without a sensor, `Err` when there is a mistake. Unless the document declares a sensor
    /// of this name, `members` is what Treemind computes itself: the other agents of the group.
    pub(super) fn sensed(
        &mut self,
        line: &mut Line<'_>,
        home: KeyHome,
        known: &mut Vec<String>,
    ) -> Result<Option<Source>, ()> {
        let (sensor, interval) = (line.property("sensor"), line.property("interval"));
        let Some(entry) = sensor else {
            if let Some(interval) = interval {
                let message = said!("`interval` needs a `sensor`, and this key has none");
                self.sink
                    .error(Code::MissingValue, interval.span.clone(), message)
                    .with_help(said!("add `sensor=NAME`"));
                return Err(());
            }
            return Ok(None);
        };
        let before = self.sink.error_count();
        let refusal = match home {
            KeyHome::Blackboard(scope) if scope != Scope::Agent => Some(said!(
                "a shared key cannot have a sensor, which computes a value for each agent"
            )),
            KeyHome::Local => Some(said!("a key of a `scope` cannot have a sensor")),
            KeyHome::Blackboard(_) | KeyHome::Tree | KeyHome::Port => None,
        };
        if let Some(message) = refusal {
            self.sink
                .error(Code::MisplacedNode, entry.span.clone(), message)
                .with_help(said!(
                    "declare it in `blackboard { … }`, or before the root of a tree"
                ));
        }
        let is_mates = matches!(&entry.value, Written::Text(name) if name.value == MATES);
        if is_mates && self.leaves.find(MATES).is_none() {
            if let Some(interval) = interval {
                let message =
                    said!("`sensor=members` has no interval: it always lists who is in the group");
                self.sink
                    .error(Code::MisplacedNode, interval.span.clone(), message)
                    .with_help(said!("remove `interval`"));
            }
            return match self.sink.error_count() == before {
                true => Ok(Some(Source::Mates)),
                false => Err(()),
            };
        }
        let interval_secs = interval.and_then(|entry| self.scope.interval(entry, self.sink));
        let sensed = self.sensor(line, entry, known);
        match sensed {
            Some((sensor, args)) if self.sink.error_count() == before => {
                Ok(Some(Source::Sensor(Sensed {
                    sensor,
                    args,
                    interval_secs,
                })))
            }
            _ => Err(()),
        }
    }

    /// The sensor and its arguments: properties named like its parameters, and `param NAME VALUE`.
    fn sensor<'k>(
        &mut self,
        line: &mut Line<'k>,
        entry: &'k Entry,
        known: &mut Vec<String>,
    ) -> Option<(LeafId, Vec<Value>)> {
        let Written::Text(name) = &entry.value else {
            if entry.value != Written::Bad {
                let message = said!("`sensor` must be the name of a sensor");
                self.sink
                    .error(Code::WrongType, entry.value_span.clone(), message);
            }
            return None;
        };
        let word = Spot::Key.word("key")?;
        let leaf = self.find_leaf(name, "sensor");
        let mut given = Given::new();
        if let Some(leaf) = leaf {
            let params = self.leaves[leaf.index()].params.iter();
            let names = params.map(|param| param.name.clone());
            known.extend(names.filter(|name| !word.has(name)));
            for (name, entry) in line.unread() {
                if known.contains(&name.value) {
                    line.take(&name.value);
                    given.push((name, Some(entry)));
                }
            }
        }
        given_in_block(line.node, &mut given, self.sink);
        let leaf = leaf.filter(|leaf| !self.leaves.is_broken(*leaf))?;
        let args = self.args(word, name, leaf, given, true, Self::constant)?;
        let values = args.into_iter().map(|arg| match arg {
            Arg::Value(value) => Some(value),
            Arg::Expr(_) | Arg::Key(_) => None,
        });
        Some((leaf, values.collect::<Option<_>>()?))
    }

    /// An argument of a sensor.
    fn constant(&mut self, param: &Param, entry: &Entry) -> Option<Arg> {
        let what = said!("parameter `{}`", param.name);
        if let Written::Text(text) = &entry.value
            && (braced(text).is_some() || text.value.starts_with('='))
        {
            let message = said!("{} of a sensor must be a literal", what);
            self.sink
                .error(Code::WrongType, text.span.clone(), message)
                .with_help(said!("let the sensor itself read values that change"));
            return None;
        }
        literal(entry, param.ty, &what, &self.scope, self.sink)
            .ok()
            .map(Arg::Value)
    }

    /// `scope { key …; CHILD }`: keys that are visible only to the child.
    pub(super) fn scope(
        &mut self,
        line: &mut Line<'_>,
        word: &'static Word,
        depth: usize,
    ) -> (Below, Option<Kind>) {
        line.no_values(self.sink);
        let Locals {
            frame,
            keys,
            is_broken,
        } = self.locals(line.node);
        if keys.is_empty() && !is_broken {
            let message = said!("this `scope` declares no key");
            self.sink
                .error(Code::MissingChildren, line.node.span.clone(), message)
                .with_help(said!(
                    "declare one in its block: `scope { key NAME type=…; … }`"
                ));
        }
        self.scope.push(frame);
        let children = self.children_of(line.node, word, depth);
        self.scope.pop();
        (children, (!is_broken).then_some(Kind::Scope { keys }))
    }

    /// Creates the keys of a `scope`.
    fn locals(&mut self, scope: &Node) -> Locals {
        let outer = self.scope.prefix().to_owned();
        let label = match scope.entry("name").map(|entry| &entry.value) {
            Some(Written::Text(text)) => text.value.as_str(),
            _ => "scope",
        };
        // The prefix is short however long the names are, because every key begins with it.
        let prefix = self
            .key_names
            .prefix(&format!("{}.{}", shortened(&outer), shortened(label)));
        let mut locals = Locals {
            frame: Frame::new(outer, true),
            keys: Vec::new(),
            is_broken: false,
        };
        let mut seen = HashMap::new();
        for node in scope.children() {
            if node.name.value != "key" || self.sink.is_full() {
                continue;
            }
            let declared = self.declaration(node, KeyHome::Local);
            let Some((name, declared, doc)) =
                declared.filter(|(name, ..)| expression_name(name, &said!("key"), self.sink))
            else {
                locals.is_broken = true;
                continue;
            };
            if !is_new(&mut seen, name, &said!("keys of this scope"), self.sink) {
                locals.is_broken = true;
                continue;
            }
            let full = format!("{prefix}.{}", name.value);
            let key = self.scope.add_key(declared.key(full, doc));
            let local = Local {
                key,
                is_read_only: false,
            };
            let symbols = self.scope.sites.at(&name.value);
            locals.frame.insert(name.value.clone(), symbols, local);
            locals.keys.push(key);
        }
        locals
    }

    /// Makes the names of a `scope` visible to a tree that is checked as if it were inside the scope. Mistakes in the
    /// names are reported at the scope.
    pub(super) fn lend_locals(&mut self, scope: &Node) {
        let mut scratch = self.sink.fresh();
        std::mem::swap(self.sink, &mut scratch);
        let locals = self.locals(scope);
        std::mem::swap(self.sink, &mut scratch);
        self.scope.push(locals.frame);
    }
}

impl KeyScope {
    fn interval(&self, entry: &Entry, sink: &mut Sink) -> Option<f64> {
        let what = &said!("`interval`");
        let ty = Type::Double;
        let value = literal(entry, ty, what, self, sink).ok()?;
        let Value::Double(secs) = value else {
            return None;
        };
        if secs <= 0.0 {
            let message = said!("an interval must be longer than 0 seconds");
            sink.error(Code::BadNumber, entry.value_span.clone(), message)
                .with_help(said!(
                    "remove `interval` to compute the key in every tick that asks for it"
                ));
            return None;
        }
        Some(secs)
    }

    /// The key with the name on the node's line.
    pub(super) fn key_of(&mut self, line: &Line<'_>, sink: &mut Sink) -> Option<KeyId> {
        let text = line.name(&said!("the key"), sink);
        line.only_name(sink);
        let text = text?;
        if let Some(key) = braced(text) {
            let node = &line.node.name.value;
            let message = said!("expected the name of a key without braces in `{}`", node);
            sink.error(Code::BadName, text.span.clone(), message)
                .with_help(said!("write `{} {}`", node, shortened(key)));
            return None;
        }
        match self.find(&text.value) {
            Some((key, _)) => Some(self.real(key)),
            None => {
                self.unknown_key(text, &text.value, sink);
                None
            }
        }
    }
}

/// The keys of a `scope`.
struct Locals {
    frame: Frame,
    keys: Vec<KeyId>,
    /// One of them has a mistake.
    is_broken: bool,
}
