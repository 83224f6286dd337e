//! Faults while ticking. Ticking itself never fails: the node at fault fails, and the tree continues.

use crate::behaviour::Behaviour;
use crate::ids::NodeId;
use crate::snapshot::{Reader, RestoreError, Writer};
use crate::text::Text;
use std::fmt;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An `int` operation overflowed.
    Overflow,
    /// An `int` was divided by zero.
    DivisionByZero,
    /// A key without a value was read; the key's name.
    Unset(Text),
    /// A duration was negative or not finite.
    BadDuration,
    /// The score of a child of a `utility-selector`, or its hysteresis, is not finite, or the hysteresis is negative.
    BadScore,
    /// A loop started as many runs in one tick as it may: [`MAX_RUNS_PER_TICK`](crate::MAX_RUNS_PER_TICK), unless
    /// it sets another limit. It continues in the next tick.
    LoopBudget,
    /// The loops of the agent together went back as often in one tick as they may:
    /// [`MAX_TURNS_PER_TICK`](crate::MAX_TURNS_PER_TICK). This loop continues in the next tick.
    TurnBudget,
    /// A `subtree-by` found no tree with that name.
    UnknownTree,
    /// A composite or decorator of the host asked for something invalid.
    OwnNode(OwnNodeFault),
    /// A statechart took as many microsteps as it may without coming to rest:
    /// [`max_microsteps`](crate::behaviour::Machine::max_microsteps). The text holds its last steps, as
    /// [`Machine::round`](crate::behaviour::Machine::round) describes them; it is empty if the fault is only
    /// counted.
    Livelock(String),
    /// A task of a machine answered running, although it must end at once.
    TaskRan,
    /// More events came than a machine, or the mailbox of an agent, can store.
    EventLost,
    /// The agent emitted more events to others in one tick than [`MAX_POSTS`](crate::behaviour::MAX_POSTS).
    PostFull,
    /// A machine would have stored more than [`MAX_STACK`](crate::behaviour::MAX_STACK) configurations.
    StackFull,
    /// An action declared `instant` answered running.
    InstantRan,
    /// The host reported a fault, or panicked, with this text.
    Host(String),
}

impl fmt::Display for FaultKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::Overflow => out.write_str("an int overflowed"),
            FaultKind::DivisionByZero => out.write_str("an int was divided by zero"),
            FaultKind::BadDuration => out.write_str("a duration is negative or not finite"),
            FaultKind::BadScore => {
                out.write_str("a score or a hysteresis is negative or not finite")
            }
            FaultKind::Unset(key) => write!(out, "the key `{key}` is unset"),
            FaultKind::LoopBudget => {
                out.write_str("the loop reached its limit of runs per tick; it continues in the next tick")
            }
            FaultKind::TurnBudget => out.write_str(
                "the loops of this agent together reached their limit of runs per tick; this one continues in the next tick",
            ),
            FaultKind::UnknownTree => out.write_str("there is no tree of that name"),
            FaultKind::OwnNode(fault) => out.write_str(match fault {
                OwnNodeFault::NoSuchChild => "it asked for a child that does not exist",
                OwnNodeFault::TickedTwice => {
                    "it asked twice in one tick for a child that was still running"
                }
            }),
            FaultKind::Livelock(round) => write!(
                out,
                "the machine is in an endless loop, {round}: it is back where it was before"
            ),
            FaultKind::TaskRan => {
                out.write_str("a task of an entry, exit or transition did not end at once")
            }
            FaultKind::EventLost => out.write_str("more events wait than there is room for"),
            FaultKind::PostFull => {
                out.write_str("the agent has emitted as many events to others as it may in one tick")
            }
            FaultKind::StackFull => out.write_str("the stack of the machine is full"),
            FaultKind::InstantRan => out.write_str("an instant action answered running"),
            FaultKind::Host(text) => out.write_str(text),
        }
    }
}

impl FaultKind {
    fn save(&self, to: &mut Writer) {
        match self {
            FaultKind::Overflow => to.u8(0),
            FaultKind::DivisionByZero => to.u8(1),
            FaultKind::Unset(key) => {
                to.u8(2);
                to.text(*key);
            }
            FaultKind::BadDuration => to.u8(3),
            FaultKind::BadScore => to.u8(4),
            FaultKind::LoopBudget => to.u8(5),
            FaultKind::TurnBudget => to.u8(6),
            FaultKind::UnknownTree => to.u8(7),
            FaultKind::OwnNode(OwnNodeFault::NoSuchChild) => to.u8(8),
            FaultKind::OwnNode(OwnNodeFault::TickedTwice) => to.u8(9),
            FaultKind::Livelock(round) => {
                to.u8(10);
                to.str(round);
            }
            FaultKind::TaskRan => to.u8(11),
            FaultKind::EventLost => to.u8(12),
            FaultKind::PostFull => to.u8(13),
            FaultKind::StackFull => to.u8(14),
            FaultKind::InstantRan => to.u8(15),
            FaultKind::Host(text) => {
                to.u8(16);
                to.str(text);
            }
        }
    }

