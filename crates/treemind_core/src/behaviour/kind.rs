//! The kinds of nodes.

use crate::expr::{Assign, Expr};
use crate::ids::{KeyId, LeafId};
use crate::value::Value;

/// What a node gives for a parameter of its leaf. Read at the start of a run (a condition: at each question).
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A literal, or the parameter's default.
    Value(Value),
    /// An expression over the blackboard, of the parameter's type.
    Expr(Expr),
}

/// A threshold of a [`Kind::Parallel`].
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

/// What a skipped child means to the thresholds of a [`Kind::Parallel`].
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

/// When a loop answers running between two runs of its child, or a list between two children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yields {
    /// Never. The default of lists; a loop makes all its runs in one tick, at most
    /// [`MAX_RUNS_PER_TICK`](crate::MAX_RUNS_PER_TICK).
    Never,
    /// When the child began and ended in this very tick. Not after a child that was skipped.
    Fresh,
    /// Always: one run, or one child, per tick. Not after a child that was skipped. The default of loops.
    Always,
}

/// A part of the text of a [`Kind::Log`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogPart {
    /// As it stands.
    Text(String),
    /// The value that a key has at the moment.
    Key(KeyId),
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Asks the host.
    Condition {
        /// Which one.
        leaf: LeafId,
        /// One per parameter, in the leaf's order.
        args: Vec<Arg>,
        /// Success and failure change places.
        negated: bool,
    },
    /// A task of the host.
    Action {
        /// Which one.
        leaf: LeafId,
        /// One per parameter, in the leaf's order.
        args: Vec<Arg>,
    },
    /// A `bool` expression: success or failure; a fault is failure.
    Check {
        /// The expression.
        expr: Expr,
    },
    /// Statements in order: success; at a fault the rest is left out and the answer is failure.
    Set {
        /// The statements.
        assigns: Vec<Assign>,
    },
    /// Running until the time has passed since its start, then success; 0 is success at once.
    Wait {
        /// Seconds, a `double` expression read at the start. Negative or not finite: a fault, and failure.
        secs: Expr,
    },
    /// Success.
    Succeed,
    /// Failure.
    Fail,
    /// Running.
    Run,
    /// Children in order, the running one remembered; the first failure ends it.
    Sequence {
        /// When it answers running between two children.
        yields: Yields,
    },
    /// Children in order, the running one remembered; the first success ends it.
    Selector {
        /// When it answers running between two children.
        yields: Yields,
    },
    /// As `Sequence`, but after a failure the next run begins at the child that failed.
    StickySequence {
        /// When it answers running between two children.
        yields: Yields,
        /// An abort forgets the place.
        reset_on_abort: bool,
    },
    /// As `Sequence`, from the first child every tick.
    ReactiveSequence,
    /// As `Selector`, from the first child every tick.
    ReactiveSelector,
    /// Children that hold nothing but conditions are asked every tick, the others run once; the first failure ends
    /// it, and it succeeds when the others have.
    Monitor,
    /// Every child not yet finished, every tick, thresholds looked at after each child, success first.
    Parallel {
        /// That many successes: success.
        success: Threshold,
        /// That many failures: failure; also when `success` can no longer be met.
        failure: Threshold,
        /// What skipped children mean.
        skips: Skips,
    },
    /// Ticks every child to its end, then fails if at least that many failed, else succeeds.
    ParallelAll {
        /// How many failures make it fail; 0: it always fails.
        max_failures: u32,
    },
    /// Draws uniformly among the children not yet tried in this run; the first success ends it.
    RandomSelector {
        /// Draws among all children, one draw per tick, until one succeeds.
        replacement: bool,
    },
    /// Draws uniformly among the children not yet tried in this run; the first failure ends it.
    RandomSequence {
        /// Draws among all children, one draw per tick, until one fails.
        replacement: bool,
    },
    /// As `RandomSelector` without replacement, in proportion to weights.
    WeightedSelector {
        /// A `double` expression per child, read at every draw. What is not above 0, or faults, is never drawn; when
        /// nothing can be drawn, the answer is failure.
        weights: Vec<Expr>,
    },
    /// Two or three children: test, then, else. The test is asked at the start, the branch runs to its end.
    If,
    /// Two or three children: test, then, else. The test is asked every tick; when its answer changes, the running
    /// branch is aborted and the other starts.
    ReactiveIf,
    /// Children but the last as a sequence; when it fails the last one runs, then the answer is failure.
    TryCatch {
        /// The last one is also ticked, once, when the others are aborted.
        on_abort: bool,
    },
    /// The first child whose test holds runs; asked every tick, the running one is aborted when the choice changes.
    Switch {
        /// A `bool` expression per child; a child beyond them is the default.
        cases: Vec<Expr>,
        /// The choice is made when it starts and kept until it ends.
        once: bool,
    },
    /// Success and failure change places.
    Invert,
    /// Failure becomes success.
    ForceSuccess,
    /// Success becomes failure.
    ForceFailure,
    /// Runs its child until that fails, then succeeds.
    UntilFailure {
        /// When it answers running in between.
        yields: Yields,
    },
    /// Runs its child until that succeeds.
    UntilSuccess {
        /// When it answers running in between.
        yields: Yields,
    },
    /// Success and skipped of the child become running, its failure ends it.
    KeepRunningUntilFailure,
    /// The first end of the child is kept for ever.
    RunOnce {
        /// After that it is skipped, instead of answering as the child did.
        then_skip: bool,
    },
    /// At most that many runs in the agent's life, counted at their starts; then failure.
    Limit {
        /// How many, an `int` expression read at each start.
        runs: Expr,
    },
    /// Fails until that long after the end of its child, aborts included.
    Cooldown {
        /// Seconds, a `double` expression read at the end of a run.
        secs: Expr,
        /// Skipped instead of failure.
        else_skipped: bool,
    },
    /// When the time since its start is over the child is aborted and the answer is failure; looked at before the
    /// child.
    Timeout {
        /// Seconds, a `double` expression read at the start.
        secs: Expr,
    },
    /// Running for that time; the child is ticked in the tick in which it is over.
    Delay {
        /// Seconds, a `double` expression read at the start.
        secs: Expr,
    },
    /// Runs its child with that probability, else fails.
    Chance {
        /// 0 to 1, a `double` expression read at the start.
        probability: Expr,
    },
    /// Success after that many successes of the child; its failure ends the loop with failure.
    Repeat {
        /// How many.
        times: Times,
        /// When it answers running in between.
        yields: Yields,
    },
    /// Failure after that many failures of the child; its success ends the loop with success.
    Retry {
        /// How many.
        times: Times,
        /// When it answers running in between.
        yields: Yields,
    },
    /// Success when the key was written since this node last looked, else failure.
    Changed {
        /// Which.
        key: KeyId,
    },
    /// Runs its child when the key was written since this node last looked.
    OnChange {
        /// Which.
        key: KeyId,
        /// When it was not, running instead of skipped.
        else_running: bool,
    },
    /// Keys are at their defaults when a run of the child begins.
    Scope {
        /// Which; keys that every agent has to itself.
        keys: Vec<KeyId>,
    },
    /// Tells the host a text: success.
    Log {
        /// The text.
        text: Vec<LogPart>,
    },
    /// Tells the host that an event has happened: success; a fault in a value is failure, and nothing is told.
    Emit {
        /// The event.
        leaf: LeafId,
        /// One per parameter, in the event's order.
        args: Vec<Arg>,
    },
}

