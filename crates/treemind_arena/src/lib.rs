//! A small world for Treemind's example characters: two-dimensional, deterministic, in whole numbers.
//!
//! An [`Arena`] is the world; [`registry`] is what it offers to a tree; a [`Session`] plays a behaviour in it.

mod arena;
mod event;
mod geometry;
mod guard;
mod intruder;
mod leaves;
mod map;
mod path;
mod session;
mod sight;

pub use arena::{Arena, Rules, TICKS_PER_SEC};
pub use event::{Event, Happening, Who};
pub use geometry::{CELL_MM, Cell, Facing, Point};
pub use guard::{GUARD_EYE, GUARD_HEALTH, Guard};
pub use intruder::{Doing, INTRUDER_HEALTH, Intruder};
pub use leaves::registry;
pub use map::{MAX_SIDE, Map, MapError};
pub use path::{Walk, Walker};
pub use session::Session;
pub use sight::{Eye, is_clear};

/// The yard of the first example, for behaviours that come without a map.
pub const YARD: &str = include_str!("../maps/yard.map");

/// How much time a tick is.
pub const TICK: std::time::Duration = std::time::Duration::from_millis(1_000 / TICKS_PER_SEC);

/// A number of ticks in seconds.
pub fn secs(ticks: u64) -> f64 {
    ticks as f64 / TICKS_PER_SEC as f64
}
