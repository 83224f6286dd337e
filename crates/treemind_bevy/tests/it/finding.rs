//! `find` over what an app has: entities and places, measured by functions and by systems.

use super::*;
use treemind_bevy::ToMeasure;

#[derive(Component, Clone, Copy)]
struct Place([f32; 2]);
#[derive(Component)]
struct Cover {
    exposed: f32,
}
#[derive(Resource, Default)]
struct Asked(Vec<usize>);

#[derive(Deserialize)]
struct Near {
    range: f32,
}

#[derive(Component, Clone, Deserialize)]
struct Hide {
    place: [f32; 2],
}
#[derive(Component, Clone, Deserialize)]
struct Hunt {}
#[derive(Component, Clone, Deserialize)]
struct Wait {}

const SOLDIER: &str = "
    blackboard {
        key prey type=entity optional=#true
        key spot type=vec2
        key pos type=vec2
    }
    leaves {
        candidates covers type=vec2 { param range type=float; }
        candidates others type=entity
        measure exposure { param of type=vec2; param weight type=float; }
        measure way { param of type=entity; }
        action hide { param place type=vec2; }
        action hunt
        action wait
    }
    tree soldier {
        selector {
            sequence {
                find place in=covers range=5.0 into=\"{spot}\" {
                    keep \"exposure(place, 2) < 1\"
                    score \"1 / (1 + distance(place, pos))\"
                }
                action hide place=\"{spot}\"
            }
            sequence {
                find who in=others into=\"{prey}\" { score \"1 / (1 + way(who))\"; }
                action hunt
            }
            action wait
        }
    }";

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn soldiers() -> App {
    let mut app = app();
    app.init_resource::<Asked>()
        .add_candidates_with(
            "covers",
            |In((me, near)): In<(Entity, Near)>,
             places: Query<&Place>,
             covers: Query<&Place, With<Cover>>|
             -> Vec<[f32; 2]> {
                let own = places.get(me).unwrap().0;
                let near = covers
                    .iter()
                    .filter(|cover| distance(cover.0, own) <= near.range);
                near.map(|cover| cover.0).collect()
            },
        )
        .add_candidates(
            "others",
            |me: In<Entity>, all: Query<Entity, With<Mind>>| -> Vec<Entity> {
                all.iter().filter(|other| *other != *me).collect()
            },
        )
        .add_measure_system(
            "exposure",
            |In(asked): In<Vec<ToMeasure<[f32; 2]>>>,
             covers: Query<(&Place, &Cover)>,
             mut calls: ResMut<Asked>|
             -> Vec<f32> {
                calls.0.push(asked.len());
                let exposed = |one: &ToMeasure<[f32; 2]>| {
                    assert_eq!(one.params, [Value::Float(2.0)]);
                    let mut covers = covers.iter();
                    let at = covers.find(|(place, _)| place.0 == one.candidate);
                    at.map_or(f32::NAN, |(_, cover)| cover.exposed * 2.0)
                };
                asked.iter().map(exposed).collect()
            },
        )
        .add_entity_measure("way", |me: EntityRef<'_>, other: EntityRef<'_>| {
            let place = |of: EntityRef<'_>| of.get::<Place>().unwrap().0;
            distance(place(me), place(other))
        })
        .add_action::<Hide>("hide")
        .add_action::<Hunt>("hunt")
        .add_action::<Wait>("wait");
    app
}

fn spawn(app: &mut App, brain: &Handle<Brain>, at: [f32; 2]) -> Entity {
    let soldier = (Mind::new(brain.clone()), Place(at));
    app.world_mut().spawn(soldier).id()
}

#[test]
fn a_mind_finds_the_best_place_and_the_nearest_entity() {
    let mut app = soldiers();
    for (at, exposed) in [([1.0, 0.0], 0.6), ([3.0, 0.0], 0.2), ([9.0, 0.0], 0.0)] {
        app.world_mut().spawn((Place(at), Cover { exposed }));
    }
    let brain = brain(&mut app, SOLDIER);
    let hidden = spawn(&mut app, &brain, [0.0, 0.0]);
    let also = spawn(&mut app, &brain, [2.0, 0.0]);
    // No cover is within five metres of these.
    let hunter = spawn(&mut app, &brain, [40.0, 0.0]);
    let prey = spawn(&mut app, &brain, [43.0, 0.0]);
    app.update();
    // The nearest one is too exposed, the third is out of range.
    for one in [hidden, also] {
        assert_eq!(app.world().get::<Hide>(one).unwrap().place, [3.0, 0.0]);
    }
    assert_eq!(
        app.world().resource::<Asked>().0,
        [4],
        "one call for all candidates of all minds"
    );
    let agent = *app.world().get::<Agent>(hunter).unwrap();
    let brains = app.world().resource::<Brains>();
    let found = brains.get::<treemind_bevy::treemind::blackboard::Entity>(&agent, "prey");
    assert_eq!(found.unwrap().map(|found| found.0), Some(prey.to_bits()));
    assert!(app.world().entity(hunter).contains::<Hunt>());
    assert_eq!(problems(&mut app), [""; 0]);
}

#[test]
fn who_has_nothing_to_choose_from_does_something_else() {
    let mut app = soldiers();
    let brain = brain(&mut app, SOLDIER);
    let alone = spawn(&mut app, &brain, [0.0, 0.0]);
    app.update();
    assert!(app.world().entity(alone).contains::<Wait>());
    assert_eq!(problems(&mut app), [""; 0]);
}

#[test]
fn what_is_measured_and_what_is_gone() {
    let mut app = app();
    let gone = app.world_mut().spawn_empty().id();
    app.world_mut().despawn(gone);
    app.add_candidates("ghosts", move |_: In<Entity>| vec![gone])
        .add_candidates("spots", |_: In<Entity>| vec![[1.0_f32, 2.0], [3.0, 4.0]])
        .add_entity_measure("way", |_: EntityRef<'_>, _: EntityRef<'_>| 1.0)
        .add_measure("height", |_: EntityRef<'_>, at: [f32; 2]| at[1])
        .add_action::<Hide>("hide")
        .add_action::<Wait>("wait");
    let text = "
        blackboard { key who type=entity; key spot type=vec2; }
        leaves {
            candidates ghosts type=entity
            candidates spots type=vec2
            measure way { param of type=entity; }
            measure height { param of type=vec2; }
            action hide { param place type=vec2; }
            action wait
        }
        tree t {
            selector {
                sequence { find one in=ghosts into=\"{who}\" { keep \"way(one) < 5\"; }; action wait; }
                sequence { find one in=spots into=\"{spot}\" { score \"height(one)\"; }; action hide place=\"{spot}\"; }
            }
        }";
    let brain = brain(&mut app, text);
    let one = app.world_mut().spawn(Mind::new(brain)).id();
    app.update();
    assert_eq!(app.world().get::<Hide>(one).unwrap().place, [3.0, 4.0]);
    assert_eq!(problems(&mut app), [""; 0]);
}

#[test]
fn candidates_of_another_type_are_a_problem() {
    let mut app = app();
    app.add_candidates("spots", |_: In<Entity>| vec![[1.0_f32, 2.0, 3.0]]);
    let text = "
        blackboard { key spot type=vec2; }
        leaves { candidates spots type=vec2; }
        tree t { find one in=spots into=\"{spot}\"; }";
    let brain = brain(&mut app, text);
    app.world_mut().spawn(Mind::new(brain));
    app.update();
    let problems = problems(&mut app);
    assert!(
        problems.len() == 1 && problems[0].contains("spots"),
        "{problems:?}"
    );
}
