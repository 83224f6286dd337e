//! What a view of agents shows, in the terminal, in the browser or in a game: a [mark](Mark) for each line of the
//! definition, the values of the keys with their last change, and the reasons, tick by tick.
//!
//! A [`Mind`] follows one agent: it looks at the agent before each tick, and takes in the trace after it.

mod changes;
mod marks;
mod mind;

pub use changes::{Tone, changes, said, word_of};
pub use marks::{Mark, Marks, sides};
pub use mind::{Mind, Shown};
