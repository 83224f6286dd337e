//! Texts in single quotes. A quote in a text is written twice: `'it''s'`.

use std::borrow::Cow;

/// A text as expressions have it.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The text that stands between the quotes.
pub(crate) fn unquoted(inside: &str) -> Cow<'_, str> {
    match inside.contains('\'') {
        true => Cow::Owned(inside.replace("''", "'")),
        false => Cow::Borrowed(inside),
    }
}

/// Where the text ends that begins with the first quote: behind its last quote. `None` if it is not closed.
pub(crate) fn end(rest: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        at += rest[at..].find('\'')? + 1;
        if !rest[at..].starts_with('\'') {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_in_texts() {
        for (rest, length) in [
            ("'a' b", Some(3)),
            ("''", Some(2)),
            ("'', 'b'", Some(2)),
            ("'it''s' + 'b'", Some(7)),
            ("''''", Some(4)),
            ("'a''", None),
            ("'", None),
            ("'''", None),
        ] {
            assert_eq!(end(rest), length, "{rest}");
        }
        for text in ["", "a", "'", "it's", "''", "a'"] {
            let written = quoted(text);
            assert_eq!(end(&written), Some(written.len()), "{written}");
            assert_eq!(unquoted(&written[1..written.len() - 1]), text);
        }
    }
}
