//! Tests with branches, and switches.

use super::{Range, Reg, SkipTo};
use crate::ids::NodeId;

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
    /// That no case holds is a fault.
    pub(crate) must_hold: bool,
    pub(crate) out_failure: Reg,
}
