//! Faults while ticking. Ticking itself never fails: the node at fault fails, and the tree continues.

mod latest;
mod saving;
mod sums;

pub use sums::FaultSum;

use crate::behaviour::{Behaviour, MAILBOX_SIZES, MAX_POSTS, MAX_STACK};
use crate::expr::TextFunc;
use crate::ids::NodeId;
use crate::snapshot::{Reader, RestoreError, Writer};
use crate::text::Text;
use latest::Latest;
use std::fmt;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// An `int` operation overflowed.
    Overflow,
    /// A text became longer than [`TextFunc::LONGEST`] bytes. It has the [code](Self::code) of an overflow.
    TextTooLong,
    /// An `int` was divided by zero.
    DivisionByZero,
    /// A key without a value was read; the key's name.
    Unset(Text),
    /// An item of a list was read that is not there. It has the [code](Self::code) of an unset key.
    NoItem {
        /// The name of the list.
        list: Text,
        /// The place that was asked for, from 0; `None` for the nearest item of a list that has none.
        place: Option<i64>,
        /// How many items the list had.
        length: u32,
    },
    /// A value was not the number that it should be: `int(x)`, `double(x)`.
    NotNumber,
    /// A duration was negative or not finite.
    BadDuration,
    /// The score of a child of a `utility-selector`, or its hysteresis, is not finite, or the hysteresis is negative.
    BadScore,
    /// What a `rate` comes to is not finite. It has the [code](Self::code) of a bad score.
    BadRating,
    /// An input or an output of the network of a `policy` is not finite. It has the [code](Self::code) of a bad score.
    BadOutput,
    /// A loop started as many runs in one tick as it may, this many: [`MAX_RUNS_PER_TICK`](crate::MAX_RUNS_PER_TICK),
    /// unless it sets another limit. It continues in the next tick.
    LoopBudget(u32),
    /// The loops of the agent together went back as often in one tick as they may, this often:
    /// [`MAX_TURNS_PER_TICK`](crate::MAX_TURNS_PER_TICK), unless the host sets another
    /// [limit](crate::Limits::runs_per_tick). This loop continues in the next tick.
    TurnBudget(u32),
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
    /// More events came than a machine, or the mailbox of an agent, can store, so this one was lost.
    EventLost {
        /// The name of the event; the first one, if several were lost there at the same time.
        event: Text,
        /// How many events there was room for.
        limit: u32,
        /// Whether the mailbox of the agent was full; otherwise the machine.
        is_mailbox: bool,
    },
    /// The agent emitted more events to others in one tick than [`MAX_POSTS`](crate::behaviour::MAX_POSTS).
    PostFull,
    /// A machine would have stored more than [`MAX_STACK`](crate::behaviour::MAX_STACK) configurations.
    StackFull,
    /// A statement would have added an item to a list that is full.
    ListFull {
        /// The name of the list.
        list: Text,
        /// How many items it can hold.
        bound: u32,
    },
    /// An action declared `instant` answered running.
    InstantRan,
    /// The host reported a fault, or panicked, with this text.
    Host(String),
}

/// What went wrong, without what to do about it.
struct What<'a>(&'a FaultKind);

impl fmt::Display for What<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            FaultKind::Overflow => out.write_str("an int overflowed"),
            FaultKind::TextTooLong => {
                write!(out, "a text became longer than {} bytes", TextFunc::LONGEST)
            }
            FaultKind::DivisionByZero => out.write_str("an int was divided by zero"),
            FaultKind::NotNumber => out.write_str("a value is no number, or not a whole one"),
            FaultKind::BadDuration => out.write_str("a duration is negative or not finite"),
            FaultKind::BadScore => {
                out.write_str("a score, a bid, a cost or a hysteresis is negative or not finite")
            }
            FaultKind::BadRating => out.write_str("what it comes to is not finite"),
            FaultKind::BadOutput => {
                out.write_str("an input or an output of the network is not finite")
            }
            FaultKind::Unset(key) => write!(out, "the key `{key}` is unset"),
            FaultKind::NoItem {
                list,
                place,
                length,
            } => {
                if let Some(place) = place {
                    write!(out, "there is no item {place} in the list `{list}`: it")?;
                } else {
                    write!(out, "the list `{list}`")?;
                }
                match length {
                    0 => out.write_str(" is empty"),
                    1 => out.write_str(" has one item, with the number 0"),
                    length => write!(out, " has {length} items, from 0 to {}", length - 1),
                }
            }
            FaultKind::LoopBudget(limit) => write!(
                out,
                "the loop reached its limit of {limit} runs in one tick, and goes on in the next"
            ),
            FaultKind::TurnBudget(limit) => write!(
                out,
                "the loops of this agent together reached the limit of {limit} runs in one tick, and go on in the next"
            ),
            FaultKind::UnknownTree => out.write_str("there is no tree of that name"),
            FaultKind::OwnNode(fault) => out.write_str(match fault {
                OwnNodeFault::NoSuchChild => "it asked for a child that does not exist",
                OwnNodeFault::TickedTwice => {
                    "it asked twice in one tick for a child that was still running"
                }
                OwnNodeFault::NoAnswer => {
                    "it decided 1 000 times in one tick without an answer, and goes on in the next"
                }
            }),
            FaultKind::Livelock(round) => write!(
                out,
                "the machine is in an endless loop, {round}: it is back where it was before"
            ),
            FaultKind::TaskRan => {
                out.write_str("a task of an entry, exit or transition did not end at once")
            }
            FaultKind::EventLost {
                event,
                limit,
                is_mailbox,
            } => {
                let place = match is_mailbox {
                    true => "mailbox of the agent",
                    false => "machine",
                };
                write!(
                    out,
                    "the event `{event}` is lost: the {place} is full, it keeps {limit} events"
                )
            }
            FaultKind::PostFull => write!(
                out,
                "the agent has emitted {MAX_POSTS} events to others in this tick, which is the limit"
            ),
            FaultKind::StackFull => write!(
                out,
                "the stack of the machine is full, it keeps {MAX_STACK} configurations"
            ),
            FaultKind::ListFull { list, bound } => {
                write!(out, "the list `{list}` is full, it holds {bound} items")
            }
            FaultKind::InstantRan => out.write_str("an instant action answered running"),
            FaultKind::Host(text) => out.write_str(text),
        }
    }
}

