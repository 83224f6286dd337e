//! A text without errors as a list of pieces that keeps what a tree of nodes loses: comments, and continued lines.
//!
//! Two texts with the same pieces differ only in spaces. Spaces, line ends and `;` become [`PieceKind::End`], which
//! marks the end of a node's line; a comment belongs to the line that it is in.

use super::Span;
use super::chars::{is_newline, is_space};
use super::lexer::{Lexer, TokenKind};
use crate::diagnostic::Sink;

/// A part of a text that formatting keeps, and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its kind.
    pub kind: PieceKind,
    /// The bytes; for `End` and `Break` those of the comment, empty without one.
    pub span: Span,
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PieceKind {
    /// A name, or a value.
    Text,
    /// A comment between `/*` and `*/`.
    Comment,
    /// The `=` between the name of a property and its value.
    Equals,
    /// `/-`, which disables what follows.
    Slashdash,
    /// The line continues in the next one, after a `\`, or after a comment that follows `/-`.
    Break {
        /// Whether it is a `\`.
        escaped: bool,
    },
    /// The beginning of a block. An `End` follows for the line of the brace.
    Open {
        /// Whether there is no line end up to the other brace.
        one_line: bool,
    },
    /// The end of a block.
    Close,
    /// The end of a line, with the comment before the line end.
    End {
        /// Whether an empty line follows.
        blank: bool,
    },
}

/// A text in pieces.
#[derive(Debug)]
pub(crate) struct Pieces {
    pub(crate) row: Vec<Piece>,
    /// Whether the first line end outside of comments and texts is a carriage return and a line feed.
    #[cfg_attr(not(any(feature = "edit", feature = "internals")), expect(dead_code))]
    pub(crate) crlf: bool,
}

/// The pieces of a text without errors.
pub(crate) fn pieces(text: &str, sink: &mut Sink) -> Pieces {
    let mut scanner = Scanner {
        text,
        pieces: Vec::new(),
        braces: Vec::new(),
        last_line_end: 0,
        has_node: false,
        tail: None,
        dropping: false,
    };
    let mut lexer = Lexer::new(text);
    let mut crlf = None;
    loop {
        let token = lexer.next(sink);
        let slice = &text[token.span.clone()];
        match token.kind {
            TokenKind::End => {
                scanner.end_of_block();
                return Pieces {
                    row: scanner.pieces,
                    crlf: crlf.unwrap_or(false),
                };
            }
            TokenKind::Space => scanner.space(token.span.clone(), sink),
            kind => {
                if matches!(kind, TokenKind::Newline) && slice.ends_with(is_newline) {
                    crlf.get_or_insert(slice.ends_with("\r\n"));
                }
                scanner.token(&kind, token.span.clone());
            }
        }
        if slice.contains(is_newline) {
            scanner.last_line_end = token.span.end;
        }
    }
}

/// What ended the line, so that comments after it in the same line still belong to it.
#[derive(Clone, Copy, PartialEq)]
enum Tail {
    Semicolon,
    Brace,
}

struct Scanner<'a> {
    text: &'a str,
    pieces: Vec<Piece>,
    /// The pieces that are open braces.
    braces: Vec<usize>,
    /// The position after the last line end so far.
    last_line_end: usize,
    /// Whether there is a node in the current line.
    has_node: bool,
    /// The `End` before which comments may still be moved.
    tail: Option<(usize, Tail)>,
    /// Whether a `/-` still waits for the part that it disables, which may be on a later line.
    dropping: bool,
}