impl Kind {
    /// The word that documents use.
    pub fn keyword(&self) -> &'static str {
        match self {
            Kind::Condition { .. } => "condition",
            Kind::Action { .. } => "action",
            Kind::Check { .. } => "check",
            Kind::Set { .. } => "set",
            Kind::Wait { .. } => "wait",
            Kind::Succeed => "succeed",
            Kind::Fail => "fail",
            Kind::Run => "run",
            Kind::Sequence { .. } => "sequence",
            Kind::Selector { .. } => "selector",
            Kind::StickySequence { .. } => "sticky-sequence",
            Kind::ReactiveSequence => "reactive-sequence",
            Kind::ReactiveSelector => "reactive-selector",
            Kind::Monitor => "monitor",
            Kind::Parallel { .. } => "parallel",
            Kind::ParallelAll { .. } => "parallel-all",
            Kind::RandomSelector { .. } => "random-selector",
            Kind::RandomSequence { .. } => "random-sequence",
            Kind::WeightedSelector { .. } => "weighted-selector",
            Kind::If => "if",
            Kind::ReactiveIf => "reactive-if",
            Kind::TryCatch { .. } => "try-catch",
            Kind::Switch { .. } => "switch",
            Kind::Invert => "invert",
            Kind::ForceSuccess => "force-success",
            Kind::ForceFailure => "force-failure",
            Kind::UntilFailure { .. } => "until-failure",
            Kind::UntilSuccess { .. } => "until-success",
            Kind::KeepRunningUntilFailure => "keep-running-until-failure",
            Kind::RunOnce { .. } => "run-once",
            Kind::Limit { .. } => "limit",
            Kind::Cooldown { .. } => "cooldown",
            Kind::Timeout { .. } => "timeout",
            Kind::Delay { .. } => "delay",
            Kind::Chance { .. } => "chance",
            Kind::Repeat { .. } => "repeat",
            Kind::Retry { .. } => "retry",
            Kind::Changed { .. } => "changed",
            Kind::OnChange { .. } => "on-change",
            Kind::Scope { .. } => "scope",
            Kind::Log { .. } => "log",
            Kind::Emit { .. } => "emit",
        }
    }

    /// The leaf of the host's that it stands for, if it does.
    pub fn leaf(&self) -> Option<LeafId> {
        match self {
            Kind::Condition { leaf, .. } | Kind::Action { leaf, .. } | Kind::Emit { leaf, .. } => {
                Some(*leaf)
            }
            _ => None,
        }
    }

    /// The keys in the text of a [`Kind::Log`], in its order.
    pub fn logged(&self) -> impl Iterator<Item = KeyId> + '_ {
        let text = match self {
            Kind::Log { text } => &text[..],
            _ => &[],
        };
        text.iter().filter_map(|part| match part {
            LogPart::Key(key) => Some(*key),
            LogPart::Text(_) => None,
        })
    }

    /// How many children it must have: at least, and at most if there is a limit.
    pub fn children_allowed(&self) -> (usize, Option<usize>) {
        match self {
            Kind::Condition { .. }
            | Kind::Action { .. }
            | Kind::Check { .. }
            | Kind::Set { .. }
            | Kind::Wait { .. }
            | Kind::Succeed
            | Kind::Fail
            | Kind::Run
            | Kind::Changed { .. }
            | Kind::Log { .. }
            | Kind::Emit { .. } => (0, Some(0)),
            Kind::Sequence { .. }
            | Kind::Selector { .. }
            | Kind::StickySequence { .. }
            | Kind::ReactiveSequence
            | Kind::ReactiveSelector
            | Kind::Monitor
            | Kind::Parallel { .. }
            | Kind::ParallelAll { .. }
            | Kind::RandomSelector { .. }
            | Kind::RandomSequence { .. } => (1, None),
            Kind::WeightedSelector { weights } => {
                (weights.len().max(1), Some(weights.len().max(1)))
            }
            Kind::If | Kind::ReactiveIf => (2, Some(3)),
            Kind::TryCatch { .. } => (2, None),
            Kind::Switch { cases, .. } => (cases.len().max(1), Some(cases.len() + 1)),
            Kind::Invert
            | Kind::ForceSuccess
            | Kind::ForceFailure
            | Kind::UntilFailure { .. }
            | Kind::UntilSuccess { .. }
            | Kind::KeepRunningUntilFailure
            | Kind::RunOnce { .. }
            | Kind::Limit { .. }
            | Kind::Cooldown { .. }
            | Kind::Timeout { .. }
            | Kind::Delay { .. }
            | Kind::Chance { .. }
            | Kind::Repeat { .. }
            | Kind::Retry { .. }
            | Kind::OnChange { .. }
            | Kind::Scope { .. } => (1, Some(1)),
        }
    }
}
