//! Splits text into tokens. Whatever the text is, every token takes at least one character, so reading always ends.

use super::chars::{is_newline, is_space, is_word};
use super::strings;
use super::{Span, Text, Value};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum TokenKind {
    /// Spaces, comments between `/*` and `*/`, and line ends after a `\`.
    Space,
    /// The end of a line, with the comment before it.
    Newline,
    Semicolon,
    Open,
    Close,
    LeftParen,
    RightParen,
    Equals,
    /// `/-`, which disables what follows.
    Slashdash,
    /// Anything that can be an entry; texts can also be names.
    Value(Value),
    End,
}

/// The state of the lexer.
pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// False if a comment or string has swallowed the rest of the document.
    pub(super) whole: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Self {
            text,
            at,
            whole: true,
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !keep(c)).unwrap_or(rest.len());
    }

    /// Skips one line end.
    pub(super) fn skip_newline(&mut self) -> bool {
        let Some(c) = self.peek().filter(|c| is_newline(*c)) else {
            return false;
        };
        self.at += if self.rest().starts_with("\r\n") {
            2
        } else {
            c.len_utf8()
        };
        true
    }

    pub(super) fn next(&mut self, sink: &mut Sink) -> Token {
        let start = self.at;
        let kind = self.next_kind(sink);
        Token {
            kind,
            span: start..self.at,
        }
    }

    fn next_kind(&mut self, sink: &mut Sink) -> TokenKind {
        let start = self.at;
        let Some(c) = self.peek() else {
            return TokenKind::End;
        };
        let single = match c {
            ';' => Some(TokenKind::Semicolon),
            '{' => Some(TokenKind::Open),
            '}' => Some(TokenKind::Close),
            '(' => Some(TokenKind::LeftParen),
            ')' => Some(TokenKind::RightParen),
            '=' => Some(TokenKind::Equals),
            _ => None,
        };
        if let Some(kind) = single {
            self.at += 1;
            return kind;
        }
        if is_newline(c) {
            self.skip_newline();
            return TokenKind::Newline;
        }
        if self.rest().starts_with("//") {
            self.skip_while(|c| !is_newline(c));
            self.skip_newline();
            return TokenKind::Newline;
        }
        if self.rest().starts_with("/-") {
            self.at += 2;
            return TokenKind::Slashdash;
        }
        if self.skip_space(sink) {
            return TokenKind::Space;
        }
        if c == '"' || c == '#' {
            return TokenKind::Value(strings::quoted_or_keyword(self, sink));
        }
        if is_word(c) {
            return TokenKind::Value(self.word(sink));
        }
        // A lone `\`, `/`, `[` or `]`: one diagnostic for the whole unreadable run.
        self.skip_while(|c| matches!(c, '\\' | '/' | '[' | ']') || is_word(c));
        let help = match c {
            '\\' => said!("use `\\` only at the end of a line, to continue on the next line"),
            '/' => said!("begin a comment with `//`, or write it between `/*` and `*/`"),
            _ => said!("write text with such characters in quotes"),
        };
        sink.error(Code::Syntax, start..self.at, said!("unexpected `{}`", c))
            .with_help(help);
        TokenKind::Value(Value::Bad)
    }

    /// Spaces, block comments and escaped line ends.
    fn skip_space(&mut self, sink: &mut Sink) -> bool {
        let start = self.at;
        loop {
            let before = self.at;
            self.skip_while(is_space);
            if self.rest().starts_with("/*") {
                self.block_comment(sink);
            } else if self.peek() == Some('\\') {
                self.escaped_line_end(sink);
            }
            if self.at == before {
                return self.at > start;
            }
        }
    }

    pub(super) fn block_comment(&mut self, sink: &mut Sink) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut depth = 0usize;
        while self.at < bytes.len() {
            match &bytes[self.at..] {
                [b'/', b'*', ..] => {
                    depth += 1;
                    self.at += 2;
                }
                [b'*', b'/', ..] => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        self.whole = false;
        sink.error(
            Code::Unclosed,
            start..start + 2,
            said!("this comment is never closed"),
        )
        .with_help(said!(
            "end it with `*/`; comments nest, so each `/*` needs its own `*/`"
        ));
    }

    /// `\`, spaces and possibly a comment, and a line end; does nothing if the text is something else.
    fn escaped_line_end(&mut self, sink: &mut Sink) {
        let start = self.at;
        self.at += 1;
        loop {
            self.skip_while(is_space);
            if !self.rest().starts_with("/*") {
                break;
            }
            self.block_comment(sink);
        }
        if self.rest().starts_with("//") {
            self.skip_while(|c| !is_newline(c));
        }
        if !self.skip_newline() && self.at < self.text.len() {
            self.at = start;
        }
    }

    /// A number or a name without quotes.
    fn word(&mut self, sink: &mut Sink) -> Value {
        let start = self.at;
        self.skip_while(is_word);
        let word = &self.text[start..self.at];
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        let digits = digits.strip_prefix('.').unwrap_or(digits);
        if digits.starts_with(|c: char| c.is_ascii_digit()) {
            // A comma before another number may be a decimal point; otherwise it separates something.
            let (head, tail) = word.split_once(',').unwrap_or((word, "0"));
            if !tail.starts_with(|c: char| c.is_ascii_digit()) {
                self.at = start + head.len();
                return number(head, start..self.at, sink);
            }
            return number(word, start..self.at, sink);
        }
        let meant = match word {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" | "inf" | "-inf" | "nan" => Some(Value::Bad),
            _ => None,
        };
        if let Some(value) = meant {
            sink.error(
                Code::BareKeyword,
                start..self.at,
                said!("`{}` needs a `#` before it", word),
            )
            .with_help(said!("write `#{}`", word));
            return value;
        }
        Value::Text(Text {
            value: word.to_owned(),
            span: start..self.at,
            verbatim: Some(start),
            bare: true,
        })
    }
}

