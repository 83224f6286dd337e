//! Integration tests of the core.

mod guard;
mod keys;
mod sharing;
