//! JSON that is built in code, and printed in a form in which people can read what changed.

/// A value.
#[derive(Clone, Debug)]
pub(super) enum J {
    Raw(&'static str),
    Number(usize),
    Text(String),
    Array(Vec<J>),
    Object(Vec<(String, J)>),
}

pub(super) fn text(text: &str) -> J {
    J::Text(text.to_owned())
}

pub(super) fn array(items: impl IntoIterator<Item = J>) -> J {
    J::Array(items.into_iter().collect())
}

/// An array of texts.
pub(super) fn list<'a>(items: impl IntoIterator<Item = &'a str>) -> J {
    array(items.into_iter().map(text))
}

pub(super) fn object<'a>(members: impl IntoIterator<Item = (&'a str, J)>) -> J {
    let members = members.into_iter();
    J::Object(
        members
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

impl J {
    /// The text, with a line for each member and for each item that is not a text.
    pub(super) fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(0, &mut out);
        out.push('\n');
        out
    }

    fn write(&self, level: usize, out: &mut String) {
        match self {
            J::Raw(text) => out.push_str(text),
            J::Number(number) => out.push_str(&number.to_string()),
            J::Text(text) => quoted(text, out),
            J::Array(items) if items.iter().all(|item| matches!(item, J::Text(_))) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    item.write(level, out);
                }
                out.push(']');
            }
            J::Array(items) => {
                let items = items.iter().map(|item| (None, item));
                block(('[', ']'), items, level, out);
            }
            J::Object(members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| (Some(name.as_str()), value));
                block(('{', '}'), members, level, out);
            }
        }
    }
}

fn block<'a>(
    (open, close): (char, char),
    items: impl Iterator<Item = (Option<&'a str>, &'a J)>,
    level: usize,
    out: &mut String,
) {
    let line = |level: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", level));
    };
    out.push(open);
    let mut is_first = true;
    for (name, item) in items {
        if !std::mem::take(&mut is_first) {
            out.push(',');
        }
        line(level + 1, out);
        if let Some(name) = name {
            quoted(name, out);
            out.push_str(": ");
        }
        item.write(level + 1, out);
    }
    line(level, out);
    out.push(close);
}

fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
}
