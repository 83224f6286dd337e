//! How names are written and found, for checks and for tools.

mod in_texts;
mod states;

pub(crate) use in_texts::{LogPiece, braced, is_meant, log_pieces, words};
pub(crate) use states::{FoundState, States};
