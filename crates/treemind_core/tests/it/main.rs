//! Integration tests of the core.

mod guard;
mod keys;
mod shared_lists;
mod sharing;
