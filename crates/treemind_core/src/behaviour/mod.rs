//! What a program is made from: keys, leaves and one tree of nodes, checked as a whole.
//!
//! Documents are lowered to a [`Behaviour`]; code may build one directly. The executor's `Program` and the
//! reference interpreter both start from it, so this module defines the vocabulary of nodes.

mod answers;
mod decision;
mod enclosing;
mod find;
mod guard;
mod keys;
mod kind;
mod known;
mod machine;
mod machines;
mod options;
mod planner;
mod policy;
mod round;
mod rules;
mod shared;
mod typing;
mod utility;
mod validate;
mod words;
mod written;

pub use answers::{Declared, Statuses, Summary};
pub use decision::{Decision, DecisionStep, Lasts, TestName, Way};
pub use find::{Find, FindFrom, MAX_CANDIDATES, Measured};
pub use guard::{Guards, Hooks};
pub use kind::{Access, Facts, Family, Kind, KindPart};
pub(crate) use known::Known;
pub use machine::{
    ChildIndex, Decided, Depth, DoneWith, Initial, MAX_EVENTS, MAX_MICROSTEPS, MAX_STACK, Machine,
    Mode, Stack, State, StateKind, Target, Transition, Trigger,
};
pub use machines::MAX_MACHINES;
pub use options::{
    Arg, Audience, Awaited, Counting, Judging, LogPart, MAILBOX_SIZES, MAX_POSTS, Pace, Skips,
    Threshold, Times, Yields,
};
pub use planner::{
    Aim, Doing, Goal, MAX_EXPANSIONS, MAX_FACTS, MAX_GOALS, MAX_METHOD_NAMES, MAX_METHODS,
    MAX_PLAN_STEPS, MAX_PLANNED_KEYS, MAX_STEPS, MAX_TASK_DEPTH, MAX_TASKS, Method, PlanStep,
    Planner, PlannerKeys, Replan, Task, WantedPart, conjuncts, contradiction, effects,
    unforeseeable, usable_if,
};
pub use policy::PolicyRun;
pub use round::MICROSTEPS_KNOWN;
pub use rules::{MAX_RULES, Rule, in_order};
pub use shared::SharedKind;
pub use utility::{Combine, Consideration, MAX_CONSIDERATIONS, Policy, Score, Scoring};
pub use validate::{BehaviourError, MAX_DEPTH};
pub use written::{GivenPorts, Never, Written, WrittenParts};

use crate::blackboard::Held;
pub use crate::blackboard::{Enum, EventPart, Form, Heard, Key, Merge, Scope, Sensed};
use crate::expr::Expr;
pub use crate::ids::StateIndex;
use crate::ids::{EnumId, KeyId, LeafId, NodeId};
use crate::status::Status;
use crate::value::{Type, Value};
use shared::Places;

/// What kind of leaf the host provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LeafKind {
    /// Asked; it has no runs.
    Condition,
    /// Started, updated, stopped.
    Action {
        /// How it runs.
        life: Life,
    },
    /// Called before a child, again and again.
    Service,
    /// A node with children; their number is limited by `least` and `most`.
    Composite {
        /// At least 1.
        least: u32,
        /// `None` means no limit.
        most: Option<u32>,
    },
    /// A node with one child.
    Decorator,
    /// Asked for the value of keys.
    Sensor,
    /// Emitted by agents and passed to the host.
    Event,
    /// Lists what a `find` chooses from.
    Candidates {
        /// The type of what it lists.
        ty: Type,
    },
    /// Computes a `float` for each of many candidates; its first parameter is the candidate.
    Measure,
}

impl LeafKind {
    /// An action that is updated in every tick.
    pub const ACTION: LeafKind = LeafKind::Action {
        life: Life::Updated,
    };

