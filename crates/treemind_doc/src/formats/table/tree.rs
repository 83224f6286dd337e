//! From rows to a tree.

use super::types::{Type, Types, takes_text};
use super::{COLUMNS, Cell, Row};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::json::is_number;
use crate::syntax::{Entry, MAX_NESTING, Node, Span, Text, Value, shortened};
use crate::{Said, said};
use std::collections::HashMap;

/// A node with its place in the table.
struct Placed<'n> {
    ty: Option<Type<'n>>,
    parent: Option<i128>,
    /// The place of the row's number, for diagnostics.
    span: Span,
}

/// The definition of the tree, and how deep its blocks are nested; `None` when there is none.
pub(super) fn build(
    rows: Vec<Row>,
    name: &str,
    types: &Types<'_>,
    sink: &mut Sink,
) -> Option<(Node, usize)> {
    if let Some(first) = rows.first() {
        for column in &COLUMNS[..3] {
            if rows.iter().all(|row| row.cell(column).is_none()) {
                let span = first.span.clone();
                let message = said!("this table has no column `{}`", column);
                sink.error(Code::Table, span, message)
                    .with_help(said!("add the columns `id`, `parent` and `type`; `description` and parameters are optional"));
                return None;
            }
        }
    }
    let mut ids: HashMap<i128, usize> = HashMap::new();
    let mut placed = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        if sink.is_full() {
            return None;
        }
        if let Some(id) = number(row, "id", 1, sink)
            && ids.insert(id, index).is_some()
        {
            let span = row
                .cell("id")
                .map_or(row.span.clone(), |cell| cell.span.clone());
            sink.error(Code::Duplicate, span, said!("two rows have the id {}", id));
        }
        placed.push(Placed {
            ty: type_of(row, types, sink),
            parent: number(row, "parent", 0, sink),
            span: row
                .cell("parent")
                .map_or(row.span.clone(), |cell| cell.span.clone()),
        });
    }
    let root = root_of(&placed, &rows, sink);
    let children = children_of(&placed, &ids, sink);
    circles(&placed, &ids, sink);
    let order = order(root?, &children, &placed, sink)?;
    let depth = order.iter().map(|(_, depth)| *depth).max()?;
    // Lower rows come last in this order. Taken in reverse, all children are complete before they go into their
    // parent.
    let mut nodes: Vec<Option<Node>> = rows.iter().map(|_| None).collect();
    let mut cells: Vec<Option<Row>> = rows.into_iter().map(Some).collect();
    for (index, _) in order.into_iter().rev() {
        let below = children[index].iter();
        let below: Vec<Node> = below.filter_map(|child| nodes[*child].take()).collect();
        let row = cells[index].take()?;
        nodes[index] = Some(node(row, placed[index].ty?, below));
    }
    let root = nodes[root?].take()?;
    let at = root.name.span.clone();
    let entry = Entry {
        name: None,
        value: Value::Text(word(name, &at)),
        value_span: at.clone(),
        span: at.clone(),
    };
    let tree = Node {
        name: word("tree", &at),
        entries: vec![entry],
        children: Some(vec![root]),
        block: None,
        span: at,
    };
    Some((tree, depth))
}

fn word(text: &str, span: &Span) -> Text {
    Text {
        value: text.to_owned(),
        span: span.clone(),
        verbatim: None,
        bare: true,
    }
}

/// A whole number that the row must have.
fn number(row: &Row, column: &str, least: i128, sink: &mut Sink) -> Option<i128> {
    let Some(cell) = row.cell(column) else {
        let message = said!("this row has no `{}`", column);
        sink.error(Code::MissingValue, row.span.clone(), message);
        return None;
    };
    let number = match &cell.value {
        Value::Bad => return None,
        Value::Int(number) => Some(*number),
        Value::Text(text) => text.value.trim().parse().ok(),
        _ => None,
    };
    let number = number.filter(|number| *number >= least);
    if number.is_none() {
        let message = said!("`{}` must be a whole number from {} on", column, least);
        let diagnostic = sink.error(Code::BadNumber, cell.span.clone(), message);
        if column == "id" {
            diagnostic.with_help(said!(
                "use another number: 0 is reserved as the parent of the root"
            ));
        }
    }
    number
}

