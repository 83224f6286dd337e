//! The narrow interface to a game: conditions are asked and actions started, updated and stopped, for many agents
//! in one call.

mod answers;
mod by_key;
pub(crate) mod changes;
mod columns;
mod each;
mod find;
mod lanes;
mod message;
mod moves;
mod nav2;
pub(crate) mod outbox;
mod robot;
mod scripted;
mod stubs;

pub use answers::Answers;
pub use columns::{BitColumn, Columns, Requests};
pub use find::{Candidates, Pairs};
pub use lanes::{Lanes, LanesIter};
pub use message::Message;
pub use moves::{Move, Moves, Told};
pub use nav2::{Nav2, WithNav2};
pub use outbox::{Addressee, Emitted};
pub use scripted::{Due, Echo, Scripted};
pub use stubs::{Stub, Stubbed, Stubs};

use crate::behaviour::{Kind, LogPart};
use crate::blackboard::{Board, CellsMut, Deed, Held, Shared, SharedAccess, no_value};
use crate::fault::FaultKind;
use crate::ids::{AgentId, ArgRange, KeyId, LeafId, NodeId};
use crate::lives::Lives;
use crate::program::Program;
use crate::program::args::ArgSlot;
use crate::status::{Outcome, Status};
use crate::text::Text;
use crate::value::Value;
use changes::MAX_GROUPS;
use outbox::Outbox;

/// Whether agents may see, within a tick, what other agents did earlier in the same tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// They may not: a node is called for many agents before the next node is. This is the fast way.
    #[default]
    Independent,
    /// They may: agents are ticked one by one, in the order of their indices.
    Sequential,
}

/// The interface that a game implements. There are ready-made implementations: [`Columns`], [`Scripted`], and
/// closures (crate `treemind`).
///
/// # Contract
/// For each agent and each action node: [`start`](Host::start) is called once before the first
/// [`update`](Host::update) of a run, `update` once per run and tick that reaches it, and [`stop`](Host::stop)
/// exactly once when the run ends. A call never names an agent twice, and always has at least one agent.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not serve the leaves of agents",
    label = "`{Self}` does not implement `Host`",
    note = "a registry makes a host: `registry.bind(&behaviour)?.host(&mut world)`"
)]
pub trait Host {
    /// Whether agents are ticked side by side or one after the other.
    fn order(&self) -> Order {
        Order::Independent
    }

    /// Asks a condition for the agents in `lanes`. Every lane starts as running; set the actual answers.
    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>);

    /// A run of an action starts.
    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>);

    /// Updates a run of an action, also in the tick in which it started. Every lane starts as running.
    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>);

    /// A run of an action has ended with this outcome.
    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome);

    /// Calls a service. The default implementation supports none: it records a fault for every agent.
    fn serve(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        for agent in lanes {
            call.fault(agent, "the host has no services");
        }
    }

    /// Decides for a composite or decorator of the host, between [`start`](Host::start) and [`stop`](Host::stop):
    /// first in every tick that reaches the node, then after every move that it asked for, until it answers. The
    /// default implementation supports none: it records a fault for every agent and answers failure.
    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        for agent in lanes {
            call.fault(agent, "the host has no composites or decorators of its own");
            moves.set(agent, Move::Answer(Status::Failure));
        }
    }

    /// Computes a sensed key for the agents in `lanes`, and writes it to the [board](Call::board). The call's leaf
    /// is the sensor, and the call's arguments are those of the key. This is called before the node of the call
    /// reads the key, at most once per agent and tick. A key that is not written keeps its value. The default
    /// implementation has no sensors: it records a fault for every agent.
    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        let _ = key;
        for agent in lanes {
            call.fault(agent, "the host has no sensors");
        }
    }

    /// Lists the candidates of a `find` for the agents in `lanes`, in the order in which they are looked at. The call's
    /// leaf is the one that the node names, and the call's arguments are those of the node. This is called once for each
    /// search. The default implementation lists none: it records a fault for every agent.
    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        let _ = candidates;
        for agent in lanes {
            call.fault(agent, "the host has no candidates");
        }
    }

    /// Measures candidates of a `find`: computes a number for each of many pairs of an agent and a candidate. The call's
    /// leaf is the measure; the arguments are those of the pairs, and the call itself has none. The default implementation
    /// measures nothing: it records a fault for every agent.
    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        let mut last = None;
        for pair in 0..pairs.len() {
            let agent = pairs.agent(pair);
            if last.replace(agent) != Some(agent) {
                call.fault(agent, "the host has no measures");
            }
        }
    }

    /// A `log` was reached: [`Call::text`] is its text for an agent. The default implementation ignores it.
    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        let _ = (call, lanes);
    }

    /// The event that is the call's leaf was emitted; its values are the arguments of the call. The default
    /// implementation ignores it.
    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        let _ = (call, lanes);
    }

    /// [`ask`](Host::ask) for one agent. Implement it only if that is faster.
    #[inline]
    fn ask_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        one_answer(agent, |lanes, answers| self.ask(call, lanes, answers))
    }

    /// [`update`](Host::update) for one agent. Implement it only if that is faster.
    #[inline]
    fn update_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        one_answer(agent, |lanes, answers| self.update(call, lanes, answers))
    }
}

