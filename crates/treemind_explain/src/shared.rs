//! Who wrote a key that agents share.
//!
//! The trace of a population says which of its agents wrote a key, and what. The value of the key says whether that is
//! what became of it: in a society an agent of another program may have written it, too, and the game writes as it likes.
//! Nobody is named whose write does not explain the value.

use crate::history::Writer;
use std::collections::BTreeMap;
use treemind_core::behaviour::{Merge, Scope};
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Held, KeyId, NodeId, Population, Value};

/// A write of an agent.
#[derive(Clone, Debug, PartialEq)]
struct Write {
    node: NodeId,
    /// Whether the game wrote while it was called for the node.
    by_game: bool,
    /// `None` when it took the value away.
    value: Option<Value>,
}

/// Who wrote a shared key in a tick: the writes of each agent in their order, and the agents in theirs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Writes {
    writes: BTreeMap<usize, Vec<Write>>,
    /// Whether nobody else can have written it.
    are_all: bool,
}

/// A change of a shared key.
pub(crate) struct Change<'a> {
    pub(crate) key: KeyId,
    /// The value before, if it had one.
    pub(crate) before: Option<Value>,
    /// What it holds now.
    pub(crate) to: Held<'a>,
}

impl Writes {
    /// The writes of all agents that share a key with an agent.
    pub(crate) fn of(key: KeyId, (population, own): (&Population, usize), trace: &Trace) -> Self {
        let is_world = population.program().behaviour().key(key).scope == Scope::World;
        let group = population.group(own);
        let is_write = move |event| {
            let (Event::Set(of) | Event::Unset(of) | Event::HostSet(of) | Event::HostUnset(of)) =
                event
            else {
                return false;
            };
            of == key
        };
        let mut writes: BTreeMap<usize, Vec<Write>> = BTreeMap::new();
        for (agent, node, event, value) in trace.filtered(is_write) {
            let is_there = agent < population.len();
            if is_world || is_there && population.group(agent) == group {
                let by_game = matches!(event, Event::HostSet(_) | Event::HostUnset(_));
                let write = Write {
                    node,
                    by_game,
                    value,
                };
                writes.entry(agent).or_default().push(write);
            }
        }
        Self {
            writes,
            are_all: trace.has_values_of_all() && !population.is_joined(),
        }
    }

    /// Whether there are any.
    pub(crate) fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// Who made a key what it is, if that is certain.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(crate) fn writer(
        &self,
        (behaviour, own): (&Behaviour, usize),
        change: &Change<'_>,
    ) -> Option<Writer> {
        let declared = behaviour.key(change.key);
        let of = |(agent, write): (usize, &Write)| match (agent == own, write.by_game) {
            (true, true) => Writer::Called(write.node),
            (true, false) => Writer::Node(write.node),
            (false, by_game) => Writer::Other {
                agent,
                node: write.node,
                by_game,
            },
        };
        let last = self.all().next_back();
        if declared.form.is_list() {
            // What lists hold is not in the trace.
            return last.filter(|_| self.are_all).map(of);
        }
        let to = behaviour.display_held(change.to);
        let is_it = |value: Option<Value>| {
            behaviour.display_held(value.map_or(Held::Unset, Held::One)) == to
        };
        match declared.merge {
            Merge::Last => last.filter(|(_, write)| is_it(write.value)).map(of),
            Merge::Add if self.are_all || is_it(self.sum(change.before)) => {
                match self.writes.len() {
                    0 => None,
                    1 => last.map(of),
                    _ => Some(Writer::Together(self.writes.keys().copied().collect())),
                }
            }
            Merge::Add => None,
            Merge::Min | Merge::Max => self.all().find(|(_, write)| is_it(write.value)).map(of),
            _ => treemind_core::unlisted(&declared.merge),
        }
    }

    /// All writes, with who made them.
    fn all(&self) -> impl DoubleEndedIterator<Item = (usize, &Write)> {
        let agents = self.writes.iter();
        agents.flat_map(|(agent, writes)| writes.iter().map(|write| (*agent, write)))
    }

    /// What the changes of all come to.
    fn sum(&self, before: Option<Value>) -> Option<Value> {
        let start = before?;
        let mut sum = start;
        for value in self.all().filter_map(|(_, write)| write.value) {
            sum = match (sum, value, start) {
                (Value::Int(sum), Value::Int(value), Value::Int(start)) => {
                    Value::Int(sum.checked_add(value.checked_sub(start)?)?)
                }
                (Value::Float(sum), Value::Float(value), Value::Float(start)) => {
                    Value::Float(sum + (value - start))
                }
                (Value::Double(sum), Value::Double(value), Value::Double(start)) => {
                    Value::Double(sum + (value - start))
                }
                _ => return None,
            };
        }
        Some(sum)
    }
}
