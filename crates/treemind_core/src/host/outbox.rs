//! What happens in a tick and counts, or is told, at its end.

use crate::blackboard::Staged;
use crate::fault::Faults;

/// What a thread has to say at the end of a tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    pub(crate) faults: Faults,
    pub(crate) staged: Staged,
}
