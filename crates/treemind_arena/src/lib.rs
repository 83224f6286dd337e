//! A small world for Treemind's example characters: two-dimensional, deterministic, in whole numbers.
//!
//! A [`Scenario`] is the content of a map; a [`World`] is its state over time; [`registry`] is what it offers to
//! behaviours; a [`Session`] plays behaviours in it.

mod act;
mod body;
mod crowd;
mod event;
mod geometry;
mod grid;
mod ground;
mod hash;
mod ids;
mod map;
pub mod notes;
mod packing;
mod saved;
mod sense;
mod session;
mod sight;
pub mod steer;
mod stubbing;
pub mod sweep;
mod things;
mod time;
mod world;

pub use act::registry;
pub use body::{
    Body, Ending, Key, Mind, Order, Sighting, Swing, Traits, Vital, Walk, Walker, Weapon,
};
pub use crowd::{Crowd, Danger, Deed, MAX_CROWD};
pub use event::{Event, EventKind};
pub use geometry::{CELL_MM, Cell, Facing, Point};
pub use grid::{Grid, MAX_SIDE};
pub use ground::Ground;
pub use ids::BodyId;
pub use map::{
    ACTOR_PROPERTIES, Cue, CueKind, FactValue, LegendLine, MapError, MapSide, MapText, Presses,
    Rule, Scenario, Sight, Spot, SteerPart,
};
pub use saved::{is_saved_game, readable};
pub use session::{FaultsOf, LoadError, Session, SessionError};
pub use sight::{EYE, Eye, is_clear};
pub use things::{DoorState, Item, Kind, Thing};
pub use time::{TICK, TICKS_PER_SEC, secs};
pub use world::{Noise, Pool, Rules, World};

/// The yard of the first example, for behaviours without a map.
pub const YARD: &str = include_str!("../maps/yard.map");
