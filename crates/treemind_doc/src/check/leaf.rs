//! `condition`, `action` and other leaves in a tree: which leaf is meant, and its arguments.

use super::Checker;
use super::declare::with_article;
use super::hosted::word_of;
use super::leaves::Leaves;
use super::line::{Line, quoted};
use super::literal::literal;
use super::log_and_emit::in_texts;
use super::reading::finish_in;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::{KeyScope, a_type, of_any, with_values};
use crate::language::{self, NEGATED, PLACED, Spot, Word};
use crate::names;
use crate::suggest;
use crate::syntax::{Entry, Node, Span, Text, Value as Written, shortened};
use crate::{Said, said};
use std::collections::HashMap;
use treemind_core::behaviour::{Arg, LeafKind, Param};
use treemind_core::{Expr, Kind, LeafId, Type};

/// Names and values of parameters; the value is missing when a mistake in it was reported already.
pub(super) type Given<'n> = Vec<(&'n Text, Option<&'n Entry>)>;

impl Checker<'_> {
    pub(super) fn condition(&mut self, line: &mut Line<'_>, word: &'static Word) -> Option<Kind> {
        let negated = self.read(line, &NEGATED)?;
        let (leaf, args) = self.leaf_of(line, word)?;
        Some(Kind::Condition {
            leaf,
            args,
            negated,
        })
    }

    pub(super) fn action(&mut self, line: &mut Line<'_>, word: &'static Word) -> Option<Kind> {
        let (leaf, args) = self.leaf_of(line, word)?;
        Some(Kind::Action { leaf, args })
    }

    /// The leaf that a node uses, and its arguments.
    pub(super) fn leaf_of(
        &mut self,
        line: &mut Line<'_>,
        word: &'static Word,
    ) -> Option<(LeafId, Vec<Arg>)> {
        let name = line.name(&said!("the {}", called(word.name)), self.sink);
        let leaf = name.and_then(|name| self.find_leaf(name, word.name));
        let given = self.leaves.given(line, word, leaf, self.sink);
        let (name, leaf) = (name?, leaf?);
        if self.leaves.is_broken(leaf) {
            return None;
        }
        let complete = !self.leaves.second_value(line, name, self.sink);
        let args = self.args(word, name, leaf, given, complete, Self::arg)?;
        Some((leaf, args))
    }

    /// The leaf with that name, if it is of the kind `wanted`: the keyword of the node, or `sensor`.
    pub(super) fn find_leaf(&mut self, name: &Text, wanted: &str) -> Option<LeafId> {
        let word = shortened(&name.value);
        if let Some(id) = self.leaves.find(&name.value) {
            let found = self.leaves[id.index()].kind;
            if word_of(found) == wanted {
                return Some(id);
            }
            let message = said!(
                "expected {}, but `{}` is {}",
                with_article(&called(wanted)),
                word,
                with_article(&called(found.keyword()))
            );
            self.sink
                .error(Code::WrongLeafKind, name.span.clone(), message)
                .with_help(how_to_use(found, &word));
            return None;
        }
        let help = self.meant_leaf(&word, wanted);
        let message = said!("unknown {} `{}`", called(wanted), word);
        let at = (name.value.as_str(), name.span.clone());
        self.sink
            .missing(Code::UnknownLeaf, at, message)
            .with_perhaps(Some(help));
        None
    }

    fn meant_leaf(&self, word: &str, wanted: &str) -> Said {
        let of_kind = |wants: bool| {
            self.leaves
                .iter()
                .filter(move |leaf| (word_of(leaf.kind) == wanted) == wants)
                .map(|leaf| leaf.name.as_str())
        };
        if let Some(near) = suggest::nearest(word, of_kind(true)) {
            return suggest::meant(near);
        }
        if let Some(near) = suggest::nearest(word, of_kind(false))
            && let Some(other) = self.leaves.named(near)
        {
            let other = other.kind.keyword();
            return said!("did you mean the {} `{}`?", called(other), near);
        }
        if self.scope.knows(word) && wanted == "condition" {
            return said!("`{}` is a key: write `check \"{}\"`", word, word);
        }
        let kind = match wanted {
            "node" => "composite",
            "emit" => "event",
            wanted => wanted,
        };
        let list = self.scope.global(word);
        if kind == "candidates" && list.is_some_and(|(key, _)| self.scope.is_list(*key)) {
            let list = format!("in=\"{{{word}}}\"");
            return said!("`{}` is a key: write `{}`", word, list);
        }
        if kind == "candidates" {
            return said!(
                "declare it, with what the game lists, `vec2`, `vec3` or `entity`: `leaves { candidates {} type=vec2; }`",
                quoted(word)
            );
        }
        said!("declare it: `leaves { {} {}; }`", kind, quoted(word))
    }

    /// Reads one argument per parameter, in the order of the leaf. `word` is the table row of the node or key, whose
    /// own properties are not arguments; `read` reads one argument.
    pub(super) fn args(
        &mut self,
        word: &'static Word,
        leaf_name: &Text,
        leaf: LeafId,
        given: Given<'_>,
        complete: bool,
        read: fn(&mut Self, &Param, &Entry) -> Option<Arg>,
    ) -> Option<Vec<Arg>> {
        let params = self.leaves[leaf.index()].params.clone();
        self.spend(params.len() * 16);
        let indices: HashMap<&str, usize> = params
            .iter()
            .enumerate()
            .map(|(index, param)| (param.name.as_str(), index))
            .collect();
        let mut by_name: HashMap<&str, Option<Arg>> = HashMap::new();
        for (name, entry) in given {
            if self.sink.is_full() {
                return None;
            }
            let found = indices.get(name.value.as_str());
            let Some(param) = found.map(|index| &params[*index]) else {
                if let Some(meant) = unknown_parameter(word, leaf_name, name, &params, self.sink) {
                    // The parameter is not missing, only misspelt.
                    by_name.insert(meant, None);
                }
                continue;
            };
            if by_name.contains_key(param.name.as_str()) {
                let message = said!("parameter `{}` is given twice", param.name);
                self.sink.error(Code::Duplicate, name.span.clone(), message);
                continue;
            }
            let arg = entry.and_then(|entry| read(self, param, entry));
            by_name.insert(&param.name, arg);
        }
        let args: Vec<Option<Arg>> = params
            .iter()
            .map(|param| match by_name.remove(param.name.as_str()) {
                Some(arg) => arg,
                None => match param.default {
                    Some(value) => Some(Arg::Value(value)),
                    None if !complete => None,
                    None => {
                        missing_parameter(word, leaf_name, param, self.sink);
                        None
                    }
                },
            })
            .collect();
        args.into_iter().collect()
    }

    /// A literal, `"{key}"`, or `"=expression"`.
    pub(super) fn arg(&mut self, param: &Param, entry: &Entry) -> Option<Arg> {
        let what = said!("parameter `{}`", param.name);
        if let Written::Text(text) = &entry.value {
            if let Some(key) = braced(text) {
                if param.by_key {
                    let symbols = self.scope.sites.at(key).to_vec();
                    self.scope.lent.extend(symbols);
                    return self.scope.own_key_arg(text, key, param, self.sink);
                }
                return self.scope.key_arg(text, key, param, self.sink);
            }
            if text.value.starts_with('=') {
                return self.expression(text, 1, param.ty).ok().map(literal_or_expr);
            }
            let before = self.sink.error_count();
            let value = literal(entry, param.ty, &what, &self.scope, self.sink);
            if self.sink.error_count() > before && self.scope.reads_as_expression(text) {
                let help = said!(
                    "begin an expression with `=`: `{}=\"={}\"`",
                    param.name,
                    shortened(&text.value)
                );
                self.sink.help_last(help);
            }
            return value.ok().map(Arg::Value);
        }
        literal(entry, param.ty, &what, &self.scope, self.sink)
            .ok()
            .map(Arg::Value)
    }
}

