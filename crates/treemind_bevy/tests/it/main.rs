//! Minds in Bevy apps without a window.

mod actions;
mod assets;
mod examples;
mod facts;
mod leaving;
mod reloading;
mod saving;
mod speaking;
mod states;
mod systems;

use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use serde::Deserialize;
use std::time::Duration;
use treemind_bevy::prelude::*;

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
    let mut app = App::new();
    let plugin = TreemindPlugin::in_schedule(Update);
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        AssetPlugin::default(),
        plugin,
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
        100,
    )));
    app
}

/// The same with guards.
fn guards() -> App {
    let mut app = app();
    app.add_facts::<Sight>()
        .add_action::<Attack>("attack")
        .add_action::<Patrol>("patrol");
    app
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
