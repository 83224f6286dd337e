//! What must hold whatever the bytes are: a function for each target, which panics when it does not hold.
//!
//! `cargo xtask fuzz` has libFuzzer search for such bytes, guided by the code that they reach. The tests play each
//! target on all seeds, and on what was found before, in `finds/`.

mod seeds;
mod targets;

pub use seeds::{seeds, words};
pub use targets::{TARGETS, Target};
