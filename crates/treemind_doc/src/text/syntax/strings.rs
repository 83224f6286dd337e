//! Strings in quotes, raw strings, strings of several lines, and the words that begin with `#`.

use super::chars::{is_newline, is_space, is_word};
use super::lexer::{Lexer, shortened};
use super::{Span, Text, Value};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use std::borrow::Cow;

/// A value that begins with `"` or `#`.
pub(super) fn quoted_or_keyword(lexer: &mut Lexer<'_>, sink: &mut Sink) -> Value {
    let start = lexer.at;
    lexer.skip_while(|c| c == '#');
    let hashes = lexer.at - start;
    if lexer.rest().starts_with("\"\"\"") {
        return several_lines(lexer, start, hashes, sink);
    }
    if lexer.peek() == Some('"') {
        return one_line(lexer, start, hashes, sink);
    }
    lexer.skip_while(is_word);
    let word = &lexer.text[start..lexer.at];
    match word {
        "#true" => return Value::Bool(true),
        "#false" => return Value::Bool(false),
        "#null" => return Value::Null,
        "#inf" => return Value::Decimal(f64::INFINITY, "inf".to_owned()),
        "#-inf" => return Value::Decimal(f64::NEG_INFINITY, "-inf".to_owned()),
        "#nan" => return Value::Decimal(f64::NAN, "nan".to_owned()),
        _ => {}
    }
    sink.error(
        Code::Syntax,
        start..lexer.at,
        said!("unknown keyword `{}`", shortened(word)),
    )
    .with_help(said!(
        "use one of `{}`, `{}`, `{}`, `#inf`, `#-inf` and `#nan`, or begin a comment with `//`",
        "#true",
        "#false",
        "#null"
    ));
    Value::Bad
}

/// The reader is at the opening quote.
fn one_line(lexer: &mut Lexer<'_>, start: usize, hashes: usize, sink: &mut Sink) -> Value {
    lexer.at += 1;
    let begin = lexer.at;
    let end = loop {
        match lexer.peek() {
            Some('"') => {
                lexer.at += 1;
                if closing_hashes(lexer, hashes) {
                    break lexer.at - 1 - hashes;
                }
            }
            Some('\\') if hashes == 0 => {
                lexer.at += 1;
                skip_escaped(lexer);
            }
            Some(c) if !is_newline(c) => lexer.at += c.len_utf8(),
            _ => {
                let quote = start..(begin);
                // It may have swallowed anything, and diagnostics for the rest would only hide this mistake.
                lexer.whole &= !lexer.text[begin..lexer.at].contains(['{', '}', ';', '=', '"']);
                sink.error(Code::Unclosed, quote, said!("this string is not closed on its line"))
                    .with_help(said!("end it with the same quotes, or write text of several lines between two `\"\"\"`, each on its own line"));
                return Value::Bad;
            }
        }
    };
    let body = &lexer.text[begin..end];
    let escaped = hashes == 0 && body.contains('\\');
    let value = if escaped {
        unescape(body, begin, sink)
    } else {
        body.to_owned()
    };
    Value::Text(Text {
        value,
        span: start..lexer.at,
        verbatim: (!escaped).then_some(begin),
        bare: false,
    })
}

fn closing_hashes(lexer: &mut Lexer<'_>, hashes: usize) -> bool {
    let rest = lexer.rest().as_bytes();
    let found = rest.iter().take(hashes).take_while(|b| **b == b'#').count();
    if found == hashes {
        lexer.at += hashes;
    }
    found == hashes
}

/// After a `\`: one character, or all spaces and line ends.
fn skip_escaped(lexer: &mut Lexer<'_>) {
    match lexer.peek() {
        Some(c) if is_space(c) || is_newline(c) => {
            lexer.skip_while(|c| is_space(c) || is_newline(c));
        }
        Some(c) => lexer.at += c.len_utf8(),
        None => {}
    }
}

