//! `for-each` and `unset`.

use super::Checker;
use super::declare::expression_name;
use super::leaf::braced;
use super::line::Line;
use super::tree::Below;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::{Frame, KeyScope, Local, a_type};
use crate::language::{self, Word};
use crate::said;
use crate::syntax::{Text, Value as Written, shortened};

use treemind_core::behaviour::Scope;
use treemind_core::{KeyId, Kind, MAX_RUNS_PER_TICK, Type};

impl Checker<'_> {
    /// `for-each VAR in="{list}" if-empty=success max-runs=1000 { CHILD }`
    pub(super) fn for_each(
        &mut self,
        line: &mut Line<'_>,
        word: &'static Word,
        depth: usize,
    ) -> (Below, Option<Kind>) {
        let node = line.node;
        let name = line.name(&said!("the key that holds the item"), self.sink);
        line.only_name(self.sink);
        let list = self.scope.list_gone_through(line, self.sink);
        let if_empty = self.read(line, &language::IF_EMPTY);
        let max_runs = max_runs(line, self.sink);
        let name = name.filter(|name| expression_name(name, &said!("key"), self.sink));
        let var = match (name, list) {
            (Some(name), Some((list, ty))) => self.item_key(name, list, ty),
            (Some(name), None) => {
                // The nodes below may still use the item.
                let is_unknown = !self.scope.knows(&name.value);
                let is_new = is_unknown && self.scope.broken.insert(name.value.clone());
                let children = self.children_of(node, word, depth);
                if is_new {
                    self.scope.broken.remove(&name.value);
                }
                return (children, None);
            }
            (None, _) => None,
        };
        let made = var.filter(|(_, is_made)| *is_made).map(|(key, _)| key);
        if let (Some(key), Some(name)) = (made, name) {
            self.scope.push_item(name, key);
        }
        let children = self.children_of(node, word, depth);
        if made.is_some() && name.is_some() {
            self.scope.pop();
        }
        let kind = (|| {
            Some(Kind::ForEach {
                var: var?.0,
                list: list?.0,
                if_empty: if_empty?,
                max_runs: max_runs?,
            })
        })();
        (children, kind)
    }

    /// The key that holds the item, and whether it was created for this purpose.
    fn item_key(&mut self, name: &Text, list: KeyId, ty: Type) -> Option<(KeyId, bool)> {
        let word = shortened(&name.value);
        let Some((key, found)) = self.scope.find(&name.value) else {
            return (!self.scope.broken.contains(&name.value))
                .then(|| (self.make_item_key(&name.value, ty), true));
        };
        let list = shortened(&self.scope.key(list).name);
        if self.scope.is_list(key) {
            let message = said!("`{}` is a list and cannot hold a single item", word);
            self.sink
                .error(Code::WrongType, name.span.clone(), message)
                .with_help(said!(
                    "use another key, or a new name, which creates a key for this node"
                ));
            return None;
        }
        let key_of_item = self.scope.key(key);
        let refusal = match (key_of_item.is_computed(), key_of_item.scope) {
            (true, _) => Some(said!("is computed by a sensor and cannot be written")),
            (false, Scope::Agent) => None,
            (false, _) => Some(said!("is shared, and the item belongs to one agent")),
        };
        if let Some(refusal) = refusal {
            let message = said!("`{}` {}", word, refusal);
            self.sink
                .error(Code::WrongType, name.span.clone(), message)
                .with_help(said!(
                    "use another key, or a new name, which creates a key for this node"
                ));
            return None;
        }
        if self.scope.is_read_only(&name.value) {
            let message = said!("cannot write to `{}`, which is an `in` port", word);
            self.sink
                .error(Code::WrongType, name.span.clone(), message)
                .with_help(said!(
                    "use another key, or a new name, which creates a key for this node"
                ));
            return None;
        }
        if found != ty {
            let message = match (found, ty) {
                (Type::Enum(_), Type::Enum(_)) => {
                    said!(
                        "the enum `{}` has other values than the items of `{}`",
                        word,
                        list
                    )
                }
                _ => said!(
                    "`{}` is {}, but the items of `{}` have the type {}",
                    word,
                    a_type(found),
                    list,
                    ty
                ),
            };
            self.sink
                .error(Code::WrongType, name.span.clone(), message)
                .with_help(said!(
                    "use another key, or a new name, which creates a key for this node"
                ));
            return None;
        }
        Some((key, false))
    }
}

