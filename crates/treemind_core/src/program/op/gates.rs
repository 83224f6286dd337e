//! What stands around a node: gates before it, watches that see how it ends, guards and statements.

use super::ports::{Port, See, ins, slots};
use super::{Mark, Out, Range, Reach, Reg};
use crate::ids::{ArgRange, KeyId, LeafId, NodeId};
use crate::status::Status;

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
        secs: Secs,
        deadline: u32,
    },
    Delay {
        secs: Secs,
        deadline: u32,
        slot: u32,
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
    /// Lets through those whose key was written since the last look. The slot is set while one waits for that.
    OnChange {
        key: KeyId,
        waiting: Option<u32>,
    },
    /// Lets everybody through; those who begin find a run of the table of local keys at their defaults.
    Scope {
        locals: (u32, u32),
    },
}

impl GateKind {
    /// The slot that is set while somebody waits in front of the gate.
    pub(crate) fn waiting(self) -> Option<u32> {
        match self {
            GateKind::Delay { slot, .. } => Some(slot),
            GateKind::OnChange { waiting, .. } => waiting,
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

/// A length of time: an expression, and perhaps one of what is added at random at most, with the counter of draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Secs {
    pub(crate) expr: u32,
    pub(crate) jitter: Option<(u32, u32)>,
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
    /// Who has passed the first of the tests already; `NONE` where it cannot be looked at before.
    pub(crate) passed: Reg,
    /// The column of bits that says that the first of the tests held when it was last looked at.
    pub(crate) held_last: Option<u32>,
    pub(crate) inside: Range,
    pub(crate) out: Out,
}

/// Before a selector goes on at a later child: children whose `when` has come true since take over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Preempt {
    pub(crate) input: Reg,
    /// To the selector's `Resume`.
    pub(crate) otherwise: Reg,
    pub(crate) children: Vec<PreemptChild>,
    /// Where the selector keeps which agents have had nothing but skipped children.
    pub(crate) mark: Mark,
    /// The slots of the whole selector.
    pub(crate) whole: Range,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PreemptChild {
    pub(crate) node: NodeId,
    /// Holds when the child must not run.
    pub(crate) fail_if: u32,
    pub(crate) held_last: u32,
    pub(crate) passed: Reg,
    pub(crate) input: Reg,
    /// The slots of the later children.
    pub(crate) lower: Range,
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
    /// Where its `WatchEnd` is.
    pub(crate) end: u32,
    pub(crate) reach: Reach,
    pub(crate) drop: bool,
    pub(crate) out: Out,
}

/// What a watch does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Hook {
    /// At every end the cooling begins: seconds, and the wide column of its end.
    Cool { secs: Secs, until: u32 },
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

impl Gate {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        slots(self.kind.waiting(), see);
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
