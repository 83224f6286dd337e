//! The character classes of KDL 2.0.

/// Ends a line. A carriage return and a line feed together are one line end, which the lexer handles.
pub(crate) fn is_newline(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{85}' | '\u{0B}' | '\u{0C}' | '\u{2028}' | '\u{2029}'
    )
}

/// Space within a line.
pub(crate) fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

/// Forbidden in documents: control characters, and characters that change the direction of the text.
pub(super) fn is_forbidden(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{08}'
            | '\u{0E}'..='\u{1F}'
            | '\u{7F}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}'
            | '\u{FEFF}'
    )
}

/// May stand in a name without quotes.
pub(crate) fn is_word(c: char) -> bool {
    !matches!(
        c,
        '\\' | '/' | '(' | ')' | '{' | '}' | '[' | ']' | ';' | '"' | '#' | '='
    ) && !is_space(c)
        && !is_newline(c)
}
