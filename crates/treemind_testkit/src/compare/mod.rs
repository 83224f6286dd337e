//! Runs the executor and the reference interpreter side by side and reports where they differ.
//!
//! For every agent and tick, it compares the root's status, the events of leaves in their order, the events of each
//! composite (their interleaving is not guaranteed), the values of all keys, every call to the host with its
//! arguments, and the faults; once with a trace and once without.

mod called;
mod decider;
mod edit;
mod events;
mod hosts;
mod machines;
mod paired;
mod report;
mod run;
mod sharing;
mod shrink;
mod sides;

pub use called::{CallKind, Called, same_cell, same_value};
pub use edit::edited;
pub use hosts::{Meddler, ScriptedAgent, cell_of, reference_of, write_cell};
pub use paired::{OpenRun, Paired};
pub use report::{outline, report};
pub use run::{Mismatch, compare};
pub use shrink::{shrink, shrink_while, try_compare};
pub use sides::resumed;

use crate::generate::{Case, Profile, case_led_by, random_case};
use crate::random::Random;

/// The random case of a seed, with this many agents and ticks. In cases where loops spin, a tick takes a thousand
/// times as long, so these have fewer agents and ticks.
pub fn case_of_seed(seed: u64, agents: usize, ticks: usize) -> Case {
    let profile = profile_of_seed(seed);
    let (agents, ticks) = bounded(profile, agents, ticks);
    random_case(seed, profile, agents, ticks)
}

/// What is in the case of a seed.
pub fn profile_of_seed(seed: u64) -> Profile {
    Profile::random(&mut Random::new(!seed))
}

fn bounded(profile: Profile, agents: usize, ticks: usize) -> (usize, usize) {
    if profile.spins {
        (agents.min(65), if agents > 5 { 3 } else { 12 })
    } else {
        (agents, ticks)
    }
}

/// The same for bytes, which lead what is drawn.
pub fn case_of_bytes(bytes: &[u8], agents: usize, ticks: usize) -> Case {
    let (head, body) = bytes.split_at(bytes.len().min(64));
    let profile = Profile::random(&mut Random::led_by(head));
    let (agents, ticks) = bounded(profile, agents, ticks);
    case_led_by(body, profile, agents, ticks)
}

/// Compares the case of a seed.
///
/// # Panics
/// With a report of a smaller failing case, when executor and reference differ.
pub fn check_seed(seed: u64, agents: usize, ticks: usize) {
    let case = case_of_seed(seed, agents, ticks);
    if let Err(mismatch) = try_compare(&case) {
        let small = shrink(&case, &mismatch);
        let mismatch = try_compare(&small).expect_err("a smaller case differs as well");
        panic!(
            "seed {seed} with {agents} agents\n{}",
            report(&small, &mismatch)
        );
    }
}
