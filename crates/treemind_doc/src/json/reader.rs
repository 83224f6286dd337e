//! Text to values with their places, with a stack of our own instead of recursion.

use crate::code::Code;
use crate::diagnostic::Sink;
use crate::source::char_end;
use crate::syntax::{MAX_NESTING, Span, Text, plain_word, shortened};

/// How deep arrays and objects may be nested: a node lies in an object and, unless it is the outermost, in an array.
const MAX_LEVELS: usize = 2 * (MAX_NESTING + 1) + 3;

/// A value, and where it stands.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) json: Json,
    pub(crate) span: Span,
}

/// What can stand in JSON.
#[derive(Debug)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// A number without fraction and exponent.
    Int(i128),
    /// Any other number, with its text.
    Decimal(f64, String),
    Text(Text),
    Array(Vec<Item>),
    Object(Vec<Member>),
    /// Something that a diagnostic has been given for.
    Bad,
}

/// A member of an object. Names may come twice; whoever reads them says so.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: Text,
    pub(crate) item: Item,
}

/// An array or object that is open.
struct Open {
    start: usize,
    items: Items,
}

enum Items {
    Array(Vec<Item>),
    /// The members, and the name of the one that is being read.
    Object(Vec<Member>, Option<Text>),
}

/// Reads a text; `None` when it makes no sense as a whole, about which there is a diagnostic then.
pub(crate) fn read(text: &str, sink: &mut Sink) -> Option<Item> {
    let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut reader = Reader { text, at, sink };
    let item = reader.item()?;
    reader.skip_blanks();
    if reader.at < text.len() {
        let message = "something stands behind the end of the JSON text";
        reader.fault_here(
            message,
            "there is one value in a file: one object, or one array",
        );
        return None;
    }
    Some(item)
}

struct Reader<'a, 's> {
    text: &'a str,
    at: usize,
    sink: &'s mut Sink,
}

