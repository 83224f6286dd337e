//! Documents that change while minds run them.

use super::*;

#[test]
fn what_has_not_changed_goes_on() {
    let mut app = guards();
    let brain = brain(&mut app, GUARD);
    let guard = spawn_guard(&mut app, &brain);
    app.update();
    app.init_resource::<Removed>();
    app.add_observer(|_: On<Remove<Patrol>>, mut removed: ResMut<Removed>| removed.0 += 1);
    let exchange = |app: &mut App, text: &str| {
        let mut brains = app.world_mut().resource_mut::<Assets<Brain>>();
        brains
            .insert(&brain, Brain::parse(text, "guard.kdl"))
            .unwrap();
        // The message of the change comes at the end of the update.
        app.update();
        app.update();
    };
    exchange(&mut app, &GUARD.replace("range=2.0", "range=9.0"));
    assert_eq!(app.world().resource::<Removed>().0, 0);
    app.world_mut().get_mut::<Sight>(guard).unwrap().see_enemy = true;
    app.update();
    assert_eq!(app.world().get::<Attack>(guard).unwrap().range, 9.0);
    assert_eq!(app.world().resource::<Removed>().0, 1);
    // What has errors changes nothing, and says why.
    exchange(
        &mut app,
        &GUARD.replace("action patrol\n", "action ptrol\n"),
    );
    assert!(app.world().entity(guard).contains::<Attack>());
    let problems = problems(&mut app);
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].contains("guard.kdl:6:20: error[T0102]"),
        "{}",
        problems[0]
    );
    assert!(
        problems[0].contains("did you mean `patrol`?"),
        "{}",
        problems[0]
    );
    // What is gone is stopped once.
    exchange(
        &mut app,
        "leaves { action patrol; }\ntree guard { action patrol }",
    );
    let entity = app.world().entity(guard);
    assert!(entity.contains::<Patrol>() && !entity.contains::<Attack>());
}

#[derive(Resource, Default)]
struct Removed(u32);
