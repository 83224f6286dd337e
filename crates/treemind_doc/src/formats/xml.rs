//! A first scan of XML before it is parsed. It refuses text that would take more than linear time, and constructs that
//! are never read. This module also words the problems of XML.

use crate::code::Code;
use crate::diagnostic::Sink;
use crate::source::char_end;
use crate::syntax::{Span, shortened};
use crate::{Said, said};
use roxmltree::Error;

/// The differences between one XML language and the next.
pub(crate) struct Dialect {
    /// What its documents are called: `files of BehaviorTree.CPP`.
    pub(crate) documents: fn() -> Said,
    /// How they begin.
    pub(crate) beginning: &'static str,
    /// How many namespaces they may declare.
    pub(crate) namespaces: usize,
}

/// How many bytes a document may have.
const MAX_BYTES: usize = 16 << 20;

/// How many attributes an element may have; the reader compares each with all others.
const MAX_ATTRIBUTES: usize = 256;

/// The part of a text between elements that is not white space, if there is any.
pub(crate) fn visible_part(whole: &str, text: Span) -> Option<Span> {
    let written = &whole[text.clone()];
    let begin = written.find(|c: char| !c.is_whitespace())?;
    Some(text.start + begin..text.start + written.trim_end().len())
}

/// The result of a scan.
pub(crate) struct Scanned {
    /// The tag of the innermost element that is not closed.
    unclosed: Option<Span>,
    /// Where an element begins after the one around everything.
    second: Option<usize>,
}

/// Scans the text; `None` if it is refused.
pub(crate) fn scan(text: &str, dialect: &Dialect, sink: &mut Sink) -> Option<Scanned> {
    if text.len() > MAX_BYTES {
        let bytes = text.len();
        let message = said!(
            "the document has {} bytes, and the limit is {}",
            bytes,
            MAX_BYTES
        );
        sink.error(Code::TooLarge, 0..0, message)
            .with_help(said!("split it into several files"));
        return None;
    }
    let mut open: Vec<Span> = Vec::new();
    let (mut has_root, mut second) = (false, None);
    let mut namespaces = dialect.namespaces;
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let rest = &text[start..];
        let behind = |begin: usize, end: &str| {
            let found = rest[begin..].find(end);
            found.map_or(text.len(), |length| start + begin + length + end.len())
        };
        if rest.starts_with("<!--") {
            at = behind(4, "-->");
        } else if rest.starts_with("<![CDATA[") {
            at = behind(9, "]]>");
        } else if rest.starts_with("<?") {
            at = behind(2, "?>");
        } else if rest.starts_with("<!") {
            at = start + doctype(rest, start, dialect, sink)?;
        } else {
            let tag = tag(text, start, dialect, &mut namespaces);
            if let Some((span, code, message)) = tag.refused {
                sink.error(code, span, message);
                return None;
            }
            if rest.starts_with("</") {
                open.pop();
                at = tag.end;
                continue;
            }
            if open.is_empty() && std::mem::replace(&mut has_root, true) && second.is_none() {
                second = Some(start);
            }
            if !tag.is_closed {
                open.push(start..tag.end);
            }
            at = tag.end;
        }
    }
    Some(Scanned {
        unclosed: open.pop(),
        second,
    })
}

/// Reports a declaration of the document's type, and returns its length; `None` if it is refused.
fn doctype(text: &str, start: usize, dialect: &Dialect, sink: &mut Sink) -> Option<usize> {
    let length = crate::text::harmless_doctype(text);
    if length.is_none() {
        let message = said!("declarations of entities and of parts of documents are not supported");
        sink.error(Code::Xml, start..start + 2, message)
            .with_help(said!("remove them: {} need none", (dialect.documents)()));
        return None;
    }
    let help = said!("remove it: {} need none", (dialect.documents)());
    let message = said!("the declaration of the document's type is not read");
    sink.warning(Code::Xml, start..start + 9, message)
        .with_help(help);
    length
}

/// Parses a text that was scanned: it declares no entities.
pub(crate) fn document(text: &str) -> Result<roxmltree::Document<'_>, Error> {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    roxmltree::Document::parse_with_options(text, options)
}

/// A text as [`document`] can read it.
#[cfg(all(feature = "btcpp", feature = "convert"))]
pub(crate) fn readable(text: &str) -> std::borrow::Cow<'_, str> {
    match crate::text::Mended::of(text) {
        Some(mended) if document(&mended.text).is_ok() => mended.text.into(),
        _ => text.into(),
    }
}

/// How deep elements are nested, and one of the deepest elements.
pub(crate) fn depth<'a, 'd>(
    document: &'a roxmltree::Document<'d>,
) -> (usize, Option<roxmltree::Node<'a, 'd>>) {
    let mut depths: Vec<usize> = Vec::new();
    let (mut most, mut deepest) = (0, None);
    for node in document.descendants() {
        // Parents come before their children.
        let parent = node
            .parent()
            .map_or(0, |parent| depths[parent.id().get_usize()]);
        let index = node.id().get_usize();
        if depths.len() <= index {
            depths.resize(index + 1, 0);
        }
        depths[index] = parent + 1;
        if node.is_element() && depths[index] > most {
            (most, deepest) = (depths[index], Some(node));
        }
    }
    (most, deepest)
}

