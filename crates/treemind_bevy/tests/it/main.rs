//! Minds in Bevy apps without a window.

mod actions;
mod assets;
mod deciding;
#[cfg(feature = "detail")]
mod detail;
mod examples;
mod facts;
mod finding;
#[cfg(any(feature = "btcpp", feature = "scxml", feature = "table"))]
mod formats;
#[cfg(feature = "gizmos")]
mod gizmos;
mod leaving;
mod reloading;
mod saving;
mod speaking;
mod states;
#[cfg(feature = "studio")]
mod studio;
mod systems;

use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use serde::Deserialize;
use std::path::Path;
use std::time::Duration;
use treemind_bevy::prelude::*;
use treemind_bevy::treemind::blackboard::Value;

#[derive(Component, Default, Facts)]
struct Sight {
    see_enemy: bool,
}

#[derive(Component, Clone, Debug, Deserialize)]
struct Attack {
    #[serde(default)]
    range: f32,
}

#[derive(Component, Clone, Debug, Deserialize)]
struct Patrol {}

const GUARD: &str = "
    leaves { condition see-enemy; action attack { param range type=float; }; action patrol; }
    tree guard {
        reactive-selector {
            reactive-sequence { condition see-enemy; action attack range=2.0; }
            action patrol
        }
    }";

/// An app whose minds are ticked once per update, by a tenth of a second.
fn app() -> App {
    app_in(Path::new("assets"))
}

/// The same, with its assets in a folder.
fn app_in(folder: &Path) -> App {
    let mut app = App::new();
    let assets = AssetPlugin {
        file_path: folder.display().to_string(),
        ..AssetPlugin::default()
    };
    let plugin = TreemindPlugin::in_schedule(Update);
    let tenth = TimeUpdateStrategy::ManualDuration(Duration::from_millis(100));
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, assets, plugin))
        .insert_resource(tenth);
    app
}

/// An app with guards.
fn guards() -> App {
    let mut app = app();
    add_guards(&mut app);
    app
}

fn add_guards(app: &mut App) {
    app.add_facts::<Sight>()
        .add_action::<Attack>("attack")
        .add_action::<Patrol>("patrol");
}

/// A guard that sees nobody.
fn spawn_guard(app: &mut App, brain: &Handle<Brain>) -> Entity {
    let guard = (Mind::new(brain.clone()), Sight::default());
    app.world_mut().spawn(guard).id()
}

fn brain(app: &mut App, text: &str) -> Handle<Brain> {
    let mut brains = app.world_mut().resource_mut::<Assets<Brain>>();
    brains.add(Brain::parse(text, "guard.kdl"))
}

/// What apps have said is wrong.
fn problems(app: &mut App) -> Vec<String> {
    let mut messages = app.world_mut().resource_mut::<Messages<BrainProblem>>();
    messages.drain().map(|problem| problem.text).collect()
}

/// How many minds were ticked.
fn ticked(app: &App) -> u64 {
    let tally = app.world().resource::<Brains>().tally();
    tally.success + tally.failure + tally.running + tally.skipped
}
