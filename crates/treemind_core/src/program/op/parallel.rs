//! Parallels.

use super::ports::{Port, See, ins, outs, slots};
use super::{Out, Range, Reach, Reg};

/// A threshold of a parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quorum {
    Count(u32),
    /// This many. Skipped children count towards it unless all were skipped so far.
    Present(u32),
    /// This many. Skipped children count towards it.
    PresentEvenNone(u32),
    Exactly(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ParallelChild {
    pub(crate) input: Reg,
    pub(crate) success: Reg,
    pub(crate) failure: Reg,
    pub(crate) skipped: Reg,
    /// Its success counts. The success of children that are only watched does not.
    pub(crate) is_task: bool,
    /// The slots that record that it has finished, success first; `None` for children that are ticked every tick.
    pub(crate) done: Option<[u32; 2]>,
    /// Everything in the parallel up to and including this child.
    pub(crate) upto: Range,
}

impl Parallel {
    /// The slots of a child alone.
    pub(crate) fn own_range(&self, index: usize) -> Range {
        let child = &self.children[index];
        Range {
            start: match index {
                0 => child.upto.start,
                _ => self.children[index - 1].upto.end,
            },
            end: child.done.map_or(child.upto.end, |[success, _]| success),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parallel {
    /// Where its `ParallelEnter`s, `ParallelCheck`s and its end are.
    pub(crate) places: Vec<u32>,
    /// It is a monitor: any failure counts before success.
    pub(crate) watching: bool,
    pub(crate) input: Reg,
    /// The agents whose run continues.
    pub(crate) current: Reg,
    /// Of those, the agents whose children were all skipped so far.
    pub(crate) all_skipped: Reg,
    /// The first of `planes` registers each, which hold the bits of the numbers of successes, failures and skipped
    /// children.
    pub(crate) counts: [Reg; 3],
    pub(crate) planes: u32,
    pub(crate) success: Quorum,
    pub(crate) failure: Quorum,
    /// The parallel is judged only at its end, and fails with this many failures.
    pub(crate) to_the_end: Option<u32>,
    /// The thresholds are checked only after the last child.
    pub(crate) at_end: bool,
    /// Set while the parallel runs, if no child finishes.
    pub(crate) between: Option<u32>,
    /// More failures than this, and success can no longer be met.
    pub(crate) spare_failures: u32,
    /// How many children count.
    pub(crate) tasks: u32,
    pub(crate) children: Vec<ParallelChild>,
    pub(crate) reach: Reach,
    pub(crate) drop: bool,
    pub(crate) out: Out,
}

impl Parallel {
    pub(super) fn begin_ports(&self, see: See<'_>) {
        see(Port::In(self.input));
        slots(self.between, see);
        for place in &self.places {
            see(Port::Wakes(*place));
        }
    }

    /// Where the check of a child is.
    pub(crate) fn check_of(&self, child: usize) -> u32 {
        self.places[child * 2 + 1]
    }

    pub(super) fn enter_ports(&self, index: usize, see: See<'_>) {
        let child = &self.children[index];
        for slot in child.done.into_iter().flatten() {
            see(Port::Slot(slot));
        }
        see(Port::Out(child.input));
        see(Port::SeenAt(self.check_of(index)));
    }

    pub(super) fn check_ports(&self, index: usize, see: See<'_>) {
        let child = &self.children[index];
        ins([child.success, child.failure, child.skipped], see);
        see(Port::SlotsBefore(child.upto.end));
        outs([self.out.success, self.out.failure], see);
    }
}
