//! A guard in a yard: `cargo run -p treemind_bevy --example guard`
//!
//! The guard's document is crates/treemind_bevy/assets/guard.kdl. Whatever it does is a component, and a system does it.

use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, AssetServer};
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use serde::Deserialize;
use std::time::Duration;
use treemind_bevy::prelude::*;

/// Where somebody is, in metres from the gate.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Place(pub f32);

#[derive(Component)]
pub(crate) struct Guard;

/// What the guard knows of itself and of others.
#[derive(Component, Facts)]
pub(crate) struct Senses {
    pub(crate) see_enemy: bool,
    pub(crate) health: f32,
}

/// Comes through the gate, and strikes back.
#[derive(Component)]
pub(crate) struct Intruder {
    pub(crate) health: f32,
}

#[derive(Component, Clone, Deserialize)]
pub(crate) struct Attack {
    range: f32,
}

#[derive(Component, Clone, Deserialize)]
pub(crate) struct Flee {}

#[derive(Component, Clone, Deserialize)]
pub(crate) struct Patrol {}

const HOME: f32 = 12.0;
const SIGHT: f32 = 6.0;

fn look(
    mut guards: Query<(&Place, &mut Senses), With<Guard>>,
    intruders: Query<&Place, With<Intruder>>,
) {
    for (place, mut senses) in &mut guards {
        let sees = intruders
            .iter()
            .any(|other| (other.0 - place.0).abs() < SIGHT);
        // Only what has changed is told to the mind.
        if senses.see_enemy != sees {
            senses.see_enemy = sees;
        }
    }
}

fn attack(
    time: Res<Time>,
    mut attacking: Query<(&Attack, &mut Place, &mut Senses), Without<Intruder>>,
    mut intruders: Query<(Entity, &Place, &mut Intruder)>,
    mut commands: Commands,
) {
    for (attack, mut place, mut senses) in &mut attacking {
        let Some((entity, enemy, mut intruder)) = intruders.iter_mut().next() else {
            continue;
        };
        let way = enemy.0 - place.0;
        if way.abs() > attack.range {
            place.0 += way.signum() * 3.0 * time.delta_secs();
            continue;
        }
        intruder.health -= 20.0 * time.delta_secs();
        senses.health -= 25.0 * time.delta_secs();
        if intruder.health <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
}

fn flee(
    time: Res<Time>,
    mut fleeing: Query<(Entity, &mut Place, &mut Senses), With<Flee>>,
    mut finish: Finish<Flee>,
) {
    for (entity, mut place, mut senses) in &mut fleeing {
        if place.0 < HOME {
            place.0 += 5.0 * time.delta_secs();
        } else if senses.health < 100.0 {
            senses.health += 20.0 * time.delta_secs();
        } else {
            finish.success(entity);
        }
    }
}

fn patrol(time: Res<Time>, mut walking: Query<&mut Place, With<Patrol>>) {
    for mut place in &mut walking {
        place.0 = 8.0 + 3.0 * (time.elapsed_secs() * 0.5).sin();
    }
}

/// An intruder comes after three seconds.
fn intrude(time: Res<Time>, mut has_come: Local<bool>, mut commands: Commands) {
    if time.elapsed_secs() > 3.0 && !*has_come {
        *has_come = true;
        commands.spawn((Intruder { health: 80.0 }, Place(4.0)));
    }
}

/// The yard, without a window.
pub(crate) fn app() -> App {
    let mut app = App::new();
    let assets = AssetPlugin {
        file_path: concat!(env!("CARGO_MANIFEST_DIR"), "/assets").to_owned(),
        ..AssetPlugin::default()
    };
    let minds = TreemindPlugin::in_schedule(Update);
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, assets, minds))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            50,
        )))
        .add_facts::<Senses>()
        .add_action::<Attack>("attack")
        .add_action::<Flee>("flee")
        .add_action::<Patrol>("patrol")
        .add_systems(
            Update,
            (intrude, look).chain().before(TreemindSystems::Sense),
        )
        .add_systems(Update, (attack, flee, patrol).after(TreemindSystems::Think));
    let brain = app.world().resource::<AssetServer>().load("guard.kdl");
    let senses = Senses {
        see_enemy: false,
        health: 100.0,
    };
    app.world_mut()
        .spawn((Guard, Mind::new(brain), Place(8.0), senses));
    app
}

/// What the guard does, and how it is.
pub(crate) fn report(world: &mut World) -> Option<(&'static str, f32, f32)> {
    type Whole<'w> = (&'w Place, &'w Senses, Has<Attack>, Has<Flee>, Has<Patrol>);
    let mut guards = world.query_filtered::<Whole<'_>, With<Guard>>();
    let (place, senses, attacks, flees, patrols) = guards.iter(world).next()?;
    let doing = match (attacks, flees, patrols) {
        (true, ..) => "attack",
        (_, true, _) => "flee",
        (.., true) => "patrol",
        _ => return None,
    };
    Some((doing, place.0, senses.health))
}

#[allow(dead_code, reason = "tests play it without its output")]
fn main() {
    let mut app = app();
    let mut last = "";
    let mut ticks = 0;
    while ticks < 600 {
        app.update();
        let Some((doing, place, health)) = report(app.world_mut()) else {
            // The document is still being loaded, by another thread.
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        ticks += 1;
        if doing != last {
            let secs = f64::from(ticks) * 0.05;
            println!("{secs:5.2} s  {doing:<7} at {place:4.1} m, health {health:3.0}");
            last = doing;
        }
    }
}
