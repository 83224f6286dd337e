//! Events that agents emit to others.

use super::{Reference, ReferenceFault};
use std::collections::HashSet;
use treemind_core::behaviour::{Audience, LeafKind, MAX_POSTS};
use treemind_core::{Behaviour, FaultKind, LeafId, NodeId, Text, Type, Value};

/// An event that an agent has emitted to others.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    event: LeafId,
    to: Audience,
    values: Vec<Value>,
}

impl Reference<'_> {
    /// Posts an event for the end of the step.
    pub(super) fn post(&mut self, event: LeafId, to: Audience, values: Vec<Value>) {
        self.posts.push(Letter { event, to, values });
    }

    /// Whether the agent may post one more event in this tick; if not, that is a fault.
    pub(super) fn may_post(&mut self, node: NodeId) -> bool {
        self.posted += 1;
        let is_full = self.posted > MAX_POSTS;
        if is_full {
            self.fault(node, FaultKind::PostFull);
        }
        !is_full
    }

    /// An event comes from an agent of a behaviour, which need not be this one's. Returns the machines that have no
    /// room for it.
    fn receive_letter(&mut self, theirs: &Behaviour, letter: &Letter) -> Vec<NodeId> {
        let name = &theirs.leaf(letter.event).name;
        let event = self.behaviour.leaf_id(name);
        let event = event.filter(|id| self.behaviour.leaf(*id).kind == LeafKind::Event);
        let Some(event) = event else {
            return Vec::new();
        };
        let params = &self.behaviour.leaf(event).params;
        let values = params.iter().zip(&letter.values);
        let values: Vec<Value> = values
            .map(|(param, value)| match (*value, param.ty) {
                (value, _) if std::ptr::eq(theirs, self.behaviour) => value,
                (Value::Enum(_, index), Type::Enum(list)) => Value::Enum(list, index),
                (value @ Value::Enum(..), _) => {
                    Value::Text(Text::new(&theirs.display_value(value)))
                }
                (value, _) => value,
            })
            .collect();
        self.offer(event, &values).1
    }
}

/// The end of a step, or of an abort: events that agents have emitted to others come to their machines. The agents
/// must be in the order of their populations and indices; they may run different behaviours.
pub fn deliver(agents: &mut [&mut Reference<'_>]) {
    let mut lost = HashSet::new();
    for sender in 0..agents.len() {
        let (behaviour, group) = (agents[sender].behaviour, agents[sender].group);
        for letter in std::mem::take(&mut agents[sender].posts) {
            for (place, receiver) in agents.iter_mut().enumerate() {
                let is_meant = match letter.to {
                    Audience::Sender => place == sender,
                    Audience::Group => place != sender && receiver.group == group,
                    Audience::World => place != sender,
                };
                if !is_meant {
                    continue;
                }
                for node in receiver.receive_letter(behaviour, &letter) {
                    if lost.insert((place, node)) {
                        let tick = receiver.tick;
                        let kind = FaultKind::EventLost;
                        receiver.faults.push(ReferenceFault { node, tick, kind });
                    }
                }
            }
        }
    }
}
