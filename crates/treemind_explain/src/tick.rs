//! What happened to one agent in a tick, node by node.

use std::collections::HashMap;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Fault, FaultKind, NodeId, Status, Value};

/// The answer of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: Status,
    /// Whether a guard answered in its place.
    pub(crate) by_guard: bool,
    /// The position of the event.
    pub(crate) at: usize,
}

/// Whether an expression could not be computed, and not what it came to is wrong.
pub fn is_of_expression(fault: &FaultKind) -> bool {
    matches!(
        fault,
        FaultKind::Overflow
            | FaultKind::TextTooLong
            | FaultKind::DivisionByZero
            | FaultKind::Unset(_)
            | FaultKind::NotNumber
    )
}

/// An event with the value that comes with it.
pub(crate) type Valued = (NodeId, Event, Option<Value>);

/// The events of a tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct TickEvents {
    events: Vec<Valued>,
    /// The positions of the events of each node.
    of: HashMap<NodeId, Vec<usize>>,
    /// What went wrong, by the position of the event.
    faults: HashMap<usize, FaultKind>,
}

impl TickEvents {
    /// `faults` are those of the tick.
    pub(crate) fn new(trace: &Trace, agent: usize, faults: &[Fault]) -> Self {
        let events: Vec<_> = trace.valued(agent).collect();
        let mut of: HashMap<NodeId, Vec<usize>> = HashMap::new();
        for (at, (node, ..)) in events.iter().enumerate() {
            of.entry(*node).or_default().push(at);
        }
        let mut kinds = HashMap::new();
        for (node, places) in &of {
            let places = places.iter().filter(|at| events[**at].1 == Event::Fault);
            // That an event is lost is no event of the trace.
            let own = faults.iter().filter(|fault| {
                let is_lost = matches!(fault.kind, FaultKind::EventLost { .. });
                fault.agent == agent && fault.node == *node && !is_lost
            });
            kinds.extend(places.copied().zip(own.map(|fault| fault.kind.clone())));
        }
        Self {
            events,
            of,
            faults: kinds,
        }
    }

    /// What went wrong at an event that is a fault.
    pub(crate) fn fault(&self, at: usize) -> Option<&FaultKind> {
        self.faults.get(&at)
    }

    /// All events, in order.
    pub(crate) fn all(&self) -> &[Valued] {
        &self.events
    }

    /// The events of a node with their positions, in order.
    pub(crate) fn of(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = (usize, Event, Option<Value>)> + '_ {
        let places = self.of.get(&node).map_or(&[][..], Vec::as_slice);
        places.iter().map(|at| {
            let (_, event, value) = self.events[*at];
            (*at, event, value)
        })
    }

    /// Whether something happened at the node.
    pub(crate) fn touched(&self, node: NodeId) -> bool {
        self.of.contains_key(&node)
    }

    /// The last answer of a node.
    pub(crate) fn answer(&self, node: NodeId) -> Option<Answer> {
        let mut events = self.of(node).rev();
        events.find_map(|(at, event, _)| {
            let (status, by_guard) = match event {
                Event::Tick(status) => (status, false),
                Event::Guard(status) => (status, true),
                _ => return None,
            };
            Some(Answer {
                status,
                by_guard,
                at,
            })
        })
    }

    /// The status of that answer.
    pub(crate) fn status(&self, node: NodeId) -> Option<Status> {
        self.answer(node).map(|answer| answer.status)
    }
}
