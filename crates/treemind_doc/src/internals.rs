//! What `treemind_learn` needs from documents beyond the public interface. It has no stability guarantee and may
//! change with any version.

pub use crate::check::Layout;
pub use crate::check::facts::{Declared, Facts, Set};
pub use crate::language::is_item;
pub use crate::outline::always_draws;
pub use crate::syntax::pieces::{Piece, PieceKind};
pub use crate::syntax::write::word;

use crate::check::{DefinitionKind, present};
use crate::diagnostic::Sink;
use crate::document::{Document, Tree};
use crate::syntax::pieces::pieces;
use crate::syntax::{self, Node, Span, Value};
use std::collections::HashMap;
use std::sync::Arc;
use treemind_core::behaviour::{Enum, Key, Semaphore};

/// A decision tree without mistakes, and the declarations that it uses.
pub struct Decided<'d> {
    /// The places of its parts. Spans are in the range of all files of the document.
    pub layout: &'d Layout,
    /// The place of its name in that range.
    pub span: &'d Span,
    /// The keys of the document, followed by its own.
    pub keys: Vec<Key>,
    /// The enumerations of the document.
    pub enums: &'d [Enum],
    /// The semaphores that it uses.
    pub semaphores: &'d [Semaphore],
}

/// A decision tree of a document; `None` when there is none, or it has a mistake.
pub fn decided<'d>(document: &'d Document, name: &str) -> Option<Decided<'d>> {
    let mut all = document.checked.definitions[DefinitionKind::Decision as usize].iter();
    let found = all.find(|definition| definition.name == name)?;
    let layout = found.layout.as_deref()?;
    Some(Decided {
        layout,
        span: &found.span,
        keys: [&document.checked.keys[..], &layout.keys].concat(),
        enums: &document.checked.enums,
        semaphores: &layout.synchronization.semaphores,
    })
}

/// The text of a definition.
pub struct Definition {
    /// From its first word up to its brace.
    pub head: Span,
    /// All pieces of its file.
    pub row: Vec<Piece>,
    /// The heads of its nodes, by the position where they begin.
    pub heads: HashMap<usize, Head>,
    /// Whether the first line of the file ends with a carriage return.
    pub crlf: bool,
}

/// A node from its name to its last entry.
pub struct Head {
    /// The name.
    pub word: String,
    /// Its first value, if that is a string.
    pub named: Option<String>,
    /// Whether it is disabled with `/-`.
    pub is_disabled: bool,
    /// Its place.
    pub span: Span,
}

/// Reads the text of a definition again; `None` when it is not at its old place any more.
pub fn definition(tree: &Tree) -> Option<Definition> {
    let text = tree.source().text();
    let mut sink = Sink::new(Arc::clone(&tree.source));
    let parsed = syntax::parse(text, &mut sink);
    let begins = |node: &&Node| {
        let first = node.entries.first();
        first.is_some_and(|entry| entry.value_span == tree.span())
    };
    let node = parsed.nodes.iter().find(begins)?;
    let mut heads = HashMap::new();
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        heads.insert(node.span.start, head(node));
        pending.extend(node.children());
    }
    let pieces = pieces(text, &mut sink);
    Some(Definition {
        head: node.span.clone(),
        row: pieces.row,
        heads,
        crlf: pieces.crlf,
    })
}

fn head(node: &Node) -> Head {
    Head {
        word: node.name.value.clone(),
        named: node.entries.first().and_then(|entry| match &entry.value {
            Value::Text(text) => Some(text.value.clone()),
            _ => None,
        }),
        is_disabled: present(std::slice::from_ref(node)).is_empty(),
        span: node.span.clone(),
    }
}
