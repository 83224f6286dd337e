//! Recordings: what a game's agents did, in a file that is played without the game.
//!
//! A [`Recorder`] writes the file while the game runs. The game ticks with it instead of ticking without it:
//!
//! ```
//! use std::time::Duration;
//! use treemind::population::{Population, Program};
//! use treemind::prelude::*;
//! use treemind_recording::{Recorder, Recording};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("guard.mcap");
//! let document = Document::read(b"tree guard { wait 1.0; }", "guard.kdl");
//! let behaviour = document.behaviour(None)?;
//! let bound = Registry::<()>::new().bind(&behaviour)?;
//! let mut guards = Population::new(std::sync::Arc::new(Program::new(behaviour)), 10);
//!
//! let mut recorder = Recorder::create(&path, &document)?;
//! for _ in 0..100 {
//!     recorder.tick(&mut guards, &mut bound.host(&mut ()), Duration::from_millis(50));
//! }
//! recorder.finish()?;
//!
//! let recording = Recording::open(&path)?;
//! assert_eq!(recording.ticks(), 1..=100);
//! let moments = recording.history(None, 7, 20, 1)?;
//! assert_eq!(moments.len(), 2);
//! assert!(!moments[1].events.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A recording contains the documents and, for each tick, what the game did: how it changed agents, and how it answered
//! their conditions and actions. From time to time, it contains the whole state. So every tick can be played again,
//! from the last state before it, with all details that a trace can have. [`Recording::history`] gives the trace of one
//! agent up to a tick. A [`Tape`] is a recording as a store: a
//! [`Playhead`] plays it forward from any tick, a
//! [`History`](treemind_replay::history::History) forward and back.
//!
//! The file is an [MCAP](https://mcap.dev) file, which tools of robotics can open. It is written as the game runs, and
//! can be read after a crash: see [`Recording::losses`].

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod decisions;
mod error;
mod form;
mod losses;
mod moments;
mod parts;
mod recorder;
mod recording;
mod running;
mod runs;
mod scan;
mod source;
mod step;
mod tape;

pub use error::RecordError;
pub use moments::Moment;
pub use recorder::Recorder;
pub use recording::{Note, OpenError, Recording, RunInFile};
pub use running::{Running, record};
pub use step::RecordedStep;
pub use tape::Tape;
pub use treemind_replay::history::{Playhead, ReplayError};

#[cfg(doctest)]
#[doc = include_str!("../../../docs/recordings.md")]
struct Page;
