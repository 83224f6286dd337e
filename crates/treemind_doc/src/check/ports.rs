//! The arguments for the ports of a tree where another tree holds it.

use super::Checker;
use super::leaf::{braced, key_of_other_type};
use super::literal::literal;
use super::subtree::{Given, Item, Way};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::{KeyScope, a_type};
use crate::language;
use crate::suggest;
use crate::syntax::{Entry, Node, Text, Value as Written, shortened};
use crate::{Said, said};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use treemind_core::behaviour::{Form, Key};

impl Checker<'_> {
    /// Reads the arguments for the ports of a tree at one place.
    pub(super) fn bind<'i>(
        &mut self,
        node: &Node,
        held: usize,
        given: Vec<(&'i Text, Option<&'i Entry>)>,
    ) -> Option<HashMap<&'i str, Given>> {
        let items = Rc::clone(&self.graph[held].items);
        let tree = shortened(&self.graph[held].name);
        let what_it_is = self.graph[held].what;
        let (kind, word_of_it) = (what_it_is.called(), what_it_is.word());
        let ports: HashMap<&str, (&Item, Way)> = items
            .iter()
            .filter_map(|item| Some((item.key.name.as_str(), (item, item.way?))))
            .collect();
        let before = self.sink.error_count();
        let mut bound = HashMap::new();
        let mut told: HashSet<&str> = HashSet::new();
        for (name, entry) in given {
            let Some((item, way)) = ports.get(name.value.as_str()) else {
                let word = shortened(&name.value);
                let names = items.iter().filter(|item| item.way.is_some());
                let names = names.map(|item| item.key.name.as_str());
                if let Some(meant) = suggest::nearest(&word, names.clone()) {
                    told.insert(meant);
                }
                let help = suggest::did_you_mean(&word, names.clone().chain(["inherit"]), || {
                    Some(if of_declaration(word_of_it, &word) {
                        said!(
                            "`{}` belongs where the {} is declared, not where it is used",
                            word,
                            kind
                        )
                    } else if ports.is_empty() {
                        said!(
                            "declare a port in `{} {} { in NAME type=…; … }`: it has none",
                            word_of_it,
                            tree
                        )
                    } else {
                        said!("its ports are {}", suggest::listed(names))
                    })
                });
                let message = said!("{} `{}` has no port `{}`", kind, tree, word);
                self.sink
                    .error(Code::UnknownParameter, name.span.clone(), message)
                    .with_perhaps(help);
                continue;
            };
            if told.contains(name.value.as_str()) || bound.contains_key(name.value.as_str()) {
                let message = said!("port `{}` is given twice", name.value);
                self.sink.error(Code::Duplicate, name.span.clone(), message);
                continue;
            }
            told.insert(item.key.name.as_str());
            if let Some(value) =
                entry.and_then(|entry| self.scope.port(item, *way, entry, self.sink))
            {
                bound.insert(name.value.as_str(), value);
            }
        }
        for item in items.iter() {
            let is_there = told.contains(item.key.name.as_str());
            if is_there || !item.is_required() {
                continue;
            }
            let name = &item.key.name;
            let message = said!("`{}` needs its port `{}`", tree, name);
            let ty = what(&item.key);
            let help = if language::is_common_property(name) || name == "inherit" {
                said!(
                    "set it in the block, `{ param {} …; }`, because `{}=` is a property of the node",
                    name,
                    name
                )
            } else if item.way == Some(Way::In) && !item.key.form.is_list() {
                said!("add `{}=…` with {}", name, ty)
            } else {
                said!("add `{}=\"{KEY}\"` with a key that is {}", name, ty)
            };
            self.sink
                .error(Code::MissingParameter, node.span.clone(), message)
                .with_help(help);
        }
        (self.sink.error_count() == before).then_some(bound)
    }
}

/// Whether this is a property of what is declared by a word.
fn of_declaration(word: &str, property: &str) -> bool {
    let declared = language::Spot::Top.word(word);
    declared.is_some_and(|declared| declared.has(property))
}