impl Scanner<'_> {
    fn push(&mut self, kind: PieceKind, span: Span) {
        self.pieces.push(Piece { kind, span });
    }

    fn token(&mut self, kind: &TokenKind, span: Span) {
        match kind {
            TokenKind::Newline => self.newline(self.comment_of_line(span)),
            TokenKind::Semicolon => self.semicolon(span.end),
            TokenKind::Open => self.open(span),
            TokenKind::Close => {
                self.end_of_block();
                if let Some(open) = self.braces.pop() {
                    let one_line = self.last_line_end <= self.pieces[open].span.start;
                    self.pieces[open].kind = PieceKind::Open { one_line };
                }
                self.push(PieceKind::Close, span);
                self.has_node = true;
            }
            TokenKind::Slashdash => {
                self.tail = None;
                self.push(PieceKind::Slashdash, span);
                self.dropping = true;
            }
            TokenKind::Equals => self.push(PieceKind::Equals, span),
            // Parentheses occur only in texts that are refused.
            _ => {
                self.tail = None;
                self.dropping = false;
                self.has_node = true;
                self.push(PieceKind::Text, span);
            }
        }
    }

    /// The `//` comment in the token of a line end, without trailing spaces.
    fn comment_of_line(&self, span: Span) -> Span {
        let comment = self.text[span.clone()].trim_end_matches(|c| is_newline(c) || is_space(c));
        span.start..span.start + comment.len()
    }

    fn open(&mut self, span: Span) {
        self.dropping = false;
        self.braces.push(self.pieces.len());
        let behind = span.end;
        self.push(PieceKind::Open { one_line: false }, span);
        self.tail = Some((self.pieces.len(), Tail::Brace));
        self.push(PieceKind::End { blank: false }, behind..behind);
        self.has_node = false;
    }

    /// Whether the current line is empty so far.
    fn line_is_empty(&self) -> bool {
        self.pieces
            .last()
            .is_none_or(|last| matches!(last.kind, PieceKind::End { .. }))
    }

    fn newline(&mut self, comment: Span) {
        if self.dropping {
            if !comment.is_empty() {
                self.push(PieceKind::Break { escaped: false }, comment);
            }
        } else if let Some((end, _)) = self.tail.take() {
            let mut moved = self.pieces.remove(end);
            moved.span = comment;
            self.pieces.push(moved);
        } else if !self.line_is_empty() || !comment.is_empty() {
            self.end(comment);
        } else if let Some(last) = self.pieces.last_mut() {
            last.kind = PieceKind::End { blank: true };
        }
    }

    fn semicolon(&mut self, behind: usize) {
        if !self.has_node {
            return;
        }
        self.end(behind..behind);
        // After a `//` comment there is no room for other comments.
        if self.pieces.last().is_some_and(|last| last.span.is_empty()) {
            self.tail = Some((self.pieces.len() - 1, Tail::Semicolon));
        }
    }

    /// Before a `}`, and at the end of the text.
    fn end_of_block(&mut self) {
        match self.tail.take() {
            Some((end, Tail::Semicolon)) => {
                let moved = self.pieces.remove(end);
                self.pieces.push(moved);
            }
            _ if !self.line_is_empty() => self.end(0..0),
            _ => {}
        }
    }

    fn end(&mut self, mut comment: Span) {
        // A continuation without anything after it is none.
        while let Some(last) = self.pieces.last()
            && matches!(last.kind, PieceKind::Break { .. })
            && (last.span.is_empty() || comment.is_empty())
        {
            if comment.is_empty() {
                comment = last.span.clone();
            }
            self.pieces.pop();
        }
        self.push(PieceKind::End { blank: false }, comment);
        self.has_node = false;
    }

    /// Block comments, and line ends after a `\`.
    fn space(&mut self, span: Span, sink: &mut Sink) {
        let mut lexer = Lexer::new(self.text);
        lexer.at = span.start;
        let mut escaped = false;
        let mut comment = span.start..span.start;
        while lexer.at < span.end {
            let start = lexer.at;
            if lexer.rest().starts_with("/*") {
                lexer.block_comment(sink);
                self.push(PieceKind::Comment, start..lexer.at);
            } else if lexer.rest().starts_with("//") {
                lexer.skip_while(|c| !is_newline(c));
                comment = self.comment_of_line(start..lexer.at);
            } else if lexer.skip_newline() {
                self.escaped_line_end(std::mem::replace(&mut comment, 0..0));
                escaped = false;
            } else {
                escaped |= lexer.peek() == Some('\\');
                lexer.at += lexer.peek().map_or(1, char::len_utf8);
            }
        }
        if escaped {
            self.escaped_line_end(comment);
        }
    }

    fn escaped_line_end(&mut self, comment: Span) {
        let follows_break = self
            .pieces
            .last()
            .is_some_and(|last| matches!(last.kind, PieceKind::Break { .. }));
        if self.has_node && !self.dropping {
            if !comment.is_empty() || !follows_break {
                self.push(PieceKind::Break { escaped: true }, comment);
            }
        } else if !comment.is_empty() {
            // Before a node, a `\` has no effect.
            self.newline(comment);
        }
    }
}
