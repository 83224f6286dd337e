//! What happened to an agent, as the script of a test could have it.

use crate::names::Names;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use treemind_core::behaviour::Scope;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Held, KeyId, Kind, NodeId, Population, Status, Value};
use treemind_doc::event_part;

/// What happened to one agent in a stretch of ticks: what it read, what its leaves answered, and what it did.
#[derive(Clone, Debug, Default)]
pub struct Happened {
    pub(crate) ticks: Vec<Moment>,
    /// The ticks before it, as far as they are known.
    pub(crate) earlier: Vec<Moment>,
    /// What the keys held when it began, as far as a test can give that.
    pub(crate) held: Vec<(KeyId, Value)>,
    /// The first tick, and the ones after it.
    pub(crate) first: u64,
}

/// What happened in a tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moment {
    /// What the keys held when they were read first, unless the agent had written them before in this tick.
    pub(crate) read: Vec<(KeyId, Value)>,
    /// What conditions and actions answered, by the names that tests use, in the order of the calls.
    pub(crate) calls: BTreeMap<String, Vec<Status>>,
    /// The events that came from elsewhere.
    pub(crate) sent: BTreeSet<String>,
    pub(crate) then: Standing,
}

/// How it stood after a tick.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// The actions and the innermost states that are running; without any, the nodes with a name.
    pub(crate) running: BTreeSet<String>,
    /// The nodes with a name that are running, around actions and states, too.
    pub(crate) around: BTreeSet<String>,
    /// The actions that were ticked.
    pub(crate) ran: BTreeSet<String>,
    pub(crate) root: Option<Status>,
}

impl Standing {
    /// How an agent stands after a tick with this trace.
    pub(crate) fn of(population: &Population, agent: usize, trace: &Trace) -> Self {
        let behaviour = population.program().behaviour();
        let mut answers: HashMap<NodeId, Status> = HashMap::new();
        let mut ran = BTreeSet::new();
        for (node, event) in trace.agent(agent) {
            let Event::Tick(status) = event else {
                continue;
            };
            answers.insert(node, status);
            if matches!(behaviour.node(node).kind, Kind::Action { .. }) {
                ran.insert(behaviour.label(node).to_owned());
            }
        }
        let over = [Status::Success, Status::Failure].map(Some);
        let (mut running, mut named) = (BTreeSet::new(), BTreeSet::new());
        for node in population.open(agent, trace.agent(agent)) {
            let of = behaviour.node(node);
            let label = behaviour.label(node).to_owned();
            match of.kind {
                _ if over.contains(&answers.get(&node).copied()) => {}
                Kind::Action { .. } => drop(running.insert(label)),
                _ if of.name.is_some() => drop(named.insert(label)),
                _ => {}
            }
        }
        let names = Names::new(behaviour);
        let states = names.paths().iter();
        let active = states.filter(|(machine, state, _)| population.is_in(agent, *machine, *state));
        let active: Vec<&str> = active.map(|(.., path)| path.as_str()).collect();
        let innermost = active.iter().filter(|path| {
            let inner = format!("{path}.");
            !active.iter().any(|other| other.starts_with(&inner))
        });
        running.extend(innermost.map(|path| (*path).to_owned()));
        // What is around an action says no more than the action.
        if running.is_empty() {
            running.clone_from(&named);
        }
        Self {
            running,
            around: named,
            ran,
            root: trace.root(behaviour, agent),
        }
    }
}

impl Standing {
    /// Whether a test expects the same of both.
    pub(crate) fn reads_as(&self, other: &Self) -> bool {
        (&self.running, &self.ran, self.root) == (&other.running, &other.ran, other.root)
    }
}

impl Happened {
    /// Nothing yet; the first tick that is noted has this number.
    pub fn since(first: u64) -> Self {
        Self {
            first,
            ..Self::default()
        }
    }

    /// How many ticks were noted.
    pub fn len(&self) -> usize {
        self.ticks.len()
    }

    /// Whether nothing was noted.
    pub fn is_empty(&self) -> bool {
        self.ticks.is_empty()
    }

    /// Notes what an agent did in the last tick of its population. The trace has values.
    pub fn note(&mut self, population: &Population, agent: usize, trace: &Trace) {
        self.ticks.push(Moment::of(population, agent, trace));
    }

