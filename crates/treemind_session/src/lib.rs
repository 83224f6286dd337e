//! What the pages of the studio ask, and what they are answered, as `docs/studio-protocol.md` says it.
//!
//! A [`Session`] listens to pages and lets a [`Show`] go forward and back: a game that it plays itself, a recording, or
//! a game that runs elsewhere and is recorded. It knows no game. [`Film`] notes what agents did, for the timeline;
//! [`definition`] and [`marks`] are a behaviour as a page draws it.

mod activity;
mod breakpoint;
mod condition;
mod crowd;
mod definition;
mod film;
mod patch;
mod places;
mod session;
mod show;
mod troupe;
mod view;

pub use activity::Activity;
pub use breakpoint::Seen;
pub use condition::{Condition, value_for};
pub use crowd::crowd_of;
pub use definition::{definition, marks, texts};
pub use film::{Film, Note};
pub use places::places;
pub use session::{Session, serve};
pub use show::{Change, Chore, Course, Pace, Show, Wish};
pub use treemind_watch::{Mind, NOTED_TICKS};
pub use troupe::{Agents, Roster, Tick, Troupe};
pub use view::view_of;
