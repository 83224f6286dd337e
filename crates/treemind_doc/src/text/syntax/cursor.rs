//! The token at a byte of a text that may be unfinished.

use super::lexer::{Lexer, TokenKind};
use super::{Span, Value};
use crate::diagnostic::Sink;
use crate::source::Source;
use std::sync::Arc;

/// What is at a byte: a token, or the room in which one could begin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TokenAt {
    /// The bytes of the token; empty where there is none.
    pub(crate) span: Span,
    /// Whether it is a string in quotes.
    pub(crate) is_quoted: bool,
    /// The bytes of its content: without quotes.
    pub(crate) content: Span,
    /// Where the node begins on whose line it is, if it is not the first word itself.
    pub(crate) line: Option<usize>,
    /// The name before `=`, if it is the value of a property.
    pub(crate) property: Option<Span>,
    /// Whether `=` follows.
    pub(crate) has_equals: bool,
}

/// The state of the line up to a token.
#[derive(Default)]
struct Line {
    /// Where its node begins.
    begin: Option<usize>,
    /// The last word, if nothing follows it yet.
    word: Option<Span>,
    /// That word, and an `=` behind it.
    property: Option<Span>,
    /// A block of the node has been closed, so that only a line end may follow.
    is_over: bool,
}

/// The token at a byte of a text, read from the byte `from`, which is not inside a token; `None` within comments, and
/// where nothing may stand.
pub(crate) fn token_at(text: &str, from: usize, offset: usize) -> Option<TokenAt> {
    let mut sink = Sink::new(Arc::new(Source::new("", "")));
    let mut lexer = Lexer::new(text);
    lexer.at = lexer.at.max(from);
    let mut line = Line::default();
    loop {
        let token = lexer.next(&mut sink);
        let span = token.span;
        let is_value = matches!(token.kind, TokenKind::Value(_));
        let is_here = is_value && span.start < offset && offset <= span.end;
        let is_behind = span.start >= offset || matches!(token.kind, TokenKind::End);
        if is_here || is_behind {
            let span = if is_here { span } else { offset..offset };
            return (!line.is_over).then(|| found(text, span, line));
        }
        let raw = &text[span.clone()];
        let in_last_comment =
            offset == span.end && raw.starts_with("//") && !raw.ends_with(super::is_newline);
        if in_last_comment || offset < span.end && is_comment(text, &span, offset) {
            return None;
        }
        if offset < span.end {
            return (!line.is_over).then(|| found(text, offset..offset, line));
        }
        advance(&mut line, &token.kind, span);
    }
}

/// Whether a byte within spaces or a line end is in a comment.
fn is_comment(text: &str, span: &Span, offset: usize) -> bool {
    let before = &text[span.start..offset];
    if text[span.clone()].starts_with("//") {
        return offset >= span.start + 2;
    }
    let opened = before.matches("/*").count();
    opened > before.matches("*/").count()
}

fn advance(line: &mut Line, kind: &TokenKind, span: Span) {
    match kind {
        TokenKind::Newline | TokenKind::Semicolon | TokenKind::Open => *line = Line::default(),
        TokenKind::Close => {
            *line = Line {
                is_over: true,
                ..Line::default()
            }
        }
        TokenKind::Equals => line.property = line.word.take(),
        TokenKind::Value(value) => {
            let is_text = matches!(value, Value::Text(_));
            line.property = None;
            line.word = (is_text && line.begin.is_some()).then(|| span.clone());
            line.begin.get_or_insert(span.start);
        }
        TokenKind::Space => {
            line.word = None;
            line.property = None;
        }
        _ => {}
    }
}

fn found(text: &str, span: Span, line: Line) -> TokenAt {
    let raw = &text[span.clone()];
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    let is_quoted = raw[hashes..].starts_with('"');
    let mut content = span.clone();
    if is_quoted {
        let quotes = if raw[hashes..].starts_with("\"\"\"") {
            3
        } else {
            1
        };
        content.start += hashes + quotes;
        let tail = format!("{}{}", "\"".repeat(quotes), "#".repeat(hashes));
        let body = &text[content.clone()];
        content.end -= if body.ends_with(&tail) { tail.len() } else { 0 };
    }
    TokenAt {
        has_equals: text[span.end..].starts_with('='),
        is_quoted,
        content,
        line: line.begin,
        property: line.property,
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is at the `|` of a text: the token, the line's first word, and the property.
    fn at(text: &str) -> Option<(String, String, String)> {
        let offset = text.find('|').expect("a cursor");
        let text = text.replacen('|', "", 1);
        let token = token_at(&text, 0, offset)?;
        let line = token.line.map_or("", |at| {
            let rest = &text[at..];
            &rest[..rest.find([' ', '=']).unwrap_or(rest.len())]
        });
        Some((
            text[token.content.clone()].to_owned(),
            line.to_owned(),
            token
                .property
                .map_or_else(String::new, |span| text[span].to_owned()),
        ))
    }

    #[test]
    fn a_token_is_found_in_its_line() {
        let some = |token: &str, line: &str, property: &str| {
            Some((token.to_owned(), line.to_owned(), property.to_owned()))
        };
        assert_eq!(at("tree t { se| }"), some("se", "", ""));
        assert_eq!(at("tree t { | }"), some("", "", ""));
        assert_eq!(
            at("tree t {\n  action a|b c=1\n}"),
            some("ab", "action", "")
        );
        assert_eq!(at("action a when=|"), some("", "action", "when"));
        assert_eq!(at("action a when=\"x < |"), some("x < ", "action", "when"));
        assert_eq!(
            at("action a when=\"x < |y\" z=1"),
            some("x < y", "action", "when")
        );
        assert_eq!(at("action a when= |"), some("", "action", ""));
        assert_eq!(at("a; b c|; d"), some("c", "b", ""));
        assert_eq!(at("a { b; } |"), None);
        assert_eq!(at("a // b|"), None);
        assert_eq!(at("a // b\n|"), some("", "", ""));
        assert_eq!(at("a /* b| */ c"), None);
        assert_eq!(at("a /* b */| c"), some("", "a", ""));
        assert_eq!(at("|"), some("", "", ""));
        assert_eq!(at("a \\\n b|"), some("b", "a", ""));
        assert_eq!(at("a ##\"x|y\"##"), some("xy", "a", ""));
    }
}
