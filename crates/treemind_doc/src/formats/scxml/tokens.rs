//! The words and signs of expressions.

use super::Trouble;
use crate::code::Code;
use crate::said;
use crate::syntax::{Span, shortened};

/// The place of a script: its first byte, or else the span to blame for everything.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) start: Option<usize>,
    pub(super) whole: Span,
}

impl Place {
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        match self.start {
            Some(start) => start + from..start + to,
            None => self.whole.clone(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Int(i64),
    Double(f64),
    Text(String),
    Word(String),
    Sign(&'static str),
}

/// A token and its place in the text.
pub(super) struct Spot {
    pub(super) token: Token,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// Longer signs come first, so that they are found first.
const SIGNS: [&str; 26] = [
    "===", "!==", "++", "--", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*",
    "/", "%", "(", ")", "[", "]", ".", ",", "?", ":",
];

/// Splits a text into tokens.
pub(super) fn tokens(text: &str, place: &Place) -> Result<Vec<Spot>, Trouble> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let from = at;
        let token = if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        } else if next.is_ascii_digit() || is_fraction(rest) {
            let length = number_length(rest);
            at += length;
            number(&rest[..length], place.span(from, at))?
        } else if is_word(next) {
            let word: String = rest.chars().take_while(|c| is_word(*c)).collect();
            at += word.len();
            Token::Word(word)
        } else if next == '\'' || next == '"' {
            let (said, length) = text_literal(rest, next, place, from)?;
            at += length;
            Token::Text(said)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            at += sign.len();
            Token::Sign(sign)
        } else {
            let span = place.span(from, from + next.len_utf8());
            return Err(not_read(span, &format!("`{next}`")));
        };
        tokens.push(Spot {
            token,
            from,
            to: at,
        });
    }
    Ok(tokens)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn is_fraction(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('.') && chars.next().is_some_and(|c| c.is_ascii_digit())
}

fn number_length(text: &str) -> usize {
    let mut before = ' ';
    text.find(|c: char| {
        let is_sign_of_power = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
        before = c;
        !(c.is_ascii_alphanumeric() || c == '.' || is_sign_of_power)
    })
    .unwrap_or(text.len())
}

fn number(text: &str, span: Span) -> Result<Token, Trouble> {
    if let Ok(int) = text.parse::<i64>() {
        return Ok(Token::Int(int));
    }
    let is_plain = text
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    match text.parse::<f64>() {
        Ok(double) if is_plain && double.is_finite() => Ok(Token::Double(double)),
        _ => {
            let message = said!("`{}` is not a valid number", shortened(text));
            Err(Trouble::new(Code::ExpressionSyntax, span, message))
        }
    }
}

/// The text of a literal, and how many bytes it takes with its quotes.
fn text_literal(
    text: &str,
    quote: char,
    place: &Place,
    from: usize,
) -> Result<(String, usize), Trouble> {
    let mut said = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c == quote => return Ok((said, at + 1)),
            '\\' => match chars.next() {
                Some((_, 'n')) => said.push('\n'),
                Some((_, 't')) => said.push('\t'),
                Some((_, 'r')) => said.push('\r'),
                Some((_, sign @ ('\'' | '"' | '\\' | '/'))) => said.push(sign),
                Some((_, other)) => {
                    let span = place.span(from + at, from + at + 1 + other.len_utf8());
                    return Err(not_read(span, &format!("`\\{other}`")));
                }
                None => break,
            },
            c => said.push(c),
        }
    }
    let message = said!("this text is never closed: missing `{}`", quote);
    let span = place.span(from, from + text.len());
    Err(Trouble::new(Code::ExpressionSyntax, span, message))
}

/// The problem that no expression has such a part, or no expression that is supported.
pub(super) fn not_read(span: Span, what: &str) -> Trouble {
    let message = said!("{} is not supported in expressions", what);
    Trouble::new(Code::NotYet, span, message).with_help(
        said!("use numbers, texts, `true`, `false`, variables, arithmetic, comparisons, `&&`, `||`, `!`, `? :`, `In('state')`, `_event` and functions of `Math`"),
    )
}
