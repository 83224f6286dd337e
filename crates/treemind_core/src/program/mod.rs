//! Programs: a behaviour lowered to straight-line code over registers of bits, shared by all agents.

pub(crate) mod args;
mod fingerprint;
mod lower;
pub(crate) mod matching;
pub(crate) mod op;
pub(crate) mod owners;
pub(crate) mod resting;
pub(crate) mod visits;

pub use matching::NodeChange;

use crate::behaviour::{Access, Behaviour, KindPart, LeafKind};
use crate::blackboard::{Asked, BoardLayout, Shape};
use crate::eval::{ExprCode, Short, StackSizes};
use crate::expr::{Expr, Time};
use crate::fault::FaultKind;
use crate::ids::{ArgRange, KeyId, LeafId, NodeId};
use crate::text::Text;
use args::ArgSlot;
use op::{Code, Range, SetStep, Slot};
use owners::Owners;
use resting::Resting;
use std::sync::OnceLock;

/// The keys and the times that an expression names, each once, in its order.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) keys: Box<[KeyId]>,
    pub(crate) times: Box<[Time]>,
}

/// A behaviour ready to run: immutable, shared by any number of populations.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) behaviour: Behaviour,
    pub(crate) board: BoardLayout,
    /// The columns other than the blackboard and the slots: deadlines, counters, arguments.
    pub(crate) run: Shape,
    pub(crate) slots: Vec<Slot>,
    pub(crate) owners: Owners,
    pub(crate) args: Vec<ArgSlot>,
    pub(crate) exprs: Vec<ExprCode>,
    /// For each expression, the sensed keys that it asks about; empty if no key is sensed.
    pub(crate) asks: Vec<Box<[u32]>>,
    /// For each expression, what it names; `None` for literals.
    pub(crate) named: Vec<Option<Named>>,
    pub(crate) sets: Vec<SetStep>,
    /// The keys of scopes.
    pub(crate) locals: Vec<KeyId>,
    /// Per node, the key that gets the code of its faults; empty if no node has one.
    pub(crate) fault_keys: Vec<Option<KeyId>>,
    pub(crate) stacks: StackSizes,
    /// How many counters per agent live for one tick only.
    pub(crate) counters: u32,
    /// The slots of nodes that can run on after an answer, with one more slot at the end of each; outer ranges come
    /// before inner ones.
    pub(crate) loose: Vec<Range>,
    pub(crate) reported: Vec<Reported>,
    /// Whether an expression asks how many places of a semaphore are free.
    pub(crate) asks_places: bool,
    /// Whether something asks who lives, or how many agents a group has.
    pub(crate) asks_census: bool,
    /// Whether a key lists the agents of a group.
    pub(crate) asks_mates: bool,
    /// Whether there are composites or decorators of the host.
    pub(crate) own_nodes: bool,
    /// What agents need to rest, if they can.
    pub(crate) resting: Option<Resting>,
    pub(crate) code: Code,
    /// The same code with an event for every node; slots and columns are the same.
    pub(crate) traced: Code,
    /// Found out when it is first asked for.
    fingerprint: OnceLock<u64>,
}

/// Where a program records that the host has ended a run of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reported {
    pub(crate) node: NodeId,
    pub(crate) slot: u32,
    /// Columns of bits: with success, with failure.
    pub(crate) columns: [u32; 2],
    /// A column with the number of the run.
    pub(crate) runs: u32,
}

