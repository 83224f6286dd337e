//! The example characters in the arena: what happens, and at which tick.

mod boss;
mod child;
mod guard;
mod hero;
mod hunter;
mod intruder;
mod layers;
mod long;
mod look;
mod pet;
mod places;
mod planning;
mod robot;
mod soldier;
mod squad;
mod stage;
mod stage_play;
mod steady;
mod stubs;
mod village;
mod watchman;
mod world;

use stage::{Play, Story};
