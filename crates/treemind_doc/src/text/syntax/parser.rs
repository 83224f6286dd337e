//! Parses tokens to nodes, with an explicit stack instead of recursion.
// long: one reader, whose steps share the stack of open blocks.

use super::chars::is_forbidden;
use super::entries::Place;
use super::lexer::{Lexer, Token, TokenKind, shortened};
use super::{MAX_NESTING, Node, Parsed, Span, Text, Value};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::source::{Source, char_end};
use std::sync::Arc;

/// The largest size of a document, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// Whether a text is larger than documents may be; if it is, this is reported.
pub(crate) fn is_too_large(text: &str, sink: &mut Sink) -> bool {
    let is_so = text.len() > MAX_BYTES;
    if is_so {
        sink.error(
            Code::TooLarge,
            0..0,
            said!(
                "the document has {} bytes, and the limit is {}",
                text.len(),
                MAX_BYTES
            ),
        )
        .with_help(said!("split it into several files"));
    }
    is_so
}

/// Reads a text. It always ends, in time linear in the length of the text.
pub(crate) fn parse(text: &str, sink: &mut Sink) -> Parsed {
    match Parser::new(text, sink) {
        Some(mut parser) => parser.run(),
        None => Parsed {
            nodes: Vec::new(),
            whole: false,
            depth: 0,
        },
    }
}

/// Reads as much as possible of a text in which something is not closed: blocks that do not end reach to its end.
#[cfg(feature = "edit")]
pub(crate) fn parse_unfinished(text: &str, sink: &mut Sink) -> Vec<Node> {
    let Some(mut parser) = Parser::new(text, sink) else {
        return Vec::new();
    };
    let mut nodes = parser.run().nodes;
    let mut inner: Option<Node> = None;
    while let Some(block) = parser.blocks.pop() {
        let mut owner = block.owner;
        let mut children = block.nodes;
        children.extend(inner.take());
        if !block.dropped {
            owner.children = Some(children);
            owner.block = Some(block.brace..text.len());
        }
        inner = (!block.owner_dropped).then_some(owner);
    }
    nodes.extend(inner);
    nodes
}

/// Whether a text can be read at all; if not, this is reported.
fn is_readable(text: &str, sink: &mut Sink) -> bool {
    if is_too_large(text, sink) {
        return false;
    }
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let skipped = text.len() - body.len();
    if let Some((at, c)) = body.char_indices().find(|(_, c)| is_forbidden(*c)) {
        let at = at + skipped;
        let four = |c| format!("{:04X}", u32::from(c));
        let message = match c {
            '\0' => {
                said!("the document contains a NUL byte; this looks like a binary file, not text")
            }
            c if c.is_control() => {
                said!("the document contains the control character U+{}", four(c))
            }
            c => said!(
                "the document contains the invisible character U+{}",
                four(c)
            ),
        };
        sink.error(Code::NotText, at..char_end(text, at), message)
            .with_help(said!(
                "remove it, or write it as `{}` inside a string",
                format!("\\u{{{:x}}}", u32::from(c))
            ));
        return false;
    }
    true
}

/// An open block.
pub(super) struct Block {
    owner: Node,
    nodes: Vec<Node>,
    brace: usize,
    /// Whether its node is disabled.
    owner_dropped: bool,
    /// Whether the block is disabled.
    dropped: bool,
    /// The last node in it that has no block and is the first in its line, and how far that line is indented.
    pub(super) without_block: Option<(Span, usize)>,
}

pub(super) struct Parser<'a, 's> {
    pub(super) lexer: Lexer<'a>,
    pub(super) source: Arc<Source>,
    pub(super) sink: &'s mut Sink,
    pub(super) ahead: Option<Token>,
    /// Whether there was space before `ahead`.
    pub(super) ahead_spaced: bool,
    top: Vec<Node>,
    pub(super) blocks: Vec<Block>,
    deepest: usize,
    /// The brace of a block that, judging by its indentation, was closed by the brace of another.
    pub(super) suspect: Option<usize>,
    /// Like [`Block::without_block`], at the top level.
    pub(super) without_block: Option<(Span, usize)>,
    /// The first node without a block that is followed by a line that is indented further: perhaps its `{` is missing.
    pub(super) unopened: Option<Span>,
}

/// Why reading a node's line stopped.
enum LineEnd {
    /// The node is complete.
    Done,
    /// Its block was opened.
    Block,
    /// Nested too deeply: reading ends.
    Stop,
}

