//! Treemind as a contender: with closures over a world, and with columns of bits.

mod closures;
mod columns;
mod keys;
mod taken;

pub(crate) use closures::{Closures, ClosuresOnThreads};
pub(crate) use columns::{ColumnHost, ColumnsOnThreads};

pub(crate) use keys::numbers;
pub(crate) use taken::Taken;

use std::time::Duration;

/// The length of a tick of the game.
pub(crate) const DT: Duration = Duration::from_millis(100);
