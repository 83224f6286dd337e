//! Moments and numbers of ticks that go from one population to another.

/// From the clock and the tick of one population to those of another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    pub(crate) now_ns: [u64; 2],
    pub(crate) tick: [u64; 2],
}

impl Shift {
    /// A moment that was, or will be, as long ago or ahead; never stays never.
    pub(crate) fn moment(self, moment: u64) -> u64 {
        shifted(moment, self.now_ns)
    }

    /// A moment as long ago, but not before the clock began. At the end of time it is no different from never, so
    /// [`moment`](Self::moment) is not for moments that must have been.
    pub(crate) fn past(self, moment: u64) -> u64 {
        let [from, to] = self.now_ns;
        to.saturating_sub(from.saturating_sub(moment))
    }

    /// The number of a tick as many ticks ago or ahead, but not below 0.
    pub(crate) fn tick(self, tick: u64) -> u64 {
        shifted(tick, self.tick)
    }
}

fn shifted(number: u64, [from, to]: [u64; 2]) -> u64 {
    match number {
        u64::MAX => u64::MAX,
        _ if number >= from => to.saturating_add(number - from),
        _ => to.saturating_sub(from - number),
    }
}
