//! What leaves ask for, and what the host does between two ticks: agents come, go and change their groups, and get
//! events.

use super::Scenario;
use super::script::value_of;
use treemind_core::behaviour::LeafKind;
use treemind_core::{Behaviour, NodeId, Value};

/// What may happen to an agent.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    Remove,
    Group(u32),
    /// An agent of the program with this name is born.
    Spawn(String),
}

/// What a leaf asks for when it is called in a tick.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) nodes: Vec<NodeId>,
    pub(super) agent: Option<usize>,
    pub(super) tick: u64,
    pub(super) change: Change,
}

impl Asked {
    /// Whether it is meant for this call.
    pub(super) fn is_meant(&self, node: NodeId, agent: usize, tick: u64) -> bool {
        self.tick == tick
            && self.nodes.contains(&node)
            && self.agent.is_none_or(|meant| meant == agent)
    }
}

/// What leaves of a program ask for: lines such as `leave@1: 3 remove`.
///
/// # Errors
/// A line that is not valid, or names no leaf.
pub(super) fn asked_of(scenario: &Scenario, behaviour: &Behaviour) -> Result<Vec<Asked>, String> {
    let asked = scenario.asks.iter().map(|line| {
        let bad = || format!("`{line}` is not a line of `asks`");
        let (whose, what) = line.split_once(':').ok_or_else(bad)?;
        let (tick, change) = what.trim().split_once(' ').ok_or_else(bad)?;
        let (label, agent) = match whose.trim().split_once('@') {
            Some((label, agent)) => (label, Some(agent.parse().map_err(|_| bad())?)),
            None => (whose.trim(), None),
        };
        let nodes = behaviour.node_ids();
        let nodes: Vec<NodeId> = nodes
            .filter(|node| behaviour.label(*node) == label)
            .collect();
        if nodes.is_empty() {
            return Err(format!("`{label}` is not in the tree"));
        }
        Ok(Asked {
            nodes,
            agent,
            tick: tick.parse().map_err(|_| bad())?,
            change: change_of(change).ok_or_else(bad)?,
        })
    });
    asked.collect()
}

fn change_of(text: &str) -> Option<Change> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Some(match words[..] {
        ["remove"] => Change::Remove,
        ["group", group] => Change::Group(group.parse().ok()?),
        ["spawn", program] => Change::Spawn(program.to_owned()),
        _ => return None,
    })
}

/// What the host does after a tick.
#[derive(Clone, Debug)]
pub(super) struct Deed {
    pub(super) tick: u64,
    pub(super) what: Done,
}

#[derive(Clone, Debug)]
pub(super) enum Done {
    /// Something happens to an agent of a program.
    Change(usize, usize, Change),
    /// A new agent of a program.
    Spawn(usize),
    Send(String, Vec<Value>, Whom),
}

/// To whom the host sends an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Whom {
    World,
    Group(u32),
    /// An agent of a program.
    Agent(usize, usize),
}

/// What the host of a scenario does: lines such as `2 send noise volume=3 to guard@1`.
///
/// # Errors
/// A line that is not valid.
pub(super) fn deeds_of(
    scenario: &Scenario,
    behaviours: &[&Behaviour],
) -> Result<Vec<Deed>, String> {
    let parts = scenario.parts();
    let program = |name: &str| parts.iter().position(|(known, _)| known == name);
    let agent = |text: &str| {
        let (name, agent) = text.split_once('@')?;
        Some((program(name)?, agent.parse().ok()?))
    };
    let deeds = scenario.host.iter().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let deed = || {
            let (tick, words) = words.split_first()?;
            let what = match words {
                ["spawn", name] => Done::Spawn(program(name)?),
                ["remove", of] => {
                    let (program, agent) = agent(of)?;
                    Done::Change(program, agent, Change::Remove)
                }
                ["group", of, group] => {
                    let (program, agent) = agent(of)?;
                    Done::Change(program, agent, Change::Group(group.parse().ok()?))
                }
                ["send", event, said @ .., "to", "world"] => Done::Send(
                    (*event).to_owned(),
                    said_of(behaviours, event, said)?,
                    Whom::World,
                ),
                ["send", event, said @ .., "to", "group", group] => {
                    let to = Whom::Group(group.parse().ok()?);
                    Done::Send((*event).to_owned(), said_of(behaviours, event, said)?, to)
                }
                ["send", event, said @ .., "to", of] => {
                    let (program, agent) = agent(of)?;
                    let to = Whom::Agent(program, agent);
                    Done::Send((*event).to_owned(), said_of(behaviours, event, said)?, to)
                }
                _ => return None,
            };
            let tick = tick.parse().ok()?;
            Some(Deed { tick, what })
        };
        deed().ok_or_else(|| format!("`{line}` is not a line of `host`"))
    });
    deeds.collect()
}

/// The values of an event, `volume=3`, in the order of its parameters.
fn said_of(behaviours: &[&Behaviour], event: &str, words: &[&str]) -> Option<Vec<Value>> {
    let leaves = behaviours.iter().flat_map(|behaviour| {
        behaviour
            .leaves()
            .iter()
            .map(move |leaf| (*behaviour, leaf))
    });
    let mut events = leaves.filter(|(_, leaf)| leaf.kind == LeafKind::Event && leaf.name == event);
    let (behaviour, leaf) = events.next()?;
    let said = leaf.params.iter().zip(words).map(|(param, word)| {
        let text = word.strip_prefix(&format!("{}=", param.name))?;
        value_of(behaviour, param.ty, text)
    });
    let said: Vec<Value> = said.collect::<Option<_>>()?;
    (said.len() == words.len()).then_some(said)
}
