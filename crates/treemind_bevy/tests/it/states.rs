//! Machines, seen by observers.

use super::*;
use bevy_ecs::entity_disabling::Disabled;

const ROBOT: &str = "
    leaves { action attack { param range type=float; }; action patrol; }
    blackboard { key see_enemy type=bool default=#false; }
    machine robot {
        initial on-duty
        state on-duty {
            initial calm
            state calm { do { action patrol; }; transition to=alarmed when=see_enemy; }
            state alarmed { do { action attack range=1.0; }; transition to=calm when=\"!see_enemy\"; }
        }
    }";

#[derive(Component, Default)]
struct Calm;
#[derive(Component, Default)]
struct Alarmed;
#[derive(Component, Default)]
struct OnDuty;

#[test]
fn components_are_on_entities_while_states_are_active() {
    let mut app = guards();
    app.add_state::<OnDuty>("on-duty")
        .add_state::<Calm>("on-duty.calm")
        .add_state::<Alarmed>("on-duty.alarmed");
    let brain = brain(&mut app, ROBOT);
    let robot = (Mind::new(brain), Sight::default(), WatchStates::default());
    let robot = app.world_mut().spawn(robot).id();
    let has = |app: &App| {
        let robot = app.world().entity(robot);
        [
            robot.contains::<OnDuty>(),
            robot.contains::<Calm>(),
            robot.contains::<Alarmed>(),
        ]
    };
    app.update();
    assert_eq!(has(&app), [true, true, false]);
    app.world_mut().get_mut::<Sight>(robot).unwrap().see_enemy = true;
    app.update();
    assert_eq!(has(&app), [true, false, true]);
    app.world_mut().entity_mut(robot).insert(Disabled);
    app.update();
    assert_eq!(has(&app), [false; 3]);
    app.world_mut().entity_mut(robot).remove::<Disabled>();
    app.update();
    // It begins anew.
    assert_eq!(has(&app), [true, true, false]);
    app.update();
    assert_eq!(has(&app), [true, false, true]);
    app.world_mut().entity_mut(robot).remove::<(Mind, Agent)>();
    assert_eq!(has(&app), [false; 3]);
    assert_eq!(problems(&mut app), [""; 0]);
}

#[derive(Resource, Default)]
struct Told(Vec<String>);

#[test]
fn observers_see_transitions() {
    let mut app = guards();
    app.init_resource::<Told>();
    app.add_observer(|changed: On<StateChanged>, mut told: ResMut<Told>| {
        let StateChanged {
            machine, from, to, ..
        } = changed.event();
        told.0
            .push(format!("{machine}: {} > {}", from.join(" "), to.join(" ")));
    });
    let brain = brain(&mut app, ROBOT);
    let robot = (Mind::new(brain), Sight::default(), WatchStates::default());
    let robot = app.world_mut().spawn(robot).id();
    app.update();
    app.update();
    app.world_mut().get_mut::<Sight>(robot).unwrap().see_enemy = true;
    app.update();
    app.world_mut().get_mut::<Sight>(robot).unwrap().see_enemy = false;
    app.update();
    assert_eq!(
        app.world().resource::<Told>().0,
        [
            "robot:  > on-duty on-duty.calm",
            "robot: on-duty on-duty.calm > on-duty on-duty.alarmed",
            "robot: on-duty on-duty.alarmed > on-duty on-duty.calm",
        ]
    );
    assert_eq!(problems(&mut app), [""; 0]);
}
