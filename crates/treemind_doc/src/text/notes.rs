//! Comments, by the nodes that they stand at, so that another format can have them at the same place.

use super::syntax::Node;
#[cfg(feature = "btcpp")]
use super::syntax::pieces::{Piece, PieceKind};
use std::collections::BTreeMap;

/// The comments of a text, each without its delimiters.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// At the beginning of the text.
    pub(crate) first: Vec<String>,
    /// Before the node that begins at this byte.
    pub(crate) before: BTreeMap<usize, Vec<String>>,
    /// At the end of the block of the node that begins at this byte.
    pub(crate) inside: BTreeMap<usize, Vec<String>>,
    /// At the end of the text.
    pub(crate) last: Vec<String>,
    /// How many have no place.
    pub(crate) lost: usize,
}

impl Notes {
    /// Those before a node.
    pub(crate) fn take_before(&mut self, node: &Node) -> Vec<String> {
        self.before.remove(&node.span.start).unwrap_or_default()
    }

    /// Those at the end of its block.
    pub(crate) fn take_inside(&mut self, node: &Node) -> Vec<String> {
        self.inside.remove(&node.span.start).unwrap_or_default()
    }

    /// How many nobody took.
    pub(crate) fn left(&self) -> usize {
        let maps = [&self.before, &self.inside].into_iter();
        let taken = maps.flat_map(BTreeMap::values).map(Vec::len);
        taken.sum::<usize>() + self.first.len() + self.last.len() + self.lost
    }

    /// The comments of a native document.
    #[cfg(feature = "btcpp")]
    pub(crate) fn of(text: &str, row: &[Piece], nodes: &[Node]) -> Self {
        let places = Places::of(nodes);
        let mut notes = Notes::default();
        for piece in row {
            let comment = text.get(piece.span.clone()).unwrap_or_default();
            match piece.kind {
                PieceKind::Slashdash => notes.lost += 1,
                PieceKind::Comment | PieceKind::End { .. } | PieceKind::Break { .. }
                    if !comment.is_empty() =>
                {
                    notes.add(text, piece.span.start, said(comment), &places);
                }
                _ => {}
            }
        }
        notes
    }

    #[cfg(feature = "btcpp")]
    fn add(&mut self, text: &str, at: usize, said: String, places: &Places) {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let next = places.after(line);
        // What stands behind a node is about that node.
        let beside = next.filter(|next| places.starts[*next] < at);
        let next = beside.or(next);
        let around = beside.map_or_else(|| places.around(at), |beside| places.parents[beside]);
        match next.filter(|next| places.parents[*next] == around) {
            Some(next) => self.before.entry(places.starts[next]),
            None => match around {
                Some(around) => self.inside.entry(places.starts[around]),
                None => return self.last.push(said),
            },
        }
        .or_default()
        .push(said);
    }
}

/// What a comment says, as it can stand between `/*` and `*/`: a `\` more keeps the characters of `/*` and `*/` in it
/// apart.
pub(crate) fn in_block(said: &str) -> String {
    let mut block = String::with_capacity(said.len() + 1);
    let mut open = Open::default();
    for c in said.chars() {
        block.extend(open.ends_with(c).map(|_| '\\'));
        block.push(c);
        open.next(c);
    }
    // The `*/` stands behind it.
    block.extend(open.ends_with('*').map(|_| '\\'));
    block
}

/// What the text between `/*` and `*/` says.
#[cfg(feature = "btcpp")]
fn of_block(block: &str) -> String {
    let mut said = String::with_capacity(block.len());
    let mut open = Open::default();
    for c in block.chars() {
        if open.ends_with(c).is_some_and(|count| count > 0) {
            said.pop();
        }
        said.push(c);
        open.next(c);
    }
    if open.ends_with('*').is_some_and(|count| count > 0) {
        said.pop();
    }
    said
}

/// The first character of `/*` or of `*/`, and how many `\` stand behind it.
#[derive(Default)]
struct Open(Option<(char, usize)>);

impl Open {
    /// How many `\` stand between it and this character, if that is the second one.
    fn ends_with(&self, second: char) -> Option<usize> {
        let (first, count) = self.0?;
        matches!((first, second), ('/', '*') | ('*', '/')).then_some(count)
    }

    fn next(&mut self, c: char) {
        self.0 = match (self.0, c) {
            (_, '/' | '*') => Some((c, 0)),
            (Some((first, count)), '\\') => Some((first, count + 1)),
            _ => None,
        };
    }
}

/// What a comment says.
#[cfg(feature = "btcpp")]
fn said(comment: &str) -> String {
    let block = comment.strip_prefix("/*");
    let block = block.map(|rest| rest.strip_suffix("*/").unwrap_or(rest));
    if let Some(block) = block {
        return of_block(block);
    }
    let line = comment.strip_prefix("//").unwrap_or(comment).trim_end();
    match line.starts_with(' ') {
        true => format!("{line} "),
        false => line.to_owned(),
    }
}

/// All nodes in the order of their text.
#[cfg(feature = "btcpp")]
struct Places {
    starts: Vec<usize>,
    parents: Vec<Option<usize>>,
    blocks: Vec<Option<crate::syntax::Span>>,
}

#[cfg(feature = "btcpp")]
impl Places {
    fn of(nodes: &[Node]) -> Self {
        let mut places = Places {
            starts: Vec::new(),
            parents: Vec::new(),
            blocks: Vec::new(),
        };
        let mut pending: Vec<(&Node, Option<usize>)> =
            nodes.iter().rev().map(|node| (node, None)).collect();
        while let Some((node, parent)) = pending.pop() {
            let own = places.starts.len();
            places.starts.push(node.span.start);
            places.parents.push(parent);
            places.blocks.push(node.block.clone());
            let children = node.children().iter().rev();
            pending.extend(children.map(|child| (child, Some(own))));
        }
        places
    }

    /// The first node that begins at a byte or after it.
    fn after(&self, at: usize) -> Option<usize> {
        let index = self.starts.partition_point(|start| *start < at);
        (index < self.starts.len()).then_some(index)
    }

    /// The innermost node in whose block a byte is.
    fn around(&self, at: usize) -> Option<usize> {
        let before = self.starts.partition_point(|start| *start < at);
        let mut node = before.checked_sub(1);
        while let Some(index) = node {
            let block = self.blocks[index].as_ref();
            if block.is_some_and(|block| block.contains(&at)) {
                return node;
            }
            node = self.parents[index];
        }
        None
    }
}
