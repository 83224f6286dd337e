//! What each word of a file is, for colours: by its meaning, and not only by its spelling.

use crate::lexer::{Piece, pieces};
use std::collections::HashMap;
use std::ops::Range;
use treemind_doc::edit::{CursorEntry, Editor, ReadNode, SymbolKind};
use treemind_doc::vocabulary::{Takes, functions};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKind {
    /// A word of the language.
    Word,
    /// A property.
    Property,
    /// One of the words that a property takes, or a value of an enumeration.
    Choice,
    /// A type.
    Type,
    /// A key, port or item.
    Key,
    /// A parameter of a leaf.
    Param,
    /// A condition, action or other leaf.
    Leaf,
    /// An event.
    Event,
    /// A tree, machine, decision tree or archetype.
    Definition,
    /// A state or branch.
    State,
    /// A label, a semaphore, or the name of a node.
    Name,
    /// A function of expressions.
    Function,
    /// A number.
    Number,
    /// A text.
    Text,
    /// An operator of expressions.
    Operator,
    /// `#true`, and the words of expressions.
    Constant,
    /// A comment.
    Comment,
}

/// A word of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes.
    pub span: Range<usize>,
    /// What it is.
    pub kind: TokenKind,
    /// Whether the name is defined there.
    pub is_definition: bool,
    /// Whether the key with that name is written there.
    pub is_written: bool,
}

/// The words of a file that mean something, in the order of the text; none overlaps another.
pub fn tokens(editor: &Editor, file: usize) -> Vec<Token> {
    let text = editor.text(file);
    let nodes = editor.read_nodes(file);
    let mut named = names(editor, file, &nodes);
    let mut all: Vec<Token> = Vec::new();
    let mut outside = 0;
    for node in &nodes {
        comments(text, outside..node.line.start, &mut all);
        of_line(text, node, &mut named, &mut all);
        outside = outside.max(node.line.end);
    }
    comments(text, outside..text.len(), &mut all);
    all.retain(|one| !one.span.is_empty());
    all.sort_by_key(|one| (one.span.start, one.span.end));
    let mut end = 0;
    all.retain(|one| {
        let is_free = one.span.start >= end;
        end = if is_free { one.span.end } else { end };
        is_free
    });
    all
}

/// The names of a file, by where they begin.
type Names = HashMap<usize, Token>;

fn names(editor: &Editor, file: usize, nodes: &[ReadNode]) -> Names {
    let mut all = Names::new();
    for symbol in editor.symbols() {
        let is_event = || {
            let mut places = symbol.occurrences.iter();
            let place = places.find(|one| one.is_definition);
            let node = place.and_then(|place| match place.file == file {
                true => crate::navigation::node_at(nodes, place.span.start)
                    .map(|at| nodes[at].node.word.clone()),
                false => word_at(editor, place.file, place.span.start),
            });
            node.as_deref() == Some("event")
        };
        let kind = match symbol.kind {
            SymbolKind::Key | SymbolKind::Port | SymbolKind::Item => TokenKind::Key,
            SymbolKind::Param | SymbolKind::Output => TokenKind::Param,
            SymbolKind::Leaf if is_event() => TokenKind::Event,
            SymbolKind::Leaf => TokenKind::Leaf,
            SymbolKind::State | SymbolKind::Branch => TokenKind::State,
            SymbolKind::Label | SymbolKind::Semaphore | SymbolKind::NodeName => TokenKind::Name,
            _ => TokenKind::Definition,
        };
        for one in symbol.occurrences.iter().filter(|one| one.file == file) {
            all.entry(one.span.start).or_insert(Token {
                span: one.span.clone(),
                kind,
                is_definition: one.is_definition,
                is_written: one.is_written,
            });
        }
    }
    all
}

/// The word of the node that begins before a byte of a line.
fn word_at(editor: &Editor, file: usize, offset: usize) -> Option<String> {
    let cursor = editor.cursor((file, offset))?;
    Some(cursor.node?.word)
}

fn token(span: Range<usize>, kind: TokenKind) -> Token {
    Token {
        span,
        kind,
        is_definition: false,
        is_written: false,
    }
}

/// The words of the line of a node.
fn of_line(text: &str, node: &ReadNode, named: &mut Names, all: &mut Vec<Token>) {
    let own = &node.node;
    let first = own
        .entries
        .first()
        .map_or(node.line.end, |one| one.span.start);
    let written = text.get(node.line.start..first).unwrap_or("").trim_end();
    let word = node.line.start..node.line.start + written.len();
    match own.row {
        Some(_) => all.push(token(word, TokenKind::Word)),
        None => all.extend(named.remove(&word.start)),
    }
    for entry in &own.entries {
        if let Some(name) = &entry.name {
            let span = entry.span.start..entry.span.start + name.len();
            let of_row = own.row.and_then(|row| row.property(name));
            let known = named.remove(&span.start);
            all.push(match (of_row, known) {
                (Some(_), _) => token(span, TokenKind::Property),
                (None, Some(known)) => known,
                (None, None) => token(span, TokenKind::Param),
            });
        }
        let takes = match &entry.name {
            Some(name) => own
                .row
                .and_then(|row| row.property(name))
                .map(|one| one.takes()),
            None => own.row.and_then(|row| row.value()),
        };
        of_value(text, entry, takes, named, all);
    }
}

