//! The options of nodes.

use crate::blackboard::EventPart;
use crate::expr::Expr;
use crate::ids::{KeyId, LeafId};
use crate::value::Value;

/// The argument of a node for a parameter of its leaf. It is evaluated at the start of a run (for a condition, each
/// time it is asked).
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A literal, or the parameter's default.
    Value(Value),
    /// An expression over the blackboard, of the parameter's type.
    Expr(Expr),
    /// A key itself, for a parameter that is [passed by key](super::Param::by_key). Nothing is read at the start: the
    /// leaf reads and writes the key whenever it is called, also while the key is unset.
    Key(KeyId),
}

impl Arg {
    /// The expression, if it is one.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Arg::Expr(expr) => Some(expr),
            Arg::Value(_) | Arg::Key(_) => None,
        }
    }
}

/// A threshold of a [`Kind::Parallel`](super::Kind::Parallel).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// All children.
    All,
    /// All children except this many, which must be fewer than there are; `AllBut(0)` is `All`.
    AllBut(u32),
    /// This many children, at most their number; `one` is `Count(1)`. Documents need at least 1; 0 is reached at
    /// the first check.
    Count(u32),
    /// Exactly this many, at the moment of a check; at most the number of children.
    Exactly(u32),
}

/// How a skipped child counts for the thresholds of a [`Kind::Parallel`](super::Kind::Parallel).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skips {
    /// In the tick in which it is skipped, it counts as absent for `All` and `AllBut`. When all are skipped, so is
    /// the parallel.
    #[default]
    Absent,
    /// Like `Absent`, but when all are skipped, the thresholds still decide.
    AbsentEvenAll,
    /// It is neither a success nor a failure yet.
    Pending,
}

/// How often a loop runs its child.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// No limit.
    Forever,
    /// An `int` expression, evaluated when the loop starts; with 0 or less, there is no run at all.
    Count(Expr),
    /// The same, but it is evaluated again in each tick that reaches the loop, before its child, and by a `Retry` also
    /// after each run. A live child is aborted when the number has been reached. Only for imported dialects.
    Reread(Expr),
}

/// What a loop with a limited number of times counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// Runs of its child that have ended.
    #[default]
    Runs,
    /// Ticks that reached it in this run.
    Ticks,
}

/// When a parallel checks its thresholds, and whether its children run once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judging {
    /// After all children have been ticked, instead of after each.
    pub at_end: bool,
    /// Every child is ticked in every tick; a child that has finished starts again. Only the answers of this tick
    /// count, and it does not matter whether a threshold can no longer be reached.
    pub repeat_finished: bool,
}

/// How a loop repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// When it answers running between two runs.
    pub yields: Yields,
    /// How many runs may end in one tick before it answers running and records a fault; at least 1.
    pub max_runs: u32,
}

impl Default for Pace {
    /// One run per tick; [`MAX_RUNS_PER_TICK`](crate::MAX_RUNS_PER_TICK).
    fn default() -> Self {
        Yields::Always.into()
    }
}

impl From<Yields> for Pace {
    fn from(yields: Yields) -> Self {
        Self {
            yields,
            max_runs: crate::MAX_RUNS_PER_TICK,
        }
    }
}

/// When a loop answers running between two runs of its child, or a list between two children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yields {
    /// Never. The default of lists; a loop makes all its runs in one tick, at most [`Pace::max_runs`].
    Never,
    /// When the child began and ended in the same tick. Not after a child that was skipped.
    Fresh,
    /// Always: one run, or one child, per tick. Not after a child that was skipped. The default of loops.
    Always,
}

/// A part of the text of a [`Kind::Log`](super::Kind::Log).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogPart {
    /// Text, shown as it is.
    Text(String),
    /// The current value of a key.
    Key(KeyId),
}

/// Who receives an event at the end of a step, apart from the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Audience {
    /// The agent that emits it.
    Sender,
    /// The other agents of its group.
    Group,
    /// All other agents.
    World,
    /// The agent whose handle this key of type `entity` holds, of any program. If it is unset, that is a fault; if no
    /// such agent lives, the node fails.
    Agent(KeyId),
}

/// How many events to an [`Audience`] an agent can emit in one tick.
pub const MAX_POSTS: usize = 16;

/// Which events a [`Kind::Received`](super::Kind::Received) looks for, and where it writes what they say.
#[derive(Clone, Debug, PartialEq)]
pub struct Awaited {
    /// The events, without repetition; each of them will do.
    pub events: Vec<LeafId>,
    /// The keys that show parts of an event to `test`, which must be the agent's own. Only if there is one event.
    pub shown: Vec<(EventPart, KeyId)>,
    /// A `bool` expression that must hold for the event. A fault in it counts as false.
    pub test: Option<Expr>,
    /// The keys that receive parts of the event for which the test holds. Only if there is one event.
    pub bound: Vec<(EventPart, KeyId)>,
}

/// The least and the greatest number of events that a mailbox can keep until the agent's next tick.
pub const MAILBOX_SIZES: std::ops::RangeInclusive<usize> = 1..=256;