    /// The keyword in documents.
    pub fn keyword(self) -> &'static str {
        match self {
            LeafKind::Condition => "condition",
            LeafKind::Action { .. } => "action",
            LeafKind::Service => "service",
            LeafKind::Composite { .. } => "composite",
            LeafKind::Decorator => "decorator",
            LeafKind::Sensor => "sensor",
            LeafKind::Event => "event",
            LeafKind::Candidates { .. } => "candidates",
            LeafKind::Measure => "measure",
        }
    }
}

/// How an action runs between its start and its stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Life {
    /// It is updated in every tick that reaches it.
    #[default]
    Updated,
    /// It never answers running; if it does, that is a fault and counts as failure.
    Instant,
    /// It is never updated: the host reports its end with [`Population::finish`](crate::Population::finish).
    Reported,
}

/// A number of places that agents share or each agent has for itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Semaphore {
    /// The name, kebab-case.
    pub name: String,
    /// How many places there are.
    pub places: u32,
    /// Who shares them.
    pub scope: Scope,
    /// If places go to the best bidder; otherwise they go to the agents that have waited longest.
    pub bidding: Option<Bidding>,
}

/// How bids decide who holds the places of a shared semaphore.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bidding {
    /// By how much a bid must exceed that of a holder to take its place, a finite number from 0; `None`: nobody loses
    /// a place.
    pub hysteresis: Option<f64>,
    /// For how many seconds a holder is safe from losing its place, from 0.
    pub min_hold: f64,
}

/// A parameter of a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The name, snake_case.
    pub name: String,
    /// The type.
    pub ty: Type,
    /// The value for nodes that give none; without a default, every node must give one.
    pub default: Option<Value>,
    /// Whether nodes may give a key itself, which the leaf then reads and writes: [`Arg::Key`].
    pub by_key: bool,
    /// One line for people.
    pub doc: Option<String>,
}

/// A leaf of the host, such as a condition, an action, a sensor or an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The name, kebab-case.
    pub name: String,
    /// Its kind.
    pub kind: LeafKind,
    /// The parameters, in order.
    pub params: Vec<Param>,
    /// Its number in tables that identify leaves by number; no two leaves have the same.
    pub number: Option<u32>,
    /// One line for people.
    pub doc: Option<String>,
}

impl Leaf {
    /// A leaf without parameters.
    pub fn new(name: impl Into<String>, kind: LeafKind) -> Self {
        Self {
            name: name.into(),
            kind,
            params: Vec::new(),
            number: None,
            doc: None,
        }
    }
}

/// A node and the nodes below it, while a tree is being built.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// The name that tools show, if it has one.
    pub name: Option<String>,
    /// One line for people.
    pub doc: Option<String>,
    /// The tests before it.
    pub guards: Guards,
    /// The statements after it.
    pub hooks: Hooks,
    /// How a document writes it, if its kind and guards do not say it.
    pub written: Written,
    /// The children, in order.
    pub children: Vec<Node>,
}

impl Node {
    /// A node without children.
    pub fn leaf(kind: Kind) -> Self {
        Self::with(kind, Vec::new())
    }

    /// A node with children.
    pub fn with(kind: Kind, children: Vec<Node>) -> Self {
        Self {
            kind,
            name: None,
            doc: None,
            guards: Guards::default(),
            hooks: Hooks::default(),
            written: Written::default(),
            children,
        }
    }

    /// The same node with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

/// Everything that a behaviour is built from; [`Behaviour::new`] checks it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// The name of the tree.
    pub name: String,
    /// The enumerations that keys and parameters use.
    pub enums: Vec<Enum>,
    /// The blackboard.
    pub keys: Vec<Key>,
    /// The leaves that the host must provide.
    pub leaves: Vec<Leaf>,
    /// The semaphores.
    pub semaphores: Vec<Semaphore>,
    /// The labels of `interruptible` nodes.
    pub labels: Vec<String>,
    /// The tree.
    pub root: Node,
}

