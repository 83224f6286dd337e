//! Characters of the examples: each does what its page says, with scripted leaves and given facts.

use std::sync::Arc;
use std::time::Duration;
use treemind::blackboard::Value;
use treemind::core::host::Scripted;
use treemind::population::{Behaviour, Population, Program};
use treemind::trace::Trace;
use treemind::{Document, Status};

const S: Status = Status::Success;
const F: Status = Status::Failure;
const R: Status = Status::Running;

fn document(file: &str) -> Document {
    let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
    let document = Document::read(&std::fs::read(&path).unwrap(), file);
    assert_eq!(document.diagnostics(), [], "{file}");
    document
}

/// An agent with the behaviour of a character, with its facts and what it has done.
struct Actor {
    behaviour: Behaviour,
    population: Population,
    host: Scripted,
    trace: Trace,
}

impl Actor {
    fn new(behaviour: Behaviour) -> Self {
        let population = Population::new(Arc::new(Program::new(behaviour.clone())), 1);
        let host = Scripted::new(&behaviour, 1);
        Self {
            behaviour,
            population,
            host,
            trace: Trace::new(),
        }
    }

    fn tree(file: &str, name: &str) -> Self {
        Self::new(document(file).behaviour(Some(name)).unwrap())
    }

    fn machine(file: &str, name: &str) -> Self {
        Self::new(document(file).machine(name).unwrap())
    }

    fn decision(file: &str, name: &str) -> Self {
        Self::new(document(file).decision(name).unwrap())
    }

    fn answers(mut self, leaf: &str, answers: &[Status]) -> Self {
        assert!(self.host.set_all(leaf, answers), "no leaf `{leaf}`");
        self
    }

    fn given(&mut self, key: &str, value: Value) {
        let key = self.behaviour.key_id(key).unwrap();
        self.population.set(0, key, value).unwrap();
    }

    fn get(&self, key: &str) -> Value {
        let key = self.behaviour.key_id(key).unwrap();
        self.population.get(0, key)
    }

    /// What it does in a tick: `tick NAME STATUS` and `halt NAME`.
    fn tick(&mut self, dt: Duration) -> Vec<String> {
        self.population
            .tick_traced(&mut self.host, dt, &mut self.trace);
        assert_eq!(self.population.take_faults().total(), 0);
        let line = self.trace.plain_line(&self.behaviour, 0, 0, "");
        let events = line.split_once(" | ").map_or("", |(_, events)| events);
        let events = events.split("; ").filter(|event| !event.is_empty());
        events.map(str::to_owned).collect()
    }

    /// The ticks in which something was done, among the next `ticks` ticks.
    fn story(&mut self, ticks: u64, dt: Duration) -> Vec<String> {
        let mut story = Vec::new();
        for _ in 0..ticks {
            let done = self.tick(dt);
            if !done.is_empty() {
                let tick = self.population.ticks();
                story.push(format!("{tick}: {}", done.join("; ")));
            }
        }
        story
    }
}

/// Random facts, the same in every run of the test.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        let (factor, step) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
        self.0 = self.0.wrapping_mul(factor).wrapping_add(step);
        (self.0 >> 33) % sides
    }

    /// A time step from 16 to 100 milliseconds, mostly the usual one.
    fn step(&mut self) -> Duration {
        let millis = [50, 50, 50, 16, 33, 100];
        Duration::from_millis(millis[self.below(6) as usize])
    }
}

mod boss;
mod robot;
mod soldier;
mod watchman;
