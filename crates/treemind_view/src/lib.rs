//! Agents in the terminal, tick by tick and back: the tree with what each node did, the reasons, the keys and the log,
//! beside a panel of the game's own.
//!
//! This is the live view of `treemind run`, for any game that can say what there is to see. A [`Stage`] plays ticks, a
//! [`Scene`] is what there is to see at one of them, an [`App`] reacts to keys, the mouse and time, and [`run`] plays it in
//! the terminal. The parts of a frame are in [`draw`].

mod app;
pub mod draw;
mod scene;
mod signals;
mod terminal;
mod theme;

pub use app::{App, FASTEST, SLOWEST, Stage, Wish, faster};
pub use draw::{Hits, Look, Panel, Screen};
pub use scene::{Help, LogLine, Scene};
pub use signals::Ending;
pub use terminal::{Show, run};
pub use theme::Theme;
