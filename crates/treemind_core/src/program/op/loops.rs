//! Loops and random choosers: the instructions that may jump back.

use super::ports::{Port, See, ins, outs, slots};
use super::{Range, Reach, Reg, SkipTo};
use crate::blackboard::KeySlot;
use crate::ids::NodeId;
use crate::status::Status;

/// When a loop evaluates its number again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reread {
    Never,
    /// In each tick, before the child.
    Ticks,
    /// The same, and after each run.
    TicksAndRuns,
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
        reread: Reread,
    },
}

impl LoopTimes {
    /// When the number is evaluated again.
    pub(crate) fn reread(&self) -> Reread {
        match self {
            LoopTimes::Expr { reread, .. } => *reread,
            LoopTimes::Forever | LoopTimes::Literal(_) => Reread::Never,
        }
    }

    /// A number of runs as the executor counts them. Below zero means none, and beyond `u32` is more than any loop can
    /// reach.
    pub(crate) fn clamp(times: i64) -> u32 {
        times.clamp(0, i64::from(u32::MAX)) as u32
    }
}

/// The list that a loop goes through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Each {
    /// Where the list is kept.
    pub(crate) list: KeySlot,
    /// Where the current item is kept.
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
    /// The answer after which it runs again, and skipped.
    pub(crate) again: Reg,
    pub(crate) skipped: Reg,
    /// The answer that ends the loop; `NONE` if it goes straight to the output of the loop.
    pub(crate) stop: Reg,
    pub(crate) out_stop: Reg,
    pub(crate) child: Range,
    /// Set between two runs.
    pub(crate) between: u32,
    pub(crate) count: Option<u32>,
    pub(crate) times: LoopTimes,
    pub(crate) yields: crate::behaviour::Yields,
    /// If the loop counts ticks, the agents that are inside it in this one; `NONE` if it counts runs.
    pub(crate) entered: Reg,
    /// The counter of how often it was reached in this tick.
    pub(crate) ticked: u32,
    /// How often the child may end in a tick, and the counter for that.
    pub(crate) max_runs: u32,
    pub(crate) ends: u32,
    /// The counter of how often any loop went back in this tick.
    pub(crate) turns: u32,
    /// The agents whose child ran before this tick; the scope of the body. Both are used only if the loop can jump
    /// back.
    pub(crate) continued: Reg,
    pub(crate) scope: Reg,
    pub(crate) reach: Reach,
    pub(crate) drop: bool,
    pub(crate) out_done: Reg,
    pub(crate) out_failure: Reg,
    pub(crate) out_skipped: SkipTo,
    /// A skipped child stays open, and the loop continues.
    pub(crate) keeps_running: bool,
    /// The list that the loop goes through, if any; then `count` is the place in the list.
    pub(crate) each: Option<u32>,
    pub(crate) body_start: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RandomChild {
    pub(crate) input: Reg,
    pub(crate) range: Range,
    /// The column of bits that records that it was tried.
    pub(crate) tried: u32,
}

/// How a child is chosen by its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Utility {
    /// How many of the best children take part in the draw; with 1 there is no draw.
    pub(crate) among: u32,
    /// The expression for the amount by which another child has to exceed the running one.
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
    /// The column of bits that records that a child has answered `go` in this run.
    pub(crate) went: u32,
    /// The counter of draws in this tick.
    pub(crate) draws: u32,
    /// The expressions of the weights, one per child; none if all weights are equal.
    pub(crate) weights: Vec<u32>,
    /// How a child is chosen by its score, if it is; then the weights are the scores.
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
        if self.times.reread() == Reread::TicksAndRuns {
            see(Port::Out(self.out_failure));
        }
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
