//! XML that has `<`, `&` and line breaks in values as they are, or `--` in comments. tinyxml2 reads them as themselves, so
//! files have them; the library that reads XML here refuses them, or makes blanks of them.

use super::code::Code;
use super::diagnostic::Sink;
use super::doctype::harmless_doctype;
use super::syntax::{self, Node, Span};
use crate::said;
use std::sync::Arc;

/// A text in which these characters are written as entities, and lines of `-` in comments as lines of `=`. Line breaks and
/// tabs in values are entities, too: tinyxml2 keeps them, and XML reads blanks.
#[derive(Debug)]
pub(crate) struct Mended {
    pub(crate) text: String,
    places: Vec<Place>,
}

/// What is written in another way.
#[derive(Debug)]
struct Place {
    what: What,
    /// Where it is in the first text, and how long.
    at: usize,
    old: usize,
    /// Where it begins in the mended text, and how long it is there.
    begin: usize,
    new: usize,
}

/// Why a place is written in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// A `<` or `&` that stands for itself.
    Letter,
    /// A `-` beside another one in a comment.
    Dash,
    /// A line break or a tab in a value.
    Blank,
    /// What stands before the first element, if XML has it otherwise.
    Beginning,
    /// A blank that is missing before an attribute.
    Gap,
    /// Elements behind the first one, which is around everything.
    Behind,
}

/// A place of the first text: how long it is, and what stands there in the mended text.
struct Found {
    what: What,
    at: usize,
    old: usize,
    new: &'static str,
}

impl Mended {
    /// `None` if there is nothing to mend.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let (mut found, end) = places(text);
        if let Some(at) = end.filter(|end| are_elements(&text[*end..])) {
            found.retain(|found| found.at < at);
            found.push(Found {
                what: What::Behind,
                at,
                old: text.len() - at,
                new: "",
            });
        }
        Self::with(text, found)
    }

    fn with(text: &str, found: Vec<Found>) -> Option<Self> {
        if found.is_empty() {
            return None;
        }
        let mut mended = String::with_capacity(text.len() + 4 * found.len());
        let mut from = 0;
        let mut places = Vec::with_capacity(found.len());
        for Found { what, at, old, new } in found {
            mended.push_str(&text[from..at]);
            places.push(Place {
                what,
                at,
                old,
                begin: mended.len(),
                new: new.len(),
            });
            mended.push_str(new);
            from = at + old;
        }
        mended.push_str(&text[from..]);
        Some(Self {
            text: mended,
            places,
        })
    }

    /// Where a place of the mended text is in the first one.
    pub(crate) fn original(&self, at: usize) -> usize {
        let before = self.places.partition_point(|place| place.begin <= at);
        let Some(place) = before.checked_sub(1).and_then(|last| self.places.get(last)) else {
            return at;
        };
        match at - place.begin < place.new {
            true => place.at,
            false => place.at + place.old + (at - place.begin - place.new),
        }
    }

    /// Reports the first of them; the sink is at the first text.
    pub(crate) fn report(&self, text: &str, sink: &mut Sink) {
        let bytes = text.as_bytes();
        let of = |what: What| self.places.iter().filter(move |place| place.what == what);
        let mut letters = of(What::Letter);
        if let Some(first) = letters.next().map(|place| place.at) {
            let (c, entity) = match bytes[first] {
                b'<' => ('<', "&lt;"),
                _ => ('&', "&amp;"),
            };
            let message = match letters.count() {
                0 => said!(
                    "this `{}` is read as itself, as BehaviorTree.CPP does; for other readers this is not XML",
                    c
                ),
                1 => said!(
                    "this `{}` and 1 more character are read as themselves, as BehaviorTree.CPP does; for other readers this is not XML",
                    c
                ),
                others => said!(
                    "this `{}` and {} more characters are read as themselves, as BehaviorTree.CPP does; for other readers this is not XML",
                    c,
                    others
                ),
            };
            sink.warning(Code::Xml, first..first + 1, message)
                .with_help(said!("write `{}`", entity));
        }
        if let Some(first) = of(What::Beginning).next() {
            let removed = &text[first.at..first.at + first.old];
            let at = first.at + removed.find("<?").unwrap_or_default();
            let message = said!(
                "the beginning of this file is read, as BehaviorTree.CPP does; for other readers this is not XML"
            );
            sink.warning(Code::Xml, at..first.at + first.old, message)
                .with_help(said!(
                    "begin the file with `{}`, and nothing before it",
                    "<?xml version=\"1.0\"?>"
                ));
        }
        if let Some(first) = of(What::Behind).next() {
            let message = said!(
                "what stands behind the first element is ignored, as BehaviorTree.CPP does; for other readers this is not XML"
            );
            sink.warning(Code::Xml, first.at..first.at + 1, message)
                .with_help(said!("a document of XML has one element around everything"));
        }
        if let Some(first) = of(What::Gap).next() {
            let message = said!(
                "a blank is missing before this attribute; BehaviorTree.CPP reads it, but for other readers this is not XML"
            );
            sink.warning(Code::Xml, first.at..first.at + 1, message)
                .with_help(said!("write a blank before it"));
        }
        if let Some(first) = of(What::Dash).next() {
            let message = said!(
                "`--` inside a comment is read, as BehaviorTree.CPP does; for other readers this is not XML"
            );
            sink.warning(Code::Xml, first.at..first.at + 1, message)
                .with_help(said!(
                    "write `- -` or another character: XML ends a comment at its first `--`"
                ));
        }
    }
}

