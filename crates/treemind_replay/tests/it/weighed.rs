//! What a page sees of networks and rules, and of the search behind a plan.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{Kind, Population, Program, Value};
use treemind_doc::Document;
use treemind_replay::follow::{Follower, Timeline};
use treemind_replay::view::protocol::{Agent, RuleIs, SearchState, WhatIf};
use treemind_replay::view::{Wish, view_of};

/// An agent that is followed.
struct One {
    population: Population,
    host: Scripted,
    follower: Follower,
}

impl One {
    fn new(text: &str) -> Self {
        let weights = include_bytes!("../../../../conformance/mood.weights");
        let document = Document::read_with(text.as_bytes(), "one.kdl", |_| {
            Ok::<_, &str>(weights.to_vec())
        });
        let behaviour = document.behaviour(None).expect("no errors");
        Self {
            host: Scripted::idle(&behaviour, 1),
            follower: Follower::new("one", 0, &behaviour),
            population: Population::new(Arc::new(Program::new(behaviour)), 1),
        }
    }

    fn set(&mut self, key: &str, value: Value) {
        let key = self.population.program().behaviour().key_id(key);
        let set = self.population.set(0, key.expect("a key"), value);
        set.expect("its type");
    }

    fn tick(&mut self) -> Agent {
        let mut trace = Trace::with_values();
        self.follower.before_tick(&self.population, Some(0));
        let dt = Duration::from_secs(1);
        self.population.tick_traced(&mut self.host, dt, &mut trace);
        let tick = self.population.ticks();
        self.follower.update(&self.population, &trace, 0, tick);
        self.view(None)
    }

    fn view(&self, what_if: Option<WhatIf>) -> Agent {
        let wish = Wish {
            what_if,
            ..Wish::default()
        };
        view_of(
            &self.follower,
            &self.population,
            &wish,
            &Timeline::default(),
        )
    }
}

