//! The instructions around a node: gates before it, watches that see how it ends, guards and statements.

use super::ports::{Port, See, ins, slots};
use super::{Mark, Out, Range, Reach, Reg};
use crate::ids::{ArgRange, KeyId, LeafId, NodeId};
use crate::status::Status;

/// An instruction that looks before its only child is ticked.
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
    /// `kept` is the slot of the watch around it, if a child that is skipped at once does not end the run.
    Timeout {
        secs: Secs,
        deadline: u32,
        kept: Option<u32>,
    },
    Delay {
        secs: Secs,
        deadline: u32,
        slot: u32,
        kept: Option<u32>,
    },
    Chance {
        probability: u32,
        draws: u32,
    },
    /// An entry of the table of services.
    Service(u32),
    /// The columns of bits that say how the child ended.
    Once {
        success: u32,
        failure: u32,
        then_skip: bool,
    },
    /// Lets agents through if their key was written since the last look. The slot is set while an agent waits for
    /// that.
    OnChange {
        key: KeyId,
        waiting: Option<u32>,
        keeps: Option<Keeps>,
    },
    /// Lets all agents through. Agents that begin find a range of the table of local keys at their defaults.
    Scope {
        locals: (u32, u32),
    },
}

/// A child that stays open when it is aborted: the slot that is set while it runs, and an entry of the table of
/// `LeftOpen`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Keeps {
    pub(crate) slot: u32,
    pub(crate) left: u32,
}

impl GateKind {
    /// The slot that is set while an agent waits in front of the gate.
    pub(crate) fn waiting(self) -> Option<u32> {
        match self {
            GateKind::Delay { slot, .. } => Some(slot),
            GateKind::OnChange { waiting, .. } => waiting,
            _ => None,
        }
    }

    /// What it leaves open.
    pub(crate) fn keeps(self) -> Option<Keeps> {
        match self {
            GateKind::OnChange { keeps, .. } => keeps,
            _ => None,
        }
    }

    /// The slot that is set while its run goes on.
    pub(crate) fn kept_mut(&mut self) -> Option<&mut u32> {
        match self {
            GateKind::Timeout { kept, .. } | GateKind::Delay { kept, .. } => kept.as_mut(),
            _ => None,
        }
    }
}

/// What a service decorator calls, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ServiceOp {
    pub(crate) leaf: LeafId,
    pub(crate) args: ArgRange,
    /// The expressions of the time between two calls.
    pub(crate) secs: Secs,
    /// The wide column of the time of the next call.
    pub(crate) due: u32,
}

/// A length of time: an expression, and perhaps an expression for the most that is added at random, with the counter
/// of draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Secs {
    pub(crate) expr: u32,
    pub(crate) jitter: Option<(u32, u32)>,
}

/// Records how a child ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Remember {
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    pub(crate) columns: [u32; 2],
    pub(crate) out: Out,
}

/// After a child that stays open when it is skipped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leave {
    pub(crate) answers: [Reg; 3],
    pub(crate) keeps: Keeps,
    pub(crate) out: Out,
}

/// The tests before a node, which are expressions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Guard {
    pub(crate) node: NodeId,
    /// The key for the codes of faults, as a range of the program's locals.
    pub(crate) codes: (u32, u32),
    pub(crate) input: Reg,
    pub(crate) body: Reg,
    /// Each test with its answer when it holds. They are evaluated while the node is not live.
    pub(crate) before: [Option<(u32, Status)>; 3],
    pub(crate) while_holds: Option<u32>,
    pub(crate) while_else: Status,
    /// Agents that have already passed the first test; `NONE` if the test cannot be evaluated earlier.
    pub(crate) passed: Reg,
    /// The column of bits with the result of the first test when it was last evaluated.
    pub(crate) held_last: Option<u32>,
    pub(crate) inside: Range,
    pub(crate) out: Out,
}

/// Before a selector continues at a later child: earlier children take over if their `when` has become true in the
/// meantime.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Preempt {
    pub(crate) input: Reg,
    /// Where agents go otherwise: to the selector's `Resume`.
    pub(crate) otherwise: Reg,
    pub(crate) children: Vec<PreemptChild>,
    /// Where the selector marks the agents whose children were all skipped so far.
    pub(crate) mark: Mark,
    /// The slots of the whole selector.
    pub(crate) whole: Range,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PreemptChild {
    pub(crate) node: NodeId,
    /// The expression that holds when the child must not run.
    pub(crate) fail_if: u32,
    pub(crate) held_last: u32,
    pub(crate) passed: Reg,
    pub(crate) input: Reg,
    /// The slots of the later children.
    pub(crate) lower: Range,
}

/// A range of assignments: the first, and how many.
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

/// Sees how the node inside ends, also when it is aborted.
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
    /// Where its `WatchEnd` is.
    pub(crate) end: u32,
    pub(crate) reach: Reach,
    pub(crate) drop: bool,
    pub(crate) out: Out,
}

/// What a watch does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hook {
    /// Every end begins the cooldown: its seconds, and the wide column with the time at which it is over.
    Cool { secs: Secs, until: u32 },
    /// An abort runs these statements.
    Statements(SetRange),
    /// It only knows who is in the middle of a run; those whose child was skipped are.
    Keep,
    /// An abort runs a part of the code outside the main one, once.
    Catch { part: u32 },
}

/// A part of the code outside the main one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CodePart {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) input: Reg,
    /// Where all answers go.
    pub(crate) answers: Reg,
    pub(crate) slots: Range,
}

impl Gate {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        let keeper = self.kind.keeps().map(|keeps| keeps.slot);
        slots(self.kind.waiting().into_iter().chain(keeper), see);
        see(Port::Out(self.body));
        self.out.ports(see);
    }
}

impl Remember {
    pub(super) fn ports(&self, see: See<'_>) {
        ins([self.success, self.failure], see);
        self.out.ports(see);
    }
}

impl Leave {
    pub(super) fn ports(&self, see: See<'_>) {
        ins(self.answers, see);
        self.out.ports(see);
    }
}

impl Guard {
    pub(super) fn ports(&self, see: See<'_>) {
        ins([self.input, self.passed], see);
        see(Port::Out(self.body));
        self.out.ports(see);
    }
}

impl Preempt {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        for child in &self.children {
            see(Port::Out(child.input));
        }
        see(Port::OutPast(self.otherwise));
    }
}

impl After {
    pub(super) fn ports(&self, see: See<'_>) {
        ins([self.success, self.failure], see);
        self.out.ports(see);
    }
}

impl Watch {
    pub(super) fn begin_ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        see(Port::Out(self.inner));
        see(Port::Wakes(self.end));
        see(Port::SeenAt(self.end));
    }

    pub(super) fn end_ports(&self, see: See<'_>) {
        see(Port::In(self.entered));
        ins(self.answers, see);
        slots([self.slot], see);
        self.out.ports(see);
    }
}
