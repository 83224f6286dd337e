//! The names in what a string says, and where its letters stand in the document, whatever escapes and blanks lie
//! between.

use crate::syntax::{Text, is_newline, is_space};
use std::ops::Range;

/// One string: from what it says to where that is written.
pub(super) struct Written<'t> {
    text: &'t Text,
    /// One per character: where it begins in what is said, and the bytes that stand for it. Empty where the string
    /// stands in the document letter by letter.
    letters: Vec<(usize, Range<usize>)>,
}

impl<'t> Written<'t> {
    pub(super) fn new(text: &'t Text, source: &str) -> Self {
        let letters = match text.verbatim {
            Some(_) => Vec::new(),
            None => letters(&source[text.span.clone()], text.span.start),
        };
        Self { text, letters }
    }

    /// The bytes of the document that stand for some of what is said.
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

/// The characters of a string in quotes that stands at `base`.
fn letters(raw: &str, base: usize) -> Vec<(usize, Range<usize>)> {
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    let quotes = if raw[hashes..].starts_with("\"\"\"") {
        3
    } else {
        1
    };
    let begin = hashes + quotes;
    let end = raw.len().saturating_sub(begin).max(begin);
    let body = raw.get(begin..end).unwrap_or("");
    let mut chars: Vec<Letter> = Vec::with_capacity(body.len());
    let mut at = 0;
    while let Some(c) = body[at..].chars().next() {
        let length = if body[at..].starts_with("\r\n") {
            2
        } else {
            c.len_utf8()
        };
        let c = if is_newline(c) && quotes == 3 {
            '\n'
        } else {
            c
        };
        chars.push((base + begin + at..base + begin + at + length, c));
        at += length;
    }
    if quotes == 3 {
        if hashes == 0 {
            chars = joined(&chars);
        }
        chars = dedented(&chars);
    }
    if hashes == 0 {
        chars = unescaped(&chars);
    }
    let mut said = 0;
    let place = |(span, c): (Range<usize>, char)| {
        said += c.len_utf8();
        (said - c.len_utf8(), span)
    };
    chars.into_iter().map(place).collect()
}

type Letter = (Range<usize>, char);

fn is_blank(c: char) -> bool {
    is_space(c) || is_newline(c)
}

/// Without the blanks and line ends behind a `\`, and without that.
fn joined(chars: &[Letter]) -> Vec<Letter> {
    let mut out = Vec::with_capacity(chars.len());
    let mut at = 0;
    while let Some(letter) = chars.get(at) {
        at += 1;
        match chars.get(at) {
            Some((_, c)) if letter.1 == '\\' && is_blank(*c) => {
                at += chars[at..].iter().take_while(|(_, c)| is_blank(*c)).count();
            }
            Some(escaped) if letter.1 == '\\' => {
                out.extend([letter.clone(), escaped.clone()]);
                at += 1;
            }
            _ => out.push(letter.clone()),
        }
    }
    out
}

/// The lines without the first line end, the last line, and the blanks that that begins with.
fn dedented(chars: &[Letter]) -> Vec<Letter> {
    let mut lines: Vec<&[Letter]> = chars.split(|(_, c)| *c == '\n').collect();
    let indent = lines.pop().map_or(0, <[_]>::len);
    let mut out: Vec<Letter> = Vec::with_capacity(chars.len());
    for (number, line) in lines.iter().enumerate().skip(1) {
        if number > 1 {
            let end = out.last().map_or(0, |(span, _)| span.end);
            out.push((end..end, '\n'));
        }
        if !line.iter().all(|(_, c)| is_space(*c)) {
            out.extend_from_slice(&line[indent.min(line.len())..]);
        }
    }
    out
}

fn unescaped(chars: &[Letter]) -> Vec<Letter> {
    let mut out = Vec::with_capacity(chars.len());
    let mut at = 0;
    while let Some((span, c)) = chars.get(at) {
        at += 1;
        if *c != '\\' {
            out.push((span.clone(), *c));
            continue;
        }
        let Some((behind, escape)) = chars.get(at) else {
            break;
        };
        if is_blank(*escape) {
            let blanks = chars[at..].iter();
            at += blanks.take_while(|(_, c)| is_blank(*c)).count();
            continue;
        }
        at += 1;
        let plain = match escape {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{08}',
            'f' => '\u{0C}',
            's' => ' ',
            '"' | '\\' => *escape,
            'u' => {
                let rest = &chars[at..];
                let Some(close) = rest.iter().position(|(_, c)| *c == '}') else {
                    continue;
                };
                let digits: String = rest[..close].iter().skip(1).map(|(_, c)| *c).collect();
                at += close + 1;
                let number = u32::from_str_radix(&digits, 16).ok();
                let Some(c) = number.and_then(char::from_u32) else {
                    continue;
                };
                out.push((span.start..rest[close].0.end, c));
                continue;
            }
            _ => continue,
        };
        out.push((span.start..behind.end, plain));
    }
    out
}

/// The words of a text with where they stand in what it says.
pub(crate) fn words(text: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split_whitespace() {
        let from = at + text[at..].find(word).unwrap_or(0);
        at = from + word.len();
        found.push((word, from));
    }
    found
}

/// The name in `{name}` with where it stands.
pub(crate) fn braced(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let from = inner.len() - inner.trim_start().len();
    Some((inner.trim(), 1 + from))
}

/// The names in braces in the text of a `log`; braces that are meant are doubled.
pub(super) fn logged(text: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find(['{', '}']) {
        at += open;
        let rest = &text[at..];
        if rest.starts_with("{{") || rest.starts_with("}}") {
            at += 2;
            continue;
        }
        let close = rest[1..].find(['{', '}']).map(|close| close + 1);
        match close.filter(|close| rest.starts_with('{') && rest[*close..].starts_with('}')) {
            Some(close) => {
                found.extend(braced(&rest[..=close]).map(|(name, from)| (name, at + from)));
                at += close + 1;
            }
            None => at += 1,
        }
    }
    found
}

/// Whether an event is meant by a pattern: its name, what stands before a point in that, or `*` for all.
pub(crate) fn is_meant(pattern: &str, name: &str) -> bool {
    let stem = pattern.strip_suffix('*').unwrap_or(pattern);
    let stem = stem.strip_suffix('.').unwrap_or(stem);
    if stem.is_empty() {
        return pattern == "*";
    }
    // `fi*` is no pattern: it ends at a point.
    let is_whole = !pattern.ends_with('*') || pattern.ends_with(".*");
    let rest = name.strip_prefix(stem);
    is_whole && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Sink;
    use crate::source::Source;
    use crate::syntax::{Value, parse};
    use std::sync::Arc;

    /// What the bytes are that stand for each word of a string.
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

    #[test]
    fn keys_in_texts_are_found() {
        let names = |text| {
            logged(text)
                .into_iter()
                .map(|(name, at)| (name.to_owned(), at))
                .collect::<Vec<_>>()
        };
        let is = |name: &str, at| (name.to_owned(), at);
        assert_eq!(names("{a} {{b}} { c }"), [is("a", 1), is("c", 12)]);
        assert_eq!(names("{a{b} } {"), [is("b", 3)]);
        assert_eq!(names("é{a}"), [is("a", 3)]);
    }
}
