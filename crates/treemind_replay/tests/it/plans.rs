//! What a page sees of planners.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Kind, Population, Program, Status, Value};
use treemind_doc::Document;
use treemind_replay::follow::{Follower, Note, Timeline};
use treemind_replay::view::protocol::{Agent, Bar, GoalIs, WhatIf};
use treemind_replay::view::{Wish, definition, view_of};

const SOLDIER: &str = include_str!("../../../../examples/10-soldier/fighter.kdl");

/// A soldier who is followed.
struct Soldier {
    population: Population,
    host: Scripted,
    follower: Follower,
    film: Timeline,
    planner: usize,
}

impl Soldier {
    fn new() -> Self {
        let behaviour = Document::parse(SOLDIER, "fighter.kdl").behaviour(None);
        let behaviour = behaviour.expect("the example has no errors");
        let mut nodes = behaviour.node_ids();
        let planner = nodes.find(|node| matches!(behaviour.node(*node).kind, Kind::Planner(_)));
        let mut host = Scripted::idle(&behaviour, 1);
        // Otherwise it goes on, and the planner is not asked again.
        host.set(0, "stand-guard", &[Status::Success]);
        Self {
            host,
            follower: Follower::new("soldier", 0, &behaviour),
            film: Timeline::default(),
            planner: planner.expect("a planner").index(),
            population: Population::new(Arc::new(Program::new(behaviour)), 1),
        }
    }

    fn set(&mut self, key: &str, value: Value) {
        let key = self.population.program().behaviour().key_id(key);
        let set = self.population.set(0, key.expect("a key"), value);
        set.expect("its type");
    }

    fn tick(&mut self) {
        let mut trace = Trace::with_values();
        self.follower.before_tick(&self.population, Some(0));
        let dt = Duration::from_millis(50);
        self.population.tick_traced(&mut self.host, dt, &mut trace);
        let tick = self.population.ticks();
        self.follower.update(&self.population, &trace, 0, tick);
        self.follower.read_keys(&self.population, Some(0), tick);
        let note = Note {
            nth: 0,
            mind: &self.follower,
            behaviour: self.population.program().behaviour(),
            events: Vec::new(),
        };
        self.film.note(tick, note);
    }

    fn view(&self, what_if: Option<WhatIf>) -> Agent {
        let wish = Wish {
            planner: Some(self.planner),
            what_if,
            ..Wish::default()
        };
        view_of(&self.follower, &self.population, &wish, &self.film)
    }

    /// The steps of the plan, from the one in progress on.
    fn rest(&self) -> String {
        let plan = self.view(None).plans[0].plan.clone();
        plan.map_or(String::new(), |plan| {
            let rest = plan.steps[plan.cursor..].iter();
            let names: Vec<&str> = rest.map(|step| step.name.as_str()).collect();
            names.join(" ")
        })
    }

    fn how(&self) -> Vec<GoalIs> {
        let goals = self.view(None).plans[0].goals.clone();
        goals.iter().map(|goal| goal.is).collect()
    }
}

#[test]
fn a_plan_is_shown_with_its_steps_costs_and_reasons() {
    let mut soldier = Soldier::new();
    soldier.tick();
    assert_eq!(soldier.how(), [GoalIs::Closed, GoalIs::Closed]);
    assert!(!soldier.view(None).plans[0].is_running);
    soldier.set("enemy_seen", Value::Bool(true));
    soldier
        .host
        .set(0, "draw-gun", &[Status::Running, Status::Success]);
    soldier.tick();
    assert_eq!(soldier.rest(), "draw-gun reload take-cover shoot");
    assert_eq!(soldier.how(), [GoalIs::Closed, GoalIs::Pursued]);
    let plan = soldier.view(None).plans[0].plan.clone().expect("a plan");
    let costs: Vec<Option<f64>> = plan.steps.iter().map(|step| step.cost).collect();
    assert_eq!(costs, [1.0, 1.0, 2.0, 2.0].map(Some));
    assert_eq!(plan.cost, Some(6.0));
    let why = plan.steps[1].why.as_deref();
    assert_eq!(why, Some("`reload`, because `shoot` needs `ammo > 0`"));
    // One step further, what is done has no costs any more.
    soldier.set("armed", Value::Bool(true));
    soldier.tick();
    soldier.tick();
    assert_eq!(soldier.rest(), "reload take-cover shoot");
    let plan = soldier.view(None).plans[0].plan.clone().expect("a plan");
    assert_eq!(
        (plan.steps.len(), plan.cursor, plan.cost),
        (4, 1, Some(5.0))
    );
    assert_eq!((plan.steps[0].cost, &plan.steps[0].why), (None, &None));
}

