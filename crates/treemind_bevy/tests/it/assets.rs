//! Documents as files.

use super::*;
use bevy_asset::{AssetServer, LoadState};
use std::fs;

/// Updates until something holds: files are read by other threads.
#[track_caller]
fn until(app: &mut App, holds: impl Fn(&World) -> bool) {
    let begun = std::time::Instant::now();
    while !holds(app.world()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never holds");
        app.update();
        std::thread::yield_now();
    }
}

#[test]
fn files_are_loaded_with_their_imports_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let (leaves, tree) = GUARD.trim_start().split_once('\n').unwrap();
    fs::create_dir(folder.path().join("minds")).unwrap();
    write("minds/leaves.kdl", leaves);
    write("minds/guard.kdl", &format!("import \"leaves.kdl\"\n{tree}"));
    let mut app = app_in(folder.path());
    add_guards(&mut app);
    let server = app.world().resource::<AssetServer>().clone();
    let brain = server.load::<Brain>("minds/guard.kdl");
    let sight = Sight { see_enemy: true };
    let guard = app.world_mut().spawn((Mind::new(brain), sight)).id();
    until(&mut app, |world| world.entity(guard).contains::<Attack>());

    let longer = tree.replace("range=2.0", "range=7.0");
    write(
        "minds/guard.kdl",
        &format!("import \"leaves.kdl\"\n{longer}"),
    );
    server.reload("minds/guard.kdl");
    app.update();
    app.world_mut().get_mut::<Sight>(guard).unwrap().see_enemy = false;
    until(&mut app, |world| {
        let brain = &world.get::<Mind>(guard).unwrap().brain;
        let brains = world.resource::<Assets<Brain>>();
        let brain = brains.get(brain).unwrap();
        let mut sources = brain.document().sources();
        sources.any(|source| source.text().contains("range=7.0"))
    });
    until(&mut app, |world| world.entity(guard).contains::<Patrol>());
    app.update();
    app.update();
    app.world_mut().get_mut::<Sight>(guard).unwrap().see_enemy = true;
    until(&mut app, |world| {
        world
            .get::<Attack>(guard)
            .is_some_and(|attack| attack.range == 7.0)
    });
}

#[test]
fn a_file_with_errors_says_where() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.kdl"), "tree t { action fly }").unwrap();
    let mut app = app_in(folder.path());
    add_guards(&mut app);
    let server = app.world().resource::<AssetServer>().clone();
    let brain = server.load::<Brain>("bad.kdl");
    app.world_mut().spawn(Mind::new(brain.clone()));
    let is_over = |world: &World| {
        let server = world.resource::<AssetServer>();
        matches!(server.load_state(&brain), LoadState::Failed(_))
    };
    until(&mut app, is_over);
    let LoadState::Failed(error) = server.load_state(&brain) else {
        panic!("it has failed");
    };
    let error = error.to_string();
    assert!(
        error.contains("bad.kdl:1:17: error[T0102]: unknown action `fly`"),
        "{error}"
    );
}

#[test]
fn a_leaf_that_the_app_lacks_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("fly.kdl", "leaves { action fly; }\ntree t { action fly; }");
    write("guard.kdl", GUARD);
    let mut app = app_in(folder.path());
    add_guards(&mut app);
    let server = app.world().resource::<AssetServer>().clone();
    let brain = server.load::<Brain>("fly.kdl");
    for _ in 0..3 {
        app.world_mut().spawn(Mind::new(brain.clone()));
    }
    let guard = server.load::<Brain>("guard.kdl");
    let guard = app
        .world_mut()
        .spawn((Mind::new(guard), Sight::default()))
        .id();
    let begun = std::time::Instant::now();
    let mut found = Vec::new();
    while found.is_empty() || !app.world().entity(guard).contains::<Patrol>() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{found:?}");
        app.update();
        found.extend(problems(&mut app));
    }
    app.update();
    found.extend(problems(&mut app));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("`fly`"), "{}", found[0]);
}