impl Sink {
    /// From now on spans are those of a mended text of the source that begins there.
    pub(crate) fn enter_mended(&mut self, begin: usize, mended: Option<&Arc<Mended>>) {
        self.enter(begin);
        self.mended = mended.map(Arc::clone);
    }

    /// Where a span is in the source being read.
    pub(super) fn original(&self, span: Span) -> Span {
        match &self.mended {
            Some(mended) => mended.original(span.start)..mended.original(span.end),
            None => span,
        }
    }
}

/// Where nodes of a mended text are in the first one, which begins at `begin`.
pub(crate) fn place_mended(nodes: &mut [Node], mended: Option<&Mended>, begin: usize) {
    match mended {
        Some(mended) => syntax::move_spans(nodes, &|at| begin + mended.original(at)),
        None => syntax::shift(nodes, 0, begin),
    }
}

/// The `<`, line breaks and tabs in values of attributes, every `&` that does not begin an entity, and every `-` beside
/// another one in a comment; and where a tag follows the first element.
fn places(text: &str) -> (Vec<Found>, Option<usize>) {
    let bytes = text.as_bytes();
    let mut places = Vec::new();
    places.extend(beginning(text));
    let mut at = places
        .last()
        .map_or(0, |found: &Found| found.at + found.old);
    let (mut quote, mut in_tag) = (None, false);
    // How many elements are open; `None` when the first one has ended.
    let (mut open_elements, mut ends) = (Some(0_usize), false);
    let mut behind = None;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let mut found = |what, old, new| places.push(Found { what, at, old, new });
        match (quote, bytes[at]) {
            (_, b'&') if !is_entity(rest) => found(What::Letter, 1, "&amp;"),
            (Some(open), byte) if byte == open => {
                quote = None;
                let is_name = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
                if in_tag && rest.get(1).is_some_and(is_name) {
                    at += 1;
                    places.push(Found {
                        what: What::Gap,
                        at,
                        old: 0,
                        new: " ",
                    });
                    continue;
                }
            }
            (Some(_), b'<') => found(What::Letter, 1, "&lt;"),
            (Some(_), b'\t') => found(What::Blank, 1, "&#9;"),
            // Each kind of line break is one `\n`.
            (Some(_), b'\n' | b'\r') => {
                let is_pair = rest.starts_with(b"\r\n") || rest.starts_with(b"\n\r");
                let old = 1 + usize::from(is_pair);
                found(What::Blank, old, "&#10;");
                at += old - 1;
            }
            (Some(_), _) => {}
            (None, b'"' | b'\'') if in_tag => quote = Some(bytes[at]),
            (None, b'>') => {
                let is_empty = at > 0 && bytes[at - 1] == b'/';
                open_elements = match open_elements.filter(|_| in_tag) {
                    Some(open) if ends => open.checked_sub(1).filter(|open| *open > 0),
                    Some(open) if is_empty => Some(open).filter(|open| *open > 0),
                    Some(open) => Some(open + 1),
                    None => open_elements,
                };
                in_tag = false;
            }
            (None, b'<') if rest.starts_with(b"<!--") => {
                let begin = at + 4;
                at = end(bytes, begin, b"-->");
                if at == bytes.len() {
                    break;
                }
                let body = bytes.get(begin..at - 2).unwrap_or_default();
                let is_dash = |at: usize| body.get(at) == Some(&b'-');
                let is_beside = |at: &usize| {
                    let is_last = at + 1 == body.len();
                    is_dash(*at) && (is_last || is_dash(at + 1) || *at > 0 && is_dash(at - 1))
                };
                let dash = |at| Found {
                    what: What::Dash,
                    at: begin + at,
                    old: 1,
                    new: "=",
                };
                places.extend((0..body.len()).filter(is_beside).map(dash));
            }
            (None, b'<') if rest.starts_with(b"<![CDATA[") => at = end(bytes, at + 9, b"]]>"),
            (None, b'<') if rest.starts_with(b"<?") => at = end(bytes, at + 2, b"?>"),
            // What is declared there is not read.
            (None, b'<') if rest.starts_with(b"<!") => match harmless_doctype(&text[at..]) {
                Some(length) => at += length - 1,
                None => return (Vec::new(), None),
            },
            (None, b'<') => {
                if open_elements.is_none() {
                    behind = behind.or(Some(at));
                }
                in_tag = true;
                ends = rest.get(1) == Some(&b'/');
            }
            (None, _) => {}
        }
        at += 1;
    }
    (places, behind)
}

