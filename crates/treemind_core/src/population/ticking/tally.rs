//! How many agents of a population gave which answer.

use crate::population::exec::Roots;
use crate::status::Status;

/// How many agents of a population gave which answer in a tick, at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Success.
    pub success: u64,
    /// Failure.
    pub failure: u64,
    /// Running.
    pub running: u64,
    /// Skipped.
    pub skipped: u64,
}

impl Tally {
    pub(in crate::population) fn count(&mut self, status: Status) {
        match status {
            Status::Success => self.success += 1,
            Status::Failure => self.failure += 1,
            Status::Running => self.running += 1,
            Status::Skipped => self.skipped += 1,
        }
    }

    pub(in crate::population) fn add<const W: usize>(
        &mut self,
        ticked: &[u64; W],
        roots: &Roots<W>,
    ) {
        // Few agents end in a tick, and checking takes less time than counting.
        let count = |set: &[u64; W]| match set.iter().fold(0, |all, word| all | word) {
            0 => 0,
            _ => set
                .iter()
                .map(|word| u64::from(word.count_ones()))
                .sum::<u64>(),
        };
        let (success, failure, skipped) = (
            count(&roots.success),
            count(&roots.failure),
            count(&roots.skipped),
        );
        self.success += success;
        self.failure += failure;
        self.skipped += skipped;
        // Restored from forged bytes, an agent may run at two places, and answer twice.
        let ended = success + failure + skipped;
        self.running += count(ticked).saturating_sub(ended);
    }
}

impl std::ops::Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            success: self.success + other.success,
            failure: self.failure + other.failure,
            running: self.running + other.running,
            skipped: self.skipped + other.skipped,
        }
    }
}
