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
//! `node` is the keyword of the node. `values` holds its values without a name, and `children` the nodes in its block.
//! Any other member is a property. A property with one of these four names goes into an object `properties`, which may
//! hold other properties, too. The JSON reader gives the same nodes as the KDL reader, with spans into the JSON. So
//! nothing is checked twice, and diagnostics point at the text that people see.
//!
//! The reader is our own: `serde_json` gives no spans and stops at 128 levels, and the existing readers with spans
//! recurse. This one takes linear time, does not recurse, and continues after mistakes that it can make sense of.

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

use crate::Said;
use crate::diagnostic::{Diagnostic, Sink};
use crate::syntax::{Parsed, is_too_large};
use crate::text::Format;

/// The members of a node that are not properties.
pub(crate) const RESERVED: [&str; 4] = ["node", "values", "properties", "children"];

/// Reads a text. It ends for any text, in time linear in its length.
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

/// Puts the diagnostics of a document in JSON into the keywords of JSON; the checks write them with those of KDL.
pub(crate) fn in_its_words(mut diagnostics: Vec<Diagnostic>, format: Format) -> Vec<Diagnostic> {
    if format != Format::Json {
        return diagnostics;
    }
    for item in &mut diagnostics {
        // A diagnostic may be about an imported file in KDL.
        if Format::of(item.source.name(), item.source.text()) == Format::Json {
            let help = item.help.iter_mut();
            for sentence in help.chain([&mut item.message]) {
                *sentence = with_its_keywords(sentence.said()).into();
            }
        }
    }
    diagnostics
}

/// The same with `true` for `#true`, and the like.
fn with_its_keywords(said: &Said) -> Said {
    const KEYWORDS: [(&str, &str); 3] = [("#true", "true"), ("#false", "false"), ("#null", "null")];
    match said {
        Said::Sentence { says, with }
            if !KEYWORDS.iter().any(|(of_kdl, _)| says.contains(of_kdl)) =>
        {
            Said::Sentence {
                says,
                with: with.iter().map(with_its_keywords).collect(),
            }
        }
        // No sentence in another language stands for one with other keywords.
        said => {
            let written = said.to_string();
            let written = KEYWORDS.iter().fold(written, |written, (of_kdl, own)| {
                written.replace(of_kdl, own)
            });
            Said::Text(written)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::said;

    #[test]
    fn keywords_of_kdl_become_those_of_json() {
        let in_a_hole = with_its_keywords(&said!("expected {}, found `{}`", "`#true`", "x"));
        assert_eq!(
            in_a_hole,
            said!("expected {}, found `{}`", "`true`", "x"),
            "it stays a sentence that can be said in another language"
        );
        let in_the_sentence = with_its_keywords(&said!("add `final=#true` to `{}`", "x"));
        assert_eq!(in_the_sentence, "add `final=true` to `x`");
    }
}
