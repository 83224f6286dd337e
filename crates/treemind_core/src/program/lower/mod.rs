//! Lowering: from a tree to straight-line code. Sequences, selectors and inverters become wiring between registers.
//! Nodes that cannot be wired become instructions before, between and after their children.

mod choices;
mod decision;
mod enclosing;
mod exprs;
mod find;
mod gates;
mod guards_and_hooks;
mod leaves;
mod lists;
mod loops;
mod machine;
mod own;
mod parallel;
mod planner;
mod policy;
mod rules;
mod sent_events;
mod side;

use super::Named;
use super::Reported;
use super::args::ArgSlot;
use super::op::{Code, Mark, Op, Out, Range, Reach, Reg, SetStep, SkipTo, Slot};
use super::owners::{Owner, Owners};
use super::visits::Visits;
use crate::behaviour::{Behaviour, Family, Kind, Summary, Yields};
use crate::blackboard::{BoardLayout, Holds, Shape};
use crate::eval::ExprCode;
use crate::ids::{ArgRange, KeyId, LabelId, LeafId, NodeId};
use lists::MemoryList;
use side::Side;
use std::collections::HashMap;

pub(super) struct Lowered {
    pub(super) run: Shape,
    pub(super) slots: Vec<Slot>,
    pub(super) owners: Owners,
    pub(super) args: Vec<ArgSlot>,
    pub(super) exprs: Vec<ExprCode>,
    /// For each expression, the numbers of the sensed keys that it asks about; empty if no key is sensed.
    pub(super) asks: Vec<Box<[u32]>>,
    /// For each expression, what it names; `None` for literals.
    pub(super) named: Vec<Option<Named>>,
    pub(super) sets: Vec<SetStep>,
    /// The keys of scopes.
    pub(super) locals: Vec<KeyId>,
    pub(super) counters: u32,
    pub(super) loose: Vec<Range>,
    pub(super) reported: Vec<Reported>,
    pub(super) own_nodes: bool,
    pub(super) code: Code,
}

/// Lowers the tree; `traced` code reports every composite as well.
pub(super) fn lower(behaviour: &Behaviour, board: &BoardLayout, traced: bool) -> Lowered {
    let mailed = mailed(behaviour);
    let said = |event: &LeafId| behaviour.leaf(*event).params.len();
    let mut lowering = Lowering {
        behaviour,
        board,
        traced,
        summaries: behaviour.summaries(),
        run: Shape::default(),
        slots: vec![Slot::Alive],
        owner: Owner {
            node: behaviour.root(),
            copy: 0,
        },
        owners: Owners::default(),
        copies: HashMap::new(),
        args: Vec::new(),
        exprs: Vec::new(),
        asks: Vec::new(),
        named: Vec::new(),
        sets: Vec::new(),
        locals: Vec::new(),
        counters: 0,
        code: Code {
            registers: Reg::FIXED,
            most_values: mailed.iter().map(said).max().unwrap_or(0),
            mailed,
            ..Code::default()
        },
        counter_of: HashMap::new(),
        lasting_of: HashMap::new(),
        parts: Vec::new(),
        held_draws: HashMap::new(),
        loose_ranges: Vec::new(),
        reported: Vec::new(),
        own_nodes: false,
        machine_around: None,
        states_around: None,
        labels_around: Vec::new(),
        code_of_when: HashMap::new(),
    };
    let out = Out {
        success: Reg::ROOT_SUCCESS,
        failure: Reg::ROOT_FAILURE,
        skipped: SkipTo::plain(Reg::ROOT_SKIPPED),
    };
    let context = Context {
        reach: Reach {
            scope: Reg::TICKED,
            held: Reg::NONE,
        },
        observed: false,
        drop: false,
    };
    lowering.node(behaviour.root(), Reg::ROOT_INPUT, out, context);
    let main = lowering.code.ops.len();
    lowering.emit_parts();
    lowering.aim_interrupts(main);
    lowering.settle_owners();
    // Outer ranges before inner ones that begin with them.
    lowering
        .loose_ranges
        .sort_by_key(|range| (range.start, u32::MAX - range.end));
    let Lowering {
        run,
        slots,
        owners,
        args,
        exprs,
        asks,
        named,
        sets,
        locals,
        counters,
        loose_ranges: loose,
        reported,
        own_nodes,
        mut code,
        ..
    } = lowering;
    let waits = |index: &u32| code.machines[*index as usize].inbox.is_some();
    let mut listeners: Vec<u32> = (0..code.machines.len() as u32).filter(waits).collect();
    listeners.sort_by_key(|index| code.machines[*index as usize].node);
    code.listeners = listeners;
    let is_shared = |index: &u32| code.semaphores[*index as usize].shared;
    let mut shared: Vec<u32> = (0..code.semaphores.len() as u32)
        .filter(is_shared)
        .collect();
    shared.sort_by_key(|index| code.semaphores[*index as usize].around.node);
    code.shared_semaphores = shared;
    code.visits = Visits::of(&code, slots.len());
    Lowered {
        run,
        slots,
        owners,
        args,
        exprs,
        asks,
        named,
        sets,
        locals,
        counters,
        loose,
        reported,
        own_nodes,
        code,
    }
}

