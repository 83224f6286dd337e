//! Leaves that serve many agents in one call: they do what leaves do that are called for each agent.

use crate::own_types::behaviour;
use crate::trees::DT;
use serde::Deserialize;
use std::sync::Arc;
use treemind::core::host::{Answers, Lanes};
use treemind::population::{Population, Program, Tally};
use treemind::prelude::*;

const AGENTS: usize = 200;

#[derive(Default)]
struct Yard {
    sees: Vec<u64>,
    ends: Vec<u64>,
    /// What has happened, in the order of the agents.
    said: Vec<(usize, String)>,
    /// How often an action was called for a single agent.
    single: usize,
    panics: bool,
}

impl Yard {
    fn sees(&self, agent: usize) -> bool {
        let word = self.sees.get(agent / 64);
        word.is_some_and(|word| word >> (agent % 64) & 1 == 1)
    }

    fn ends(&self, agent: usize) -> bool {
        self.ends[agent / 64] >> (agent % 64) & 1 == 1
    }
}

/// An action that is called for each agent; at once for many if `MANY`.
#[derive(Deserialize)]
struct Walk<const MANY: bool> {
    pace: i64,
}

impl<const MANY: bool> ActionType<Yard> for Walk<MANY> {
    type State = ();

    fn start(&self, (): &mut (), yard: &mut Yard, me: &mut Agent) -> Result<(), TaskError> {
        yard.single += 1;
        yard.said.push((me.index(), format!("start {}", self.pace)));
        Ok(())
    }

    fn update(&self, (): &mut (), yard: &mut Yard, me: &mut Agent) -> Result<Status, TaskError> {
        Ok(match yard.ends(me.index()) {
            true => Status::Success,
            false => Status::Running,
        })
    }

    fn stop(
        &self,
        (): &mut (),
        yard: &mut Yard,
        me: &mut Agent,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        yard.said
            .push((me.index(), format!("{outcome:?} {}", self.pace)));
        Ok(())
    }

    fn start_many(&self, yard: &mut Yard, lanes: Lanes<'_>) -> bool {
        assert!(!(MANY && yard.panics), "it cannot walk");
        let said = lanes
            .iter()
            .map(|agent| (agent, format!("start {}", self.pace)));
        yard.said.extend(said.filter(|_| MANY));
        MANY
    }

    fn update_many(&self, yard: &mut Yard, lanes: Lanes<'_>, answers: &mut Answers<'_>) -> bool {
        for agent in lanes.iter().filter(|agent| MANY && yard.ends(*agent)) {
            answers.set(agent, Status::Success);
        }
        MANY
    }

    fn stop_many(&self, yard: &mut Yard, lanes: Lanes<'_>, outcome: Outcome) -> bool {
        let said = lanes
            .iter()
            .map(|agent| (agent, format!("{outcome:?} {}", self.pace)));
        yard.said.extend(said.filter(|_| MANY));
        MANY
    }
}

fn text(pace: &str) -> String {
    format!(
        "leaves {{ condition see; action walk {{ param pace type=int; }}; }}
        blackboard {{ key pace type=int default=3; }}
        tree t {{
            reactive-selector {{
                reactive-sequence {{ condition see; action walk pace=1; }}
                action walk pace={pace}
            }}
        }}"
    )
}

/// What agents do and say, and how often an action was called for a single one.
fn play(registry: &Registry<Yard>, text: &str) -> (Vec<(usize, String)>, Vec<Tally>, usize) {
    let behaviour = behaviour(text);
    let bound = registry.bind(&behaviour).unwrap();
    let mut population = Population::new(Arc::new(Program::new(behaviour)), AGENTS);
    let mut yard = Yard::default();
    let (mut said, mut tallies) = (Vec::new(), Vec::new());
    for tick in 1..60_u64 {
        let draw = |word: u64| (tick * 7 + word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Agents behind the end of a column see nothing.
        yard.sees = (0..1 + tick % 16)
            .map(|word| draw(word) & draw(word + 99))
            .collect();
        yard.ends = (0..16)
            .map(|word| draw(word + 50) & draw(word + 70))
            .collect();
        tallies.push(population.tick(&mut bound.host(&mut yard), DT));
        yard.said.sort();
        said.append(&mut yard.said);
    }
    assert_eq!(population.faults().total(), 0);
    (said, tallies, yard.single)
}

fn registry<const MANY: bool>() -> Registry<Yard> {
    let mut registry = Registry::new();
    match MANY {
        true => registry.condition_column("see", |yard: &Yard| &yard.sees),
        false => registry.condition("see", |yard: &Yard, me: &Agent| yard.sees(me.index())),
    };
    registry.action_type::<Walk<MANY>>("walk");
    registry
}

#[test]
fn they_do_what_leaves_for_each_agent_do() {
    for (pace, all_at_once) in [("3", true), ("\"{pace}\"", false)] {
        let (said, tallies, single) = play(&registry::<false>(), &text(pace));
        assert!(said.len() > 1_000 && single > 500);
        let (said_by_many, tallies_of_many, single_of_many) =
            play(&registry::<true>(), &text(pace));
        assert_eq!(said, said_by_many);
        assert_eq!(tallies, tallies_of_many);
        // Computed parameters are those of one agent.
        assert_eq!(single_of_many == 0, all_at_once);
    }
}

#[test]
fn a_panic_counts_for_all_of_the_call() {
    let behaviour = behaviour(&text("3"));
    let bound = registry::<true>().bind(&behaviour).unwrap();
    let mut population = Population::new(Arc::new(Program::new(behaviour)), AGENTS);
    let mut yard = Yard {
        ends: vec![0; 16],
        panics: true,
        ..Yard::default()
    };
    let tally = population.tick(&mut bound.host(&mut yard), DT);
    assert_eq!(tally.failure, AGENTS as u64);
    let faults: Vec<String> = population
        .take_faults()
        .iter()
        .map(|fault| fault.to_string())
        .collect();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].contains("panicked: it cannot walk"), "{faults:?}");
    // Each start has one stop.
    assert_eq!(yard.said.len(), AGENTS);
    yard.panics = false;
    let tally = population.tick(&mut bound.host(&mut yard), DT);
    assert_eq!(tally.running, AGENTS as u64);
}
