//! Random behaviours, scripts and plans, each known by its seed.

mod charts;
mod decisions;
mod dress;
mod exprs;
mod linked;
mod loops;
mod machines;
mod plan;
mod trees;
mod utility;

pub use charts::{Chart, TOLD};
pub(crate) use decisions::drop_unused_leaves;
pub use exprs::ExprMaker;
pub use machines::for_all_children;
pub use plan::{AgentScript, Case, Moment, Op, Step, Write, random_case, report_of};
pub use trees::{COMPOSITES, DECORATORS, random_parts};

use trees::DECORATOR_WEIGHTS;

use crate::random::Random;

/// What a generated case is rich in. Each case has a profile of its own, so that rare things come together often
/// enough.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// How many nodes at most.
    pub nodes: usize,
    /// How many nodes one above the other at most.
    pub depth: usize,
    /// How often each kind of composite comes up, in proportion; the order is that of the maker of trees.
    pub composites: [usize; COMPOSITES],
    /// How many of a hundred inner nodes are decorators.
    pub decorators: usize,
    /// How often each kind of decorator comes up, in proportion; the order is that of the maker of trees.
    pub decorator_kinds: [usize; DECORATORS],
    /// How many of a hundred other inner nodes are machines.
    pub machines: usize,
    /// How many of a hundred inner nodes that are no machines are decision trees.
    pub decisions: usize,
    /// How many of a hundred answers are skipped.
    pub skips: usize,
    /// How many of a hundred answers of actions are running.
    pub runs: usize,
    /// How many of a hundred answers of conditions are running.
    pub waiting_conditions: usize,
    /// How many of a hundred nodes have guards.
    pub guards: usize,
    /// How many of a hundred nodes have statements after them.
    pub hooks: usize,
    /// How many of a hundred keys are shared.
    pub shared: usize,
    /// How many of a hundred other keys are computed by the host.
    pub sensed: usize,
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
        let mut composites = composite_weights(random);
        if spins && random.percent(25) {
            // What draws again and again within one tick.
            composites = [8, 8, 0, 0, 0, 0, 20, 20, 0, 0, 0, 0, 0, 0, 40, 0, 0, 8, 40];
        }
        Self {
            nodes,
            depth: *random.pick(&[2, 3, 4, 4, 5, 6, 7]),
            composites,
            decorators: *random.pick(if spins { &[40, 55, 70] } else { &[15, 30, 50] }),
            decorator_kinds: some_of(random, DECORATOR_WEIGHTS),
            machines: *random.pick(&[0, 0, 4, 10, 30]),
            decisions: *random.pick(&[0, 0, 6, 25]),
            skips: *random.pick(if spins { &[0, 0, 2, 8] } else { &[0, 0, 8, 30] }),
            runs: *random.pick(if spins { &[0, 2, 10] } else { &[35, 55, 75] }),
            waiting_conditions: *random.pick(&[0, 0, 10, 30]),
            guards: *random.pick(&[0, 8, 15, 15, 35]),
            hooks: *random.pick(&[0, 8, 15, 15, 35]),
            shared: *random.pick(&[0, 0, 20, 40]),
            sensed: *random.pick(&[0, 0, 15, 35]),
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

fn composite_weights(random: &mut Random) -> [usize; COMPOSITES] {
    let reactive = *random.pick(&[10, 35, 70]);
    let weights = [
        55, 55, reactive, reactive, 35, 60, 30, 25, 45, 25, 35, 35, 40, 35, 30, 35, 20, 35, 45,
    ];
    some_of(random, weights)
}

/// Half of the time all, otherwise some of them alone: what is rare comes together more often where most is missing.
fn some_of<const N: usize>(random: &mut Random, weights: [usize; N]) -> [usize; N] {
    if random.percent(50) {
        return weights;
    }
    let kept = random.between(2, 5);
    let mut some = [0; N];
    for _ in 0..kept {
        let index = random.below(N);
        some[index] = weights[index];
    }
    some
}
