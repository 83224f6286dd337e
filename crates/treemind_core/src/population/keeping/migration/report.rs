//! What became of a population whose program has changed.

use crate::behaviour::Scope;
use crate::ids::NodeId;
use crate::program::matching::NodeChange;
use std::fmt;

/// What a change of the program did to a population: see
/// [`Population::change_program`](crate::Population::change_program).
///
/// Its text has a line for everything that did not continue as it was, and none if everything did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migration {
    pub(super) goes_on: Vec<Option<NodeId>>,
    pub(super) nodes: Vec<ChangedNode>,
    pub(super) keys: Vec<ChangedKey>,
    pub(super) lost_events: Vec<LostEvent>,
}

/// A node that is new, that does not continue, or whose runs were aborted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedNode {
    /// The labels of the nodes down to it. A number tells siblings with one label apart.
    pub path: String,
    /// What happened to it.
    pub change: NodeChange,
    /// For how many agents it was aborted.
    pub agents: usize,
}

/// A key that does not continue with all its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedKey {
    /// The name.
    pub name: String,
    /// What happened to it.
    pub change: KeyChange,
}

/// What happened to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyChange {
    /// It is new, and starts at its default.
    Added,
    /// It is gone.
    Removed,
    /// It is shared by others than before, and starts at its default.
    Shared(Scope),
    /// It has another type or form, and starts at its default.
    Redefined,
    /// In this many places it had a value that the new program does not know; they are at the default.
    Reset(usize),
}

/// Events that waited and were lost, because the new program does not know them, or nobody waits for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostEvent {
    /// The name of the event.
    pub name: String,
    /// How many were lost.
    pub events: usize,
}

impl Migration {
    /// The node of the new program that continues in place of an old one.
    pub fn goes_on_as(&self, old: NodeId) -> Option<NodeId> {
        self.goes_on.get(old.index()).copied().flatten()
    }

    /// The nodes that are new, that do not continue, or that were aborted. Of several inside each other only the
    /// outermost is here.
    pub fn nodes(&self) -> &[ChangedNode] {
        &self.nodes
    }

    /// The keys that do not continue with all their values.
    pub fn keys(&self) -> &[ChangedKey] {
        &self.keys
    }

    /// The events that were lost.
    pub fn lost_events(&self) -> &[LostEvent] {
        &self.lost_events
    }

    /// Whether everything continues as it was.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.keys.is_empty() && self.lost_events.is_empty()
    }

    pub(super) fn lose_events(&mut self, name: &str, events: usize) {
        match self.lost_events.iter_mut().find(|lost| lost.name == name) {
            Some(lost) => lost.events += events,
            None => self.lost_events.push(LostEvent {
                name: name.to_owned(),
                events,
            }),
        }
    }
}

impl NodeChange {
    /// What happened, in a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            NodeChange::Added => "added",
            NodeChange::Removed => "removed",
            NodeChange::Kind => "replaced by a node of another kind",
            NodeChange::Leaf => "uses something else",
            NodeChange::Arguments => "has other arguments",
            NodeChange::Children => "has other children",
            NodeChange::Memory => "has other options",
            NodeChange::State => "was in a state that has changed",
            NodeChange::Inside => "begins again, because what it ran has changed",
        }
    }
}

impl fmt::Display for NodeChange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

fn count(many: usize, what: &str) -> String {
    match many {
        1 => format!("1 {what}"),
        _ => format!("{many} {what}s"),
    }
}

impl fmt::Display for ChangedNode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            change,
            agents,
        } = self;
        write!(out, "node {path}: {change}")?;
        match agents {
            0 => Ok(()),
            _ => write!(out, "; aborted for {}", count(*agents, "agent")),
        }
    }
}

impl fmt::Display for ChangedKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "key {}: ", self.name)?;
        match self.change {
            KeyChange::Added => out.write_str("added"),
            KeyChange::Removed => out.write_str("removed"),
            KeyChange::Shared(Scope::Agent) => {
                out.write_str("each agent has its own now; set to its default")
            }
            KeyChange::Shared(Scope::Group) => {
                out.write_str("shared by the group now; set to its default")
            }
            KeyChange::Shared(Scope::World) => {
                out.write_str("shared by all agents now; set to its default")
            }
            KeyChange::Redefined => out.write_str("has another type; set to its default"),
            KeyChange::Reset(places) => {
                let values = count(places, "value");
                write!(out, "{values} not known any more; set to the default")
            }
        }
    }
}

impl fmt::Display for LostEvent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, events } = self;
        write!(
            out,
            "event {name}: {} lost",
            count(*events, "waiting event")
        )
    }
}

impl fmt::Display for Migration {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.nodes.iter().map(ToString::to_string);
        let keys = self.keys.iter().map(ToString::to_string);
        let events = self.lost_events.iter().map(ToString::to_string);
        let lines: Vec<String> = nodes.chain(keys).chain(events).collect();
        out.write_str(&lines.join("\n"))
    }
}
