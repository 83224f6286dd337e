//! Names inside texts.

use std::ops::Range;

/// The words of a text with their offsets in its value.
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

/// The name in `{name}` with its offset.
pub(crate) fn braced(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let from = inner.len() - inner.trim_start().len();
    Some((inner.trim(), 1 + from))
}

/// A piece of the text of a `log`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LogPiece<'t> {
    Text(&'t str),
    /// A name in braces, and its offset.
    Key(&'t str, usize),
    /// A brace that is not closed or not opened.
    Brace(&'t str),
}

/// Splits the text of a `log` into pieces with their ranges. A doubled brace stands for a brace.
pub(crate) fn log_pieces(text: &str) -> Vec<(Range<usize>, LogPiece<'_>)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let (length, piece) = match rest.find(['{', '}']) {
            None => (rest.len(), LogPiece::Text(rest)),
            Some(0) if rest.starts_with("{{") || rest.starts_with("}}") => {
                (2, LogPiece::Text(&rest[..1]))
            }
            Some(0) => {
                let end = rest[1..].find(['{', '}']).map_or(1, |end| end + 2);
                match braced(&rest[..end]) {
                    Some((name, from)) => (end, LogPiece::Key(name, at + from)),
                    None => (1, LogPiece::Brace(&rest[..1])),
                }
            }
            Some(plain) => (plain, LogPiece::Text(&rest[..plain])),
        };
        pieces.push((at..at + length, piece));
        at += length;
    }
    pieces
}

/// Whether a pattern matches an event: it is the event's name, the part of the name before a dot, or `*` for all.
pub(crate) fn is_meant(pattern: &str, name: &str) -> bool {
    let stem = pattern.strip_suffix('*').unwrap_or(pattern);
    let stem = stem.strip_suffix('.').unwrap_or(stem);
    if stem.is_empty() {
        return pattern == "*";
    }
    // `fi*` is no pattern, because a pattern ends at a dot.
    let is_whole = !pattern.ends_with('*') || pattern.ends_with(".*");
    let rest = name.strip_prefix(stem);
    is_whole && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_logs_fall_into_pieces() {
        let pieces = |text| -> String {
            let pieces = log_pieces(text).into_iter();
            pieces
                .map(|(at, piece)| format!("{}{piece:?} ", at.start))
                .collect()
        };
        let doubled = r#"0Key("a", 1) 3Text("{") 5Text("b") 6Text("}") 8Key("c", 10) "#;
        assert_eq!(pieces("{a}{{b}}{ c }"), doubled);
        let single = r#"0Brace("{") 1Text("a") 2Key("b", 3) 5Brace("}") 6Brace("{") "#;
        assert_eq!(pieces("{a{b}}{"), single);
        assert_eq!(pieces("é{a}{}"), r#"0Text("é") 2Key("a", 3) 5Key("", 6) "#);
    }
}
