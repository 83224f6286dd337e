//! XML as it is printed.

use crate::formats::btcpp::spelling::Tag;

/// An element.
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    /// The text in it, in place of children.
    pub(super) text: Option<String>,
    /// The whole element as it is printed, in place of everything else.
    pub(super) raw: Option<String>,
    /// The comments before it, and those at the end of it.
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
}

impl Element {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            attributes: Vec::new(),
            children: Vec::new(),
            text: None,
            raw: None,
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    pub(super) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.set(name, value);
        self
    }

    pub(super) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.attributes.push((name.to_owned(), value.into()));
    }

    /// Its tag.
    pub(super) fn tag(&self) -> Tag {
        Tag {
            name: self.name.clone(),
            attributes: self.attributes.clone(),
        }
    }

    /// Prints the element. It is at most as deep as documents are nested.
    pub(super) fn print(&self, depth: usize, out: &mut String) {
        let margin = "  ".repeat(depth);
        for note in &self.before {
            comment(note, &margin, out);
        }
        if let Some(raw) = &self.raw {
            out.push_str(&format!("{margin}{raw}\n"));
            return;
        }
        out.push_str(&format!("{margin}<{}", self.name));
        for (name, value) in &self.attributes {
            out.push_str(&format!(" {name}=\""));
            escape(value, out);
            out.push('"');
        }
        match (
            &self.text,
            self.children.is_empty() && self.after.is_empty(),
        ) {
            (Some(text), _) => {
                out.push('>');
                escape(text, out);
                out.push_str(&format!("</{}>\n", self.name));
            }
            (None, true) => out.push_str("/>\n"),
            (None, false) => {
                out.push_str(">\n");
                for child in &self.children {
                    child.print(depth + 1, out);
                }
                for note in &self.after {
                    comment(note, &"  ".repeat(depth + 1), out);
                }
                out.push_str(&format!("{margin}</{}>\n", self.name));
            }
        }
    }
}

/// A comment. XML has no `--` in comments, and none ends with `-`.
pub(super) fn comment(note: &str, margin: &str, out: &mut String) {
    let mut said = String::new();
    for c in note.chars() {
        if c == '-' && said.ends_with('-') {
            said.push(' ');
        }
        said.push(if c.is_control() && !c.is_whitespace() {
            '\u{fffd}'
        } else {
            c
        });
    }
    if said.ends_with('-') {
        said.push(' ');
    }
    out.push_str(&format!("{margin}<!--{said}-->\n"));
}

pub(in super::super) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", c as u32)),
            // XML has no way to say other control characters.
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

/// Whether a text can name an element or an attribute.
pub(super) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    let first = letters
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_');
    first && letters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}
