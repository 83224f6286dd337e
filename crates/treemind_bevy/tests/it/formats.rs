//! Documents in the formats of other systems.

use super::*;
use bevy_asset::AssetServer;

/// Loads a file with that name, gives its mind to a guard, and waits for its action.
fn guard_of(name: &str, text: &str) -> (App, Entity) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    let mut app = app_in(folder.path());
    app.add_facts::<Sight>()
        .add_action::<Patrol>("Patrol")
        .add_action::<Attack>("Attack");
    let brain = app
        .world()
        .resource::<AssetServer>()
        .load::<Brain>(name.to_owned());
    let guard = spawn_guard(&mut app, &brain);
    app.world_mut()
        .entity_mut(guard)
        .insert(WatchStates::default());
    let begun = std::time::Instant::now();
    while app.world().get::<Agent>(guard).unwrap().id().is_none() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it is never loaded"
        );
        app.update();
        assert_eq!(problems(&mut app), [""; 0]);
    }
    app.update();
    (app, guard)
}

#[cfg(feature = "btcpp")]
#[test]
fn trees_of_behaviortree_cpp_are_assets() {
    let text = r#"<root BTCPP_format="4" main_tree_to_execute="Guard">
        <BehaviorTree ID="Guard"><Sequence><Patrol/></Sequence></BehaviorTree>
        <TreeNodesModel><Action ID="Patrol"/></TreeNodesModel>
    </root>"#;
    let (app, guard) = guard_of("guard.mind.xml", text);
    assert!(app.world().entity(guard).contains::<Patrol>());
}

#[cfg(feature = "scxml")]
#[derive(Component, Default)]
struct Alarmed;

#[cfg(feature = "scxml")]
#[test]
fn machines_in_scxml_are_assets() {
    let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="calm">
        <state id="calm"><transition event="noise" target="alarmed"/></state>
        <state id="alarmed"/>
    </scxml>"#;
    let (mut app, guard) = guard_of("guard.scxml", text);
    app.add_state::<Alarmed>("alarmed");
    let agent = *app.world().get::<Agent>(guard).unwrap();
    assert!(!app.world().entity(guard).contains::<Alarmed>());
    app.world_mut()
        .resource_mut::<Brains>()
        .send(&agent, "noise", &[])
        .unwrap();
    app.update();
    app.update();
    assert!(app.world().entity(guard).contains::<Alarmed>());
}
