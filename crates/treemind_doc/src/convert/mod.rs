//! Documents from one format to another.

use crate::code::Code;
use crate::diagnostic::{Diagnostics, Sink};
use crate::document::Format;
use crate::import;
use crate::json;
use crate::source::Source;
use crate::syntax::pieces::{PieceKind, pieces};
use crate::syntax::{self, Parsed};
use std::sync::Arc;

/// A document in another format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The text.
    pub text: String,
    /// How many comments the other format has no place for; what `/-` takes out counts as one.
    pub comments_lost: usize,
}

impl Converted {
    /// What the other format has no place for, a sentence each.
    pub fn lost(&self) -> Vec<String> {
        match self.comments_lost {
            0 => Vec::new(),
            1 => vec!["1 comment is left out".to_owned()],
            count => vec![format!("{count} comments are left out")],
        }
    }
}

/// Writes a document in another of Treemind's own formats, KDL or JSON. Nodes, values, properties and blocks stay as they
/// are; whether they make sense does not matter. `name` is what diagnostics call the document.
///
/// What it imports stays imported: each file is converted for itself, and a document in one format may import the other.
///
/// # Errors
/// What keeps the text from being read, or from being written in the other format: numbers that are not finite cannot
/// stand in JSON (and in no document that runs). A format that is not one of Treemind's own is refused.
///
/// ```
/// use treemind_doc::{Format, convert};
///
/// let text = "tree guard { action attack range=2.5; }";
/// let json = convert(text, "guard.kdl", Format::Kdl, Format::Json).unwrap().text;
/// assert_eq!(json, r#"{
///   "nodes": [
///     { "node": "tree", "values": ["guard"], "children": [
///       { "node": "action", "values": ["attack"], "range": 2.5 }
///     ] }
///   ]
/// }
/// "#);
/// let kdl = convert(&json, "guard.json", Format::Json, Format::Kdl).unwrap().text;
/// assert_eq!(kdl, "tree guard {\n    action attack range=2.5\n}\n");
/// ```
pub fn convert(text: &str, name: &str, from: Format, to: Format) -> Result<Converted, Diagnostics> {
    let mut sink = Sink::new(Arc::new(Source::new(name, text)));
    let read = read(text, from, &mut sink);
    write(read, to, sink)
}

fn write(read: Option<Read>, to: Format, mut sink: Sink) -> Result<Converted, Diagnostics> {
    let Some(read) = read.filter(|_| !sink.has_errors()) else {
        return Err(Diagnostics(sink.finish()));
    };
    let written = match to {
        Format::Kdl => Ok(syntax::print(&read.nodes)),
        Format::Json => json::write(&read.nodes).map_err(|entry| {
            let message = "JSON has no numbers that are not finite, and no node can use one";
            (entry.span.clone(), message)
        }),
        Format::BtCpp | Format::Scxml | Format::Table => Err((
            0..0,
            "this version writes documents in KDL and in JSON only",
        )),
    };
    match written {
        Ok(text) => Ok(Converted {
            text,
            comments_lost: read.comments,
        }),
        Err((span, message)) => {
            sink.error(Code::NoForm, span, message);
            Err(Diagnostics(sink.finish()))
        }
    }
}

/// Writes a tree that is a flat table in one of Treemind's own formats: with what the document at the path `manifest` declares, so
/// that it needs nothing beside it. `load` gives the bytes of that file.
///
/// # Errors
/// As [`convert()`], and when the table or its manifest cannot be read.
pub fn convert_table<E: std::fmt::Display>(
    text: &str,
    name: &str,
    to: Format,
    manifest: Option<&str>,
    mut load: impl FnMut(&str) -> Result<Vec<u8>, E>,
) -> Result<Converted, Diagnostics> {
    let mut sink = Sink::new(Arc::new(Source::new(name, text)));
    let mut load = |path: &str| load(path).map_err(|error| error.to_string());
    let all = import::gather(&mut sink, (Format::Table, manifest), Some(&mut load));
    let read = Read {
        nodes: all.nodes,
        comments: 0,
    };
    write(Some(read).filter(|_| all.whole), to, sink)
}

struct Read {
    nodes: Vec<syntax::Node>,
    comments: usize,
}

fn read(text: &str, from: Format, sink: &mut Sink) -> Option<Read> {
    let (parsed, comments) = match from {
        Format::Kdl => {
            let parsed = syntax::parse(text, sink);
            let comments = if parsed.whole && !sink.has_errors() {
                comments(text, sink)
            } else {
                0
            };
            (parsed, comments)
        }
        Format::Json => (json::parse(text, sink), 0),
        Format::BtCpp | Format::Scxml => {
            let message = "this version cannot convert documents in XML";
            sink.error(Code::NoForm, 0..0, message);
            return None;
        }
        Format::Table => {
            let all = import::gather(sink, (from, None), None);
            return all.whole.then_some(Read {
                nodes: all.nodes,
                comments: 0,
            });
        }
    };
    let Parsed { nodes, whole, .. } = parsed;
    whole.then_some(Read { nodes, comments })
}

/// How many comments there are in a text without mistakes.
fn comments(text: &str, sink: &mut Sink) -> usize {
    let row = pieces(text, sink).row;
    let is_comment = |kind: PieceKind, is_empty: bool| match kind {
        PieceKind::Comment | PieceKind::Slashdash => true,
        PieceKind::End { .. } | PieceKind::Break { .. } => !is_empty,
        _ => false,
    };
    let comments = row
        .iter()
        .filter(|piece| is_comment(piece.kind, piece.span.is_empty()));
    comments.count()
}