fn of_value(
    text: &str,
    entry: &CursorEntry,
    takes: Option<Takes>,
    named: &mut Names,
    all: &mut Vec<Token>,
) {
    let span = entry.value_span.clone();
    let Some(written) = text.get(span.clone()) else {
        return;
    };
    if let Some(known) = named.remove(&span.start) {
        return all.push(known);
    }
    let is_quoted = written.starts_with(['"', '#']) && written.ends_with(['"', '#']);
    if written.starts_with('#') && !written.contains('"') {
        return all.push(token(span, TokenKind::Constant));
    }
    let is_number =
        written.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    let plain = match takes {
        Some(Takes::Expr(_) | Takes::Times | Takes::Statements(_)) if is_quoted => {
            return expression(text, span, named, all);
        }
        Some(Takes::Type(_)) => TokenKind::Type,
        Some(Takes::Words(words)) if words.contains(&entry.value.as_str()) => TokenKind::Choice,
        Some(Takes::WordsOrNumber(words) | Takes::WordsOrKey(words))
            if words.contains(&entry.value.as_str()) =>
        {
            TokenKind::Choice
        }
        Some(Takes::Statements(words)) if words.contains(&entry.value.as_str()) => {
            TokenKind::Choice
        }
        _ if is_quoted => return around_names(span, TokenKind::Text, named, all),
        _ if is_number && entry.value.parse::<f64>().is_ok() => TokenKind::Number,
        Some(Takes::Text | Takes::Log) => TokenKind::Text,
        _ => return around_names(span, TokenKind::Choice, named, all),
    };
    all.push(token(span, plain));
}

/// A text with names in it.
fn around_names(span: Range<usize>, kind: TokenKind, named: &mut Names, all: &mut Vec<Token>) {
    let mut inside: Vec<Token> = Vec::new();
    let mut at = span.start;
    // A name is never longer than what is left, so this ends.
    for start in span.clone() {
        if start >= at
            && let Some(known) = named.remove(&start)
        {
            inside.push(token(at..known.span.start, kind));
            at = known.span.end;
            inside.push(known);
        }
    }
    inside.push(token(at..span.end.max(at), kind));
    all.extend(inside);
}

/// An expression in quotes.
fn expression(text: &str, span: Range<usize>, named: &mut Names, all: &mut Vec<Token>) {
    let mut at = span.start;
    let mut found: Vec<Token> = Vec::new();
    for piece in pieces(text, span.clone()) {
        let (own, kind) = match piece {
            Piece::Word(own) => {
                if let Some(known) = named.remove(&own.start) {
                    at = known.span.end.max(at);
                    found.push(known);
                    continue;
                }
                let word = &text[own.clone()];
                let is_called = text[own.end..span.end].trim_start().starts_with('(');
                let kind = match word {
                    "true" | "false" | "if" | "else" | "in" => TokenKind::Constant,
                    _ if is_called && functions().iter().any(|one| one.name() == word) => {
                        TokenKind::Function
                    }
                    _ => TokenKind::Choice,
                };
                (own, kind)
            }
            Piece::Number(own) => (own, TokenKind::Number),
            Piece::Text(own) => (own, TokenKind::Text),
            Piece::Sign(own) => (own, TokenKind::Operator),
        };
        // What is part of a name with other letters has been taken with it.
        if own.start >= at {
            at = own.end;
            found.push(token(own, kind));
        }
    }
    all.extend(found);
}

/// The comments between the lines of nodes.
fn comments(text: &str, range: Range<usize>, all: &mut Vec<Token>) {
    let Some(part) = text.get(range.clone()) else {
        return;
    };
    let mut at = 0;
    while let Some(begin) = part[at..].find('/').map(|begin| at + begin) {
        let rest = &part[begin..];
        let length = match rest.as_bytes().get(1) {
            Some(b'/' | b'-') => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            Some(b'*') => block_comment(rest),
            _ => {
                at = begin + 1;
                continue;
            }
        };
        let start = range.start + begin;
        all.push(token(start..start + length, TokenKind::Comment));
        at = begin + length;
    }
}

/// The length of a comment that begins with `/*`; such comments contain one another.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    let bytes = text.as_bytes();
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}
