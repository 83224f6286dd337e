//! Decisions for games and robots: what a game imports.
//!
//! A behaviour is a tree that a designer writes. A game says what its conditions and actions do, as closures over
//! its own world, and ticks a population of agents:
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use treemind::prelude::*;
//!
//! struct World { enemy_near: bool, blows: u32 }
//!
//! let text = r#"
//!     leaves { condition see-enemy; action attack; action patrol; }
//!     tree guard {
//!         reactive-selector {
//!             reactive-sequence { condition see-enemy; action attack; }
//!             action patrol
//!         }
//!     }"#;
//! let guard = Document::read(text.as_bytes(), "guard.kdl").behaviour(None)?;
//!
//! let mut registry = Registry::<World>::new();
//! registry
//!     .condition("see-enemy", |world, _| world.enemy_near)
//!     .action("attack", |world, _| { world.blows += 1; Status::Running })
//!     .action("patrol", |_, _| Status::Running);
//! let bound = registry.bind(&guard)?;
//!
//! let mut world = World { enemy_near: true, blows: 0 };
//! let mut population = Population::new(Arc::new(Program::new(guard)), 1);
//! population.tick(&mut bound.host(&mut world), Duration::from_millis(50));
//! assert_eq!(world.blows, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Registry`] holds what a game provides; [`Registry::bind`] connects it with a behaviour and says what is missing;
//! [`Bound::host`] lends it the world for a tick. Leaves with parameters and a state are types: [`ActionType`] and its
//! kin. Trees can be written in code as well: [`tree`]. The page `docs/embedding.md` tells it in order.

mod registry;

/// The program on the first page, so that tests compile it.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The programs on the pages for games.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
struct Embedding;

/// As above.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/archetypes.md")]
struct Archetypes;

/// As above.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/editing.md")]
struct Editing;

pub use registry::{
    Action, ActionType, Agent, Answer, AnyKeyRef, ArgRef, BindError, BindProblem, Bound, BoundHost,
    Callbacks, ConditionType, Content, Done, Entity, Key, KeyRef, KeyType, ListKey, ListRef,
    NodeType, ParamDefault, Reading, Registry, ServiceType, StartFn, StopFn, TaskError, UpdateFn,
    Wiring, update,
};
pub use treemind_core::*;
pub use treemind_doc as doc;
pub use treemind_doc::{Document, Manifest, edit, tree};

/// What most games need.
pub mod prelude {
    pub use crate::{
        Action, ActionType, Agent, Callbacks, ConditionType, Entity, Key, ListKey, NodeType,
        Registry, ServiceType, TaskError, update,
    };
    pub use treemind_core::host::{Move, Order, Told};
    pub use treemind_core::{
        Behaviour, Outcome, Population, Program, Status, Tally, Text, Trace, Type, Value,
    };
    pub use treemind_doc::Document;
}
