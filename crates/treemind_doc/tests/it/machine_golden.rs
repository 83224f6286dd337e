//! `conformance/machine-alarm-golden.txt`: what a machine requests, tick by tick, request by request.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, Population, Program, Status, Value};
use treemind_doc::Document;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

fn read(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect("the file can be read")
}

/// One tick: the conditions that hold, the requests, and the active states at the end.
#[derive(Debug, PartialEq)]
struct Tick {
    holding: Vec<String>,
    requests: Vec<String>,
    active: Vec<String>,
}

/// The ticks of each block, with its title.
fn blocks(text: &str) -> Vec<(String, Vec<Tick>)> {
    let mut blocks: Vec<(String, Vec<Tick>)> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            blocks.push((title.to_owned(), Vec::new()));
        } else if let (Some((_, ticks)), false) = (blocks.last_mut(), line.trim().is_empty()) {
            let (holding, rest) = line.split_once('[').expect("requests in brackets");
            let (requests, active) = rest.split_once("] -> [").expect("an arrow");
            let names = holding.split_whitespace().filter(|name| *name != "-");
            ticks.push(Tick {
                holding: names.map(str::to_owned).collect(),
                requests: quoted(requests),
                active: quoted(active),
            });
        }
    }
    blocks
}

/// The texts in single quotes.
fn quoted(text: &str) -> Vec<String> {
    let parts = text.split('\'').skip(1).step_by(2);
    parts.map(str::to_owned).collect()
}

/// Plays a block. Conditions are keys, or otherwise conditions of the host.
fn play(behaviour: Behaviour, block: &[Tick], names: &[String], by_keys: bool) -> Vec<Tick> {
    let mut host = Scripted::new(&behaviour, 1);
    let labels: Vec<String> = host.labels().to_vec();
    for label in labels.iter().filter(|label| label.starts_with("during")) {
        assert!(host.set(0, label, &[Status::Running]), "{label}");
    }
    let Kind::Machine(machine) = behaviour.node(behaviour.root()).kind.clone() else {
        panic!("the machine is the root");
    };
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut is_active = vec![false; machine.states.len()];
    let mut trace = Trace::new();
    let mut played = Vec::new();
    for tick in block {
        for name in names {
            let holds = tick.holding.contains(name);
            if by_keys {
                let key = population.program().behaviour().key_id(name);
                population
                    .set(0, key.expect("a key"), Value::Bool(holds))
                    .expect("of its type");
            } else {
                let answer = if holds {
                    Status::Success
                } else {
                    Status::Failure
                };
                assert!(host.set(0, name, &[answer]), "{name}");
            }
        }
        trace.clear();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        let behaviour = population.program().behaviour();
        let mut requests = Vec::new();
        for (node, event) in trace.agent(0) {
            match event {
                Event::EnterState(state) => is_active[state as usize] = true,
                Event::LeaveState(state) => is_active[state as usize] = false,
                Event::Tick(_) if matches!(behaviour.node(node).kind, Kind::Action { .. }) => {
                    requests.push(behaviour.label(node).to_owned());
                }
                _ => {}
            }
        }
        let states = machine.states.iter().zip(&is_active).skip(1);
        let active = states.filter(|(_, is_active)| **is_active);
        played.push(Tick {
            holding: tick.holding.clone(),
            requests,
            active: active.map(|(state, _)| state.name.clone()).collect(),
        });
        assert_eq!(population.take_faults().total(), 0);
    }
    played
}

/// The names of the conditions of the document.
fn names(document: &str) -> Vec<String> {
    let parts = document.split("when=\"").skip(1);
    let names = parts.map(|part| part.split('"').next().unwrap_or_default().to_owned());
    names.collect()
}

fn play_all(document: &str, names: &[String], by_keys: bool) {
    let document = Document::parse(document, "machine-alarm-golden.kdl");
    let behaviour = match document.behaviour(None) {
        Ok(behaviour) => behaviour,
        Err(error) => panic!("{}", error.to_plain()),
    };
    let blocks = blocks(&read("machine-alarm-golden.txt"));
    assert!(blocks.len() >= 10, "only {} blocks", blocks.len());
    for (title, block) in blocks {
        assert!(!block.is_empty(), "{title}");
        let played = play(behaviour.clone(), &block, names, by_keys);
        assert_eq!(played, block, "{title}");
    }
}

#[test]
fn the_machine_asks_for_what_was_recorded() {
    let document = read("machine-alarm-golden.kdl");
    play_all(&document, &names(&document), true);
}

#[test]
fn conditions_of_the_host_make_no_difference() {
    let mut document = read("machine-alarm-golden.kdl");
    let names = names(&document);
    for name in &names {
        document = document.replace(
            &format!(" when=\"{name}\" {{"),
            &format!(" {{ when {{ condition {name}; }}; "),
        );
    }
    let start = document.find("blackboard {").expect("the keys");
    let end = start + document[start..].find("\n}\n").expect("their end") + 3;
    let conditions = names.iter().map(|name| format!("condition {name}; "));
    let leaves = format!("leaves {{ {} }}\n", conditions.collect::<String>());
    document.replace_range(start..end, &leaves);
    play_all(&document, &names, false);
}
