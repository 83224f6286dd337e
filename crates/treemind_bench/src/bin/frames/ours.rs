//! Minds.

use super::{Doing, Frame, Sight};
use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_time::TimePlugin;
use serde::Deserialize;
use treemind_bevy::prelude::*;

const GUARD: &str = "
    leaves { condition see-enemy; condition is-hurt; action attack; action flee; action patrol; }
    tree guard {
        reactive-selector {
            reactive-sequence { condition is-hurt; action flee; }
            reactive-sequence { condition see-enemy; action attack; }
            action patrol
        }
    }";

#[derive(Component, Clone, Deserialize)]
struct Attack {}
#[derive(Component, Clone, Deserialize)]
struct Flee {}
#[derive(Component, Clone, Deserialize)]
struct Patrol {}

/// What a type of action is in [`Doing`].
trait Act: Send + Sync + 'static {
    const DOING: Doing;
}

impl Act for Attack {
    const DOING: Doing = Doing::Attack;
}
impl Act for Flee {
    const DOING: Doing = Doing::Flee;
}
impl Act for Patrol {
    const DOING: Doing = Doing::Patrol;
}

/// Notes what guards have begun.
fn note<T: Act>(mut started: MessageReader<Started<T>>, mut guards: Query<&mut Doing>) {
    for started in started.read() {
        if let Ok(mut doing) = guards.get_mut(started.entity) {
            *doing = T::DOING;
        }
    }
}

/// Notes which component guards have got.
fn note_added<T: Act + Component>(mut guards: Query<&mut Doing, Added<T>>) {
    for mut doing in &mut guards {
        *doing = T::DOING;
    }
}

fn app(guards: usize, leaves: impl FnOnce(&mut App)) -> App {
    let mut app = App::new();
    app.init_schedule(Frame);
    let plugins = (
        TaskPoolPlugin::default(),
        TimePlugin,
        AssetPlugin::default(),
    );
    app.add_plugins((plugins, TreemindPlugin::in_schedule(Frame)));
    app.add_facts::<Sight>();
    leaves(&mut app);
    let brain = Brain::parse(GUARD, "guard.kdl");
    let brain = app.world_mut().resource_mut::<Assets<Brain>>().add(brain);
    let all = (0..guards).map(|_| (Mind::new(brain.clone()), Sight::default(), Doing::default()));
    let all: Vec<_> = all.collect();
    app.world_mut().spawn_batch(all);
    app.world_mut().run_schedule(Frame);
    app
}

pub(crate) fn with_messages(guards: usize) -> App {
    app(guards, |app| {
        app.add_action_messages::<Attack>("attack")
            .add_action_messages::<Flee>("flee")
            .add_action_messages::<Patrol>("patrol");
        let notes = (note::<Attack>, note::<Flee>, note::<Patrol>);
        app.add_systems(Frame, notes.chain().after(TreemindSystems::Think));
        // As at the end of each frame of a game.
        app.add_systems(Frame, forget.before(TreemindSystems::Prepare));
    })
}

/// Drops the messages of the frame before.
fn forget(
    mut attacks: (
        ResMut<Messages<Started<Attack>>>,
        ResMut<Messages<Stopped<Attack>>>,
    ),
    mut flights: (
        ResMut<Messages<Started<Flee>>>,
        ResMut<Messages<Stopped<Flee>>>,
    ),
    mut patrols: (
        ResMut<Messages<Started<Patrol>>>,
        ResMut<Messages<Stopped<Patrol>>>,
    ),
) {
    attacks.0.update();
    attacks.1.update();
    flights.0.update();
    flights.1.update();
    patrols.0.update();
    patrols.1.update();
}

pub(crate) fn with_components(guards: usize) -> App {
    app(guards, |app| {
        app.add_action::<Attack>("attack")
            .add_action::<Flee>("flee")
            .add_action::<Patrol>("patrol");
        let notes = (
            note_added::<Attack>,
            note_added::<Flee>,
            note_added::<Patrol>,
        );
        app.add_systems(Frame, notes.chain().after(TreemindSystems::Think));
    })
}
