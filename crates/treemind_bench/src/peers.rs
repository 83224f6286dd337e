//! Other crates: the same guard and the same machine, written as the documentation of each crate recommends.

pub(crate) mod bonsai;
pub(crate) mod rust_fsm;
pub(crate) mod statig;
