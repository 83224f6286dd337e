//! What a saved game holds, for people.

use crate::session::LoadError;
use crate::{crowd, session};
use treemind::saving::Readable;

/// Whether bytes begin as a saved game of the arena, or as a saved crowd.
pub fn is_saved_game(bytes: &[u8]) -> bool {
    bytes.starts_with(b"treemind arena ") || bytes.starts_with(b"treemind crowd ")
}

/// A saved game or crowd for people: its world, and the state of all minds, or only of the agent with this index in each
/// population. See [`Population::readable`](treemind::population::Population::readable).
///
/// # Errors
/// When the bytes are no saved game, are damaged, or do not have the text of their document.
pub fn readable(saved: &[u8], only: Option<usize>) -> Result<Readable, LoadError> {
    match saved.starts_with(b"treemind crowd ") {
        true => crowd::readable(saved, only),
        false => session::saving::readable(saved, only),
    }
}
