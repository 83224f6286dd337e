//! Trees as flat tables: a row for each node, with the number of the row above it.
//!
//! The reader gives the same nodes as the KDL reader, with spans into the table. So everything that a table has in
//! common with other documents is checked by the same code. Mistakes that only a table can have (numbers, parents,
//! circles) are found here. If there are any, no tree is built.

mod csv;
mod rows;
mod tree;
mod types;

use crate::diagnostic::Sink;
use crate::syntax::{Node, Parsed, Span, Text, Value, is_too_large};

/// The columns that describe the tree; all others are options and parameters.
pub(crate) const COLUMNS: [&str; 4] = ["id", "parent", "type", "description"];

/// A cell: the value of one row in one column.
#[derive(Debug)]
struct Cell {
    /// The name of the column.
    column: Text,
    value: Value,
    span: Span,
}

/// A row, which stands for one node.
#[derive(Debug)]
struct Row {
    cells: Vec<Cell>,
    /// The whole row, or its beginning.
    span: Span,
    /// Numbers and other values are texts, as in CSV, which has nothing else.
    untyped: bool,
}

impl Row {
    fn cell(&self, column: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.column.value == column)
    }
}

/// Reads a table: the nodes of a document with one tree named `name`. `declared` are the `leaves` blocks that declare
/// the types of the table.
pub(crate) fn parse(text: &str, name: &str, declared: &[Node], sink: &mut Sink) -> Parsed {
    let mut nothing = Parsed {
        nodes: Vec::new(),
        whole: false,
        depth: 0,
    };
    if is_too_large(text, sink) {
        return nothing;
    }
    let errors = sink.error_count();
    let body = text.trim_start_matches('\u{feff}').trim_start();
    // The first character decides between JSON and CSV, whatever the name of the file.
    let rows = if body.starts_with('[') {
        rows::read(text, sink)
    } else {
        csv::read(text, sink)
    };
    let Some(rows) = rows else {
        return nothing;
    };
    let types = types::Types::new(declared);
    let built = tree::build(rows, &name_of(name), &types, sink);
    if let Some((node, depth)) = built.filter(|_| sink.error_count() == errors) {
        nothing.nodes.push(node);
        nothing.whole = true;
        nothing.depth = depth;
    }
    nothing
}

/// The name of the tree: the name of the file without its ending.
fn name_of(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let name: String = stem
        .chars()
        .map(|c| if fits(c) { c } else { '-' })
        .collect();
    match name.trim_matches('-') {
        "" => "tree".to_owned(),
        name => name.to_owned(),
    }
}
