//! What is around a byte of a text that is being written: which nodes, which words may stand there, and which value or
//! property it is in. It also works where something is not closed or not yet correct.

use super::outline::{inner_spots, spot_of};
use super::place::{At, index_at};
use super::room::Room;
use super::{Editor, File};
use crate::language::Spot;
use crate::language::vocabulary::{Place, Word};
use crate::syntax::cursor::{TokenAt, token_at};
use crate::syntax::{Node, Value};
use std::ops::Range;

/// A node around a cursor, or the one on whose line it is.
#[derive(Clone, Debug)]
pub struct CursorNode {
    /// Its first word.
    pub word: String,
    /// Its row in the language, if it has such a word there.
    pub row: Option<Word>,
    /// Where it begins.
    pub start: usize,
    /// Its values and properties, in order.
    pub entries: Vec<CursorEntry>,
}

/// A value or property of such a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CursorEntry {
    /// The name of a property.
    pub name: Option<String>,
    /// The value without quotes.
    pub value: String,
    /// The bytes of the whole entry.
    pub span: Range<usize>,
    /// The bytes of the value, with its quotes.
    pub value_span: Range<usize>,
}

impl CursorNode {
    /// The first value without a name.
    pub fn name(&self) -> Option<&str> {
        let first = self.entries.iter().find(|entry| entry.name.is_none())?;
        Some(&first.value)
    }

    /// The value of a property.
    pub fn property(&self, name: &str) -> Option<&str> {
        let mut entries = self.entries.iter();
        let found = entries.find(|entry| entry.name.as_deref() == Some(name))?;
        Some(&found.value)
    }
}

/// The part of a line that a cursor is in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CursorPart {
    /// The first word of a node, or the room for one.
    Word,
    /// A value without a name, by its number from 0; or the name of a property, as long as no `=` follows.
    Value(usize),
    /// The name of a property, before its `=`.
    Name,
    /// The value of the property with this name.
    Property(String),
}

/// What is around a byte of a text.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// The place.
    pub at: At,
    /// The nodes in whose blocks it is, from the top of the file.
    pub path: Vec<CursorNode>,
    /// The node on whose line it is, unless it is in its first word.
    pub node: Option<CursorNode>,
    /// The part of the line.
    pub part: CursorPart,
    /// The bytes of the value or word at the byte, with its quotes; empty between two.
    pub token: Range<usize>,
    /// The same without quotes.
    pub content: Range<usize>,
    /// Whether it is in quotes.
    pub is_quoted: bool,
    /// The words that may stand there, if it is a first word; the first circle first.
    pub words: Vec<Word>,
    /// The words beside it, before and behind.
    pub beside: Vec<String>,
    /// How many of them are before it.
    pub before: usize,
}

impl Cursor {
    /// The word of the node right before the place, in the same block.
    pub fn word_before(&self) -> Option<&str> {
        let at = self.before.checked_sub(1)?;
        self.beside.get(at).map(String::as_str)
    }
}

impl Editor {
    /// What is around a byte; `None` inside comments, inside what is commented out, where nothing may stand, and where
    /// there is no such place.
    ///
    /// ```
    /// use treemind_doc::edit::{CursorPart, Editor};
    ///
    /// let text = "tree guard {\n    sequence { action go when=\"health < ";
    /// let editor = Editor::of_texts(&[("guard.kdl", text)]);
    /// let cursor = editor.cursor(text.len()).unwrap();
    /// assert_eq!(cursor.part, CursorPart::Property("when".to_owned()));
    /// let path: Vec<&str> = cursor.path.iter().map(|node| node.word.as_str()).collect();
    /// assert_eq!(path, ["tree", "sequence"]);
    /// ```
    pub fn cursor(&self, at: impl Into<At>) -> Option<Cursor> {
        let at = at.into();
        let file = self.files.get(at.file)?;
        if !file.text().is_char_boundary(at.offset) {
            return None;
        }
        let token = token_at(file.text(), file.reading_start(at.offset), at.offset)?;
        let begin = token.line.unwrap_or(token.span.start);
        let (path, beside) = around(file, begin);
        let node = match token.line {
            Some(begin) => Some(beside.iter().find(|node| node.span.start == begin)?),
            None => None,
        };
        Some(place(file, at, token, &path, beside, node))
    }
}

/// The nodes in whose blocks a byte is, and the nodes of the innermost block.
fn around(file: &File, offset: usize) -> (Vec<&Node>, &[Node]) {
    let mut siblings = &file.nodes[..];
    let mut path = Vec::new();
    while let Some(index) = index_at(siblings, offset) {
        let node = &siblings[index];
        let is_inside = |block: &Range<usize>| {
            let end = file.text()[..block.end].ends_with('}');
            block.start < offset && (offset < block.end || offset == block.end && !end)
        };
        if !node.block.as_ref().is_some_and(is_inside) {
            break;
        }
        path.push(node);
        siblings = node.children();
    }
    (path, siblings)
}

fn place(
    file: &File,
    at: At,
    token: TokenAt,
    path: &[&Node],
    siblings: &[Node],
    own: Option<&Node>,
) -> Cursor {
    let mut spots: &'static [Spot] = &[Spot::Top];
    let mut shown = Vec::new();
    for node in path {
        let spot = spot_of(spots, &node.name.value);
        shown.push(shown_node(file, node, spot));
        spots = inner_spots(spot, &node.name.value);
    }
    let others = siblings
        .iter()
        .filter(|node| node.span.start != token.span.start || own.is_some());
    let beside: Vec<&Node> = others.collect();
    let before = beside
        .iter()
        .take_while(|node| node.span.start < token.span.start)
        .count();
    let names = beside.iter().map(|node| node.name.value.clone()).collect();
    let words = match own {
        Some(_) => Vec::new(),
        None => words_of(&Room {
            path: path.to_vec(),
            spots,
            beside,
            before,
        }),
    };
    Cursor {
        at,
        path: shown,
        node: own.map(|node| shown_node(file, node, spot_of(spots, &node.name.value))),
        part: part_of(file, &token, own),
        token: token.span,
        content: token.content,
        is_quoted: token.is_quoted,
        words,
        beside: names,
        before,
    }
}

