//! Tests with branches, and switches.

use super::ports::{Port, See, ins, outs, slots};
use super::{Out, Range, Reach, Reg, SkipTo};
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
    /// Where agents go if the test failed: to the second branch, or out.
    pub(crate) else_input: Reg,
    pub(crate) then_range: Range,
    pub(crate) else_range: Range,
    /// Receives the agents whose branch stays as it is.
    pub(crate) held: Reg,
    pub(crate) outer_held: Reg,
    /// Skipped agents on their way past the branches.
    pub(crate) passing: Reg,
    pub(crate) drop: bool,
    pub(crate) out_skipped: SkipTo,
    /// Set if the test is asked only when the branch did not answer running last.
    pub(crate) again: Option<Again>,
    /// Where its `Choose` and its `ChoiceEnd` are.
    pub(crate) choose: u32,
    pub(crate) end: u32,
}

/// A branch that goes on without its test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Again {
    /// The slot that is set when the branch answered running last.
    pub(crate) goes_on: u32,
    /// What it leaves open when the test fails: an entry of the table of `LeftOpen`.
    pub(crate) left: u32,
    pub(crate) reach: Reach,
    /// The answers of the branch, and where they go.
    pub(crate) answers: [Reg; 3],
    pub(crate) out: Out,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Switch {
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    /// The expressions of the cases, in order of the children.
    pub(crate) cases: Vec<u32>,
    /// The input and the slots of each child; the one after the cases is the default.
    pub(crate) children: Vec<(Reg, Range)>,
    pub(crate) once: bool,
    /// It is a fault if no case holds.
    pub(crate) must_hold: bool,
    pub(crate) out_failure: Reg,
}

impl Choice {
    pub(super) fn begin_ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        if let Some(again) = &self.again {
            slots([again.goes_on], see);
        }
        see(Port::Out(self.test));
        if self.again.is_some() {
            see(Port::Out(self.then_input));
        }
        see(Port::Wakes(self.choose));
        see(Port::SeenAt(self.choose));
    }

    pub(super) fn choose_ports(&self, see: See<'_>) {
        ins(
            [self.entered, self.success, self.failure, self.skipped],
            see,
        );
        see(Port::Held(self.held));
        see(Port::LoopUntil(self.end));
        see(Port::OutPast(self.passing));
        outs([self.then_input, self.else_input], see);
    }

    pub(super) fn end_ports(&self, see: See<'_>) {
        see(Port::In(self.passing));
        if let Some(again) = &self.again {
            ins(again.answers, see);
            again.out.ports(see);
        }
        self.out_skipped.ports(see);
    }
}

impl Switch {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        for (child, _) in &self.children {
            see(Port::Out(*child));
        }
        see(Port::Out(self.out_failure));
    }
}
