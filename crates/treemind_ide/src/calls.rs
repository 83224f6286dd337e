//! Which definitions run which: trees, machines, decision trees, and the leaves at their ends.

use crate::navigation::node_at;
use std::ops::Range;
use treemind_doc::edit::{At, Editor, NamedSymbol, ReadNode, SymbolKind};

/// Something that runs others, or is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callable {
    /// The word of its node: `tree`, `machine`, `action`, `test`.
    pub word: String,
    /// Its name; of a node without one, its word.
    pub name: String,
    /// The file, by its number in the editor.
    pub file: usize,
    /// Its name there, or the beginning of its line.
    pub span: Range<usize>,
    /// All of it.
    pub extent: Range<usize>,
}

/// Something that runs another, or is run by it, with the places where that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The other one.
    pub other: Callable,
    /// The names, in the file of the one that runs.
    pub places: Vec<Range<usize>>,
}

/// What is named at a byte, if it can run others or be run.
pub fn callable(editor: &Editor, at: impl Into<At>) -> Option<Callable> {
    let at = at.into();
    let (kind, name) = editor.symbol_at(at)?;
    if !can_be_called(kind) {
        return None;
    }
    let place = editor.occurrences(at);
    let place = place.iter().find(|one| one.is_definition)?;
    let nodes = editor.read_nodes(place.file);
    let node = &nodes[node_at(&nodes, place.span.start)?];
    Some(Callable {
        word: node.node.word.clone(),
        name,
        file: place.file,
        span: place.span.clone(),
        extent: node.extent(),
    })
}

fn can_be_called(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Tree
            | SymbolKind::Machine
            | SymbolKind::Decision
            | SymbolKind::Planner
            | SymbolKind::Goal
            | SymbolKind::Task
            | SymbolKind::Leaf
    )
}

/// What runs the thing at a byte.
pub fn incoming(editor: &Editor, at: impl Into<At>) -> Vec<Call> {
    let at = at.into();
    let is_one = editor
        .symbol_at(at)
        .is_some_and(|(kind, _)| can_be_called(kind));
    let mut calls: Vec<Call> = Vec::new();
    let mut read: Option<(usize, Vec<ReadNode>)> = None;
    let uses = editor.occurrences(at).into_iter();
    for one in uses.filter(|one| is_one && !one.is_definition) {
        if read.as_ref().is_none_or(|(file, _)| *file != one.file) {
            read = Some((one.file, editor.read_nodes(one.file)));
        }
        let Some((_, nodes)) = &read else {
            continue;
        };
        let Some(other) = around(nodes, one.file, one.span.start) else {
            continue;
        };
        match calls.iter_mut().find(|call| call.other == other) {
            Some(call) => call.places.push(one.span),
            None => calls.push(Call {
                other,
                places: vec![one.span],
            }),
        }
    }
    calls
}

/// The node at the top of a file around a byte.
fn around(nodes: &[ReadNode], file: usize, offset: usize) -> Option<Callable> {
    let mut at = node_at(nodes, offset)?;
    while let Some(parent) = nodes[at].parent {
        at = parent;
    }
    let node = &nodes[at];
    let mut values = node
        .node
        .entries
        .iter()
        .filter(|entry| entry.name.is_none());
    let name = values.next();
    let word_end = node.line.start + node.node.word.len();
    Some(Callable {
        word: node.node.word.clone(),
        name: name.map_or_else(|| node.node.word.clone(), |name| name.value.clone()),
        file,
        span: name.map_or(node.line.start..word_end, |name| name.value_span.clone()),
        extent: node.extent(),
    })
}

/// What the definition at a byte runs.
pub fn outgoing(editor: &Editor, at: impl Into<At>) -> Vec<Call> {
    let Some(own) = callable(editor, at) else {
        return Vec::new();
    };
    let mut calls = Vec::new();
    for symbol in editor.symbols() {
        let is_inside = |file: usize, span: &Range<usize>| {
            file == own.file && own.extent.start <= span.start && span.end <= own.extent.end
        };
        let uses = symbol.occurrences.iter().filter(|one| !one.is_definition);
        let places: Vec<Range<usize>> = uses
            .filter(|one| is_inside(one.file, &one.span))
            .map(|one| one.span.clone())
            .collect();
        if can_be_called(symbol.kind)
            && !places.is_empty()
            && let Some(other) = defined_at(editor, &symbol)
        {
            calls.push(Call { other, places });
        }
    }
    calls.sort_by_key(|call| call.places[0].start);
    calls
}

fn defined_at(editor: &Editor, symbol: &NamedSymbol) -> Option<Callable> {
    let mut places = symbol.occurrences.iter();
    let place = places.find(|one| one.is_definition)?;
    callable(editor, (place.file, place.span.start))
}
