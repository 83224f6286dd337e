//! From nodes to JSON, one line per node.

use super::RESERVED;
use crate::syntax::{Entry, Node, Value};
use std::fmt::Write as _;

/// The document; `Err` with the entry that JSON cannot express: a number that is not finite.
pub(crate) fn write(nodes: &[Node]) -> Result<String, &Entry> {
    let mut out = String::from("{\n  \"nodes\": [");
    // The open lists, and how many nodes of each are written.
    let mut open: Vec<(&[Node], usize)> = vec![(nodes, 0)];
    while let Some((list, next)) = open.last_mut() {
        let (list, index) = (*list, *next);
        *next += 1;
        let Some(node) = list.get(index) else {
            open.pop();
            if !list.is_empty() {
                out.push('\n');
                indent(open.len(), &mut out);
            }
            out.push_str(if open.is_empty() { "]" } else { "] }" });
            continue;
        };
        out.push_str(if index > 0 { ",\n" } else { "\n" });
        indent(open.len(), &mut out);
        line(node, &mut out)?;
        match &node.children {
            None => out.push_str(" }"),
            Some(children) => {
                out.push_str(", \"children\": [");
                open.push((children, 0));
            }
        }
    }
    out.push_str("\n}\n");
    Ok(out)
}

fn indent(levels: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("  ", levels + 1));
}

/// `{ "node": "action", "values": ["attack"], "range": 2.5`
fn line<'n>(node: &'n Node, out: &mut String) -> Result<(), &'n Entry> {
    out.push_str("{ \"node\": ");
    text(&node.name.value, out);
    let mut values = node.entries.iter().filter(|entry| entry.name.is_none());
    if let Some(first) = values.next() {
        out.push_str(", \"values\": [");
        value(first, out)?;
        for other in values {
            out.push_str(", ");
            value(other, out)?;
        }
        out.push(']');
    }
    let named = node.entries.iter();
    let named = named.filter_map(|entry| Some((entry.name.as_ref()?, entry)));
    let is_reserved = |name: &str| RESERVED.contains(&name);
    for (name, entry) in named.clone().filter(|(name, _)| !is_reserved(&name.value)) {
        out.push_str(", ");
        text(&name.value, out);
        out.push_str(": ");
        value(entry, out)?;
    }
    let mut separator = ", \"properties\": { ";
    for (name, entry) in named.filter(|(name, _)| is_reserved(&name.value)) {
        out.push_str(std::mem::replace(&mut separator, ", "));
        text(&name.value, out);
        out.push_str(": ");
        value(entry, out)?;
    }
    if separator == ", " {
        out.push_str(" }");
    }
    Ok(())
}

fn value<'n>(entry: &'n Entry, out: &mut String) -> Result<(), &'n Entry> {
    match &entry.value {
        Value::Text(word) => text(&word.value, out),
        // Writing to a string cannot fail.
        Value::Int(number) => drop(write!(out, "{number}")),
        Value::Decimal(number, _) if !number.is_finite() => return Err(entry),
        Value::Decimal(_, written) => decimal(written, out),
        Value::Bool(value) => drop(write!(out, "{value}")),
        Value::Null | Value::Bad => out.push_str("null"),
    }
    Ok(())
}

/// The number as it is spelled, without leading zeros, which JSON does not allow.
fn decimal(written: &str, out: &mut String) {
    let digits = match written.strip_prefix('-') {
        Some(digits) => {
            out.push('-');
            digits
        }
        None => written,
    };
    let whole = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let zeros = digits[..whole]
        .bytes()
        .take_while(|digit| *digit == b'0')
        .count();
    out.push_str(&digits[zeros.min(whole.saturating_sub(1))..]);
}

fn text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Invisible characters are written as escapes; all of them are below U+10000.
            c if c.is_control()
                || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}') =>
            {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
