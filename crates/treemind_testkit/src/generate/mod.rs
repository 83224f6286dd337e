//! Random behaviours, scripts and plans, each determined by its seed.

mod charts;
mod decisions;
mod dress;
mod each;
mod exprs;
mod find;
mod linked;
mod list_changes;
mod loops;
mod machines;
mod mail;
mod plan;
mod planners;
mod policies;
mod rules;
mod trees;
mod utility;

pub use charts::{Chart, TOLD};
pub(crate) use decisions::drop_unused_leaves;
pub use each::planners_with_each;
pub use exprs::ExprMaker;
pub use machines::for_all_children;
pub use plan::{
    AgentScript, Case, Moment, Op, Step, Write, case_led_by, case_of, random_case, report_of,
};
pub use trees::{COMPOSITES, DECORATORS, PLANNER, random_parts};

use trees::DECORATOR_WEIGHTS;

use crate::random::Random;

/// What a generated case contains often. Each case has its own profile, so that rare features come together often
/// enough.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The largest number of nodes.
    pub nodes: usize,
    /// The largest depth of nodes.
    pub depth: usize,
    /// The relative frequency of each kind of composite, in the order of the tree generator.
    pub composites: [usize; COMPOSITES],
    /// The percentage of inner nodes that are decorators.
    pub decorators: usize,
    /// The relative frequency of each kind of decorator, in the order of the tree generator.
    pub decorator_kinds: [usize; DECORATORS],
    /// The percentage of other inner nodes that are machines.
    pub machines: usize,
    /// The percentage of inner nodes other than machines that are decision trees.
    pub decisions: usize,
    /// The percentage of answers that are skipped.
    pub skips: usize,
    /// The percentage of answers of actions that are running.
    pub runs: usize,
    /// The percentage of answers of conditions that are running.
    pub waiting_conditions: usize,
    /// The percentage of nodes with guards.
    pub guards: usize,
    /// The percentage of nodes with statements after them.
    pub hooks: usize,
    /// The percentage of keys that are shared.
    pub shared: usize,
    /// The percentage of other keys that the host computes.
    pub sensed: usize,
    /// The percentage of keys that say something about events in the mailbox.
    pub heard: usize,
    /// How often something is about the handle of an agent, in percent of where it may be.
    pub handles: usize,
    /// Whether expressions may overflow, divide by zero, or give bad durations.
    pub faults: bool,
    /// Whether loops may spin until they have used up the budget of a tick.
    pub spins: bool,
}

impl Profile {
    /// A random profile.
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
            // Nodes that draw again and again within one tick.
            composites = [
                8, 8, 0, 0, 0, 0, 20, 20, 0, 0, 0, 0, 0, 0, 40, 0, 0, 8, 40, 0, 8,
            ];
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
            heard: *random.pick(&[0, 0, 10, 20]),
            handles: *random.pick(&[0, 0, 20, 40]),
            faults: random.percent(35),
            spins,
        }
    }

    /// A profile for measurements, whose runs have no faults.
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
        55, 55, reactive, reactive, 35, 60, 30, 25, 45, 25, 35, 35, 40, 35, 30, 35, 20, 35, 45, 40,
        40,
    ];
    some_of(random, weights)
}

/// In half of the cases all weights, otherwise only some, so that rare kinds come together more often.
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
