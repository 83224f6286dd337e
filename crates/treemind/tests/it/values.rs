//! Values of every type and form between closures and the blackboard.

use crate::trees::{DT, Play};
use treemind::blackboard::{Entity, Text, Value};
use treemind::blackboard::{Held, KeyId};
use treemind::leaves::BindProblem;
use treemind::population::Behaviour;
use treemind::prelude::*;

const DOCUMENT: &str = r#"
blackboard {
    key pos type=vec2 default="1, 2"
    key up type=vec3
    key name type=string default="Bob"
    key what type=any default="north"
    key target type=entity optional=#true
    key spotted type=entity list=3
    key route type=vec2 list=2
    key sum type=float
}
leaves {
    condition sees
    action report { param text type=string; param at type=vec2; param any type=any; }
    action look
}
tree scout {
    sequence {
        condition sees
        for-each who in="{spotted}" { sequence { set "target = who"; action look; }; }
        action report text="{name}" at="=pos * 2" any="{target}"
    }
}"#;

fn scout() -> Behaviour {
    Document::parse(DOCUMENT, "scout.kdl")
        .behaviour(None)
        .unwrap()
}

#[derive(Default)]
struct World {
    log: Vec<String>,
}

fn registry() -> Registry<World> {
    let mut registry = Registry::<World>::new();
    let pos = registry.key::<[f32; 2]>("pos");
    let target = registry.key::<Entity>("target");
    let spotted = registry.list::<Entity>("spotted");
    let route = registry.list::<[f32; 2]>("route");
    registry
        .condition("sees", |_, me: &Agent| me.is_set("spotted"))
        .action("look", move |world: &mut World, me: &mut Agent| {
            let Entity(who) = me.get(target);
            world.log.push(format!("look {who}"));
            me.set(pos, [who as f32, 0.5]);
            Status::Success
        })
        .action("report", move |world: &mut World, me: &mut Agent| {
            let (text, at) = (me.arg::<&str>("text"), me.arg::<[f32; 2]>("at"));
            let any: Value = me.arg("any");
            let items: Vec<Entity> = me.items(spotted).collect();
            world
                .log
                .push(format!("{text} {at:?} {any} {}", items.len()));
            me.unset(spotted);
            assert_eq!((me.items(spotted).len(), me.is_set(target)), (0, true));
            me.unset("target");
            assert_eq!(me.find(target), None);
            assert_eq!(me.find::<&str>("name"), Some("Bob"));
            me.set("up", [1.0_f32, 2.0, 3.0]);
            me.set("what", [4.0_f32, 5.0]);
            me.set("name", "Alice");
            let pushed: Vec<bool> = (0..3).map(|n| me.push(route, [n as f32, 0.0])).collect();
            assert_eq!(pushed, [true, true, false]);
            Status::Success
        });
    registry
}

fn key(behaviour: &Behaviour, name: &str) -> KeyId {
    behaviour.key_id(name).unwrap()
}

#[test]
fn closures_read_and_write_values_of_every_type_and_form() {
    let behaviour = scout();
    let [spotted, target, route, what] =
        ["spotted", "target", "route", "what"].map(|name| key(&behaviour, name));
    let mut play = Play::new(behaviour, &registry(), World::default(), 2);
    {
        let mut board = play.population.board(1);
        let mut list = board.list_mut(spotted, 1).unwrap();
        for who in [7, 8, 9] {
            list.push(Value::Entity(who)).unwrap();
        }
        assert_eq!(
            list.push(Value::Entity(10)).unwrap_err().to_string(),
            "the list is full"
        );
        let wrong = list.push(Value::Bool(true)).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "the key is `entity`, but the value is `bool`"
        );
    }
    play.tick();
    assert_eq!(play.faults(), []);
    assert_eq!(
        play.world.log,
        ["look 7", "look 8", "look 9", "Bob [18.0, 1.0] 9 3"]
    );
    let population = &play.population;
    assert_eq!(population.find(1, target), None);
    assert!(matches!(population.held(1, target), Held::Unset));
    let Held::List(list) = population.held(1, route) else {
        panic!("`route` is a list");
    };
    let items: Vec<Value> = list.iter().collect();
    assert_eq!(items, [Value::Vec2([0.0, 0.0]), Value::Vec2([1.0, 0.0])]);
    assert_eq!(population.get(1, what), Value::Vec2([4.0, 5.0]));
    assert_eq!(
        population.get(0, what),
        Value::Text(Text::new("north")),
        "the other agent's"
    );
}

