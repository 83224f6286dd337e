//! Keys, ports and items that nothing uses, or that are only half used.

use super::subtree::Way;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::Scope;
use crate::syntax::{Span, shortened};
use treemind_core::KeyId;

/// Something of a definition's own that is there to be used. Keys of the document are the game's as well, so that little
/// can be said of them.
#[derive(Debug)]
pub(super) struct Owned {
    pub(super) key: KeyId,
    pub(super) name: String,
    pub(super) what: OwnedAs,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum OwnedAs {
    Key,
    Port(Way),
    /// The item of a `for-each`: one that nothing reads is perhaps another key misspelt.
    Item,
}

/// What is to be said of something that is not used, or half.
pub(super) type Unused = (Code, Span, String);

/// What is wrong with how the keys, ports and items of a definition are used. Where it `hands_down` names, others may
/// use its keys, which are not known yet.
pub(super) fn judge(owned: Vec<Owned>, scope: &Scope, hands_down: bool) -> Vec<Unused> {
    let said = |one: Owned| {
        let mut uses = scope.uses[one.key.index()];
        let name = &one.name;
        let what = match one.what {
            OwnedAs::Item if uses.any() => return None,
            OwnedAs::Item => {
                let message = format!("nothing uses the item `{}`", shortened(name));
                return Some((Code::UnusedKey, one.span, message));
            }
            _ if hands_down => return None,
            OwnedAs::Key => "key",
            // What stands outside does the other half.
            OwnedAs::Port(way) => {
                uses.is_written |= way != Way::Out && uses.is_read;
                uses.is_read |= way != Way::In && uses.is_written;
                "port"
            }
        };
        let is_sensed = scope.keys[one.key.index()].sensed.is_some();
        let (code, message) = match (uses.is_read, uses.is_written || is_sensed) {
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
        };
        Some((code, one.span, message))
    };
    owned.into_iter().filter_map(said).collect()
}

/// Warns of keys of the document that nothing uses, with all that has been found in definitions.
pub(super) fn warn(unused: Vec<Unused>, scope: &Scope, spans: &[Span], sink: &mut Sink) {
    let keys = spans.iter().zip(&scope.uses).zip(&scope.keys);
    for ((span, _), key) in keys.filter(|((_, uses), _)| !uses.any()) {
        let message = format!("nothing uses key `{}`", key.name);
        sink.warning(Code::UnusedKey, span.clone(), message);
    }
    for (code, span, message) in unused {
        let warning = sink.warning(code, span, message);
        match code {
            Code::OnlyWritten => {
                warning.with_help("if only the game reads it, `allow=\"T0611\"` on it says so");
            }
            Code::OnlyRead => {
                warning.with_help("if only the game writes it, `allow=\"T0612\"` on it says so");
            }
            _ => {}
        }
    }
}
