//! Nodes that have no text of their own as KDL, in the style of the formatter.

use super::write::{quoted, word};
use super::{Entry, Node, Value};
use std::fmt::Write as _;

/// How many columns a block on one line may reach, as for the formatter.
const WIDTH: usize = 100;

/// Nodes that only add to the line above them, and stand in it where there is room.
const SHORT: &[&str] = &["value", "param", "default", "given"];

/// Nodes whose values are expressions, statements or texts.
const QUOTED_VALUES: &[&str] = &[
    "check",
    "set",
    "test",
    "range",
    "switch",
    "log",
    "consider",
    "import",
    "wait",
    "timeout",
    "delay",
    "cooldown",
    "limit",
    "chance",
    "repeat",
    "retry",
    "option",
    "always",
    "eventually",
];

/// Properties that are expressions, statements or texts.
const QUOTED_PROPERTIES: &[&str] = &[
    "allow",
    "doc",
    "when",
    "fail-if",
    "succeed-if",
    "skip-if",
    "while",
    "enter-if",
    "score",
    "weight",
    "after",
    "interval",
    "jitter",
    "hysteresis",
    "on-success",
    "on-failure",
    "on-abort",
    "on-end",
];

/// What stands bare among those: options.
const OPTIONS: &[&str] = &["forever", "continue", "next", "fail"];

/// The text of these nodes.
pub(crate) fn print(nodes: &[Node]) -> String {
    let mut out = String::new();
    let mut has_block = false;
    for (index, node) in nodes.iter().enumerate() {
        if index > 0 && (has_block || node.children.is_some()) {
            out.push('\n');
        }
        has_block = node.children.is_some();
        print_node(node, &mut out);
    }
    out
}

fn print_node(node: &Node, out: &mut String) {
    let mut open: Vec<(&[Node], usize)> = vec![(std::slice::from_ref(node), 0)];
    while let Some((list, next)) = open.last_mut() {
        let (list, index) = (*list, *next);
        *next += 1;
        let Some(node) = list.get(index) else {
            open.pop();
            if !open.is_empty() {
                indent(open.len() - 1, out);
                out.push_str("}\n");
            }
            continue;
        };
        indent(open.len() - 1, out);
        let begin = out.len();
        line(node, out);
        match node.children.as_deref() {
            None => out.push('\n'),
            Some([]) => out.push_str(" {}\n"),
            Some(children) => {
                let column = (open.len() - 1) * 4 + out[begin..].chars().count();
                match on_one_line(children, column) {
                    Some(block) => out.push_str(&block),
                    None => {
                        out.push_str(" {\n");
                        open.push((children, 0));
                    }
                }
            }
        }
    }
}

fn indent(levels: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("    ", levels));
}

/// The block as it stands behind its node, when it belongs there and fits.
fn on_one_line(children: &[Node], column: usize) -> Option<String> {
    let is_short = |child: &Node| child.children.is_none() && SHORT.contains(&&*child.name.value);
    if !children.iter().all(is_short) {
        return None;
    }
    let mut block = String::from(" { ");
    for child in children {
        line(child, &mut block);
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

fn line(node: &Node, out: &mut String) {
    let name = node.name.value.as_str();
    word(name, out);
    for entry in node.entries.iter().filter(|entry| entry.name.is_none()) {
        out.push(' ');
        value(entry, QUOTED_VALUES.contains(&name), out);
    }
    for entry in &node.entries {
        if let Some(property) = &entry.name {
            out.push(' ');
            word(&property.value, out);
            out.push('=');
            let is_text = property.value == "default" && is_text(node);
            let is_quoted = is_text || QUOTED_PROPERTIES.contains(&&*property.value);
            value(entry, is_quoted, out);
        }
    }
}

/// Whether what is declared is a text.
fn is_text(node: &Node) -> bool {
    let mut types = node.entries.iter();
    types.any(|entry| {
        let is_type = entry.name.as_ref().is_some_and(|name| name.value == "type");
        is_type && matches!(&entry.value, Value::Text(ty) if ty.value == "string")
    })
}

fn value(entry: &Entry, is_quoted: bool, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match &entry.value {
        Value::Text(text) if is_quoted && !OPTIONS.contains(&&*text.value) => {
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
