//! Leaves.

use super::ports::{Port, See, slots};
use super::{Out, Reach, Reg, Secs};
use crate::behaviour::{Audience, Life};
use crate::blackboard::EventPart;
use crate::expr::Change;
use crate::ids::{ArgRange, KeyId, LeafId, NodeId};
use crate::network::Network;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ConditionOp {
    pub(crate) node: NodeId,
    pub(crate) leaf: LeafId,
    pub(crate) args: ArgRange,
    pub(crate) negated: bool,
    pub(crate) input: Reg,
    pub(crate) out: Out,
    /// Where agents go after the answer running; `NONE` for nowhere.
    pub(crate) running: Reg,
    /// Records that the answer was running, if another node asks for it.
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
    pub(crate) life: Life,
    /// For reported actions, the columns of bits that record that the host has ended them, and how.
    pub(crate) reported: [u32; 2],
    /// For reported actions, the column with the number of the run.
    pub(crate) runs: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WaitOp {
    pub(crate) node: NodeId,
    pub(crate) secs: Secs,
    pub(crate) input: Reg,
    pub(crate) out: Out,
    pub(crate) slot: u32,
    pub(crate) deadline: u32,
    pub(crate) reach: Reach,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChangedOp {
    pub(crate) node: NodeId,
    pub(crate) key: KeyId,
    pub(crate) input: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EmitOp {
    pub(crate) to: Option<Audience>,
    /// If it goes to one agent: the argument that holds its handle.
    pub(crate) address: ArgRange,
    /// Without an audience: it comes to the agent's own mailbox.
    pub(crate) is_mailed: bool,
    /// The machine around it.
    pub(crate) around: Option<u32>,
    pub(crate) node: NodeId,
    pub(crate) leaf: LeafId,
    pub(crate) args: ArgRange,
    pub(crate) input: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
}

/// A look into the mailbox.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReceivedOp {
    pub(crate) node: NodeId,
    pub(crate) events: Vec<LeafId>,
    pub(crate) shown: Vec<(EventPart, KeyId)>,
    pub(crate) test: Option<u32>,
    pub(crate) bound: Vec<(EventPart, KeyId)>,
    pub(crate) input: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    /// The counter that says which letters it has looked at in this tick.
    pub(crate) looked: u32,
    /// The slot of agents that wait, if it waits.
    pub(crate) slot: Option<u32>,
    pub(crate) reach: Reach,
}

/// A score that is written to a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RateOp {
    pub(crate) node: NodeId,
    pub(crate) key: KeyId,
    pub(crate) score: u32,
    pub(crate) input: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
}

/// A network whose outputs are written to keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PolicyOp {
    pub(crate) node: NodeId,
    pub(crate) network: Arc<Network>,
    pub(crate) inputs: Vec<u32>,
    pub(crate) outputs: Vec<(usize, KeyId)>,
    pub(crate) input: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
}

/// One assignment of a `set`; without an expression the key is unset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SetStep {
    pub(crate) key: KeyId,
    pub(crate) expr: Option<u32>,
    pub(crate) change: Change,
    /// Whether the key counts as not written when it is unset.
    pub(crate) forgets: bool,
}

impl ConditionOp {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        self.out.ports(see);
        see(Port::Out(self.running));
        slots(self.slot, see);
    }
}

impl ActionOp {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        self.out.ports(see);
        slots([self.slot], see);
    }
}

impl ReceivedOp {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        see(Port::Out(self.success));
        see(Port::Out(self.failure));
        slots(self.slot, see);
    }
}

impl WaitOp {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        self.out.ports(see);
        slots([self.slot], see);
    }
}
