//! The instructions of lists between, before and after their children.

use super::ports::{Port, See, ins, outs, slots};
use super::{Mark, Range, Reach, Reg, SkipTo};

/// A child of a memory list, as its `Resume` sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ResumeChild {
    /// Its slots, including the one that says that it is next.
    pub(crate) range: Range,
    /// Its slots alone.
    pub(crate) own: Range,
    pub(crate) input: Reg,
    /// Receives the agents that continue at a later child while this one is open; `NONE` if that cannot happen.
    pub(crate) held: Reg,
    /// Receives the agents that continue inside the child; `NONE` if no instruction needs them.
    pub(crate) continued: Reg,
}

/// Where a sticky list remembers its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sticky {
    /// The narrow column of the child's number.
    pub(crate) place: u32,
    /// Records that a run has begun and not ended, if an abort forgets the place.
    pub(crate) begun: Option<u32>,
    /// An entry of the table of `LeftOpen`.
    pub(crate) left: Option<u32>,
}

/// What a node leaves open, such as a sticky list that fails. The bits of its slots are kept in columns until the node
/// runs again.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LeftOpen {
    /// The slots of the children.
    pub(crate) children: Vec<Range>,
    /// The first of all slots, and the first of as many columns of bits.
    pub(crate) first_slot: u32,
    pub(crate) columns: u32,
    /// The slot that is set while the child runs, if an abort also leaves it open.
    pub(crate) keeper: Option<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Resume {
    pub(crate) children: Vec<ResumeChild>,
    pub(crate) mark: Mark,
    pub(crate) sticky: Option<Sticky>,
    /// The agents that are held with the whole list, and where the list ends in the code.
    pub(crate) held: Reg,
    pub(crate) end: u32,
}

/// Between two children of a list: agents continue, or wait for the next tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct YieldOp {
    pub(crate) from: Reg,
    /// Agents that have waited.
    pub(crate) resumed: Reg,
    pub(crate) to: Reg,
    pub(crate) slot: u32,
    /// Agents whose child ran before this tick do not wait; `NONE` if all agents wait.
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
    /// Agents that continued to the end, agents that ended the list early, and agents whose last child was skipped.
    pub(crate) go: Reg,
    pub(crate) stop: Reg,
    pub(crate) skipped: Reg,
    pub(crate) mark: Mark,
    pub(crate) sticky: Option<Sticky>,
    /// The runs that are aborted when the list ends.
    pub(crate) close: Range,
    /// When the list is skipped as a whole, its open children stay open.
    pub(crate) keep_open: bool,
    pub(crate) out_go: Reg,
    pub(crate) out_stop: Reg,
    pub(crate) out_skipped: SkipTo,
}

impl Resume {
    pub(super) fn ports(&self, see: See<'_>) {
        let mut holds = false;
        for child in &self.children {
            see(Port::OutPast(child.input));
            see(Port::Held(child.held));
            see(Port::Held(child.continued));
            holds |= child.held != Reg::NONE;
        }
        if holds && self.held != Reg::NONE {
            see(Port::LoopUntil(self.end));
        }
    }
}

impl YieldOp {
    pub(super) fn ports(&self, see: See<'_>) {
        ins([self.from, self.resumed], see);
        see(Port::Out(self.to));
        slots([self.slot], see);
    }
}

impl ListEnd {
    pub(super) fn ports(&self, see: See<'_>) {
        ins([self.go, self.stop, self.skipped], see);
        self.mark.ports(see);
        outs([self.out_go, self.out_stop, self.out_skipped.to], see);
    }
}
