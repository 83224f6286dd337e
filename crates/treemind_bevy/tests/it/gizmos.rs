//! What minds do, drawn above their entities.

use super::*;
use bevy_color::Color;
use bevy_gizmos::config::{GizmoConfig, GizmoConfigStore};
use bevy_gizmos::gizmos::GizmoBuffer;
use bevy_gizmos::{GizmoAsset, GizmoHandles, GizmoPlugin};
use bevy_math::{Isometry3d, Vec2, Vec3};
use bevy_transform::components::GlobalTransform;
use std::any::TypeId;
use treemind_bevy::{MindGizmos, MindGizmosPlugin};

/// The points of the lines that the last update has drawn.
fn points(app: &App) -> Vec<Vec3> {
    let handles = app.world().resource::<GizmoHandles>();
    let Some(Some(handle)) = handles.handles().get(&TypeId::of::<MindGizmos>()) else {
        return Vec::new();
    };
    let drawn = app.world().resource::<Assets<GizmoAsset>>();
    let buffer = drawn.get(handle).expect("what was drawn").buffer().buffer();
    let all = buffer.list_positions.iter().chain(buffer.strip_positions);
    // Strips are separated by points without a place.
    all.copied().filter(|point| point.is_finite()).collect()
}

/// Whether the letters of a text are drawn, and nothing else.
fn shows(app: &App, text: &str) -> bool {
    let mut buffer = GizmoBuffer::<MindGizmos, ()>::default();
    buffer.text(Isometry3d::IDENTITY, text, 0.3, Vec2::ZERO, Color::WHITE);
    let view = buffer.buffer();
    let all = view.list_positions.iter().chain(view.strip_positions);
    let letters: Vec<Vec3> = all.copied().filter(|point| point.is_finite()).collect();
    let drawn = points(app);
    // Wherever it is.
    let is_same = |(a, b): (&Vec3, &Vec3)| ((*a - drawn[0]) - (*b - letters[0])).length() < 1e-3;
    drawn.len() == letters.len() && drawn.iter().zip(&letters).all(is_same)
}

#[test]
fn actions_are_drawn_above_their_entities() {
    let mut app = guards();
    app.add_plugins((GizmoPlugin, MindGizmosPlugin));
    let brain = brain(&mut app, GUARD);
    let guard = spawn_guard(&mut app, &brain);
    app.update();
    app.update();
    // It has no place.
    assert_eq!(points(&app), []);
    let place = GlobalTransform::from_xyz(10.0, 20.0, 0.0);
    app.world_mut().entity_mut(guard).insert(place);
    app.update();
    let drawn = points(&app);
    assert!(shows(&app, "patrol"), "{drawn:?}");
    for point in &drawn {
        // One unit above it, and no wider than the word.
        assert!((8.0..12.0).contains(&point.x), "{point}");
        assert!((20.5..22.0).contains(&point.y), "{point}");
    }
    // Another action, another word.
    app.world_mut().get_mut::<Sight>(guard).unwrap().see_enemy = true;
    app.update();
    app.update();
    assert!(app.world().entity(guard).contains::<Attack>());
    assert!(shows(&app, "attack"));
    assert!(!shows(&app, "patrol"));
    // Nobody is left.
    app.world_mut().despawn(guard);
    app.update();
    assert_eq!(points(&app), []);
}

#[test]
fn states_are_drawn_unless_they_are_switched_off() {
    let mut app = guards();
    app.add_plugins((GizmoPlugin, MindGizmosPlugin));
    let machine = "
        leaves { action patrol; }
        machine guard {
            initial calm
            state calm { initial walking; state walking { do { action patrol; } } }
        }";
    let brain = brain(&mut app, machine);
    let guard = spawn_guard(&mut app, &brain);
    let place = GlobalTransform::IDENTITY;
    app.world_mut().entity_mut(guard).insert(place);
    app.update();
    app.update();
    assert_eq!(problems(&mut app), [""; 0]);
    assert!(shows(&app, "[calm.walking] patrol"));
    let style = |app: &mut App, change: fn(&mut GizmoConfig, &mut MindGizmos)| {
        let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
        let (config, style) = store.config_mut::<MindGizmos>();
        change(config, style);
        app.update();
    };
    style(&mut app, |_, style| style.shows_states = false);
    assert!(shows(&app, "patrol"));
    style(&mut app, |config, _| config.enabled = false);
    assert_eq!(points(&app), []);
}
