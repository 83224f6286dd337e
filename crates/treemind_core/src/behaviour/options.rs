//! The options of nodes.

use crate::expr::Expr;
use crate::ids::KeyId;
use crate::value::Value;

/// What a node gives for a parameter of its leaf. Read at the start of a run (a condition: at each question).
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A literal, or the parameter's default.
    Value(Value),
    /// An expression over the blackboard, of the parameter's type.
    Expr(Expr),
}

impl Arg {
    /// The expression, if it is one.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Arg::Expr(expr) => Some(expr),
            Arg::Value(_) => None,
        }
    }
}

/// A threshold of a [`Kind::Parallel`](super::Kind::Parallel).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// All children.
    All,
    /// All children but that many, less than there are; `AllBut(0)` is `All`.
    AllBut(u32),
    /// That many children, at most their number; `one` is `Count(1)`. Documents want at least 1; 0 is met by the
    /// first look at it.
    Count(u32),
    /// That many, no fewer and no more, at the moment of a look; at most the number of children.
    Exactly(u32),
}

/// What a skipped child means to the thresholds of a [`Kind::Parallel`](super::Kind::Parallel).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skips {
    /// It counts as not there, in the tick in which it is skipped, towards `All` and `AllBut`. When all are
    /// skipped, so is the parallel.
    #[default]
    Absent,
    /// As `Absent`; when all are skipped, the thresholds decide all the same.
    AbsentEvenAll,
    /// It is neither a success nor a failure yet.
    Pending,
}

/// How often a loop runs its child.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// No limit.
    Forever,
    /// An `int` expression, read when the loop starts; 0 or less: no run at all.
    Count(Expr),
}

/// What a loop with a number of times counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// Runs of its child that have ended.
    #[default]
    Runs,
    /// Ticks that reached it in this run.
    Ticks,
}

/// When a parallel looks at its thresholds, and whether its children run once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judging {
    /// After all children have been ticked, instead of after each.
    pub at_end: bool,
    /// Every child is ticked in every tick, those that have finished anew; only the answers of this tick count, and
    /// that a threshold can no longer be met does not matter.
    pub repeat_finished: bool,
}

/// How a loop goes on.
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
    /// When the child began and ended in this very tick. Not after a child that was skipped.
    Fresh,
    /// Always: one run, or one child, per tick. Not after a child that was skipped. The default of loops.
    Always,
}

/// A part of the text of a [`Kind::Log`](super::Kind::Log).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogPart {
    /// As it stands.
    Text(String),
    /// The value that a key has at the moment.
    Key(KeyId),
}
