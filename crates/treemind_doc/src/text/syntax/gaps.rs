//! The text between nodes: comments, parts disabled with `/-`, line ends; and which node it belongs to.

use super::Span;
use super::chars::{is_newline, is_space};
use super::lexer::{Lexer, TokenKind};
use crate::diagnostic::Sink;

/// What follows a node or a brace in its line.
#[derive(Clone, Debug)]
pub(crate) struct Tail {
    /// The end of everything that belongs to it: parts disabled with `/-`, `;`, and comments up to the end of the line.
    pub(crate) end: usize,
    /// The position of its `;`.
    pub(crate) semicolon: Option<usize>,
    /// Whether a `//` comment comes last.
    pub(crate) line_comment: bool,
    pub(crate) next: Next,
}

/// How the line continues.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// It ends; the bytes of the line end.
    LineEnd(Span),
    /// The closing brace of the block.
    Close,
    /// Another node, or a part disabled with `/-`.
    More,
    /// The end of the text.
    End,
}

impl Tail {
    /// Where the text that belongs to the next node may begin.
    pub(crate) fn behind(&self) -> usize {
        match &self.next {
            Next::LineEnd(span) => span.end,
            _ => self.end,
        }
    }
}

/// The text that belongs to a node that ends at `from`, or with `is_over` to something that ends there without a
/// `;`: a brace.
pub(crate) fn tail(text: &str, from: usize, mut is_over: bool, sink: &mut Sink) -> Tail {
    let mut lexer = Lexer::new(text);
    lexer.at = from;
    let mut tail = Tail {
        end: from,
        semicolon: None,
        line_comment: false,
        next: Next::End,
    };
    // Comments after `;` belong to the next node if there is one in the line.
    let mut pending = (from, false);
    let mut depth = 0usize;
    loop {
        let token = lexer.next(sink);
        let span = token.span;
        let slice = &text[span.clone()];
        match token.kind {
            TokenKind::End => break,
            TokenKind::Open if depth > 0 || !is_over => depth += 1,
            TokenKind::Close if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            TokenKind::Close => {
                tail.next = Next::Close;
                break;
            }
            TokenKind::Newline => {
                let comment = slice.trim_end_matches(|c| is_newline(c) || is_space(c));
                if !comment.is_empty() {
                    pending = (span.start + comment.len(), true);
                }
                let line_end = slice.trim_end_matches(is_newline).len();
                if line_end < slice.len() {
                    tail.next = Next::LineEnd(span.start + line_end..span.end);
                }
                break;
            }
            TokenKind::Space => {
                // A continuation without anything after it is none.
                let words = slice.trim_end_matches(|c| is_newline(c) || is_space(c) || c == '\\');
                if !words.is_empty() {
                    let behind = words.rfind("*/").map_or(words, |at| &words[at..]);
                    pending = (span.start + words.len(), behind.contains("//"));
                    if !is_over {
                        tail.end = pending.0;
                    }
                }
                continue;
            }
            TokenKind::Semicolon if !is_over => {
                is_over = true;
                tail.semicolon = Some(span.start);
            }
            _ if is_over => {
                tail.next = Next::More;
                return tail;
            }
            _ => {}
        }
        tail.end = span.end;
        pending = (span.end, false);
    }
    tail.end = tail.end.max(pending.0);
    tail.line_comment = pending.1;
    tail
}

/// Where the text that belongs to the node at `node` begins: the comments and parts disabled with `/-` directly
/// above it. The search goes back at most to `from`, the end of what belongs to others.
pub(crate) fn lead(text: &str, from: usize, node: usize, sink: &mut Sink) -> usize {
    let mut lexer = Lexer::new(text);
    lexer.at = lexer.at.max(from);
    let mut lead = None;
    let mut line_is_empty = true;
    // After a `/-` whose node has not come yet, the tokens belong to the disabled node.
    let (mut dropping, mut dropped) = (false, false);
    let mut depth = 0usize;
    while lexer.at < node {
        let token = lexer.next(sink);
        let slice = &text[token.span.clone()];
        match token.kind {
            TokenKind::End => break,
            TokenKind::Open => {
                depth += 1;
                dropping = false;
                line_is_empty = false;
            }
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            TokenKind::Newline => {
                if slice.starts_with("//") {
                    lead.get_or_insert(token.span.start);
                } else if line_is_empty && !dropping {
                    lead = None;
                }
                dropped &= dropping;
                line_is_empty = true;
            }
            TokenKind::Space => {
                let at = slice.find(|c| !is_space(c));
                if let Some(at) = at {
                    lead.get_or_insert(token.span.start + at);
                    line_is_empty = false;
                }
            }
            TokenKind::Slashdash => {
                lead.get_or_insert(token.span.start);
                (dropping, dropped) = (true, true);
                line_is_empty = false;
            }
            TokenKind::Semicolon => dropped = false,
            _ => {
                dropping = false;
                line_is_empty = false;
                if !dropped {
                    // Unreadable text belongs to no node.
                    lead = None;
                }
            }
        }
    }
    lead.unwrap_or(node)
}

/// The parts of a text in which the beginnings of lines must not change: strings and comments of several lines.
pub(crate) fn fixed(text: &str, sink: &mut Sink) -> Vec<Span> {
    let mut lexer = Lexer::new(text);
    let mut spans = Vec::new();
    loop {
        let token = lexer.next(sink);
        let slice = &text[token.span.clone()];
        match token.kind {
            TokenKind::End => return spans,
            TokenKind::Value(_) if slice.contains(is_newline) => spans.push(token.span),
            TokenKind::Space if slice.contains(is_newline) => {
                let mut inner = Lexer::new(text);
                inner.at = token.span.start;
                while inner.at < token.span.end {
                    let start = inner.at;
                    if inner.rest().starts_with("/*") {
                        inner.block_comment(sink);
                        spans.push(start..inner.at);
                    } else if inner.rest().starts_with("//") {
                        inner.skip_while(|c| !is_newline(c));
                    } else {
                        inner.at += inner.peek().map_or(1, char::len_utf8);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether there are only spaces between the last line end before `at` and `at`.
pub(crate) fn starts_line(text: &str, at: usize) -> bool {
    line_start(text, at).is_some()
}

/// Where the line of `at` begins, if there are only spaces before `at`.
pub(crate) fn line_start(text: &str, at: usize) -> Option<usize> {
    let head = text[..at].trim_end_matches(is_space);
    let is_first = head.is_empty() || head == "\u{feff}";
    (is_first || head.ends_with(is_newline)).then_some(head.len())
}

/// The spaces at the beginning of the line of `at`.
pub(crate) fn indent(text: &str, at: usize) -> &str {
    let start = text[..at].rfind(is_newline).map_or(0, |end| {
        end + text[end..].chars().next().map_or(1, char::len_utf8)
    });
    let line = &text[start..at];
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    &line[..line.len() - line.trim_start_matches(is_space).len()]
}