impl KeyScope {
    fn port(&self, item: &Item, way: Way, entry: &Entry, sink: &mut Sink) -> Option<Given> {
        let name = &item.key.name;
        let Written::Text(text) = &entry.value else {
            return self.port_literal(item, way, entry, sink);
        };
        let Some(key) = braced(text) else {
            if text.value.starts_with('=') {
                let message = said!(
                    "expected a key or a literal for port `{}`, found an expression",
                    name
                );
                sink.error(Code::WrongType, text.span.clone(), message)
                    .with_help(said!(
                        "write its value to a key with `set` first, and pass the key"
                    ));
                return None;
            }
            let before = sink.error_count();
            let value = self.port_literal(item, way, entry, sink);
            if sink.error_count() > before && self.knows(&text.value) {
                let help = said!("write the key in braces: `{}=\"{{}}\"`", name, text.value);
                sink.help_last(help);
            }
            return value;
        };
        let Some((id, ty)) = self.find(key) else {
            self.unknown_key(text, key, sink);
            return None;
        };
        let (given, wanted) = (self.key(id), &item.key);
        let same_form = given.form.is_list() == wanted.form.is_list();
        if ty == wanted.ty && (!same_form || bound(given) != bound(wanted)) {
            let message = said!(
                "key `{}` is {}, but port `{}` is {}",
                key,
                what(given),
                name,
                what(wanted)
            );
            sink.error(Code::WrongType, text.span.clone(), message)
                .with_help(said!("use a list of the same type and room"));
            return None;
        }
        if ty != item.key.ty {
            let message = key_of_other_type(key, ty, &said!("port `{}`", name), item.key.ty);
            sink.error(Code::WrongType, text.span.clone(), message);
            return None;
        }
        if way != Way::In && self.is_read_only(key) {
            let message = said!(
                "cannot write port `{}` back to `{}`, which is an `in` port",
                name,
                key
            );
            sink.error(Code::WrongType, text.span.clone(), message)
                .with_help(said!("declare it as `inout {} …`", key));
            return None;
        }
        let is_optional = |form: &Form| matches!(form, Form::Optional { .. });
        if way != Way::In && is_optional(&item.key.form) && !is_optional(self.form(id)) {
            let message = said!(
                "port `{}` may come back unset, but key `{}` always has a value",
                name,
                key
            );
            sink.error(Code::WrongType, text.span.clone(), message)
                .with_help(said!("declare `{}` with `optional={}`", key, "#true"));
            return None;
        }
        if way != Way::In && self.is_sensed(id) {
            let message = said!(
                "cannot write port `{}` back to `{}`, which is computed by a sensor",
                name,
                key
            );
            sink.error(Code::WrongType, text.span.clone(), message)
                .with_help(said!("use a key without a sensor"));
            return None;
        }
        Some(Given::Key(id))
    }

    fn port_literal(&self, item: &Item, way: Way, entry: &Entry, sink: &mut Sink) -> Option<Given> {
        let name = &item.key.name;
        if item.key.form.is_list() {
            if entry.value != Written::Bad {
                let message = said!(
                    "expected a key for port `{}`, which is a list, found a literal",
                    name
                );
                sink.error(Code::WrongType, entry.value_span.clone(), message)
                    .with_help(said!(
                        "write `{}=\"{KEY}\"` with a list of the same type and room",
                        name
                    ));
            }
            return None;
        }
        if way != Way::In {
            if entry.value != Written::Bad {
                let message = said!(
                    "expected a key for port `{}`, which is written back, found a literal",
                    name
                );
                sink.error(Code::WrongType, entry.value_span.clone(), message)
                    .with_help(said!("write `{}=\"{KEY}\"`", name));
            }
            return None;
        }
        let what = said!("port `{}`", name);
        literal(entry, item.key.ty, &what, self, sink)
            .ok()
            .map(Given::Value)
    }
}

/// What a key holds, as messages call it.
fn what(key: &Key) -> Said {
    match &key.form {
        Form::List { bound, .. } => said!("a list of {} of type {}", *bound, key.ty),
        Form::One | Form::Optional { .. } => a_type(key.ty),
    }
}

fn bound(key: &Key) -> u32 {
    match key.form {
        Form::List { bound, .. } => bound,
        Form::One | Form::Optional { .. } => 0,
    }
}
