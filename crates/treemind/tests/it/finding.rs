//! `find` in a game: who is asked what, and how often.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use treemind::blackboard::Value;
use treemind::leaves::{BindProblem, Pairs};
use treemind::population::{Behaviour, Population, Program};
use treemind::prelude::*;

const AGENTS: usize = 200;

/// Places to hide, and how often the game was asked for measures.
#[derive(Default)]
struct Yard {
    places: Vec<[f32; 2]>,
    calls: AtomicUsize,
    pairs: AtomicUsize,
    panics: bool,
}

fn behaviour(text: &str) -> Behaviour {
    let document = Document::parse(text, "test.kdl");
    match document.behaviour(None) {
        Ok(behaviour) => behaviour,
        Err(_) => panic!("{:#?}", document.diagnostics()),
    }
}

const HIDE: &str = "
blackboard { key spot type=vec2 optional=#true; key steps type=float; }
leaves {
    candidates hides type=vec2 { param range type=float default=20.0; }
    measure exposure { param of type=vec2; param height type=float default=1.5; }
    measure way { param of type=vec2; }
}
tree guard {
    find place in=hides range=8.0 into=\"{spot}\" {
        keep \"way(place) < 5\"
        keep \"exposure(place, 2.0) < 0.5 && way(place) >= 0\"
        score \"1 - exposure(place, 2.0)\"
    }
}";

fn registry() -> Registry<Yard> {
    let mut registry = Registry::<Yard>::new();
    registry.candidates(
        "hides",
        |yard: &Yard, me: &Agent, list: &mut dyn FnMut([f32; 2]) -> bool| {
            let range: f32 = me.arg("range");
            for place in yard.places.iter().filter(|place| place[0] < range) {
                list(*place);
            }
        },
    );
    registry.measure("way", |yard: &Yard, me: &Agent, [x, y]: [f32; 2]| {
        assert!(!yard.panics || me.index() != 3, "lost");
        x + y
    });
    registry.measure_pairs("exposure", |yard: &Yard, pairs: &mut Pairs| {
        yard.calls.fetch_add(1, Ordering::Relaxed);
        yard.pairs.fetch_add(pairs.len(), Ordering::Relaxed);
        pairs.fill(|_, args| match args {
            [Value::Vec2([x, _]), Value::Float(height)] => x / (2.0 * height),
            other => panic!("{other:?}"),
        });
    });
    registry
}

fn spot(population: &Population, agent: usize) -> Option<[f32; 2]> {
    let key = population.program().behaviour().key_id("spot")?;
    match population.find(agent, key) {
        Some(Value::Vec2(at)) => Some(at),
        _ => None,
    }
}

#[test]
fn a_measure_is_asked_once_for_all_agents_and_only_for_those_that_are_left() {
    let program = Arc::new(Program::new(behaviour(HIDE)));
    let bound = registry().bind(program.behaviour()).expect("it fits");
    let mut population = Population::new(program, AGENTS);
    let mut yard = Yard {
        places: vec![[9.0, 0.0], [1.0, 9.0], [3.0, 1.0], [1.0, 2.0], [0.5, 0.0]],
        ..Yard::default()
    };
    population.tick(&mut bound.host(&mut yard), Duration::from_millis(100));
    assert_eq!(yard.calls.load(Ordering::Relaxed), 1);
    // One is beyond the range, and one too far away.
    assert_eq!(yard.pairs.load(Ordering::Relaxed), 3 * AGENTS);
    for agent in 0..AGENTS {
        assert_eq!(spot(&population, agent), Some([0.5, 0.0]));
    }
    assert_eq!(population.faults().total(), 0);
}

#[test]
fn a_panic_is_a_fault_of_one_candidate() {
    let program = Arc::new(Program::new(behaviour(HIDE)));
    let bound = registry().bind(program.behaviour()).expect("it fits");
    let mut population = Population::new(program, 5);
    let mut yard = Yard {
        places: vec![[0.5, 1.0]],
        panics: true,
        ..Yard::default()
    };
    population.tick(&mut bound.host(&mut yard), Duration::from_millis(100));
    let found = |agent| spot(&population, agent).is_some();
    assert_eq!([2, 3, 4].map(found), [true, false, true]);
    assert_eq!(population.faults().total(), 1);
}

#[test]
fn types_have_to_fit() {
    let mut registry = registry();
    registry.measure("way", |_: &Yard, _: &Agent, _: [f32; 3]| 0.0);
    let error = registry.bind(&behaviour(HIDE)).err().expect("another type");
    assert_eq!(
        error.to_string().lines().last().unwrap_or_default().trim(),
        "the candidates of `way` are `vec2`, but its code is about `vec3`"
    );
    let problems = error.problems();
    assert!(
        matches!(problems, [BindProblem::WrongCandidates { .. }]),
        "{problems:?}"
    );
}