impl Leaves {
    /// Reports a second value, which is a slip because parameters are given by name. Answers whether there is one.
    pub(super) fn second_value(&self, line: &Line<'_>, name: &Text, sink: &mut Sink) -> bool {
        let Some(extra) = line.values().get(1) else {
            return false;
        };
        if extra.value == Written::Bad {
            return true;
        }
        let word = shortened(&name.value);
        let leaf = self.named(&name.value);
        let params = leaf.map(|leaf| leaf.params.as_slice());
        let help = match params {
            Some([first, ..]) => said!("name the parameter: `{}=`", first.name),
            _ => said!("remove it: the leaf takes no parameters"),
        };
        let message = said!("the value given to `{}` has no parameter name", word);
        sink.error(Code::ExtraValue, extra.span.clone(), message)
            .with_help(help);
        true
    }

    /// What the node gives to its leaf: properties that are not the node's own, and `param NAME VALUE` below it.
    pub(super) fn given<'n>(
        &self,
        line: &mut Line<'n>,
        word: &'static Word,
        leaf: Option<LeafId>,
        sink: &mut Sink,
    ) -> Given<'n> {
        let mut given = Given::new();
        for (name, entry) in line.unread() {
            let word_of = name.value.as_str();
            let is_placed = PLACED.iter().any(|placed| placed.name() == word_of);
            let own = word.has(word_of) || (language::is_common_property(word_of) && !is_placed);
            let is_param = is_placed
                && leaf.is_some_and(|leaf| {
                    let params = &self[leaf.index()].params;
                    params.iter().any(|param| param.name == name.value)
                });
            if is_param && !own {
                let message = said!(
                    "`{}=` sets a property of the node, not the parameter `{}`",
                    name.value,
                    name.value
                );
                sink.error(Code::UnknownParameter, entry.span.clone(), message)
                    .with_help(said!(
                        "set the parameter in the block: `{ param {} …; }`",
                        name.value
                    ));
            }
            if !own && (is_param || !is_placed) {
                line.take(&name.value);
                given.push((name, Some(entry)));
            }
        }
        given_in_block(line.node, &mut given, sink);
        given
    }
}

