//! The tokens of expressions.

use crate::syntax::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Int,
    Decimal,
    Word,
    /// Text in single quotes, of which those in it are written twice.
    Str,
    /// Text in single quotes without an end.
    OpenStr,
    /// An operator or bracket, as it is written.
    Sign(&'static str),
    /// A character that is not allowed in expressions.
    Unknown,
    End,
}

/// Longest first, so that `<=` is not read as `<`. Some are operators only in other languages: they are read as one
/// token so that the message can name them.
const SIGNS: [&str; 37] = [
    "..=", "===", "!==", "<=>", "&&", "||", "==", "!=", "<=", ">=", "=<", "=>", "<>", "+=", "-=",
    "*=", "/=", "%=", "..", "<<", ">>", "!", "-", "*", "/", "%", "+", "<", ">", "(", ")", "{", "}",
    ",", ";", "=", ".",
];

/// The token at `at`; `at` moves to its end.
pub(super) fn next(text: &str, at: &mut usize) -> (Token, Span) {
    let rest = &text[*at..];
    *at += rest.len() - rest.trim_start().len();
    let rest = &text[*at..];
    let start = *at;
    let Some(first) = rest.chars().next() else {
        return (Token::End, start..start);
    };
    let (token, length) = if first.is_ascii_digit() {
        number(rest)
    } else if first.is_alphabetic() || first == '_' {
        let length = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        (Token::Word, length)
    } else if first == '\'' {
        match super::quotes::end(rest) {
            Some(end) => (Token::Str, end),
            None => (Token::OpenStr, rest.len()),
        }
    } else {
        match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => (Token::Sign(sign), sign.len()),
            None => (Token::Unknown, first.len_utf8()),
        }
    };
    *at += length;
    (token, start..*at)
}

/// Digits, possibly with a fraction and an exponent; `1..=5` is a number and a range, and not `1.` followed by more.
fn number(rest: &str) -> (Token, usize) {
    let bytes = rest.as_bytes();
    let digits = |mut at: usize| {
        while at < bytes.len() && (bytes[at].is_ascii_digit() || bytes[at] == b'_') {
            at += 1;
        }
        at
    };
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = digits(0);
    let mut token = Token::Int;
    if bytes.get(end) == Some(&b'.') && is_digit(end + 1) {
        end = digits(end + 1);
        token = Token::Decimal;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if is_digit(end + 1 + sign) {
            end = digits(end + 1 + sign);
            token = Token::Decimal;
        }
    }
    (token, end)
}
