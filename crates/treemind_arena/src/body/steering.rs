//! The keys that steer a body, and what they have told it.

use serde::{Deserialize, Serialize};

/// A key that steers a hero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Key {
    /// Walk up, until something is in the way.
    Up,
    /// Walk down.
    Down,
    /// Walk to the left.
    Left,
    /// Walk to the right.
    Right,
    /// Stand still.
    Stand,
    /// Strike the nearest enemy within reach.
    Strike,
    /// Begin to walk softly and slowly, or end it.
    Sneak,
    /// Whistle, to be heard.
    Whistle,
}

impl Key {
    /// All keys.
    pub const ALL: [Self; 8] = [
        Self::Up,
        Self::Down,
        Self::Left,
        Self::Right,
        Self::Stand,
        Self::Strike,
        Self::Sneak,
        Self::Whistle,
    ];

    /// Its name in files of keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
            Self::Stand => "stand",
            Self::Strike => "strike",
            Self::Sneak => "sneak",
            Self::Whistle => "whistle",
        }
    }
}

/// What the keys have told a body to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Steering {
    /// The step to the next square, repeated until a wall or another key stops it.
    pub(crate) heading: Option<(i32, i32)>,
    pub(crate) sneaks: bool,
    pub(crate) strikes: bool,
    pub(crate) whistles: bool,
    /// The key that was pressed last, for its mind.
    pub(crate) pressed: Option<Key>,
}
