//! Since when things are as they are: answers of nodes, runs of actions, states, and keys with who wrote them.

use crate::tick::TickEvents;
use std::collections::HashMap;
use treemind_core::behaviour::Scope;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, KeyId, NodeId, Population, Status};

/// A value that a key was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The first tick that sees it.
    pub(crate) tick: u64,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) by: Writer,
}

/// Who wrote a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    /// The game, between two ticks or in a call.
    Game,
    /// A sensor.
    Sensor,
    /// A node of this agent.
    Node(NodeId),
    /// A node of another agent of the population.
    Other(usize, NodeId),
    /// Somebody who shares it: an agent of another population, or the game.
    Shared,
}

/// An answer that a node has given in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Since {
    pub(crate) status: Status,
    /// The tick of the first of these answers.
    pub(crate) first: u64,
    /// The tick of the last one.
    pub(crate) last: u64,
    /// The answer before, and its last tick.
    pub(crate) before: Option<(Status, u64)>,
}

/// What is remembered of one agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    answers: HashMap<NodeId, Since>,
    /// When the run of each action began that is still running.
    runs: HashMap<NodeId, u64>,
    /// When each active state was entered, by machine and state.
    states: HashMap<(NodeId, usize), u64>,
    /// The contents of the keys as they were last seen.
    keys: Vec<String>,
    written: HashMap<KeyId, Written>,
    /// Who wrote each shared key in the last tick, as far as this population tells: it is seen in the next tick.
    staged: HashMap<KeyId, Writer>,
}

impl History {
    /// Notices what was written since the last tick.
    pub(crate) fn before_tick(&mut self, population: &Population, agent: usize, tick: u64) {
        let staged = std::mem::take(&mut self.staged);
        self.compare(population, agent, tick, |key, scope| match scope {
            Scope::Agent => Writer::Game,
            _ => staged.get(&key).cloned().unwrap_or(Writer::Shared),
        });
    }

    /// Takes in what happened in a tick.
    pub(crate) fn after_tick(
        &mut self,
        (population, agent, tick): (&Population, usize, u64),
        events: &TickEvents,
        trace: &Trace,
    ) {
        let behaviour = population.program().behaviour();
        let mut writers: HashMap<KeyId, Writer> = HashMap::new();
        for (node, event, _) in events.all() {
            match event {
                Event::Tick(status) | Event::Guard(status) => self.answered(*node, *status, tick),
                Event::Start => {
                    self.runs.insert(*node, tick);
                }
                Event::Stop(_) => {
                    self.runs.remove(node);
                }
                Event::EnterState(state) => {
                    self.states.insert((*node, *state as usize), tick);
                }
                Event::LeaveState(state) => {
                    self.states.remove(&(*node, *state as usize));
                }
                Event::Sense(key) => {
                    writers.insert(*key, Writer::Sensor);
                }
                Event::Set(key) | Event::Unset(key) => {
                    writers.insert(*key, Writer::Node(*node));
                }
                _ => {}
            }
        }
        self.compare(population, agent, tick, |key, scope| match scope {
            Scope::Agent => writers.get(&key).cloned().unwrap_or(Writer::Game),
            _ => writers.get(&key).cloned().unwrap_or(Writer::Shared),
        });
        self.staged = staged(behaviour, trace, agent);
    }

    fn answered(&mut self, node: NodeId, status: Status, tick: u64) {
        let new = Since {
            status,
            first: tick,
            last: tick,
            before: None,
        };
        let since = self.answers.entry(node).or_insert(new);
        if since.status == status {
            since.last = tick;
        } else {
            *since = Since {
                before: Some((since.status, since.last)),
                ..new
            };
        }
    }

    /// Looks at all keys, and records those that are not as they were.
    fn compare(
        &mut self,
        population: &Population,
        agent: usize,
        tick: u64,
        writer: impl Fn(KeyId, Scope) -> Writer,
    ) {
        let behaviour = population.program().behaviour();
        let is_first = self.keys.is_empty();
        for (nth, key) in behaviour.keys().iter().enumerate() {
            let id = KeyId::new(nth);
            let to = behaviour.display_held(population.held(agent, id));
            if is_first {
                self.keys.push(to);
            } else if self.keys[nth] != to {
                let from = std::mem::replace(&mut self.keys[nth], to.clone());
                let by = writer(id, key.scope);
                self.written.insert(id, Written { tick, from, to, by });
            }
        }
    }

    /// The last change of a key that was seen.
    pub(crate) fn written(&self, key: KeyId) -> Option<&Written> {
        self.written.get(&key)
    }

    /// What a node has been answering.
    pub(crate) fn since(&self, node: NodeId) -> Option<Since> {
        self.answers.get(&node).copied()
    }

    /// In which tick the run of an action began, if it runs and its beginning was seen.
    pub(crate) fn runs_since(&self, node: NodeId) -> Option<u64> {
        self.runs.get(&node).copied()
    }

    /// In which tick a state was entered, if it is active and that was seen.
    pub(crate) fn state_since(&self, machine: NodeId, state: usize) -> Option<u64> {
        self.states.get(&(machine, state)).copied()
    }
}

/// Who wrote each shared key last in a tick. Agents are in order, and so are the writes of each.
fn staged(behaviour: &Behaviour, trace: &Trace, own: usize) -> HashMap<KeyId, Writer> {
    let mut last: HashMap<KeyId, (usize, NodeId)> = HashMap::new();
    let is_shared = |key: KeyId| behaviour.key(key).scope != Scope::Agent;
    for record in trace.records() {
        let (Event::Set(key) | Event::Unset(key)) = record.event else {
            continue;
        };
        if is_shared(key) && record.mask != 0 {
            let agent = record.word as usize * 64 + 63 - record.mask.leading_zeros() as usize;
            let known = last.entry(key).or_insert((agent, record.node));
            if agent >= known.0 {
                *known = (agent, record.node);
            }
        }
    }
    let of = |(agent, node)| match agent == own {
        true => Writer::Node(node),
        false => Writer::Other(agent, node),
    };
    last.into_iter().map(|(key, by)| (key, of(by))).collect()
}

/// The name of the sensor of a key.
pub(crate) fn sensor(behaviour: &Behaviour, key: KeyId) -> Option<&str> {
    let sensed = behaviour.key(key).sensed.as_ref()?;
    Some(&behaviour.leaf(sensed.sensor).name)
}
