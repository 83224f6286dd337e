//! Decisions for one agent or a million: programs, populations and the executor.
//!
//! A [`Behaviour`] is the checked tree. It is lowered to a [`Program`], which all agents share. A [`Population`]
//! holds the state of any number of agents and ticks them, 64 at a time, against a [`Host`].

#![cfg_attr(docsrs, feature(doc_cfg))]

mod angle;
pub mod behaviour;
mod blackboard;
pub mod chance;
mod curve;
mod eval;
pub mod expr;
mod fault;
pub mod host;
mod ids;
mod lives;
mod network;
pub mod observer;
pub mod planning;
mod population;
mod program;
mod snapshot;
pub mod society;
mod status;
pub mod tape;
mod text;
mod time;
pub mod trace;
mod value;
mod vectors;

pub use behaviour::{Behaviour, BehaviourError, Kind, Node, Parts};
pub use blackboard::{Board, Held, List, ListMut, PushError, WrongType};
pub use curve::Curve;
pub use expr::{Expr, Time};
pub use fault::{Fault, FaultKind, FaultSum, Faults, OwnNodeFault};
pub use host::changes::MAX_GROUPS;
pub use host::{Answers, Call, Host, Lanes, Ticket};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use ids::ENTITY_IN_SERDE;
pub use ids::{AgentId, Dead, EnumId, KeyId, LabelId, LeafId, NodeId, PopulationId, SemaphoreId};
pub use network::{Activation, Layer, Network};
pub use population::{
    Budget, ChangedKey, ChangedNode, Delivery, KeyChange, Late, Limits, LostEvent, Migration,
    Newborn, Place, PlanState, Population, Rollback, Sent, Tally, To,
};
pub use program::{NodeChange, Program};
pub use snapshot::{Readable, RestoreError};
pub use society::{Society, SocietyRollback};
pub use status::{Outcome, Status};
pub use text::Text;
pub use trace::{Event, Record, Refusal, Trace};
pub use value::{Type, Value};
#[doc(hidden)]
pub use vectors::use_wide_vectors;

/// The largest bound of a list of the blackboard, in items.
pub const MAX_LIST: u32 = 1_024;

/// How many runs of its child a loop starts in one tick of one agent, unless it sets another limit. After that, it
/// answers running and records a fault.
pub const MAX_RUNS_PER_TICK: u32 = 1_000;

/// How often the loops of one agent together go back to their children in one tick, unless the host sets another
/// [limit](Limits::runs_per_tick). After that, a loop that would
/// go back again answers running and records a fault. So every tick ends, whatever limits its loops set.
pub const MAX_TURNS_PER_TICK: u32 = 100_000;

/// The last arm of a match that names every variant of an enumeration of another crate of Treemind. The crates ask for
/// exactly the same version of each other, so it is never reached. A function with such an arm has
/// `#[warn(clippy::wildcard_enum_match_arm)]`, which finds a variant that the match does not name.
///
/// # Panics
/// Always.
#[doc(hidden)]
#[cold]
#[track_caller]
pub fn unlisted(what: &dyn std::fmt::Debug) -> ! {
    unreachable!("{what:?} is of another version of Treemind")
}
