//! Planners.

mod classic;
mod domain;
mod exhaustive;
mod known;
mod random;

pub(crate) use domain::Draft;
