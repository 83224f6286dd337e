//! Nodes that are put together by code, for documents that are written and not read.

use super::write::plain_word;
use super::{Entry, Node, Text, Value};

impl Node {
    /// A node without anything but its word.
    pub(crate) fn made(word: &str) -> Self {
        Node {
            name: made(word),
            entries: Vec::new(),
            children: None,
            block: None,
            span: 0..0,
        }
    }

    /// With a value behind it.
    pub(crate) fn value(self, value: Value) -> Self {
        self.with_entry(None, value)
    }

    /// With a text behind it.
    pub(crate) fn word(self, text: &str) -> Self {
        self.with_entry(None, Value::Text(made(text)))
    }

    /// With a property that is a text.
    pub(crate) fn text(self, name: &str, text: &str) -> Self {
        self.with_entry(Some(name), Value::Text(made(text)))
    }

    /// With a property.
    pub(crate) fn property(self, name: &str, value: Value) -> Self {
        self.with_entry(Some(name), value)
    }

    fn with_entry(mut self, name: Option<&str>, value: Value) -> Self {
        self.entries.push(Entry {
            name: name.map(made),
            value,
            value_span: 0..0,
            span: 0..0,
        });
        self
    }

    /// With a block.
    pub(crate) fn block(mut self, children: Vec<Node>) -> Self {
        self.children = Some(children);
        self
    }
}

fn made(text: &str) -> Text {
    Text {
        value: text.to_owned(),
        span: 0..0,
        verbatim: None,
        bare: plain_word(text),
    }
}
