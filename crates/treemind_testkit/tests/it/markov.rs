//! Machines whose transitions are drawn: in the long run, they are in their states as often as their weights say.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Kind, Population, Program};
use treemind_doc::Document;

/// The weights of the transitions of each state.
const ROWS: [[f64; 3]; 3] = [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.6, 0.4, 0.0]];
/// The share of the ticks in each state: x = x · ROWS.
const SHARES: [f64; 3] = [0.639175, 0.247423, 0.113402];

const AGENTS: usize = 512;
const STEPS: usize = 200;

/// A state waits for `what`, and then goes where its row leads.
fn machine(what: &str, activity: &str) -> String {
    let names = ["a", "b", "c"];
    let rows = names
        .iter()
        .zip(ROWS)
        .fold(String::new(), |all, (name, row)| {
            let options = names.iter().zip(row);
            let options = options.fold(String::new(), |all, (to, weight)| {
                all + &format!("option {weight} {{ state {to}; }}; ")
            });
            all + &format!("decide from-{name} {{ random {{ {options} }}; }}\n")
        });
    let states = names.iter().fold(String::new(), |all, name| {
        all + &format!("state {name} {{ {activity} transition {what} decide=from-{name}; }}\n")
    });
    format!("main machine=m\nleaves {{ action act; }}\n{rows}machine m {{\ninitial a\n{states}}}\n")
}

/// How often agents are in each state, after some steps of so many ticks.
fn shares(text: &str, agents: usize, ticks: usize) -> [f64; 3] {
    let document = Document::parse(text, "markov.kdl");
    assert!(
        !document.has_errors(),
        "{:#?}\n{text}",
        document.diagnostics()
    );
    let behaviour = document.behaviour(None).expect("it has no errors");
    let root = behaviour.root();
    assert!(matches!(behaviour.node(root).kind, Kind::Machine(_)));
    let mut host = Scripted::new(&behaviour, agents);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), agents);
    let mut counts = [0_u32; 3];
    let rounds = STEPS * AGENTS / agents;
    for round in 0..rounds {
        for _ in 0..ticks {
            population.tick(&mut host, Duration::from_millis(100));
        }
        if round >= 20 {
            for agent in 0..agents {
                for (state, count) in (1..).zip(&mut counts) {
                    *count += u32::from(population.is_in(agent, root, state));
                }
            }
        }
    }
    let all = counts.iter().sum::<u32>();
    counts.map(|count| f64::from(count) / f64::from(all))
}

fn are_right(found: [f64; 3], what: &str) {
    let close = found
        .iter()
        .zip(SHARES)
        .all(|(found, is)| (found - is).abs() < 0.006);
    assert!(close, "{what}: {found:?} and not {SHARES:?}");
}

#[test]
fn states_that_last_until_they_are_done() {
    // The activity begins in the tick after the entry, and its end counts in the next.
    let text = machine("done=any", "do { action act; };");
    are_right(shares(&text, AGENTS, 2), "done=any");
}

#[test]
fn states_that_last_for_some_time() {
    are_right(shares(&machine("after=0.3", ""), AGENTS, 3), "three ticks");
    are_right(shares(&machine("after=0.1", ""), AGENTS, 1), "one tick");
}

#[test]
fn states_that_are_left_in_every_tick() {
    are_right(shares(&machine("", ""), AGENTS, 1), "many agents");
    are_right(shares(&machine("", ""), 1, 1), "one agent");
}