#[test]
fn a_network_is_shown_with_all_that_its_units_gave() {
    let mut one = One::new(
        "blackboard { key hunger type=float default=0.5; key coins type=int default=5; key social type=float; key asked type=bool default=#true; }
        network mood from=\"mood.weights\" { in \"hunger\"; in \"coins / 10.0\"; out social; out alone; }
        tree t { sequence { check \"asked\"; policy mood social=\"{social}\"; }; }",
    );
    let shown = one.tick().networks;
    assert_eq!(shown.len(), 1);
    let inputs = shown[0].inputs.iter();
    let inputs: Vec<(&str, f32)> = inputs.map(|one| (&*one.text, one.value)).collect();
    assert_eq!(inputs, [("hunger", 0.5), ("coins / 10.0", 0.5)]);
    let layers = shown[0].layers.iter();
    let layers: Vec<_> = layers
        .map(|layer| (layer.function, layer.units.len(), layer.weights.len()))
        .collect();
    assert_eq!(layers, [("relu", 3, 9), ("identity", 2, 8)]);
    let social = one.population.get(0, one.key("social"));
    assert_eq!(social, Value::Float(shown[0].layers[1].units[0]));
    let outputs = shown[0].outputs.iter();
    let outputs: Vec<_> = outputs.map(|one| (&*one.name, one.key)).collect();
    assert_eq!(outputs, [("social", Some(2)), ("alone", None)]);
    // In a tick that does not reach it, it is what it was.
    one.set("asked", Value::Bool(false));
    one.set("hunger", Value::Float(0.9));
    assert_eq!(one.tick().networks, shown);
    one.set("asked", Value::Bool(true));
    let later = one.tick().networks;
    assert_eq!((later[0].tick, later[0].inputs[0].value), (3, 0.9));
}

impl One {
    fn key(&self, name: &str) -> treemind_core::KeyId {
        let behaviour = self.population.program().behaviour();
        behaviour.key_id(name).expect("a key")
    }
}

#[test]
fn rules_say_which_fired_and_why_the_others_did_not() {
    let mut one = One::new(
        "blackboard { key health type=int default=100; key near type=bool; }
        leaves { event bark; }
        tree t { rules fire=first {
            rule near when=\"near\" cooldown=3.0 again=#true { emit bark; }
            rule hurt when=\"health < 50\" { emit bark; }
            rule weak when=\"health < 20\" priority=1 { emit bark; }
        }; }",
    );
    let how = |agent: &Agent| {
        let rules = agent.rules[0].rules.iter();
        let rules = rules.map(|rule| (rule.name.clone(), rule.is, rule.fired));
        rules.collect::<Vec<_>>()
    };
    let named = |all: [(&str, RuleIs, Option<u64>); 3]| {
        all.map(|(name, is, fired)| (name.to_owned(), is, fired))
            .to_vec()
    };
    let (fired, unmet, held) = (RuleIs::Fired, RuleIs::Unmet, RuleIs::Held);
    let of = |weak, near, hurt| {
        named([
            ("weak", weak, None),
            ("near", near, None),
            ("hurt", hurt, None),
        ])
    };
    assert_eq!(how(&one.tick()), of(unmet, unmet, unmet));
    one.set("near", Value::Bool(true));
    one.set("health", Value::Int(40));
    let agent = one.tick();
    assert_eq!(
        how(&agent),
        named([
            ("weak", unmet, None),
            ("near", fired, Some(2)),
            ("hurt", RuleIs::Skipped, None)
        ])
    );
    let why = agent.rules[0].rules[1].why.as_ref().expect("a reason");
    assert_eq!(why.text, "`near` fired");
    assert!(why.because[0].text.starts_with("`near` holds"), "{why:?}");
    let agent = one.tick();
    assert_eq!(
        how(&agent),
        named([
            ("weak", unmet, None),
            ("near", RuleIs::Cools, Some(2)),
            ("hurt", fired, Some(3))
        ])
    );
    let agent = one.tick();
    assert_eq!(how(&agent)[2], ("hurt".to_owned(), held, Some(3)));
}

const WORK: &str = "
    blackboard { key armed type=bool; key ammo type=int; key mags type=int default=1; key dead type=bool; }
    leaves { action draw; action load; action fire; action sing; }
    planner fighter {
        goal kill wants=\"dead\"
        action draw when=\"!armed\" gives=\"armed = true\"
        action load when=\"armed && mags > 0\" gives=\"ammo = 6; mags -= 1\"
        action fire when=\"armed && ammo > 0\" gives=\"dead = true\" cost=2
        action sing gives=\"mags += 1\" cost=9
    }";

fn searched(given: &[(&str, &str)]) -> SearchState {
    let document = Document::parse(WORK, "work.kdl");
    let behaviour = document.planner("fighter").expect("no errors");
    let node = behaviour.root();
    assert!(matches!(behaviour.node(node).kind, Kind::Planner(_)));
    let one = One {
        host: Scripted::idle(&behaviour, 1),
        follower: Follower::new("one", 0, &behaviour),
        population: Population::new(Arc::new(Program::new(behaviour)), 1),
    };
    let given = given.iter();
    let asked = WhatIf {
        node: node.index(),
        given: given
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect(),
        goal: Some(0),
        search: true,
    };
    let foreseen = one.view(Some(asked)).foreseen.expect("an answer");
    foreseen.search.expect("a search")
}

#[test]
fn the_search_for_a_plan_is_a_graph_of_situations() {
    let found = searched(&[]);
    let on_plan = found.situations.iter().filter(|one| one.is_on_plan);
    let on_plan: Vec<_> = on_plan
        .map(|one| {
            let step = one.from.as_ref().map_or("", |(_, step)| step);
            (step, one.cost, one.estimate, &*one.changes)
        })
        .collect();
    let change = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(
        on_plan,
        [
            ("", 0.0, 2.0, &[][..]),
            ("draw", 1.0, 2.0, &[change("armed", "true")]),
            (
                "load",
                2.0,
                2.0,
                &[change("ammo", "6"), change("mags", "0")]
            ),
            ("fire", 4.0, 0.0, &[change("dead", "true")]),
        ]
    );
    assert_eq!(found.of, found.situations.len());
    assert!(found.expansions >= 3);
    let other = found.situations.iter().find(|one| !one.is_on_plan);
    let other = other.expect("what was reached besides");
    assert_eq!(other.from.as_ref().expect("a step").1, "sing");
    assert!(!other.is_looked_at, "it is too dear");
    // Without a plan, all that was reached.
    let none = searched(&[("mags", "-100"), ("armed", "true")]);
    assert!(none.situations.iter().all(|one| !one.is_on_plan));
    assert!(none.situations.len() > 3);
}
