//! Converts state machines in SCXML to machines of Treemind.

use super::Read;
use crate::check;
use crate::code::Code;
use crate::diagnostic::{Severity, Sink};
use crate::formats::scxml;
use crate::said;
use crate::syntax::shortened;
use crate::text::with_room;
use std::sync::Arc;

/// A machine in SCXML, if Treemind's own machines can express everything in it.
pub(super) fn read(sink: &mut Sink) -> Option<Read> {
    let scxml::Own {
        nodes,
        notes,
        differences,
    } = scxml::own(sink)?;
    // It must be valid in a native document.
    let mut own = Sink::new(Arc::clone(sink.source()));
    with_room(usize::MAX, || check::check(&nodes, &mut own));
    for problem in own.finish() {
        if problem.severity() == Severity::Error {
            let written = shortened(problem.source().slice(&problem.span()));
            let message = said!(
                "`{}` cannot be written in a document of Treemind: {}",
                written,
                problem.said()
            );
            let help = problem.said_help().cloned();
            sink.error(Code::NoForm, problem.span(), message)
                .with_perhaps(help);
        }
    }
    Some(Read {
        nodes,
        notes,
        comments: 0,
        lost: differences,
    })
}
