//! Since when things are as they are: answers of nodes, runs of actions, states, and keys with who wrote them.

use crate::shared::{Change, Writes};
use crate::tick::TickEvents;
use std::collections::HashMap;
use treemind_core::behaviour::{Form, Scope};
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Held, KeyId, NodeId, Population, Status, Value};

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
    /// The game, between two ticks.
    Game,
    /// A test of the document that plays the agent, between two ticks.
    Test,
    /// Somebody who watches the game, and typed it.
    Typed,
    /// Nobody: the key had the value before its name changed.
    Kept,
    /// A sensor.
    Sensor,
    /// The game, while it was called for this node.
    Called(NodeId),
    /// A node of this agent.
    Node(NodeId),
    /// The `on-fault` of a node of this agent, after a fault at it or in it.
    OnFault(NodeId),
    /// A node of another agent of the population, or the game while it was called for that node.
    Other {
        agent: usize,
        node: NodeId,
        by_game: bool,
    },
    /// These agents of the population: their changes were added up.
    Together(Vec<usize>),
    /// Nobody: the agent came to another group, where it is like this.
    Group(u32),
    /// Somebody who shares it: an agent of another program, or the game.
    Program,
    /// Somebody who shares it: an agent whose writes are not in the trace, or the game.
    Anybody,
}

impl Writer {
    /// Who it was, if the value was given from outside: what nobody else is known to have written, that one wrote.
    fn or_given(&self, by: Option<&Self>) -> Self {
        match (self, by) {
            (Self::Game | Self::Test | Self::Program | Self::Anybody, Some(by)) => by.clone(),
            (other, _) => other.clone(),
        }
    }
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
    /// Whether no earlier answer may have been the same: another one was seen before, or the agent was followed from its
    /// beginning.
    pub(crate) is_exact: bool,
}

/// What is remembered of one agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// Whether the agent was followed from its beginning.
    is_whole: bool,
    /// Whether a test of the document plays the agent, and no game.
    pub(crate) is_of_test: bool,
    answers: HashMap<NodeId, Since>,
    /// When the run of each action began that is still running.
    runs: HashMap<NodeId, u64>,
    /// When each active state was entered, by machine and state.
    states: HashMap<(NodeId, usize), u64>,
    /// The contents of the keys as they were last seen, and their values if they have one.
    keys: Vec<String>,
    values: Vec<Option<Value>>,
    /// The group in which the agent was then.
    group: u32,
    /// The last change of each key, and the one before it.
    written: HashMap<KeyId, Written>,
    earlier: HashMap<KeyId, Written>,
    /// The changes in the last tick, in order.
    steps: Vec<(KeyId, Written)>,
    /// Who wrote shared keys in the last tick, if that can take effect only after it has been looked at: in a society, at the
    /// end of the step.
    staged: HashMap<KeyId, Writes>,
    /// What keys were given from outside for the tick that follows, and how.
    given: HashMap<KeyId, (Value, Writer)>,
}

impl History {
    /// The history of an agent that begins now.
    pub(crate) fn new(population: &Population, agent: usize) -> Self {
        Self {
            is_whole: population.is_newborn(agent),
            ..Self::default()
        }
    }

    /// Whether the agent was followed from its beginning.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Who writes what neither a node nor another agent does.
    fn outside(&self) -> Writer {
        match self.is_of_test {
            true => Writer::Test,
            false => Writer::Game,
        }
    }

    /// Notices what was written since the last tick.
    pub(crate) fn before_tick(&mut self, population: &Population, agent: usize, tick: u64) {
        let staged = std::mem::take(&mut self.staged);
        let behaviour = population.program().behaviour();
        let outside = self.outside();
        self.compare(population, agent, tick, |change| {
            if behaviour.key(change.key).scope == Scope::Agent {
                return outside.clone();
            }
            let writes = staged.get(&change.key);
            let writer = writes.and_then(|writes| writes.writer((behaviour, agent), change));
            writer.unwrap_or(match population.is_joined() {
                true => Writer::Program,
                false => outside.clone(),
            })
        });
    }

    /// A key was given a value from outside, which it has in the tick that follows, or gets at its begin.
    pub(crate) fn given(&mut self, (key, value): (KeyId, Value), by: Writer, tick: u64) {
        let written = self.written.get_mut(&key);
        if let Some(written) = written.filter(|written| written.tick == tick) {
            written.by = written.by.or_given(Some(&by));
        }
        self.given.insert(key, (value, by));
    }

