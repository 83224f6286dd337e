//! Documents in the formats of other systems.

use super::*;
use bevy_asset::AssetServer;
use treemind_bevy::BrainSettings;

/// Loads the first of the files, with the leaves of the second one, gives its mind to a guard, and waits for its action.
fn guard_of(files: &[(&str, &str)]) -> (App, Entity) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut app = app_in(folder.path());
    app.add_facts::<Sight>()
        .add_action::<Patrol>("Patrol")
        .add_action::<Attack>("Attack");
    let assets = app.world().resource::<AssetServer>();
    let manifest = files.get(1).map(|(name, _)| (*name).to_owned());
    let settings = move |settings: &mut BrainSettings| settings.manifest.clone_from(&manifest);
    let loading = assets.load_builder().with_settings(settings);
    let brain = loading.load::<Brain>(files[0].0.to_owned());
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
    let (app, guard) = guard_of(&[("guard.mind.xml", text)]);
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
    let (mut app, guard) = guard_of(&[("guard.scxml", text)]);
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

#[cfg(feature = "table")]
#[test]
fn flat_tables_are_assets() {
    let rows = "id,parent,type,description\n1,0,0,\n2,1,see-enemy,\n3,1,Patrol,\n";
    let leaves = "leaves { condition see-enemy; action Patrol; }";
    let (app, guard) = guard_of(&[("guard.mind.csv", rows), ("guard.leaves.kdl", leaves)]);
    assert!(app.world().entity(guard).contains::<Patrol>());
}
