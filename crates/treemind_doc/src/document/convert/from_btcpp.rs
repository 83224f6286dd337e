//! Trees of BehaviorTree.CPP in Treemind's own words.

use super::Read;
use crate::code::Code;
use crate::diagnostic::{Severity, Sink};
use crate::document::Document;
use crate::formats::btcpp;
use crate::formats::kdl::print;
use crate::text::Format;

/// Trees of BehaviorTree.CPP, when all that they say can be said in Treemind's own words.
pub(super) fn read(text: &str, sink: &mut Sink) -> Option<Read> {
    let written = btcpp::rewrite(sink)?;
    // Names that are fine there may be none here; a document that is written can also be read.
    let kdl = print(&written.nodes);
    let document = Document::parse_as(&kdl, "converted.kdl", Format::Kdl);
    for problem in document.diagnostics() {
        if problem.severity() == Severity::Error {
            let message = format!("this has no words in a document of Treemind's own: {problem}");
            // The names of both are the same, so that the first place where it stands is a good one.
            let name = problem.source().slice(&problem.span()).trim_matches('"');
            let at = text.find(name).filter(|_| !name.is_empty());
            let span = at.map_or(0..0, |at| at..at + name.len());
            let help = problem.help().map(str::to_owned);
            sink.error(Code::NoForm, span, message).help = help;
        }
    }
    Some(Read {
        nodes: written.nodes,
        comments: text.matches("<!--").count(),
        lost: written.lost,
    })
}
