//! Maps and scenarios as small text files.
//!
//! A file has up to four parts, each with a heading of its own. Lines that start with `;` are comments, and lines without
//! anything are passed over.
//!
//! ```text
//! [map]
//! ########
//! #G..D.c#
//! ########
//! [legend]
//! G actor guard mind=main walk=2.0
//! D door gate lock=1.5
//! c coin
//! [script]
//! at 40 noise 5 at c
//! at 100 set weather rain
//! [rules]
//! ends 200
//! ```
//!
//! **`[map]`** shows the ground from above, a character for a square of one metre: `#` is wall, `.` and blanks are floor,
//! and all others mean what the legend says; what they stand for stands on floor.
//! **`[legend]`** has a line for each of them, or for a range such as `1-6`: what it is. **`[script]`** says what
//! [happens by itself](Cue), and when. **`[rules]`** says how many there are of what is [limited](Rule), and when it is over.

mod grid;
mod legend;
mod scenario;
mod script;
mod words;

pub use grid::{Grid, MAX_SIDE};
pub use legend::{Item, Mind};
pub use scenario::{MapError, Rule, Scenario, Spot};
pub use script::{Cue, CueKind, FactValue};
