//! Actions as components and as messages.

use super::*;

/// How often components were added and removed.
#[derive(Resource, Default, Debug, PartialEq)]
struct Counts {
    added: u32,
    removed: u32,
}

#[test]
fn a_component_is_on_the_entity_while_its_action_runs() {
    let mut app = guards();
    let brain = brain(&mut app, GUARD);
    let guard = spawn_guard(&mut app, &brain);
    app.init_resource::<Counts>();
    app.add_observer(|_: On<Add<Attack>>, mut counts: ResMut<Counts>| counts.added += 1);
    app.add_observer(|_: On<Remove<Attack>>, mut counts: ResMut<Counts>| counts.removed += 1);
    for tick in 0..30 {
        let sees = tick % 10 >= 5;
        app.world_mut().get_mut::<Sight>(guard).unwrap().see_enemy = sees;
        app.update();
        let entity = app.world().entity(guard);
        assert_eq!(entity.contains::<Attack>(), sees, "tick {tick}");
        assert_eq!(entity.contains::<Patrol>(), !sees, "tick {tick}");
        if sees {
            assert_eq!(entity.get::<Attack>().unwrap().range, 2.0);
        }
    }
    app.world_mut().entity_mut(guard).remove::<Mind>();
    app.world_mut().entity_mut(guard).remove::<Agent>();
    let counts = app.world().resource::<Counts>();
    assert_eq!(
        *counts,
        Counts {
            added: 3,
            removed: 3
        }
    );
    assert_eq!(problems(&mut app), [""; 0]);
}

#[test]
fn actions_of_many_minds_begin_and_end_without_an_allocation_for_each() {
    let mut app = guards();
    let brain = brain(&mut app, GUARD);
    let squad = app.world_mut().spawn_empty().id();
    let guards: Vec<Entity> = (0..2000)
        .map(|number| {
            let guard = spawn_guard(&mut app, &brain);
            if number % 2 == 0 {
                app.world_mut().entity_mut(guard).insert(InGroup(squad));
            }
            guard
        })
        .collect();
    let mut allocations = 0;
    for tick in 0..12 {
        for guard in &guards {
            app.world_mut().get_mut::<Sight>(*guard).unwrap().see_enemy = tick % 2 == 0;
        }
        let counted = allocation_counter::measure(|| app.world_mut().run_schedule(Update));
        app.world_mut().clear_trackers();
        allocations = counted.count_total;
    }
    let patrolling = app.world_mut().query::<&Patrol>().iter(app.world()).count();
    assert_eq!(patrolling, 2000);
    assert!(allocations < 100, "{allocations} for 4 000 changes");
}

const WORKER: &str = "
    leaves { action dig { param depth type=float; }; action rest; }
    blackboard { key depth type=float default=2.0; }
    tree worker { sequence { action dig depth=\"{depth}\"; action rest; } }";

#[derive(Component, Clone, Debug, Deserialize)]
struct Dig {
    depth: f32,
}

#[derive(Component, Clone, Debug, Deserialize)]
struct Rest {}

#[derive(Component, Default)]
struct Hole(f32);

fn dig(mut digging: Query<(Entity, &Dig, &mut Hole)>, mut finish: Finish<Dig>) {
    for (entity, dig, mut hole) in &mut digging {
        hole.0 += 0.5;
        if hole.0 >= dig.depth {
            finish.success(entity);
        }
    }
}

#[test]
fn systems_do_and_end_actions() {
    let mut app = app();
    app.add_action::<Dig>("dig").add_action::<Rest>("rest");
    app.add_systems(Update, dig.after(TreemindSystems::Think));
    let brain = brain(&mut app, WORKER);
    let worker = app
        .world_mut()
        .spawn((Mind::new(brain), Hole::default()))
        .id();
    for _ in 0..4 {
        app.update();
        assert!(app.world().entity(worker).contains::<Dig>());
    }
    app.update();
    let entity = app.world().entity(worker);
    assert_eq!(entity.get::<Hole>().unwrap().0, 2.0);
    assert!(!entity.contains::<Dig>() && entity.contains::<Rest>());
    // What is said of an action that does not run has no effect.
    app.world_mut().run_system_once_with_finish(worker);
    app.update();
    assert!(app.world().entity(worker).contains::<Rest>());
}

#[test]
fn an_end_waits_for_the_mind() {
    let mut app = app();
    app.add_action::<Dig>("dig").add_action::<Rest>("rest");
    let brain = brain(&mut app, WORKER);
    let worker = app.world_mut().spawn(Mind::new(brain).every(4)).id();
    app.update();
    app.update();
    while ticked(&app) == 0 {
        app.update();
    }
    app.world_mut().run_system_once_with_finish(worker);
    for tick in 1..=4 {
        assert!(app.world().entity(worker).contains::<Dig>());
        app.update();
        assert_eq!(ticked(&app) == 1, tick == 4);
    }
    assert!(!app.world().entity(worker).contains::<Dig>());
    // It was meant for one run only.
    for _ in 0..12 {
        app.update();
    }
    assert!(app.world().entity(worker).contains::<Dig>());
}

trait FinishDig {
    fn run_system_once_with_finish(&mut self, entity: Entity);
}

impl FinishDig for World {
    fn run_system_once_with_finish(&mut self, entity: Entity) {
        use bevy_ecs::system::RunSystemOnce as _;
        let finish = move |mut finish: Finish<Dig>| finish.failure(entity);
        self.run_system_once(finish).unwrap();
    }
}

#[test]
fn messages_tell_of_actions_and_are_paired() {
    let mut app = app();
    app.add_facts::<Sight>()
        .add_action_messages::<Attack>("attack")
        .add_action_messages::<Patrol>("patrol");
    let brain = brain(&mut app, GUARD);
    let mut guards = Vec::new();
    for _ in 0..3 {
        guards.push(spawn_guard(&mut app, &brain));
    }
    let (mut started, mut stopped) = (Vec::new(), Vec::new());
    for tick in 0..12_usize {
        for (number, guard) in guards.iter().enumerate() {
            if let Some(mut sight) = app.world_mut().get_mut::<Sight>(*guard) {
                sight.see_enemy = tick / (number + 1) % 2 == 1;
            }
        }
        if tick == 8 {
            app.world_mut().despawn(guards[1]);
        }
        app.update();
        let mut messages = app.world_mut().resource_mut::<Messages<Started<Attack>>>();
        started.extend(messages.drain().map(|one| (one.entity, one.action.range)));
        let mut messages = app.world_mut().resource_mut::<Messages<Stopped<Attack>>>();
        stopped.extend(messages.drain().map(|one| (one.entity, one.outcome)));
    }
    for guard in &guards {
        app.world_mut().try_despawn(*guard).ok();
    }
    let mut messages = app.world_mut().resource_mut::<Messages<Stopped<Attack>>>();
    stopped.extend(messages.drain().map(|one| (one.entity, one.outcome)));
    for guard in guards {
        let starts = started
            .iter()
            .filter(|(entity, _)| *entity == guard)
            .count();
        let stops = stopped
            .iter()
            .filter(|(entity, _)| *entity == guard)
            .count();
        assert!(
            starts > 0 && starts == stops,
            "{starts} starts, {stops} stops"
        );
    }
    assert!(started.iter().all(|(_, range)| *range == 2.0));
    assert!(
        stopped
            .iter()
            .all(|(_, outcome)| *outcome == Outcome::Aborted)
    );
}
