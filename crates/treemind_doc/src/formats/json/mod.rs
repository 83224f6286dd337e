//! Documents in JSON: the same nodes as in KDL, each an object.
//!
//! ```json
//! { "nodes": [
//!     { "node": "tree", "values": ["guard"], "children": [
//!         { "node": "action", "values": ["attack"], "range": 2.5 }
//!     ] }
//! ] }
//! ```
//!
//! `node` is the word of the node, `values` what stands behind it without a name, `children` what stands in its block;
//! any other member is a property. One that is called like those stands in an object `properties`, which may hold
//! others, too. What is read are the nodes that the KDL reader gives, with spans into the JSON, so that nothing is checked
//! twice and diagnostics point at what people see.
//!
//! The reader is our own: `serde_json` gives no spans and stops at 128 levels, and the readers with spans that there are
//! recurse. This one takes linear time, does not recurse, and goes on after what it can make sense of.

mod nodes;
mod reader;
mod scalars;
#[cfg(feature = "convert")]
mod write;

#[cfg(feature = "table")]
pub(crate) use reader::{Item, Json, Member};
#[cfg(feature = "table")]
pub(crate) use scalars::is_number;
#[cfg(feature = "convert")]
pub(crate) use write::write;

pub(crate) use reader::read;

use crate::diagnostic::{Diagnostic, Sink};
use crate::syntax::{Parsed, is_too_large};
use crate::text::Format;

/// The members of a node that are no properties.
pub(crate) const RESERVED: [&str; 4] = ["node", "values", "properties", "children"];

/// Reads a text. Whatever it is, this ends, in time linear in its length.
pub(crate) fn parse(text: &str, sink: &mut Sink) -> Parsed {
    let item = if is_too_large(text, sink) {
        None
    } else {
        read(text, sink)
    };
    match item {
        Some(item) => nodes::document(item, sink),
        None => Parsed {
            nodes: Vec::new(),
            whole: false,
            depth: 0,
        },
    }
}

/// What is said about a document in JSON with the keywords of JSON: what checks say is said of KDL.
pub(crate) fn in_its_words(mut diagnostics: Vec<Diagnostic>, format: Format) -> Vec<Diagnostic> {
    if format != Format::Json {
        return diagnostics;
    }
    for item in &mut diagnostics {
        // It may be about a file in KDL that is imported.
        if Format::of(item.source.name(), item.source.text()) == Format::Json {
            let help = item.help.iter_mut();
            for sentence in help.chain([&mut item.message]) {
                for keyword in ["true", "false", "null"] {
                    *sentence = sentence.replace(&format!("#{keyword}"), keyword);
                }
            }
        }
    }
    diagnostics
}
