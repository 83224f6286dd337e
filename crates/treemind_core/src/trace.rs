//! What happened in a tick, event by event.

use crate::behaviour::{Behaviour, Kind, Known};
use crate::blackboard::Deed;
use crate::expr::Time;
use crate::ids::{KeyId, LeafId, NodeId};
use crate::planning::{COST_SCALE, NoPlan};
use crate::status::{Outcome, Status};
use crate::value::Value;
use std::fmt::Write as _;

/// Something that happened at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// A `utility-selector` computed the score of this child, a `rate` its own, or a `find` that of the candidate that it
    /// chooses: the bits of the score as an `f32`.
    Score(u32),
    /// A rule fired, given by its position in its node.
    Fire(u32),
    /// A `find` has looked at all candidates: how many of them have a score above 0, and how many there were.
    Found(u32, u32),
    /// *With values:* a `find` was told this measure, given by its position, of the candidate that the next `Keep` or `Out`
    /// is about; the number, a `float`.
    Measure(u32),
    /// *With values:* a `find` keeps this candidate, which is the value; the bits of its score as an `f32`.
    Keep(u32),
    /// *With values:* this candidate of a `find`, which is the value, is out: because of this `keep`, given by its
    /// position, or because of its score.
    Out(Option<u32>),
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
    /// A planner began to search for a plan for this goal.
    Think(u32),
    /// A planner pursues this goal from now on; the plan follows.
    Goal(u32),
    /// A planner has a plan: what it costs, in thousandths, or the greatest number if that is more.
    Plan(u32),
    /// The next step of the plan, given by its position in the planner.
    Intend(u32),
    /// A planner found no plan for a goal.
    NoPlan(u32, NoPlan),
    /// A planner gave up its plan.
    Drop(Dropped),
    /// *With values:* a planner computed the score of a goal; the score, a `double`.
    GoalScore(u32),
    /// The host is asked to compute a key, because the node asks about it.
    Sense(KeyId),
    /// A node wrote keys of the blackboard.
    Write,
    /// *With values:* an expression of the node names this key; its value.
    Read(KeyId),
    /// *With values:* an expression of the node names this time; the seconds, a `double`.
    Time(Time),
    /// *With values:* an expression of the node was evaluated; its result.
    Result,
    /// *With values:* the node drew a random number, and how many it had drawn before in this tick; the number, a
    /// `double` from 0 to below 1.
    Draw(u32),
    /// *With values:* the node wrote a key; its new value. A shared key has it from the end of the tick.
    Set(KeyId),
    /// *With values:* the node removed the value of a key.
    Unset(KeyId),
    /// *With values:* the host wrote a key while the node called it; its new value, of a list its length. A shared key has
    /// it from the end of the tick.
    HostSet(KeyId),
    /// *With values:* the host removed the value of a key while the node called it.
    HostUnset(KeyId),
    /// *With values:* the node sent an event.
    Send(LeafId),
    /// *With values:* an event is offered to the transitions of a machine.
    Offer(LeafId),
    /// *With values:* a transition was chosen because of an event.
    Use(LeafId),
    /// Because of a fault, a node answered failure, or a loop answered running.
    Fault,
}

/// Why a planner gave up its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dropped {
    /// This step cannot be used in its turn.
    Broken(u32),
    /// All steps can be used, but what the goal wants would not hold afterwards.
    Unmet,
    /// The step that has ended has changed nothing, although it promised to; it is left out from now on.
    Vain,
    /// A step failed or was skipped; it is left out from now on.
    Failed,
    /// The goal is no longer open.
    Over,
    /// There is a plan for a better goal, or by an earlier method.
    Beaten,
    /// There is a cheaper plan.
    Dearer,
}

