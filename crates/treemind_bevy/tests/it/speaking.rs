//! Messages between minds and systems.

use super::*;
use treemind::blackboard::Value;
use treemind::events::To;
use treemind_bevy::treemind;

const TOWN: &str = "
    leaves { action walk; action hide; event noise { param volume type=float; }; event thief; }
    tree citizen {
        reactive-selector {
            sequence { received noise where=\"event.volume > 3\"; emit thief; action hide; }
            action walk
        }
    }";

#[derive(Component, Clone, Deserialize)]
struct Walk {}
#[derive(Component, Clone, Deserialize)]
struct Hide {}
#[derive(Clone, Debug, Deserialize)]
struct Thief {}

#[test]
fn systems_send_and_hear() {
    let mut app = app();
    app.add_action::<Walk>("walk")
        .add_action::<Hide>("hide")
        .add_event::<Thief>("thief");
    let brain = brain(&mut app, TOWN);
    let citizens: Vec<Entity> = (0..3)
        .map(|_| app.world_mut().spawn(Mind::new(brain.clone())).id())
        .collect();
    app.update();
    assert_eq!(problems(&mut app), [""; 0]);
    let agents: Vec<Agent> = citizens
        .iter()
        .map(|citizen| *app.world().get::<Agent>(*citizen).unwrap())
        .collect();
    let mut brains = app.world_mut().resource_mut::<Brains>();
    brains
        .send(&agents[1], "noise", &[Value::Float(5.0)])
        .unwrap();
    let error = brains.send(&agents[1], "nois", &[]).unwrap_err();
    assert_eq!(error.to_string(), "the document has no `nois`");
    app.update();
    let mut heard = app.world_mut().resource_mut::<Messages<Emitted<Thief>>>();
    let heard: Vec<Entity> = heard.drain().map(|one| one.entity).collect();
    assert_eq!(heard, [citizens[1]]);
    assert!(app.world().entity(citizens[1]).contains::<Hide>());
    assert!(app.world().entity(citizens[0]).contains::<Walk>());
    let mut brains = app.world_mut().resource_mut::<Brains>();
    brains
        .send_to(To::World, "noise", &[Value::Float(4.0)])
        .unwrap();
    app.update();
    for citizen in citizens {
        assert!(app.world().entity(citizen).contains::<Hide>());
    }
    assert_eq!(problems(&mut app), [""; 0]);
}
