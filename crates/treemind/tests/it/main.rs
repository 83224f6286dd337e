//! The registry of closures, with small behaviours written by hand; and characters of the examples.

mod allocations;
mod binding;
mod calls;
mod cast;
mod changing;
mod characters;
mod every_call;
mod example;
mod faults;
mod host;
mod kinds;
mod listeners;
mod migration;
mod mind;
mod own_faults;
mod own_nodes;
mod own_types;
mod saving;
mod scripted;
mod sensed_lists;
mod shared;
mod shared_lists;
mod threads;
mod trees;
mod values;