/// Why a transition was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// Another one was chosen first, by priority, level or order.
    Beaten,
    /// Its target is already active.
    Active,
    /// Its `when` does not hold.
    Guard,
    /// It pushes, and its machine's stack is full; or it pops, and there is no state to go back to.
    Stack,
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
    /// The place of the first agent's value among the values of the trace, if the event has values.
    pub values: u32,
    /// The bits of the agents.
    pub mask: u64,
}

/// The events of one tick (or of one abort) of a population, in the order in which each agent had them.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    records: Vec<Record>,
    /// For each event that has values, those of its agents, in order.
    values: Vec<Value>,
    has_values: bool,
    /// Of which agents values are wanted, as words with bits; `None` for all.
    chosen: Option<Vec<(u32, u64)>>,
    /// Room for what a host does in a call. It is kept here, with the room for everything else that is recorded.
    deeds: Vec<(u32, Deed)>,
    /// Whether it records nothing.
    #[cfg(feature = "small")]
    is_off: bool,
}

impl Trace {
    /// An empty trace.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty trace that also records the values behind the answers, and what becomes of events: all that
    /// [`Event`] marks *with values*. That is several times as much.
    pub fn with_values() -> Self {
        Self {
            has_values: true,
            ..Self::default()
        }
    }

    /// The same, with values of these agents only. The events themselves are recorded for everybody, so that it can be
    /// counted who does what.
    pub fn with_values_of(agents: impl IntoIterator<Item = usize>) -> Self {
        let mut trace = Self::with_values();
        trace.choose(agents);
        trace
    }

    /// From now on, records values of these agents only.
    pub fn choose(&mut self, agents: impl IntoIterator<Item = usize>) {
        let mut words = self.chosen.take().unwrap_or_default();
        words.clear();
        for agent in agents {
            let (word, bit) = ((agent / 64) as u32, 1 << (agent % 64));
            match words.iter_mut().find(|(known, _)| *known == word) {
                Some((_, mask)) => *mask |= bit,
                None => words.push((word, bit)),
            }
        }
        self.chosen = Some(words);
    }

    /// Whether it records values.
    pub fn has_values(&self) -> bool {
        self.has_values
    }

    /// Whether it records the values of all agents.
    pub fn has_values_of_all(&self) -> bool {
        self.has_values && self.chosen.is_none()
    }

    /// Removes all events and keeps the memory.
    pub fn clear(&mut self) {
        self.records.clear();
        self.values.clear();
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

    /// The events of one agent, in order, each with its value if it has one.
    pub fn valued(
        &self,
        agent: usize,
    ) -> impl Iterator<Item = (NodeId, Event, Option<Value>)> + '_ {
        valued(&self.records, &self.values, agent)
    }

    /// The wanted events of all agents, each with its agent, its node and its value if it has one. Those of one agent are in
    /// order.
    pub fn filtered<'t>(
        &'t self,
        is_wanted: impl Fn(Event) -> bool + 't,
    ) -> impl Iterator<Item = (usize, NodeId, Event, Option<Value>)> + 't {
        let records = self.records.iter();
        let records = records.filter(move |record| is_wanted(record.event));
        records.flat_map(|record| {
            let bits = (0..64).filter(|bit| record.mask >> bit & 1 == 1);
            bits.zip(0..).map(|(bit, nth)| {
                let place = record.event.has_value().then_some(record.values + nth);
                let value = place.and_then(|place| self.values.get(place as usize).copied());
                let agent = record.word as usize * 64 + bit;
                (agent, record.node, record.event, value)
            })
        })
    }

    /// The root's answer for an agent; `None` when it was not ticked.
    pub fn root(&self, behaviour: &Behaviour, agent: usize) -> Option<Status> {
        last_answer(behaviour.root(), self.agent(agent))
    }

    /// The same events, to be asked about many agents: [`agent`](Self::agent) looks at the events of everybody each
    /// time.
    pub fn by_agent(&self) -> ByAgent<'_> {
        let mut records = self.records.clone();
        // Within a word, the order stays.
        records.sort_by_key(|record| record.word);
        ByAgent {
            records,
            values: &self.values,
        }
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
                // They stand for nodes that are built in elsewhere.
                Event::Abort if Known::of(behaviour, node).is_some() => continue,
                Event::Abort => write!(line, "{separator}halt {label}"),
                Event::Goal(_) | Event::Intend(_) => {
                    let (_, name) = event.of_plan(behaviour, node).unwrap_or_default();
                    let _ = match event {
                        Event::Goal(_) => write!(line, "{separator}plan {name}:"),
                        _ => write!(line, " {name}"),
                    };
                    // The tick of the first step follows.
                    separator = " | ";
                    continue;
                }
                _ => continue,
            };
            separator = "; ";
        }
        line
    }
}

