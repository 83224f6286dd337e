//! Decisions for one agent or a million: programs, populations and the executor.
//!
//! A [`Behaviour`] is the checked tree; a `Program` is what it is lowered to; a population holds the state of
//! any number of agents and ticks them against a host.

pub mod behaviour;
pub mod expr;
mod ids;
mod status;
mod value;

pub use behaviour::{Behaviour, BehaviourError, Kind, Node, Parts};
pub use expr::Expr;
pub use ids::{EnumId, KeyId, LeafId, NodeId};
pub use status::{Outcome, Status};
pub use value::{Type, Value};

/// How many runs of its child a loop starts in one tick of one agent before it answers running and records a fault.
pub const MAX_RUNS_PER_TICK: u32 = 1_000;
