//! Treemind's documents: text that designers write, checked and lowered to behaviours.
//!
//! [`Document::read`] takes a file, in KDL, in the XML of BehaviorTree.CPP or in SCXML, and always gives a document; what is wrong with it is a list of
//! [`Diagnostic`]s with stable codes, byte spans and suggestions. [`Document::behaviour`] gives a tree of it in the
//! form that `treemind_core` runs, [`Document::machine`] a state machine. [`outline`](outline()) prints such a tree,
//! [`mermaid`] and [`dot`] draw it for other programs, [`script`] reads scripted leaves.
//!
//! Nothing here panics or hangs, whatever the bytes are: reading takes time linear in the length of the text, and
//! nothing recurses deeper than the 256 levels that documents may have (a document deeper than anybody writes is
//! checked on a thread of its own, with room for that).

// What only `internals` hands out cannot be reached without it.
#![cfg_attr(not(feature = "internals"), allow(unreachable_pub))]

mod check;
mod document;
pub mod edit;
mod expression;
mod formats;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod language;
mod outline;
mod text;
pub mod tree;

pub use document::manifest;
pub use document::manifest::Manifest;
pub use document::{
    Archetype, Converted, Document, ImportError, Imports, Tree, convert, convert_table,
};
pub use formats::diagram::{dot, mermaid};
pub use formats::kdl::format;
pub use formats::schema::json_schema;
pub use formats::{script, scxml};
pub use outline::{
    About, OutlineLine, outline, outline_lines, test_text, transition_text, way_text,
};
pub use text::code::Code;
pub use text::diagnostic::{Diagnostic, Diagnostics, MAX_DIAGNOSTICS, Severity};
pub use text::source::Source;
pub use text::visible::{visible, visible_line};
pub use text::{Format, text_of};

// Nearly every file names these.
pub(crate) use text::{code, diagnostic, source, suggest, syntax};
