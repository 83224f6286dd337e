//! Minds that are saved with the world.

use super::*;
use bevy_asset::AssetServer;
use std::fs;
use std::path::Path;
use treemind_bevy::{SavedMinds, SavedMindsError, restore_minds, save_minds};

const WAITER: &str = "
    leaves { action attack { param range type=float; }; action patrol; }
    blackboard { key rounds type=int default=0; }
    blackboard scope=group { key calls type=int default=0 merge=add; }
    tree guard {
        repeat forever {
            sequence {
                wait 0.45
                set \"rounds += 1\"
                set \"calls += 1\"
                action attack range=3.0
            }
        }
    }";

/// Ends every other attack.
fn strike(attacking: Query<(Entity, &Number), With<Attack>>, mut finish: Finish<Attack>) {
    for (entity, number) in &attacking {
        if number.0 % 2 == 0 {
            finish.success(entity);
        }
    }
}

#[derive(Component, Clone, Copy)]
struct Number(u32);

fn guards_in(folder: &Path) -> App {
    let mut app = app_in(folder);
    app.add_action::<Attack>("attack")
        .add_action::<Patrol>("patrol")
        .add_systems(Update, strike.after(TreemindSystems::Think));
    let brain = app
        .world()
        .resource::<AssetServer>()
        .load::<Brain>("guard.kdl");
    let begun = std::time::Instant::now();
    while app
        .world()
        .resource::<Assets<Brain>>()
        .get(&brain)
        .is_none()
    {
        assert!(begun.elapsed() < Duration::from_secs(60));
        app.update();
    }
    // A strong handle keeps it.
    app.insert_resource(Kept(brain));
    app
}

#[derive(Resource)]
struct Kept(Handle<Brain>);

/// What all minds do and know, in the order of their numbers.
fn told(app: &mut App) -> Vec<String> {
    let mut minds = app.world_mut().query::<(&Number, &Agent, Has<Attack>)>();
    let world = app.world();
    let brains = world.resource::<Brains>();
    let mut all: Vec<(u32, String)> = minds
        .iter(world)
        .map(|(number, agent, attacks)| {
            let key = |name| brains.get::<i64>(agent, name).unwrap().unwrap();
            let doing = brains.doing(agent).unwrap();
            let text = format!("{doing:?} {attacks} {} {}", key("rounds"), key("calls"));
            (number.0, text)
        })
        .collect();
    all.sort();
    all.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn restored_minds_go_on() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("guard.kdl"), WAITER).unwrap();
    let mut app = guards_in(folder.path());
    let brain = app.world().resource::<Kept>().0.clone();
    let squad = app.world_mut().spawn_empty().id();
    for number in 0..5 {
        let guard = (Mind::new(brain.clone()), Number(number));
        let guard = app.world_mut().spawn(guard).id();
        if number < 3 {
            app.world_mut().entity_mut(guard).insert(InGroup(squad));
        }
    }
    for _ in 0..12 {
        app.update();
    }
    let saved = save_minds(app.world()).unwrap();

    // Another process: other entities, which the game has saved itself.
    let mut other = guards_in(folder.path());
    other.world_mut().spawn_batch([(); 7]);
    let brain = other.world().resource::<Kept>().0.clone();
    let mut map = std::collections::HashMap::new();
    map.insert(squad, other.world_mut().spawn_empty().id());
    let mut minds = app
        .world_mut()
        .query::<(Entity, &Number, Option<&Attack>, Option<&InGroup>)>();
    for (old, number, attack, group) in minds.iter(app.world()) {
        let new = other.world_mut().spawn((Mind::new(brain.clone()), *number));
        let new = new.id();
        map.insert(old, new);
        if let Some(attack) = attack {
            other.world_mut().entity_mut(new).insert(attack.clone());
        }
        if group.is_some() {
            other
                .world_mut()
                .entity_mut(new)
                .insert(InGroup(map[&squad]));
        }
    }
    restore_minds(other.world_mut(), &saved, |old| map.get(&old).copied()).unwrap();
    assert_eq!(told(&mut other), told(&mut app));
    for tick in 0..30 {
        app.update();
        other.update();
        assert_eq!(told(&mut other), told(&mut app), "tick {tick}");
    }
    assert_eq!(problems(&mut other), [""; 0]);
}

#[test]
fn what_cannot_be_restored_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("guard.kdl"), WAITER).unwrap();
    let mut app = guards_in(folder.path());
    let brain = app.world().resource::<Kept>().0.clone();
    app.world_mut().spawn((Mind::new(brain), Number(0)));
    app.update();
    let saved = save_minds(app.world()).unwrap();
    let before = told(&mut app);

    let folder = tempfile::tempdir().unwrap();
    let changed = WAITER.replace("wait 0.45", "wait 0.45; wait 1.0");
    fs::write(folder.path().join("guard.kdl"), changed).unwrap();
    let mut other = guards_in(folder.path());
    let error = restore_minds(other.world_mut(), &saved, Some).unwrap_err();
    assert!(
        matches!(&error, SavedMindsError::State(text) if text.contains("another version")),
        "{error}"
    );

    let bytes = format!("{saved:?}");
    assert!(bytes.len() > 100);
    let nothing: fn(Entity) -> Option<Entity> = |_| None;
    let mut empty = super::app();
    let error = restore_minds(empty.world_mut(), &saved, nothing).unwrap_err();
    assert_eq!(error, SavedMindsError::NotLoaded("guard.kdl".to_owned()));
    assert_eq!(told(&mut app), before);
    let _: SavedMinds = saved;
}

#[test]
fn a_document_without_a_file_is_named() {
    let mut app = guards();
    let brain = brain(&mut app, GUARD);
    app.world_mut().spawn((Mind::new(brain), Sight::default()));
    app.update();
    let error = save_minds(app.world()).unwrap_err();
    assert!(matches!(error, SavedMindsError::NoFile(_)), "{error}");
}