impl<'a, 's> Parser<'a, 's> {
    fn new(text: &'a str, sink: &'s mut Sink) -> Option<Self> {
        is_readable(text, sink).then(|| Self {
            lexer: Lexer::new(text),
            source: Arc::clone(sink.source()),
            sink,
            ahead: None,
            ahead_spaced: false,
            top: Vec::new(),
            blocks: Vec::new(),
            deepest: 0,
            suspect: None,
            without_block: None,
            unopened: None,
        })
    }
}

impl Parser<'_, '_> {
    pub(super) fn next(&mut self) -> Token {
        match self.ahead.take() {
            Some(token) => token,
            None => self.lexer.next(self.sink),
        }
    }

    pub(super) fn skip_space(&mut self) -> bool {
        let mut any = std::mem::take(&mut self.ahead_spaced);
        loop {
            let token = self.next();
            if !matches!(token.kind, TokenKind::Space) {
                self.ahead = Some(token);
                return any;
            }
            any = true;
        }
    }

    fn skip_lines(&mut self) {
        loop {
            let token = self.next();
            if !matches!(token.kind, TokenKind::Space | TokenKind::Newline) {
                self.ahead = Some(token);
                return;
            }
        }
    }

    /// After `/-`: the disabled part may begin on a later line, but must exist.
    fn slashdash(&mut self, span: Span) {
        self.skip_lines();
        let nothing = self.ahead.as_ref().is_some_and(|next| {
            matches!(
                next.kind,
                TokenKind::End | TokenKind::Close | TokenKind::Semicolon | TokenKind::Slashdash
            )
        });
        if nothing {
            self.sink
                .error(
                    Code::Syntax,
                    span,
                    said!("`/-` has nothing after it to comment out"),
                )
                .with_help(said!(
                    "remove it, or put it before a node, a value or a block"
                ));
        }
    }

    fn run(&mut self) -> Parsed {
        let mut dropped = false;
        loop {
            if self.sink.is_full() {
                return self.finish(false);
            }
            let token = self.next();
            match token.kind {
                TokenKind::Space | TokenKind::Newline | TokenKind::Semicolon => {}
                TokenKind::Slashdash => {
                    dropped = true;
                    self.slashdash(token.span);
                }
                TokenKind::End => return self.finish(true),
                TokenKind::Close => {
                    dropped = false;
                    if !self.close(token.span) {
                        return self.finish(false);
                    }
                }
                TokenKind::Value(Value::Text(name)) => {
                    let node = Node {
                        span: name.span.clone(),
                        name,
                        entries: Vec::new(),
                        children: None,
                        block: None,
                    };
                    self.compare_lines(&node);
                    if let LineEnd::Stop = self.line(node, std::mem::take(&mut dropped), false) {
                        return self.finish(false);
                    }
                }
                TokenKind::LeftParen => self.annotation(token.span),
                kind => {
                    dropped = false;
                    self.not_a_node(&kind, token.span);
                }
            }
        }
    }

    fn finish(&mut self, at_end: bool) -> Parsed {
        // If a string or comment swallowed the rest, open blocks are not separate mistakes.
        if at_end
            && self.lexer.whole
            && let Some(innermost) = self.blocks.last()
        {
            let brace = self.suspect.unwrap_or(innermost.brace);
            self.sink
                .error(
                    Code::Unclosed,
                    brace..brace + 1,
                    said!("this block is never closed"),
                )
                .with_help(said!(
                    "add a `}`; by the indentation, this is the block without one"
                ));
        }
        let whole = at_end && self.blocks.is_empty() && self.lexer.whole;
        Parsed {
            nodes: std::mem::take(&mut self.top),
            whole,
            depth: self.deepest,
        }
    }

    fn not_a_node(&mut self, kind: &TokenKind, span: Span) {
        match kind {
            TokenKind::Value(Value::Bad) => {}
            TokenKind::Open => {
                self.sink
                    .error(
                        Code::Syntax,
                        span.clone(),
                        said!("expected a node before this block"),
                    )
                    .with_help(said!(
                        "name the node first, on the same line as its `{`: `sequence { … }`"
                    ));
                // Its content is ignored, but its braces count.
                let owner = Node {
                    name: Text {
                        value: String::new(),
                        span: 0..0,
                        verbatim: None,
                        bare: true,
                    },
                    entries: Vec::new(),
                    children: None,
                    block: None,
                    span: 0..0,
                };
                self.open(owner, span.start, true, true);
                return;
            }
            _ => {
                let text = shortened(self.source.slice(&span));
                self.sink.error(
                    Code::Syntax,
                    span,
                    said!("expected the name of a node, found `{}`", text),
                );
            }
        }
        self.skip_line();
    }

