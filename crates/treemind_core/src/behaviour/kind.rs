//! The kinds of nodes.

use crate::expr::{Assign, Expr};
use crate::ids::LeafId;
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
    /// All children; those that are skipped in a tick do not count in it.
    All,
    /// That many children, from 1 to their number; `one` is `Count(1)`.
    Count(u32),
}

/// How often a loop runs its child.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// No limit.
    Forever,
    /// An `int` expression, read when the loop starts; 0 or less: no run at all.
    Count(Expr),
}

/// When a loop answers running between two runs of its child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Yields {
    /// Never: all runs in one tick, at most [`MAX_RUNS_PER_TICK`](crate::MAX_RUNS_PER_TICK).
    Never,
    /// When the child began and ended in this very tick.
    Fresh,
    /// Always: one run per tick.
    #[default]
    Always,
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
    Sequence,
    /// Children in order, the running one remembered; the first success ends it.
    Selector,
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
    },
    /// Draws uniformly among the children not yet tried in this run; the first success ends it.
    RandomSelector,
    /// Success and failure change places.
    Invert,
    /// Failure becomes success.
    ForceSuccess,
    /// Success becomes failure.
    ForceFailure,
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
            Kind::Sequence => "sequence",
            Kind::Selector => "selector",
            Kind::ReactiveSequence => "reactive-sequence",
            Kind::ReactiveSelector => "reactive-selector",
            Kind::Monitor => "monitor",
            Kind::Parallel { .. } => "parallel",
            Kind::RandomSelector => "random-selector",
            Kind::Invert => "invert",
            Kind::ForceSuccess => "force-success",
            Kind::ForceFailure => "force-failure",
            Kind::Repeat { .. } => "repeat",
            Kind::Retry { .. } => "retry",
        }
    }

    /// The leaf of the host's that it stands for, if it does.
    pub fn leaf(&self) -> Option<LeafId> {
        match self {
            Kind::Condition { leaf, .. } | Kind::Action { leaf, .. } => Some(*leaf),
            _ => None,
        }
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
            | Kind::Run => (0, Some(0)),
            Kind::Sequence
            | Kind::Selector
            | Kind::ReactiveSequence
            | Kind::ReactiveSelector
            | Kind::Monitor
            | Kind::Parallel { .. }
            | Kind::RandomSelector => (1, None),
            Kind::Invert
            | Kind::ForceSuccess
            | Kind::ForceFailure
            | Kind::Repeat { .. }
            | Kind::Retry { .. } => (1, Some(1)),
        }
    }
}