impl<H: Host + ?Sized> Host for &mut H {
    fn order(&self) -> Order {
        (**self).order()
    }

    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        (**self).ask(call, lanes, answers);
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        (**self).start(call, lanes);
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        (**self).update(call, lanes, answers);
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        (**self).stop(call, lanes, outcome);
    }

    fn serve(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        (**self).serve(call, lanes);
    }

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        (**self).decide(call, lanes, moves);
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        (**self).sense(call, key, lanes);
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        (**self).candidates(call, lanes, candidates);
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        (**self).measure(call, pairs);
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        (**self).log(call, lanes);
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        (**self).event(call, lanes);
    }

    fn ask_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        (**self).ask_one(call, agent)
    }

    fn update_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        (**self).update_one(call, agent)
    }
}

/// Calls the method for many agents with a single one.
#[inline]
fn one_answer(agent: usize, answer: impl FnOnce(Lanes<'_>, &mut Answers<'_>)) -> Status {
    let (first, bit) = (agent / 64 * 64, [1 << (agent % 64)]);
    let [mut success, mut failure, mut skipped] = [[0]; 3];
    let mut answers = Answers {
        first,
        success: &mut success,
        failure: &mut failure,
        skipped: &mut skipped,
        others: Status::Running,
        is_plain: false,
    };
    answer(Lanes::new(first, &bit), &mut answers);
    answers.get(agent)
}

/// The leaf id of calls that are not about a leaf.
pub(crate) const NO_LEAF: LeafId = LeafId(u32::MAX);

/// A run of an action that the game reports on. It is plain data, and can be saved with the game: with the feature
/// `serde`, it can be written and read. Reporting on a run that is over, or of an agent that is not there, is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ticket {
    /// Whose run it is.
    pub agent: AgentId,
    /// The action.
    pub node: NodeId,
    /// Which run of the action in this agent, from 1. After 2^32 runs the numbers begin again.
    pub run: u32,
}

/// What all calls of a sweep have in common.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) program: &'a Program,
    /// The data that agents share, if any.
    pub(crate) shared: Option<&'a Shared>,
    pub(crate) lives: &'a Lives,
    /// The first agent of the chunk.
    pub(crate) first: usize,
    pub(crate) now_ns: u64,
    pub(crate) dt_ns: u64,
    pub(crate) tick: u64,
    /// The last tick of these agents before this one.
    pub(crate) previous_tick: u64,
    /// How often the loops of an agent may go back in one tick.
    pub(crate) runs_per_tick: u32,
}

/// The data of a call to a host: the leaf, the node and the arguments; and the blackboard.
// One serves all calls of a sweep: it lends the state of the chunk, and says which leaf is called.
pub struct Call<'a> {
    pub(crate) leaf: LeafId,
    pub(crate) node: NodeId,
    pub(crate) args: ArgRange,
    pub(crate) around: &'a Surroundings<'a>,
    pub(crate) board: CellsMut<'a>,
    pub(crate) run: CellsMut<'a>,
    pub(crate) outbox: &'a mut Outbox,
}

