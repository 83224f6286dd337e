//! The instructions.
//!
//! A register holds a bit per agent of a chunk. An instruction takes its input register (reads it and clears it)
//! and adds agents to the registers of its answers. Between ticks every register is clear.
//!
//! *Slots* are the run bits: a bit per agent for everything that can be running by itself, numbered so that what is
//! below a node is one range, children first.
//!
//! A sweep visits only the instructions that have something to do: an instruction that fills a register makes its one
//! consumer *pending*, and at the start of a sweep every instruction with a slot in use is made pending too.
//!
//! An agent that an instruction finds running but not in its input was not reached by the sweep of this tick: its
//! run is stale and is aborted then and there, which gives the order of take-overs. *Scope* registers say which
//! agents the sweep is about, *held* ones which of them are to be left alone.
//!
//! An instruction says once what it takes, gives and looks after: its *ports*. They determine which instructions are
//! visited ([`Visits`]), and where a single agent comes out.

mod choices;
mod decision;
mod enclosing;
mod find;
mod gates;
mod leaves;
mod lists;
mod loops;
mod machine;
mod parallel;
mod planner;
mod ports;
mod rules;

use super::visits::Visits;
use crate::ids::{ArgRange, LeafId, NodeId};
pub(crate) use choices::{Again, Choice, Switch};
pub(crate) use decision::{BestOption, DecideLeaf, DecideOp, DecideStep, KeptDraw, KeptFor, To};
pub(crate) use enclosing::{
    Around, Auction, Backed, Close, Interrupt, Interruptible, Loose, Own, OwnChild, RunBegin,
    SemaphoreOp,
};
pub(crate) use find::{Asked, FindMemory, FindOp, FindSource, MeasureArg, MeasureOp};
pub(crate) use gates::{
    After, CodePart, Gate, GateKind, Guard, Hook, Keeps, Leave, Preempt, PreemptChild, Remember,
    Secs, ServiceOp, SetRange, Watch,
};
pub(crate) use leaves::{
    ActionOp, ChangedOp, ConditionOp, EmitOp, PolicyOp, RateOp, ReceivedOp, SetStep, WaitOp,
};
pub(crate) use lists::{LeftOpen, ListEnd, PlaceOp, Resume, ResumeChild, Sticky, YieldOp};
pub(crate) use loops::{Each, Loop, LoopTimes, Random, RandomChild, Reread, Utility};
pub(crate) use machine::{
    CancelOp, DecidedOp, Delayed, History, Inbox, Later, MachineOp, MachineRegs, Memory, Move,
    Piece, PostOp, StackOp, StackUse, StateOp, Step, Table, Tested, TransitionOp, TriggerOp,
};
pub(crate) use parallel::{Parallel, ParallelChild, Quorum};
pub(crate) use planner::{
    GoalOp, KeptFact, PlanColumns, PlannerChild, PlannerMemory, PlannerOp, SearchMemory,
};
pub(crate) use ports::Port;
pub(crate) use rules::{RuleOp, RuleTaskOp};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reg(pub(crate) u32);

impl Reg {
    /// Always clear.
    pub(crate) const NONE: Reg = Reg(0);
    /// The agents that are ticked.
    pub(crate) const TICKED: Reg = Reg(1);
    pub(crate) const ROOT_SUCCESS: Reg = Reg(2);
    pub(crate) const ROOT_FAILURE: Reg = Reg(3);
    pub(crate) const ROOT_SKIPPED: Reg = Reg(4);
    pub(crate) const ROOT_INPUT: Reg = Reg(5);
    /// How many registers have a fixed meaning.
    pub(crate) const FIXED: u32 = 6;
}

/// A run of slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Range {
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// What a slot stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The agent is there. Always the first slot.
    Alive,
    /// No notice is needed when it is cleared.
    Quiet,
    /// A run of an action of the host.
    Action {
        node: NodeId,
        leaf: LeafId,
        args: ArgRange,
    },
    /// The effect of a watch when the node that it watches is aborted.
    Hook(u32),
    /// A machine runs.
    Machine(u32),
    /// A child runs that is left open when it is aborted: an entry of the table of `LeftOpen`.
    Keeper(u32),
}

/// Where a list keeps the agents whose children were all skipped so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    /// A column of bits, kept from tick to tick.
    Bits(u32),
    Reg(Reg),
}

/// Where skipped agents go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SkipTo {
    pub(crate) to: Reg,
    pub(crate) mark: Mark,
}

impl SkipTo {
    pub(crate) fn plain(to: Reg) -> Self {
        Self {
            to,
            mark: Mark::None,
        }
    }
}

/// Where agents go, by answer. Running agents go nowhere: their run bits are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Out {
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    pub(crate) skipped: SkipTo,
}

/// Which running agents are stale: `scope & !held & !input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    pub(crate) scope: Reg,
    pub(crate) held: Reg,
}