impl fmt::Display for FaultKind {
    /// What went wrong; where a limit was reached, also what to do about it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", What(self))?;
        match self.remedy() {
            Some(remedy) => write!(out, "; {remedy}"),
            None => Ok(()),
        }
    }
}

impl FaultKind {
    /// What went wrong, without the [remedy](Self::remedy).
    pub fn what(&self) -> String {
        What(self).to_string()
    }

    /// The codes of all faults but those that hosts report, which also have `host`.
    pub const CODES: [&str; 18] = [
        "overflow",
        "division-by-zero",
        "unset",
        "bad-duration",
        "bad-score",
        "loop-budget",
        "turn-budget",
        "unknown-tree",
        "own-node",
        "livelock",
        "task-ran",
        "event-lost",
        "post-full",
        "stack-full",
        "list-full",
        "instant-ran",
        "host",
        "not-a-number",
    ];

    /// A word for it, which [`on-fault`](crate::behaviour::Hooks::on_fault) writes to a key. Of a fault that the host
    /// reported: the text up to its first colon, if that is one word; otherwise `host`.
    pub fn code(&self) -> &str {
        match self {
            FaultKind::Overflow | FaultKind::TextTooLong => Self::CODES[0],
            FaultKind::DivisionByZero => Self::CODES[1],
            FaultKind::Unset(_) | FaultKind::NoItem { .. } => Self::CODES[2],
            FaultKind::NotNumber => Self::CODES[17],
            FaultKind::BadDuration => Self::CODES[3],
            FaultKind::BadScore | FaultKind::BadRating | FaultKind::BadOutput => Self::CODES[4],
            FaultKind::LoopBudget(_) => Self::CODES[5],
            FaultKind::TurnBudget(_) => Self::CODES[6],
            FaultKind::UnknownTree => Self::CODES[7],
            FaultKind::OwnNode(_) => Self::CODES[8],
            FaultKind::Livelock(_) => Self::CODES[9],
            FaultKind::TaskRan => Self::CODES[10],
            FaultKind::EventLost { .. } => Self::CODES[11],
            FaultKind::PostFull => Self::CODES[12],
            FaultKind::StackFull => Self::CODES[13],
            FaultKind::ListFull { .. } => Self::CODES[14],
            FaultKind::InstantRan => Self::CODES[15],
            FaultKind::Host(text) => {
                let word = text.split(':').next().unwrap_or("");
                let is_word = !word.is_empty() && !word.contains(char::is_whitespace);
                if is_word { word } else { Self::CODES[16] }
            }
        }
    }

    /// What to do about it, where a limit was reached.
    pub fn remedy(&self) -> Option<String> {
        Some(match *self {
            FaultKind::LoopBudget(limit) => format!(
                "to allow more, write `max-runs={}` at the loop, or let it rest with `yields=always`",
                limit.saturating_mul(10)
            ),
            FaultKind::TurnBudget(_) => {
                "to allow more, raise the limit `runs_per_tick` of the host (`--runs-per-tick`), or let a loop rest with `yields=always`"
                    .to_owned()
            }
            FaultKind::EventLost {
                is_mailbox: true,
                limit,
                ..
            } if (limit as usize) < *MAILBOX_SIZES.end() => format!(
                "to keep more, write `mailbox={}` at the tree that the agent runs, or raise the limit `mailbox` of the host (`--mailbox`)",
                (limit as usize * 2).min(*MAILBOX_SIZES.end())
            ),
            FaultKind::EventLost {
                is_mailbox: true, ..
            } => "no mailbox keeps more: emit fewer events to it, or tick the agent more often"
                .to_owned(),
            FaultKind::EventLost { .. } => {
                "no machine keeps more: emit fewer events to it in one tick, or read them with `received`, from a mailbox"
                    .to_owned()
            }
            FaultKind::PostFull => {
                "emit one event with `to=group` or `to=world` instead of one for each receiver, or spread them over several ticks"
                    .to_owned()
            }
            FaultKind::StackFull => "pop before you push more".to_owned(),
            FaultKind::ListFull { .. } => {
                "give it a larger `list=`, or ask `len` before you add to it".to_owned()
            }
            _ => return None,
        })
    }
}

