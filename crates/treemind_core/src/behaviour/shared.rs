//! What programs share by name, and where their documents say so.

use std::collections::BTreeMap;
use std::fmt;

/// The kinds of things that programs share by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SharedKind {
    /// A key of the world or of a group.
    Key,
    /// A semaphore of the world or of a group.
    Semaphore,
    /// An event that one of the programs emits to others.
    Event,
}

impl fmt::Display for SharedKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            SharedKind::Key => "key",
            SharedKind::Semaphore => "semaphore",
            SharedKind::Event => "event",
        })
    }
}

/// Where a document declares what a program shares, as `FILE:LINE:COLUMN`. Behaviours that differ in this alone are
/// equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(pub(super) BTreeMap<(SharedKind, String), String>);

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
