//! Effects of a tick that are applied, or reported, at its end.

use crate::blackboard::Staged;
use crate::fault::Faults;

/// What a thread has to apply or report at the end of a tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    pub(crate) faults: Faults,
    pub(crate) staged: Staged,
}
