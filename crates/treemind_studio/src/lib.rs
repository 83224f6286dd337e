//! Treemind's studio: a page in the browser that shows agents.
//!
//! A game opens a [`Studio`], which shows its agents while they run:
//!
//! ```
//! use std::time::Duration;
//! use treemind::prelude::*;
//! use treemind_studio::Studio;
//!
//! let mut leaves = Registry::<()>::new();
//! leaves.action("patrol", |_, _| Status::Running);
//! let text = b"leaves { action patrol; }\ntree guard { action patrol; }";
//! let mut guards = Minds::read(text, "guard.kdl", &leaves, 10)?;
//!
//! let studio = Studio::open(0)?;
//! studio.watch(&mut guards, "guards");
//! println!("{}", studio.url());
//!
//! for _ in 0..100 {
//!     guards.tick(&mut (), Duration::from_millis(50));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The game records on a [tape](treemind_core::tape) in memory what it does, and another thread plays the tape for the
//! pages that are open. So the game never waits for a page, and pages can go back to every tick that is still on the
//! tape. `docs/studio.md` has more.
//!
//! # Showing something else
//!
//! A [`Server`] serves the page, and a web socket through which pages ask. A [`Session`] answers them, as
//! `docs/studio-protocol.md` says it. It opens [`Files`] as pages ask for them, and lets a [`Show`] of each go forward and
//! back: a game that it plays itself, a [`Replay`] of a recording, or a game that runs elsewhere and is recorded.
//!
//! # Features
//!
//! `server`, on by default, is the server. Without it, there are sessions only: they know no thread and no network, and run
//! wherever somebody carries their messages, such as in a page of its own.

#![cfg_attr(docsrs, feature(doc_cfg))]

/// The program in the page on the studio, so that tests compile and play it.
#[cfg(all(doctest, feature = "server"))]
#[doc = include_str!("../../../docs/studio.md")]
struct OnTheStudio;

#[cfg(feature = "server")]
mod attach;
pub mod clock;
mod editing;
#[cfg(feature = "server")]
mod server;
mod session;

#[cfg(feature = "server")]
pub use attach::{Studio, TAPE_BYTES, Watch};
pub use editing::{Author, Editing, Ledger, Shelf};
#[cfg(feature = "server")]
pub use server::{Access, Ask, PAGE, Server};
#[cfg(feature = "server")]
pub use session::serve;
pub use session::{
    Answers, Change, Course, Files, LOOK_EVERY, Pace, Page, Replay, Session, Show, compared,
    no_agent, no_folders, no_token, not_made,
};