    /// Notes a tick before the stretch: what was read and answered then counts as what holds when it begins, as far as nothing
    /// else is known of it, and a test can begin with it.
    pub fn recall(&mut self, population: &Population, agent: usize, trace: &Trace) {
        self.earlier.push(Moment::of(population, agent, trace));
        self.hold(population, agent);
    }

    /// Notes what the keys hold now, if the stretch begins with the next tick: an agent that goes on with what it does may
    /// not read again what made it begin.
    pub fn hold(&mut self, population: &Population, agent: usize) {
        let behaviour = population.program().behaviour();
        let facts = (0..behaviour.keys().len()).map(KeyId::new);
        let facts = facts.filter(|key| is_fact(behaviour, *key));
        let held = facts.filter_map(|key| match held_by(population, agent, key) {
            Held::One(value) => Some((key, value)),
            _ => None,
        });
        self.held = held.collect();
    }

    /// What was read and answered last before the last `lead` ticks that were recalled.
    pub(crate) fn known_before(&self, lead: usize) -> Moment {
        let mut known = Moment::default();
        for moment in &self.earlier[..self.earlier.len() - lead] {
            for (key, value) in &moment.read {
                known.read.retain(|(other, _)| other != key);
                known.read.push((*key, *value));
            }
            for (name, answers) in &moment.calls {
                let last = answers.last().map(|last| vec![*last]);
                known.calls.insert(name.clone(), last.unwrap_or_default());
            }
        }
        known
    }
}

impl Moment {
    /// What an agent did in the last tick.
    fn of(population: &Population, agent: usize, trace: &Trace) -> Self {
        let behaviour = population.program().behaviour();
        let mut moment = Moment {
            then: Standing::of(population, agent, trace),
            ..Moment::default()
        };
        let (mut known, mut own) = (HashSet::new(), BTreeSet::new());
        for (node, event, value) in trace.valued(agent) {
            match event {
                Event::Read(key) => {
                    if let Some(value) =
                        value.filter(|_| known.insert(key) && is_fact(behaviour, key))
                    {
                        moment.read.push((key, value));
                    }
                }
                Event::Set(key) | Event::Unset(key) | Event::HostSet(key) => {
                    known.insert(key);
                }
                Event::Tick(status) => {
                    if let Some((name, answer)) = called(behaviour, node, status) {
                        moment.calls.entry(name).or_default().push(answer);
                    }
                }
                Event::Send(event) => {
                    own.insert(behaviour.leaf(event).name.clone());
                }
                Event::Offer(event) if behaviour.leaf(event).params.is_empty() => {
                    moment.sent.insert(behaviour.leaf(event).name.clone());
                }
                _ => {}
            }
        }
        moment.sent.retain(|event| !own.contains(event));
        // What its actions did is what is said of them; what it holds in lists is not read one by one.
        moment
            .read
            .retain(|(key, _)| is_one(population, agent, *key));
        moment
    }
}

/// Whether a test can give this key: it is no part of an event.
fn is_fact(behaviour: &Behaviour, key: KeyId) -> bool {
    event_part(behaviour, key).is_none()
}

/// Whether a key holds one value, and not a list.
fn is_one(population: &Population, agent: usize, key: KeyId) -> bool {
    !matches!(held_by(population, agent, key), Held::List(_))
}

fn held_by(population: &Population, agent: usize, key: KeyId) -> Held<'_> {
    match population.program().behaviour().key(key).scope {
        Scope::Agent => population.held(agent, key),
        _ => population.shared_held(key, population.group(agent)),
    }
}

/// What the host answered when it was asked for a node, by the name that tests use.
fn called(behaviour: &Behaviour, node: NodeId, status: Status) -> Option<(String, Status)> {
    let is_negated = match &behaviour.node(node).kind {
        Kind::Condition { negated, .. } => *negated,
        Kind::Action { .. } => false,
        _ => return None,
    };
    let answer = match status {
        Status::Success if is_negated => Status::Failure,
        Status::Failure if is_negated => Status::Success,
        status => status,
    };
    Some((behaviour.label(node).to_owned(), answer))
}