impl Program {
    /// Lowers a behaviour. This cannot fail, as everything was checked when the behaviour was made.
    pub fn new(behaviour: Behaviour) -> Self {
        let mut watched = Vec::new();
        for node in behaviour.node_ids() {
            behaviour.node(node).kind.parts(&mut |part| {
                if let KindPart::Key(key, Access::Watch) = part {
                    watched.push((key, node));
                }
            });
        }
        // The text of a fault about an unset key or a lost event must not be new in a tick.
        let events = behaviour.leaves().iter();
        for event in events.filter(|leaf| leaf.kind == LeafKind::Event) {
            Text::new(&event.name);
        }
        for key in behaviour
            .keys()
            .iter()
            .filter(|key| key.form.can_be_unset())
        {
            Text::new(&key.name);
        }
        let semaphores = behaviour.semaphores().len();
        let mut asked = vec![Asked::default(); behaviour.keys().len()];
        for node in behaviour.nodes() {
            let mut note = |expr: &Expr| Asked::note(&mut asked, expr);
            node.kind.parts(&mut |part| part.for_each_expr(&mut note));
            node.guards.exprs().for_each(&mut note);
            let assigns = node.hooks.assigns();
            assigns.for_each(|assign| note(&assign.value));
        }
        let mut board = BoardLayout::new(behaviour.keys(), &watched, &asked, semaphores);
        let plain = lower::lower(&behaviour, &board, false);
        let traced = lower::lower(&behaviour, &board, true);
        debug_assert_eq!(plain.slots, traced.slots);
        debug_assert_eq!(plain.run, traced.run);
        let mut args = plain.args;
        for slot in &mut board.sensed {
            let sensed = behaviour.key(slot.key).sensed.iter();
            let values = sensed.flat_map(|sensed| &sensed.args);
            let start = args.len() as u32;
            args.extend(values.map(|value| ArgSlot::Literal(*value)));
            slot.args = ArgRange {
                start,
                end: args.len() as u32,
                computed: false,
            };
        }
        let mut stacks = StackSizes::default();
        for expr in &plain.exprs {
            stacks.cover(expr.sizes);
        }
        for policy in &plain.code.policies {
            stacks.networks.cover(policy.network.needs());
        }
        let resting = Resting::of(&behaviour, &plain.code, &plain.exprs);
        let asks_mates = behaviour.keys().iter().any(|key| key.mates);
        let fault_keys = fault_keys(&behaviour);
        Self {
            behaviour,
            board,
            run: plain.run,
            slots: plain.slots,
            owners: plain.owners,
            args,
            asks_places: plain.exprs.iter().any(|expr| expr.asks_places),
            asks_census: asks_mates
                || plain.code.has_addresses
                || plain.exprs.iter().any(|expr| expr.asks_census),
            asks_mates,
            resting,
            exprs: plain.exprs,
            asks: plain.asks,
            named: plain.named,
            sets: plain.sets,
            locals: plain.locals,
            fault_keys,
            stacks,
            counters: plain.counters,
            loose: plain.loose,
            reported: plain.reported,
            own_nodes: plain.own_nodes,
            code: plain.code,
            traced: traced.code,
            fingerprint: OnceLock::new(),
        }
    }

    /// The same program without the tables of its machines: these are ticked by their transitions. It is slower and
    /// otherwise the same: benchmarks measure what the tables gain.
    #[doc(hidden)]
    #[must_use]
    pub fn without_tables(mut self) -> Self {
        for machine in &mut self.code.machines {
            machine.table = None;
        }
        self
    }

    /// The same program without the short forms of its expressions. It is slower and otherwise the same: benchmarks
    /// measure what they gain.
    #[doc(hidden)]
    #[must_use]
    pub fn without_short_tests(mut self) -> Self {
        for expr in &mut self.exprs {
            expr.short = None;
        }
        self
    }

    /// Whether a machine, a node or an expression waits for an event from outside.
    pub fn waits_for(&self, event: LeafId) -> bool {
        let machines = self.code.machines.iter();
        let mut inboxes = machines.filter_map(|machine| machine.inbox.as_ref());
        self.code.mailed.binary_search(&event).is_ok()
            || inboxes.any(|inbox| inbox.listens.binary_search(&event).is_ok())
    }

    /// The behaviour that it was lowered from.
    pub fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }

    /// Whether an expression comes to the same in every tick, as long as no key is written and no event comes.
    pub(crate) fn is_steady(&self, expr: u32) -> bool {
        let asks = self.asks.get(expr as usize);
        asks.is_none_or(|asks| asks.is_empty()) && self.exprs[expr as usize].is_steady()
    }

    /// The short form of an expression that needs nothing from the host.
    #[inline(always)]
    pub(crate) fn short_test(&self, expr: u32) -> Option<&Short> {
        let asks = self.asks.get(expr as usize);
        let short = self.exprs[expr as usize].short.as_ref();
        short.filter(|_| asks.is_none_or(|asks| asks.is_empty()))
    }

    /// For each node the one of another program that continues in its place, if a population gets that program: see
    /// [`Population::change_program`](crate::Population::change_program).
    pub fn nodes_in(&self, next: &Program) -> Vec<Option<NodeId>> {
        match matching::Matching::new(self, next) {
            Some(matching) => matching.nodes,
            None => self.behaviour.node_ids().map(Some).collect(),
        }
    }

    /// How many instructions a tick passes through, not counting loops.
    pub fn instructions(&self) -> usize {
        self.code.ops.len()
    }

    /// How many bits of state an agent has, not counting keys and columns.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }
}

impl Program {
    /// The key that gets the code of the faults of a node.
    pub(crate) fn fault_key(&self, node: NodeId) -> Option<KeyId> {
        self.fault_keys.get(node.index()).copied().flatten()
    }
}

/// The key that gets the code of the faults of each node: that of the nearest node, from itself upwards, that has one.
fn fault_keys(behaviour: &Behaviour) -> Vec<Option<KeyId>> {
    let nodes = behaviour.nodes();
    if nodes.iter().all(|node| node.hooks.on_fault.is_none()) {
        return Vec::new();
    }
    // So that no tick has to make these texts.
    for code in FaultKind::CODES {
        Text::new(code);
    }
    let mut keys: Vec<Option<KeyId>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        // Parents come before their children.
        let above = node.parent.and_then(|parent| keys[parent.index()]);
        keys.push(node.hooks.on_fault.or(above));
    }
    keys
}