    /// Takes in what happened in a tick.
    pub(crate) fn after_tick(
        &mut self,
        (population, agent, tick): (&Population, usize, u64),
        events: &TickEvents,
        trace: &Trace,
    ) {
        let behaviour = population.program().behaviour();
        let given = std::mem::take(&mut self.given);
        // The game may have written another value after it.
        let given_by = |change: &Change<'_>| {
            let (value, by) = given.get(&change.key)?;
            matches!(change.to, Held::One(to) if to == *value).then_some(by)
        };
        let mut writers: HashMap<KeyId, Writer> = HashMap::new();
        self.steps.clear();
        let mut before = None;
        for (node, event, value) in events.all() {
            let has_failed = before.replace((*node, *event)) == Some((*node, Event::Fault));
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
                    let kept = fault_keeper(behaviour, *node).filter(|_| has_failed);
                    let writer = match kept {
                        Some((keeper, to)) if to == *key => Writer::OnFault(keeper),
                        _ => Writer::Node(*node),
                    };
                    writers.insert(*key, writer);
                }
                // What a sensor computes, the host writes.
                Event::HostSet(key) | Event::HostUnset(key)
                    if writers.get(key) != Some(&Writer::Sensor) =>
                {
                    writers.insert(*key, Writer::Called(*node));
                }
                _ => {}
            }
            if let Event::Set(key) | Event::HostSet(key) = event {
                self.step(behaviour, (*key, *value, tick), &writers[key]);
            }
        }
        let outside = self.outside();
        self.compare(population, agent, tick, |change| {
            if behaviour.key(change.key).scope == Scope::Agent {
                let writer = writers
                    .remove(&change.key)
                    .unwrap_or_else(|| outside.clone());
                return writer.or_given(given_by(change));
            }
            let writes = Writes::of(change.key, (population, agent), trace);
            let writer = writes.writer((behaviour, agent), change);
            let writer = writer.unwrap_or(match trace.has_values_of_all() {
                true if population.is_joined() => Writer::Program,
                true => outside.clone(),
                false => Writer::Anybody,
            });
            writer.or_given(given_by(change))
        });
        if population.is_joined() {
            let writes = |key| (key, Writes::of(key, (population, agent), trace));
            let staged = shared_keys(behaviour).map(writes);
            self.staged = staged.filter(|(_, writes)| !writes.is_empty()).collect();
        }
    }

    fn answered(&mut self, node: NodeId, status: Status, tick: u64) {
        let new = Since {
            status,
            first: tick,
            last: tick,
            before: None,
            is_exact: self.is_whole,
        };
        let since = self.answers.entry(node).or_insert(new);
        if since.status == status {
            since.last = tick;
        } else {
            *since = Since {
                before: Some((since.status, since.last)),
                is_exact: true,
                ..new
            };
        }
    }

    /// Records that a key of the agent's own got another value in this tick.
    fn step(
        &mut self,
        behaviour: &Behaviour,
        (key, value, tick): (KeyId, Option<Value>, u64),
        by: &Writer,
    ) {
        let declared = behaviour.key(key);
        let is_list = matches!(declared.form, Form::List { .. });
        let Some(value) = value.filter(|_| declared.scope == Scope::Agent && !is_list) else {
            return;
        };
        let to = behaviour.display_held(Held::One(value));
        let mut known = self.steps.iter().rev();
        let before = known.find(|(known, _)| *known == key);
        let from = before.map_or(&self.keys[key.index()], |(_, written)| &written.to);
        if *from != to {
            let (from, by) = (from.clone(), by.clone());
            self.steps.push((key, Written { tick, from, to, by }));
        }
    }

    /// Looks at all keys, and records those that are not as they were.
    fn compare(
        &mut self,
        population: &Population,
        agent: usize,
        tick: u64,
        mut writer: impl FnMut(&Change<'_>) -> Writer,
    ) {
        let behaviour = population.program().behaviour();
        let is_first = self.keys.is_empty();
        let group = population.group(agent);
        let has_moved = std::mem::replace(&mut self.group, group) != group;
        for (nth, key) in behaviour.keys().iter().enumerate() {
            let (id, held) = (KeyId::new(nth), population.held(agent, KeyId::new(nth)));
            let (to, value) = (behaviour.display_held(held), value_of(held));
            if is_first {
                self.keys.push(to);
                self.values.push(value);
                continue;
            }
            let before = std::mem::replace(&mut self.values[nth], value);
            if self.keys[nth] != to {
                let from = std::mem::replace(&mut self.keys[nth], to.clone());
                let by = match key.scope {
                    Scope::Group if has_moved => Writer::Group(group),
                    _ => writer(&Change {
                        key: id,
                        before,
                        to: held,
                    }),
                };
                let replaced = self.written.insert(id, Written { tick, from, to, by });
                replaced.map(|replaced| self.earlier.insert(id, replaced));
            }
        }
    }

    /// The last change of a key that was seen. If this tick gave it several values, and it was read with one of them, the
    /// change to that one; none if that is not known.
    pub(crate) fn written(&self, key: KeyId, tick: u64, read: Option<&str>) -> Option<&Written> {
        let last = self.written.get(&key);
        let is_it = |written: &&Written| read.is_none_or(|read| written.to == read);
        let steps = self.steps.iter().rev();
        let step = steps.filter(|(of, _)| *of == key).map(|(_, step)| step);
        match last {
            Some(last) if last.tick < tick && step.clone().next().is_none() => Some(last),
            _ => last
                .into_iter()
                .chain(step)
                .chain(self.earlier.get(&key))
                .find(is_it),
        }
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

/// The node whose `on-fault` writes what goes wrong at a node, and the key.
fn fault_keeper(behaviour: &Behaviour, node: NodeId) -> Option<(NodeId, KeyId)> {
    let mut way = std::iter::successors(Some(node), |inner| behaviour.node(*inner).parent);
    way.find_map(|outer| Some((outer, behaviour.node(outer).hooks.on_fault?)))
}

/// The value that a key has, if it has one.
#[warn(clippy::wildcard_enum_match_arm)]
fn value_of(held: Held<'_>) -> Option<Value> {
    match held {
        Held::One(value) => Some(value),
        Held::Unset | Held::List(_) => None,
        _ => treemind_core::unlisted(&held),
    }
}

/// The keys that agents share.
fn shared_keys(behaviour: &Behaviour) -> impl Iterator<Item = KeyId> + '_ {
    let keys = behaviour.keys().iter().enumerate();
    let shared = keys.filter(|(_, key)| key.scope != Scope::Agent);
    shared.map(|(nth, _)| KeyId::new(nth))
}

/// The name of the sensor of a key.
pub(crate) fn sensor(behaviour: &Behaviour, key: KeyId) -> Option<&str> {
    let sensed = behaviour.key(key).sensed.as_ref()?;
    Some(&behaviour.leaf(sensed.sensor).name)
}
