//! The values and properties of one node, read by name, with diagnostics for those that are left over.

use super::allow::ALLOW;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{self, Word};
use crate::suggest;
use crate::syntax::{Entry, Node, Text, Value, shortened};
use crate::{Said, said};
use std::collections::HashMap;

/// The line of a node. Its reader takes the entries that it knows; [`Line::finish`] reports the rest.
pub(crate) struct Line<'n> {
    pub(crate) node: &'n Node,
    values: Vec<&'n Entry>,
    properties: Vec<(&'n Text, &'n Entry, bool)>,
    /// The places of the properties by their names, if there are many.
    indices: HashMap<&'n str, usize>,
    /// The names that have been read.
    #[cfg(debug_assertions)]
    asked: Vec<String>,
}

/// As many properties are looked through one by one.
const FEW: usize = 8;

impl<'n> Line<'n> {
    /// Sorts the entries and reports properties that are given twice.
    pub(crate) fn new(node: &'n Node, sink: &mut Sink) -> Self {
        let mut line = Self {
            node,
            values: Vec::new(),
            properties: Vec::new(),
            indices: HashMap::new(),
            #[cfg(debug_assertions)]
            asked: Vec::new(),
        };
        for entry in &node.entries {
            let Some(name) = &entry.name else {
                line.values.push(entry);
                continue;
            };
            if let Some(first) = line.index(&name.value) {
                let message = said!("`{}` is set twice on the same node", shortened(&name.value));
                let diagnostic = sink.error(Code::Duplicate, entry.span.clone(), message);
                if language::is_continue(entry) || language::is_continue(line.properties[first].1) {
                    diagnostic.with_help(
                        said!("use either the option `continue` or statements; move the statements to the child, or to `on-end=`"),
                    );
                }
            } else {
                if node.entries.len() > FEW {
                    line.indices
                        .insert(name.value.as_str(), line.properties.len());
                }
                // Any node may have it. It is read later, when all warnings are known.
                line.properties.push((name, entry, name.value == ALLOW));
            }
        }
        line
    }

    fn index(&self, name: &str) -> Option<usize> {
        if self.node.entries.len() > FEW {
            return self.indices.get(name).copied();
        }
        self.properties
            .iter()
            .position(|(known, ..)| known.value == name)
    }

