//! Planners.

mod domain;
mod known;
mod random;

pub(crate) use domain::Draft;