#[test]
fn vectors_of_all_agents_are_columns() {
    let behaviour = scout();
    let [pos, up, target, route] =
        ["pos", "up", "target", "route"].map(|name| key(&behaviour, name));
    let mut play = Play::new(behaviour, &registry(), World::default(), 700);
    let mut board = play.population.board(0);
    let [x, y] = board.vec2s_mut(pos).unwrap();
    assert_eq!((x.len(), x[699], y[699]), (1_024, 1.0, 2.0));
    (x[5], y[5]) = (8.0, 9.0);
    let [_, _, z] = board.vec3s_mut(up).unwrap();
    z[6] = 4.0;
    assert!(board.vec2s_mut(up).is_none() && board.vec2s_mut(route).is_none());
    assert!(board.floats_mut(pos).is_none() && board.bits_mut(target).is_none());
    assert_eq!(board.get(pos, 5), Value::Vec2([8.0, 9.0]));
    assert_eq!(board.get(up, 6), Value::Vec3([0.0, 0.0, 4.0]));
}

#[test]
fn what_is_asked_for_and_is_not_there_is_a_fault_of_the_leaf() {
    type Ask = fn(&mut Agent);
    let asks: [(Ask, &str); 7] = [
        (
            |me| assert_eq!(me.get::<Entity>("target"), Entity(1)),
            "the key `target` is unset",
        ),
        (
            |me| assert_eq!(me.get::<Entity>("spotted"), Entity(1)),
            "the key `spotted` is a list, not a value",
        ),
        (
            |me| me.set("spotted", Entity(1)),
            "the key `spotted` is a list, not a value",
        ),
        (
            |me| assert_eq!(me.items::<Entity>("target").len(), 0),
            "the key `target` is a value, not a list",
        ),
        (
            |me| assert!(me.push("spotted", 5_i64)),
            "an item of the list is `entity`, not `int`",
        ),
        (|me| me.unset("name"), "the key `name` is not optional"),
        (
            |me| assert_eq!(me.get::<[f32; 3]>("pos"), [0.0; 3]),
            "the key is `vec2`, not `vec3`",
        ),
    ];
    let (declared, _) = DOCUMENT.split_once("tree scout").unwrap();
    let text_of_tree = format!("{declared} tree scout {{ action look; }}");
    for (ask, text) in asks {
        let mut registry = registry();
        registry.action("look", move |_: &mut World, me: &mut Agent| {
            ask(me);
            Status::Success
        });
        let document = Document::parse(&text_of_tree, "scout.kdl");
        let behaviour = document.behaviour(None).unwrap();
        let mut play = Play::new(behaviour, &registry, World::default(), 1);
        assert_eq!(play.traced(0), "1 FAILURE | tick look FAILURE");
        let faults = play.faults();
        assert!(faults[0].1.ends_with(text), "{faults:?}");
    }
}

#[test]
fn a_list_and_a_value_are_told_apart_when_a_registry_is_bound() {
    let mut registry = registry();
    let _ = registry.key::<Entity>("spotted");
    let _ = registry.list::<Entity>("target");
    let _ = registry.list::<i64>("spotted");
    let error = registry.bind(&scout()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the key `spotted` is a list, but the code asks for one value\n\
         the key `target` is one value, but the code asks for a list\n\
         the key `spotted` is `entity`, but the code asks for `int`"
    );
    assert!(matches!(
        error.problems()[0],
        BindProblem::WrongKeyForm { is_list: true, .. }
    ));
}

#[test]
fn ticks_with_texts_and_lists_allocate_nothing() {
    for agents in [1, 5_000] {
        let mut registry = Registry::<u64>::new();
        let spotted = registry.list::<Entity>("spotted");
        registry
            .condition("sees", |_, _| true)
            .action("look", move |_: &mut u64, me: &mut Agent| {
                me.set("name", if me.index() % 2 == 0 { "even" } else { "odd" });
                Status::Success
            })
            .action("report", move |count: &mut u64, me: &mut Agent| {
                *count += me.arg::<&str>("text").len() as u64;
                me.unset(spotted);
                me.push(spotted, Entity(3));
                me.push(spotted, Entity(4));
                Status::Success
            });
        let text = DOCUMENT.replace("any=\"{target}\"", "any=\"{pos}\"");
        let behaviour = Document::parse(&text, "scout.kdl").behaviour(None).unwrap();
        let mut play = Play::new(behaviour, &registry, 0, agents);
        // At first, the words that are written are new to the process.
        play.tick();
        play.tick();
        let counted = allocation_counter::measure(|| {
            for _ in 0..20 {
                play.population
                    .tick(&mut play.bound.host(&mut play.world), DT);
            }
        });
        assert_eq!(counted.count_total, 0, "{agents} agents");
        assert!(play.world > 0);
    }
}
