//! What every contender does: it prepares facts, plays ticks, and reports what its agents did.

use crate::facts::Facts;

/// The functions of every contender. Only [`tick`](Self::tick) is measured.
pub(crate) trait Contender {
    /// Takes the facts of the coming ticks.
    fn get_ready(&mut self, facts: &Facts, ticks: usize);

    /// Plays a tick, number `nth` of those that were prepared.
    fn tick(&mut self, nth: usize);

    /// How often each action has been carried out so far. Called after every tick, or never.
    fn done(&mut self) -> Vec<u64>;

    /// How much state all agents have, in bytes.
    fn state_bytes(&self) -> usize;

    /// How many ticks one call of [`get_ready`](Self::get_ready) can prepare.
    fn most_ticks(&self) -> usize {
        usize::MAX
    }
}

/// A contender whose ticks are compiled into one loop.
pub(crate) trait Runner: Contender {
    /// Plays `ticks` ticks.
    fn run(&mut self, ticks: usize);
}

impl<C: Contender> Runner for C {
    fn run(&mut self, ticks: usize) {
        for nth in 0..ticks {
            self.tick(nth);
        }
    }
}