    /// The property, which counts as read from now on. It must be in the language table.
    pub(crate) fn property(&mut self, name: &str) -> Option<&'n Entry> {
        #[cfg(debug_assertions)]
        self.asked.push(name.to_owned());
        self.take(name)
    }

    /// The same for a name that is in no row of the table: a parameter, or a property in a place where it does not
    /// belong.
    pub(crate) fn take(&mut self, name: &str) -> Option<&'n Entry> {
        let index = self.index(name)?;
        let found = &mut self.properties[index];
        found.2 = true;
        Some(found.1)
    }

    /// Whether the property is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// The properties not yet read.
    pub(crate) fn unread(&self) -> Vec<(&'n Text, &'n Entry)> {
        let unread = self.properties.iter().filter(|(.., read)| !read);
        unread.map(|(name, entry, _)| (*name, *entry)).collect()
    }

    /// All values that have no name.
    pub(crate) fn values(&self) -> &[&'n Entry] {
        &self.values
    }

    /// The only value that has no name; reports more than one, but not a missing one.
    pub(crate) fn only_value(&self, sink: &mut Sink) -> Option<&'n Entry> {
        self.no_second(
            &said!("value"),
            said!("write an expression, or text with spaces, in quotes"),
            sink,
        );
        self.values.first().copied()
    }

    /// Reports a second value after the name.
    pub(crate) fn only_name(&self, sink: &mut Sink) {
        self.no_second(
            &said!("name"),
            said!("use one word as the name, and put an explanation into `doc=\"…\"`"),
            sink,
        );
    }

    fn no_second(&self, what: &Said, help: Said, sink: &mut Sink) {
        let Some(extra) = self.values.get(1).filter(|extra| extra.value != Value::Bad) else {
            return;
        };
        let node = shortened(&self.node.name.value);
        let message = said!("`{}` takes only one {}", node, what);
        let is_bare = |entry: &&Entry| matches!(&entry.value, Value::Text(text) if text.bare);
        let bare = self.values.iter().all(is_bare);
        let diagnostic = sink.error(Code::ExtraValue, extra.span.clone(), message);
        if bare {
            diagnostic.with_help(help);
        }
    }

    /// Reports values where none are allowed.
    pub(crate) fn no_values(&self, sink: &mut Sink) {
        if let Some(extra) = self.values.first() {
            let name = shortened(&self.node.name.value);
            let diagnostic = sink.error(
                Code::ExtraValue,
                extra.span.clone(),
                said!("`{}` takes no value", name),
            );
            if let Value::Text(text) = &extra.value {
                let text = quoted(&text.value);
                diagnostic.with_help(match text.contains(['<', '>', '=', '!', '&', '|']) {
                    true => said!("a condition is a node: write `check {}` in the block", text),
                    false => said!("to give it a name, write `{} name={}`", name, text),
                });
            }
        }
    }

    /// `#true` or `#false`; false when it is not given.
    pub(crate) fn flag(&mut self, name: &str, sink: &mut Sink) -> bool {
        let entry = self.property(name);
        Self::flag_of(entry, name, sink)
    }

    /// The value of a flag that has been taken.
    pub(crate) fn flag_of(entry: Option<&Entry>, name: &str, sink: &mut Sink) -> bool {
        let Some(entry) = entry else {
            return false;
        };
        match &entry.value {
            Value::Bool(value) => *value,
            Value::Bad => false,
            _ => {
                let message = said!("`{}` must be `{}` or `{}`", name, "#true", "#false");
                sink.error(Code::WrongType, entry.value_span.clone(), message);
                false
            }
        }
    }

    /// A text, such as `doc=`.
    pub(crate) fn text(&mut self, name: &str, sink: &mut Sink) -> Option<&'n Text> {
        let entry = self.property(name)?;
        match &entry.value {
            Value::Text(text) => Some(text),
            Value::Bad => None,
            _ => {
                let message = said!("`{}` must be a text", name);
                sink.error(Code::WrongType, entry.value_span.clone(), message)
                    .with_help(said!("put it in quotes"));
                None
            }
        }
    }

    /// `doc=`
    pub(crate) fn doc(&mut self, sink: &mut Sink) -> Option<String> {
        self.text("doc", sink).map(|text| text.value.clone())
    }

    /// The first value as a name; reports when there is none.
    pub(crate) fn name(&self, what: &Said, sink: &mut Sink) -> Option<&'n Text> {
        let word = shortened(&self.node.name.value);
        let Some(entry) = self.values.first() else {
            sink.error(
                Code::MissingValue,
                self.node.name.span.clone(),
                said!("`{}` needs the name of {}", word, what),
            );
            return None;
        };
        match &entry.value {
            Value::Text(text) => Some(text),
            Value::Bad => None,
            _ => {
                let message = said!(
                    "the name of {} must be a word, not a number or a flag",
                    what
                );
                sink.error(Code::BadName, entry.span.clone(), message);
                None
            }
        }
    }

    /// Reports every property that was not read; `word` is the table row of the node.
    pub(crate) fn finish(self, word: &Word, sink: &mut Sink) {
        self.finish_with(word, &[], sink);
    }

    /// The same where the node has more properties than its row: parameters.
    pub(crate) fn finish_with(mut self, word: &Word, more: &[String], sink: &mut Sink) {
        #[cfg(debug_assertions)]
        for asked in &self.asked {
            assert!(
                word.shape(asked).is_some(),
                "`{asked}=` of `{}` is read and not in the table of the language",
                word.name
            );
        }
        // A property that only other systems have is unknown in our own documents, although it was read.
        if !sink.is_foreign() {
            let hidden = word.properties.iter().filter(|one| one.is_imported_only());
            for one in hidden {
                for (name, _, read) in &mut self.properties {
                    *read &= name.value != one.name();
                }
            }
        }
        if self.properties.iter().all(|(.., read)| *read) {
            return;
        }
        let own = word.own().chain(more.iter().map(String::as_str));
        let mut known: Vec<&str> = own.collect();
        let own = known.len();
        known.extend(word.task.iter().flat_map(|_| language::of_all_tasks()));
        for (name, _) in self.unread() {
            if sink.is_full() {
                return;
            }
            let word = shortened(&name.value);
            let node = shortened(&self.node.name.value);
            let mut ours = language::foreign_property(&name.value);
            let ours = ours.find(|ours| known.contains(ours));
            let help = ours.map(|ours| said!("use `{}` instead", ours));
            let near = suggest::did_you_mean(&word, known.iter().copied(), || {
                // The properties common to all nodes would hide the node's own.
                let (own, of_all) = known.split_at(own);
                let of_all = of_all.iter();
                let of_all = of_all.filter(|name| !language::is_guard_or_hook(name));
                let own = own.iter().chain(of_all).copied();
                (!known.is_empty()).then(|| said!("its properties are {}", suggest::listed(own)))
            });
            let help = help.or(near);
            sink.error(
                Code::UnknownProperty,
                name.span.clone(),
                said!("`{}` has no property `{}`", node, word),
            )
            .with_perhaps(help);
        }
    }
}

/// The line of a node that names something and gives it values, as KDL writes it: `subtree flee from="{foe}"`.
pub(super) fn written(line: &Line<'_>, name: &Text, given: &[(&Text, Option<&Entry>)]) -> String {
    let mut out = format!("{} {}", line.node.name.value, quoted(&name.value));
    for (name, entry) in given {
        if let Some(value) = entry.and_then(|entry| value_text(&entry.value)) {
            out.push_str(&format!(" {}={value}", quoted(&name.value)));
        }
    }
    out
}

fn value_text(value: &Value) -> Option<String> {
    Some(match value {
        Value::Text(text) if text.bare => shortened(&text.value),
        Value::Text(text) => format!("{:?}", shortened(&text.value)),
        Value::Int(value) => value.to_string(),
        Value::Decimal(_, text) => text.clone(),
        Value::Bool(value) => format!("#{value}"),
        Value::Null => "#null".to_owned(),
        Value::Bad => return None,
    })
}

/// A word as KDL writes it: without quotes when possible.
pub(crate) fn quoted(word: &str) -> String {
    let bare = word
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        && word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if bare {
        word.to_owned()
    } else {
        format!("\"{}\"", shortened(word))
    }
}
