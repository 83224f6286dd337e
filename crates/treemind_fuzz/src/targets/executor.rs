//! The executor beside the reference interpreter.

use std::time::Duration;
use treemind_core::Behaviour;
use treemind_testkit::compare::{case_of_bytes, report, shrink, try_compare};
use treemind_testkit::generate::{Case, case_of};

/// Random programs that are made of the bytes.
pub(super) fn check(bytes: &[u8]) {
    let agents = [1, 1, 2, 3, 65][bytes.first().map_or(0, |byte| usize::from(*byte) % 5)];
    agree(&case_of_bytes(bytes, agents, 24));
}

/// Plays a behaviour with random answers.
pub(super) fn play(behaviour: &Behaviour, seed: u64) {
    // The host of scripts answers for `Echo` by itself, which the reference does not know of.
    if behaviour.leaves().iter().any(|leaf| leaf.name == "Echo") {
        return;
    }
    let mut case = case_of(behaviour, seed, 2, 12);
    // Loops that spin would take most of the time.
    case.max_turns = Some(20);
    for step in &mut case.steps {
        step.dt = step.dt.min(Duration::from_secs(60));
    }
    agree(&case);
}

fn agree(case: &Case) {
    if let Err(mismatch) = try_compare(case) {
        let small = shrink(case, &mismatch);
        let mismatch = try_compare(&small).expect_err("a smaller case differs as well");
        panic!("{}", report(&small, &mismatch));
    }
}
