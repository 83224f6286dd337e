//! Converts state machines in SCXML to machines of Treemind.

use super::Read;
use crate::diagnostic::Sink;
use crate::formats::scxml;

/// A machine in SCXML, if Treemind's own machines can express everything in it.
pub(super) fn read(sink: &mut Sink) -> Option<Read> {
    let scxml::Own {
        nodes,
        notes,
        differences,
    } = scxml::own(sink)?;
    super::must_be_native(&nodes, sink);
    Some(Read {
        is_xml: false,
        nodes,
        notes,
        comments: 0,
        lost: differences,
    })
}
