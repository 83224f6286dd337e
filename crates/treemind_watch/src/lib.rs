//! What a view of agents shows, in the terminal, in the browser or in a game: a [mark](Mark) for each line of the
//! definition, the values of the keys with their last change, and the reasons, tick by tick.
//!
//! A [`Mind`] follows one agent: it looks at the agent before each tick, and takes in the trace after it.

mod changes;
mod marks;
mod mind;

/// The lowest speed of a view, as a multiple of real time.
pub const SLOWEST: f64 = 0.1;
/// The highest speed of a view, as a multiple of real time.
pub const FASTEST: f64 = 64.0;

pub use changes::{Tone, changes, said, word_of};
pub use marks::{Mark, Marks, NOTED_TICKS, sides};
pub use mind::{Mind, Shown};
pub use treemind_explain::Fellows;