    /// Skips the rest of a line after a mistake, but keeps braces balanced.
    fn skip_line(&mut self) {
        loop {
            let token = self.next();
            match token.kind {
                TokenKind::Newline | TokenKind::Semicolon => return,
                TokenKind::End | TokenKind::Close | TokenKind::Open => {
                    self.ahead = Some(token);
                    return;
                }
                _ => {}
            }
        }
    }

    /// Returns false when reading cannot continue sensibly.
    fn open(&mut self, owner: Node, brace: usize, owner_dropped: bool, dropped: bool) -> bool {
        if self.blocks.len() >= MAX_NESTING {
            self.sink
                .error(
                    Code::TooDeep,
                    brace..brace + 1,
                    said!("blocks are nested deeper than {}", MAX_NESTING),
                )
                .with_help(said!(
                    "use fewer levels; if a program wrote this document, check that program"
                ));
            return false;
        }
        self.blocks.push(Block {
            owner,
            nodes: Vec::new(),
            brace,
            owner_dropped,
            dropped,
            without_block: None,
        });
        self.deepest = self.deepest.max(self.blocks.len());
        true
    }

    fn close(&mut self, span: Span) -> bool {
        let Some(block) = self.blocks.pop() else {
            self.lexer.whole = false;
            self.closes_nothing(span);
            return true;
        };
        self.compare_indents(block.brace, span.start);
        let Block {
            mut owner,
            nodes,
            brace,
            owner_dropped,
            dropped,
            without_block: _,
        } = block;
        if !dropped {
            owner.children = Some(nodes);
            owner.block = Some(brace..span.end);
        }
        !matches!(self.line(owner, owner_dropped, true), LineEnd::Stop)
    }

    fn place(&mut self, mut node: Node, dropped: bool) {
        if dropped {
            return;
        }
        // Most nodes have few entries, and a `Vec` has room for at least four: over a million nodes that is most of
        // the memory.
        node.entries.shrink_to_fit();
        if let Some(children) = &mut node.children {
            children.shrink_to_fit();
        }
        match self.blocks.last_mut() {
            Some(block) => block.nodes.push(node),
            None => self.top.push(node),
        }
    }

    /// Values, properties and the block of a node, from the end of its name or its block to the end of its line.
    fn line(&mut self, mut node: Node, node_dropped: bool, behind_block: bool) -> LineEnd {
        let (mut dropped, mut annotated) = (false, false);
        loop {
            let spaced = self.skip_space() || std::mem::take(&mut annotated);
            let token = self.next();
            match token.kind {
                TokenKind::Newline | TokenKind::Semicolon => break,
                TokenKind::End | TokenKind::Close => {
                    self.ahead = Some(token);
                    break;
                }
                TokenKind::Slashdash => {
                    dropped = true;
                    self.slashdash(token.span.clone());
                    let next = self.ahead.as_ref().map(|next| &next.kind);
                    if !spaced && matches!(next, Some(TokenKind::Value(_))) {
                        let message = said!("missing space before `/-`");
                        self.sink.error(Code::Syntax, token.span, message);
                    }
                    continue;
                }
                TokenKind::Open => {
                    if node.children.is_some() && !dropped && !node_dropped {
                        self.sink.error(
                            Code::Syntax,
                            token.span.clone(),
                            said!("`{}` already has a block", shortened(&node.name.value)),
                        );
                        dropped = true;
                    }
                    let brace = token.span.start;
                    return if self.open(node, brace, node_dropped, dropped) {
                        LineEnd::Block
                    } else {
                        LineEnd::Stop
                    };
                }
                TokenKind::LeftParen => {
                    let call = node.entries.last_mut().filter(|entry| {
                        let is_bare = matches!(&entry.value, Value::Text(text) if text.bare);
                        is_bare && !behind_block && entry.span.end == token.span.start
                    });
                    match call {
                        Some(entry) => self.call(entry, &node.name, token.span.end),
                        None => self.annotation(token.span),
                    }
                    annotated = true;
                }
                TokenKind::Value(value) => {
                    let place = Place {
                        spaced,
                        dropped,
                        behind_block,
                    };
                    self.entry(&mut node, value, token.span, place);
                    dropped = false;
                }
                TokenKind::Equals | TokenKind::RightParen => {
                    let text = self.source.slice(&token.span).to_owned();
                    self.sink
                        .error(Code::Syntax, token.span, said!("unexpected `{}`", text))
                        .with_help(said!(
                            "write a property as `name=value`, and an expression in quotes"
                        ));
                    self.skip_line();
                    break;
                }
                TokenKind::Space => {}
            }
        }
        if !behind_block {
            self.note_without_block(&node);
        }
        self.place(node, node_dropped);
        LineEnd::Done
    }
}
