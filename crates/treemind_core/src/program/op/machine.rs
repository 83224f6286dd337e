//! State machines: their tables. What states and transitions do is code of its own between the two instructions of a
//! machine, run piece by piece.

use super::ports::{Port, See, ins, outs};
use super::{DecideOp, Out, Range, Reach, Reg, Secs};
use crate::behaviour::{Depth, DoneWith};
use crate::blackboard::Column;
use crate::ids::{ArgRange, KeyId, LeafId, NodeId};

/// A piece of code that is run on demand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Piece {
    pub(crate) input: Reg,
    /// The registers of its answers: success, failure, skipped.
    pub(crate) answers: [Reg; 3],
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) slots: Range,
}

/// Conditions of a transition, or of a test in a decision tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tested {
    pub(crate) piece: Piece,
    /// The places of its conditions if it is only a condition or a `sequence` of conditions: without a trace they are
    /// asked directly.
    pub(crate) all: Vec<u32>,
}

/// The table by which a machine is ticked, for a single agent or for a crowd. It exists only for machines whose active
/// states are always a single state and the states around it, and whose transitions need nothing more: no parallel
/// states, no stack, no decision trees, no statechart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    /// Per state: the transitions from the state and from the states around it, in order of choice.
    pub(crate) rows: Vec<Vec<u32>>,
    /// Per transition, in order of choice; `None` if a history is used or written.
    pub(crate) moves: Vec<Option<Move>>,
    /// Whether any state or transition carries out tasks.
    pub(crate) has_tasks: bool,
}

/// The states that a transition leaves and enters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Move {
    /// Every active state inside this one is left; `None` if no state is left.
    pub(crate) domain: Option<u32>,
    /// The states to enter unless they are active, outer ones first. The flag says whether the state continues to its
    /// initial state, so that its initial tasks run.
    pub(crate) enters: Vec<(u32, bool)>,
}

/// How a state is entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// On the way to another.
    Pass(u32),
    /// And continues to its initial state.
    Descend(u32),
    /// And continues by an entry of the table of histories.
    Restore(u32, u32),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct History {
    pub(crate) of: u32,
    pub(crate) depth: Depth,
    pub(crate) fallback: Vec<Step>,
    pub(crate) tasks: Vec<Piece>,
}

/// The columns of bits with the remembered configuration of a state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    pub(crate) left: u32,
    /// Per state inside, in document order.
    pub(crate) inside: Vec<(u32, u32)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StateOp {
    pub(crate) parent: Option<u32>,
    /// The column of bits with the agents in it.
    pub(crate) active: u32,
    /// The same after the last event from outside was handled; statecharts only.
    pub(crate) stable: u32,
    pub(crate) entry: Vec<Piece>,
    pub(crate) exit: Vec<Piece>,
    pub(crate) activity: Option<Piece>,
    /// The columns of bits that say that the activity has ended: with success, with failure.
    pub(crate) over: [u32; 2],
    /// For composites: the initial states.
    pub(crate) initial: Vec<Step>,
    pub(crate) initial_tasks: Vec<Piece>,
    pub(crate) memory: Option<Memory>,
    /// The histories that lead into it.
    pub(crate) histories: Vec<u32>,
    /// Its final states, with success or failure.
    pub(crate) finals: Vec<(u32, bool)>,
    /// For a parallel: its states.
    pub(crate) regions: Vec<u32>,
    /// The transitions, by order of choice, that leave it when it is active.
    pub(crate) left_by: Vec<u32>,
    /// The transitions with times that its entry sets: their numbers in the document, and their places.
    pub(crate) timers: Vec<(u32, u32)>,
    /// The numbers of the transitions from it that are taken once in a tick, unless it is entered since.
    pub(crate) once: Vec<u32>,
    pub(crate) defers: Vec<LeafId>,
    pub(crate) done_event: Option<LeafId>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TriggerOp {
    Polled,
    Event(Vec<LeafId>),
    /// The times, and the wide column of the moment.
    After(Secs, u32),
    Done(DoneWith),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TransitionOp {
    /// Its number in the document.
    pub(crate) number: u32,
    pub(crate) source: u32,
    /// The states that it is chosen for: the atomic ones in its source, or the machine where one is active at a time.
    pub(crate) chosen_for: Vec<u32>,
    pub(crate) trigger: TriggerOp,
    pub(crate) when: Option<u32>,
    pub(crate) conditions: Option<Tested>,
    /// The state below its source that must not be active.
    pub(crate) unless_active: Option<u32>,
    pub(crate) enter_ifs: Vec<u32>,
    pub(crate) entries: Vec<Step>,
    pub(crate) tasks: Vec<Piece>,
    /// Transitions earlier in the document that it conflicts with, in document order, and whether it wins.
    pub(crate) conflicts: Vec<(u32, bool)>,
    pub(crate) payload: Vec<KeyId>,
    pub(crate) stack: StackUse,
    pub(crate) decided: Option<DecidedOp>,
}

/// A decision tree chooses this transition or one of those after it in the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DecidedOp {
    pub(crate) by: u32,
    pub(crate) leaf: u32,
    /// How many there are.
    pub(crate) leaves: u32,
    /// Whether it leads out of its source, or into it again: then a draw that led to it is used up.
    pub(crate) uses_draws: bool,
}

/// What a transition does to the stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StackUse {
    Keep,
    /// Remembers the active states inside that state.
    Push(u32),
    /// Taken when the last entry belongs to that state.
    Pop(u32),
    /// Refused, because nothing is remembered.
    PopNothing,
}

