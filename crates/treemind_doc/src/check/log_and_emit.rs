//! `log` and `emit`: what agents report to the game.

use super::Checker;
use super::leaf::{Given, literal_or_expr};
use super::line::Line;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::{Fragment, KeyScope};
use crate::language::{self, Word};
use crate::names::{LogPiece, log_pieces};
use crate::syntax::{Entry, Span, Text, shortened};
use crate::{Said, said};
use treemind_core::behaviour::{Arg, Audience, LogPart};
use treemind_core::{KeyId, Kind, LeafId};

/// What may be written in braces in a text.
pub(super) fn in_texts() -> Said {
    said!("write the name of a key in the braces; to show a brace, double it")
}

impl Checker<'_> {
    /// `emit EVENT value="EXPR"`, or with parameters by name.
    pub(super) fn emit(&mut self, line: &mut Line<'_>, word: &'static Word) -> Option<Kind> {
        let name = line.name(&said!("the event"), self.sink);
        let leaf = name.and_then(|name| self.find_leaf(name, word.name));
        let value = line.property("value");
        let to = self.read(line, &language::AUDIENCE);
        let given = self.leaves.given(line, word, leaf, self.sink);
        let (name, leaf) = (name?, leaf?);
        if self.leaves.is_broken(leaf) {
            return None;
        }
        let complete = !self.leaves.second_value(line, name, self.sink);
        let args = match value {
            Some(value) => self.only_value(name, leaf, value, &given),
            None => self.args(word, name, leaf, given, complete, Self::arg),
        };
        let (args, to) = (args?, to?);
        if to.is_some_and(|to| to != Audience::Sender) {
            self.sent_events.insert(leaf);
        }
        Some(Kind::Emit { leaf, args, to })
    }

    /// Reads `value=`: the value of an event's only parameter.
    fn only_value(
        &mut self,
        name: &Text,
        leaf: LeafId,
        value: &Entry,
        given: &Given<'_>,
    ) -> Option<Vec<Arg>> {
        let params = self.leaves[leaf.index()].params.clone();
        let event = shortened(&name.value);
        if let [param] = &params[..] {
            if let Some((other, _)) = given.first() {
                let message = said!("event `{}` takes only `value=`", event);
                self.sink
                    .error(Code::Duplicate, other.span.clone(), message);
                return None;
            }
            let what = said!("parameter `{}`", param.name);
            let expr = self.number(value, param.ty, &what).ok()?;
            return Some(vec![literal_or_expr(expr)]);
        }
        let (message, help) = match &params[..] {
            [] => (
                said!("event `{}` has no parameter, so it takes no value", event),
                said!("declare parameters in `leaves`: `event NAME { param NAME type=…; }`"),
            ),
            [first, ..] => (
                said!(
                    "event `{}` has {} parameters, so each value needs a name",
                    event,
                    params.len()
                ),
                said!("try `{}=`", first.name),
            ),
        };
        self.sink
            .error(Code::UnknownParameter, value.span.clone(), message)
            .with_help(help);
        None
    }
}

impl KeyScope {
    /// The parts of a text with keys in braces; a doubled brace stands for the brace itself.
    pub(super) fn parts_of(&mut self, text: &Text, sink: &mut Sink) -> Option<Vec<LogPart>> {
        let fragment = Fragment::new(text, 0);
        let before = sink.error_count();
        let mut parts = Vec::new();
        let mut plain = String::new();
        for (at, piece) in log_pieces(&text.value) {
            match piece {
                LogPiece::Text(text) => plain.push_str(text),
                LogPiece::Key(name, _) => {
                    let key = self.key_in_text(name, fragment.span(&at), sink);
                    if let Some(value) = key.and_then(|key| self.text_of_known(key)) {
                        plain.push_str(&value);
                    } else if let Some(key) = key {
                        if !plain.is_empty() {
                            parts.push(LogPart::Text(std::mem::take(&mut plain)));
                        }
                        parts.push(LogPart::Key(self.real(key)));
                    }
                }
                LogPiece::Brace("{") => lone_brace(fragment.span(&at), "{", "}", sink),
                LogPiece::Brace(brace) => lone_brace(fragment.span(&at), brace, "{", sink),
            }
            if sink.is_full() {
                return None;
            }
        }
        if !plain.is_empty() || parts.is_empty() {
            parts.push(LogPart::Text(plain));
        }
        (sink.error_count() == before).then_some(parts)
    }

    /// A key in a text, which counts as used.
    fn key_in_text(&self, name: &str, span: Span, sink: &mut Sink) -> Option<KeyId> {
        if let Some((key, _)) = self.find(name) {
            return Some(key);
        }
        self.missing_key(name, span, Some(in_texts()), sink);
        None
    }
}

fn lone_brace(span: Span, brace: &str, missing: &str, sink: &mut Sink) {
    let message = said!("this `{}` has no matching `{}`", brace, missing);
    sink.error(Code::ExpressionSyntax, span, message)
        .with_help(said!(
            "write a key in braces, as in `{ammo}`; to show a brace, double it: `{}{}`",
            brace,
            brace
        ));
}
