//! Types of the game that go wrong at every point of a run: whatever happens, starts and stops are paired, and
//! every state that was made is dropped.

use crate::own_types::behaviour;
use crate::trees::DT;
use serde::{Deserialize, Deserializer};
use std::cell::Cell;
use std::sync::Arc;
use treemind::blackboard::KeyId;
use treemind::blackboard::Value;
use treemind::leaves::Order;
use treemind::population::Bound;
use treemind::population::{Population, Program};
use treemind::prelude::*;

/// What goes wrong, by agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wrong {
    #[default]
    Nothing,
    ReadPanics,
    ReadErrs,
    MakePanics,
    StartPanics,
    StartErrs,
    UpdatePanics,
    UpdateErrs,
    StopPanics,
    StopErrs,
    DropPanics,
}

const ALL: [Wrong; 11] = [
    Wrong::Nothing,
    Wrong::ReadPanics,
    Wrong::ReadErrs,
    Wrong::MakePanics,
    Wrong::StartPanics,
    Wrong::StartErrs,
    Wrong::UpdatePanics,
    Wrong::UpdateErrs,
    Wrong::StopPanics,
    Wrong::StopErrs,
    Wrong::DropPanics,
];

thread_local! {
    /// What was read last: a state is made right after the parameters are read.
    static LAST_READ: Cell<Wrong> = const { Cell::new(Wrong::Nothing) };
    static MADE: Cell<usize> = const { Cell::new(0) };
    static DROPPED: Cell<usize> = const { Cell::new(0) };
}

impl<'de> Deserialize<'de> for Wrong {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let wrong = ALL[usize::deserialize(from)? % ALL.len()];
        LAST_READ.set(wrong);
        match wrong {
            Wrong::ReadPanics => panic!("{wrong:?}"),
            Wrong::ReadErrs => Err(serde::de::Error::custom("ReadErrs")),
            _ => Ok(wrong),
        }
    }
}

#[derive(Debug)]
struct Fragile(Wrong);

impl Default for Fragile {
    fn default() -> Self {
        let wrong = LAST_READ.get();
        assert!(wrong != Wrong::MakePanics, "MakePanics");
        MADE.set(MADE.get() + 1);
        Fragile(wrong)
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
        assert!(self.0 != Wrong::DropPanics, "DropPanics");
    }
}

/// What happened, by agent.
type Log = Vec<Vec<&'static str>>;

#[derive(Deserialize)]
struct Clumsy {
    wrong: Wrong,
    is_long: bool,
}

impl Clumsy {
    fn goes_wrong(&self, panics: Wrong, errs: Wrong) -> Result<(), TaskError> {
        assert!(self.wrong != panics, "{panics:?}");
        if self.wrong == errs {
            return Err(format!("{errs:?}").into());
        }
        Ok(())
    }
}

impl ActionType<Log> for Clumsy {
    type State = Fragile;

    fn start(&self, _: &mut Fragile, log: &mut Log, me: &mut Agent) -> Result<(), TaskError> {
        log[me.index()].push("start");
        self.goes_wrong(Wrong::StartPanics, Wrong::StartErrs)
    }

    fn update(&self, _: &mut Fragile, log: &mut Log, me: &mut Agent) -> Result<Status, TaskError> {
        log[me.index()].push("update");
        self.goes_wrong(Wrong::UpdatePanics, Wrong::UpdateErrs)?;
        Ok(if self.is_long {
            Status::Running
        } else {
            Status::Success
        })
    }

    fn stop(
        &self,
        state: &mut Fragile,
        log: &mut Log,
        me: &mut Agent,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        assert_eq!(state.0, self.wrong);
        log[me.index()].push(outcome.as_str());
        self.goes_wrong(Wrong::StopPanics, Wrong::StopErrs)
    }
}