fn type_of<'n>(row: &Row, types: &Types<'n>, sink: &mut Sink) -> Option<Type<'n>> {
    let Some(cell) = row.cell("type") else {
        sink.error(
            Code::MissingValue,
            row.span.clone(),
            said!("this row has no `type`"),
        );
        return None;
    };
    let name = match &cell.value {
        Value::Text(text) => text.value.trim(),
        Value::Int(number) => return by_number(*number, cell, types, sink),
        Value::Bad => return None,
        _ => {
            let message = said!("a type must be a name or a whole number");
            sink.error(Code::WrongType, cell.span.clone(), message);
            return None;
        }
    };
    if let Ok(number) = name.parse() {
        return by_number(number, cell, types, sink);
    }
    let found = types.by_name(name);
    if found.is_none() {
        let message = said!("unknown type `{}`", shortened(name));
        let help = types
            .suggestion(name)
            .unwrap_or_else(|| manifest_help(types));
        sink.error(Code::UnknownLeaf, cell.span.clone(), message)
            .with_help(help);
    }
    found
}

fn by_number<'n>(
    number: i128,
    cell: &Cell,
    types: &Types<'n>,
    sink: &mut Sink,
) -> Option<Type<'n>> {
    let found = types.by_number(number);
    if found.is_none() {
        let message = said!("unknown type number {}", number);
        let help = if types.has_leaves() {
            let numbers: Vec<String> = types.numbers().iter().map(i128::to_string).collect();
            let numbers = shortened(&numbers.join(", "));
            said!(
                "use one of the numbers {}, or give a leaf a number with `number=` in `leaves`",
                numbers
            )
        } else {
            manifest_help(types)
        };
        sink.error(Code::UnknownLeaf, cell.span.clone(), message)
            .with_help(help);
    }
    found
}

fn manifest_help(types: &Types<'_>) -> Said {
    if types.has_leaves() {
        said!("use a node of Treemind, or a leaf that the manifest declares in `leaves`")
    } else {
        said!(
            "give the document that declares the leaves of the game in `leaves`, with `--manifest FILE`"
        )
    }
}

/// The row whose parent is 0.
fn root_of(placed: &[Placed<'_>], rows: &[Row], sink: &mut Sink) -> Option<usize> {
    let roots = placed.iter().enumerate();
    let mut roots = roots.filter(|(_, row)| row.parent == Some(0));
    let Some((root, _)) = roots.next() else {
        // A row whose parent cannot be read may be the root.
        if placed.iter().all(|row| row.parent.is_some()) {
            let span = rows.first().map_or(0..0, |row| row.span.clone());
            sink.error(Code::NoTree, span, said!("this table has no root"))
                .with_help(said!("set the parent of the root to 0"));
        }
        return None;
    };
    for (_, second) in roots {
        let message = said!("a tree has only one root, and this is a second one");
        sink.error(Code::ExtraChildren, second.span.clone(), message)
            .with_help(said!(
                "put both under a row of type `sequence` or `selector` whose parent is 0"
            ));
    }
    Some(root)
}

/// For each row, the rows below it, in the order of the rows.
fn children_of(
    placed: &[Placed<'_>],
    ids: &HashMap<i128, usize>,
    sink: &mut Sink,
) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); placed.len()];
    for (index, row) in placed.iter().enumerate() {
        let Some(parent) = row.parent.filter(|parent| *parent != 0) else {
            continue;
        };
        match ids.get(&parent) {
            Some(above) => children[*above].push(index),
            None => {
                let message = said!("unknown parent {}", parent);
                sink.error(Code::UnknownNode, row.span.clone(), message);
            }
        }
    }
    children
}