/// The events of a [trace](Trace::by_agent), of which those of each agent are found at once.
#[derive(Clone, Debug)]
pub struct ByAgent<'t> {
    /// In the order of their words.
    records: Vec<Record>,
    values: &'t [Value],
}

impl ByAgent<'_> {
    /// See [`Trace::agent`].
    pub fn agent(&self, agent: usize) -> impl Iterator<Item = (NodeId, Event)> + '_ {
        self.valued(agent).map(|(node, event, _)| (node, event))
    }

    /// See [`Trace::valued`].
    pub fn valued(
        &self,
        agent: usize,
    ) -> impl Iterator<Item = (NodeId, Event, Option<Value>)> + '_ {
        let word = (agent / 64) as u32;
        let start = self.records.partition_point(|record| record.word < word);
        let rest = &self.records[start..];
        let end = rest.partition_point(|record| record.word == word);
        valued(&rest[..end], self.values, agent)
    }

    /// See [`Trace::root`].
    pub fn root(&self, behaviour: &Behaviour, agent: usize) -> Option<Status> {
        last_answer(behaviour.root(), self.agent(agent))
    }
}

/// The events of one agent among these, each with its value if it has one.
fn valued<'t>(
    records: &'t [Record],
    values: &'t [Value],
    agent: usize,
) -> impl Iterator<Item = (NodeId, Event, Option<Value>)> + 't {
    let (word, bit) = ((agent / 64) as u32, agent % 64);
    records
        .iter()
        .filter(move |record| record.word == word && record.mask >> bit & 1 == 1)
        .map(move |record| {
            let before = (record.mask & ((1 << bit) - 1)).count_ones();
            let place = record.event.has_value().then_some(record.values + before);
            let value = place.and_then(|place| values.get(place as usize).copied());
            (record.node, record.event, value)
        })
}

/// The last answer of a node among these events.
fn last_answer(of: NodeId, events: impl Iterator<Item = (NodeId, Event)>) -> Option<Status> {
    events
        .filter_map(|(node, event)| match event {
            Event::Tick(status) | Event::Guard(status) if node == of => Some(status),
            _ => None,
        })
        .last()
}

impl Event {
    /// What an event of a planner is called, and what it is about: a goal, a step, a cost or a reason. `None` for the
    /// events of other nodes.
    pub fn of_plan(self, behaviour: &Behaviour, node: NodeId) -> Option<(&'static str, String)> {
        let Kind::Planner(planner) = &behaviour.node(node).kind else {
            return None;
        };
        let goal = |goal: u32| {
            let goal = planner.goals.get(goal as usize);
            goal.map_or(String::new(), |goal| goal.name.clone())
        };
        let step = |step: u32| {
            let step = planner.steps.get(step as usize);
            step.map_or(String::new(), |step| step.name.clone())
        };
        Some(match self {
            Event::Think(of) => ("think", goal(of)),
            Event::Goal(of) => ("goal", goal(of)),
            Event::Plan(cost) => ("plan", format!("{}", f64::from(cost) / COST_SCALE)),
            Event::Intend(of) => ("intend", step(of)),
            Event::NoPlan(of, NoPlan::None) => ("no-plan", goal(of)),
            Event::NoPlan(of, NoPlan::Limit) => {
                ("no-plan", format!("{} within the limits", goal(of)))
            }
            Event::Drop(Dropped::Broken(of)) => ("drop", format!("broken at {}", step(of))),
            Event::Drop(Dropped::Unmet) => ("drop", "unmet".to_owned()),
            Event::Drop(Dropped::Vain) => ("drop", "vain".to_owned()),
            Event::Drop(Dropped::Failed) => ("drop", "failed".to_owned()),
            Event::Drop(Dropped::Over) => ("drop", "over".to_owned()),
            Event::Drop(Dropped::Beaten) => ("drop", "beaten".to_owned()),
            Event::Drop(Dropped::Dearer) => ("drop", "dearer".to_owned()),
            Event::GoalScore(of) => ("goal-score", goal(of)),
            _ => return None,
        })
    }

