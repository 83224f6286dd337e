//! Nodes that a reader puts together, of a text that has no nodes of its own.

use super::write::plain_word;
use super::{Entry, Node, Span, Text, Value};

impl Text {
    /// A text that stands there, though perhaps in other words.
    pub(crate) fn made(value: &str, span: Span) -> Self {
        Text {
            value: value.to_owned(),
            span,
            verbatim: None,
            bare: plain_word(value),
        }
    }
}

impl Entry {
    /// A value without a name.
    pub(crate) fn value(value: Value, span: Span) -> Self {
        Entry {
            name: None,
            value,
            value_span: span.clone(),
            span,
        }
    }

    /// A word, or the name of something.
    pub(crate) fn word(text: &str, span: Span) -> Self {
        Self::value(Value::Text(Text::made(text, span.clone())), span)
    }

    /// The same as a property.
    pub(crate) fn named(mut self, name: &str) -> Self {
        self.name = Some(Text::made(name, self.span.clone()));
        self
    }
}

impl Node {
    /// A node without a block.
    pub(crate) fn made(name: Text, span: Span, entries: Vec<Entry>) -> Self {
        Node {
            name,
            entries,
            children: None,
            block: None,
            span,
        }
    }

    /// Adds a block.
    pub(crate) fn block(mut self, children: Vec<Node>) -> Self {
        self.children = Some(children);
        self
    }
}
