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

mod archetype;
mod balance;
mod btcpp;
mod check;
mod code;
mod convert;
mod cycles;
mod decision_size;
mod diagnostic;
mod diagram;
mod document;
pub mod edit;
mod expression;
mod format;
mod import;
mod json;
mod language;
pub mod manifest;
mod names;
mod neighbours;
mod outline;
mod print;
pub mod profile;
mod reach;
mod schema;
pub mod script;
pub mod scxml;
mod source;
mod suggest;
mod syntax;
mod table;
mod text;
pub mod tree;
mod visible;
mod which;
mod xml;

pub use archetype::Archetype;
pub use balance::{Alone, Balanced, Difference, Expected, NotBalanced, Proof};
pub use code::Code;
pub use convert::{Converted, convert, convert_table};
pub use decision_size::{DecisionSize, decision_size};
pub use diagnostic::{Diagnostic, Diagnostics, MAX_DIAGNOSTICS, Severity};
pub use diagram::{dot, mermaid};
pub use document::{Document, Format, Tree};
pub use format::format;
pub use manifest::Manifest;
pub use outline::{
    About, OutlineLine, outline, outline_lines, test_text, transition_text, way_text,
};
pub use profile::Profile;
pub use reach::{ImportError, Imports};
pub use schema::json_schema;
pub use source::Source;
pub use text::text_of;
pub use visible::{visible, visible_line};
