//! A small world for Treemind's example characters: two-dimensional, deterministic, in whole numbers.
//!
//! A [`Scenario`] is the content of a map; a [`World`] is its state over time; [`registry`] is what it offers to
//! behaviours; a [`Session`] plays behaviours in it.

mod act;
mod body;
mod crowd;
mod event;
mod geometry;
mod hash;
mod map;
mod packing;
mod saved;
mod sense;
mod session;
mod things;
mod world;

pub use act::registry;
pub use body::{Body, BodyId, Ending, Order, Sighting, Swing, Traits, Vital, Walk, Walker, Weapon};
pub use crowd::{Crowd, Danger, Deed, MAX_CROWD};
pub use event::{Event, EventKind};
pub use geometry::{CELL_MM, Cell, Facing, Point};
pub use map::{
    Cue, CueKind, FactValue, Grid, Item, Key, MAX_SIDE, MapError, Mind, Presses, Rule, Scenario,
    Spot,
};
pub use saved::{is_saved_game, readable};
pub use sense::{EYE, Eye, is_clear};
pub use session::{FaultsOf, LoadError, Session, SessionError};
pub use things::{DoorState, Kind, Thing};
pub use world::{Ground, Noise, Pool, Rules, TICKS_PER_SEC, World};

/// The yard of the first example, for behaviours without a map.
pub const YARD: &str = include_str!("../maps/yard.map");

/// The length of a tick.
pub const TICK: std::time::Duration = std::time::Duration::from_millis(1_000 / TICKS_PER_SEC);

/// A number of ticks in seconds.
pub fn secs(ticks: u64) -> f64 {
    ticks as f64 / TICKS_PER_SEC as f64
}