/// One instruction. Larger ones have separate tables beside the code.
// The representation is given so that the tag is a byte of its own: found in the gaps of other fields, it takes
// several instructions to read.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub(crate) enum Op {
    Condition(ConditionOp),
    Action(ActionOp),
    Check {
        node: NodeId,
        expr: u32,
        input: Reg,
        success: Reg,
        failure: Reg,
    },
    /// `count` steps of the table of assignments.
    Set {
        node: NodeId,
        start: u32,
        count: u32,
        input: Reg,
        success: Reg,
        failure: Reg,
    },
    Wait(u32),
    /// `succeed` and `fail`.
    Constant {
        node: NodeId,
        success: bool,
        input: Reg,
        to: Reg,
    },
    Run {
        node: NodeId,
        input: Reg,
        slot: u32,
        reach: Reach,
    },
    Resume {
        input: Reg,
        resume: u32,
    },
    /// Agents in `from` have had a child that was not skipped.
    Unskip {
        from: Reg,
        to: Reg,
        mark: Mark,
    },
    ListEnd(u32),
    ParallelBegin(u32),
    ParallelEnter {
        parallel: u32,
        child: u32,
    },
    ParallelCheck {
        parallel: u32,
        child: u32,
    },
    ParallelEnd(u32),
    LoopBegin(u32),
    LoopEnd(u32),
    RandomBegin(u32),
    RandomEnd(u32),
    Yield(u32),
    Place(PlaceOp),
    Gate(u32),
    Remember(u32),
    Leave(u32),
    WatchBegin(u32),
    WatchEnd(u32),
    ChoiceBegin(u32),
    Choose(u32),
    ChoiceEnd(u32),
    Switch(u32),
    Guard(u32),
    After(u32),
    Preempt(u32),
    RunBegin(u32),
    Interrupt(u32),
    InterruptibleBegin(u32),
    InterruptibleEnd(u32),
    SemaphoreBegin(u32),
    SemaphoreEnd(u32),
    LooseBegin(u32),
    LooseEnd(u32),
    Close(u32),
    BackedBegin(u32),
    BackedTask(u32),
    BackedEnd(u32),
    OwnBegin(u32),
    OwnCheck {
        own: u32,
        child: u32,
    },
    OwnEnd(u32),
    Decide(u32),
    PlannerBegin(u32),
    PlannerEnd(u32),
    MachineBegin(u32),
    MachineEnd(u32),
    Post(u32),
    Cancel(u32),
    Changed(ChangedOp),
    Log {
        node: NodeId,
        input: Reg,
        success: Reg,
    },
    Emit(EmitOp),
    Received(u32),
    Rate(u32),
    Find(u32),
    Policy(u32),
    Rule(u32),
    RuleTask(u32),
    /// Traced code only: a composite was reached.
    Enter {
        node: NodeId,
        input: Reg,
        inner: Reg,
        entered: Reg,
        /// Where its `Exit` is.
        exit: u32,
    },
    /// Traced code only: a composite answered.
    Exit {
        node: NodeId,
        entered: Reg,
        answers: [Reg; 3],
        out: Out,
    },
}

/// Instructions with their tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) registers: u32,
    pub(crate) waits: Vec<WaitOp>,
    pub(crate) resumes: Vec<Resume>,
    pub(crate) list_ends: Vec<ListEnd>,
    pub(crate) parallels: Vec<Parallel>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) eaches: Vec<Each>,
    pub(crate) randoms: Vec<Random>,
    pub(crate) yields: Vec<YieldOp>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) remembers: Vec<Remember>,
    pub(crate) leaves: Vec<Leave>,
    pub(crate) watches: Vec<Watch>,
    pub(crate) parts: Vec<CodePart>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) switches: Vec<Switch>,
    pub(crate) guards: Vec<Guard>,
    pub(crate) afters: Vec<After>,
    pub(crate) preempts: Vec<Preempt>,
    pub(crate) run_begins: Vec<RunBegin>,
    pub(crate) interrupts: Vec<Interrupt>,
    pub(crate) interruptibles: Vec<Interruptible>,
    pub(crate) semaphores: Vec<SemaphoreOp>,
    /// Those that agents share, in the order of their nodes.
    pub(crate) shared_semaphores: Vec<u32>,
    /// The counters of the events that an agent has emitted with an audience, and of those without that come to its
    /// mailbox, if there are any.
    pub(crate) posted: u32,
    pub(crate) kept_own: u32,
    /// Whether agents post events that are delivered at the end of a step.
    pub(crate) has_post: bool,
    /// Whether it emits events to single agents.
    pub(crate) has_addresses: bool,
    /// How many values such an event, or one that comes to a mailbox, has at most.
    pub(crate) most_values: usize,
    /// The events that come to the mailboxes of agents, in the order of their ids.
    pub(crate) mailed: Vec<LeafId>,
    pub(crate) receipts: Vec<ReceivedOp>,
    pub(crate) rates: Vec<RateOp>,
    pub(crate) finds: Vec<FindOp>,
    pub(crate) policies: Vec<PolicyOp>,
    pub(crate) rules: Vec<RuleOp>,
    pub(crate) rule_tasks: Vec<RuleTaskOp>,
    pub(crate) looses: Vec<Loose>,
    pub(crate) closes: Vec<Close>,
    pub(crate) backeds: Vec<Backed>,
    pub(crate) owns: Vec<Own>,
    pub(crate) planners: Vec<PlannerOp>,
    pub(crate) services: Vec<ServiceOp>,
    pub(crate) decisions: Vec<DecideOp>,
    pub(crate) machines: Vec<MachineOp>,
    /// The machines that wait for events, in the order of their nodes.
    pub(crate) listeners: Vec<u32>,
    pub(crate) posts: Vec<PostOp>,
    pub(crate) cancels: Vec<CancelOp>,
    pub(crate) left_open: Vec<LeftOpen>,
    pub(crate) visits: Visits,
}

impl Code {
    /// The nodes with a semaphore that agents share, in document order; none if each agent has its own.
    pub(crate) fn shared_semaphores_of(
        &self,
        semaphore: usize,
    ) -> impl Iterator<Item = &SemaphoreOp> {
        let shared = self.shared_semaphores.iter();
        shared
            .map(|index| &self.semaphores[*index as usize])
            .filter(move |op| op.semaphore.index() == semaphore)
    }
}
