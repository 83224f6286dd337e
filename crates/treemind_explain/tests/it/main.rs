//! What is said about the characters in the arena, and about random programs.

mod bids;
mod causes;
mod examples;
mod nodes;
mod planners;
mod plans_followed;
mod plans_named;
mod plans_told;
mod random;
mod searching;
mod truth;
mod watched;