/// The reader is at the opening `"""`.
fn several_lines(lexer: &mut Lexer<'_>, start: usize, hashes: usize, sink: &mut Sink) -> Value {
    lexer.at += 3;
    let opening = start..lexer.at;
    if !lexer.skip_newline() {
        // Up to the closing quotes if they are in this line, otherwise to its end.
        while let Some(c) = lexer.peek().filter(|c| !is_newline(*c)) {
            if lexer.rest().starts_with("\"\"\"") {
                lexer.at += 3;
                break;
            }
            lexer.at += c.len_utf8();
        }
        closing_hashes(lexer, hashes);
        sink.error(
            Code::Syntax,
            opening,
            said!("text must begin on the line after `\"\"\"`"),
        )
        .with_help(said!(
            "use one quote on each side for text on one line: `\"…\"`"
        ));
        return Value::Bad;
    }
    let begin = lexer.at;
    let end = loop {
        let rest = lexer.rest();
        let Some(at) = rest.find(['"', '\\']) else {
            lexer.at = lexer.text.len();
            lexer.whole = false;
            sink.error(Code::Unclosed, opening, said!("this text is never closed"))
                .with_help(said!("end it with `\"\"\"` on its own line"));
            return Value::Bad;
        };
        lexer.at += at;
        if lexer.peek() == Some('\\') {
            lexer.at += 1;
            if hashes == 0 {
                skip_escaped(lexer);
            }
        } else if lexer.rest().starts_with("\"\"\"") {
            lexer.at += 3;
            if closing_hashes(lexer, hashes) {
                break lexer.at - 3 - hashes;
            }
            // One quote at a time, so that `""""#` still ends with its last three quotes.
            lexer.at -= 2;
        } else {
            lexer.at += 1;
        }
    };
    let body = &lexer.text[begin..end];
    let span = start..lexer.at;
    let body = if hashes == 0 {
        joined(body)
    } else {
        Cow::Borrowed(body)
    };
    let value = match dedented(&body, span.clone(), sink) {
        Some(value) if hashes == 0 && value.contains('\\') => unescape(&value, start, sink),
        Some(value) => value,
        None => return Value::Bad,
    };
    Value::Text(Text {
        value,
        span,
        verbatim: None,
        bare: false,
    })
}

/// The text with lines joined that end with a `\`. This comes before all checks of indentation.
fn joined(body: &str) -> Cow<'_, str> {
    let mut out = String::new();
    // The position after the text in `out`, and the position from which to search for a backslash.
    let (mut rest, mut from) = (body, 0);
    while let Some(at) = rest[from..].find('\\').map(|at| at + from) {
        let behind = &rest[at + 1..];
        match behind.chars().next() {
            Some(c) if is_space(c) || is_newline(c) => {
                out.push_str(&rest[..at]);
                rest = behind.trim_start_matches(|c| is_space(c) || is_newline(c));
                from = 0;
            }
            Some(c) => from = at + 1 + c.len_utf8(),
            None => break,
        }
    }
    if rest.len() == body.len() {
        return Cow::Borrowed(body);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The lines without the spaces that the closing line begins with.
fn dedented(body: &str, span: Span, sink: &mut Sink) -> Option<String> {
    let unified = body.replace("\r\n", "\n");
    let mut lines: Vec<&str> = unified.split(is_newline).collect();
    let indent = lines.pop().unwrap_or_default();
    if !indent.chars().all(is_space) {
        sink.error(
            Code::Syntax,
            span,
            said!("the closing `\"\"\"` must be on its own line"),
        );
        return None;
    }
    let mut out = String::with_capacity(unified.len());
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if line.chars().all(is_space) {
            // Spaces alone are an empty line, whatever their number.
        } else if let Some(line) = line.strip_prefix(indent) {
            out.push_str(line);
        } else {
            sink.error(
                Code::Syntax,
                span,
                said!("a line of this text is indented less than its closing `\"\"\"`"),
            )
            .with_help(said!("indent each line at least as far as the closing `\"\"\"`: its indentation is removed from every line"));
            return None;
        }
    }
    Some(out)
}

/// Resolves escapes; `base` is where the body begins, for the spans of invalid ones.
fn unescape(body: &str, base: usize, sink: &mut Sink) -> String {
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let offset = base + (body.len() - rest.len()) + at;
        rest = &rest[at + 1..];
        let Some(c) = rest.chars().next() else {
            break;
        };
        if is_space(c) || is_newline(c) {
            rest = rest.trim_start_matches(|c| is_space(c) || is_newline(c));
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'b' => out.push('\u{08}'),
            'f' => out.push('\u{0C}'),
            's' => out.push(' '),
            '"' | '\\' => out.push(c),
            'u' => {
                match unicode(rest) {
                    Some((c, length)) => {
                        out.push(c);
                        rest = &rest[length..];
                    }
                    None => {
                        sink.error(
                        Code::Syntax,
                        offset..offset + 2,
                        said!("`\\u` needs the number of a character in braces, such as `\\u{1F3F0}`"),
                    );
                    }
                }
            }
            _ => {
                sink.error(
                    Code::Syntax,
                    offset..offset + 1 + c.len_utf8(),
                    said!("unknown escape `\\{}`", c),
                )
                .with_help(said!("write a backslash as `\\\\`"));
            }
        }
    }
    out.push_str(rest);
    out
}

/// `{1F3F0}`, and its length.
pub(crate) fn unicode(rest: &str) -> Option<(char, usize)> {
    let inner = rest.strip_prefix('{')?;
    let close = inner.bytes().take(7).position(|b| b == b'}')?;
    let number = &inner[..close];
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let c = char::from_u32(u32::from_str_radix(number, 16).ok()?)?;
    Some((c, close + 2))
}
