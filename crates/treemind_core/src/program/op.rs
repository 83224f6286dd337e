//! The instructions.
//!
//! A register holds a bit per agent of a chunk. An instruction takes its input register (reads it and clears it)
//! and adds agents to the registers of its answers. Between ticks every register is clear.
//!
//! *Slots* are the run bits: a bit per agent for everything that can be running by itself, numbered so that what is
//! below a node is one range, children first.
//!
//! A sweep visits only the instructions that have something to do: whoever fills a register makes its one consumer
//! *pending*, and at the start of a sweep whatever has a slot in use is made pending too.
//!
//! An agent that an instruction finds running but not in its input was not reached by the sweep of this tick: its
//! run is stale and is aborted then and there, which gives the order of take-overs. *Scope* registers say which
//! agents the sweep is about, *held* ones which of them are to be left alone.

use super::args::ArgRange;
use super::visits::Visits;
use crate::ids::{KeyId, LeafId, NodeId};
use crate::status::Status;

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
    /// Nobody has to be told when it is cleared.
    Quiet,
    /// A run of an action of the host.
    Action {
        node: NodeId,
        leaf: LeafId,
        args: ArgRange,
    },
    /// What a watch wants done when what it watches is aborted.
    Hook(u32),
}

/// Where a list keeps which agents have so far had nothing but skipped children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    /// A column of bits, kept from tick to tick.
    Bits(u32),
    Reg(Reg),
}

/// Where agents go that were skipped.
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

/// Where agents go, by answer. Those that run go nowhere: their run bits say so.
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

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ConditionOp {
    pub(crate) node: NodeId,
    pub(crate) leaf: LeafId,
    pub(crate) args: ArgRange,
    pub(crate) negated: bool,
    pub(crate) input: Reg,
    pub(crate) out: Out,
    /// Where agents go that answered running; `NONE` for nowhere.
    pub(crate) running: Reg,
    /// Remembers that the answer was running, where somebody asks.
    pub(crate) slot: Option<u32>,
    pub(crate) reach: Reach,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ActionOp {
    pub(crate) node: NodeId,
    pub(crate) leaf: LeafId,
    pub(crate) args: ArgRange,
    pub(crate) input: Reg,
    pub(crate) out: Out,
    pub(crate) slot: u32,
    pub(crate) reach: Reach,
    /// A run that answers skipped is aborted at once.
    pub(crate) drop: bool,
    pub(crate) instant: bool,
}

/// How long a `wait` takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WaitTime {
    Nanos(u64),
    /// A literal that is no duration.
    Bad,
    Expr(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WaitOp {
    pub(crate) node: NodeId,
    pub(crate) time: WaitTime,
    pub(crate) input: Reg,
    pub(crate) out: Out,
    pub(crate) slot: u32,
    pub(crate) deadline: u32,
    pub(crate) reach: Reach,
}

/// A child of a memory list, as its `Resume` sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ResumeChild {
    /// Its slots, with the one that says that it is next.
    pub(crate) range: Range,
    /// Its slots alone.
    pub(crate) own: Range,
    pub(crate) input: Reg,
    /// Receives the agents that go on at a later child while this one is open; `NONE` where that cannot be.
    pub(crate) held: Reg,
    /// Receives the agents that go on inside the child; `NONE` where nobody asks.
    pub(crate) continued: Reg,
}

/// Where a sticky list remembers its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sticky {
    /// The narrow column of the child's number.
    pub(crate) place: u32,
    /// Says that a run began that has not ended, where an abort forgets the place.
    pub(crate) begun: Option<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Resume {
    pub(crate) children: Vec<ResumeChild>,
    pub(crate) mark: Mark,
    pub(crate) sticky: Option<Sticky>,
    /// Who is held with the whole list, and where the list ends in the code.
    pub(crate) held: Reg,
    pub(crate) end: u32,
}

/// Between two children of a list: agents go on, or wait for the next tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct YieldOp {
    pub(crate) from: Reg,
    /// Agents that have waited.
    pub(crate) resumed: Reg,
    pub(crate) to: Reg,
    pub(crate) slot: u32,
    /// Those whose child ran before this tick do not wait; `NONE` where all wait.
    pub(crate) continued: Reg,
    pub(crate) reach: Reach,
}

