//! From text to values with their places, with our own stack instead of recursion.

use crate::code::Code;
use crate::diagnostic::Sink;
use crate::source::char_end;
use crate::syntax::{MAX_NESTING, Span, Text, plain_word, shortened};
use crate::{Said, said};

/// How deep arrays and objects may be nested. A node is in an object and, unless it is the outermost, in an array.
const MAX_LEVELS: usize = 2 * (MAX_NESTING + 1) + 3;

/// A value and its place.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) json: Json,
    pub(crate) span: Span,
}

/// A value in JSON.
#[derive(Debug)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// A number without fraction or exponent.
    Int(i128),
    /// Any other number, with its text.
    Decimal(f64, String),
    Text(Text),
    Array(Vec<Item>),
    Object(Vec<Member>),
    /// Something that already has a diagnostic.
    Bad,
}

/// A member of an object. A name may occur twice; the caller reports it.
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
    /// The members, and the name of the one being read.
    Object(Vec<Member>, Option<Text>),
}

/// Reads a text; `None` if it makes no sense as a whole, and then there is a diagnostic about it.
pub(crate) fn read(text: &str, sink: &mut Sink) -> Option<Item> {
    let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut reader = Reader { text, at, sink };
    let item = reader.item()?;
    reader.skip_blanks();
    if reader.at < text.len() {
        reader.fault_here(
            said!("unexpected text after the end of the JSON value"),
            Some(said!(
                "write only one value in a file: an object or an array"
            )),
        );
        return None;
    }
    Some(item)
}

pub(super) struct Reader<'a, 's> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) sink: &'s mut Sink,
}

impl Reader<'_, '_> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    pub(super) fn fault(&mut self, span: Span, message: Said, help: Option<Said>) {
        self.sink
            .error(Code::Json, span, message)
            .with_perhaps(help);
    }

    pub(super) fn fault_here(&mut self, message: Said, help: Option<Said>) {
        let end = char_end(self.text, self.at).min(self.text.len());
        self.fault(self.at..end.max(self.at), message, help);
    }

    /// Skips blanks and comments; a comment is reported.
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
            let help = said!(
                "use `\"doc\": \"…\"`, which every node may have, or write the document in KDL"
            );
            self.fault(span, said!("JSON has no comments"), Some(help));
        }
    }

    /// A value with everything in it.
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
                        let message = said!("nodes are nested deeper than {}", MAX_NESTING);
                        self.sink
                            .error(Code::TooDeep, start..start + 1, message)
                            .with_help(
                                said!("use fewer levels; if a program wrote this document, check that program"),
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
            // A complete value goes into the array or object around it, which may then be complete, too.
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

    /// Moves to the beginning of the next value, and reads its name in an object. Returns the whole array or object if
    /// it ends here.
    fn next_place(&mut self, open: &mut Vec<Open>, first: bool) -> Option<Option<Item>> {
        let around = open.last_mut()?;
        let (close, what) = match around.items {
            Items::Array(_) => (b']', said!("array")),
            Items::Object(..) => (b'}', said!("object")),
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
                    let message = said!("trailing comma in this {}", what);
                    self.fault(
                        comma..comma + 1,
                        message,
                        Some(said!("remove it: JSON does not allow it")),
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
                let message = said!("this {} is never closed", what);
                self.sink
                    .error(Code::Unclosed, start..start + 1, message)
                    .with_help(said!("add the missing `{}`", char::from(close)));
                return None;
            }
            Some(b']' | b'}') => {
                let message = said!("this bracket does not close the open {}", what);
                let help = said!("close each `{` with `}` and each `[` with `]`");
                self.fault_here(message, Some(help));
                return None;
            }
            Some(b',') => {
                self.fault_here(said!("expected a value before this comma"), None);
                return None;
            }
            Some(found) if !first && !has_comma => {
                let message = said!("missing comma in this {}", what);
                self.fault_here(message, Some(said!("write a comma between two entries")));
                // Otherwise a quote is probably missing further up, and the meaning of the rest is anybody's guess.
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
                    said!("expected the name of a member")
                } else {
                    said!("names of members must be in double quotes")
                };
                let help = (!word.is_empty()).then(|| said!("write `\"{}\": …`", shortened(&word)));
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
        let message = said!("expected `:` after `{}`", shortened(&name.value));
        let is_equals = self.peek() == Some(b'=');
        self.fault_here(message, Some(said!("write a member as `\"name\": value`")));
        if is_equals {
            self.at += 1;
        }
        is_equals.then_some(name)
    }

    pub(super) fn skip_word(&mut self) {
        let ends = |c: char| {
            c.is_whitespace() || matches!(c, ',' | ':' | '[' | ']' | '{' | '}' | '"' | '=')
        };
        let rest = self.rest();
        self.at += rest.find(ends).unwrap_or(rest.len());
    }
}