impl KeyScope {
    /// The key of `unset KEY`.
    pub(super) fn key_to_unset(&self, line: &Line<'_>, sink: &mut Sink) -> Option<KeyId> {
        let name = line.name(&said!("the key"), sink);
        line.only_name(sink);
        let text = name?;
        let name = braced(text).unwrap_or(&text.value);
        let Some((key, _)) = self.find(name) else {
            self.missing_key(name, text.span.clone(), None, sink);
            return None;
        };
        let is_read_only = self.is_read_only(name);
        let name = shortened(name);
        if is_read_only {
            let message = said!("cannot write to `{}`, which is an `in` port", name);
            sink.error(Code::WrongType, text.span.clone(), message)
                .with_help(said!("declare it as `inout {} …`", name));
            return None;
        }
        if self.is_sensed(key) {
            let message = said!("cannot write to `{}`, which is computed by a sensor", name);
            sink.error(Code::WrongType, text.span.clone(), message);
            return None;
        }
        if !self.form(key).can_be_unset() {
            let message = said!(
                "`{}` cannot be unset: it is neither optional nor a list",
                name
            );
            sink.error(Code::WrongType, text.span.clone(), message)
                .with_help(said!(
                    "declare it with `optional={}`, or use `set \"{} = …\"`",
                    "#true",
                    name
                ));
            return None;
        }
        Some(key)
    }

    /// `in="{list}"`
    fn list_gone_through(&self, line: &mut Line<'_>, sink: &mut Sink) -> Option<(KeyId, Type)> {
        let Some(entry) = line.property("in") else {
            let message = said!("`for-each` needs a list");
            sink.error(Code::MissingValue, line.node.name.span.clone(), message)
                .with_help(said!("add `in=\"{LIST}\"` with a key that has `list=`"));
            return None;
        };
        let text = match &entry.value {
            Written::Text(text) => text,
            Written::Bad => return None,
            _ => {
                let message = said!("`in` must be a list's key in braces");
                sink.error(Code::WrongType, entry.value_span.clone(), message)
                    .with_help(said!("write `in=\"{LIST}\"`"));
                return None;
            }
        };
        let Some(name) = braced(text) else {
            let word = shortened(&text.value);
            let message = said!(
                "`in` must be a list's key in braces, not the text `{}`",
                word
            );
            let diagnostic = sink.error(Code::WrongType, text.span.clone(), message);
            if self.knows(&text.value) {
                diagnostic.with_help(said!("write the key in braces: `in=\"{{}}\"`", word));
            }
            return None;
        };
        let Some((key, ty)) = self.find(name) else {
            self.unknown_key(text, name, sink);
            return None;
        };
        if !self.is_list(key) {
            let name = shortened(name);
            let message = said!("expected a list, but `{}` is {}", name, a_type(ty));
            sink.error(Code::WrongType, text.span.clone(), message)
                .with_help(said!("declare the key with `list=` to make it a list"));
            return None;
        }
        Some((key, ty))
    }

    /// Makes the item visible to the nodes below.
    pub(super) fn push_item(&mut self, name: &Text, key: KeyId) {
        let mut frame = Frame::new(self.prefix().to_owned(), true);
        let local = Local {
            key,
            is_read_only: false,
        };
        let symbols = self.sites.at(&name.value);
        frame.insert(name.value.clone(), symbols, local);
        self.push(frame);
    }
}

fn max_runs(line: &mut Line<'_>, sink: &mut Sink) -> Option<u32> {
    let Some(entry) = line.property("max-runs") else {
        return Some(MAX_RUNS_PER_TICK);
    };
    let given = match &entry.value {
        Written::Bad => return None,
        Written::Int(given) => u32::try_from(*given).ok(),
        _ => None,
    };
    let given = given.filter(|given| *given > 0);
    if given.is_none() {
        let message = said!("`max-runs` must be a whole number of runs per tick, at least 1");
        sink.error(Code::BadNumber, entry.value_span.clone(), message);
    }
    given
}
