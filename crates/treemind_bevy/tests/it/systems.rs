//! Leaves that are closures and systems.

use super::*;

const CAT: &str = "
    leaves { condition is-hungry; condition is-night; action eat; action sleep; sensor warmth; }
    blackboard { key warm type=float default=0.0 sensor=warmth; }
    tree cat {
        selector {
            sequence { condition is-hungry; action eat; }
            sequence { condition is-night; check \"warm > 20\"; action sleep; }
        }
    }";

#[derive(Component)]
struct Hunger(i32);
#[derive(Component)]
struct Warmth(f32);
#[derive(Resource)]
struct Hour(u32);

#[test]
fn leaves_are_closures_and_systems() {
    let mut app = app();
    app.insert_resource(Hour(12));
    app.add_condition("is-hungry", |cat: EntityRef<'_>| {
        cat.get::<Hunger>().is_some_and(|hunger| hunger.0 > 0)
    })
    .add_condition_system("is-night", |_: In<Entity>, hour: Res<Hour>| hour.0 >= 22)
    .add_action_system("eat", |cat: In<Entity>, mut hunger: Query<&mut Hunger>| {
        let mut hunger = hunger.get_mut(*cat).unwrap();
        hunger.0 -= 1;
        if hunger.0 > 0 {
            Status::Running
        } else {
            Status::Success
        }
    })
    .add_action_system("sleep", |_: In<Entity>, mut hour: ResMut<Hour>| {
        hour.0 = 6;
        true
    })
    .add_sensor("warmth", |cat: EntityRef<'_>| {
        cat.get::<Warmth>().map_or(0.0, |warmth| warmth.0)
    });
    let brain = brain(&mut app, CAT);
    let cat = (Mind::new(brain), Hunger(3), Warmth(25.0));
    let cat = app.world_mut().spawn(cat).id();
    for hungry in [2, 1, 0, 0] {
        app.update();
        assert_eq!(app.world().get::<Hunger>(cat).unwrap().0, hungry);
    }
    assert_eq!(app.world().resource::<Hour>().0, 12);
    app.world_mut().resource_mut::<Hour>().0 = 23;
    app.update();
    assert_eq!(app.world().resource::<Hour>().0, 6);
    assert_eq!(problems(&mut app), [""; 0]);
}

#[test]
fn a_system_may_despawn_who_runs_it() {
    let mut app = app();
    app.add_action_system("vanish", |me: In<Entity>, mut commands: Commands| {
        commands.entity(*me).despawn();
        Status::Running
    });
    let brain = brain(
        &mut app,
        "leaves { action vanish; }\ntree t { action vanish }",
    );
    let ghosts: Vec<Entity> = (0..5)
        .map(|_| app.world_mut().spawn(Mind::new(brain.clone())).id())
        .collect();
    app.update();
    assert!(
        ghosts
            .iter()
            .all(|ghost| app.world().get_entity(*ghost).is_err())
    );
    app.update();
    assert_eq!(ticked(&app), 0);
    assert_eq!(problems(&mut app), [""; 0]);
}

#[test]
fn a_panic_is_a_fault_of_one_mind() {
    let mut app = app();
    app.add_condition("is-odd", |me: EntityRef<'_>| {
        assert!(me.contains::<Hunger>(), "no hunger");
        true
    });
    let brain = brain(
        &mut app,
        "leaves { condition is-odd; }\ntree t { condition is-odd }",
    );
    app.world_mut().spawn((Mind::new(brain.clone()), Hunger(1)));
    app.world_mut().spawn(Mind::new(brain));
    app.update();
    let tally = app.world().resource::<Brains>().tally();
    assert_eq!((tally.success, tally.failure), (1, 1));
    let problems = problems(&mut app);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("no hunger"), "{}", problems[0]);
}