    /// Whether it comes with a value for each agent.
    pub fn has_value(self) -> bool {
        matches!(
            self,
            Event::Read(_)
                | Event::Time(_)
                | Event::Result
                | Event::Draw(_)
                | Event::Set(_)
                | Event::HostSet(_)
                | Event::GoalScore(_)
                | Event::Measure(_)
                | Event::Keep(_)
                | Event::Out(_)
        )
    }
}

/// Where the executor sends events.
pub(crate) trait Sink {
    /// Whether it wants them.
    fn is_on(&self) -> bool;

    fn record(&mut self, record: Record);

    /// Whether values are wanted.
    fn wants_values(&self) -> bool {
        false
    }

    /// Those of the agents of a word of which values are wanted.
    fn chosen(&self, word: u32, mask: u64) -> u64 {
        let _ = word;
        mask
    }

    /// Records an event with the value of each of its agents, by their bits.
    fn record_values(&mut self, record: Record, value: &mut dyn FnMut(usize) -> Value) {
        let _ = (record, value);
    }

    /// Swaps the room for what a host does in a call.
    fn swap_deeds(&mut self, deeds: &mut Vec<(u32, Deed)>) {
        let _ = deeds;
    }
}

/// A sink that wants nothing, and costs nothing: the executor is compiled a second time for it.
#[cfg(not(feature = "small"))]
pub(crate) fn untraced() -> impl Sink {
    struct NoTrace;

    impl Sink for NoTrace {
        #[inline(always)]
        fn is_on(&self) -> bool {
            false
        }

        fn record(&mut self, _: Record) {}
    }
    NoTrace
}

/// A sink that wants nothing: a trace that is off, so that there is one executor.
#[cfg(feature = "small")]
pub(crate) fn untraced() -> Trace {
    Trace {
        is_off: true,
        ..Trace::default()
    }
}

impl Sink for Trace {
    #[inline(always)]
    fn is_on(&self) -> bool {
        #[cfg(feature = "small")]
        return !self.is_off;
        #[cfg(not(feature = "small"))]
        true
    }

    fn record(&mut self, record: Record) {
        self.records.push(record);
    }

    fn wants_values(&self) -> bool {
        self.has_values
    }

    fn chosen(&self, word: u32, mask: u64) -> u64 {
        let Some(words) = &self.chosen else {
            return mask;
        };
        let known = words.iter().find(|(known, _)| *known == word);
        known.map_or(0, |(_, chosen)| mask & chosen)
    }

    fn record_values(&mut self, mut record: Record, value: &mut dyn FnMut(usize) -> Value) {
        record.mask = self.chosen(record.word, record.mask);
        if record.mask == 0 {
            return;
        }
        record.values = self.values.len() as u32;
        self.records.push(record);
        let mut rest = record.mask;
        while rest != 0 {
            self.values.push(value(rest.trailing_zeros() as usize));
            rest &= rest - 1;
        }
    }

    fn swap_deeds(&mut self, deeds: &mut Vec<(u32, Deed)>) {
        std::mem::swap(&mut self.deeds, deeds);
    }
}
