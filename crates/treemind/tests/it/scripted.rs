//! Leaves that answer from lists, next to real ones.

use crate::own_types::{Stage, behaviour};
use crate::trees::DT;
use std::sync::Arc;
use treemind::leaves::BindProblem;
use treemind::population::Bound;
use treemind::population::{Population, Program, Tally};
use treemind::prelude::*;

const GUARD: &str = "
leaves {
    condition see-enemy
    action attack { param range type=float default=2.0; }
    action patrol
    service look
    decorator twice
}
tree guard {
    service look {
        selector {
            sequence { condition see-enemy; action attack; }
            node twice { action patrol; }
        }
    }
}";

const S: Status = Status::Success;
const F: Status = Status::Failure;
const R: Status = Status::Running;

/// The root's answers, tick by tick.
fn played<W: 'static>(bound: &Bound<W>, world: &mut W, agents: usize, ticks: usize) -> Vec<Tally> {
    let mut population = Population::new(Arc::new(Program::new(behaviour(GUARD))), agents);
    let play = (0..ticks).map(|_| population.tick(&mut bound.host(world), DT));
    let tallies = play.collect();
    assert_eq!(population.faults().total(), 0);
    tallies
}

fn tally(status: Status, agents: u64) -> Tally {
    let mut tally = Tally::default();
    match status {
        Status::Success => tally.success = agents,
        Status::Failure => tally.failure = agents,
        Status::Running => tally.running = agents,
        Status::Skipped => tally.skipped = agents,
    }
    tally
}

#[test]
fn some_leaves_are_scripted_and_the_others_real() {
    let mut registry = Registry::<Stage>::new();
    registry
        .scripted("see-enemy", [S, S, F])
        .action("attack", |stage: &mut Stage, me: &mut Agent| {
            stage.sum += 1;
            assert_eq!(me.arg::<f32>("range"), 2.0);
            S
        })
        .scripted("patrol", [])
        .scripted("look", [])
        .scripted("twice", [R, F]);
    for agents in [1, 70, 3_000] {
        let bound = registry.bind(&behaviour(GUARD)).unwrap();
        let mut stage = Stage::default();
        let answers = played(&bound, &mut stage, agents, 5);
        // Each agent goes through the lists independently.
        let expected = [S, S, R, F, F].map(|status| tally(status, agents as u64));
        assert_eq!(answers, expected);
        assert_eq!(stage.sum, 2 * agents as i64);
    }
}

#[test]
fn a_bound_leaf_is_replaced_by_a_scripted_one() {
    let mut registry = Registry::<Stage>::new();
    registry
        .condition("see-enemy", |_, _| true)
        .action_with(
            "attack",
            update(|_: &mut Stage, _: &mut Agent| R)
                .start(|stage: &mut Stage, _: &mut Agent| stage.sum += 1),
        )
        .action("patrol", |_, _| S)
        .service("look", |_, _| ())
        .scripted("twice", [S]);
    let mut bound = registry.bind(&behaviour(GUARD)).unwrap();
    assert!(bound.replace("attack", [R, R, S, F]));
    assert!(!bound.replace("atack", [S]));
    let mut stage = Stage::default();
    let answers = played(&bound, &mut stage, 2, 5);
    // The last answer repeats: failure, so that the selector goes on to the second child.
    assert_eq!(answers, [R, R, S, S, S].map(|status| tally(status, 2)));
    assert_eq!(stage.sum, 0);
}

#[test]
fn a_scripted_leaf_keeps_what_was_said_of_the_real_one() {
    let mut registry = Registry::<()>::new();
    registry
        .action("attack", |(), _| S)
        .number(3)
        .required::<f32>("reach", "metres")
        .condition("see-enemy", |(), _| true)
        .scripted("attack", [F])
        .scripted("new", [S]);
    let manifest = registry.manifest();
    let attack = manifest.leaf("attack").unwrap();
    assert_eq!((attack.number, attack.params.len()), (Some(3), 1));
    assert!(manifest.leaf("new").is_none());
    let error = registry
        .bind(&behaviour(
            "leaves { condition attack; action new; }; tree t { action new; }",
        ))
        .err()
        .unwrap();
    assert!(
        matches!(&error.problems()[0], BindProblem::WrongKind { name, .. } if name == "attack")
    );
    assert_eq!(error.problems().len(), 1);
}

#[test]
fn scripted_leaves_do_not_allocate_in_a_tick() {
    let mut registry = Registry::<()>::new();
    for leaf in ["see-enemy", "attack", "patrol", "look", "twice"] {
        registry.scripted(leaf, [S, F, R]);
    }
    let bound = registry.bind(&behaviour(GUARD)).unwrap();
    bound.reserve(2_000);
    let mut population = Population::new(Arc::new(Program::new(behaviour(GUARD))), 2_000);
    population.tick(&mut bound.host(&mut ()), DT);
    let counted = allocation_counter::measure(|| {
        for _ in 0..10 {
            population.tick(&mut bound.host(&mut ()), DT);
        }
    });
    assert_eq!(counted.count_total, 0);
}
