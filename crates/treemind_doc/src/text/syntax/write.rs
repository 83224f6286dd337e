//! Writes words, texts and numbers as KDL.

use super::chars::is_forbidden;
use std::fmt::Write as _;
use treemind_core::Value;

/// Whether a word can be written without quotes.
pub(crate) fn plain_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        && !["true", "false", "null", "inf", "nan"].contains(&text)
}

/// A word, without quotes if possible.
pub fn word(text: &str, out: &mut String) {
    if plain_word(text) {
        out.push_str(text);
    } else {
        quoted(text, out);
    }
}

/// A text in quotes, on one line.
pub(crate) fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || is_forbidden(c) || matches!(c, '\u{2028}' | '\u{2029}') => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A value that is not a name of an enumeration.
pub(crate) fn plain(value: Value, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match value {
        Value::Bool(value) => write!(out, "#{value}"),
        Value::Float(value) => number(f64::from(value), &format!("{value:?}"), out),
        Value::Double(value) => number(value, &format!("{value:?}"), out),
        Value::Vec2(parts) => vector(&parts, out),
        Value::Vec3(parts) => vector(&parts, out),
        Value::Text(text) => {
            quoted(text.as_str(), out);
            Ok(())
        }
        value => write!(out, "{value}"),
    };
}

fn number(value: f64, written: &str, out: &mut String) -> std::fmt::Result {
    out.push_str(if value.is_nan() {
        "#nan"
    } else if value == f64::INFINITY {
        "#inf"
    } else if value == f64::NEG_INFINITY {
        "#-inf"
    } else {
        written
    });
    Ok(())
}

fn vector(parts: &[f32], out: &mut String) -> std::fmt::Result {
    let parts: Vec<String> = parts.iter().map(|part| format!("{part:?}")).collect();
    write!(out, "\"{}\"", parts.join(", "))
}
