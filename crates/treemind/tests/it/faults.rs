//! Closures that panic or return errors: their leaf fails for that agent, and all others are served.

use crate::trees::{ACTION, DT, Play, action, leaf, look_and_act, tree};
use treemind::core::Kind;
use treemind::core::behaviour::LeafKind;
use treemind::leaves::{Action, Order};
use treemind::prelude::*;

/// What a task of the test does wrong, by agent: at the start, in an update, or at the stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    StartPanics,
    StartErrs,
    UpdatePanics,
    UpdateErrs,
    StopPanics,
    StopErrs,
}

const ALL: [Wrong; 7] = [
    Wrong::Nothing,
    Wrong::StartPanics,
    Wrong::StartErrs,
    Wrong::UpdatePanics,
    Wrong::UpdateErrs,
    Wrong::StopPanics,
    Wrong::StopErrs,
];

struct Clumsy;

fn wrong(agent: &Agent<'_, '_>) -> Wrong {
    ALL[agent.index() % ALL.len()]
}

type Log = Vec<Vec<&'static str>>;

fn go_wrong(me: &Agent<'_, '_>, panics: Wrong, errs: Wrong) -> Result<(), TaskError> {
    match wrong(me) {
        wrong if wrong == panics => panic!("{wrong:?}"),
        wrong if wrong == errs => Err(format!("{wrong:?}").into()),
        _ => Ok(()),
    }
}

impl Action<Log> for Clumsy {
    fn start(&self, log: &mut Log, me: &mut Agent<'_, '_>) -> Result<(), TaskError> {
        log[me.index()].push("start");
        go_wrong(me, Wrong::StartPanics, Wrong::StartErrs)
    }

    fn update(&self, log: &mut Log, me: &mut Agent<'_, '_>) -> Result<Status, TaskError> {
        log[me.index()].push("update");
        go_wrong(me, Wrong::UpdatePanics, Wrong::UpdateErrs)?;
        Ok(Status::Success)
    }

    fn stop(
        &self,
        log: &mut Log,
        me: &mut Agent<'_, '_>,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        log[me.index()].push(outcome.as_str());
        go_wrong(me, Wrong::StopPanics, Wrong::StopErrs)
    }
}

fn clumsy(agents: usize) -> Play<Log> {
    clumsy_in(Order::Independent, agents)
}

fn clumsy_in(order: Order, agents: usize) -> Play<Log> {
    let mut registry = Registry::<Log>::new();
    registry.action_with("act", Clumsy).order(order);
    let behaviour = tree(vec![leaf("act", ACTION)], action(0));
    Play::new(behaviour, &registry, vec![Vec::new(); agents], agents)
}

#[test]
fn one_stop_per_start_whatever_goes_wrong_where() {
    one_stop_per_start(Order::Independent);
}

#[test]
fn one_stop_per_start_with_agents_one_by_one() {
    one_stop_per_start(Order::Sequential);
}

fn one_stop_per_start(order: Order) {
    let mut play = clumsy_in(order, 7);
    let tally = play
        .population
        .tick(&mut play.bound.host(&mut play.world), DT);
    assert_eq!((tally.success, tally.failure), (3, 4));
    assert_eq!(
        play.world,
        [
            vec!["start", "update", "success"],
            vec!["start", "failure"],
            vec!["start", "failure"],
            vec!["start", "update", "failure"],
            vec!["start", "update", "failure"],
            vec!["start", "update", "success"],
            vec!["start", "update", "success"],
        ]
    );
    let mut faults = play.faults();
    faults.sort();
    let texts: Vec<&str> = faults.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "panicked: StartPanics",
            "StartErrs",
            "panicked: UpdatePanics",
            "UpdateErrs",
            "panicked: StopPanics",
            "StopErrs",
        ]
    );
    assert_eq!(
        faults.iter().map(|(agent, _)| *agent).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6]
    );
}

