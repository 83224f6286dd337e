//! The names in the value of a string, and the bytes of the document that stand for its characters, despite escapes and
//! indentation.

use crate::syntax::{Text, is_newline, is_space, unicode};
use std::ops::Range;

/// A mapping from the value of one string to its bytes in the document.
pub(super) struct Written<'t> {
    text: &'t Text,
    /// One per character: its offset in the value, and the bytes that stand for it. Empty when the document contains
    /// the value exactly as it is.
    letters: Vec<(usize, Range<usize>)>,
}

impl<'t> Written<'t> {
    pub(super) fn new(text: &'t Text, source: &str) -> Self {
        let letters = match text.verbatim {
            Some(_) => Vec::new(),
            None => letters(text, &source[text.span.clone()]),
        };
        Self { text, letters }
    }

    /// The bytes of the document that stand for a range of the value.
    pub(super) fn span(&self, said: &Range<usize>) -> Range<usize> {
        if let Some(base) = self.text.verbatim {
            return base + said.start..base + said.end;
        }
        let from = self.letters.partition_point(|(at, _)| *at < said.start);
        let to = self.letters.partition_point(|(at, _)| *at < said.end);
        match (
            self.letters.get(from),
            to.checked_sub(1).and_then(|last| self.letters.get(last)),
        ) {
            (Some((_, first)), Some((_, last))) if from < to => first.start..last.end,
            _ => self.text.span.clone(),
        }
    }
}

/// The characters of a string in quotes: the offset of each in the value, and the bytes of the document that stand for
/// it. `raw` is the string as it is written.
fn letters(text: &Text, raw: &str) -> Vec<(usize, Range<usize>)> {
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    let has_escapes = hashes == 0;
    let has_lines = raw[hashes..].starts_with("\"\"\"");
    let begin = hashes + if has_lines { 3 } else { 1 };
    let end = raw.len().saturating_sub(begin).max(begin);
    let body = raw.get(begin..end).unwrap_or("");
    let (mut rest, mut indent) = (body, "");
    if has_lines {
        indent = body.rsplit(is_newline).next().unwrap_or("");
        rest = body.strip_prefix("\r\n").unwrap_or_else(|| {
            let mut chars = body.chars();
            chars.next();
            chars.as_str()
        });
        rest = without_indent(rest, indent);
    }
    let mut letters = Vec::new();
    for (said, _) in text.value.char_indices() {
        while let Some(behind) = rest.strip_prefix('\\').filter(|_| has_escapes) {
            match silent(behind) {
                Some(behind) => rest = behind,
                None => break,
            }
        }
        let escape = rest.strip_prefix('\\').filter(|_| has_escapes);
        let first = |text: &str| text.chars().next().map_or(0, char::len_utf8);
        let ends_line = has_lines && rest.starts_with(is_newline);
        let length = match escape {
            Some(escape) => 1 + first(escape) + escape.strip_prefix('u').map_or(0, number_length),
            None if rest.starts_with("\r\n") => 2,
            None => first(rest),
        };
        let at = text.span.start + begin + body.len() - rest.len();
        letters.push((said, at..at + length));
        rest = &rest[length..];
        if ends_line {
            rest = without_indent(rest, indent);
        }
    }
    letters
}

fn is_blank(c: char) -> bool {
    is_space(c) || is_newline(c)
}

/// The rest of the text after a `\` that stands for no character: one before blanks, or a mistake.
fn silent(behind: &str) -> Option<&str> {
    if behind.starts_with(is_blank) {
        return Some(behind.trim_start_matches(is_blank));
    }
    match behind.strip_prefix('u') {
        Some(number) => unicode(number).is_none().then_some(number),
        None => {
            let is_escape = behind.starts_with(['n', 'r', 't', 'b', 'f', 's', '"', '\\']);
            let mut chars = behind.chars();
            chars.next().filter(|_| !is_escape)?;
            Some(chars.as_str())
        }
    }
}

/// The length of a character number in braces.
fn number_length(behind: &str) -> usize {
    unicode(behind).map_or(0, |(_, length)| length)
}

/// A line without the indentation of the closing line; a line of blanks alone is an empty line.
fn without_indent<'l>(line: &'l str, indent: &str) -> &'l str {
    let text = line.trim_start_matches(is_space);
    if text.is_empty() || text.starts_with(is_newline) {
        return text;
    }
    line.strip_prefix(indent).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Sink;
    use crate::names::words;
    use crate::source::Source;
    use crate::syntax::{Value, parse};
    use std::sync::Arc;

    /// The bytes that stand for each word of a string.
    fn bytes(string: &str) -> Vec<String> {
        let line = format!("x {string}\n");
        let mut sink = Sink::new(Arc::new(Source::new("", line.as_str())));
        let parsed = parse(&line, &mut sink);
        assert!(!sink.has_errors(), "{string}");
        let Value::Text(text) = &parsed.nodes[0].entries[0].value else {
            panic!("{string} is a text");
        };
        let written = Written::new(text, &line);
        let words = words(&text.value).into_iter();
        words
            .map(|(word, at)| line[written.span(&(at..at + word.len()))].to_owned())
            .collect()
    }

    #[test]
    fn letters_are_found_in_all_kinds_of_strings() {
        for (string, expected) in [
            ("a", &["a"][..]),
            ("\"a bé c\"", &["a", "bé", "c"]),
            ("#\"a \\b\"#", &["a", "\\b"]),
            (
                "\"a\\tb \\u{63}d e\\u{66}\"",
                &["a", "b", "\\u{63}d", "e\\u{66}"],
            ),
            ("\"a\\\n   b \\\n c\"", &["a\\\n   b", "c"]),
            ("\"\"\"\n  a b\n\n   c\n  \"\"\"", &["a", "b", "c"]),
            (
                "\"\"\"\r\n\ta\\sb\r\n\tc \\\r\n  d\r\n    \r\n\t\"\"\"",
                &["a", "b", "c", "d"],
            ),
            (
                "##\"\"\"\n a \\n \"# b\n \"\"\"##",
                &["a", "\\n", "\"#", "b"],
            ),
        ] {
            assert_eq!(bytes(string), expected, "{string}");
        }
    }
}
