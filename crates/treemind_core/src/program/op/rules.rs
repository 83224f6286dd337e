//! Rules.

use super::ports::{Port, See, ins, outs};
use super::{Range, Reg, Secs};
use crate::ids::NodeId;

/// A look at a rule. Agents come in two registers: those for whom no rule has fired yet, and the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RuleOp {
    pub(crate) node: NodeId,
    /// Its number in the document.
    pub(crate) number: u32,
    pub(crate) when: u32,
    pub(crate) again: bool,
    /// A column of bits: its `when` held at the last look.
    pub(crate) held: u32,
    /// The time until which it cools, if it does.
    pub(crate) until: Option<u32>,
    pub(crate) unfired: Reg,
    pub(crate) fired: Reg,
    /// Where agents go for whom it does not fire.
    pub(crate) next_unfired: Reg,
    pub(crate) next_fired: Reg,
    /// The first task, and the instruction at its end, with the agents for whom it fires.
    pub(crate) task: Reg,
    pub(crate) firing: Reg,
    pub(crate) end: u32,
    /// The next rule of the node: only this one sends agents to it.
    pub(crate) next: Option<u32>,
}

/// The end of a task of a rule, whatever the task has answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RuleTaskOp {
    pub(crate) node: NodeId,
    pub(crate) firing: Reg,
    /// Where the task sends agents, which nothing depends on.
    pub(crate) answered: Reg,
    pub(crate) range: Range,
    /// The next task and its end; after the last task, the next rule alone.
    pub(crate) next: Reg,
    pub(crate) next_firing: Option<Reg>,
    pub(crate) next_end: u32,
    /// After the last task: how long the rule cools, and the column of that time.
    pub(crate) cooling: Option<(Secs, u32)>,
}

impl RuleOp {
    pub(super) fn ports(&self, see: See<'_>) {
        ins([self.unfired, self.fired], see);
        outs([self.task, self.next_unfired, self.next_fired], see);
        see(Port::Wakes(self.end));
        see(Port::SeenAt(self.end));
    }
}

impl RuleTaskOp {
    pub(super) fn ports(&self, see: See<'_>) {
        ins([self.firing, self.answered], see);
        see(Port::Out(self.next));
        if self.next_firing.is_some() {
            see(Port::Wakes(self.next_end));
            see(Port::SeenAt(self.next_end));
        }
    }
}
