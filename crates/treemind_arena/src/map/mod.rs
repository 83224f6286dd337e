//! Maps and scenarios as small text files.
//!
//! A file has up to five parts, each with its own heading. Lines that start with `;` are comments, and empty lines
//! are ignored.
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
//! [steer]
//! observe health / 100
//! ```
//!
//! **`[map]`** shows the ground from above, one character for each square of one metre: `#` is wall, `.` and spaces
//! are floor, and the legend says what all other characters mean; whatever they stand for is on floor.
//! **`[legend]`** has a line for each of these characters, or for a range such as `1-6`. **`[script]`** says what
//! [happens](Cue), and when. **`[rules]`** sets the [limits](Rule), and when a round is over. **`[steer]`** says what
//! [learners](SteerPart) see and do.

mod error;
mod keys;
mod legend;
mod parts;
mod scenario;
mod script;
mod steer;
mod text;
mod words;

pub use error::MapError;
pub use keys::Presses;
pub use legend::ACTOR_PROPERTIES;
pub use scenario::{Rule, Scenario, Spot};
pub use script::{Cue, CueKind, FactValue};
pub(crate) use steer::in_expressions;
pub use steer::{Sight, SteerPart};
pub use text::{LegendLine, MapSide, MapText};
