//! Planners.

mod domain;
mod known;

pub(crate) use domain::Draft;
