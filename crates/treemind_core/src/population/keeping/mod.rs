//! The state of a population outside of it: saved and restored, shown, gone back to, moved, and carried to another program.

pub(super) mod migration;
pub(super) mod moving;
pub(super) mod readable;
pub(super) mod rollback;
pub(super) mod saving;
