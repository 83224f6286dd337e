//! Random behaviours, scripts and plans, each known by its seed.

mod exprs;
mod plan;
mod trees;

pub use exprs::ExprMaker;
pub use plan::{AgentScript, Case, Moment, Op, Step, Write, random_case};
pub use trees::random_parts;

use crate::random::Random;

/// What a generated case is rich in. Each case has a profile of its own, so that rare things come together often
/// enough.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// How many nodes at most.
    pub nodes: usize,
    /// How many nodes one above the other at most.
    pub depth: usize,
    /// How many of a hundred composites are reactive, more or less.
    pub reactive: usize,
    /// How many of a hundred inner nodes are decorators.
    pub decorators: usize,
    /// How many of a hundred answers are skipped.
    pub skips: usize,
    /// How many of a hundred answers of actions are running.
    pub runs: usize,
    /// How many of a hundred answers of conditions are running.
    pub waiting_conditions: usize,
    /// Whether expressions may overflow, divide by zero, or give bad durations.
    pub faults: bool,
    /// Whether loops may spin until they have used up what a tick allows.
    pub spins: bool,
}

impl Profile {
    /// A profile by chance.
    pub fn random(random: &mut Random) -> Self {
        let spins = random.percent(8);
        let nodes = match random.below(10) {
            _ if spins => random.between(2, 9),
            0..2 => random.between(2, 8),
            2..6 => random.between(8, 25),
            _ => random.between(25, 60),
        };
        Self {
            nodes,
            depth: *random.pick(&[2, 3, 4, 4, 5, 6, 7]),
            reactive: *random.pick(&[10, 35, 70]),
            decorators: *random.pick(if spins { &[40, 55, 70] } else { &[10, 25, 45] }),
            skips: *random.pick(if spins { &[0, 0, 2, 8] } else { &[0, 0, 8, 30] }),
            runs: *random.pick(if spins { &[0, 2, 10] } else { &[25, 50, 75] }),
            waiting_conditions: *random.pick(&[0, 0, 10, 30]),
            faults: random.percent(35),
            spins,
        }
    }

    /// A profile whose runs have no faults, for measurements.
    pub fn without_faults(random: &mut Random) -> Self {
        Self {
            faults: false,
            spins: false,
            ..Self::random(random)
        }
    }
}