impl Reader<'_, '_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn fault(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let diagnostic = self.sink.error(Code::Json, span, message);
        if !help.is_empty() {
            diagnostic.with_help(help);
        }
    }

    fn fault_here(&mut self, message: impl Into<String>, help: &str) {
        let end = char_end(self.text, self.at).min(self.text.len());
        self.fault(self.at..end.max(self.at), message, help);
    }

    /// Blanks; a comment is reported, and passed over.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.find(|c| !matches!(c, ' ' | '\t' | '\n' | '\r'));
            self.at += blanks.unwrap_or(rest.len());
            let rest = self.rest();
            let length = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return;
            };
            let span = self.at..self.at + length;
            self.at = span.end;
            let help = "say it in `\"doc\": \"…\"`, which every node may have, or write the document in KDL";
            self.fault(span, "JSON has no comments", help);
        }
    }

    /// A value with all that is in it.
    fn item(&mut self) -> Option<Item> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            if self.sink.is_full() {
                return None;
            }
            self.skip_blanks();
            let start = self.at;
            let mut item = match self.peek() {
                Some(brace @ (b'{' | b'[')) => {
                    if open.len() == MAX_LEVELS {
                        let message = format!("nodes are nested deeper than {MAX_NESTING}");
                        self.sink
                            .error(Code::TooDeep, start..start + 1, message)
                            .with_help(
                                "no character needs that; if a program wrote this document, look there",
                            );
                        return None;
                    }
                    self.at += 1;
                    let items = match brace {
                        b'[' => Items::Array(Vec::new()),
                        _ => Items::Object(Vec::new(), None),
                    };
                    open.push(Open { start, items });
                    match self.next_place(&mut open, true)? {
                        Some(item) => item,
                        None => continue,
                    }
                }
                _ => {
                    let json = self.scalar()?;
                    let span = start..self.at;
                    Item { json, span }
                }
            };
            // What is complete goes into what is open around it, which may be complete by that.
            loop {
                let Some(around) = open.last_mut() else {
                    return Some(item);
                };
                match &mut around.items {
                    Items::Array(items) => items.push(item),
                    Items::Object(members, name) => {
                        members.extend(name.take().map(|name| Member { name, item }));
                    }
                }
                match self.next_place(&mut open, false)? {
                    Some(complete) => item = complete,
                    None => break,
                }
            }
        }
    }

    /// Up to where the next value begins, with its name in an object; or the whole array or object when that is its end.
    fn next_place(&mut self, open: &mut Vec<Open>, first: bool) -> Option<Option<Item>> {
        let around = open.last_mut()?;
        let (close, what) = match around.items {
            Items::Array(_) => (b']', "array"),
            Items::Object(..) => (b'}', "object"),
        };
        self.skip_blanks();
        let comma = self.at;
        let mut has_comma = false;
        if !first && self.peek() == Some(b',') {
            self.at += 1;
            has_comma = true;
            self.skip_blanks();
        }
        match self.peek() {
            Some(found) if found == close => {
                if has_comma {
                    let message = format!("a comma in front of the end of this {what}");
                    self.fault(
                        comma..comma + 1,
                        message,
                        "leave it out: JSON allows none there",
                    );
                }
                self.at += 1;
                let span = around.start..self.at;
                let json = match open.pop()?.items {
                    Items::Array(items) => Json::Array(items),
                    Items::Object(members, _) => Json::Object(members),
                };
                return Some(Some(Item { json, span }));
            }
            None => {
                let start = around.start;
                let message = format!("this {what} is never closed");
                self.sink
                    .error(Code::Unclosed, start..start + 1, message)
                    .with_help(format!("a `{}` is missing", char::from(close)));
                return None;
            }
            Some(b']' | b'}') => {
                let message = format!("this does not close the {what} that is open");
                self.fault_here(message, "each `{` needs its `}` and each `[` its `]`");
                return None;
            }
            Some(b',') => {
                self.fault_here("nothing stands in front of this comma", "");
                return None;
            }
            Some(found) if !first && !has_comma => {
                let message = format!("a comma is missing in this {what}");
                self.fault_here(message, "there is one between two entries");
                // Else it is rather a quote that is missing further up, and what follows is anybody's guess.
                if close == b'}' && found != b'"' {
                    return None;
                }
            }
            Some(_) => {}
        }
        if let Items::Object(_, name) = &mut around.items {
            *name = Some(self.name()?);
        }
        Some(None)
    }

    /// `"name":`
    fn name(&mut self) -> Option<Text> {
        let start = self.at;
        let name = match self.peek() {
            Some(b'"') => self.text_in_quotes()?,
            _ => {
                self.skip_word();
                let word = self.text[start..self.at].trim_matches('\'').to_owned();
                let message = if word.is_empty() {
                    "the name of a member is missing here"
                } else {
                    "names of members stand in double quotes"
                };
                let help = format!("write `\"{}\": …`", shortened(&word));
                let help = if word.is_empty() { "" } else { help.as_str() };
                let end = if word.is_empty() {
                    char_end(self.text, start)
                } else {
                    self.at
                };
                self.fault(start..end, message, help);
                if word.is_empty() {
                    return None;
                }
                let bare = plain_word(&word);
                Text {
                    value: word,
                    span: start..self.at,
                    verbatim: None,
                    bare,
                }
            }
        };
        self.skip_blanks();
        if self.peek() == Some(b':') {
            self.at += 1;
            return Some(name);
        }
        let message = format!("a `:` is missing behind `{}`", shortened(&name.value));
        let is_equals = self.peek() == Some(b'=');
        self.fault_here(message, "a member is written `\"name\": value`");
        if is_equals {
            self.at += 1;
        }
        is_equals.then_some(name)
    }

    fn skip_word(&mut self) {
        let ends = |c: char| {
            c.is_whitespace() || matches!(c, ',' | ':' | '[' | ']' | '{' | '}' | '"' | '=')
        };
        let rest = self.rest();
        self.at += rest.find(ends).unwrap_or(rest.len());
    }

    fn scalar(&mut self) -> Option<Json> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => return self.text_in_quotes().map(Json::Text),
            None => {
                let at = start..start;
                self.fault(at, "there is nothing where a value should stand", "");
                return None;
            }
            Some(b'\'') => {
                let rest = &self.text[start + 1..];
                let end = rest.find(['\'', '\n']).unwrap_or(rest.len());
                self.at = (start + end + 2).min(self.text.len());
                while !self.text.is_char_boundary(self.at) {
                    self.at -= 1;
                }
                let help = "JSON knows double quotes only";
                self.fault(start..self.at, "text stands in double quotes", help);
                return Some(Json::Bad);
            }
            _ => {}
        }
        self.skip_word();
        if self.at == start {
            self.fault_here("a value is missing here", "");
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
                    .error(Code::BadNumber, span, "this number is too large");
                Json::Bad
            });
        }
        let short = shortened(&word);
        let begins_as_number = word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        let (message, help) = match word.to_ascii_lowercase().trim_start_matches('#') {
            lower @ ("true" | "false" | "null") => {
                (format!("`{short}` is not JSON"), format!("write `{lower}`"))
            }
            "none" | "nil" | "undefined" => {
                (format!("`{short}` is not JSON"), "nothing is written `null`".to_owned())
            }
            "nan" | "inf" | "-inf" | "infinity" | "-infinity" => (
                format!("JSON has no `{short}`"),
                "numbers are finite in Treemind, too".to_owned(),
            ),
            _ if begins_as_number => (
                format!("`{short}` is not a number of JSON"),
                "such as `12`, `-0.5` or `1e3`: no `+` in front, no zeros in front, digits on both sides of the point"
                    .to_owned(),
            ),
            _ => (
                format!("`{short}` is not JSON"),
                "text stands in double quotes".to_owned(),
            ),
        };
        self.fault(span, message, &help);
        Json::Bad
    }

    /// The reader stands on the opening quote.
    fn text_in_quotes(&mut self) -> Option<Text> {
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
                    let help = "inside text a tab is written `\\t`";
                    self.fault_here("a control character inside text", help);
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
                "this text is not closed in its line",
            )
            .with_help("end it with `\"`; a line end inside text is written `\\n`");
    }

    /// The reader stands on a `\`.
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
                        let help = "write `\\u` and four hexadecimal digits; what lies beyond U+FFFF is two of them";
                        self.fault(start..self.at, "this is no character", help);
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
                let help = "a backslash is written `\\\\`";
                self.fault(start..start + 1, "JSON has no such escape", help);
            }
        }
    }

    /// Behind `\u`.
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

/// Whether JSON writes a number so.
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
