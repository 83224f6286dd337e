//! The length of a tick.

use std::time::Duration;

/// How many ticks there are per second.
pub const TICKS_PER_SEC: u64 = 20;

/// The length of a tick.
pub const TICK: Duration = Duration::from_millis(1_000 / TICKS_PER_SEC);

/// A number of ticks in seconds.
pub fn secs(ticks: u64) -> f64 {
    ticks as f64 / TICKS_PER_SEC as f64
}