    fn restore(from: &mut Reader<'_>) -> Result<Self, RestoreError> {
        Ok(match from.u8()? {
            0 => FaultKind::Overflow,
            1 => FaultKind::DivisionByZero,
            2 => FaultKind::Unset(from.text()?),
            3 => FaultKind::BadDuration,
            4 => FaultKind::BadScore,
            5 => FaultKind::LoopBudget,
            6 => FaultKind::TurnBudget,
            7 => FaultKind::UnknownTree,
            8 => FaultKind::OwnNode(OwnNodeFault::NoSuchChild),
            9 => FaultKind::OwnNode(OwnNodeFault::TickedTwice),
            10 => FaultKind::Livelock(from.str()?.to_owned()),
            11 => FaultKind::TaskRan,
            12 => FaultKind::EventLost,
            13 => FaultKind::PostFull,
            14 => FaultKind::StackFull,
            15 => FaultKind::InstantRan,
            16 => FaultKind::Host(from.str()?.to_owned()),
            _ => return Err(RestoreError::impossible("a fault is of no known kind")),
        })
    }
}

/// Why a move of a host's composite or decorator was invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnNodeFault {
    /// It asked for a child that it does not have.
    NoSuchChild,
    /// It asked to tick a child that was ticked in this tick and has not ended.
    TickedTwice,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The agent.
    pub agent: usize,
    /// The node.
    pub node: NodeId,
    /// The label of the node: [`Behaviour::label`].
    pub label: Text,
    /// The condition, action or other leaf that the node calls, if it calls one.
    pub leaf: Option<Text>,
    /// The tick, from 1.
    pub tick: u64,
    /// The kind of fault.
    pub kind: FaultKind,
}

impl fmt::Display for Fault {
    /// `tick 12, agent 3, node 7 "charge" (leaf "attack"): the key "target" is unset`, with backticks for the
    /// quotes. The leaf is left out if the node's label is the same.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, agent, .. } = self;
        let (node, label) = (self.node.index(), self.label);
        write!(out, "tick {tick}, agent {agent}, node {node} `{label}`")?;
        if let Some(leaf) = self.leaf.filter(|leaf| *leaf != label) {
            write!(out, " (leaf `{leaf}`)")?;
        }
        write!(out, ": {}", self.kind)
    }
}

/// The first faults since the last call of [`take`](Self::take), and how many there were in total.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    kept: Vec<Fault>,
    total: u64,
}

impl Faults {
    /// How many faults are kept until they are taken.
    pub const CAPACITY: usize = 64;

    /// Whether the next fault will be kept.
    pub(crate) fn has_room(&self) -> bool {
        self.kept.len() < Self::CAPACITY
    }

    pub(crate) fn record(
        &mut self,
        behaviour: &Behaviour,
        (agent, node): (usize, NodeId),
        tick: u64,
        kind: FaultKind,
    ) {
        self.total += 1;
        if self.has_room() {
            let leaf = behaviour.node(node).kind.leaf();
            self.kept.push(Fault {
                agent,
                node,
                label: Text::new(behaviour.label(node)),
                leaf: leaf.map(|leaf| Text::new(&behaviour.leaf(leaf).name)),
                tick,
                kind,
            });
        }
    }

    /// Writes all faults. Labels and names follow from the nodes.
    pub(crate) fn save(&self, to: &mut Writer) {
        let Self { kept, total } = self;
        to.u64(*total);
        to.count(kept.len());
        for fault in kept {
            let Fault {
                agent,
                node,
                label: _,
                leaf: _,
                tick,
                kind,
            } = fault;
            to.count(*agent);
            to.u32(node.0);
            to.u64(*tick);
            kind.save(to);
        }
    }

    /// Reads the faults of a behaviour.
    pub(crate) fn restore(
        behaviour: &Behaviour,
        from: &mut Reader<'_>,
    ) -> Result<Self, RestoreError> {
        let total = from.counted()?;
        let count = from.count(21)?;
        if count > Self::CAPACITY || count as u64 > total {
            return Err(RestoreError::impossible("there are too many faults"));
        }
        let mut faults = Self::default();
        for _ in 0..count {
            let agent = from.counted()? as usize;
            let node = NodeId(from.index(behaviour.nodes().len())?);
            let tick = from.counted()?;
            let kind = FaultKind::restore(from)?;
            faults.record(behaviour, (agent, node), tick, kind);
        }
        faults.total = total;
        Ok(faults)
    }

    /// Says of each fault at which node of another program it was.
    pub(crate) fn move_nodes(&mut self, place: impl Fn(NodeId) -> NodeId) {
        for fault in &mut self.kept {
            fault.node = place(fault.node);
        }
    }

    /// Moves the faults of another list into this one.
    #[cfg(feature = "rayon")]
    pub(crate) fn append(&mut self, other: &mut Faults) {
        self.total += std::mem::take(&mut other.total);
        let room = Self::CAPACITY.saturating_sub(self.kept.len());
        self.kept.extend(other.kept.drain(..).take(room));
    }

    /// The faults kept: the first [`CAPACITY`](Self::CAPACITY) since they were last taken.
    pub fn kept(&self) -> &[Fault] {
        &self.kept
    }

    /// The faults kept, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.kept.iter()
    }

    /// How many faults there were since they were last taken, including those not kept.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the faults and starts again with an empty list.
    pub fn take(&mut self) -> Faults {
        std::mem::take(self)
    }
}

impl<'a> IntoIterator for &'a Faults {
    type Item = &'a Fault;
    type IntoIter = std::slice::Iter<'a, Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Faults {
    type Item = Fault;
    type IntoIter = std::vec::IntoIter<Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.kept.into_iter()
    }
}
