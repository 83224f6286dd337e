//! What agents did, kept so that every tick can be reached again.
//!
//! - A [`Store`] is where a tape is kept: [`Track`] in memory, a recording in a file. It consists of segments: a whole state,
//!   and the ticks after it. Each reload of documents begins another revision, and earlier ones can still be played.
//! - [`KeyFrames`] keeps copies of what has been played, so that a tick is reached from the nearest of them, in either
//!   direction.
//! - A [`Playhead`] plays a store forward, from any tick.
//! - [`History`] plays it forward, back, and to any tick, and follows agents.

mod error;
mod key_frames;
mod played;
mod playhead;
mod store;
mod times;
mod track;

pub use error::ReplayError;
pub use key_frames::{COPY_BYTES, KeyFrames};
pub use played::{Chore, History};
pub use playhead::Playhead;
pub use store::{Begin, Next, Place, Store};
pub use times::Times;
pub use track::Track;

/// Whether it is time for a whole state: the ticks since the last one take four times its bytes and are 128 at least, or
/// they are 1 024. So states take a fifth of the room of large tapes, and a tick is at most 1 024 ticks from one.
pub fn is_state_due(state_bytes: usize, bytes_since: usize, ticks_since: u64) -> bool {
    const STATE_TIMES: usize = 4;
    const STATE_TICKS: std::ops::Range<u64> = 128..1_024;
    let is_much = bytes_since / STATE_TIMES >= state_bytes;
    is_much && ticks_since >= STATE_TICKS.start || ticks_since >= STATE_TICKS.end
}
