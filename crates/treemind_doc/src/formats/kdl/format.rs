//! Documents in one style: blanks and line ends as everybody writes them, and nothing else changed.
//!
//! The printer works on the [pieces](crate::syntax::pieces) of the text and not on its nodes, so that every comment
//! stays where it was. Nothing recurses. What comes out is read again and compared with what went in.

use super::{compare, printer};
use crate::code::Code;
use crate::diagnostic::{Diagnostics, Sink};
use crate::source::Source;
use crate::syntax::pieces::pieces;
use crate::syntax::{Parsed, parse};
use std::sync::Arc;

/// How many columns a block on one line may reach.
const WIDTH: usize = 100;

/// Formats a document in KDL: four blanks a level, one node a line, at most one empty line in a row.
///
/// A block that stands on one line and fits into 100 columns stays there, as `{ a; b; }`. Comments stay with their nodes; names,
/// texts and numbers keep their spelling and properties their order. Line ends are all as the first, `\n` or
/// `\r\n`. Formatting what is formatted changes nothing. `name` is what diagnostics call the document.
///
/// # Errors
/// What keeps the text from being KDL; whether it makes sense to Treemind does not matter.
///
/// ```
/// let text = "tree guard {action patrol // all day\n}";
/// let formatted = treemind_doc::format(text, "guard.kdl").unwrap();
/// assert_eq!(formatted, "tree guard {\n    action patrol // all day\n}\n");
/// ```
pub fn format(text: &str, name: &str) -> Result<String, Diagnostics> {
    let mut sink = Sink::new(Arc::new(Source::new(name, text)));
    let before = parse(text, &mut sink);
    if sink.has_errors() || !before.whole {
        return Err(Diagnostics(sink.finish()));
    }
    let row = pieces(text, &mut sink);
    let formatted = printer::print(text, &row, WIDTH);
    if means_the_same(text, &before, &formatted) {
        return Ok(formatted);
    }
    sink.error(
        Code::Internal,
        0..0,
        "formatting would change what this document says, which is a defect of Treemind",
    )
    .with_help("nothing was changed; please report it with the document");
    Err(Diagnostics(sink.finish()))
}

/// Whether both are the same nodes with the same comments.
fn means_the_same(text: &str, before: &Parsed, formatted: &str) -> bool {
    let mut sink = Sink::new(Arc::new(Source::new("formatted", formatted)));
    let after = parse(formatted, &mut sink);
    !sink.has_errors()
        && after.whole
        && compare::same_nodes(&before.nodes, &after.nodes)
        && compare::same_words(
            (text, &pieces(text, &mut sink).row),
            (formatted, &pieces(formatted, &mut sink).row),
        )
}