/// Reports rows that are below themselves, each circle once.
fn circles(placed: &[Placed<'_>], ids: &HashMap<i128, usize>, sink: &mut Sink) {
    // The walk that reached each row; 0 is none.
    let mut walks = vec![0; placed.len()];
    for start in 0..placed.len() {
        let walk = start + 1;
        let mut at = Some(start);
        while let Some(row) = at.filter(|row| walks[*row] == 0) {
            walks[row] = walk;
            at = placed[row]
                .parent
                .and_then(|parent| ids.get(&parent))
                .copied();
        }
        if let Some(row) = at.filter(|row| walks[*row] == walk) {
            let message = said!("this row is its own ancestor");
            sink.error(Code::Cycle, placed[row].span.clone(), message)
                .with_help(said!("change a parent: following the parents from this row leads back to it, never to 0"));
        }
    }
}

/// The rows from the root down, parents before their children, with their depths.
fn order(
    root: usize,
    children: &[Vec<usize>],
    placed: &[Placed<'_>],
    sink: &mut Sink,
) -> Option<Vec<(usize, usize)>> {
    let mut order = vec![(root, 1)];
    let mut next = 0;
    while let Some(&(row, depth)) = order.get(next) {
        if depth > MAX_NESTING {
            let message = said!("rows are nested deeper than {}", MAX_NESTING);
            sink.error(Code::TooDeep, placed[row].span.clone(), message);
            return None;
        }
        order.extend(children[row].iter().map(|child| (*child, depth + 1)));
        next += 1;
    }
    Some(order)
}

/// A row as a node.
fn node(row: Row, ty: Type<'_>, children: Vec<Node>) -> Node {
    let at = row
        .cell("type")
        .map_or(row.span.clone(), |cell| cell.span.clone());
    let mut entries = Vec::new();
    let (name, leaf) = match ty {
        Type::Word(word) => (word, None),
        Type::Leaf(word, name, leaf) => {
            entries.push(Entry {
                name: None,
                value: Value::Text(self::word(name, &at)),
                value_span: at.clone(),
                span: at.clone(),
            });
            (word, Some(leaf))
        }
    };
    for cell in row.cells {
        let mut column = cell.column;
        let value = match (column.value.as_str(), leaf) {
            ("id" | "parent" | "type", _) => continue,
            ("description" | "doc" | "name", _) => cell.value,
            (parameter, Some(leaf)) if takes_text(leaf, parameter) => cell.value,
            _ if row.untyped => typed(cell.value),
            _ => cell.value,
        };
        if column.value == "description" {
            "doc".clone_into(&mut column.value);
        }
        // The value after the keyword of other nodes: an expression, a number, a name.
        let is_value = leaf.is_none() && column.value == "value" && name != "emit";
        entries.push(Entry {
            name: (!is_value).then_some(column),
            value,
            value_span: cell.span.clone(),
            span: cell.span,
        });
    }
    Node {
        name: word(name, &at),
        entries,
        children: (!children.is_empty()).then_some(children),
        block: None,
        span: at,
    }
}

/// The value of a cell, as KDL would read it without quotes.
fn typed(value: Value) -> Value {
    let Value::Text(text) = value else {
        return value;
    };
    match text.value.as_str() {
        "true" | "TRUE" | "True" => Value::Bool(true),
        "false" | "FALSE" | "False" => Value::Bool(false),
        word if is_number(word) => {
            let is_whole = !word.contains(['.', 'e', 'E']);
            let whole = is_whole.then(|| word.parse().ok()).flatten();
            let decimal = word.parse().ok().filter(|number: &f64| number.is_finite());
            match (whole, decimal) {
                (Some(number), _) => Value::Int(number),
                (None, Some(number)) => Value::Decimal(number, word.to_owned()),
                (None, None) => Value::Text(text),
            }
        }
        _ => Value::Text(text),
    }
}
