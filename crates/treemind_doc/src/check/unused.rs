//! Warnings about keys, ports and items that are never used, or only read or only written.

use super::tree::present;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::KeyScope;
use crate::symbols::{DeclaredKey, Resolved, Uses};
use crate::syntax::{Node, shortened};
use crate::{Said, said};

/// Warns of each key, port and item that is unused, only read or only written. Items that are keys of the tree around
/// them are those keys.
///
/// Other systems do not declare their keys, and their hosts use them too.
pub(super) fn judge(resolved: &Resolved<'_>, scope: &KeyScope, sink: &mut Sink) {
    if sink.is_foreign() {
        return;
    }
    for key in &resolved.keys {
        let symbol = scope.sites.at(&key.name.value).first();
        let mut uses = symbol.map_or(Uses::default(), |symbol| resolved.uses[*symbol]);
        // Only the leaf knows what it does with a key.
        let is_lent = symbol.is_some_and(|symbol| scope.lent.contains(symbol));
        uses.is_read |= is_lent;
        uses.is_written |= is_lent;
        if resolved.is_lent(key) || !uses.is_declared {
            continue;
        }
        let Some((code, message)) = problem(key, uses) else {
            continue;
        };
        let warning = sink.warning(code, key.name.span.clone(), message);
        match code {
            Code::OnlyWritten => {
                warning.with_help(said!(
                    "if only the game reads it, add `allow=\"T0611\"` to it"
                ));
            }
            Code::OnlyRead => {
                warning.with_help(said!(
                    "if only the game writes it, add `allow=\"T0612\"` to it"
                ));
            }
            _ => {}
        }
    }
}

/// Whether it is a `find` that takes the first candidate, whatever it is.
fn judges_nothing(node: &Node) -> bool {
    let judged = ["keep", "score"];
    let mut parts = present(node.children()).into_iter();
    node.name.value == "find" && !parts.any(|part| judged.contains(&part.name.value.as_str()))
}

/// The warning about the uses of a key.
fn problem(key: &DeclaredKey<'_>, uses: Uses) -> Option<(Code, Said)> {
    let name = &key.name.value;
    let word = key.node.name.value.as_str();
    let (mut is_read, mut is_written) = (uses.is_read, uses.is_written);
    let is_used = is_read || is_written || uses.is_started;
    let what = match word {
        // An item that is never read may be a misspelt key. A `find` that judges nothing has no use for its own.
        "for-each" | "find" if is_used || judges_nothing(key.node) => return None,
        "for-each" | "find" => {
            let message = said!("nothing uses the item `{}`", shortened(name));
            return Some((Code::UnusedKey, message));
        }
        // The game may use a key of the document too.
        "key" if key.is_global() && is_used => return None,
        "key" => {
            is_written |= key.node.entry("sensor").is_some();
            said!("key")
        }
        // The tree that holds this one reads or writes the port from outside.
        _ => {
            is_written |= word != "out" && is_read;
            is_read |= word != "in" && is_written;
            said!("port")
        }
    };
    is_written |= uses.is_started && is_read;
    Some(match (is_read, is_written) {
        (true, true) => return None,
        (false, false) => (Code::UnusedKey, said!("nothing uses {} `{}`", what, name)),
        (false, true) => (
            Code::OnlyWritten,
            said!("{} `{}` is written, and nothing reads it", what, name),
        ),
        (true, false) => (
            Code::OnlyRead,
            said!("{} `{}` is read, and nothing writes it", what, name),
        ),
    })
}