struct Tag {
    end: usize,
    is_closed: bool,
    refused: Option<(Span, Code, Said)>,
}

/// The tag that begins at `start`, up to its `>` or the end of the text.
fn tag(text: &str, start: usize, dialect: &Dialect, namespaces: &mut usize) -> Tag {
    let bytes = text.as_bytes();
    let (mut quote, mut attributes, mut is_name) = (None, 0, false);
    let mut tag = Tag {
        end: text.len(),
        is_closed: false,
        refused: None,
    };
    for at in start + 1..bytes.len() {
        let byte = bytes[at];
        if let Some(end) = quote {
            if byte == end {
                quote = None;
            }
            continue;
        }
        match byte {
            b'"' | b'\'' => quote = Some(byte),
            b'=' => attributes += 1,
            b'>' => {
                tag.is_closed = bytes[at - 1] == b'/';
                tag.end = at + 1;
                break;
            }
            b'x' if is_name && text[at..].starts_with("xmlns") => {
                if *namespaces == 0 {
                    let message = match dialect.namespaces {
                        0 => said!(
                            "XML namespaces are not supported in {}",
                            (dialect.documents)()
                        ),
                        most => said!("a document can declare at most {} XML namespaces", most),
                    };
                    tag.refused = Some((at..at + 5, Code::Xml, message));
                    break;
                }
                *namespaces -= 1;
            }
            _ => {}
        }
        if attributes > MAX_ATTRIBUTES {
            let message = said!("an element can have at most {} attributes", MAX_ATTRIBUTES);
            tag.refused = Some((start..start + 1, Code::TooLarge, message));
            break;
        }
        is_name = byte.is_ascii_whitespace();
    }
    tag
}

/// Reports what keeps the text from being XML.
pub(crate) fn report(
    error: &Error,
    text: &str,
    (scanned, dialect): (&Scanned, &Dialect),
    sink: &mut Sink,
) {
    let position = error.pos();
    let at = offset(text, position.row, position.col);
    let mut span = at..char_end(text, at).min(text.len());
    let mut help = None;
    let message = match error {
        Error::NoRootNode => {
            span = 0..0;
            help = Some(said!("begin the document with `{}`", dialect.beginning));
            said!("there is no element in this document")
        }
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            if let Some(unclosed) = &scanned.unclosed {
                span = unclosed.clone();
            }
            said!("this element is never closed")
        }
        Error::UnexpectedCloseTag(expected, actual, _) => {
            help = Some(said!(
                "end each element with a tag of its own name, or with `/>`"
            ));
            said!(
                "expected `</{}>`, found `</{}>`",
                shortened(expected),
                shortened(actual)
            )
        }
        Error::DuplicatedAttribute(name, _) => {
            said!("`{}` is set twice on the same element", shortened(name))
        }
        Error::InvalidChar2("a quote", ..) => {
            help = Some(said!("write the value of an attribute in quotes"));
            said!("missing quote")
        }
        Error::InvalidAttributeValue(_) | Error::InvalidChar(b'"' | b'\'', b'<', _) => {
            help = Some(said!("write `&lt;` inside a value"));
            said!("unexpected `<` in the value of an attribute")
        }
        Error::MalformedEntityReference(_) => {
            help = Some(said!("write `&amp;` for the character itself"));
            said!("this `&` does not begin an entity of XML")
        }
        Error::UnknownEntityReference(name, _) => {
            help = Some(said!("use `&lt;`, `&gt;`, `&amp;`, `&quot;` or `&apos;`"));
            said!("unknown entity `&{};`", shortened(name))
        }
        Error::InvalidComment(_) => {
            help = Some(said!(
                "write `- -` or another character: XML ends a comment at its first `--`"
            ));
            said!("`--` may not stand inside a comment of XML")
        }
        Error::UnknownNamespace(prefix, _) => {
            let prefix = shortened(prefix);
            help = Some(said!(
                "leave out the prefix and the `:`, or declare it in the first element: `xmlns:{}=\"…\"`",
                prefix
            ));
            said!("unknown namespace prefix `{}:`", prefix)
        }
        // The reader stops at the first of them.
        Error::UnknownToken(_) if scanned.second == Some(at) => {
            help = Some(said!("a document of XML has one element around everything"));
            said!("a second element around everything")
        }
        other => {
            let said = other.to_string();
            let end = said.rfind(" at ").unwrap_or(said.len());
            said!("this is not valid XML: {}", shortened(&said[..end]))
        }
    };
    sink.error(Code::Xml, span, message).with_perhaps(help);
}

/// The byte offset of a line and a column, both from 1.
fn offset(text: &str, row: u32, column: u32) -> usize {
    let line = text
        .split_inclusive('\n')
        .take(row.saturating_sub(1) as usize);
    let start: usize = line.map(str::len).sum();
    let column = column.saturating_sub(1) as usize;
    let found = text[start..].char_indices().nth(column);
    found.map_or(text.len(), |(length, _)| start + length)
}
