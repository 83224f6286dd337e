//! What happened in a tick, event by event.

use crate::behaviour::{Behaviour, Kind};
use crate::ids::{KeyId, NodeId};
use crate::status::{Outcome, Status};
use std::fmt::Write as _;

/// Something that happened at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A composite or decorator was reached.
    Enter,
    /// A node answered.
    Tick(Status),
    /// A guard answered in the node's place.
    Guard(Status),
    /// A run of an action began.
    Start,
    /// A run of an action ended.
    Stop(Outcome),
    /// A running action was aborted; its stop follows.
    Abort,
    /// A service was called.
    Serve,
    /// A `utility-selector` computed the score of this child: the bits of the score as an `f32`.
    Score(u32),
    /// A machine entered a state, given by its position in the machine.
    EnterState(u32),
    /// A machine left a state.
    LeaveState(u32),
    /// A machine took a transition, given by its position in the machine.
    Take(u32),
    /// A transition was a candidate and was not taken.
    Refuse(u32, Refusal),
    /// A test of a decision tree was made: its position, and the position of the [way][ways] that it took.
    ///
    /// [ways]: crate::behaviour::DecisionStep::ways
    Branch(u32, u32),
    /// The host is asked to compute a key, because the node asks about it.
    Sense(KeyId),
    /// A node wrote keys of the blackboard.
    Write,
    /// Because of a fault, a node answered failure, or a loop answered running.
    Fault,
}

/// Why a transition was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Another one was chosen first, by priority, level or order.
    Beaten,
    /// Its target is already active.
    Active,
    /// Its `when` does not hold.
    Guard,
    /// A state that it leads to cannot be entered.
    Closed,
    /// It cannot be taken together with another one.
    Conflict,
}

/// One event for up to 64 agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The node.
    pub node: NodeId,
    /// The event.
    pub event: Event,
    /// The position of the word: bit `b` is agent `64 * word + b`.
    pub word: u32,
    /// The bits of the agents.
    pub mask: u64,
}

/// The events of one tick (or of one abort) of a population, in the order in which each agent had them.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    records: Vec<Record>,
}

impl Trace {
    /// An empty trace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all events and keeps the memory.
    pub fn clear(&mut self) {
        self.records.clear();
    }

    /// All events.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The events of one agent, in order.
    pub fn agent(&self, agent: usize) -> impl Iterator<Item = (NodeId, Event)> + '_ {
        let (word, bit) = ((agent / 64) as u32, agent % 64);
        self.records
            .iter()
            .filter(move |record| record.word == word && record.mask >> bit & 1 == 1)
            .map(|record| (record.node, record.event))
    }

    /// The root's answer for an agent; `None` when it was not ticked.
    pub fn root(&self, behaviour: &Behaviour, agent: usize) -> Option<Status> {
        let root = behaviour.root();
        self.agent(agent)
            .filter_map(|(node, event)| match event {
                Event::Tick(status) | Event::Guard(status) if node == root => Some(status),
                _ => None,
            })
            .last()
    }

    /// One line of the plain trace, without its line end: `3 RUNNING | tick see SUCCESS; halt patrol`. `head` takes
    /// the place of the root's status.
    pub fn plain_line(&self, behaviour: &Behaviour, agent: usize, tick: u64, head: &str) -> String {
        self.plain_line_with(behaviour, agent, tick, head, |_, _| None)
    }

    /// Like [`plain_line`](Self::plain_line), but when `echo` returns a text for a condition or action that
    /// answered, `echo NAME TEXT` replaces `tick NAME STATUS`. `echo` is called once for each such answer, in
    /// order.
    pub fn plain_line_with(
        &self,
        behaviour: &Behaviour,
        agent: usize,
        tick: u64,
        head: &str,
        mut echo: impl FnMut(NodeId, Status) -> Option<String>,
    ) -> String {
        let mut line = format!("{tick} {head}");
        let mut separator = " | ";
        for (node, event) in self.agent(agent) {
            let is_leaf = matches!(
                behaviour.node(node).kind,
                Kind::Condition { .. } | Kind::Action { .. }
            );
            let label = behaviour.label(node);
            // Writing to a string cannot fail.
            let _ = match event {
                Event::Tick(status) if is_leaf => match echo(node, status) {
                    Some(text) => write!(line, "{separator}echo {label} {text}"),
                    None => write!(line, "{separator}tick {label} {status}"),
                },
                Event::Abort => write!(line, "{separator}halt {label}"),
                _ => continue,
            };
            separator = "; ";
        }
        line
    }

    pub(crate) fn push(&mut self, record: Record) {
        self.records.push(record);
    }
}

/// Where the executor sends events; [`NoTrace`] costs nothing.
pub(crate) trait Sink {
    const ON: bool;
    fn record(&mut self, record: Record);
}

pub(crate) struct NoTrace;

impl Sink for NoTrace {
    const ON: bool = false;
    fn record(&mut self, _: Record) {}
}

impl Sink for Trace {
    const ON: bool = true;
    fn record(&mut self, record: Record) {
        self.push(record);
    }
}
