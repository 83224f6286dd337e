//! Between two ticks: what the game changes and asks.

pub(super) mod before;
pub(super) mod joined;
pub(super) mod limits;
pub(super) mod lives;
pub(super) mod machines;
pub(super) mod open;
pub(super) mod plans;
pub(super) mod removal;
pub(super) mod reports;
pub(super) mod rules;
pub(super) mod sending;
pub(super) mod sharing;
pub(super) mod spawning;