fn clumsy(order: Order, agents: usize, is_long: bool) -> (Population, Bound<Log>, Log) {
    let text = "
        blackboard { key wrong type=int; key long type=bool; }
        leaves { action act { param wrong type=int; param is_long type=bool; }; }
        tree t { action act wrong=\"{wrong}\" is_long=\"{long}\"; }";
    let mut registry = Registry::<Log>::new();
    registry.action_type::<Clumsy>("act").order(order);
    let behaviour = behaviour(text);
    let bound = registry.bind(&behaviour).unwrap();
    let mut population = Population::new(Arc::new(Program::new(behaviour)), agents);
    for agent in 0..agents {
        population
            .set(agent, KeyId::new(0), Value::Int(agent as i64))
            .unwrap();
        population
            .set(agent, KeyId::new(1), Value::Bool(is_long))
            .unwrap();
    }
    (population, bound, vec![Vec::new(); agents])
}

/// The faults, by agent.
fn faults(population: &mut Population) -> Vec<(usize, String)> {
    let faults = population.take_faults();
    let mut texts: Vec<(usize, String)> = faults
        .kept()
        .iter()
        .map(|fault| (fault.agent, fault.kind.to_string()))
        .collect();
    texts.sort();
    texts
}

fn counts() -> (usize, usize) {
    (MADE.get(), DROPPED.get())
}

#[test]
fn one_stop_per_start_and_one_drop_per_state_whatever_goes_wrong_where() {
    for order in [Order::Independent, Order::Sequential] {
        let (mut population, bound, mut log) = clumsy(order, ALL.len(), false);
        let before = counts();
        let tally = population.tick(&mut bound.host(&mut log), DT);
        assert_eq!((tally.success, tally.failure), (4, 7));
        let expected: [&[&str]; 11] = [
            &["start", "update", "success"],
            &[],
            &[],
            &[],
            &["start", "failure"],
            &["start", "failure"],
            &["start", "update", "failure"],
            &["start", "update", "failure"],
            &["start", "update", "success"],
            &["start", "update", "success"],
            &["start", "update", "success"],
        ];
        assert_eq!(log, expected);
        let texts: Vec<String> = faults(&mut population)
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        assert_eq!(
            texts,
            [
                "panicked: ReadPanics",
                "parameter `wrong`: ReadErrs",
                "panicked: MakePanics",
                "panicked: StartPanics",
                "StartErrs",
                "panicked: UpdatePanics",
                "UpdateErrs",
                "panicked: StopPanics",
                "StopErrs",
                "panicked: DropPanics",
            ]
        );
        let after = counts();
        assert_eq!((after.0 - before.0, after.1 - before.1), (8, 8));
    }
}

#[test]
fn so_it_is_when_runs_are_cut_off() {
    // Several words, the last of them not full.
    let agents = 11 * 13;
    let (mut population, bound, mut log) = clumsy(Order::Independent, agents, true);
    let before = counts();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let tally = population.tick(&mut bound.host(&mut log), DT);
    population.remove(0, &mut bound.host(&mut log));
    population.abort(8, &mut bound.host(&mut log));
    population.abort_all(&mut bound.host(&mut log));
    std::panic::set_hook(hook);
    assert_eq!((tally.running, tally.failure), (4 * 13, 7 * 13));
    for (agent, log) in log.iter().enumerate() {
        let starts = log.iter().filter(|what| **what == "start").count();
        let aborts = log.iter().filter(|what| **what == "aborted").count();
        match ALL[agent % ALL.len()] {
            Wrong::ReadPanics | Wrong::ReadErrs | Wrong::MakePanics => assert_eq!(log.len(), 0),
            Wrong::Nothing | Wrong::StopPanics | Wrong::StopErrs | Wrong::DropPanics => {
                assert_eq!(log, &["start", "update", "aborted"]);
            }
            _ => assert_eq!((starts, aborts), (1, 0)),
        }
    }
    let after = counts();
    assert_eq!((after.0 - before.0, after.1 - before.1), (8 * 13, 8 * 13));
    assert_eq!(population.faults().total(), 10 * 13);
}

#[test]
fn what_was_bound_drops_what_still_runs() {
    let (mut population, bound, mut log) = clumsy(Order::Independent, 1, true);
    let before = counts();
    population.tick(&mut bound.host(&mut log), DT);
    let running = counts();
    drop(population);
    drop(bound);
    let after = counts();
    assert_eq!((running.0 - before.0, running.1 - before.1), (1, 0));
    assert_eq!((after.0 - before.0, after.1 - before.1), (1, 1));
    // There was no world, so no stop was called.
    assert_eq!(log[0], ["start", "update"]);
}

/// Ticks another population with the same leaves while it is being updated.
#[derive(Deserialize)]
struct Nested;

struct Inner {
    population: Option<Population>,
    bound: Arc<Bound<Inner>>,
    seen: Vec<String>,
}

impl ActionType<Inner> for Nested {
    type State = u8;

    fn update(&self, _: &mut u8, world: &mut Inner, _: &mut Agent) -> Result<Status, TaskError> {
        if let Some(mut population) = world.population.take() {
            let bound = Arc::clone(&world.bound);
            population.tick(&mut bound.host(world), DT);
            world
                .seen
                .extend(faults(&mut population).into_iter().map(|(_, text)| text));
        }
        Ok(Status::Success)
    }
}

#[test]
fn a_host_within_a_host_gets_a_fault_and_does_not_hang() {
    let mut registry = Registry::<Inner>::new();
    registry.action_type::<Nested>("nest");
    let behaviour = behaviour("leaves { action nest; }; tree t { action nest; }");
    let bound = Arc::new(registry.bind(&behaviour).unwrap());
    let program = Arc::new(Program::new(behaviour));
    let mut outer = Population::new(Arc::clone(&program), 1);
    let mut world = Inner {
        population: Some(Population::new(program, 1)),
        bound: Arc::clone(&bound),
        seen: Vec::new(),
    };
    let tally = outer.tick(&mut bound.host(&mut world), DT);
    assert_eq!((tally.success, outer.faults().total()), (1, 0));
    assert!(
        world
            .seen
            .iter()
            .all(|text| text.starts_with("the states of this leaf are in use")),
        "{:?}",
        world.seen
    );
    assert!(!world.seen.is_empty());
}
