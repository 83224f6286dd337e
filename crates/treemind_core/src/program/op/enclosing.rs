//! Nodes with an instruction before their children and one after them: interrupts, semaphores, loose runs, a task with
//! a background, and the host's own nodes.

use super::ports::{Port, See, ins, outs, slots};
use super::{Out, Range, Reach, Reg};
use crate::ids::{ArgRange, LabelId, LeafId, NodeId, SemaphoreId};

/// A child between two instructions: agents go in through `inner`, and their answers come back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Around {
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    pub(crate) inner: Reg,
    /// The agents that were sent in.
    pub(crate) entered: Reg,
    pub(crate) answers: [Reg; 3],
    pub(crate) inside: Range,
    pub(crate) reach: Reach,
    pub(crate) drop: bool,
    pub(crate) out: Out,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interruptible {
    pub(crate) around: Around,
    pub(crate) label: LabelId,
    /// The slots that record that it was interrupted, with success and with failure.
    pub(crate) pending: [u32; 2],
    /// Where its two instructions are.
    pub(crate) begin: u32,
    pub(crate) end: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Interrupt {
    pub(crate) node: NodeId,
    pub(crate) input: Reg,
    pub(crate) label: LabelId,
    pub(crate) succeeds: bool,
    /// The interruptibles with its label, and whether it is inside each of them.
    pub(crate) targets: Vec<(u32, bool)>,
    /// If it is inside one of them: set until that one cuts it off.
    pub(crate) slot: Option<u32>,
    pub(crate) reach: Reach,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SemaphoreOp {
    pub(crate) around: Around,
    pub(crate) semaphore: SemaphoreId,
    pub(crate) waits: bool,
    /// Places are given at the end of the tick.
    pub(crate) shared: bool,
    /// Set while it waits for a place.
    pub(crate) asking: u32,
    /// For a shared semaphore: the wide column with the tick in which an agent began to wait.
    pub(crate) since: u32,
    /// Set while it holds a place.
    pub(crate) held: u32,
    /// If places go to the best bidder.
    pub(crate) auction: Option<Auction>,
    /// Where its second instruction is.
    pub(crate) end: u32,
}

/// What a node bids for the place of a semaphore.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Auction {
    pub(crate) expr: u32,
    /// The wide column with the bid: the bits of a `double` that is not negative, so that they are in order.
    pub(crate) bid: u32,
    /// The wide column with the moment up to which a holder keeps its place.
    pub(crate) safe_until: u32,
    /// Set while it holds a place that it has to give back.
    pub(crate) outbid: u32,
    /// Holders bid, too.
    pub(crate) holders_bid: bool,
}

/// A node that answers in place of its running child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Loose {
    pub(crate) around: Around,
    /// Where agents go after any answer of the child except skipped.
    pub(crate) to: Reg,
    /// Receives the agents that reach it again in the same tick.
    pub(crate) held: Reg,
    pub(crate) outer_held: Reg,
    /// The counter of visits in this tick.
    pub(crate) visits: u32,
    /// Where its second instruction is.
    pub(crate) end: u32,
}

/// Aborts the loose runs in a node when the node ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Close {
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    /// Agents that are dropped after they were skipped; `NONE` if no agent is dropped.
    pub(crate) skipped: Reg,
    pub(crate) range: Range,
    pub(crate) out: Out,
}

/// A task and its background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Backed {
    pub(crate) input: Reg,
    pub(crate) entered: Reg,
    pub(crate) task: Reg,
    pub(crate) answers: [Reg; 3],
    pub(crate) background: Reg,
    /// The register for the answers of the background.
    pub(crate) answered: Reg,
    /// Agents whose task has ended and whose background has to end, too.
    pub(crate) finishing: Reg,
    pub(crate) range: Range,
    pub(crate) whole: Range,
    /// The slots that record how the task has ended, if the node waits for its background.
    pub(crate) done: Option<[u32; 2]>,
    /// Receives the agents whose background stays as it is.
    pub(crate) held: Reg,
    pub(crate) outer_held: Reg,
    /// Skipped agents on their way past the background.
    pub(crate) passing: Reg,
    /// Where its `BackedTask` and its `BackedEnd` are.
    pub(crate) between: u32,
    pub(crate) end: u32,
    pub(crate) reach: Reach,
    pub(crate) drop: bool,
    pub(crate) out: Out,
}

/// Resets what the children of a node count per run of the node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RunBegin {
    pub(crate) input: Reg,
    pub(crate) inner: Reg,
    pub(crate) range: Range,
    /// Narrow columns.
    pub(crate) counts: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OwnChild {
    pub(crate) input: Reg,
    pub(crate) answers: [Reg; 3],
    pub(crate) range: Range,
    /// Agents that were sent in and have no answer yet.
    pub(crate) sent: Reg,
    /// Agents that ticked the child in this tick and have it open.
    pub(crate) ran: Reg,
    /// Receives all agents that are in the node but not in this child, which stays as it is.
    pub(crate) held: Reg,
}

