//! Warnings about keys, ports and items that are never used, or only read or only written.

use super::subtree::Way;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::{Scope, Uses};
use crate::syntax::{Span, shortened};
use treemind_core::KeyId;

/// A key, port or item that a document declares, and how it is used.
#[derive(Debug)]
pub(super) struct DeclaredKey {
    pub(super) key: KeyId,
    pub(super) name: String,
    pub(super) kind: DeclaredAs,
    pub(super) span: Span,
    /// The uses in its definition; for a key of the document, the uses in all definitions.
    pub(super) uses: Uses,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum DeclaredAs {
    /// In a `blackboard`. The game may use it too, so only a key without any use gets a warning.
    DocumentKey,
    /// In a definition or a `scope`.
    Key,
    /// The same, in a definition whose subtrees inherit its keys and may use them.
    LentKey,
    Port(Way),
    /// In a `for-each`. An item that is never read may be a misspelt key.
    Item,
}

impl DeclaredKey {
    pub(super) fn new(key: KeyId, name: &str, kind: DeclaredAs, span: &Span) -> Self {
        Self {
            key,
            name: name.to_owned(),
            kind,
            span: span.clone(),
            uses: Uses::default(),
        }
    }

    /// Copies the uses from the scope, before the scope drops the keys of a definition.
    pub(super) fn settle(&mut self, scope: &Scope) {
        self.uses = scope.uses[self.key.index()];
        if let DeclaredAs::Key = self.kind {
            self.uses.is_written |= scope.keys[self.key.index()].sensed.is_some();
        }
    }

    /// The warning about its uses.
    fn problem(&self) -> Option<(Code, String)> {
        let mut uses = self.uses;
        let name = &self.name;
        let what = match self.kind {
            DeclaredAs::LentKey => return None,
            DeclaredAs::DocumentKey | DeclaredAs::Item if uses.any() => return None,
            DeclaredAs::Item => {
                let message = format!("nothing uses the item `{}`", shortened(name));
                return Some((Code::UnusedKey, message));
            }
            DeclaredAs::DocumentKey | DeclaredAs::Key => "key",
            // The tree that holds this one reads or writes the port from outside.
            DeclaredAs::Port(way) => {
                uses.is_written |= way != Way::Out && uses.is_read;
                uses.is_read |= way != Way::In && uses.is_written;
                "port"
            }
        };
        Some(match (uses.is_read, uses.is_written) {
            (true, true) => return None,
            (false, false) => (Code::UnusedKey, format!("nothing uses {what} `{name}`")),
            (false, true) => (
                Code::OnlyWritten,
                format!("{what} `{name}` is written, and nothing reads it"),
            ),
            (true, false) => (
                Code::OnlyRead,
                format!("{what} `{name}` is read, and nothing writes it"),
            ),
        })
    }
}

/// Warns of each key, port and item that is unused, only read or only written.
pub(super) fn judge(declared: &[DeclaredKey], sink: &mut Sink) {
    let problems = declared
        .iter()
        .filter_map(|one| Some((one, one.problem()?)));
    for (one, (code, message)) in problems {
        let warning = sink.warning(code, one.span.clone(), message);
        match code {
            Code::OnlyWritten => {
                warning.with_help("if only the game reads it, add `allow=\"T0611\"` to it");
            }
            Code::OnlyRead => {
                warning.with_help("if only the game writes it, add `allow=\"T0612\"` to it");
            }
            _ => {}
        }
    }
}

/// The place and the uses of each declaration whose uses are all known.
#[cfg(test)]
pub(super) fn known(declared: Vec<DeclaredKey>) -> Vec<(Span, Uses)> {
    let declared = declared.into_iter();
    let known = declared.filter(|one| !matches!(one.kind, DeclaredAs::LentKey));
    known.map(|one| (one.span, one.uses)).collect()
}
