//! Converts documents from one format to another.

#[cfg(feature = "btcpp")]
mod from_btcpp;
#[cfg(feature = "scxml")]
mod from_scxml;
#[cfg(feature = "btcpp")]
mod no_threshold;
#[cfg(feature = "btcpp")]
mod plain_names;
#[cfg(feature = "btcpp")]
mod to_btcpp;

#[cfg(feature = "table")]
use super::import;
#[cfg(any(feature = "btcpp", feature = "scxml"))]
use crate::check;
use crate::code::Code;
#[cfg(any(feature = "btcpp", feature = "scxml"))]
use crate::diagnostic::Severity;
use crate::diagnostic::{Diagnostics, Sink};
use crate::formats::json;
use crate::formats::kdl::print;
use crate::source::Source;
use crate::syntax::pieces::{PieceKind, pieces};
#[cfg(any(feature = "btcpp", feature = "scxml"))]
use crate::syntax::shortened;
use crate::syntax::{self, Parsed};
#[cfg(any(feature = "btcpp", feature = "scxml"))]
use crate::text::with_room;
use crate::text::{Format, Notes};
use crate::{Said, said};
use std::sync::Arc;

/// A document in another format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The text.
    pub text: String,
    /// How many comments were lost because the other format cannot hold them; a part disabled with `/-` counts as one.
    pub comments_lost: usize,
    /// What differs in meaning in special cases, one sentence each.
    pub differences: Vec<Said>,
}

impl Converted {
    /// What the other format cannot hold, one sentence each.
    pub fn lost(&self) -> Vec<Said> {
        let mut lost = self.differences.clone();
        match self.comments_lost {
            0 => {}
            1 => lost.push(said!("1 comment is left out")),
            count => lost.push(said!("{} comments are left out", count)),
        }
        lost
    }
}

/// Writes a document in one of Treemind's own formats, KDL or JSON, or as trees of BehaviorTree.CPP (see
/// `write_btcpp`). Between these two, nodes, values, properties
/// and blocks stay as they are, whether they make sense or not. Trees of BehaviorTree.CPP must have no errors, and
/// become trees that do the same. `name` is the name of the document in diagnostics.
///
/// Imports stay imports: each file is converted separately, and a document in one format may import one in the other.
///
/// # Errors
/// What makes it impossible to read the text, or to write it in the other format: JSON cannot hold numbers that are
/// not finite (and no document with them runs), and Treemind has no equivalent for some options of
/// BehaviorTree.CPP, and BehaviorTree.CPP none for many of Treemind's nodes. The same holds for machines in SCXML.
/// Converting to SCXML or a table is refused.
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
    #[cfg(feature = "btcpp")]
    if to == Format::BtCpp {
        return to_btcpp::convert(text, name, (from, None), None);
    }
    let mut sink = Sink::new(Arc::new(Source::new(name, text)));
    let read = read(text, from, &mut sink);
    write(read, to, sink)
}

fn write(read: Option<Read>, to: Format, mut sink: Sink) -> Result<Converted, Diagnostics> {
    let Some(mut read) = read.filter(|_| !sink.has_errors()) else {
        return Err(Diagnostics(sink.finish()));
    };
    let written = match to {
        Format::Kdl => Ok(print(&read.nodes, &mut read.notes)),
        Format::Json => json::write(&read.nodes).map_err(|entry| {
            let message = said!("JSON has only finite numbers");
            (entry.span.clone(), message)
        }),
        Format::BtCpp | Format::Scxml | Format::Table => Err((
            0..0,
            said!("documents are written in KDL, in JSON and as trees of BehaviorTree.CPP only"),
        )),
    };
    let mut lost = read.lost;
    let mut comments = read.comments + read.notes.left();
    // What XML holds beside its nodes are comments in KDL only.
    if read.is_xml && to == Format::Json {
        comments = 0;
        lost.push(said!(
            "JSON holds only what the trees do: it leaves out the comments of the XML, how its elements and numbers are spelled, attributes that only editors read, and the `TreeNodesModel`. KDL keeps them"
        ));
    }
    match written {
        Ok(text) => Ok(Converted {
            text,
            comments_lost: comments,
            differences: lost,
        }),
        Err((span, message)) => {
            sink.error(Code::NoForm, span, message);
            Err(Diagnostics(sink.finish()))
        }
    }
}

