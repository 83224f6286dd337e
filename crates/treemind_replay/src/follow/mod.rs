//! The agents that somebody looks at.
//!
//! A [`Follower`] follows one agent: it looks at the agent before each tick, and takes in the trace after it. It knows the
//! [mark](Mark) of each line of the behaviour, the values of the keys with their last change, and the reasons. A [`Troupe`]
//! has the followers of a game, and the [`Activity`] of everybody; a [`Timeline`] notes what they did.

mod activity;
mod breakpoint;
mod changes;
mod condition;
mod faults;
mod finds;
mod follower;
mod hits;
mod hold;
pub(crate) mod lines;
mod marks;
mod plans;
mod replaced;
mod timeline;
mod troupe;
mod typed;
mod weighed;
mod worth;

use treemind_doc::{Said, said};

/// The lowest speed of a view, as a multiple of real time.
pub const SLOWEST: f64 = 0.1;
/// The highest speed of a view, as a multiple of real time.
pub const FASTEST: f64 = 64.0;

/// There is no key of this name.
pub fn no_key(key: &str) -> Said {
    said!("there is no key `{}`", key)
}

pub use activity::{Activity, deeds};
pub use breakpoint::{Breakpoints, Seen};
pub use changes::{Tone, changes, events_that_came, said, word_of};
pub use condition::{Condition, value_for, value_of};
pub use faults::FaultsSoFar;
pub use follower::FEW;
pub use follower::{Follower, Shown, memory_begin};
pub use hold::{Hold, Holds};
pub use marks::{Mark, Marks, sides};
pub use plans::Followed;
pub use replaced::Replaced;
pub use timeline::{Note, Timeline};
pub use treemind_explain::Fellows;
pub use troupe::{Agents, Roster, Tick, Troupe};
pub use typed::{Input, Put, Takes, Typed};
pub use weighed::{Ran, Ruled};
pub use worth::worth;
