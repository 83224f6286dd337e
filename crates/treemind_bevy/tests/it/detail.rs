//! Minds that are ticked less often the further away they are.

use super::*;
use bevy_transform::components::GlobalTransform;
use treemind_bevy::{DetailByDistance, MindDetailPlugin, Viewer};

#[test]
fn the_interval_follows_from_the_distance() {
    let mut app = guards();
    app.add_plugins(MindDetailPlugin {
        levels: vec![(10.0, 1), (20.0, 3), (40.0, 5)],
        every_ticks: 2,
    });
    let brain = brain(&mut app, GUARD);
    let at = |x: f32| GlobalTransform::from_xyz(x, 0.0, 0.0);
    let guards = [0.0, 15.0, 100.0].map(|x| {
        let guard = spawn_guard(&mut app, &brain);
        app.world_mut()
            .entity_mut(guard)
            .insert((at(x), DetailByDistance));
        guard
    });
    let other = spawn_guard(&mut app, &brain);
    app.world_mut().entity_mut(other).insert(at(100.0));
    let intervals =
        |app: &App| guards.map(|guard| app.world().get::<Mind>(guard).unwrap().interval);
    app.update();
    // Nobody looks.
    assert_eq!(intervals(&app), [None; 3]);
    let viewer = app.world_mut().spawn((Viewer, at(-2.0))).id();
    app.update();
    app.update();
    assert_eq!(intervals(&app), [Some(1), Some(3), Some(5)]);
    assert_eq!(app.world().get::<Mind>(other).unwrap().interval, None);
    let mut turns = 0;
    for _ in 0..15 {
        app.update();
        turns += ticked(&app);
    }
    assert_eq!(turns, 15 + 15 + 5 + 3);
    // The nearest viewer counts.
    app.world_mut().spawn((Viewer, at(90.0)));
    app.world_mut().entity_mut(viewer).insert(at(-30.0));
    app.update();
    app.update();
    assert_eq!(intervals(&app), [Some(5), Some(5), Some(1)]);
    assert_eq!(problems(&mut app), [""; 0]);
}