/// A node of a checked [`Behaviour`].
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedNode {
    /// Its kind.
    pub kind: Kind,
    /// The name that tools show, if it has one.
    pub name: Option<String>,
    /// One line for people.
    pub doc: Option<String>,
    /// The tests before it.
    pub guards: Guards,
    /// The statements after it.
    pub hooks: Hooks,
    /// How a document writes it, if its kind and guards do not say it.
    pub written: Written,
    /// The node above.
    pub parent: Option<NodeId>,
    /// How many nodes are above it.
    pub depth: u32,
    /// The children, in order.
    pub children: Vec<NodeId>,
}

/// A checked behaviour: every id refers to something, every type fits, every node has the children that it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    name: String,
    enums: Vec<Enum>,
    keys: Vec<Key>,
    leaves: Vec<Leaf>,
    semaphores: Vec<Semaphore>,
    labels: Vec<String>,
    nodes: Vec<PlacedNode>,
    max_turns: u32,
    mailbox: u32,
    interval: u32,
    places: Places,
}

impl Behaviour {
    /// Checks the parts and numbers the nodes in document order.
    ///
    /// # Errors
    /// The first problem, with the path of the node. Documents are checked with spans before this, so an error for
    /// a document is a defect of the reader.
    pub fn new(parts: Parts) -> Result<Self, BehaviourError> {
        validate::place(parts)
    }

    /// The same, but a node is never ticked: whenever it is reached, and no guard of its own answers before, it answers
    /// this, and is aborted if it is running. Its own `while` does not count. Ids of nodes stay as they are. Debuggers
    /// replace answers so.
    ///
    /// # Panics
    /// When there is no such node, or the answer is [`Status::Running`].
    #[must_use]
    pub fn with_answer(mut self, node: NodeId, answer: Status) -> Self {
        assert_ne!(answer, Status::Running, "a guard cannot answer running");
        let guards = &mut self.nodes[node.index()].guards;
        guards.while_holds = Some(Expr::Value(Value::Bool(false)));
        guards.while_else = answer;
        self
    }

    /// The same with another limit than [`MAX_TURNS_PER_TICK`](crate::MAX_TURNS_PER_TICK) on how often the loops of
    /// an agent go back in one tick.
    #[must_use]
    pub fn with_max_turns(mut self, max_turns: u32) -> Self {
        self.max_turns = max_turns;
        self
    }

    /// The same, but the mailbox of each agent keeps this many events, instead of [`MAX_EVENTS`], unless the host sets
    /// another [limit](crate::Limits::mailbox).
    ///
    /// # Panics
    /// When the number is not in [`MAILBOX_SIZES`].
    #[must_use]
    pub fn with_mailbox(mut self, events: usize) -> Self {
        assert!(MAILBOX_SIZES.contains(&events), "a mailbox of {events}");
        self.mailbox = events as u32;
        self
    }

    /// How many events the mailbox of an agent keeps, unless the host sets another limit.
    pub fn mailbox(&self) -> u32 {
        self.mailbox
    }

    /// The same, but its agents are ticked only in every `ticks`-th tick, unless they are given another
    /// [interval](crate::Population::set_interval).
    ///
    /// # Panics
    /// When `ticks` is 0.
    #[must_use]
    pub fn with_interval(mut self, ticks: u32) -> Self {
        assert!(ticks > 0, "an interval has at least one tick");
        self.interval = ticks;
        self
    }

    /// The same, and it knows where the document declares what the program shares with others: each kind and name,
    /// with the place as `FILE:LINE:COLUMN`. Errors name these places.
    #[must_use]
    pub fn with_places(
        mut self,
        places: impl IntoIterator<Item = (SharedKind, String, String)>,
    ) -> Self {
        let places = places.into_iter();
        let places = places.map(|(kind, name, place)| ((kind, name), place));
        self.places.0 = places.collect();
        self
    }

    /// Where the document declares something that the program shares, as `FILE:LINE:COLUMN`.
    pub fn place_of(&self, kind: SharedKind, name: &str) -> Option<&str> {
        let place = self.places.0.get(&(kind, name.to_owned()));
        place.map(String::as_str)
    }