#[test]
fn a_panic_in_the_middle_of_words_disturbs_nobody_else() {
    // Enough agents that a call spans several words. There are many panics, so the hook is silent for them.
    let mut play = clumsy(1_400);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let tally = play
        .population
        .tick(&mut play.bound.host(&mut play.world), DT);
    std::panic::set_hook(hook);
    assert_eq!((tally.success, tally.failure), (600, 800));
    assert_eq!(play.population.faults().total(), 1_200);
    let small = {
        let mut play = clumsy(7);
        play.tick();
        play.world
    };
    for (agent, log) in play.world.iter().enumerate() {
        assert_eq!(log, &small[agent % 7], "agent {agent}");
    }
}

#[test]
fn a_failed_start_is_forgotten_with_its_run() {
    let mut play = clumsy(2);
    play.tick();
    play.tick();
    assert_eq!(play.world[0].len(), 6);
    assert_eq!(play.world[1], ["start", "failure", "start", "failure"]);
}

#[test]
fn conditions_may_panic_and_err_as_well() {
    let mut registry = Registry::<()>::new();
    registry
        .condition("look", |(), me| match me.index() {
            0 => Ok(true),
            1 => Err("no eyes"),
            _ => panic!("blind"),
        })
        .action("act", |(), _| Status::Running);
    let mut play = Play::new(look_and_act(), &registry, (), 3);
    let tally = play
        .population
        .tick(&mut play.bound.host(&mut play.world), DT);
    assert_eq!((tally.running, tally.failure), (1, 2));
    assert_eq!(
        play.faults(),
        [(1, "no eyes".to_owned()), (2, "panicked: blind".to_owned())]
    );
}

#[test]
fn asking_for_what_is_not_there_is_a_fault_with_a_reason() {
    let mut registry = Registry::<()>::new();
    registry
        .condition("look", |(), _| true)
        .action("act", |(), me: &mut Agent| {
            match me.index() {
                0 => drop(me.arg::<f32>("rang")),
                1 => drop(me.arg::<bool>("range")),
                2 => drop(me.arg::<f32>(1)),
                3 => drop(me.get::<f32>("mood")),
                4 => drop(me.get::<bool>("health")),
                5 => me.set("health", 1.0_f64),
                _ => me.set("health", 1_i64),
            }
            Status::Running
        });
    let mut play = Play::new(look_and_act(), &registry, (), 7);
    let tally = play
        .population
        .tick(&mut play.bound.host(&mut play.world), DT);
    assert_eq!((tally.failure, tally.running), (6, 1));
    let texts: Vec<String> = play.faults().into_iter().map(|(_, text)| text).collect();
    assert_eq!(
        texts,
        [
            "panicked: unknown parameter `rang`",
            "panicked: the parameter is `float`, not `bool`",
            "panicked: the leaf has 1 parameters, so there is none at position 1",
            "panicked: unknown key `mood`",
            "panicked: the key is `float`, not `bool`",
            "panicked: the key is `float`, not `double`",
        ]
    );
}

#[test]
fn a_task_can_report_a_fault_and_go_on() {
    let mut registry = Registry::<()>::new();
    registry.action("act", |(), me: &mut Agent| {
        me.fault("the door creaks");
        Status::Running
    });
    let mut play = Play::new(tree(vec![leaf("act", ACTION)], action(0)), &registry, (), 1);
    assert_eq!(play.traced(0), "1 RUNNING | tick act RUNNING");
    assert_eq!(play.faults(), [(0, "the door creaks".to_owned())]);
    assert!(matches!(
        play.population.program().behaviour().nodes()[0].kind,
        Kind::Action { .. }
    ));
    assert_eq!(
        play.population.program().behaviour().leaves()[0].kind,
        ACTION
    );
    assert_ne!(ACTION, LeafKind::Condition);
}

#[test]
fn a_fault_says_whose_it_is() {
    let mut play = clumsy(2);
    play.tick();
    let told: Vec<String> = play
        .population
        .faults()
        .into_iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        told,
        ["tick 1, agent 1, node 0 `act`: panicked: StartPanics"]
    );
    // The same when faults are taken one by one.
    let taken = play.population.take_faults();
    assert_eq!(taken.iter().count(), 1);
    let agents: Vec<usize> = taken.into_iter().map(|fault| fault.agent).collect();
    assert_eq!(agents, [1]);
}
