//! What a file consists of: what it defines, and what can be folded.

use std::ops::Range;
use treemind_doc::edit::{Editor, ReadNode};
use treemind_doc::vocabulary::{Named, Takes, Word};

/// Something that a file defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defined {
    /// The word that defines it: `tree`, `state`, `key`.
    pub word: String,
    /// What it is, if it has a name of its own that others use.
    pub kind: Option<Named>,
    /// Its name; of a `blackboard` and the like, the word.
    pub name: String,
    /// All of it.
    pub extent: Range<usize>,
    /// Its first line, or the name in it.
    pub place: Range<usize>,
    /// What it is in, by its position in the list.
    pub parent: Option<usize>,
}

/// What a file defines, in the order of the text, each behind the one that it is in; nothing when there is no such file.
pub fn defined(editor: &Editor, file: usize) -> Vec<Defined> {
    let nodes = editor.read_nodes(file);
    let mut all: Vec<Defined> = Vec::new();
    // For each node, the definition around what is in it.
    let mut inside: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
    for node in &nodes {
        let around = node.parent.and_then(|parent| inside[parent]);
        let own = definition(node, around, is_step(&nodes, node));
        inside.push(match own {
            Some(_) => Some(all.len()),
            None => around,
        });
        all.extend(own);
    }
    all
}

/// Whether a node is a step of a planner, which is called like what it runs.
fn is_step(nodes: &[ReadNode], node: &ReadNode) -> bool {
    let row = node.node.row;
    let parent = node.parent.and_then(|parent| nodes[parent].node.row);
    let is_planned = parent.is_some_and(|parent| matches!(parent.name(), "planner" | "each"));
    let runs = |row: Word| match row.value() {
        Some(Takes::Names(what)) => matches!(
            what,
            Named::Leaf | Named::Tree | Named::Machine | Named::Decision | Named::Planner
        ),
        _ => false,
    };
    is_planned && row.is_some_and(|row| row.is_node() && runs(row))
}

fn definition(node: &ReadNode, parent: Option<usize>, is_step: bool) -> Option<Defined> {
    let row = node.node.row?;
    let kind = match row.value() {
        Some(Takes::Declares(kind)) => Some(kind),
        _ => None,
    };
    let is_top = node.parent.is_none() && (row.needs_block() || row.name() == "archetype");
    let mut values = node.node.entries.iter();
    let name = values.find(|entry| entry.name.is_none());
    let (name, place) = match (name, node.node.property("name")) {
        (Some(name), _) if kind.is_some() || is_top => {
            (name.value.clone(), name.value_span.clone())
        }
        (None, None) if is_top => (row.name().to_owned(), node.line.clone()),
        (_, Some(name)) => (name.to_owned(), node.line.clone()),
        (Some(called), None) if is_step => (called.value.clone(), called.value_span.clone()),
        _ => return None,
    };
    Some(Defined {
        word: row.name().to_owned(),
        kind,
        name,
        extent: node.extent(),
        place,
        parent,
    })
}

/// What can be folded in a file: the blocks that have more than one line, from brace to brace.
pub fn folds(editor: &Editor, file: usize) -> Vec<Range<usize>> {
    let text = editor.text(file);
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let bytes = text.bytes().enumerate();
    let ends: Vec<usize> = bytes
        .filter(|(_, byte)| is_end(byte))
        .map(|(at, _)| at)
        .collect();
    let has_end = |block: &Range<usize>| {
        let next = ends.get(ends.partition_point(|end| *end < block.start));
        next.is_some_and(|end| *end < block.end)
    };
    let nodes = editor.read_nodes(file).into_iter();
    nodes
        .filter_map(|node| node.block)
        .filter(has_end)
        .collect()
}
