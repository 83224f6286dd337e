//! Expressions as they are written in quotes, cut into pieces: for colours and hints, also where they are not correct.

use std::ops::Range;
use treemind_doc::edit::end_of_text;

/// A piece of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A key, function, value or word.
    Word(Range<usize>),
    /// A number.
    Number(Range<usize>),
    /// A text in single quotes.
    Text(Range<usize>),
    /// An operator, bracket or comma.
    Sign(Range<usize>),
}

/// The pieces of an expression whose quotes are in the range, in order.
pub(crate) fn pieces(text: &str, span: Range<usize>) -> Vec<Piece> {
    let mut all = Vec::new();
    let Some(part) = text.get(span.clone()) else {
        return all;
    };
    let mut at = 0;
    while let Some(first) = part[at..].chars().next() {
        let rest = &part[at..];
        let begin = span.start + at;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (length, piece): (usize, fn(Range<usize>) -> Piece) = if first.is_ascii_digit() {
            (number(rest), Piece::Number)
        } else if is_word(first) {
            let end = rest.find(|c| !is_word(c));
            (end.unwrap_or(rest.len()), Piece::Word)
        } else if first == '\'' {
            (end_of_text(rest).unwrap_or(rest.len()), Piece::Text)
        } else {
            let length = first.len_utf8();
            at += length;
            if first == '\\' {
                // What an escape stands for is no word.
                at += part[at..].chars().next().map_or(0, char::len_utf8);
            } else if !first.is_whitespace() && !matches!(first, '"' | '#') {
                all.push(Piece::Sign(begin..begin + length));
            }
            continue;
        };
        all.push(piece(begin..begin + length));
        at += length;
    }
    all
}

/// The length of the number at the beginning of a text; `1..5` is two numbers and a range.
fn number(rest: &str) -> usize {
    let mut end = 0;
    let bytes = rest.as_bytes();
    while let Some(byte) = bytes.get(end) {
        let is_point = *byte == b'.' && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if !byte.is_ascii_alphanumeric() && *byte != b'_' && !is_point {
            break;
        }
        end += 1;
    }
    end
}
