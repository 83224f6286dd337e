//! Answers what editors ask about Treemind's documents: texts and positions go in, plain data comes out.
//!
//! ```
//! use treemind_doc::edit::Editor;
//!
//! let text = "leaves { action patrol doc=\"Walks around.\"; }\ntree guard { action p";
//! let editor = Editor::of_texts(&[("guard.kdl", text)]);
//! let found = treemind_ide::complete(&editor, text.len(), &[]);
//! assert_eq!(found.items[0].label, "patrol");
//! assert_eq!(found.items[0].doc, "Walks around.");
//! ```
//!
//! Everything works on texts that are being written: with a block that is not closed, with mistakes elsewhere, and with
//! one at the very place. A position outside the text has an empty answer.

mod completion;
mod fixes;
mod hover;
mod signature;
mod structure;

pub use completion::{Completion, CompletionKind, Completions, complete};
pub use fixes::{Fix, fixes};
pub use hover::{Hover, hover};
pub use signature::{Signature, signature};
pub use structure::{Defined, defined, folds};
