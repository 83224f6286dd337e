//! What each node did last, for the outline.

use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, NodeId, Outcome, Status};

/// How a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Never reached, or not reached in the last tick.
    Idle,
    /// Answered in the last tick.
    Now(Status),
    /// A condition that was not asked in the last tick, and what it said when it last was.
    Earlier(Status),
    /// Cut off a moment ago.
    Aborted,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    is_condition: bool,
    last: Option<(Status, u64)>,
    aborted: Option<u64>,
}

/// The marks of all nodes.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    nodes: Vec<Node>,
    tick: u64,
}

/// For how many ticks one sees that a node was cut off.
const ABORT_TICKS: u64 = 10;

impl Marks {
    pub(super) fn new(behaviour: &Behaviour) -> Self {
        let node = |id| Node {
            is_condition: matches!(
                behaviour.node(id).kind,
                Kind::Condition { .. } | Kind::Check { .. }
            ),
            ..Node::default()
        };
        Self {
            nodes: behaviour.node_ids().map(node).collect(),
            tick: 0,
        }
    }

    /// Takes in the trace of a tick.
    pub(super) fn update(&mut self, trace: &Trace, tick: u64) {
        self.tick = tick;
        for (id, event) in trace.agent(0) {
            let node = &mut self.nodes[id.index()];
            match event {
                Event::Tick(status) => {
                    node.last = Some((status, tick));
                    node.aborted = None;
                }
                Event::Stop(Outcome::Aborted) => node.aborted = Some(tick),
                _ => {}
            }
        }
    }

    pub(super) fn get(&self, id: NodeId) -> Mark {
        let node = &self.nodes[id.index()];
        match (node.aborted, node.last) {
            (Some(aborted), _) if self.tick - aborted < ABORT_TICKS => Mark::Aborted,
            (None, Some((status, tick))) if tick == self.tick => Mark::Now(status),
            (_, Some((status, _))) if node.is_condition => Mark::Earlier(status),
            _ => Mark::Idle,
        }
    }

    /// What the node answered last.
    pub(super) fn last(&self, id: NodeId) -> Option<Status> {
        self.nodes[id.index()].last.map(|(status, _)| status)
    }

    pub(super) fn is_running(&self, id: NodeId) -> bool {
        self.get(id) == Mark::Now(Status::Running)
    }
}