/// Before a child of a sticky list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlaceOp {
    pub(crate) column: u32,
    pub(crate) index: u32,
    pub(crate) go: Reg,
    pub(crate) skipped: Reg,
    pub(crate) out_go: Reg,
    pub(crate) out_skipped: Reg,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ListEnd {
    /// The answer that went on to the end, the one that ended the list early, and skipped ones of the last child.
    pub(crate) go: Reg,
    pub(crate) stop: Reg,
    pub(crate) skipped: Reg,
    pub(crate) mark: Mark,
    pub(crate) sticky: Option<Sticky>,
    /// What is aborted when the list ends.
    pub(crate) close: Range,
    /// Skipped as a whole, open children stay open.
    pub(crate) keep_open: bool,
    pub(crate) out_go: Reg,
    pub(crate) out_stop: Reg,
    pub(crate) out_skipped: SkipTo,
}

/// A threshold of a parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quorum {
    Count(u32),
    /// That many, and skipped children count towards it unless all were skipped so far.
    Present(u32),
    /// That many, and skipped children count towards it.
    PresentEvenNone(u32),
    Exactly(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ParallelChild {
    pub(crate) input: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    pub(crate) skipped: Reg,
    /// The slots that say that it has finished, success first; `None` for children that are asked every tick.
    pub(crate) done: Option<[u32; 2]>,
    /// Everything of the parallel up to and with this child.
    pub(crate) upto: Range,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parallel {
    /// Where its `ParallelEnter`s, `ParallelCheck`s and its end are.
    pub(crate) places: Vec<u32>,
    /// It is a monitor: any failure counts before success.
    pub(crate) watching: bool,
    pub(crate) input: Reg,
    /// The agents whose run goes on.
    pub(crate) current: Reg,
    /// Of those, the agents for which all children were skipped so far.
    pub(crate) all_skipped: Reg,
    /// The first of `planes` registers each: bits of the numbers of successes, failures, skipped.
    pub(crate) counts: [Reg; 3],
    pub(crate) planes: u32,
    pub(crate) success: Quorum,
    pub(crate) failure: Quorum,
    /// It looks at the end only, and fails with that many failures.
    pub(crate) to_the_end: Option<u32>,
    /// More failures than this, and success can no longer be met.
    pub(crate) spare_failures: u32,
    /// How many children count.
    pub(crate) tasks: u32,
    pub(crate) children: Vec<ParallelChild>,
    pub(crate) reach: Reach,
    pub(crate) drop: bool,
    pub(crate) out: Out,
}

/// How often a loop runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LoopTimes {
    Forever,
    Literal(u32),
    /// An `int` expression, kept in a narrow column while the loop runs.
    Expr {
        expr: u32,
        column: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Loop {
    /// Where its `LoopEnd` is.
    pub(crate) end: u32,
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    pub(crate) body: Reg,
    /// The answer that makes it run again, and skipped.
    pub(crate) again: Reg,
    pub(crate) skipped: Reg,
    /// The answer that ends the loop; `NONE` where it goes straight to where the loop's answer goes.
    pub(crate) stop: Reg,
    pub(crate) out_stop: Reg,
    pub(crate) child: Range,
    /// Set between two runs.
    pub(crate) between: u32,
    pub(crate) count: Option<u32>,
    pub(crate) times: LoopTimes,
    pub(crate) yields: crate::behaviour::Yields,
    /// The counter of ends in this tick.
    pub(crate) ends: u32,
    /// The agents whose child ran before this tick; the scope of the body. Both only where there is a way back.
    pub(crate) continued: Reg,
    pub(crate) scope: Reg,
    pub(crate) reach: Reach,
    pub(crate) drop: bool,
    pub(crate) out_done: Reg,
    pub(crate) out_failure: Reg,
    pub(crate) out_skipped: SkipTo,
    /// A skipped child stays open and the loop runs on.
    pub(crate) keeps_running: bool,
    pub(crate) body_start: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RandomChild {
    pub(crate) input: Reg,
    pub(crate) range: Range,
    /// The column of bits that says that it was tried.
    pub(crate) tried: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Random {
    /// Where its `RandomEnd` is.
    pub(crate) end: u32,
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    pub(crate) children: Vec<RandomChild>,
    /// The answer after which another child is drawn, and skipped.
    pub(crate) go: Reg,
    pub(crate) skipped: Reg,
    /// The column of bits that says that a child has answered `go` in this run.
    pub(crate) went: u32,
    /// The counter of draws in this tick.
    pub(crate) draws: u32,
    /// The expressions of the weights, one per child; none when all weigh the same.
    pub(crate) weights: Vec<u32>,
    /// With replacement: set between two draws.
    pub(crate) between: Option<u32>,
    pub(crate) reach: Reach,
    pub(crate) scope: Reg,
    pub(crate) out_go: Reg,
    pub(crate) out_skipped: SkipTo,
    pub(crate) body_start: u32,
}

/// What looks before its one child is ticked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gate {
    pub(crate) node: NodeId,
    pub(crate) kind: GateKind,
    pub(crate) input: Reg,
    pub(crate) body: Reg,
    pub(crate) child: Range,
    pub(crate) out: Out,
    pub(crate) reach: Reach,
}

/// Columns are wide for times and narrow for counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GateKind {
    Limit {
        runs: u32,
        count: u32,
    },
    Cooling {
        until: u32,
        else_skipped: bool,
    },
    Timeout {
        secs: u32,
        deadline: u32,
    },
    Delay {
        secs: u32,
        deadline: u32,
        slot: u32,
    },
    Chance {
        probability: u32,
        draws: u32,
    },
    /// The columns of bits that say how the child ended.
    Once {
        success: u32,
        failure: u32,
        then_skip: bool,
    },
}

/// Writes down how a child ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Remember {
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    pub(crate) columns: [u32; 2],
    pub(crate) out: Out,
}

/// The tests before a node; expressions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Guard {
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    pub(crate) body: Reg,
    /// With what is answered when it holds; looked at when the node is not live.
    pub(crate) before: [Option<(u32, Status)>; 3],
    pub(crate) while_holds: Option<u32>,
    pub(crate) while_else: Status,
    pub(crate) inside: Range,
    pub(crate) out: Out,
}

/// A run of assignments: the first, and how many.
pub(crate) type SetRange = (u32, u32);

/// The statements after a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct After {
    pub(crate) node: NodeId,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    pub(crate) on_success: SetRange,
    pub(crate) on_failure: SetRange,
    pub(crate) on_end: SetRange,
    pub(crate) out: Out,
}

