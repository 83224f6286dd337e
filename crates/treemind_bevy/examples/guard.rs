//! A guard in a yard: `cargo run -p treemind_bevy --example guard`; with a window: `--features window`
//!
//! The guard's document is crates/treemind_bevy/assets/guard.kdl. Whatever it does is a component, and a system does it.

#[cfg(feature = "window")]
#[path = "shared/window.rs"]
mod window;

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

fn assets() -> AssetPlugin {
    AssetPlugin {
        file_path: concat!(env!("CARGO_MANIFEST_DIR"), "/assets").to_owned(),
        ..AssetPlugin::default()
    }
}

/// The yard, without a window.
#[allow(dead_code, reason = "with a window nobody asks")]
pub(crate) fn app() -> App {
    let mut app = App::new();
    let step = TimeUpdateStrategy::ManualDuration(Duration::from_millis(50));
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, assets()))
        .insert_resource(step);
    add_yard(&mut app);
    app
}

fn add_yard(app: &mut App) {
    app.add_plugins(TreemindPlugin::in_schedule(Update))
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
}

/// What the guard does, and how it is.
#[allow(dead_code, reason = "with a window nobody asks")]
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

/// Opens a window.
#[cfg(feature = "window")]
#[allow(dead_code, reason = "tests play it without its window")]
fn main() -> AppExit {
    use bevy_internal::prelude::*;

    fn dress(
        guards: Query<Entity, Added<Guard>>,
        intruders: Query<Entity, Added<Intruder>>,
        mut commands: Commands,
    ) {
        for guard in &guards {
            let body = window::body(0.6, Color::srgb(0.35, 0.6, 0.95));
            commands.entity(guard).insert(body);
        }
        for intruder in &intruders {
            let body = window::body(0.6, Color::srgb(0.9, 0.3, 0.25));
            commands.entity(intruder).insert(body);
        }
    }

    fn place(mut all: Query<(&Place, &mut Transform)>) {
        for (place, mut transform) in &mut all {
            transform.translation.x = place.0;
        }
    }

    fn draw(guards: Query<(&Place, &Senses)>, mut gizmos: Gizmos) {
        let wall = Color::srgb(0.55, 0.5, 0.4);
        gizmos.rect_2d(Vec2::new(7.0, 0.0), Vec2::new(14.0, 4.0), wall);
        let words = [(0.0, "gate"), (HOME, "home")];
        for (x, word) in words {
            let at = Vec3::new(x, -2.5, 0.0);
            gizmos.text(at, word, 0.3, Vec2::ZERO, wall);
            gizmos.line_2d(Vec2::new(x, -2.0), Vec2::new(x, 2.0), wall);
        }
        for (place, senses) in &guards {
            let left = Vec2::new(place.0 - 0.5, -0.6);
            let health = left + Vec2::X * (senses.health / 100.0);
            gizmos.line_2d(left, health, Color::srgb(0.3, 0.9, 0.4));
        }
    }

    let shown = Rect::new(-1.5, -4.0, 15.5, 4.0);
    let mut app = window::app("A guard", assets(), shown, 0.35);
    add_yard(&mut app);
    let shows = (dress, place, draw).chain().after(TreemindSystems::Think);
    app.add_systems(Update, shows).run()
}

/// Plays half a minute, and prints what the guard does.
#[cfg(not(feature = "window"))]
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
