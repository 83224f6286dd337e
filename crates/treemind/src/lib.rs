//! Decisions for games and robots: what a game imports.
//!
//! A behaviour is a tree that a designer writes. A game says what its conditions and actions do, as closures over
//! its own world, and ticks a mind:
//!
//! ```
//! use std::time::Duration;
//! use treemind::prelude::*;
//!
//! struct World { enemy_near: bool, blows: u32 }
//!
//! let mut leaves = Registry::<World>::new();
//! leaves
//!     .condition("see-enemy", |world, _| world.enemy_near)
//!     .action("attack", |world, _| { world.blows += 1; Status::Running })
//!     .action("patrol", |_, _| Status::Running);
//!
//! let text = br#"
//!     leaves { condition see-enemy; action attack; action patrol; }
//!     tree guard {
//!         reactive-selector {
//!             reactive-sequence { condition see-enemy; action attack; }
//!             action patrol
//!         }
//!     }"#;
//! let mut guard = Mind::read(text, "guard.kdl", &leaves)?;
//! let mut world = World { enemy_near: true, blows: 0 };
//! guard.tick(&mut world, Duration::from_millis(50));
//! assert_eq!(world.blows, 1);
//! # Ok::<(), treemind::Error>(())
//! ```
//!
//! [`Registry`] holds what a game provides. [`Mind`] is one agent, [`Minds`] are many: they check that the document
//! and the registry fit together, and say what is missing. Leaves with parameters and a state are types: see
//! [`ActionType`] and its relatives. Trees can also be written in code: see [`tree`]. The page `docs/embedding.md`
//! explains all this step by step, and shows the parts that a mind is made of.
//!
//! The [`prelude`] has what most games need. The rest is in modules by topic: [`blackboard`], [`leaves`], [`events`],
//! [`population`], [`saving`], [`trace`], [`world`], [`observer`]. [`core`] is the whole engine, and [`doc`] is everything about documents.
//!
//! Without features this crate reads documents in KDL and JSON, which is what a game needs. The features `btcpp`,
//! `scxml` and `table` add other formats; `convert`, `diagram`, `edit` and `schema` add tools; `fancy` and `miette`
//! show errors with the lines of the source. A document in a format that is switched off gives an error that names
//! the feature.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod cast;
mod keys;
mod mind;
mod registry;
pub mod world;

/// The program in the README, so that tests compile it.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The programs in `docs/embedding.md`, so that tests compile them.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
struct Embedding;

/// The programs in the page on archetypes, so that tests compile them.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/archetypes.md")]
struct Archetypes;

/// The programs in the page on crowds, so that tests compile them.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/crowds.md")]
struct Crowds;

/// The programs in the page on saving, so that tests compile them.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/saving.md")]
struct Saving;

/// The programs in the page on editing, so that tests compile them.
#[cfg(all(doctest, feature = "edit"))]
#[doc = include_str!("../../../docs/editing.md")]
struct Editing;

pub use cast::{Cast, CastError, Member, UnknownArchetype};
pub use keys::KeyError;
pub use mind::{Error, Mind, Minds};
pub use registry::{
    ActionType, Agent, BindError, ConditionType, NodeType, Registry, ServiceType, TaskError, update,
};
pub use treemind_core as core;
pub use treemind_core::observer::{self, Observed, Observer};
pub use treemind_core::{AgentId, Faults, Migration, Outcome, Status};
pub use treemind_doc as doc;
#[cfg(feature = "edit")]
pub use treemind_doc::edit;
pub use treemind_doc::{Document, Imports, Manifest, tree};

/// What most games need; no name in it is one that games and engines use for other things.
pub mod prelude {
    pub use crate::{
        ActionType, Agent, AgentId, Cast, ConditionType, Document, Mind, Minds, Outcome, Registry,
        Status, TaskError, update,
    };
}

/// Keys: handles to them, what they hold, and the Rust types for it.
pub mod blackboard {
    pub use crate::registry::{AnyKeyRef, Entity, Key, KeyRef, KeyType, ListKey, ListRef};
    pub use treemind_core::{Held, KeyId, List, ListMut, PushError, Text, Type, Value, WrongType};
}

/// What a registry takes beside plain closures, and what leaves and own nodes answer.
pub mod leaves {
    pub use crate::registry::{
        Action, Answer, ArgRef, BindProblem, Callbacks, Content, Done, ParamDefault, Reading,
        StartFn, StopFn, UpdateFn, Wiring,
    };
    pub use treemind_core::host::{Candidates, Move, Order, Pairs, Told};
    pub use treemind_core::{Late, Ticket};
}

/// Events that a game sends to agents, and what became of them.
pub mod events {
    pub use treemind_core::society::SendError;
    pub use treemind_core::{Delivery, LostEvent, Sent, To};
}

/// The parts that minds and casts are made of.
pub mod population {
    pub use crate::registry::{Bound, BoundHost};
    pub use treemind_core::{
        Behaviour, Budget, Dead, Host, Limits, MAX_GROUPS, Newborn, Population, PopulationId,
        Program, Society, Tally,
    };
}

/// Saved agents for people to read, and the last ticks to go back to.
pub mod saving {
    pub use crate::cast::CastRollback;
    pub use crate::mind::{MindsRollback, readable};
    pub use crate::registry::RunError;
    pub use treemind_core::{Readable, RestoreError, Rollback, SocietyRollback};
}

/// What happened in a tick, event by event, and what went wrong.
pub mod trace {
    pub use treemind_core::{Event, Fault, FaultKind, FaultSum, NodeId, Record, Refusal, Trace};
}
