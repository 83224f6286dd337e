//! The numbers of bodies.

use serde::{Deserialize, Serialize};

/// The number of a body in its world, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyId(pub u16);

impl BodyId {
    /// The number as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The handle by which behaviours refer to it: its number, from 1.
    pub fn entity(self) -> u64 {
        u64::from(self.0) + 1
    }
}
