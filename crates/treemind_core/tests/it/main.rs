//! Integration tests of the core.

mod byte_order;
mod guard;
mod intervals;
mod keys;
mod loops;
mod plans;
mod shared_lists;
mod sharing;
mod spawning;