/// `param NAME VALUE` below a node.
pub(super) fn given_in_block<'n>(node: &'n Node, given: &mut Given<'n>, sink: &mut Sink) {
    for child in node.children() {
        if child.name.value != "param" {
            continue;
        }
        let inner = Line::new(child, sink);
        let name = inner.name(&said!("the parameter"), sink);
        match (name, inner.values()) {
            (Some(name), [_, value]) => given.push((name, Some(value))),
            (Some(name), [_]) => {
                given.push((name, None));
                let message = said!("parameter `{}` has no value", shortened(&name.value));
                sink.error(Code::MissingValue, child.span.clone(), message)
                    .with_help(said!("write `param {} VALUE`", quoted(&name.value)));
            }
            (Some(name), [_, _, extra, ..]) => {
                given.push((name, None));
                let message = said!("`param` takes a name and one value");
                sink.error(Code::ExtraValue, extra.span.clone(), message);
            }
            _ => {}
        }
        finish_in(inner, Spot::Given, sink);
    }
}

fn missing_parameter(word: &Word, leaf: &Text, param: &Param, sink: &mut Sink) {
    let name = param.name.as_str();
    let taken = word.has(name) || language::is_common_property(name);
    let how = if taken {
        said!(
            "set it in the block, `{ param {} …; }`, because `{}=` is a property of the node",
            param.name,
            param.name
        )
    } else {
        said!("add `{}=…` with {}", param.name, a_type(param.ty))
    };
    let message = said!("`{}` needs its parameter `{}`", leaf.value, param.name);
    sink.error(Code::MissingParameter, leaf.span.clone(), message)
        .with_help(how);
}

/// Reports an unknown parameter, and answers which parameter was probably meant.
fn unknown_parameter<'p>(
    word: &'static Word,
    leaf: &Text,
    name: &Text,
    params: &'p [Param],
    sink: &mut Sink,
) -> Option<&'p str> {
    let mut ours = language::foreign_property(&name.value);
    let ours = ours.find(|ours| language::is_common_property(ours) || word.has(ours));
    let own = word.own();
    let word = shortened(&name.value);
    let names = params.iter().map(|param| param.name.as_str());
    let help = ours.map(|ours| said!("use `{}` instead", ours));
    let near = suggest::did_you_mean(
        &word,
        names.clone().chain(language::of_all_tasks()).chain(own),
        || {
            Some(if params.is_empty() {
                said!("declare a parameter in `leaves`: this leaf has none")
            } else {
                let names = suggest::listed(names);
                match params {
                    [_] => said!("its parameter is {}", names),
                    _ => said!("its parameters are {}", names),
                }
            })
        },
    );
    let help = help.or(near);
    let message = said!("`{}` has no parameter `{}`", leaf.value, word);
    sink.error(Code::UnknownParameter, name.span.clone(), message)
        .with_perhaps(help);
    suggest::nearest(&word, params.iter().map(|param| param.name.as_str()))
}

