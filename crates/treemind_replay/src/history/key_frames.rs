//! Copies of what was played, from which the ticks between them are played again.

/// How many bytes copies may take, unless whoever keeps them says otherwise. Two are kept in any case.
pub const COPY_BYTES: usize = 64 << 20;
/// How many copies are kept, unless there is less room.
const MOST_KEPT: usize = 48;
/// How many ticks apart the copies are at first.
const SPACING_TICKS: u64 = 64;

/// Copies of what was played at some ticks, further apart the longer it plays.
///
/// ```
/// use treemind_replay::history::KeyFrames;
///
/// let mut frames = KeyFrames::new(0, "the game at tick 0".to_owned());
/// for tick in 1..=1_000 {
///     frames.keep(tick, || format!("the game at tick {tick}"));
/// }
/// // Forward or back: from the last copy before the tick, unless the game is nearer already.
/// assert_eq!(frames.nearest(1_000, 300).unwrap(), "the game at tick 256");
/// assert_eq!(frames.nearest(0, 300).unwrap(), "the game at tick 256");
/// assert!(frames.nearest(290, 300).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct KeyFrames<T> {
    /// With their ticks, the oldest first.
    kept: Vec<(u64, T)>,
    spacing_ticks: u64,
    most: usize,
}

impl<T> KeyFrames<T> {
    /// Begins with a copy, and its tick.
    pub fn new(tick: u64, first: T) -> Self {
        Self {
            kept: vec![(tick, first)],
            spacing_ticks: SPACING_TICKS,
            most: MOST_KEPT,
        }
    }

    /// From now on, keeps only as many copies as fit into `bytes`, if each takes `each` bytes, but at least two.
    pub fn limit(&mut self, bytes: usize, each: usize) {
        self.most = (bytes / each.max(1)).clamp(2, MOST_KEPT);
        self.thin_out();
    }

    /// The earliest tick that can be reached again.
    pub fn first_tick(&self) -> u64 {
        self.kept.first().map_or(0, |(tick, _)| *tick)
    }

    /// The earliest copy.
    pub fn first(&self) -> Option<&T> {
        self.kept.first().map(|(_, copy)| copy)
    }

    /// Keeps a copy of a tick that was just played, if one is due; returns whether it was.
    pub fn keep(&mut self, tick: u64, copy: impl FnOnce() -> T) -> bool {
        let newest = self.kept.last().map_or(0, |(tick, _)| *tick);
        if tick <= newest || !tick.is_multiple_of(self.spacing_ticks) {
            return false;
        }
        self.kept.push((tick, copy()));
        self.thin_out();
        true
    }

    /// The same, and all copies take at most this many bytes, if they take as many as this one; two are kept in any case.
    /// `copy` returns how many that are, too.
    pub fn keep_within(&mut self, bytes: usize, tick: u64, copy: impl FnOnce() -> (T, usize)) {
        let mut each = 0;
        let is_kept = self.keep(tick, || {
            let (copy, size) = copy();
            each = size;
            copy
        });
        if is_kept {
            self.limit(bytes, each);
        }
    }

    fn thin_out(&mut self) {
        while self.kept.len() > self.most {
            self.spacing_ticks = self.spacing_ticks.saturating_mul(2);
            let spacing = self.spacing_ticks;
            let first = self.first_tick();
            self.kept
                .retain(|(tick, _)| *tick == first || tick.is_multiple_of(spacing));
        }
    }

    /// The copy from which a game that is at the tick `now` reaches another tick soonest: the last one at or before it.
    /// `None` if the game gets there sooner by playing on, or if all copies are later.
    pub fn nearest(&self, now: u64, tick: u64) -> Option<&T> {
        let (at, copy) = self.last_until(tick)?;
        (now > tick || *at > now).then_some(copy)
    }

    /// The last copy at or before a tick.
    pub fn before(&self, tick: u64) -> Option<&T> {
        self.last_until(tick).map(|(_, copy)| copy)
    }

    fn last_until(&self, tick: u64) -> Option<&(u64, T)> {
        let later = self.kept.partition_point(|(at, _)| *at <= tick);
        self.kept.get(later.checked_sub(1)?)
    }

    /// Forgets what was played after a tick.
    pub fn cut(&mut self, tick: u64) {
        self.kept.retain(|(at, _)| *at <= tick);
    }

    /// Forgets the earliest copy, unless it is the only one. Returns the earliest tick that is left.
    pub fn forget_first(&mut self) -> Option<u64> {
        (self.kept.len() > 1).then(|| {
            self.kept.remove(0);
            self.first_tick()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::KeyFrames;

    #[test]
    fn every_tick_is_near_a_copy_and_the_first_stays() {
        let mut copies = KeyFrames::new(7, 7);
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
        assert_eq!(copies.nearest(50_000, 6), None);
        let copy = *copies.nearest(7, 60_000).unwrap();
        assert_eq!(copies.nearest(60_500, 60_000), Some(&copy));
        assert_eq!(copies.nearest(copy, 60_000), None);
        assert_eq!(copies.nearest(copy - 1, 60_000), Some(&copy));
        copies.cut(70_000);
        assert!(*copies.before(u64::MAX).unwrap() <= 70_000);
        assert!(copies.forget_first().unwrap() > 7);
        copies.limit(10_000, 3_000);
        assert!((2..=3).contains(&copies.kept.len()));
        copies.limit(10, 3_000);
        for tick in 100_000..=300_000 {
            copies.keep(tick, || tick);
            assert!(copies.kept.len() <= 2);
        }
    }
}
