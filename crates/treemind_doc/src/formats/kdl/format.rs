//! Documents in one style: formatting changes blanks and line ends, and nothing else.
//!
//! The printer works on the [pieces](crate::syntax::pieces) of the text and not on its nodes, so every comment stays
//! where it was. Nothing recurses. The output is read again and compared with the input.

use super::{compare, printer};
use crate::code::Code;
use crate::diagnostic::{Diagnostics, Sink};
use crate::said;
use crate::source::Source;
use crate::syntax::pieces::pieces;
use crate::syntax::{Parsed, parse};
use std::sync::Arc;

/// The last column that a block on one line may reach.
const WIDTH: usize = 100;

/// Formats a document in KDL: four spaces per level, one node per line, at most one empty line in a row.
///
/// A block on one line stays on one line if it fits into 100 columns, as `{ a; b; }`. Comments stay with their nodes.
/// Names, texts and numbers keep their spelling, and properties their order. All line ends become the same as the
/// first, `\n` or `\r\n`. Formatting a formatted text changes nothing. `name` is the name of the document in
/// diagnostics.
///
/// # Errors
/// The reasons why the text is not KDL. It does not have to make sense to Treemind.
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
        said!("formatting would change what this document says, which is a defect of Treemind"),
    )
    .with_help(said!(
        "please report it with the document; nothing was changed"
    ));
    Err(Diagnostics(sink.finish()))
}

/// Whether both texts have the same nodes with the same comments.
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