/// Why a move of a host's composite or decorator was invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OwnNodeFault {
    /// It asked for a child that it does not have.
    NoSuchChild,
    /// It asked to tick a child that was ticked in this tick and has not ended.
    TickedTwice,
    /// It decided [`MAX_RUNS_PER_TICK`](crate::MAX_RUNS_PER_TICK) times in one tick without an answer.
    NoAnswer,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The agent.
    pub agent: usize,
    /// The node.
    pub node: NodeId,
    /// What its file says for the node: [`Behaviour::word`].
    pub label: Text,
    /// The condition, action or other leaf that the node calls, if it calls one.
    pub leaf: Option<Text>,
    /// The tick, from 1.
    pub tick: u64,
    /// The kind of fault.
    pub kind: FaultKind,
}

impl Fault {
    /// Writes it. Labels and names follow from the node.
    fn save(&self, to: &mut Writer) {
        let Self {
            agent,
            node,
            label: _,
            leaf: _,
            tick,
            kind,
        } = self;
        to.count(*agent);
        to.u32(node.0);
        to.u64(*tick);
        kind.save(to);
    }

    fn restore(behaviour: &Behaviour, from: &mut Reader<'_>) -> Result<Self, RestoreError> {
        let agent = from.counted()? as usize;
        let node = NodeId(from.index(behaviour.nodes().len())?);
        let tick = from.counted()?;
        let kind = FaultKind::restore(from)?;
        Ok(Self::at(behaviour, (agent, node), tick, kind))
    }

    fn at(
        behaviour: &Behaviour,
        (agent, node): (usize, NodeId),
        tick: u64,
        kind: FaultKind,
    ) -> Self {
        let leaf = behaviour.node(node).kind.leaf();
        Self {
            agent,
            node,
            label: Text::new(behaviour.word(node)),
            leaf: leaf.map(|leaf| Text::new(&behaviour.leaf(leaf).name)),
            tick,
            kind,
        }
    }
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

/// The faults since the last call of [`take`](Self::take): the first ones, how many there were in total, and how often
/// each was.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    kept: Vec<Fault>,
    total: u64,
    sums: Vec<FaultSum>,
    latest: Latest,
}

impl Faults {
    /// How many faults are kept until they are taken.
    pub const CAPACITY: usize = 64;

    fn has_room(&self) -> bool {
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
        let is_known = self.count(node, &kind);
        if is_known && !self.has_room() && !self.keeps_all() {
            return;
        }
        let fault = Fault::at(behaviour, (agent, node), tick, kind);
        self.latest.add(&fault);
        if !is_known {
            self.begin_sum(&fault, 1);
        }
        if self.has_room() {
            self.kept.push(fault);
        }
    }

    /// Writes all faults. Labels and names follow from the nodes.
    pub(crate) fn save(&self, to: &mut Writer) {
        let Self {
            kept,
            total,
            sums,
            latest: _,
        } = self;
        to.u64(*total);
        to.count(kept.len());
        kept.iter().for_each(|fault| fault.save(to));
        to.count(sums.len());
        for FaultSum { first, count } in sums {
            first.save(to);
            to.u64(*count);
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
        let mut faults = Self {
            total,
            ..Self::default()
        };
        for _ in 0..count {
            faults.kept.push(Fault::restore(behaviour, from)?);
        }
        let count = from.count(29)?;
        if count > Self::CAPACITY {
            return Err(RestoreError::impossible("there are too many faults"));
        }
        let mut counted = 0_u64;
        for _ in 0..count {
            let first = Fault::restore(behaviour, from)?;
            let count = from.counted()?;
            counted = counted.saturating_add(count);
            faults.sums.push(FaultSum { first, count });
        }
        if counted > total {
            return Err(RestoreError::impossible("there are too many faults"));
        }
        Ok(faults)
    }

    /// Says of each fault at which node of another program it was.
    pub(crate) fn move_nodes(&mut self, place: impl Fn(NodeId) -> NodeId) {
        self.forget_latest();
        let first = self.sums.iter_mut().map(|sum| &mut sum.first);
        for fault in self.kept.iter_mut().chain(first) {
            fault.node = place(fault.node);
        }
    }

    /// Moves the faults of another list, which came later or at the same time, into this one.
    pub fn append(&mut self, other: &mut Faults) {
        self.total += std::mem::take(&mut other.total);
        for sum in other.sums.drain(..) {
            self.add_sum(sum);
        }
        self.latest.append(&mut other.latest);
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
        let latest = std::mem::take(&mut self.latest);
        let taken = std::mem::take(self);
        self.latest = latest;
        taken
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