/// The words that may stand at a place.
fn words_of(room: &Room<'_>) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for spot in room.spots.iter().filter(|spot| **spot != Spot::Imported) {
        for word in Place(*spot).words() {
            let is_known = words.iter().any(|known| known.name() == word.name());
            if !is_known && room.why_not(word.name(), false).is_none() {
                words.push(word);
            }
        }
    }
    words.sort_by_key(Word::circle);
    words
}

fn part_of(file: &File, token: &TokenAt, own: Option<&Node>) -> CursorPart {
    let Some(node) = own else {
        return CursorPart::Word;
    };
    if let Some(name) = &token.property {
        return CursorPart::Property(file.text()[name.clone()].trim_matches('"').to_owned());
    }
    if token.has_equals && !token.span.is_empty() {
        return CursorPart::Name;
    }
    let before = node.entries.iter();
    let before = before.filter(|entry| entry.name.is_none() && entry.span.start < token.span.start);
    CursorPart::Value(before.count())
}

/// A node of a text that may be unfinished.
#[derive(Clone, Debug)]
pub struct ReadNode {
    /// Its line.
    pub node: CursorNode,
    /// The number of the node around it, in the same list.
    pub parent: Option<usize>,
    /// From its first word to its last entry.
    pub line: Range<usize>,
    /// From its first to its last brace.
    pub block: Option<Range<usize>>,
}

impl ReadNode {
    /// From its first word to its last entry or brace.
    pub fn extent(&self) -> Range<usize> {
        let end = self.block.as_ref().map_or(0, |block| block.end);
        self.line.start..self.line.end.max(end)
    }
}

impl Editor {
    /// The nodes of a file in the order of the text, as far as they can be read; none when there is no such file.
    pub fn read_nodes(&self, file: usize) -> Vec<ReadNode> {
        let Some(file) = self.files.get(file) else {
            return Vec::new();
        };
        let mut all: Vec<ReadNode> = Vec::new();
        let top = file.nodes.iter().rev();
        let mut pending: Vec<(&Node, Option<usize>, &[Spot])> =
            top.map(|node| (node, None, &[Spot::Top][..])).collect();
        while let Some((node, parent, spots)) = pending.pop() {
            let spot = spot_of(spots, &node.name.value);
            let inner = inner_spots(spot, &node.name.value);
            let own = all.len();
            all.push(ReadNode {
                node: shown_node(file, node, spot),
                parent,
                line: node.span.clone(),
                block: node.block.clone(),
            });
            let children = node.children().iter().rev();
            pending.extend(children.map(|child| (child, Some(own), inner)));
        }
        all
    }
}

/// A node of a text, as far as it was read: its word, and those around and before it.
#[derive(Clone, Copy, Debug)]
pub struct WrittenNode<'e> {
    /// Its first word.
    pub word: &'e str,
    /// The first word of the node around it; empty at the top.
    pub parent: &'e str,
    /// The first word of the node before it in the same block; `None` for the first one.
    pub before: Option<&'e str>,
    /// Where it begins.
    pub start: usize,
    node: &'e Node,
    text: &'e str,
}

impl<'e> WrittenNode<'e> {
    /// Its values and properties, in order: where each begins, and its value; its name; what it is, without quotes.
    pub fn entries(self) -> impl Iterator<Item = ([usize; 2], &'e str, &'e str)> {
        self.node.entries.iter().map(move |entry| {
            let name = entry.name.as_ref().map_or("", |name| name.value.as_str());
            let value = match &entry.value {
                Value::Text(text) => text.value.as_str(),
                Value::Bool(true) => "true",
                Value::Bool(false) => "false",
                _ => &self.text[entry.value_span.clone()],
            };
            ([entry.span.start, entry.value_span.start], name, value)
        })
    }
}

impl Editor {
    /// Hands over the nodes of a file, as [`read_nodes`](Self::read_nodes) has them, without copies of what they say.
    pub fn each_node<'e>(&'e self, file: usize, mut each: impl FnMut(WrittenNode<'e>)) {
        let Some(file) = self.files.get(file) else {
            return;
        };
        let mut pending: Vec<(&'e str, &'e [Node])> = vec![("", &file.nodes[..])];
        while let Some((parent, nodes)) = pending.pop() {
            let mut before = None;
            for node in nodes {
                let word = node.name.value.as_str();
                each(WrittenNode {
                    word,
                    parent,
                    before,
                    start: node.span.start,
                    node,
                    text: file.text(),
                });
                before = Some(word);
                pending.push((word, node.children()));
            }
        }
    }
}

fn shown_node(file: &File, node: &Node, spot: Option<Spot>) -> CursorNode {
    let word = &node.name.value;
    let entries = node.entries.iter().map(|entry| CursorEntry {
        name: entry.name.as_ref().map(|name| name.value.clone()),
        value: match &entry.value {
            Value::Text(text) => text.value.clone(),
            Value::Bool(value) => value.to_string(),
            _ => file.text()[entry.value_span.clone()].to_owned(),
        },
        span: entry.span.clone(),
        value_span: entry.value_span.clone(),
    });
    CursorNode {
        word: word.clone(),
        row: spot.and_then(|spot| Place(spot).word(word)),
        start: node.span.start,
        entries: entries.collect(),
    }
}