/// The events that nodes and expressions look for in the mailbox.
fn mailed(behaviour: &Behaviour) -> Vec<LeafId> {
    let nodes = behaviour.nodes().iter();
    let events = nodes.flat_map(|node| match &node.kind {
        Kind::Received { awaited, .. } => &awaited.events[..],
        _ => &[],
    });
    let heard = behaviour.keys().iter().filter_map(|key| key.heard);
    let heard = heard.map(|heard| heard.event);
    let mut events: Vec<LeafId> = events.copied().chain(heard).collect();
    events.sort_unstable();
    events.dedup();
    events
}

/// The context of a node, which depends on the nodes above it.
#[derive(Clone, Copy)]
struct Context {
    reach: Reach,
    /// A node above asks whether this one is live.
    observed: bool,
    /// When the node answers skipped, everything open in it is aborted at once.
    drop: bool,
}

struct Lowering<'a> {
    behaviour: &'a Behaviour,
    board: &'a BoardLayout,
    traced: bool,
    summaries: Vec<Summary>,
    run: Shape,
    slots: Vec<Slot>,
    /// The node whose code is emitted at the moment.
    owner: Owner,
    owners: Owners,
    /// How often code of a node was emitted.
    copies: HashMap<NodeId, u32>,
    args: Vec<ArgSlot>,
    exprs: Vec<ExprCode>,
    asks: Vec<Box<[u32]>>,
    named: Vec<Option<Named>>,
    sets: Vec<SetStep>,
    locals: Vec<KeyId>,
    counters: u32,
    code: Code,
    counter_of: HashMap<(NodeId, Count), u32>,
    lasting_of: HashMap<NodeId, [u32; 2]>,
    /// The catches that have their own part of the code outside the main one.
    parts: Vec<choices::Part>,
    /// The columns of the draws that decision trees keep, by node and test.
    held_draws: HashMap<(NodeId, u32), [u32; 3]>,
    loose_ranges: Vec<Range>,
    reported: Vec<Reported>,
    own_nodes: bool,
    /// The machine around the current node.
    machine_around: Option<u32>,
    /// The column of the first of its states.
    states_around: Option<u32>,
    /// The labels of the interruptibles around the current node.
    labels_around: Vec<LabelId>,
    /// For nodes that abort later ones: the register of agents that have passed the node's `when`, and the column with
    /// its value at the last look.
    code_of_when: HashMap<NodeId, (Reg, u32)>,
}

/// What most slots mean when they are set.
pub(crate) const RUNS: &str = "runs";

