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
mod decision_size;
mod diagnostic;
mod diagram;
mod document;
mod expression;
mod format;
mod import;
pub mod manifest;
mod outline;
pub mod profile;
pub mod script;
pub mod scxml;
mod source;
mod suggest;
mod syntax;
pub mod tree;
mod vocabulary;
mod which;
mod xml;

pub use archetype::Archetype;
pub use balance::{Alone, Balanced, Difference, Expected, NotBalanced, Proof};
pub use code::Code;
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
pub use source::Source;
