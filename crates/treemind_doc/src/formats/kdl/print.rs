//! Prints nodes that have no text of their own as KDL, in the style of the formatter.

use crate::language::{self, Spot, Word};
use crate::syntax::write::{quoted, word};
use crate::syntax::{Entry, Node, Value};
use crate::text::{Notes, in_block};
use std::fmt::Write as _;

/// The last column that a block on one line may reach, as in the formatter.
const WIDTH: usize = 100;

/// The places of nodes that only add to the line above them. They go on that line if there is room.
const SHORT: [Spot; 4] = [
    Spot::KeyBlock,
    Spot::Given,
    Spot::LeafBlock,
    Spot::Archetype,
];

/// The text of these nodes, with comments.
pub(crate) fn print(nodes: &[Node], notes: &mut Notes) -> String {
    let mut out = String::new();
    let mut has_block = false;
    for note in std::mem::take(&mut notes.first) {
        comment(&note, 0, &mut out);
    }
    for (index, node) in nodes.iter().enumerate() {
        if index > 0 && (has_block || node.children.is_some()) {
            out.push('\n');
        }
        has_block = node.children.is_some();
        // Declarations that were made up stand where their names are used.
        match node.name.value.as_str() {
            "leaves" | "blackboard" | "main" => print_node(node, &mut Notes::default(), &mut out),
            _ => print_node(node, notes, &mut out),
        }
    }
    for note in std::mem::take(&mut notes.last) {
        comment(&note, 0, &mut out);
    }
    out
}

/// A comment on lines of its own.
fn comment(note: &str, levels: usize, out: &mut String) {
    // A line does not say whether there are blanks at its end.
    let said = note.trim_end();
    let blanks = note.len() - said.len();
    let is_line = match said.is_empty() {
        true => note.is_empty(),
        false => {
            let is_plain = blanks == 0 || note.ends_with(' ');
            !note.contains('\n') && is_plain && blanks == usize::from(note.starts_with(' '))
        }
    };
    indent(levels, out);
    let _ = match is_line {
        true => writeln!(out, "//{said}"),
        false => writeln!(out, "/*{}*/", in_block(note)),
    };
}

/// Nodes side by side, the index of the next one, and their places.
type Open<'n> = (&'n [Node], usize, &'static [Spot]);

fn print_node(node: &Node, notes: &mut Notes, out: &mut String) {
    let mut open: Vec<Open<'_>> = vec![(std::slice::from_ref(node), 0, &[Spot::Top])];
    while let Some((list, next, spots)) = open.last_mut() {
        let (list, index, spots) = (*list, *next, *spots);
        *next += 1;
        let Some(node) = list.get(index) else {
            open.pop();
            if let Some((above, next, _)) = open.last() {
                let parent = next.checked_sub(1).and_then(|index| above.get(index));
                let inside = parent.map(|parent| notes.take_inside(parent));
                for note in inside.unwrap_or_default() {
                    comment(&note, open.len(), out);
                }
            }
            if !open.is_empty() {
                indent(open.len() - 1, out);
                out.push_str("}\n");
            }
            continue;
        };
        let row = row(node, spots);
        // Keys that were made up stand where they are used, too.
        let is_key = matches!(node.name.value.as_str(), "key" | "in" | "out" | "inout");
        let before = (!is_key).then(|| notes.take_before(node));
        for note in before.unwrap_or_default() {
            comment(&note, open.len() - 1, out);
        }
        indent(open.len() - 1, out);
        let begin = out.len();
        line(node, row, out);
        let inside = row.map_or(&[][..], Word::holds);
        match node.children.as_deref() {
            None => out.push('\n'),
            Some([]) => out.push_str(" {}\n"),
            Some(children) => {
                let column = (open.len() - 1) * 4 + out[begin..].chars().count();
                match on_one_line(children, inside, column) {
                    Some(block) => out.push_str(&block),
                    None => {
                        out.push_str(" {\n");
                        open.push((children, 0, inside));
                    }
                }
            }
        }
    }
}

/// The row of a node in the table of the language. A node that is not allowed in these places has the row of a tree's
/// node.
fn row(node: &Node, spots: &[Spot]) -> Option<&'static Word> {
    let name = node.name.value.as_str();
    language::find(spots, name).or_else(|| language::node_word(name))
}

fn indent(levels: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("    ", levels));
}

/// The block as text on the line of its node, if it belongs there and fits.
fn on_one_line(children: &[Node], spots: &[Spot], column: usize) -> Option<String> {
    let is_short = |child: &Node| {
        child.children.is_none() && language::find(&SHORT, &child.name.value).is_some()
    };
    if !children.iter().all(is_short) {
        return None;
    }
    let mut block = String::from(" { ");
    for child in children {
        line(child, row(child, spots), &mut block);
        block.push_str("; ");
        if column + block.len() > 4 * WIDTH {
            return None;
        }
    }
    block.push('}');
    let fits = column + block.chars().count() <= WIDTH;
    block.push('\n');
    fits.then_some(block)
}

fn line(node: &Node, row: Option<&'static Word>, out: &mut String) {
    word(&node.name.value, out);
    let shape = row.and_then(|row| row.value).map(|value| value.shape());
    for entry in node.entries.iter().filter(|entry| entry.name.is_none()) {
        out.push(' ');
        value(
            entry,
            |text| shape.is_some_and(|shape| shape.is_quoted(text)),
            out,
        );
    }
    for entry in &node.entries {
        if let Some(property) = &entry.name {
            out.push(' ');
            word(&property.value, out);
            out.push('=');
            let is_text = property.value == "default" && is_text(node);
            let shape = row.and_then(|row| row.shape(&property.value));
            let is_quoted =
                |text: &str| is_text || shape.is_some_and(|shape| shape.is_quoted(text));
            value(entry, is_quoted, out);
        }
    }
}

/// Whether the declared value is a text.
fn is_text(node: &Node) -> bool {
    let mut types = node.entries.iter();
    types.any(|entry| {
        let is_type = entry.name.as_ref().is_some_and(|name| name.value == "type");
        is_type && matches!(&entry.value, Value::Text(ty) if ty.value == "string")
    })
}

fn value(entry: &Entry, is_quoted: impl Fn(&str) -> bool, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match &entry.value {
        Value::Text(text) if is_quoted(&text.value) => {
            quoted(&text.value, out);
            Ok(())
        }
        Value::Text(text) => {
            word(&text.value, out);
            Ok(())
        }
        Value::Int(number) => write!(out, "{number}"),
        Value::Decimal(_, text) if text.ends_with(['f', 'n']) => write!(out, "#{text}"),
        Value::Decimal(_, text) => write!(out, "{text}"),
        Value::Bool(value) => write!(out, "#{value}"),
        Value::Null | Value::Bad => write!(out, "#null"),
    };
}
