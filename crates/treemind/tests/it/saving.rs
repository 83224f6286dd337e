//! Saved populations and a game's own types.

use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use treemind::prelude::*;

const TEXT: &[u8] =
    b"leaves { action dig { param depth type=int; }; action rest { param ticks type=int; } }
tree digger { parallel success=1 failure=2 { action dig depth=3; action rest ticks=9; }; }";

/// Digs for so many ticks, which its state counts.
#[derive(Deserialize)]
struct Dig {
    depth: u32,
}

impl ActionType<()> for Dig {
    type State = u32;

    fn update(&self, dug: &mut u32, (): &mut (), _: &mut Agent) -> Result<Status, TaskError> {
        *dug += 1;
        Ok(match *dug < self.depth {
            true => Status::Running,
            false => Status::Success,
        })
    }
}

/// Never ends.
#[derive(Deserialize)]
struct Rest {
    #[allow(dead_code, reason = "the parameters are read")]
    ticks: u32,
}

impl ActionType<()> for Rest {
    type State = ();

    fn update(&self, (): &mut (), (): &mut (), _: &mut Agent) -> Result<Status, TaskError> {
        Ok(Status::Running)
    }
}

#[test]
fn runs_without_a_state_go_on_and_others_say_what_they_lack() {
    let behaviour = Document::read(TEXT, "digger.kdl").behaviour(None).unwrap();
    let mut registry = Registry::<()>::new();
    registry.action_type::<Dig>("dig");
    registry.action_type::<Rest>("rest");
    let program = Arc::new(Program::new(behaviour.clone()));
    let mut population = Population::new(Arc::clone(&program), 1);
    let bound = registry.bind(&behaviour).unwrap();
    population.tick(&mut bound.host(&mut ()), Duration::ZERO);
    let saved = population.save();

    // As in another process: the registry is bound anew.
    let bound = registry.bind(&behaviour).unwrap();
    let mut population = Population::restore(program, &saved).unwrap();
    let tally = population.tick(&mut bound.host(&mut ()), Duration::ZERO);
    assert_eq!(tally.running, 1);
    let faults = population.take_faults();
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "tick 2, agent 0, node 1 `dig`: this run was started by another host, so its state is not available"
        ]
    );
}
