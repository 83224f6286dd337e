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

mod calls;
mod completion;
mod fixes;
mod formatting;
mod hints;
mod hover;
mod lexer;
mod navigation;
mod refactorings;
mod signature;
mod structure;
mod tokens;

pub use calls::{Call, Callable, callable, incoming, outgoing};
pub use completion::{Completion, CompletionKind, Completions, complete};
pub use fixes::{Fix, fitting_type, fix_all, fixes, fixes_in};
pub use formatting::{Replacement, formatted, formatted_range, typed};
pub use hints::{Hint, HintKind, WantedHints, hints};
pub use hover::{Hover, hover};
pub use navigation::{Target, definition, file_beside, name_at, named_file, selections};
pub use refactorings::{Refactoring, RefactoringKind, refactorings};
pub use signature::{Signature, signature};
pub use structure::{Defined, defined, folds};
pub use tokens::{Token, TokenKind, tokens};