    /// The interval of an agent that is given no other: it is ticked once in this many ticks.
    pub fn interval(&self) -> u32 {
        self.interval
    }

    /// How often the loops of an agent together may go back in one tick, unless the host sets another
    /// [limit](crate::Limits::runs_per_tick).
    pub fn max_turns(&self) -> u32 {
        self.max_turns
    }

    /// The name of the tree.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The enumerations.
    pub fn enums(&self) -> &[Enum] {
        &self.enums
    }

    /// The blackboard.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The leaves that the host must provide.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The semaphores.
    pub fn semaphores(&self) -> &[Semaphore] {
        &self.semaphores
    }

    /// The labels of `interruptible` nodes.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The nodes, parents before children.
    pub fn nodes(&self) -> &[PlacedNode] {
        &self.nodes
    }

    /// The node above all others.
    pub fn root(&self) -> NodeId {
        NodeId::new(0)
    }

    /// One node.
    ///
    /// # Panics
    /// When the id belongs to another behaviour and is out of range.
    pub fn node(&self, id: NodeId) -> &PlacedNode {
        &self.nodes[id.index()]
    }

    /// Every node id, parents before children.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::new)
    }

    /// One leaf.
    ///
    /// # Panics
    /// When the id belongs to another behaviour and is out of range.
    pub fn leaf(&self, id: LeafId) -> &Leaf {
        &self.leaves[id.index()]
    }

    /// One key.
    ///
    /// # Panics
    /// When the id belongs to another behaviour and is out of range.
    pub fn key(&self, id: KeyId) -> &Key {
        &self.keys[id.index()]
    }

    /// One enumeration.
    ///
    /// # Panics
    /// When the id belongs to another behaviour and is out of range.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.index()]
    }

    /// The key with this name.
    pub fn key_id(&self, name: &str) -> Option<KeyId> {
        let index = self.keys.iter().position(|key| key.name == name)?;
        Some(KeyId::new(index))
    }

    /// The leaf with this name.
    pub fn leaf_id(&self, name: &str) -> Option<LeafId> {
        let index = self.leaves.iter().position(|leaf| leaf.name == name)?;
        Some(LeafId::new(index))
    }

    /// The label of the node in traces and tools: its name, else the name of its leaf, else its kind, also of a `find` over
    /// a list, which only measures with leaves.
    pub fn label(&self, id: NodeId) -> &str {
        let node = self.node(id);
        let leaf = node.kind.leaf().filter(|_| node.kind.listed().is_none());
        match (&node.name, leaf) {
            (Some(name), _) => name,
            (None, Some(leaf)) => &self.leaf(leaf).name,
            (None, None) => node.kind.keyword(),
        }
    }

    /// A value as documents write it.
    pub fn display_value(&self, value: Value) -> String {
        match value {
            Value::Enum(list, index) => self
                .enums
                .get(list.index())
                .and_then(|list| list.values.get(index as usize).cloned())
                .unwrap_or_else(|| index.to_string()),
            other => other.to_string(),
        }
    }

    /// The content of a key as documents write it: a value, `unset`, or the items of a list, `[1, 2]`.
    pub fn display_held(&self, held: Held<'_>) -> String {
        match held {
            Held::One(value) => self.display_value(value),
            Held::Unset => "unset".to_owned(),
            Held::List(list) => self.display_list(list.iter(), usize::MAX),
        }
    }

    /// The items of a list as documents write them, `[1, 2]`; of a list with more items than `most`, the first ones and how
    /// many there are, `[1, 2, … 9 in all]`.
    pub fn display_list(&self, items: impl Iterator<Item = Value>, most: usize) -> String {
        let mut items = items.map(|item| self.display_value(item));
        let mut shown: Vec<String> = items.by_ref().take(most).collect();
        match items.count() {
            0 => {}
            more => shown.push(format!("… {} in all", shown.len() + more)),
        }
        format!("[{}]", shown.join(", "))
    }
}