/// Like [`convert()`] for trees of BehaviorTree.CPP that stand in several files: `load` returns the bytes of the files
/// that the document includes, of those in its folder, and of the file at the path `manifest`, which declares nodes.
///
/// # Errors
/// As [`convert()`].
#[cfg(feature = "btcpp")]
pub fn convert_btcpp<E: std::fmt::Display>(
    text: &str,
    name: &str,
    to: Format,
    manifest: Option<&str>,
    mut load: impl FnMut(&str) -> Result<Vec<u8>, E>,
) -> Result<Converted, Diagnostics> {
    let mut load = |path: &str| load(path).map_err(|error| error.to_string());
    let mut sink = Sink::new(Arc::new(Source::new(name, text)));
    let read = from_btcpp::read(text, manifest, Some(&mut load), &mut sink);
    write(read, to, sink)
}

/// Writes a document of any format as trees of BehaviorTree.CPP 4, with everything that it imports; `load` returns the
/// bytes of those files, and of the file at the path `manifest`, which declares leaves. XML stays as it is written.
///
/// # Errors
/// The mistakes of the document, or each node that BehaviorTree.CPP does not have.
///
/// ```
/// use treemind_doc::{Format, write_btcpp};
///
/// let text = r#"tree guard { selector { action fight when="ammo > 0"; wait 1.5; }; }
///     blackboard { key ammo type=int optional=#true; }
///     leaves { action fight; }"#;
/// let load = |_: &str| Err::<Vec<u8>, _>("there are no other files");
/// let xml = write_btcpp(text, "guard.kdl", Format::Kdl, None, load).unwrap().text;
/// assert!(xml.contains(r#"<fight _failureIf="!(@ammo &gt; 0)"/>"#), "{xml}");
/// ```
#[cfg(feature = "btcpp")]
pub fn write_btcpp<E: std::fmt::Display>(
    text: &str,
    name: &str,
    from: Format,
    manifest: Option<&str>,
    mut load: impl FnMut(&str) -> Result<Vec<u8>, E>,
) -> Result<Converted, Diagnostics> {
    let mut load = |path: &str| load(path).map_err(|error| error.to_string());
    to_btcpp::convert(text, name, (from, manifest), Some(&mut load))
}

/// Writes a tree that is a flat table in one of Treemind's own formats. The result includes the declarations of the
/// document at the path `manifest`, so it needs no other file. `load` returns the bytes of that document.
///
/// # Errors
/// As [`convert()`], and when the table or its manifest cannot be read.
#[cfg(feature = "table")]
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
        ..Read::default()
    };
    write(Some(read).filter(|_| all.whole), to, sink)
}

#[derive(Default)]
struct Read {
    nodes: Vec<syntax::Node>,
    /// Comments that have a place in another text.
    notes: Notes,
    comments: usize,
    lost: Vec<Said>,
    /// It was trees of BehaviorTree.CPP.
    is_xml: bool,
}

/// Reports what is not valid in a native document.
#[cfg(any(feature = "btcpp", feature = "scxml"))]
fn must_be_native(nodes: &[syntax::Node], sink: &mut Sink) {
    let mut own = Sink::new(Arc::clone(sink.source()));
    with_room(usize::MAX, || check::check(nodes, &mut own));
    for problem in own.finish() {
        if problem.severity() == Severity::Error {
            let written = shortened(problem.source().slice(&problem.span()));
            let message = match written.is_empty() {
                // The file has nothing that could be written.
                true => problem.said().clone(),
                false => said!(
                    "`{}` cannot be written in a document of Treemind: {}",
                    written,
                    problem.said()
                ),
            };
            let help = problem.said_help().cloned();
            sink.error(Code::NoForm, problem.span(), message)
                .with_perhaps(help);
        }
    }
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
        #[cfg(feature = "btcpp")]
        Format::BtCpp => return from_btcpp::read(text, None, None, sink),
        #[cfg(feature = "scxml")]
        Format::Scxml => return from_scxml::read(sink),
        #[cfg(feature = "table")]
        Format::Table => {
            let all = import::gather(sink, (from, None), None);
            return all.whole.then_some(Read {
                nodes: all.nodes,
                ..Read::default()
            });
        }
        #[cfg(not(all(feature = "btcpp", feature = "scxml", feature = "table")))]
        other => {
            crate::document::missing_feature::without_feature(other, sink);
            return None;
        }
    };
    let Parsed { nodes, whole, .. } = parsed;
    whole.then_some(Read {
        nodes,
        comments,
        ..Read::default()
    })
}

/// The comments of a native document without errors.
#[cfg(feature = "btcpp")]
fn notes(text: &str, nodes: &[syntax::Node], sink: &mut Sink) -> Notes {
    Notes::of(text, &pieces(text, sink).row, nodes)
}

/// How many comments there are in a text without errors.
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
