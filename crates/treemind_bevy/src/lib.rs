//! Treemind in Bevy: documents are assets, and an entity gets a mind by a component.
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_asset::{AssetPlugin, Assets};
//! use bevy_ecs::prelude::*;
//! use bevy_time::TimePlugin;
//! use serde::Deserialize;
//! use treemind_bevy::prelude::*;
//!
//! /// What a guard knows: a condition `see-enemy`, or a key `see_enemy`.
//! #[derive(Component, Default, Facts)]
//! struct Sight { see_enemy: bool }
//!
//! /// What a guard does: on the entity while the action runs.
//! #[derive(Component, Clone, Deserialize)]
//! struct Attack { range: f32 }
//!
//! #[derive(Component, Clone, Deserialize)]
//! struct Patrol {}
//!
//! const GUARD: &str = "
//!     leaves { condition see-enemy; action attack { param range type=float; }; action patrol; }
//!     tree guard {
//!         reactive-selector {
//!             reactive-sequence { condition see-enemy; action attack range=2.0; }
//!             action patrol
//!         }
//!     }";
//!
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, AssetPlugin::default(), TreemindPlugin::in_schedule(Update)))
//!     .add_facts::<Sight>()
//!     .add_action::<Attack>("attack")
//!     .add_action::<Patrol>("patrol");
//! let brain = app.world_mut().resource_mut::<Assets<Brain>>().add(Brain::parse(GUARD, "guard.kdl"));
//! let guard = app.world_mut().spawn((Mind::new(brain), Sight::default())).id();
//!
//! app.update();
//! assert!(app.world().entity(guard).contains::<Patrol>());
//!
//! app.world_mut().entity_mut(guard).insert(Sight { see_enemy: true });
//! app.update();
//! assert!(!app.world().entity(guard).contains::<Patrol>());
//! assert_eq!(app.world().get::<Attack>(guard).unwrap().range, 2.0);
//! ```
//!
//! Behind the scenes all minds are agents of one [`Society`](treemind::population::Society), with a population for each document
//! and definition, and one system ticks them all. The page `docs/bevy.md` tells more.

#![cfg_attr(docsrs, feature(doc_cfg))]

// So that the derive also works in this crate.
extern crate self as treemind_bevy;

mod actions;
mod brain;
mod brains;
mod counts;
mod decide;
#[cfg(feature = "detail")]
mod detail;
mod events;
mod facts;
mod finding;
#[cfg(feature = "gizmos")]
mod gizmos;
mod groups;
mod leaves;
mod link;
mod mind;
mod plugin;
mod runs;
mod saving;
mod states;
#[cfg(feature = "studio")]
mod studio;
mod think;

pub use actions::{Finish, Started, Stopped};
pub use brain::{Brain, BrainError, BrainLoader, BrainProblem, BrainSettings};
pub use brains::{Brains, MindError};
pub use decide::{Ask, Decision, decide};
#[cfg(feature = "detail")]
pub use detail::{DetailByDistance, MindDetailPlugin, Viewer};
pub use events::Emitted;
pub use facts::{Fact, FactField, FactWriter, Facts};
pub use finding::{Candidate, ToMeasure};
#[cfg(feature = "gizmos")]
pub use gizmos::{MindGizmos, MindGizmosPlugin};
pub use groups::{GroupOf, InGroup};
pub use mind::{Agent, Mind};
pub use plugin::{EntityCondition, TreemindApp, TreemindPlugin, TreemindSystems};
pub use saving::{SavedMinds, SavedMindsError, restore_minds, save_minds};
pub use states::{StateChanged, WatchStates};
#[cfg(feature = "studio")]
pub use studio::{MindStudio, StudioPlugin};
pub use treemind;
pub use treemind_bevy_derive::Facts;

/// What most games need.
pub mod prelude {
    pub use crate::{
        Agent, Ask, Brain, BrainProblem, Brains, Decision, Emitted, EntityCondition, Facts, Finish,
        InGroup, Mind, Started, StateChanged, Stopped, ToMeasure, TreemindApp, TreemindPlugin,
        TreemindSystems, WatchStates, decide,
    };
    pub use treemind::{Outcome, Status};
}

/// The programs in `docs/bevy.md`, so that tests compile them.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/bevy.md")]
struct Page;