/// Whether this is elements of XML, beside each other.
fn are_elements(text: &str) -> bool {
    let text = format!("<a>{text}</a>");
    let mended = Mended::with(&text, places(&text).0);
    let mended = mended.as_ref().map_or(&text, |mended| &mended.text);
    roxmltree::Document::parse(mended).is_ok()
}

/// What has to go before the first element: blanks before a declaration of XML, a declaration that is none, a second one,
/// and marks of the order of bytes anywhere but at the beginning.
fn beginning(text: &str) -> Option<Found> {
    const MARK: char = '\u{feff}';
    let begin = text.len() - text.strip_prefix(MARK).unwrap_or(text).len();
    let (mut end, mut declarations) = (begin, 0);
    loop {
        let rest = &text[end..];
        let blanks = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == MARK);
        let behind = rest.len() - blanks.len();
        let is_declaration = blanks
            .strip_prefix("<?xml")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace() || c == '?'));
        match blanks.find("?>").filter(|_| is_declaration) {
            Some(length) => {
                end += behind + length + 2;
                declarations += 1;
            }
            None => {
                // The blanks behind the last of them stay.
                let mark = rest[..behind].rfind(MARK);
                end += mark.map_or(0, |mark| mark + MARK.len_utf8());
                break;
            }
        }
    }
    let removed = &text[begin..end];
    let is_usual = declarations == 1
        && removed.starts_with("<?xml")
        && removed.ends_with("?>")
        && roxmltree::Document::parse(&format!("{removed}<a/>")).is_ok();
    (!removed.is_empty() && !is_usual).then_some(Found {
        what: What::Beginning,
        at: begin,
        old: removed.len(),
        new: "",
    })
}

/// The place of the last letter of the next `mark`.
fn end(bytes: &[u8], from: usize, mark: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let found = rest.windows(mark.len()).position(|part| part == mark);
    found.map_or(bytes.len(), |found| from + found + mark.len() - 1)
}

