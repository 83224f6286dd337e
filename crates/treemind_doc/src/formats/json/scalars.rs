//! Texts, numbers and words.

use super::reader::{Json, Reader};
use crate::code::Code;
use crate::said;
use crate::syntax::{Text, plain_word, shortened};

impl Reader<'_, '_> {
    pub(super) fn scalar(&mut self) -> Option<Json> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => return self.text_in_quotes().map(Json::Text),
            None => {
                let at = start..start;
                self.fault(
                    at,
                    said!("expected a value, found the end of the text"),
                    None,
                );
                return None;
            }
            Some(b'\'') => {
                let rest = &self.text[start + 1..];
                let end = rest.find(['\'', '\n']).unwrap_or(rest.len());
                self.at = (start + end + 2).min(self.text.len());
                while !self.text.is_char_boundary(self.at) {
                    self.at -= 1;
                }
                let help = said!("use double quotes: JSON has no others");
                self.fault(
                    start..self.at,
                    said!("text must be in double quotes"),
                    Some(help),
                );
                return Some(Json::Bad);
            }
            _ => {}
        }
        self.skip_word();
        if self.at == start {
            self.fault_here(said!("expected a value"), None);
            return None;
        }
        let word = &self.text[start..self.at];
        Some(match word {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            _ => self.number_or_word(start),
        })
    }

    fn number_or_word(&mut self, start: usize) -> Json {
        let word = self.text[start..self.at].to_owned();
        let span = start..self.at;
        if is_number(&word) {
            let is_whole = !word.contains(['.', 'e', 'E']);
            let parsed = match is_whole {
                true => word.parse().ok().map(Json::Int),
                false => {
                    let number = word.parse().ok().filter(|number: &f64| number.is_finite());
                    number.map(|number| Json::Decimal(number, word))
                }
            };
            return parsed.unwrap_or_else(|| {
                self.sink
                    .error(Code::BadNumber, span, said!("this number is too large"));
                Json::Bad
            });
        }
        let short = shortened(&word);
        let begins_as_number = word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        let (message, help) = match word.to_ascii_lowercase().trim_start_matches('#') {
            lower @ ("true" | "false" | "null") => (
                said!("`{}` is not valid JSON", short),
                said!("write `{}`", lower),
            ),
            "none" | "nil" | "undefined" => (
                said!("`{}` is not valid JSON", short),
                said!("write `null` for no value"),
            ),
            "nan" | "inf" | "-inf" | "infinity" | "-infinity" => (
                said!("JSON has no `{}`", short),
                said!("use a finite number"),
            ),
            _ if begins_as_number => (
                said!("`{}` is not a valid number in JSON", short),
                said!(
                    "write a number such as `12`, `-0.5` or `1e3`: without a `+` or zeros in front, and with digits on both sides of the point"
                ),
            ),
            _ => (
                said!("`{}` is not valid JSON", short),
                said!("write text in double quotes"),
            ),
        };
        self.fault(span, message, Some(help));
        Json::Bad
    }

    /// The reader is at the opening quote.
    pub(super) fn text_in_quotes(&mut self) -> Option<Text> {
        let start = self.at;
        self.at += 1;
        let begin = self.at;
        let mut value = String::new();
        let mut is_verbatim = true;
        loop {
            let rest = &self.text[self.at..];
            let stop = rest.find(|c| c == '"' || c == '\\' || c < ' ');
            let Some(stop) = stop else {
                self.unclosed(start);
                return None;
            };
            value.push_str(&rest[..stop]);
            self.at += stop;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    is_verbatim = false;
                    self.escape(&mut value);
                }
                Some(b'\n' | b'\r') => {
                    self.unclosed(start);
                    return None;
                }
                _ => {
                    let help = said!("write a tab inside text as `\\t`");
                    self.fault_here(said!("control character inside text"), Some(help));
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        let bare = plain_word(&value);
        Some(Text {
            value,
            span: start..self.at,
            verbatim: is_verbatim.then_some(begin),
            bare,
        })
    }

    fn unclosed(&mut self, start: usize) {
        self.sink
            .error(
                Code::Unclosed,
                start..start + 1,
                said!("this text is not closed on its line"),
            )
            .with_help(said!(
                "end it with `\"`; write a line break inside text as `\\n`"
            ));
    }

    /// The reader is at a `\`.
    fn escape(&mut self, value: &mut String) {
        let start = self.at;
        self.at += 1;
        let escaped = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => Some(char::from(c)),
            Some(b'b') => Some('\u{8}'),
            Some(b'f') => Some('\u{c}'),
            Some(b'n') => Some('\n'),
            Some(b'r') => Some('\r'),
            Some(b't') => Some('\t'),
            Some(b'u') => {
                self.at += 1;
                match self.code_point() {
                    Some(c) => value.push(c),
                    None => {
                        let help = said!(
                            "write `\\u` and four hexadecimal digits; a character beyond U+FFFF needs two of these escapes"
                        );
                        self.fault(
                            start..self.at,
                            said!("this escape is not a character"),
                            Some(help),
                        );
                    }
                }
                return;
            }
            _ => None,
        };
        match escaped {
            Some(c) => {
                value.push(c);
                self.at += 1;
            }
            None => {
                let help = said!("write a backslash as `\\\\`");
                self.fault(
                    start..start + 1,
                    said!("unknown escape in JSON"),
                    Some(help),
                );
            }
        }
    }

    /// The reader is after `\u`.
    fn code_point(&mut self) -> Option<char> {
        let first = self.four_digits()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        if !self.rest().starts_with("\\u") {
            return None;
        }
        self.at += 2;
        let second = self.four_digits()?;
        let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + low)
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

/// Whether JSON allows this spelling of a number.
pub(crate) fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    are_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(are_digits)
        && exponent.is_none_or(|exponent| {
            are_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))
        })
}
