//! What happens in the arena, for logs and tests.

use std::fmt;

/// One of the two in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// Decides with Treemind.
    Guard,
    /// Follows a script.
    Intruder,
}

impl fmt::Display for Who {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Who::Guard => "the guard",
            Who::Intruder => "the intruder",
        })
    }
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Happening {
    /// The intruder has come in.
    Arrived,
    /// The guard walks its round.
    PatrolStarted,
    /// The guard has noticed the intruder.
    Saw,
    /// The guard has not seen the intruder for so long that it stops reckoning with it.
    LostSight,
    /// The guard goes for the intruder.
    AttackStarted,
    /// A run of the attack was cut off.
    AttackBrokenOff,
    /// A blow has landed.
    Hit {
        /// Who was hit.
        whom: Who,
        /// The hit points that it cost.
        damage: i32,
        /// The hit points that are left.
        left: i32,
    },
    /// The guard runs for its hut.
    FleeStarted,
    /// The guard is in its hut.
    Hid,
    /// The guard has all its hit points again.
    Recovered,
    /// Somebody has died.
    Died(Who),
    /// The intruder has come to the end of its way and is gone.
    Left,
}

impl fmt::Display for Happening {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Happening::Arrived => "the intruder comes in",
            Happening::PatrolStarted => "the guard walks its round",
            Happening::Saw => "the guard sees the intruder",
            Happening::LostSight => "the guard has lost the intruder",
            Happening::AttackStarted => "the guard attacks",
            Happening::AttackBrokenOff => "the guard breaks its attack off",
            Happening::Hit { whom, damage, left } => {
                return write!(out, "{whom} is hit: -{damage}, {left} left");
            }
            Happening::FleeStarted => "the guard flees to its hut",
            Happening::Hid => "the guard hides in its hut",
            Happening::Recovered => "the guard has recovered",
            Happening::Died(who) => return write!(out, "{who} dies"),
            Happening::Left => "the intruder is gone",
        };
        out.write_str(text)
    }
}

/// Something that happened, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The tick, from 1.
    pub tick: u64,
    /// What.
    pub what: Happening,
}

impl fmt::Display for Event {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{:>5} {:>7.2} s  {}",
            self.tick,
            crate::secs(self.tick),
            self.what
        )
    }
}
