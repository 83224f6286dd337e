//! Entities that are despawned, disabled or paused.

use super::*;
use bevy_ecs::entity_disabling::Disabled;

#[derive(Resource, Default)]
struct Balance(i32);

/// An app with guards, and how many of their actions are open.
fn balanced() -> App {
    let mut app = guards();
    app.init_resource::<Balance>();
    app.add_observer(|_: On<Add<Patrol>>, mut open: ResMut<Balance>| open.0 += 1);
    app.add_observer(|_: On<Remove<Patrol>>, mut open: ResMut<Balance>| open.0 -= 1);
    app
}

fn open(app: &App) -> i32 {
    app.world().resource::<Balance>().0
}

#[test]
fn a_despawned_entity_leaves_its_population() {
    let mut app = balanced();
    let brain = brain(&mut app, GUARD);
    let guards: Vec<Entity> = (0..100).map(|_| spawn_guard(&mut app, &brain)).collect();
    app.update();
    assert_eq!((open(&app), ticked(&app)), (100, 100));
    for guard in &guards[..40] {
        app.world_mut().despawn(*guard);
    }
    assert_eq!(open(&app), 60);
    app.update();
    assert_eq!(ticked(&app), 60);
    // New entities get the free places, and nothing of those before them.
    let new = app
        .world_mut()
        .spawn((Mind::new(brain), Sight { see_enemy: true }))
        .id();
    app.update();
    assert!(app.world().entity(new).contains::<Attack>());
    assert_eq!(problems(&mut app), [""; 0]);
}

#[test]
fn a_handle_is_of_one_entity_only() {
    let mut app = balanced();
    let brain = brain(&mut app, GUARD);
    let first = spawn_guard(&mut app, &brain);
    app.update();
    let old = app.world().get::<Agent>(first).unwrap().id().unwrap();
    assert_eq!(app.world().resource::<Brains>().entity_of(old), Some(first));
    app.world_mut().despawn(first);
    let second = spawn_guard(&mut app, &brain);
    app.update();
    let new = app.world().get::<Agent>(second).unwrap().id().unwrap();
    let brains = app.world().resource::<Brains>();
    assert_ne!(old, new);
    assert_eq!(
        (brains.entity_of(old), brains.entity_of(new)),
        (None, Some(second))
    );
}

#[test]
fn a_disabled_entity_stops_and_begins_anew() {
    let mut app = balanced();
    let brain = brain(&mut app, GUARD);
    let guard = spawn_guard(&mut app, &brain);
    app.update();
    assert_eq!(open(&app), 1);
    app.world_mut().entity_mut(guard).insert(Disabled);
    app.update();
    app.update();
    assert_eq!((open(&app), ticked(&app)), (0, 0));
    app.world_mut().entity_mut(guard).remove::<Disabled>();
    app.update();
    assert_eq!((open(&app), ticked(&app)), (1, 1));
}

#[test]
fn a_paused_mind_keeps_what_it_runs() {
    let mut app = balanced();
    let brain = brain(&mut app, GUARD);
    let guard = spawn_guard(&mut app, &brain);
    app.update();
    app.world_mut().get_mut::<Mind>(guard).unwrap().is_paused = true;
    app.world_mut().get_mut::<Sight>(guard).unwrap().see_enemy = true;
    for _ in 0..5 {
        app.update();
        assert!(app.world().entity(guard).contains::<Patrol>());
    }
    app.world_mut().get_mut::<Mind>(guard).unwrap().is_paused = false;
    app.update();
    assert!(app.world().entity(guard).contains::<Attack>());
}

#[test]
fn a_mind_can_run_something_else() {
    let mut app = balanced();
    let brain = brain(
        &mut app,
        &format!("{GUARD}\ntree still {{ action patrol; }}\nmain tree=guard\n"),
    );
    let sight = Sight { see_enemy: true };
    let guard = app.world_mut().spawn((Mind::new(brain), sight)).id();
    app.update();
    assert!(app.world().entity(guard).contains::<Attack>());
    app.world_mut().get_mut::<Mind>(guard).unwrap().runs = Some("still".to_owned());
    app.update();
    let entity = app.world().entity(guard);
    assert!(entity.contains::<Patrol>() && !entity.contains::<Attack>());
}

#[test]
fn intervals_are_kept() {
    let mut app = balanced();
    let brain = brain(&mut app, GUARD);
    for _ in 0..64 {
        let mind = Mind::new(brain.clone()).every(4);
        app.world_mut().spawn((mind, Sight::default()));
    }
    app.update();
    let mut turns = 0;
    for _ in 0..8 {
        app.update();
        turns += ticked(&app);
    }
    assert_eq!(turns, 64 * 2);
}
