//! `allow="T0604"`: warnings that the author of the document knows about and does not want to see again.

use super::tree::present;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::suggest;
use crate::syntax::{Node, Span, Value, shortened};
use crate::{Said, said};

/// The property that allows warnings, on any node.
pub(super) const ALLOW: &str = "allow";

/// A warning that is allowed in one part of the text.
struct Allowed {
    code: Code,
    /// The node, including its block.
    within: Span,
    /// The place of the code in the text.
    span: Span,
}

/// Removes the warnings that are allowed where they occur, and reports the codes that allow nothing. Returns where
/// warnings are allowed that only a check of several documents together can find.
pub(super) fn allow(nodes: &[Node], sink: &mut Sink) -> Vec<Span> {
    let mut allowed = Vec::new();
    let mut pending: Vec<&Node> = nodes.iter().rev().collect();
    while let Some(node) = pending.pop() {
        // An imported file gets no warnings here.
        if sink.is_own(&node.span) {
            read(node, &mut allowed, sink);
        }
        pending.extend(present(node.children()).into_iter().rev());
    }
    let (together, allowed): (Vec<_>, Vec<_>) = allowed
        .into_iter()
        .partition(|one| one.code == Code::SharedAlone);
    for one in &allowed {
        // In a document with errors, some warnings may be missing.
        if !sink.forgive(one.code, &one.within) && !sink.has_errors() {
            let message = said!("nothing here gives the warning `{}`", one.code);
            sink.warning(Code::NoEffect, one.span.clone(), message)
                .with_help(said!(
                    "remove it from `allow`, or it will hide a new warning"
                ));
        }
    }
    together.into_iter().map(|one| one.within).collect()
}

/// The codes that one node allows.
fn read(node: &Node, allowed: &mut Vec<Allowed>, sink: &mut Sink) {
    let is_allow = |name: &crate::syntax::Text| name.value == ALLOW;
    let mut entries = node.entries.iter();
    let Some(entry) = entries.find(|entry| entry.name.as_ref().is_some_and(is_allow)) else {
        return;
    };
    let text = match &entry.value {
        Value::Text(text) => &text.value,
        Value::Bad => return,
        _ => {
            let message = said!("`{}` must be a text with codes of warnings", ALLOW);
            sink.error(Code::WrongType, entry.value_span.clone(), message)
                .with_help(said!("try `allow=\"T0604 T0605\"`"));
            return;
        }
    };
    let span = &entry.value_span;
    let before = allowed.len();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let Some(code) = Code::ALL.iter().find(|code| code.as_str() == word) else {
            unknown(word, span, sink);
            continue;
        };
        if code.can_be_a_warning() {
            allowed.push(Allowed {
                code: *code,
                within: node.span.start..end_of(node),
                span: span.clone(),
            });
        } else {
            let message = said!("`{}` is an error, and only warnings can be allowed", code);
            let help = said!("fix the error instead ({})", Said::plain(code.title()));
            sink.error(Code::UnknownCode, span.clone(), message)
                .with_help(help);
        }
    }
    if text.trim_matches([' ', ',']).is_empty() && allowed.len() == before {
        let message = said!("`{}` needs the code of a warning", ALLOW);
        sink.error(Code::MissingValue, span.clone(), message)
            .with_help(said!("try `allow=\"T0604\"`"));
    }
}

fn unknown(word: &str, span: &Span, sink: &mut Sink) {
    let word = shortened(word);
    let warnings = Code::ALL.iter().filter(|code| code.can_be_a_warning());
    let help = suggest::did_you_mean(&word, warnings.map(|code| code.as_str()), || {
        Some(said!(
            "use the code in the brackets of a warning, such as `warning[T0604]`"
        ))
    });
    let message = said!("unknown warning code `{}`", word);
    sink.error(Code::UnknownCode, span.clone(), message)
        .with_perhaps(help);
}

/// The end of the last entry or child of a node.
fn end_of(node: &Node) -> usize {
    let mut end = node.span.end;
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        end = end.max(node.span.end);
        pending.extend(node.children());
    }
    end
}
