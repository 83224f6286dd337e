//! Decision trees that systems ask.

use super::*;

const SHOP: &str = "
    leaves {
        condition see-enemy
        condition is-night
        action buy { param what type=string; param price type=float default=1.0; }
        action run { param pace type=float; }
    }
    blackboard {
        key money type=float default=10.0
        key mood type=enum default=calm { value calm angry; }
        key pace type=float default=1.0
    }
    decide what-to-buy {
        test-condition see-enemy { yes { action run pace=\"{pace}\"; }; }
        test-condition is-night { yes { none; }; }
        test \"mood == angry\" { action buy what=tea price=0.5; }
        range \"money\" min=5.0 { yes { action buy what=cake price=4.0; }; no { action buy what=bread; }; }
    }
    tree still { action run pace=0.0; }
    main decide=what-to-buy";

#[derive(Component, Facts)]
struct Purse {
    money: f32,
}

#[derive(Resource)]
struct IsNight(bool);

fn shop() -> App {
    let mut app = app();
    app.add_facts::<Sight>()
        .add_facts::<Purse>()
        .insert_resource(IsNight(false))
        .add_condition_system("is-night", |_: In<Entity>, night: Res<IsNight>| night.0)
        .add_answer("buy")
        .add_answer("run");
    app
}

fn ask(app: &mut App, ask: Ask) -> Option<Decision> {
    app.world_mut().run_system_cached_with(decide, ask).unwrap()
}

#[test]
fn a_decision_tree_answers_for_an_entity() {
    let mut app = shop();
    let brain = brain(&mut app, SHOP);
    let customer = app
        .world_mut()
        .spawn((Sight::default(), Purse { money: 7.0 }));
    let customer = customer.id();
    let asked = Ask::new(customer, brain.clone()).running("what-to-buy");
    let decision = ask(&mut app, asked.clone()).unwrap();
    assert_eq!((decision.entity, &*decision.action), (customer, "buy"));
    assert_eq!(decision.param("price"), Some(Value::Float(4.0)));
    assert_eq!(decision.param("what"), Some(Value::Text("cake".into())));
    assert_eq!(decision.param("which"), None);

    app.world_mut().get_mut::<Purse>(customer).unwrap().money = 1.0;
    let decision = ask(&mut app, asked.clone()).unwrap();
    assert_eq!(decision.param("what"), Some(Value::Text("bread".into())));
    assert_eq!(decision.param("price"), Some(Value::Float(1.0)));

    app.world_mut().resource_mut::<IsNight>().0 = true;
    assert_eq!(ask(&mut app, asked.clone()), None);
    app.world_mut()
        .get_mut::<Sight>(customer)
        .unwrap()
        .see_enemy = true;
    let decision = ask(&mut app, asked.clone()).unwrap();
    assert_eq!(decision.action, "run");
    // Nothing of an entity is kept for the next one.
    let other = app.world_mut().spawn_empty().id();
    app.world_mut().resource_mut::<IsNight>().0 = false;
    let decision = ask(
        &mut app,
        Ask {
            entity: other,
            ..asked.clone()
        },
    )
    .unwrap();
    assert_eq!(decision.param("what"), Some(Value::Text("cake".into())));
    app.world_mut().despawn(other);
    assert_eq!(
        ask(
            &mut app,
            Ask {
                entity: other,
                ..asked
            }
        ),
        None
    );
    assert_eq!(problems(&mut app), [""; 0]);
}

#[test]
fn keys_of_the_own_mind_are_known() {
    let mut app = shop();
    let brain = brain(&mut app, SHOP);
    let mind = Mind::new(brain.clone()).running("still");
    let customer = app.world_mut().spawn((mind, Sight::default())).id();
    app.update();
    let agent = *app.world().get::<Agent>(customer).unwrap();
    let asked = Ask::new(customer, brain).running("what-to-buy");
    let mut brains = app.world_mut().resource_mut::<Brains>();
    brains.set(&agent, "pace", 3.0_f32).unwrap();
    brains.set(&agent, "money", 2.0_f32).unwrap();
    let decision = ask(&mut app, asked.clone()).unwrap();
    assert_eq!(decision.param("what"), Some(Value::Text("bread".into())));
    app.world_mut()
        .get_mut::<Sight>(customer)
        .unwrap()
        .see_enemy = true;
    let decision = ask(&mut app, asked).unwrap();
    assert_eq!(decision.params, [("pace".to_owned(), Value::Float(3.0))]);
    // The mind goes on with what it does.
    assert_eq!(
        app.world().resource::<Brains>().doing(&agent),
        Ok(vec!["run"])
    );
}

#[test]
fn a_problem_is_named_once_until_the_document_changes() {
    let mut app = shop();
    let handle = brain(
        &mut app,
        "leaves { action fly; }\ndecide d { action fly; }\nmain decide=d",
    );
    let bird = app.world_mut().spawn_empty().id();
    for _ in 0..3 {
        assert_eq!(ask(&mut app, Ask::new(bird, handle.clone())), None);
    }
    let found = problems(&mut app);
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("`fly`"), "{found:?}");
    let better = "leaves { action run; }\ndecide d { action run; }\nmain decide=d";
    let mut brains = app.world_mut().resource_mut::<Assets<Brain>>();
    brains
        .insert(&handle, Brain::parse(better, "guard.kdl"))
        .unwrap();
    app.update();
    app.update();
    let decision = ask(&mut app, Ask::new(bird, handle));
    assert_eq!(decision.unwrap().action, "run");
}

#[derive(Resource, Default)]
struct Bought(Vec<String>);

#[test]
fn it_is_a_system_between_others() {
    let mut app = shop();
    let handle = brain(&mut app, SHOP);
    app.init_resource::<Bought>();
    app.world_mut().spawn(Purse { money: 1.0 });
    let next = move |all: Query<Entity, With<Purse>>| {
        all.iter().next().map(|one| Ask::new(one, handle.clone()))
    };
    let buy = |decision: In<Option<Decision>>, mut bought: ResMut<Bought>| {
        bought.0.extend(decision.0.map(|decision| decision.action));
    };
    app.add_systems(Update, next.pipe(decide).pipe(buy));
    app.update();
    app.update();
    assert_eq!(app.world().resource::<Bought>().0, ["buy", "buy"]);
}
