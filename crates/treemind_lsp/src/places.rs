//! Lines and columns of the protocol, names of files as URIs, and the bytes that both stand for.

use gen_lsp_types::{Position, Range, Uri};
use std::ops;
use treemind_doc::edit::Utf16;

/// How a client counts columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

/// The places of a text, as a client counts them.
pub(crate) struct Places<'t> {
    text: &'t str,
    lines: Utf16<'t>,
    encoding: Encoding,
}

impl<'t> Places<'t> {
    pub(crate) fn new(text: &'t str, encoding: Encoding) -> Self {
        Self {
            text,
            lines: Utf16::new(text),
            encoding,
        }
    }

    /// The byte at a position; a column behind the end of its line is the end of the line, and a line behind the last one
    /// the end of the text.
    pub(crate) fn byte(&self, position: Position) -> usize {
        let (line, column) = (position.line as usize, position.character as usize);
        match self.encoding {
            Encoding::Utf16 => self.lines.at_line(line, column),
            Encoding::Utf8 => {
                let start = self.lines.at_line(line, 0);
                let end = self.lines.at_line(line, usize::MAX);
                let at = start.saturating_add(column).min(end);
                (start..=at)
                    .rev()
                    .find(|at| self.text.is_char_boundary(*at))
                    .unwrap_or(start)
            }
        }
    }

    /// The bytes of a range, in order whatever the client says.
    pub(crate) fn bytes(&self, range: Range) -> ops::Range<usize> {
        let start = self.byte(range.start);
        start..self.byte(range.end).max(start)
    }

    pub(crate) fn position(&self, byte: usize) -> Position {
        let (line, column) = self.lines.line_column(byte);
        let column = match self.encoding {
            Encoding::Utf16 => column,
            Encoding::Utf8 => byte.min(self.text.len()) - self.lines.at_line(line, 0),
        };
        let number = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
        Position {
            line: number(line),
            character: number(column),
        }
    }

    pub(crate) fn range(&self, bytes: ops::Range<usize>) -> Range {
        Range {
            start: self.position(bytes.start),
            end: self.position(bytes.end),
        }
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }
}

/// The name of the file of a URI: its path with `/` between the folders; of another scheme, the URI itself.
pub(crate) fn name_of(uri: &Uri) -> String {
    let Some(path) = uri.as_ref().strip_prefix("file://") else {
        return uri.as_ref().to_owned();
    };
    // A host before the path has no meaning here.
    let path = &path[path.find('/').unwrap_or(0)..];
    let path = decoded(path);
    let is_drive = path.as_bytes().get(2) == Some(&b':');
    match cfg!(windows) && is_drive {
        true => path[1..].replace('/', "\\"),
        false => path,
    }
}

/// The URI of a file; of a name that is a URI already, that.
pub(crate) fn uri_of(name: &str) -> Uri {
    let is_uri = name.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    if is_uri {
        return Uri::from(name);
    }
    let path = if cfg!(windows) {
        name.replace('\\', "/")
    } else {
        name.to_owned()
    };
    let mut uri = String::from("file://");
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(char::from(byte))
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from(uri)
}

/// A text in which `%41` stands for a byte.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let hex = behind
            .get(..2)
            .and_then(|two| std::str::from_utf8(two).ok());
        let value = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (first, value) {
            (b'%', Some(value)) => {
                bytes.push(value);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_come_back() {
        for name in ["/a/b c.kdl", "/守/ä%.kdl", "untitled:Untitled-1"] {
            assert_eq!(name_of(&uri_of(name)), name);
        }
        assert_eq!(
            name_of(&Uri::from("file:///a/b%20c%zz.kdl")),
            "/a/b c%zz.kdl"
        );
        assert_eq!(name_of(&Uri::from("file://host/a")), "/a");
    }

    #[test]
    fn columns_are_counted_as_agreed() {
        let text = "tree 守🗡 x\r\nend";
        for (encoding, column) in [(Encoding::Utf8, 12), (Encoding::Utf16, 8)] {
            let places = Places::new(text, encoding);
            let byte = text.find(" x").unwrap();
            assert_eq!(places.position(byte), Position::new(0, column));
            assert_eq!(places.byte(Position::new(0, column)), byte);
            assert_eq!(places.byte(Position::new(0, 99)), text.find('\r').unwrap());
            assert_eq!(places.byte(Position::new(1, 1)), text.find("nd").unwrap());
            assert_eq!(places.byte(Position::new(9, u32::MAX)), text.len());
        }
    }
}
