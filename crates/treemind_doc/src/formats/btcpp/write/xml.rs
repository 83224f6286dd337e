//! XML as it is printed.

/// An element.
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    /// The text in it, in place of children.
    pub(super) text: Option<String>,
}

impl Element {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            attributes: Vec::new(),
            children: Vec::new(),
            text: None,
        }
    }

    pub(super) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.set(name, value);
        self
    }

    pub(super) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.attributes.push((name.to_owned(), value.into()));
    }

    /// Prints the element. It is at most as deep as documents are nested.
    pub(super) fn print(&self, depth: usize, out: &mut String) {
        let margin = "  ".repeat(depth);
        out.push_str(&format!("{margin}<{}", self.name));
        for (name, value) in &self.attributes {
            out.push_str(&format!(" {name}=\""));
            escape(value, out);
            out.push('"');
        }
        match (&self.text, self.children.is_empty()) {
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
                out.push_str(&format!("{margin}</{}>\n", self.name));
            }
        }
    }
}

fn escape(text: &str, out: &mut String) {
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
