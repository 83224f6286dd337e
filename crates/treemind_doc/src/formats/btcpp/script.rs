//! The names in scripts. Scripts themselves are not run yet.

use std::collections::BTreeSet;

/// The names that a script reads or writes.
pub(super) fn names(code: &str) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' => rest[1..].find('\'').map_or(rest.len(), |end| end + 2),
            c if c.is_ascii_digit() => span(rest, |c| c.is_ascii_alphanumeric()),
            c if c.is_alphabetic() || matches!(c, '_' | '@') => {
                let length = 1.max(span(rest, |c| {
                    c.is_alphanumeric() || matches!(c, '_' | '@')
                }));
                let word = &rest[..length];
                if !matches!(word, "true" | "false") {
                    names.insert(word.to_owned());
                }
                length
            }
            c => c.len_utf8(),
        };
        rest = &rest[length..];
    }
    names.into_iter().collect()
}

fn span(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}