impl Call<'_> {
    /// Says which leaf is called next, by which node. Returns the first agent of the chunk.
    #[inline(always)]
    pub(crate) fn at(&mut self, node: NodeId, leaf: LeafId, args: ArgRange) -> usize {
        (self.node, self.leaf, self.args) = (node, leaf, args);
        self.around.first
    }

    /// The leaf: condition, action, sensor or event. In [`Host::log`] there is none, and this id is not valid.
    pub fn leaf(&self) -> LeafId {
        self.leaf
    }

    /// The handle of an agent of this call.
    pub fn id_of(&self, agent: usize) -> AgentId {
        let id = self.around.lives.id(agent);
        id.expect("the agent lives")
    }

    /// The group of an agent, as it was when the tick, or the step of a society, began.
    pub fn group(&self, agent: usize) -> u32 {
        self.around.shared.map_or(0, |shared| shared.group(agent))
    }

    /// Moves an agent of this call to another group, when the tick, or the step of a society, ends. What it writes and
    /// emits until then belongs to its old group. Of several groups the last counts. Groups are numbered from 0 to
    /// [`MAX_GROUPS`] - 1; a number beyond is a fault, and nothing changes.
    pub fn set_group(&mut self, agent: usize, group: u32) {
        if group < MAX_GROUPS {
            self.note(agent, || Deed::Group(group));
            self.outbox.changes.set_group(agent, group);
        } else {
            self.fault(
                agent,
                format!("group {group} is beyond {MAX_GROUPS} groups"),
            );
        }
    }

    /// Removes an agent of this call. It continues with its tick; when all agents of its population were ticked, what
    /// it still runs is aborted, and when the tick, or the step of a society, ends, it is dead.
    pub fn remove(&mut self, agent: usize) {
        self.note(agent, || Deed::Remove);
        self.outbox.changes.leave(agent);
    }

    /// Asks for a new agent, for an agent of this call: of an archetype that a population knows by
    /// [`name_archetype`](crate::Population::name_archetype), with other values for some keys. It is added when the
    /// tick, or the step of a society, has ended, in the order of those who ask, and
    /// [`newborns`](crate::Population::newborns) has it. It is in group 0, and ticked for the first time in the next
    /// tick. If there is no such archetype or key, or the value is of another type, that is a fault, and nobody is
    /// added.
    pub fn spawn(&mut self, agent: usize, archetype: &str, given: &[(&str, Value)]) {
        let by = (self.id_of(agent), self.node);
        let given = given.iter().map(|(key, value)| (Text::new(key), *value));
        self.note(agent, || {
            Deed::Spawn(Text::new(archetype), given.clone().collect())
        });
        self.outbox.changes.spawn(by, Text::new(archetype), given);
    }

    /// A ticket for the run of a [reported](crate::behaviour::Life::Reported) action, with which
    /// [`Population::finish`](crate::Population::finish) ends it later.
    ///
    /// # Panics
    /// When the node is another one, or the agent is not in this call.
    pub fn ticket(&self, agent: usize) -> Ticket {
        let mut reported = self.around.program.reported.iter();
        let reported = reported.find(|known| known.node == self.node);
        let reported = reported.expect("the node is an action that the host reports on");
        Ticket {
            agent: self.id_of(agent),
            node: self.node,
            run: self.run.read().narrow(reported.runs)[agent - self.around.first],
        }
    }

    /// The node that makes the call; several nodes can use one leaf.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// How many children the node has.
    pub fn children(&self) -> usize {
        self.around.program.behaviour.node(self.node).children.len()
    }

    /// The text of a `log` for an agent, with the current values of keys; at an `emit`, the event with its values,
    /// such as `noise volume=3`. The text is built again at each call; it is empty at nodes of other kinds.
    ///
    /// # Panics
    /// When the agent is not in this call.
    pub fn text(&self, agent: usize) -> String {
        self.text_with(agent, |_| None)
    }

    /// Like [`text`](Self::text), but `words` can give the host's own words for values that the host knows better,
    /// such as a name for an entity.
    ///
    /// # Panics
    /// When the agent is not in this call.
    pub fn text_with(&self, agent: usize, words: impl Fn(Value) -> Option<String>) -> String {
        let behaviour = &self.around.program.behaviour;
        match &behaviour.node(self.node).kind {
            Kind::Log { text } => {
                let part = |part: &LogPart| match part {
                    LogPart::Text(text) => text.clone(),
                    LogPart::Key(key) => match self.held(*key, agent) {
                        Held::One(value) => {
                            words(value).unwrap_or_else(|| behaviour.display_value(value))
                        }
                        held => behaviour.display_held(held),
                    },
                };
                text.iter().map(part).collect()
            }
            Kind::Emit { leaf, .. } => {
                let event = behaviour.leaf(*leaf);
                let mut text = event.name.clone();
                for (index, param) in event.params.iter().enumerate() {
                    let value = self.arg(index, agent);
                    let value = words(value).unwrap_or_else(|| behaviour.display_value(value));
                    text.extend([" ", &param.name, "=", &value]);
                }
                text
            }
            _ => String::new(),
        }
    }

    /// How many arguments there are: one per parameter of the leaf.
    pub fn args(&self) -> usize {
        (self.args.end - self.args.start) as usize
    }

    /// The value of the leaf's parameter number `index` for an agent, as it was at the start of the run. If the node
    /// gave [a key](Self::arg_key), its value now; the zero of its type while it is unset.
    ///
    /// # Panics
    /// When the leaf has no such parameter, or the agent is not in this call.
    pub fn arg(&self, index: usize, agent: usize) -> Value {
        match self.args.of(&self.around.program.args)[index] {
            ArgSlot::Key(key) => self.find(key, agent).unwrap_or_else(|| self.zero(key)),
            slot => slot.get(self.run.read(), agent - self.around.first),
        }
    }

    /// The key that the node gave for the leaf's parameter number `index`, if the parameter is
    /// [passed by key](crate::behaviour::Param::by_key). The leaf may read and write it.
    ///
    /// # Panics
    /// When the leaf has no such parameter.
    pub fn arg_key(&self, index: usize) -> Option<KeyId> {
        match self.args.of(&self.around.program.args)[index] {
            ArgSlot::Key(key) => Some(key),
            ArgSlot::Literal(_) | ArgSlot::Column { .. } => None,
        }
    }

    /// What stands for the value of a key that has none.
    fn zero(&self, key: KeyId) -> Value {
        self.around.program.behaviour().key(key).ty.zero()
    }

    /// The value of a key of the blackboard for an agent. To write keys, or to read whole columns, see
    /// [`board`](Self::board).
    ///
    /// # Panics
    /// When the key is unset or a list (for these, [`find`](Self::find) returns `None`); when there is no such key,
    /// or the agent is not in this call's chunk.
    pub fn get(&self, key: KeyId, agent: usize) -> Value {
        self.find(key, agent)
            .unwrap_or_else(|| no_value(self.around.program.board.keys[key.index()]))
    }

    /// The value of a key of the blackboard for an agent; `None` when it is unset, or a list.
    ///
    /// # Panics
    /// When there is no such key, or the agent is not in this call's chunk.
    pub fn find(&self, key: KeyId, agent: usize) -> Option<Value> {
        match self.held(key, agent) {
            Held::One(value) => Some(value),
            Held::Unset | Held::List(_) => None,
        }
    }

    /// The content of a key of the blackboard for an agent, whatever its form.
    ///
    /// # Panics
    /// When there is no such key, or the agent is not in this call's chunk.
    pub fn held(&self, key: KeyId, agent: usize) -> Held<'_> {
        let slot = self.around.program.board.keys[key.index()];
        match self.around.shared {
            Some(shared) if !slot.is_own() => shared.held(slot, shared.lane(slot, agent)),
            _ => Held::of(slot, self.board.read(), agent - self.around.first),
        }
    }

    /// The blackboard of the agents of this call.
    pub fn board(&mut self) -> Board<'_> {
        Board {
            layout: &self.around.program.board,
            cells: self.board.reborrow(),
            first: self.around.first,
            access: SharedAccess::Staged(self.around.shared, &mut self.outbox.staged),
        }
    }

    /// Records that the host could not do what it was asked to do; the text appears in the list of faults. The host
    /// still has to give an answer, usually failure.
    pub fn fault(&mut self, agent: usize, text: impl Into<String>) {
        let text = text.into();
        self.note(agent, || Deed::Fault(text.clone()));
        let kind = FaultKind::Host(text);
        if let Some(key) = self.around.program.fault_key(self.node) {
            let code = Value::Text(Text::new(kind.code()));
            self.board().write_for_node(key, agent, code);
        }
        self.outbox.faults.record(
            self.around.program.behaviour(),
            (agent, self.node),
            self.around.tick,
            kind,
        );
    }

    /// Notes what the host does, if somebody records it.
    #[inline]
    fn note(&mut self, agent: usize, deed: impl FnOnce() -> Deed) {
        self.outbox.staged.journal.note(agent, deed);
    }

    /// The population's clock in nanoseconds: the sum of all `dt` up to this tick.
    pub fn now_ns(&self) -> u64 {
        self.around.now_ns
    }

    /// The time since the last tick of these agents in nanoseconds: the length of this tick, unless the agents have an
    /// [interval](crate::Population::set_interval). Between ticks, the length of the last one.
    pub fn dt_ns(&self) -> u64 {
        self.around.dt_ns
    }

    /// The number of the tick, from 1.
    pub fn tick(&self) -> u64 {
        self.around.tick
    }
}