#[test]
fn why_there_is_no_plan_is_said_as_long_as_there_is_none() {
    let mut soldier = Soldier::new();
    soldier.set("enemy_seen", Value::Bool(true));
    soldier.set("threat", Value::Float(0.9));
    for answers in ["take-cover", "run-to-cover"] {
        soldier.host.set(0, answers, &[Status::Failure]);
    }
    soldier.tick();
    assert_eq!(soldier.how()[0], GoalIs::Pursued);
    soldier.tick();
    soldier.tick();
    let planner = &soldier.view(None).plans[0];
    assert_eq!(planner.goals[0].is, GoalIs::Fruitless);
    assert_eq!(planner.left_out, ["take-cover"]);
    let why = &planner.goals[0].why;
    assert_eq!(why[0], "there is no plan for `survive`");
    assert!(why.len() > 1, "{why:?}");
    // Only for the planner that the page asks about.
    let view = view_of(
        &soldier.follower,
        &soldier.population,
        &Wish::default(),
        &soldier.film,
    );
    assert!(view.plans[0].goals[0].why.is_empty());
}

#[test]
fn why_a_planner_failed_is_said_in_the_tick_in_which_it_failed() {
    let mut soldier = Soldier::new();
    soldier.set("enemy_seen", Value::Bool(true));
    soldier.set("enemy_distance", Value::Float(10.0));
    // All that it can do fails, one after the other.
    for answers in ["draw-gun", "take-cover", "run-to-cover", "club"] {
        soldier.host.set(0, answers, &[Status::Failure]);
    }
    let tick = (0..10).find(|_| {
        soldier.tick();
        soldier.how()[1] == GoalIs::Fruitless
    });
    assert!(tick.is_some());
    let planner = &soldier.view(None).plans[0];
    assert!(!planner.is_running, "it failed");
    let why = &planner.goals[1].why;
    assert_eq!(why[0], "there is no plan for `kill`");
    assert!(
        why.iter()
            .any(|line| line.contains("`draw-gun`") && line.contains("left out")),
        "{why:?}"
    );
}

#[test]
fn the_timeline_has_a_bar_for_each_plan() {
    let mut soldier = Soldier::new();
    soldier.tick();
    soldier.set("enemy_seen", Value::Bool(true));
    soldier.tick();
    soldier.tick();
    soldier.set("threat", Value::Float(0.9));
    soldier.tick();
    soldier.set("enemy_seen", Value::Bool(false));
    soldier.tick();
    let film = soldier.film.since(0, (0, 0), &[], Default::default());
    let bar = |from, to, text: &str, is_cut| Bar {
        from,
        to,
        text: text.to_owned(),
        is_cut,
    };
    let plans = film.expect("a film").lanes.plans;
    let expected = [
        bar(1, 1, "", false),
        bar(2, 3, "kill: draw-gun reload take-cover shoot", true),
        bar(4, 4, "survive: take-cover", true),
        bar(5, 5, "", false),
    ];
    assert_eq!(plans, expected);
}

