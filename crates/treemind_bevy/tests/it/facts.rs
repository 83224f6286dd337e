//! Facts, keys and groups.

use super::*;

#[derive(Component, Facts)]
struct Body {
    health: f32,
    target: Option<Entity>,
    is_armed: bool,
    unknown: i64,
}

const BODY: &str = "
    leaves { action flee; action walk; action hunt; }
    blackboard {
        key health type=double default=100.0
        key target type=entity optional=#true
        key is_armed type=bool default=#false
    }
    blackboard scope=group { key alarm type=bool default=#false; }
    tree body {
        reactive-selector {
            reactive-sequence { check \"health < 20\"; action flee; }
            reactive-sequence { check \"has(target) && is_armed\"; set \"alarm = true\"; action hunt; }
            action walk
        }
    }";

#[derive(Component, Clone, Deserialize)]
struct Flee {}
#[derive(Component, Clone, Deserialize)]
struct Walk {}
#[derive(Component, Clone, Deserialize)]
struct Hunt {}

fn bodies() -> App {
    let mut app = app();
    app.add_facts::<Body>()
        .add_action::<Flee>("flee")
        .add_action::<Walk>("walk")
        .add_action::<Hunt>("hunt");
    app
}

fn body() -> Body {
    Body {
        health: 50.0,
        target: None,
        is_armed: true,
        unknown: 7,
    }
}

#[test]
fn fields_are_keys() {
    let mut app = bodies();
    let brain = brain(&mut app, BODY);
    let one = app.world_mut().spawn((Mind::new(brain), body())).id();
    app.update();
    assert!(app.world().entity(one).contains::<Walk>());
    let agent = *app.world().get::<Agent>(one).unwrap();
    let health = app
        .world()
        .resource::<Brains>()
        .get::<f64>(&agent, "health");
    assert_eq!(health, Ok(Some(50.0)));
    app.world_mut().get_mut::<Body>(one).unwrap().target = Some(one);
    app.update();
    assert!(app.world().entity(one).contains::<Hunt>());
    app.world_mut().get_mut::<Body>(one).unwrap().target = None;
    app.update();
    assert!(app.world().entity(one).contains::<Walk>());
    app.world_mut().get_mut::<Body>(one).unwrap().health = 19.0;
    app.update();
    assert!(app.world().entity(one).contains::<Flee>());
    // A component that has not changed is not told again: the key keeps what a system wrote.
    let mut brains = app.world_mut().resource_mut::<Brains>();
    brains.set(&agent, "health", 80.0).unwrap();
    let unknown = brains.set(&agent, "helth", 80.0).unwrap_err();
    assert_eq!(unknown.to_string(), "the document has no `helth`");
    let wrong = brains.set(&agent, "health", true).unwrap_err();
    assert_eq!(wrong.to_string(), "`health` is of another type");
    app.update();
    assert!(app.world().entity(one).contains::<Walk>());
}

#[test]
fn entities_of_a_group_share_keys() {
    let mut app = bodies();
    let brain = brain(&mut app, BODY);
    let squads = [
        app.world_mut().spawn_empty().id(),
        app.world_mut().spawn_empty().id(),
    ];
    let members: Vec<Entity> = (0..4)
        .map(|number| {
            let squad = InGroup(squads[number % 2]);
            app.world_mut()
                .spawn((Mind::new(brain.clone()), body(), squad))
                .id()
        })
        .collect();
    app.update();
    app.world_mut().get_mut::<Body>(members[0]).unwrap().target = Some(members[1]);
    app.update();
    let alarms = |app: &App| -> Vec<bool> {
        let brains = app.world().resource::<Brains>();
        let agents = members
            .iter()
            .map(|one| app.world().get::<Agent>(*one).unwrap());
        agents
            .map(|agent| brains.get(agent, "alarm").unwrap().unwrap())
            .collect()
    };
    assert_eq!(alarms(&app), [true, false, true, false]);
    app.world_mut()
        .entity_mut(members[3])
        .insert(InGroup(squads[0]));
    assert_eq!(alarms(&app), [true, false, true, true]);
    app.world_mut().entity_mut(members[3]).remove::<InGroup>();
    assert_eq!(alarms(&app), [true, false, true, false]);
}

#[test]
fn a_field_of_the_wrong_type_is_a_problem() {
    let mut app = bodies();
    let text = BODY
        .replace("key health type=double", "key health type=string")
        .replace("default=100.0", "default=well")
        .replace("health < 20", "health == health");
    let brain = brain(&mut app, &text);
    app.world_mut().spawn((Mind::new(brain.clone()), body()));
    app.world_mut().spawn((Mind::new(brain), body()));
    app.update();
    app.update();
    assert_eq!(
        problems(&mut app),
        ["`body`: the key `health` is a `string`, and the component's field is not"]
    );
}
