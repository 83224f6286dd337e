//! Copies of earlier moments, from which those between them are played again.

/// How many copies are kept at most.
const MOST_KEPT: usize = 48;
/// How many ticks apart the copies are at first.
const SPACING_TICKS: u64 = 64;

/// Copies of earlier moments, further apart the longer it plays.
#[derive(Clone, Debug)]
pub struct Copies<T> {
    /// With their ticks, the oldest first.
    kept: Vec<(u64, T)>,
    spacing_ticks: u64,
}

impl<T> Copies<T> {
    /// The first copy, and its tick.
    pub fn new(tick: u64, first: T) -> Self {
        Self {
            kept: vec![(tick, first)],
            spacing_ticks: SPACING_TICKS,
        }
    }

    /// The earliest tick that can be reached again.
    pub fn first_tick(&self) -> u64 {
        self.kept.first().map_or(0, |(tick, _)| *tick)
    }

    /// The earliest copy.
    pub fn first(&self) -> Option<&T> {
        self.kept.first().map(|(_, copy)| copy)
    }

    /// Keeps a copy of a tick that was just played, if one is due.
    pub fn keep(&mut self, tick: u64, copy: impl FnOnce() -> T) {
        let newest = self.kept.last().map_or(0, |(tick, _)| *tick);
        if tick <= newest || !tick.is_multiple_of(self.spacing_ticks) {
            return;
        }
        self.kept.push((tick, copy()));
        if self.kept.len() > MOST_KEPT {
            self.spacing_ticks *= 2;
            let spacing = self.spacing_ticks;
            let first = self.first_tick();
            self.kept
                .retain(|(tick, _)| *tick == first || tick.is_multiple_of(spacing));
        }
    }

    /// The last copy at or before a tick.
    pub fn before(&self, tick: u64) -> Option<&T> {
        let later = self.kept.partition_point(|(at, _)| *at <= tick);
        Some(&self.kept[later.checked_sub(1)?].1)
    }

    /// Forgets what was played after a tick.
    pub fn cut(&mut self, tick: u64) {
        self.kept.retain(|(at, _)| *at <= tick);
    }

    /// Forgets the earliest copy, unless it is the only one. Returns the earliest tick that is left.
    pub(crate) fn forget_first(&mut self) -> Option<u64> {
        (self.kept.len() > 1).then(|| {
            self.kept.remove(0);
            self.first_tick()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Copies;

    #[test]
    fn every_tick_is_near_a_copy_and_the_first_stays() {
        let mut copies = Copies::new(7, 7);
        for tick in 8..=100_000 {
            copies.keep(tick, || tick);
            assert_eq!(copies.first_tick(), 7);
        }
        assert!(copies.kept.len() <= super::MOST_KEPT + 1);
        for tick in (7..=100_000).step_by(997) {
            let copy = *copies.before(tick).unwrap();
            assert!(
                copy <= tick && tick - copy <= 2 * copies.spacing_ticks,
                "{tick}: {copy}"
            );
        }
        assert_eq!(copies.before(6), None);
        copies.cut(70_000);
        assert!(*copies.before(u64::MAX).unwrap() <= 70_000);
        assert!(copies.forget_first().unwrap() > 7);
    }
}