/// What a node counts within a tick.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Count {
    /// How often it has drawn.
    Draws,
    /// How often the child of a loop has ended, or the child that a host's own node asked for.
    Ends,
    /// How often it was reached.
    Ticks,
    /// At the root: how often loops went back.
    Turns,
    /// At the root: how many events were emitted with an audience.
    Posts,
    /// At the root: how many events came to the agent's own mailbox.
    KeptOwn,
    /// Which letters it has looked at.
    Letters,
}

impl Lowering<'_> {
    fn register(&mut self) -> Reg {
        self.code.registers += 1;
        Reg(self.code.registers - 1)
    }

    /// Adds a slot; `name` says what it means that it is set.
    fn slot(&mut self, slot: Slot, name: &'static str) -> u32 {
        self.owners.slot_names.resize(self.slots.len(), RUNS);
        self.owners.slot_names.push(name);
        self.slots.push(slot);
        self.slots.len() as u32 - 1
    }

    fn next_slot(&self) -> u32 {
        self.slots.len() as u32
    }

    fn range_from(&self, start: u32) -> Range {
        let end = self.next_slot();
        Range { start, end }
    }

    /// A counter of a node. All places with code of this node share it.
    fn counter(&mut self, node: NodeId, what: Count) -> u32 {
        let counters = &mut self.counters;
        *self.counter_of.entry((node, what)).or_insert_with(|| {
            *counters += 1;
            *counters - 1
        })
    }

    /// The columns in which a node remembers something beyond its runs. All places with code of this node share them.
    fn lasting(&mut self, node: NodeId, add: impl FnOnce(&mut Shape) -> [u32; 2]) -> [u32; 2] {
        let run = &mut self.run;
        *self.lasting_of.entry(node).or_insert_with(|| add(run))
    }

    /// What is known about a node before it runs.
    fn known(&self, id: NodeId) -> Summary {
        self.summaries[id.index()]
    }

    /// Emits the code of a node with its guards and hooks: it takes the agents in `input` and sends them to `out`.
    /// Returns its slots.
    fn node(&mut self, id: NodeId, input: Reg, out: Out, context: Context) -> Range {
        let node = self.behaviour.node(id);
        self.owned_by(id, |lowering| {
            let range = if node.guards.is_empty() && node.hooks.is_empty() {
                lowering.bare_node(id, input, out, context)
            } else {
                lowering.carrying_node(id, input, out, context)
            };
            lowering.owners.ranges.push((id, range));
            range
        })
    }

    /// Emits something whose slots and columns belong to a node.
    fn owned_by<T>(&mut self, node: NodeId, emit: impl FnOnce(&mut Self) -> T) -> T {
        self.settle_owners();
        let copies = self.copies.entry(node).or_default();
        let copy = *copies;
        *copies += 1;
        let around = std::mem::replace(&mut self.owner, Owner { node, copy });
        let result = emit(self);
        self.settle_owners();
        self.owner = around;
        result
    }

    fn settle_owners(&mut self) {
        let (owners, slots) = (&mut self.owners, self.slots.len());
        owners.extend(self.owner, slots, &self.run);
    }

    /// Emits the code of a node alone.
    fn bare_node(&mut self, id: NodeId, input: Reg, out: Out, context: Context) -> Range {
        let start = self.next_slot();
        let behaviour = self.behaviour;
        let node = behaviour.node(id);
        let is_leaf =
            node.children.is_empty() && !matches!(node.kind, Kind::Machine(_) | Kind::Decide(_));
        if self.traced && !is_leaf {
            let [entered, inner_input, success, failure, skipped] =
                std::array::from_fn(|_| self.register());
            let enter = self.code.ops.len();
            self.code.ops.push(Op::Enter {
                node: id,
                input,
                inner: inner_input,
                entered,
                exit: 0,
            });
            let inner = Out {
                success,
                failure,
                skipped: SkipTo::plain(skipped),
            };
            self.body(id, inner_input, inner, context);
            let place = self.code.ops.len() as u32;
            if let Op::Enter { exit, .. } = &mut self.code.ops[enter] {
                *exit = place;
            }
            self.code.ops.push(Op::Exit {
                node: id,
                entered,
                answers: [success, failure, skipped],
                out,
            });
        } else {
            self.body(id, input, out, context);
        }
        self.range_from(start)
    }

    fn list(
        &mut self,
        children: &[NodeId],
        go: Side,
        yields: Yields,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let list = MemoryList {
            children,
            go,
            yields,
            sticky: None,
            catch: None,
        };
        self.memory_list(&list, input, out, context);
    }

    /// Emits the code of a node alone, with what its children need from it: it marks where a run begins, and it closes
    /// the runs that they leave behind.
    fn body(&mut self, id: NodeId, input: Reg, out: Out, context: Context) {
        let node = self.behaviour.node(id);
        let start = self.next_slot();
        let counts: Vec<u32> = node
            .children
            .iter()
            .filter(|child| {
                let kind = &self.behaviour.node(**child).kind;
                matches!(
                    kind,
                    Kind::Limit {
                        per_parent: true,
                        ..
                    }
                )
            })
            .map(|child| {
                self.owned_by(*child, |lowering| {
                    lowering.lasting(*child, |run| [run.add_narrow(Holds::NUMBER, "runs"), 0])[0]
                })
            })
            .collect();
        let mut context = context;
        let mut input = input;
        let begun = (!counts.is_empty()).then(|| {
            context.observed = true;
            let index = self.run_begin(counts, input);
            input = self.code.run_begins[index].inner;
            index
        });
        let closes = node.kind.facts().family.is_composite()
            && node.children.iter().any(|child| self.known(*child).loose);
        if closes {
            let inner = Out {
                success: self.register(),
                failure: self.register(),
                skipped: if context.drop {
                    SkipTo::plain(self.register())
                } else {
                    out.skipped
                },
            };
            self.kind(id, input, inner, context);
            let range = self.range_from(start);
            self.close(inner, context.drop, range, out);
        } else {
            self.kind(id, input, out, context);
        }
        if let Some(index) = begun {
            self.code.run_begins[index].range = self.range_from(start);
        }
    }

    fn kind(&mut self, id: NodeId, input: Reg, out: Out, context: Context) {
        let behaviour = self.behaviour;
        let kind = &behaviour.node(id).kind;
        match (kind.facts().family, kind) {
            (Family::Leaf, _) => self.leaf(id, input, out, context),
            (Family::List, _) => self.list_kind(id, input, out, context),
            (Family::Draw, _) => self.draw_kind(id, input, out, context),
            (Family::Parallel, _) => self.parallel_kind(id, input, out, context),
            (Family::Choice, _) => self.choice_kind(id, input, out, context),
            (Family::Wrapper, _) => self.wrapper_kind(id, input, out, context),
            (Family::Gate, _) => self.gated(id, input, out, context),
            (Family::Loop, _) => self.loop_kind(id, input, out, context),
            (_, Kind::Machine(machine)) => self.machine(id, machine, input, out, context),
            (_, Kind::Own { leaf, args }) => self.own(id, (*leaf, args), input, out, context),
            (_, Kind::Planner(planner)) => self.planner(id, planner, input, out, context),
            (Family::Machine | Family::Planner | Family::Host, _) => wrong_family(kind),
        }
    }
}

/// An empty range of arguments.
const NO_ARGS: ArgRange = ArgRange {
    start: 0,
    end: 0,
    computed: false,
};

fn mark_first(tracking: Mark, index: usize) -> Mark {
    if index == 0 { tracking } else { Mark::None }
}

/// Called with a kind that does not belong to the family, which never happens.
fn wrong_family(kind: &Kind) -> ! {
    unreachable!("{} is not of its family", kind.keyword())
}