impl KeyScope {
    /// Whether a text that is no literal of its type was perhaps meant as an expression, because it begins with a key.
    fn reads_as_expression(&self, text: &Text) -> bool {
        let end = text
            .value
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.value.len());
        self.knows(&text.value[..end])
    }

    /// Reports a key in braces that does not exist.
    pub(super) fn unknown_key(&self, text: &Text, key: &str, sink: &mut Sink) {
        self.missing_key(key, text.span.clone(), None, sink);
    }

    /// Reports a key that does not exist; `otherwise` is the help when no key has a similar name.
    pub(super) fn missing_key(
        &self,
        name: &str,
        span: Span,
        otherwise: Option<Said>,
        sink: &mut Sink,
    ) {
        if self.broken.contains(name) {
            return;
        }
        let word = shortened(name);
        let is_in_text = otherwise.as_ref() == Some(&in_texts());
        let names = self.names();
        let help = suggest::did_you_mean(&word, names.clone(), || {
            Some(match (otherwise, names.clone().next()) {
                (Some(otherwise), _) => otherwise,
                (None, None) => said!("declare keys in `blackboard { key NAME type=…; }`"),
                (None, Some(_)) => said!("the keys are {}", suggest::listed(names)),
            })
        });
        let message = match name {
            "" if is_in_text => said!("these braces are empty"),
            _ => said!("unknown key `{}`", word),
        };
        let at = (name, span);
        sink.missing(Code::UnknownKey, at, message)
            .with_perhaps(help);
    }

    /// A key for a parameter that is given keys themselves.
    fn own_key_arg(&self, text: &Text, key: &str, param: &Param, sink: &mut Sink) -> Option<Arg> {
        let Some((id, ty)) = self.find(key) else {
            self.unknown_key(text, key, sink);
            return None;
        };
        let parameter = said!("parameter `{}`", param.name);
        let reason = if self.is_list(id) {
            said!(
                "key `{}` is a list, but {} takes a single value",
                key,
                parameter
            )
        } else if param.ty != Type::Any && param.ty != ty {
            key_of_other_type(key, ty, &parameter, param.ty)
        } else if self.is_read_only(key) {
            said!(
                "`{}` is an `in` port, but the leaf may write what {} is given",
                key,
                parameter
            )
        } else if self.is_sensed(id) {
            said!(
                "a sensor computes `{}`, but the leaf may write what {} is given",
                key,
                parameter
            )
        } else {
            return Some(Arg::Key(id));
        };
        sink.error(Code::WrongType, text.span.clone(), reason);
        None
    }

    fn key_arg(&self, text: &Text, key: &str, param: &Param, sink: &mut Sink) -> Option<Arg> {
        let Some((id, ty)) = self.find(key) else {
            let otherwise =
                said!("write the name of a key in the braces, or an expression after a `=`");
            self.missing_key(key, text.span.clone(), Some(otherwise), sink);
            return None;
        };
        if self.is_list(id) {
            let message = said!(
                "key `{}` is a list, but parameter `{}` takes a single value",
                key,
                param.name
            );
            sink
                .error(Code::WrongType, text.span.clone(), message)
                .with_help(
                    said!("use `for-each` to pass item by item; a host can read the list from the blackboard"),
                );
            return None;
        }
        let value = match self.known(id) {
            Some(value) => Expr::Value(value),
            None => Expr::Key(id, ty),
        };
        if let Some(expr) = value.widened(param.ty) {
            return Some(literal_or_expr(with_values(expr)));
        }
        let what = said!("parameter `{}`", param.name);
        let message = key_of_other_type(key, ty, &what, param.ty);
        let diagnostic = sink.error(Code::WrongType, text.span.clone(), message);
        if ty == Type::Any {
            diagnostic.with_help(of_any());
        }
        None
    }
}

/// The message for a key that is given to a parameter or port of another type.
pub(super) fn key_of_other_type(key: &str, ty: Type, what: &Said, wanted: Type) -> Said {
    match (ty, wanted) {
        (Type::Enum(_), Type::Enum(_)) => {
            said!("key `{}` is an enum with other values than {}", key, what)
        }
        _ => said!(
            "key `{}` is {}, but {} is {}",
            key,
            a_type(ty),
            what,
            a_type(wanted)
        ),
    }
}

/// The name in messages of what such a node uses.
pub(crate) fn called(node: &str) -> Said {
    match node {
        "node" => said!("composite or decorator"),
        "emit" | "event" => said!("event"),
        "action" => said!("action"),
        "condition" => said!("condition"),
        "service" => said!("service"),
        "sensor" => said!("sensor"),
        "composite" => said!("composite"),
        "decorator" => said!("decorator"),
        "candidates" => said!("candidates"),
        "measure" => said!("measure"),
        node => node.into(),
    }
}

/// An expression that turned out to be a literal becomes a value.
pub(super) fn literal_or_expr(expr: Expr) -> Arg {
    match expr {
        Expr::Value(value) => Arg::Value(value),
        Expr::Widen(_, inner) if matches!(*inner, Expr::Value(_)) => literal_or_expr(*inner),
        expr => Arg::Expr(expr),
    }
}

/// How to use a leaf of this kind.
pub(super) fn how_to_use(kind: LeafKind, name: &str) -> Said {
    match kind {
        LeafKind::Candidates { .. } => {
            said!("use it in a `find`: `find ITEM in={} into=\"{KEY}\"`", name)
        }
        LeafKind::Measure => said!(
            "call it in the block of a `find`: `{}(ITEM)`",
            name.replace('-', "_")
        ),
        LeafKind::Sensor => said!("declare a key with it: `key NAME type=… sensor={}`", name),
        kind => said!("write `{} {}`", word_of(kind), name),
    }
}

/// The name in `"{name}"`.
pub(super) fn braced(text: &Text) -> Option<&str> {
    names::braced(&text.value).map(|(name, _)| name)
}

/// The name in `"{name}"`, with the text that it stands in; `None` for any other value.
pub(super) fn key_in_braces(value: &Written) -> Option<(&Text, &str)> {
    match value {
        Written::Text(text) => braced(text).map(|name| (text, name)),
        _ => None,
    }
}