/// The columns of a stack of configurations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StackOp {
    pub(crate) depth: u32,
    /// The states that an entry may belong to.
    pub(crate) domains: Vec<u32>,
    /// Per level: the state that the entry belongs to (narrow), and the bits of each state.
    pub(crate) levels: Vec<(u32, Vec<u32>)>,
}

/// The columns of waiting events.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inbox {
    /// Narrow: their number.
    pub(crate) count: u32,
    /// Narrow, the first of [`MAX_EVENTS`](crate::behaviour::MAX_EVENTS) each: which, and in which tick they came.
    pub(crate) events: u32,
    pub(crate) ticks: u32,
    /// The parameters of one after the other, `params` each.
    pub(crate) payload: Column,
    pub(crate) params: u32,
    /// The events that are accepted.
    pub(crate) listens: Vec<LeafId>,
}

/// The columns of events that a machine has sent to itself, those that come first in front.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Delayed {
    /// Their names are stored in place of the ticks in which they came.
    pub(crate) queue: Inbox,
    /// Wide, the first of [`MAX_EVENTS`](crate::behaviour::MAX_EVENTS): when they come.
    pub(crate) due: u32,
}

/// An event comes to the machine around it later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PostOp {
    pub(crate) node: NodeId,
    pub(crate) event: LeafId,
    pub(crate) args: ArgRange,
    pub(crate) input: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    /// The machine that contains it.
    pub(crate) around: Option<u32>,
    pub(crate) later: Later,
}

/// When a machine sends an event to itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Later {
    pub(crate) secs: Secs,
    /// The expression of its name.
    pub(crate) id: Option<u32>,
    /// The columns for the computed moment (wide) and name (narrow).
    pub(crate) moment: u32,
    pub(crate) name: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CancelOp {
    pub(crate) node: NodeId,
    /// The expression of the name.
    pub(crate) id: u32,
    pub(crate) input: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    pub(crate) around: Option<u32>,
}

/// The first register of each row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MachineRegs {
    /// Per transition, in order of choice.
    pub(crate) taken: u32,
    /// Per number in the document: taken in this tick, and its source was not entered since; statecharts only.
    pub(crate) spent: u32,
    /// Per state.
    pub(crate) chosen: u32,
    pub(crate) entering: u32,
    pub(crate) descending: u32,
    pub(crate) entered: u32,
    /// Left in this tick, in a statechart since the last event from outside; where events or microsteps matter.
    pub(crate) left: u32,
    /// Per history.
    pub(crate) restoring: u32,
    /// Per event that waits.
    pub(crate) consumed: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MachineOp {
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    pub(crate) out: Out,
    pub(crate) reach: Reach,
    /// Answers on their way to the end of its code.
    pub(crate) ended: [Reg; 2],
    /// Set while it runs.
    pub(crate) slot: u32,
    pub(crate) statechart: bool,
    /// The narrow column of the microsteps since an event from outside; statecharts only.
    pub(crate) microsteps: u32,
    pub(crate) max_microsteps: u32,
    /// The narrow column of how many events of the inbox were offered in this tick and are still in it; statecharts
    /// only.
    pub(crate) offered: u32,
    /// In document order.
    pub(crate) states: Vec<StateOp>,
    /// In the order in which they are checked.
    pub(crate) transitions: Vec<TransitionOp>,
    /// The states that any transition is chosen for.
    pub(crate) chosen_for: Vec<u32>,
    /// Positions of the transitions in document order.
    pub(crate) by_document: Vec<u32>,
    pub(crate) histories: Vec<History>,
    pub(crate) deciders: Vec<DecideOp>,
    pub(crate) regs: MachineRegs,
    pub(crate) table: Option<Table>,
    pub(crate) inbox: Option<Inbox>,
    pub(crate) raised: Option<Inbox>,
    pub(crate) delayed: Option<Delayed>,
    pub(crate) stack: Option<StackOp>,
    /// The interruptibles around it.
    pub(crate) interruptibles: Vec<u32>,
    /// The slots of all activities.
    pub(crate) activities: Range,
    /// Where its first instruction is.
    pub(crate) begin: u32,
    /// Where its second instruction is.
    pub(crate) end: u32,
}

impl MachineOp {
    pub(super) fn begin_ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        see(Port::Slot(self.slot));
        see(Port::LoopUntil(self.end));
        for ended in self.ended {
            see(Port::OutPast(ended));
        }
    }

    pub(super) fn end_ports(&self, see: See<'_>) {
        ins(self.ended, see);
        see(Port::LastSlot(self.slot));
        outs([self.out.success, self.out.failure], see);
    }
}