/// Whether a text that begins with `&` begins with one of the five entities of XML, or a number of a letter.
fn is_entity(text: &[u8]) -> bool {
    const MOST: usize = 12;
    let text = &text[1..text.len().min(MOST)];
    let Some(length) = text.iter().position(|byte| *byte == b';') else {
        return false;
    };
    match &text[..length] {
        b"lt" | b"gt" | b"amp" | b"quot" | b"apos" => true,
        [b'#', b'x', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit),
        [b'#', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mended_and_where_it_was() {
        for (text, expected) in [
            ("<a b=\"x < y\"/>", "<a b=\"x &lt; y\"/>"),
            (
                "<a b='x && y'>c & d</a>",
                "<a b='x &amp;&amp; y'>c &amp; d</a>",
            ),
            (
                "<a b=\"&lt; &#60; &#x3c; &foo; &#; & \"/>",
                "<a b=\"&lt; &#60; &#x3c; &amp;foo; &amp;#; &amp; \"/>",
            ),
            ("<!-- a & b \"<\" --><a><![CDATA[ & ]]></a>", ""),
            (
                "<?style a=\"&\"?><a b=\"é &\"/>",
                "<?style a=\"&\"?><a b=\"é &amp;\"/>",
            ),
            (
                "<!DOCTYPE a [<!ELEMENT a '&>'>]><a b=\"&\n\"/>",
                "<!DOCTYPE a [<!ELEMENT a '&>'>]><a b=\"&amp;&#10;\"/>",
            ),
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a b=\"&\"/>", ""),
            ("<!-- &", ""),
            ("<!-- a -- b - c ---><a/>", "<!-- a == b - c =--><a/>"),
            ("<!-----><a/>", "<!--=--><a/>"),
            ("<!----><a/>", ""),
            ("<!-- a -- b", ""),
            ("&", "&amp;"),
            (
                "<a\n b='x\r\n\ty\rz\n\r' c=\"&#10;\">\t\n</a>",
                "<a\n b='x&#10;&#9;y&#10;z&#10;' c=\"&#10;\">\t\n</a>",
            ),
            ("<a b=\"1\"c='2'/>d=\"e\"f", "<a b=\"1\" c='2'/>d=\"e\"f"),
            (
                "<a><b/></a> <!-- c --> <d e='&'/>f<g></g>",
                "<a><b/></a> <!-- c --> ",
            ),
            ("<a/><b/>", "<a/>"),
            ("<a></a><b>", ""),
            ("<a></a></a>", ""),
            ("<a><b></a><b/>", ""),
            ("<a/></a><b/><a>", ""),
            ("<a/><b/></a></a>", ""),
            ("\n <?xml version=\"1.0\"?>\n<a/>", "\n<a/>"),
            ("\u{feff}\n<?xml version=\"1.0\"?><a/>", "\u{feff}<a/>"),
            ("\n\u{feff}\n<a/>", "\n<a/>"),
            ("<?xml encoding=\"UTF-8\"?><a b=\"&\"/>", "<a b=\"&amp;\"/>"),
            (
                "<?xml version=\"1.0\"?>\n<?xml version=\"1.0\"?>\n<a/>",
                "\n<a/>",
            ),
            ("\u{feff}<?xml version=\"1.0\"?>\n<a/>", ""),
            ("\n<?xmlx?><a/>", ""),
            ("\n<?xml <a/>", ""),
            ("\n<a/>", ""),
            ("", ""),
        ] {
            let mended = Mended::of(text);
            let found = mended.as_ref().map_or("", |mended| &mended.text);
            assert_eq!(found, expected, "{text}");
            let Some(mended) = mended else {
                continue;
            };
            let mut last = 0;
            for (at, c) in mended.text.char_indices() {
                let was = mended.original(at);
                assert!(last <= was && text.is_char_boundary(was), "{text} {at}");
                let same = text[was..].chars().next();
                assert!(
                    same == Some(c)
                        || c == ' '
                        || matches!(same, Some('<' | '&' | '-' | '\t' | '\n' | '\r')),
                    "{text} {at}"
                );
                last = was;
            }
            assert_eq!(mended.original(mended.text.len()), text.len(), "{text}");
        }
    }
}
