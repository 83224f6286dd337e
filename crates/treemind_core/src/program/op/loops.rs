//! Loops and random choosers: what may jump back.

use super::ports::{Port, See, ins, outs, slots};
use super::{Range, Reach, Reg, SkipTo};
use crate::blackboard::KeySlot;
use crate::ids::NodeId;
use crate::status::Status;

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

impl LoopTimes {
    /// A number of runs as the executor counts them: below zero is none, beyond `u32` is out of reach of any run.
    pub(crate) fn clamp(times: i64) -> u32 {
        times.clamp(0, i64::from(u32::MAX)) as u32
    }
}

/// What a loop goes through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Each {
    /// Where the list lives.
    pub(crate) list: KeySlot,
    /// Where the item at hand does.
    pub(crate) var: KeySlot,
    pub(crate) if_empty: Status,
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
    /// Its count is that of ticks; these are the agents that are inside in this one. `NONE` where runs are counted.
    pub(crate) entered: Reg,
    /// The counter of how often it was reached in this tick.
    pub(crate) ticked: u32,
    /// How many ends there may be in a tick, and their counter.
    pub(crate) max_runs: u32,
    pub(crate) ends: u32,
    /// The counter of how often any loop went back in this tick.
    pub(crate) turns: u32,
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
    /// The list that is gone through, if it is one; then `count` is the place in it.
    pub(crate) each: Option<u32>,
    pub(crate) body_start: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RandomChild {
    pub(crate) input: Reg,
    pub(crate) range: Range,
    /// The column of bits that says that it was tried.
    pub(crate) tried: u32,
}

/// How a child is chosen by its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Utility {
    /// Among how many of the best one is drawn; 1: nothing is drawn.
    pub(crate) among: u32,
    /// The expression of what others have to exceed the running child by.
    pub(crate) hysteresis: u32,
    pub(crate) reactive: bool,
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
    /// How one of them is chosen by its score, if it is; the scores are the weights.
    pub(crate) utility: Option<Utility>,
    /// With replacement: set between two draws.
    pub(crate) between: Option<u32>,
    pub(crate) reach: Reach,
    pub(crate) scope: Reg,
    pub(crate) out_go: Reg,
    pub(crate) out_skipped: SkipTo,
    pub(crate) body_start: u32,
}

impl Loop {
    pub(super) fn begin_ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        see(Port::Slot(self.between));
        see(Port::Wakes(self.end));
        if self.scope != Reg::NONE {
            see(Port::LoopUntil(self.end));
            see(Port::Held(self.scope));
            see(Port::Held(self.continued));
        }
        if self.entered != Reg::NONE {
            see(Port::SeenAt(self.end));
            see(Port::Held(self.entered));
        }
        outs([self.body, self.out_done, self.out_failure], see);
        self.out_skipped.ports(see);
    }

    pub(super) fn end_ports(&self, see: See<'_>) {
        ins([self.again, self.skipped, self.stop], see);
        see(Port::SlotsBefore(self.between + 1));
        outs([self.out_done, self.body, self.out_stop], see);
        self.out_skipped.ports(see);
    }
}

impl Random {
    pub(super) fn begin_ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        slots(self.between, see);
        see(Port::Wakes(self.end));
        see(Port::LoopUntil(self.end));
        see(Port::Held(self.scope));
        self.child_ports(see);
        see(Port::Out(self.out_go));
    }

    pub(super) fn end_ports(&self, see: See<'_>) {
        ins([self.go, self.skipped], see);
        see(Port::Out(self.out_go));
        self.out_skipped.ports(see);
        self.child_ports(see);
    }

    fn child_ports(&self, see: See<'_>) {
        for child in &self.children {
            see(Port::Out(child.input));
        }
    }
}
