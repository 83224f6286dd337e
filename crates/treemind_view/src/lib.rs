//! Agents in the terminal, tick by tick and back: the tree with what each node did, the reasons, the keys and the log,
//! beside a panel of the game's own.
//!
//! A game asks a [`View`] in its loop whether to continue, and hands it a panel of text:
//!
//! ```no_run
//! # use std::time::Duration;
//! # use treemind::prelude::*;
//! # use treemind_view::View;
//! # fn play(mut guards: Minds<String>, mut world: String) -> std::io::Result<()> {
//! let mut view = View::new();
//! view.watch(&mut guards, "guard");
//! while view.goes_on()? {
//!     guards.tick(&mut world, Duration::from_millis(50));
//!     view.panel(world.clone());
//! }
//! # view.finish()
//! # }
//! ```
//!
//! The user pauses, steps, goes back, chooses an agent, and asks why. Without a terminal, the view prints a log.
//!
//! # Building your own view
//!
//! `treemind run` and `treemind replay` show the arena and recordings with the same parts. A [`Playable`] plays ticks, a
//! [`Scene`] is what there is to see at one of them, an [`App`] reacts to keys, the mouse and time, and [`run`] plays
//! it in the terminal. The parts of a frame are in [`draw`].

mod app;
pub mod draw;
mod game;
mod keyboard;
mod record;
mod rounds;
mod scene;
mod signals;
mod terminal;
mod theme;
mod view;

pub use app::{App, Playable, Wish, faster};
pub use draw::{Hits, Look, Screen};
/// What frames are drawn with.
pub use ratatui;
pub use record::Watch;
pub use scene::{Help, LogLine, Scene, log_text, summary};
pub use signals::Ending;
pub use terminal::{Ended, Show, run};
pub use theme::Theme;
pub use treemind_replay::follow::{FASTEST, SLOWEST};
pub use view::{Ticked, View, play};

#[cfg(doctest)]
#[doc = include_str!("../../../docs/terminal-view.md")]
struct Page;
