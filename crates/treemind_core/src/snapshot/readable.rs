//! State for people: what a snapshot holds, with names, as text and as JSON.

use std::fmt::{self, Write as _};

/// State for people, from [`Population::readable`](crate::Population::readable) and its relatives: values with names, in
/// an order that makes sense to read.
///
/// Its text ([`Display`](fmt::Display)) has a line for each value. It is made to be looked at, and not to be restored.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Readable {
    /// No value.
    Nothing,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number that is never negative.
    Count(u64),
    /// A number of 32 bits.
    Float(f32),
    /// A number of 64 bits.
    Double(f64),
    /// A text.
    Text(String),
    /// Several in an order.
    List(Vec<Readable>),
    /// Several with names.
    Map(Vec<(String, Readable)>),
}

impl Readable {
    /// A map without entries.
    pub const EMPTY: Self = Self::Map(Vec::new());

    /// Adds an entry to a map.
    ///
    /// # Panics
    /// When it is no map.
    pub fn add(&mut self, name: impl Into<String>, value: impl Into<Self>) {
        match self {
            Self::Map(entries) => entries.push((name.into(), value.into())),
            other => panic!("{other:?} has no entries"),
        }
    }

    /// The same, unless the value is an empty list or map.
    pub fn add_if_any(&mut self, name: impl Into<String>, value: Self) {
        if !value.is_empty() {
            self.add(name, value);
        }
    }

    /// The entry of a map with this name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Map(entries) = self else {
            return None;
        };
        let found = entries.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

    /// The items of a list; none for anything else.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// Whether it is a list or map without entries.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::List(items) => items.is_empty(),
            Self::Map(entries) => entries.is_empty(),
            _ => false,
        }
    }

    /// As JSON, indented by two blanks a level. Numbers that JSON cannot say are the texts `NaN`, `inf` and `-inf`.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out, 0);
        out.push('\n');
        out
    }

    fn is_flat(&self) -> bool {
        !matches!(self, Self::List(_) | Self::Map(_)) || self.is_empty()
    }

    fn write_json(&self, out: &mut String, depth: usize) {
        match self {
            Self::Text(text) => write_json_text(out, text),
            Self::Float(value) if !value.is_finite() => write_json_text(out, &value.to_string()),
            Self::Double(value) if !value.is_finite() => write_json_text(out, &value.to_string()),
            Self::List(items) => {
                let parts = items.iter().map(|item| (None, item));
                write_json_block(out, ['[', ']'], parts, depth);
            }
            Self::Map(entries) => {
                let parts = entries
                    .iter()
                    .map(|(name, value)| (Some(name.as_str()), value));
                write_json_block(out, ['{', '}'], parts, depth);
            }
            scalar => {
                // Writing to a string cannot fail.
                let _ = write!(out, "{scalar}");
            }
        }
    }

    fn write_lines(&self, out: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        match self {
            Self::Map(entries) => entries.iter().try_for_each(|(name, value)| {
                if value.is_flat() {
                    return writeln!(out, "{indent}{name}: {value}");
                }
                let is_list_of_flat = value.items().iter().all(Self::is_flat);
                if is_list_of_flat && !value.items().is_empty() {
                    return writeln!(out, "{indent}{name}: {value}");
                }
                writeln!(out, "{indent}{name}:")?;
                value.write_lines(out, depth + 1)
            }),
            Self::List(items) => items.iter().try_for_each(|item| {
                let mut text = String::new();
                write!(text, "{item}")?;
                let mut begin = "- ";
                text.lines().try_for_each(|line| {
                    let begin = std::mem::replace(&mut begin, "  ");
                    writeln!(out, "{indent}{begin}{line}")
                })
            }),
            flat => writeln!(out, "{indent}{flat}"),
        }
    }
}

/// Writes the parts of a list or map: on one line if there is nothing inside them.
fn write_json_block<'r>(
    out: &mut String,
    [begin, end]: [char; 2],
    parts: impl Iterator<Item = (Option<&'r str>, &'r Readable)> + Clone,
    depth: usize,
) {
    let is_flat = parts
        .clone()
        .all(|(name, part)| name.is_none() && part.is_flat())
        || parts.clone().next().is_none();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        (0..depth).for_each(|_| out.push_str("  "));
    };
    out.push(begin);
    for (nth, (name, part)) in parts.enumerate() {
        if nth > 0 {
            out.push_str(if is_flat { ", " } else { "," });
        }
        if !is_flat {
            line(out, depth + 1);
        }
        if let Some(name) = name {
            write_json_text(out, name);
            out.push_str(": ");
        }
        part.write_json(out, depth + 1);
    }
    if !is_flat {
        line(out, depth);
    }
    out.push(end);
}

fn write_json_text(out: &mut String, text: &str) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", control as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

impl fmt::Display for Readable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => out.write_str("null"),
            Self::Bool(value) => value.fmt(out),
            Self::Int(value) => value.fmt(out),
            Self::Count(value) => value.fmt(out),
            Self::Float(value) => write!(out, "{value:?}"),
            Self::Double(value) => write!(out, "{value:?}"),
            Self::Text(text) => out.write_str(text),
            Self::List(items) if items.is_empty() => out.write_str("none"),
            Self::Map(entries) if entries.is_empty() => out.write_str("none"),
            Self::List(items) if items.iter().all(Self::is_flat) => {
                items.iter().enumerate().try_for_each(|(nth, item)| {
                    out.write_str(if nth == 0 { "" } else { ", " })?;
                    item.fmt(out)
                })
            }
            Self::List(_) | Self::Map(_) => self.write_lines(out, 0),
        }
    }
}

macro_rules! from {
    ($($ty:ty => $make:expr;)*) => {$(
        impl From<$ty> for Readable {
            fn from(value: $ty) -> Self {
                $make(value)
            }
        }
    )*};
}

from! {
    bool => Readable::Bool;
    i64 => Readable::Int;
    u64 => Readable::Count;
    u32 => |value| Readable::Count(u64::from(value));
    usize => |value| Readable::Count(value as u64);
    f32 => Readable::Float;
    f64 => Readable::Double;
    String => Readable::Text;
    &str => |text: &str| Readable::Text(text.to_owned());
    Vec<Readable> => Readable::List;
    Vec<(String, Readable)> => Readable::Map;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_as_json_and_as_lines() {
        let mut agent = Readable::EMPTY;
        agent.add("name", "Bo \"the\" \u{1}\n");
        agent.add(
            "at",
            vec![Readable::Float(0.5), Readable::Double(f64::INFINITY)],
        );
        agent.add("none", Readable::List(Vec::new()));
        let mut all = Readable::EMPTY;
        all.add("agents", vec![agent]);
        let json = all.to_json();
        let expected = r#"{
  "agents": [
    {
      "name": "Bo \"the\" \u0001\n",
      "at": [0.5, "inf"],
      "none": []
    }
  ]
}
"#;
        assert_eq!(json, expected);
        let expected =
            "agents:\n  - name: Bo \"the\" \u{1}\n    \n    at: 0.5, inf\n    none: none\n";
        assert_eq!(all.to_string(), expected);
    }
}
