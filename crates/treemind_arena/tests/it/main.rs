//! The example characters in the arena: what happens, and at which tick.

mod guard;
mod stage;
mod steady;

use stage::{Play, Story};