/// Sees how what is inside ends, also when it is aborted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Watch {
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    pub(crate) inner: Reg,
    pub(crate) entered: Reg,
    pub(crate) answers: [Reg; 3],
    /// Set while something inside is live.
    pub(crate) slot: u32,
    pub(crate) inside: Range,
    pub(crate) hook: Hook,
    pub(crate) reach: Reach,
    pub(crate) drop: bool,
    pub(crate) out: Out,
}

/// What a watch does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hook {
    /// At every end the cooling begins: seconds, and the wide column of its end.
    Cool { secs: u32, until: u32 },
    /// When aborted, statements.
    Statements(SetRange),
    /// When aborted, a part of the code beyond the main one is run once.
    Catch { part: u32 },
}

/// A part of the code beyond the main one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CodePart {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) input: Reg,
    /// Where all answers go.
    pub(crate) answers: Reg,
    pub(crate) slots: Range,
}

/// A test that is asked every tick, and two branches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Choice {
    pub(crate) input: Reg,
    pub(crate) entered: Reg,
    pub(crate) test: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    pub(crate) skipped: Reg,
    pub(crate) then_input: Reg,
    /// Where agents go whose test failed: the second branch, or out.
    pub(crate) else_input: Reg,
    pub(crate) then_range: Range,
    pub(crate) else_range: Range,
    /// Receives the agents whose branch is left as it is.
    pub(crate) held: Reg,
    pub(crate) outer_held: Reg,
    /// Skipped agents on their way past the branches.
    pub(crate) passing: Reg,
    pub(crate) drop: bool,
    pub(crate) out_skipped: SkipTo,
    /// Where its `ChoiceEnd` is.
    pub(crate) end: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Switch {
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    /// The expressions of the cases, in order of the children.
    pub(crate) cases: Vec<u32>,
    /// Inputs and slots; one beyond the cases is the default.
    pub(crate) children: Vec<(Reg, Range)>,
    pub(crate) once: bool,
    pub(crate) out_failure: Reg,
}

/// One assignment of a `set`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SetStep {
    pub(crate) key: KeyId,
    pub(crate) expr: u32,
}

/// One instruction. Larger ones stand in tables of their own beside the code.
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
    WatchBegin(u32),
    WatchEnd(u32),
    ChoiceBegin(u32),
    Choose(u32),
    ChoiceEnd(u32),
    Switch(u32),
    Guard(u32),
    After(u32),
    /// Traced code only: a composite was reached.
    Enter {
        node: NodeId,
        input: Reg,
        inner: Reg,
        entered: Reg,
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
    pub(crate) randoms: Vec<Random>,
    pub(crate) yields: Vec<YieldOp>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) remembers: Vec<Remember>,
    pub(crate) watches: Vec<Watch>,
    pub(crate) parts: Vec<CodePart>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) switches: Vec<Switch>,
    pub(crate) guards: Vec<Guard>,
    pub(crate) afters: Vec<After>,
    pub(crate) visits: Visits,
}
