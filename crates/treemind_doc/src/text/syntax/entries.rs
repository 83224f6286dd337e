//! What stands in the line of a node: values, properties, and the two kinds of brackets that are not read.

use super::chars::is_newline;
use super::lexer::{TokenKind, no_comma, shortened};
use super::parser::Parser;
use super::{Entry, Node, Span, Text, Value};
use crate::code::Code;
use crate::said;

/// The place of an entry.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Whether there is space before it.
    pub(super) spaced: bool,
    /// Whether it is disabled with `/-`.
    pub(super) dropped: bool,
    /// Whether it comes after the node's block, or after a disabled one.
    pub(super) behind_block: bool,
}

impl Parser<'_, '_> {
    /// One value or property.
    pub(super) fn entry(&mut self, node: &mut Node, value: Value, span: Span, place: Place) {
        let Place {
            spaced,
            dropped,
            behind_block,
        } = place;
        let value = match value {
            Value::Text(text)
                if !spaced && !dropped && text.bare && text.value.starts_with(',') =>
            {
                let text = self.without_commas(text);
                if text.value.is_empty() {
                    return;
                }
                let place = Place {
                    spaced: true,
                    ..place
                };
                let span = text.span.clone();
                return self.entry(node, Value::Text(text), span, place);
            }
            value => value,
        };
        let at_fault = || shortened(self.source.slice(&span));
        if !spaced && !dropped && !matches!(value, Value::Bad) {
            let message = said!("missing space before `{}`", at_fault());
            self.sink.error(Code::Syntax, span.clone(), message);
        } else if behind_block && !dropped {
            let message = said!(
                "values must be before the block, not after it: `{}`",
                at_fault()
            );
            self.sink
                .error(Code::Syntax, span.clone(), message)
                .with_help(said!(
                    "if this is another node, put it on its own line or write `;` before it"
                ));
        }
        let entry = match value {
            Value::Text(name) => {
                let spaced = self.skip_space();
                let next = self.next();
                if matches!(next.kind, TokenKind::Equals) {
                    self.property(name)
                } else {
                    self.ahead = Some(next);
                    self.ahead_spaced = spaced;
                    Entry {
                        name: None,
                        value: Value::Text(name),
                        value_span: span.clone(),
                        span,
                    }
                }
            }
            value => Entry {
                name: None,
                value,
                value_span: span.clone(),
                span,
            },
        };
        if !dropped {
            node.span.end = node.span.end.max(entry.span.end);
            node.entries.push(entry);
        }
    }

    /// A bare word without its leading commas, which are reported.
    fn without_commas(&mut self, mut text: Text) -> Text {
        let commas = text.value.len() - text.value.trim_start_matches(',').len();
        no_comma(text.span.start..text.span.start + commas, self.sink);
        text.value.drain(..commas);
        text.span.start += commas;
        text.verbatim = text.verbatim.map(|at| at + commas);
        text
    }

    /// The reader is after the `=`.
    fn property(&mut self, name: Text) -> Entry {
        self.skip_space();
        let mut token = self.next();
        if matches!(token.kind, TokenKind::LeftParen) {
            self.annotation(token.span);
            self.skip_space();
            token = self.next();
        }
        let start = name.span.start;
        if let TokenKind::Value(value) = token.kind {
            return Entry {
                name: Some(name),
                value,
                span: start..token.span.end,
                value_span: token.span,
            };
        }
        let span = start..name.span.end;
        self.sink.error(
            Code::Syntax,
            span.clone(),
            said!("`{}=` has no value", shortened(&name.value)),
        );
        self.ahead = Some(token);
        Entry {
            name: Some(name),
            value: Value::Bad,
            value_span: span.clone(),
            span,
        }
    }

    /// A function that is called without quotes, as in `wait random(1, 2)`: reported, and skipped. The reader is after
    /// the opening bracket.
    pub(super) fn call(&mut self, entry: &mut Entry, node: &Text, inside: usize) {
        let mut depth = 1_usize;
        for c in self.lexer.text[inside..].chars() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                ';' | '{' | '}' | '"' => break,
                c if is_newline(c) => break,
                _ => {}
            }
            self.lexer.at += c.len_utf8();
            if depth == 0 {
                break;
            }
        }
        let (value, whole) = (entry.value_span.start, entry.span.start..self.lexer.at);
        let call = shortened(self.lexer.text[value..self.lexer.at].trim_end());
        let call = match depth {
            0 => call,
            _ => format!("{call})"),
        };
        let quoted = match &entry.name {
            Some(name) => format!("{}=\"{call}\"", shortened(&name.value)),
            None => format!("{} \"{call}\"", shortened(&node.value)),
        };
        self.sink
            .error(
                Code::Syntax,
                whole.clone(),
                said!("an expression must be in quotes"),
            )
            .with_help(said!("write `{}`", quoted));
        entry.value = Value::Bad;
        entry.value_span.end = whole.end;
        entry.span = whole;
    }

    /// `(type)` before a value or a node: reported, and skipped.
    pub(super) fn annotation(&mut self, open: Span) {
        let mut end = open.end;
        loop {
            let token = self.next();
            match token.kind {
                TokenKind::Value(_) | TokenKind::Space | TokenKind::LeftParen => {
                    end = token.span.end
                }
                TokenKind::RightParen => {
                    end = token.span.end;
                    break;
                }
                _ => {
                    self.ahead = Some(token);
                    break;
                }
            }
        }
        self.sink
            .error(
                Code::TypeAnnotation,
                open.start..end,
                said!("type annotations are not supported"),
            )
            .with_help(said!(
                "remove it, or write an expression in quotes: `check \"(a + b) < c\"`"
            ));
    }
}
