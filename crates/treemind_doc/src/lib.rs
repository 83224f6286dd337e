//! Treemind's documents: text that designers write. It is checked and lowered to behaviours.
//!
//! [`Document::read`] takes a file and always returns a document; its problems are a list of [`Diagnostic`]s with
//! stable codes, byte spans and suggestions. [`Document::behaviour`] returns one of its trees in the form that
//! `treemind_core` runs, and [`Document::machine`] a state machine. [`outline`](outline()) prints such a tree, and
//! [`script`] reads scripted leaves.
//!
//! Without features, documents are in KDL or JSON, and the crate offers what a game needs. The features add:
//!
//! | feature | gives |
//! |---|---|
//! | `btcpp` | trees of BehaviorTree.CPP, `Document::read_btcpp` |
//! | `scxml` | state machines in SCXML, and `scxml` |
//! | `table` | trees that are flat tables, `Document::read_table` |
//! | `convert` | `convert`, with `table` also `convert_table`, with `btcpp` also `convert_btcpp` and `write_btcpp` |
//! | `diagram` | `mermaid` and `dot` |
//! | `schema` | `json_schema` |
//! | `edit` | the module `edit`, and `format` |
//! | `miette` | diagnostics as those of the crate `miette` |
//! | `fancy` | the same, and `{:?}` of them shows the lines of the document |
//!
//! A document in a format that is switched off has a single error, which names the feature.
//!
//! Nothing here panics or hangs, whatever the bytes are: reading takes time linear in the length of the text, and
//! nothing recurses deeper than the 256 levels that documents may have (a very deep document is checked on a
//! separate thread with a large stack).

#![cfg_attr(docsrs, feature(doc_cfg))]
// Items that only `internals` re-exports cannot be reached without that feature.
#![cfg_attr(not(feature = "internals"), allow(unreachable_pub))]

mod check;
mod document;
#[cfg(feature = "edit")]
pub mod edit;
mod expression;
pub mod files;
mod formats;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod language;
mod names;
mod outline;
// Tools ask more of names than checks do.
#[cfg_attr(not(feature = "edit"), allow(dead_code, unreachable_pub))]
mod symbols;
pub mod testing;
mod text;
pub mod tree;

#[cfg(all(feature = "convert", feature = "table"))]
pub use document::convert_table;
pub use document::manifest;
pub use document::manifest::Manifest;
pub use document::{Archetype, Document, ImportError, Imports, Tree, check_together};
#[cfg(feature = "convert")]
pub use document::{Converted, convert};
#[cfg(all(feature = "convert", feature = "btcpp"))]
pub use document::{convert_btcpp, write_btcpp};
#[cfg(feature = "btcpp")]
pub use formats::btcpp::btcpp_attribute;
#[cfg(all(feature = "convert", feature = "btcpp"))]
pub use formats::btcpp::{BtcppNode, BtcppScripts, GivenIf, btcpp_tag, is_btcpp_literal};
#[cfg(feature = "diagram")]
pub use formats::diagram::{dot, mermaid};
#[cfg(feature = "edit")]
pub use formats::kdl::format;
#[cfg(feature = "schema")]
pub use formats::schema::json_schema;
pub use formats::script;
#[cfg(feature = "scxml")]
pub use formats::scxml;
pub use language::{event_part, key_text, vocabulary};
pub use outline::{
    About, ExprPart, LineParts, LineProperty, LineValue, OutlineLine, Threshold, expression_parts,
    expression_text, line_parts, marked_outline, outline, outline_lines, statement_text, test_text,
    transition_text, way_text, when_and_fail_if,
};
pub use text::code::Code;
pub use text::diagnostic::{Diagnostic, Diagnostics, MAX_DIAGNOSTICS, Severity};
pub use text::said::{Said, Sayable};
pub use text::source::Source;
pub use text::visible::{visible, visible_line};
pub use text::{BadWeights, Format, Weights, text_of};

// Nearly every file names these.
pub use text::suggest::nearest as nearest_name;
pub(crate) use text::{code, diagnostic, source, suggest, syntax};
