//! Decision trees.

use super::ports::{Port, See};
use super::{Range, Reg, Secs, Tested};
use crate::ids::NodeId;

/// Where a test leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum To {
    Step(u32),
    Leaf(u32),
    None,
}

/// A test, with its expressions in the table of the program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DecideStep {
    Test(u32),
    Ask(Tested),
    Switch(Vec<u32>),
    Random(KeptDraw),
    Best(BestOption),
}

/// A choice by scores.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BestOption {
    pub(crate) scores: Vec<u32>,
    /// Whether the agent is where an option leads, one for each.
    pub(crate) held: Vec<u32>,
    pub(crate) hysteresis: u32,
}

/// A draw that is kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeptDraw {
    pub(crate) weights: Vec<u32>,
    pub(crate) lasts: KeptFor,
    /// Narrow columns: which way was drawn, counted from 1, and the last tick that came here.
    pub(crate) way: u32,
    pub(crate) reached: u32,
    /// Where it counts its draws.
    pub(crate) draws: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum KeptFor {
    Always,
    /// Until a moment in a wide column.
    Secs(Secs, u32),
    /// So many ticks from that in a narrow column.
    Ticks(u32, u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DecideLeaf {
    pub(crate) input: Reg,
    pub(crate) range: Range,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DecideOp {
    pub(crate) node: NodeId,
    /// Where agents come from; a decider of transitions is asked instead.
    pub(crate) input: Reg,
    pub(crate) first: To,
    /// The number of the first step in traces.
    pub(crate) first_step: u32,
    /// Each with where it leads, in the order of its ways.
    pub(crate) steps: Vec<(DecideStep, Vec<To>)>,
    /// The first of the registers that stand for the steps, side by side.
    pub(crate) at: u32,
    pub(crate) leaves: Vec<DecideLeaf>,
    pub(crate) out_failure: Reg,
}

impl DecideOp {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        for leaf in &self.leaves {
            see(Port::Out(leaf.input));
        }
        see(Port::Out(self.out_failure));
    }
}