fn number(word: &str, span: Span, sink: &mut Sink) -> Value {
    let (negative, digits) = match word.as_bytes() {
        [b'-', ..] => (true, &word[1..]),
        [b'+', ..] => (false, &word[1..]),
        _ => (false, word),
    };
    let radix = match digits.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    let body = if radix == 10 { digits } else { &digits[2..] };
    let plain: String = body.chars().filter(|c| *c != '_').collect();
    let begins_with_digits = |part: &str| !part.starts_with('_');
    let mut parts = body.split(['.', 'e', 'E', '+', '-']);
    let well_formed = !plain.is_empty()
        && if radix == 10 {
            parts.all(begins_with_digits)
        } else {
            begins_with_digits(body)
        };
    if well_formed && plain.chars().all(|c| c.is_digit(radix)) {
        if let Ok(value) = i128::from_str_radix(&plain, radix) {
            return Value::Int(if negative { -value } else { value });
        }
        sink.error(Code::BadNumber, span, said!("this number is too large"));
        return Value::Bad;
    }
    if well_formed && radix == 10 && is_decimal(&plain) {
        let signed = if negative { format!("-{plain}") } else { plain };
        if let Ok(value) = signed.parse::<f64>() {
            if value.is_finite() {
                return Value::Decimal(value, signed);
            }
            sink.error(Code::BadNumber, span, said!("this number is too large"));
            return Value::Bad;
        }
    }
    let help = if let Some(meant) = without_unit(word) {
        said!(
            "write a number without a unit; times are in seconds: `{}`",
            meant
        )
    } else if word.contains(',') {
        said!("use a point as the decimal separator: `0.5`")
    } else if digits.starts_with('.') {
        said!("write a zero before the decimal point: `0.5`")
    } else {
        said!(
            "write a name that begins with a digit in quotes, and separate two values with a space"
        )
    };
    sink.error(
        Code::Syntax,
        span,
        said!("`{}` is not a number", shortened(word)),
    )
    .with_help(help);
    Value::Bad
}

/// Reports a comma between values or properties.
pub(crate) fn no_comma(span: Span, sink: &mut Sink) {
    sink.error(Code::ExtraValue, span, said!("unexpected comma"))
        .with_help(said!(
            "remove it: KDL separates values and properties with spaces"
        ));
}

/// A time with a unit after it, in seconds.
pub(crate) fn without_unit(word: &str) -> Option<String> {
    const UNITS: [(&str, f64); 11] = [
        ("ms", 0.001),
        ("s", 1.0),
        ("sec", 1.0),
        ("secs", 1.0),
        ("second", 1.0),
        ("seconds", 1.0),
        ("m", 60.0),
        ("min", 60.0),
        ("minutes", 60.0),
        ("h", 3600.0),
        ("hours", 3600.0),
    ];
    let at = word.find(|c: char| c.is_ascii_alphabetic())?;
    let (digits, unit) = word.split_at(at);
    let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let number: f64 = digits.replace('_', "").parse().ok()?;
    Some(format!("{:?}", number * factor)).filter(|_| number.is_finite())
}

/// `1.5`, `1e9`, `1.5e-3`: digits on both sides of the point.
fn is_decimal(plain: &str) -> bool {
    let (mantissa, exponent) = match plain.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (plain, None),
    };
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some((whole, fraction)) => all_digits(whole) && all_digits(fraction),
        None => all_digits(mantissa),
    };
    mantissa_fits
        && exponent.is_none_or(|exponent| {
            all_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))
        })
}

/// The beginning of a text that may be long.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut chars = text.chars();
    let mut short: String = chars.by_ref().take(MOST).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}
