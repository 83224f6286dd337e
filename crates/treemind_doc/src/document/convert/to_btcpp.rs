//! Writes documents as trees of BehaviorTree.CPP.

use super::Converted;
use crate::check;
use crate::code::Code;
use crate::diagnostic::{Diagnostics, Sink};
use crate::document::import::{Load, gather};
use crate::formats::btcpp;
use crate::source::Source;
use crate::text::{Format, Notes, with_room};
use crate::{Said, said};
use std::sync::Arc;

/// The note on a document in JSON, which may have been XML.
const FROM_JSON: &str = "JSON does not hold how a tree was written in XML: if it was, its comments, the spelling of its \
     elements and numbers, attributes that only editors read, and its `TreeNodesModel` are not there again";

/// The document in XML.
pub(super) fn convert(
    text: &str,
    name: &str,
    (from, manifest): (Format, Option<&str>),
    load: Option<&mut Load<'_>>,
) -> Result<Converted, Diagnostics> {
    let mut sink = Sink::new(Arc::new(Source::new(name, text)));
    if from == Format::Scxml {
        let message = said!("trees of BehaviorTree.CPP cannot hold state machines");
        sink.error(Code::NoForm, 0..0, message).with_help(said!(
            "draw a diagram instead: `treemind convert FILE --to mermaid`"
        ));
        return Err(Diagnostics(sink.finish()));
    }
    let all = gather(&mut sink, (from, manifest), load);
    if all.whole {
        with_room(usize::MAX, || check::check(&all.nodes, &mut sink));
    }
    if !all.whole || sink.has_errors() {
        return Err(Diagnostics(sink.finish()));
    }
    if from == Format::BtCpp {
        // It is in this form already, and keeps every byte.
        return Ok(Converted {
            text: text.to_owned(),
            comments_lost: 0,
            differences: Vec::new(),
        });
    }
    let mut notes = match from {
        Format::Kdl => super::notes(text, &all.nodes, &mut sink),
        _ => Notes::default(),
    };
    let mut nodes = all.nodes;
    let odd_names = btcpp::names(&nodes, &notes);
    super::plain_names::restore(&mut nodes, &odd_names);
    let written = with_room(usize::MAX, || btcpp::write(&nodes, &mut notes, &mut sink));
    let (text, differences) = written;
    if sink.has_errors() {
        return Err(Diagnostics(sink.finish()));
    }
    // No page says what an export loses: programs do, in English.
    let mut differences: Vec<Said> = differences.into_iter().map(Said::Text).collect();
    if from == Format::Json {
        differences.push(Said::Text(FROM_JSON.to_owned()));
    }
    Ok(Converted {
        text,
        comments_lost: notes.left(),
        differences,
    })
}