/// A composite or decorator of the host.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Own {
    pub(crate) node: NodeId,
    pub(crate) leaf: LeafId,
    pub(crate) args: ArgRange,
    pub(crate) input: Reg,
    pub(crate) children: Vec<OwnChild>,
    /// Where the `OwnCheck`s and the `OwnEnd` are.
    pub(crate) places: Vec<u32>,
    pub(crate) body_start: u32,
    pub(crate) inside: Range,
    /// Set while a run is open.
    pub(crate) slot: u32,
    /// Agents that reached it in this tick, agents whose run began in this tick, and agents whose child has answered.
    pub(crate) entered: Reg,
    pub(crate) began: Reg,
    pub(crate) told: Reg,
    pub(crate) outer_held: Reg,
    /// The counter of decisions in this tick.
    pub(crate) turns: u32,
    pub(crate) reach: Reach,
    pub(crate) drop: bool,
    pub(crate) out: Out,
}

impl Around {
    /// The ports of the first instruction; `end` is where the second one is.
    fn begin_ports(&self, end: u32, see: See<'_>) {
        see(Port::In(self.input));
        see(Port::Wakes(end));
        see(Port::SeenAt(end));
    }

    /// The ports of the second instruction, to which the child's answers come.
    pub(super) fn end_ports(&self, see: See<'_>) {
        self.back_ports(see);
        self.out.ports(see);
    }

    fn back_ports(&self, see: See<'_>) {
        see(Port::In(self.entered));
        ins(self.answers, see);
    }
}

impl Interruptible {
    pub(super) fn begin_ports(&self, see: See<'_>) {
        self.around.begin_ports(self.end, see);
        slots(self.pending, see);
        outs(
            [
                self.around.inner,
                self.around.out.success,
                self.around.out.failure,
            ],
            see,
        );
    }
}

impl Interrupt {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        slots(self.slot, see);
        outs([self.success, self.failure], see);
    }
}

impl SemaphoreOp {
    pub(super) fn begin_ports(&self, see: See<'_>) {
        self.around.begin_ports(self.end, see);
        slots([self.asking], see);
        outs(
            [
                self.around.inner,
                self.around.out.success,
                self.around.out.failure,
            ],
            see,
        );
    }

    pub(super) fn end_ports(&self, see: See<'_>) {
        self.around.end_ports(see);
        let outbid = self.auction.map(|auction| auction.outbid);
        slots([self.held].into_iter().chain(outbid), see);
    }
}

impl Loose {
    pub(super) fn begin_ports(&self, see: See<'_>) {
        self.around.begin_ports(self.end, see);
        see(Port::Held(self.held));
        see(Port::LoopUntil(self.end));
        see(Port::OutPast(self.to));
        see(Port::Out(self.around.inner));
    }

    pub(super) fn end_ports(&self, see: See<'_>) {
        self.around.back_ports(see);
        see(Port::LastSlot(self.around.inside.end));
        outs([self.to, self.around.out.skipped.to], see);
    }
}

impl Close {
    pub(super) fn ports(&self, see: See<'_>) {
        ins([self.success, self.failure, self.skipped], see);
        self.out.ports(see);
    }
}

impl Backed {
    pub(super) fn begin_ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        slots(self.done.into_iter().flatten(), see);
        // The task is the inner one of the two.
        for place in [self.end, self.between] {
            see(Port::Wakes(place));
            see(Port::SeenAt(place));
        }
        outs([self.task, self.background], see);
    }

    pub(super) fn task_ports(&self, see: See<'_>) {
        see(Port::In(self.entered));
        ins(self.answers, see);
        see(Port::Held(self.held));
        see(Port::Wakes(self.end));
        see(Port::LoopUntil(self.end));
        see(Port::OutPast(self.passing));
        outs([self.out.success, self.out.failure, self.background], see);
    }

    pub(super) fn end_ports(&self, see: See<'_>) {
        ins([self.answered, self.finishing, self.passing], see);
        self.out.ports(see);
    }
}

impl RunBegin {
    pub(super) fn ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        see(Port::Out(self.inner));
    }
}

impl Own {
    /// Where its last instruction is.
    pub(crate) fn end(&self) -> u32 {
        *self.places.last().expect("the end is one")
    }

    pub(super) fn begin_ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        for held in [self.entered, self.began, self.told] {
            see(Port::Held(held));
        }
        for child in &self.children {
            for held in [child.sent, child.ran, child.held] {
                see(Port::Held(held));
            }
        }
        for place in self.places.iter().rev() {
            see(Port::SeenAt(*place));
        }
        see(Port::LoopUntil(self.end()));
        self.turn_ports(see);
    }

    pub(super) fn check_ports(&self, child: usize, see: See<'_>) {
        ins(self.children[child].answers, see);
        see(Port::Wakes(self.end()));
    }

    pub(super) fn end_ports(&self, see: See<'_>) {
        slots([self.slot], see);
        self.turn_ports(see);
        self.out.ports(see);
    }

    /// The ports for the host's decision about which child is next.
    fn turn_ports(&self, see: See<'_>) {
        for place in &self.places {
            see(Port::Wakes(*place));
        }
        for child in &self.children {
            see(Port::OutPast(child.input));
        }
    }
}
