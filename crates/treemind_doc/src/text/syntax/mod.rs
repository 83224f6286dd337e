//! The text as a tree of nodes with byte spans: KDL 2.0, read without recursion.
//!
//! This is a separate reader. The `kdl` crate (6.7.1) was measured first: it gives no tree at all if there is one
//! mistake; its time is exponential in nested `/-{` (20 levels, 120 bytes: 41 s); and it recurses once per block
//! and once per stray character, so that 100 000 times `=` end the process with a stack overflow, which no limit on
//! nesting prevents. Here, time is linear, nothing recurses, a mistake costs one entry or one line and not the
//! document, and every string says whether the document contains it unchanged, which spans inside expressions need.
//! Tests compare the two readers, and KDL's own suite (`suite.rs`) defines what must be read, and what must not.
//!
//! Type annotations (`(u8)1`) are refused, as they have no meaning in Treemind; a `;` without a node is accepted.

mod braces;
mod chars;
#[cfg(feature = "edit")]
pub(crate) mod cursor;
mod entries;
#[cfg(feature = "edit")]
pub(crate) mod gaps;
mod lexer;
#[cfg(any(feature = "btcpp", all(feature = "convert", feature = "scxml")))]
mod make;
mod parser;
#[cfg(any(feature = "convert", feature = "edit", feature = "internals"))]
pub(crate) mod pieces;
mod strings;
#[cfg(test)]
mod suite;
pub(crate) mod write;

pub(crate) use chars::is_newline;
#[cfg(feature = "edit")]
pub(crate) use chars::{is_space, is_word};
pub(crate) use lexer::{no_comma, shortened, without_unit};
#[cfg(feature = "edit")]
pub(crate) use parser::parse_unfinished;
pub(crate) use parser::{is_too_large, parse};
#[cfg(feature = "edit")]
pub(crate) use strings::unicode;
pub(crate) use write::plain_word;

use std::ops::Range;

/// The deepest nesting of blocks.
pub(crate) const MAX_NESTING: usize = 256;

/// A byte range of the document.
pub(crate) type Span = Range<usize>;

/// A name or a string of the document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    /// Its content.
    pub(crate) value: String,
    /// The span with its quotes.
    pub(crate) span: Span,
    /// Where the document contains `value` unchanged; `None` with escapes or several lines.
    pub(crate) verbatim: Option<usize>,
    /// Whether it is written without quotes.
    pub(crate) bare: bool,
}

/// The value of an entry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A bare word or a string.
    Text(Text),
    /// A number without fraction and exponent.
    Int(i128),
    /// Any other number, with its text, which is read again exactly for other widths.
    Decimal(f64, String),
    /// `#true` or `#false`.
    Bool(bool),
    /// `#null`.
    Null,
    /// Something for which a diagnostic has been reported.
    Bad,
}

impl Value {
    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&Text> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A value of a node, or one of its properties.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// The name of a property.
    pub(crate) name: Option<Text>,
    /// Its value.
    pub(crate) value: Value,
    /// The bytes of the value.
    pub(crate) value_span: Span,
    /// The bytes of the whole entry.
    pub(crate) span: Span,
}

/// A node and its block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// The first word.
    pub(crate) name: Text,
    /// Values and properties, in order.
    pub(crate) entries: Vec<Entry>,
    /// The nodes between its braces; `None` without braces.
    pub(crate) children: Option<Vec<Node>>,
    /// The bytes from its opening to its closing brace; `None` without braces.
    pub(crate) block: Option<Span>,
    /// From the name to the last entry.
    pub(crate) span: Span,
}

impl Node {
    /// The nodes between its braces.
    pub(crate) fn children(&self) -> &[Node] {
        self.children.as_deref().unwrap_or_default()
    }

    /// The property with this name; if it occurs twice, the first one, which is the one that counts.
    pub(crate) fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| {
            let named = entry.name.as_ref();
            named.is_some_and(|named| named.value == name)
        })
    }

    /// The text of a property.
    pub(crate) fn property_text(&self, name: &str) -> Option<&Text> {
        self.entry(name)?.value.text()
    }

    /// The first value without a name, if it is a text.
    pub(crate) fn first_text(&self) -> Option<&Text> {
        let entry = self.entries.iter().find(|entry| entry.name.is_none())?;
        entry.value.text()
    }

    /// From the name to the last entry or the closing brace.
    pub(crate) fn extent(&self) -> Span {
        let end = self.block.as_ref().map_or(0, |block| block.end);
        self.span.start..self.span.end.max(end)
    }
}

/// Moves the spans of nodes whose text begins in another place than before.
pub(crate) fn shift(nodes: &mut [Node], from: usize, to: usize) {
    if from != to {
        move_spans(nodes, &|at| at - from + to);
    }
}

/// Moves each place to another one.
pub(crate) fn move_spans(nodes: &mut [Node], to: &dyn Fn(usize) -> usize) {
    let moved = |span: &mut Span| *span = to(span.start)..to(span.end);
    let text = |text: &mut Text| {
        moved(&mut text.span);
        text.verbatim = text.verbatim.map(to);
    };
    let mut pending: Vec<&mut Node> = nodes.iter_mut().collect();
    while let Some(node) = pending.pop() {
        moved(&mut node.span);
        if let Some(block) = &mut node.block {
            moved(block);
        }
        text(&mut node.name);
        for entry in &mut node.entries {
            moved(&mut entry.span);
            moved(&mut entry.value_span);
            if let Some(name) = &mut entry.name {
                text(name);
            }
            if let Value::Text(value) = &mut entry.value {
                text(value);
            }
        }
        pending.extend(node.children.iter_mut().flatten());
    }
}

/// The result of reading a text.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The nodes of the top level.
    pub(crate) nodes: Vec<Node>,
    /// Whether the structure is reliable. When a block does not end, for example, its content is uncertain, and
    /// checking it would only hide the cause.
    pub(crate) whole: bool,
    /// How deeply blocks are nested.
    pub(crate) depth: usize,
}