#[test]
fn other_facts_give_another_plan_and_change_nothing() {
    let mut soldier = Soldier::new();
    soldier.set("enemy_seen", Value::Bool(true));
    soldier.tick();
    let before = soldier.population.clone();
    let asked = |given: &[(&str, &str)], goal| WhatIf {
        node: soldier.planner,
        given: given
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect(),
        goal,
        ..WhatIf::default()
    };
    let foreseen = |asked| soldier.view(Some(asked)).foreseen.expect("an answer");
    let names = |found: &treemind_replay::view::protocol::Foreseen| {
        let steps = found.plan.iter().flat_map(|plan| &plan.steps);
        let names: Vec<&str> = steps.map(|step| step.name.as_str()).collect();
        names.join(" ")
    };
    // A key that a sensor computes may be given, too.
    let found = foreseen(asked(&[("enemy_distance", "1.0")], None));
    assert_eq!(names(&found), "club");
    let found = foreseen(asked(&[("threat", "0.9")], None));
    assert_eq!(names(&found), "take-cover");
    let scores: Vec<Option<f64>> = found.goals.iter().map(|goal| goal.score).collect();
    assert_eq!(scores, [Some(f64::from(0.9_f32)), Some(0.4)]);
    // Whatever its score.
    assert_eq!(names(&foreseen(asked(&[], Some(0)))), "take-cover");
    let seen = foreseen(asked(&[("enemy_seen", "#false")], None));
    assert!(seen.plan.is_none());
    assert!(seen.goals.iter().all(|goal| goal.is == GoalIs::Closed));
    for (given, wrong) in [
        (("mags", "many"), "`many`"),
        (("magz", "1"), "there is no key `magz`"),
    ] {
        let found = foreseen(asked(&[given], None));
        let why = found.wrong.expect("a sentence");
        assert!(why.to_string().contains(wrong), "{why}");
    }
    let found = foreseen(asked(&[], Some(9)));
    assert!(
        found
            .wrong
            .is_some_and(|why| why == "there is no such goal")
    );
    let other = WhatIf {
        node: 99,
        ..WhatIf::default()
    };
    assert!(foreseen(other).wrong.is_some());
    let same = before.plan(0, treemind_core::NodeId::new(soldier.planner));
    let now = soldier
        .population
        .plan(0, treemind_core::NodeId::new(soldier.planner));
    assert_eq!(same, now);
}

/// What the state of a planner says is what its trace has said, tick by tick.
#[test]
fn the_plan_of_the_state_is_that_of_the_trace() {
    let mut soldier = Soldier::new();
    let (mut steps, mut goal): (Vec<usize>, Option<usize>) = (Vec::new(), None);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for nth in 0..200_u32 {
        soldier.set("enemy_seen", Value::Bool(nth % 23 != 0));
        soldier.set("threat", Value::Float((nth % 7) as f32 / 7.0));
        soldier.set("mags", Value::Int(i64::from(nth % 3)));
        soldier.set("armed", Value::Bool(nth % 5 > 1));
        let leaf = ["draw-gun", "reload", "run-to-cover", "shoot"][nth as usize % 4];
        let answer = [Status::Success, Status::Failure, Status::Running][nth as usize / 4 % 3];
        soldier.host.set(0, leaf, &[answer]);
        soldier.tick();
        for (node, event) in soldier.follower.events() {
            if node.index() != soldier.planner {
                continue;
            }
            match event {
                Event::Goal(of) => (goal, steps) = (Some(*of as usize), Vec::new()),
                Event::Plan(_) | Event::Drop(_) => steps.clear(),
                Event::Intend(step) => steps.push(*step as usize),
                Event::Tick(Status::Success | Status::Failure) => (goal, steps) = (None, vec![]),
                _ => {}
            }
        }
        let state = soldier.follower.planners()[0].state.clone();
        assert_eq!(
            (state.goal.filter(|_| !steps.is_empty()), &state.steps),
            (goal.filter(|_| !steps.is_empty()), &steps),
            "tick {nth}"
        );
        *seen.entry(soldier.rest()).or_default() += 1;
    }
    assert!(seen.len() > 5, "{seen:?}");
}

/// A document whose main is a planner has a card for it, and one below it for each goal, task and step.
#[test]
fn a_planner_that_is_the_main_of_its_document_has_a_card() {
    let text = "main planner=p\nblackboard { key a type=bool; }\nleaves { action x; }\n\
        planner p { goal g wants=\"a\"; action x gives=\"a = true\"; }\n";
    let behaviour = Document::parse(text, "p.kdl")
        .behaviour(None)
        .expect("sound");
    let shown = definition(&behaviour);
    let lines = shown
        .lines
        .iter()
        .map(|line| (&*line.id, line.indent, &*line.text));
    let expected = [
        ("n0", 0, "planner p"),
        ("g0.0", 2, "goal g wants=\"a\""),
        ("n1", 2, "action x gives=\"a = true\""),
    ];
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}
