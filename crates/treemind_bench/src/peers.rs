//! Other crates: the same guard and the same machine, as their pages say that it is done.

pub(crate) mod bonsai;
pub(crate) mod rust_fsm;
pub(crate) mod statig;
