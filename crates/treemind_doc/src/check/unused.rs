//! Keys of trees and scopes that nothing uses, or that are only half used.

use super::Checker;
use crate::code::Code;
use crate::syntax::Span;
use treemind_core::KeyId;

impl Checker<'_> {
    /// Remembers what is wrong with how a key or port of a tree's own is used. Keys of the document are the game's as well, so
    /// that nothing can be said of them.
    pub(super) fn judge_uses(&mut self, key: KeyId, name: &str, what: &str, span: &Span) {
        let uses = self.scope.uses[key.index()];
        let is_sensed = self.scope.keys[key.index()].sensed.is_some();
        let (code, message) = match (uses.is_read, uses.is_written || is_sensed) {
            (true, true) => return,
            (false, false) => (Code::UnusedKey, format!("nothing uses {what} `{name}`")),
            (false, true) => (
                Code::OnlyWritten,
                format!("{what} `{name}` is written, and nothing reads it"),
            ),
            (true, false) => (
                Code::OnlyRead,
                format!("{what} `{name}` is read, and nothing writes it"),
            ),
        };
        self.unused.push((code, span.clone(), message));
    }
}
