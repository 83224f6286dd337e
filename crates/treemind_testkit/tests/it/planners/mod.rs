//! Planners.

mod classic;
mod domain;
mod each;
mod exhaustive;
mod known;
mod letter;
mod random;

pub(crate) use domain::Draft;
