//! The kinds of nodes.

// long: every kind of node in one enumeration, with what each may have.

use super::decision::Decision;
use super::machine::Machine;
use super::utility::{Policy, Score};
use crate::expr::{Assign, Expr};
use crate::ids::{KeyId, LabelId, LeafId, SemaphoreId};
use crate::status::Status;
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
    /// Takes the value of an optional key away, or all items of a list: success.
    Unset {
        /// The key, which can be unset.
        key: KeyId,
    },
    /// Running until the time has passed since its start, then success; 0 is success at once.
    Wait {
        /// Seconds, a `double` expression read at the start. Negative or not finite: a fault, and failure.
        secs: Expr,
        /// So many seconds at most are added, drawn uniformly; a `double` expression read at the start.
        jitter: Option<Expr>,
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
        /// At a failure, children before the one that failed that are open after they were skipped stay open, out of
        /// reach of everything but the next run and the removal of the agent. Of imported dialects only.
        leaves_open: bool,
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
        /// When the thresholds are looked at.
        judging: Judging,
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
    /// The child with the highest score runs; when it fails, the next best in the same tick.
    UtilitySelector {
        /// One per child. A score that faults, or is no finite number above 0, is 0, and what has the score 0 is never
        /// chosen; when nothing can be, the answer is failure.
        scores: Vec<Score>,
        /// Which child is chosen.
        policy: Policy,
        /// By how much others have to exceed the running child to take its place; a `double` expression, 0 or more.
        hysteresis: Expr,
        /// It looks at the scores every tick, also while a child runs.
        reactive: bool,
        /// A child that fails ends it with failure.
        fails: bool,
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
    ForceSuccess {
        /// Also while the child is running; that goes on inside.
        even_running: bool,
    },
    /// Success becomes failure.
    ForceFailure {
        /// Also while the child is running; that goes on inside.
        even_running: bool,
    },
    /// Runs its child until that fails, then succeeds.
    UntilFailure {
        /// How it goes on.
        pace: Pace,
    },
    /// Runs its child until that succeeds.
    UntilSuccess {
        /// How it goes on.
        pace: Pace,
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
        /// They are counted anew in each run of the node above.
        per_parent: bool,
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
    /// Runs its child once for each item of a list, which a key holds meanwhile; the child's failure ends it.
    ForEach {
        /// The key that holds the item, of the type of the items.
        var: KeyId,
        /// The list. It is looked at as it is whenever a run is to begin.
        list: KeyId,
        /// The answer when there is no item at the start: success, failure or skipped.
        if_empty: Status,
        /// How many runs of the child may end in one tick before it goes on in the next; 1 or more.
        max_runs: u32,
    },
    /// Success after that many successes of the child; its failure ends the loop with failure.
    Repeat {
        /// How many.
        times: Times,
        /// How it goes on.
        pace: Pace,
        /// What is counted.
        counting: Counting,
        /// The child's failure counts as a run as well, and does not end the loop.
        ignores_result: bool,
    },
    /// Failure after that many failures of the child; its success ends the loop with success.
    Retry {
        /// How many.
        times: Times,
        /// How it goes on.
        pace: Pace,
        /// What is counted.
        counting: Counting,
        /// The child's success counts as a run as well, and does not end the loop.
        ignores_result: bool,
    },
    /// Ends the running [`Interruptible`](Kind::Interruptible)s of that label in this agent; failure if none is running.
    Interrupt {
        /// Which.
        label: LabelId,
        /// What they answer: success or failure.
        result: Status,
    },
    /// Its child can be cut off by [`Interrupt`](Kind::Interrupt).
    Interruptible {
        /// Which.
        label: LabelId,
    },
    /// As a `Switch` that looks once: the tree of that name. No such tree is a fault, and failure.
    SubtreeBy {
        /// A `bool` expression per child.
        cases: Vec<Expr>,
    },
    /// The first child is the task, the second goes on beside it and is started again when it has ended.
    SimpleParallel {
        /// At the end of the task the other child is waited for, instead of aborted.
        waits: bool,
    },
    /// Calls a service of the host's before its child, at the start and then every interval.
    Service {
        /// Which one.
        leaf: LeafId,
        /// One per parameter, in the leaf's order; read at each call.
        args: Vec<Arg>,
        /// Seconds, a `double` expression read at each call; 0: every tick.
        interval: Expr,
        /// So many seconds at most are added, drawn uniformly; a `double` expression read at each call.
        jitter: Option<Expr>,
    },
    /// A place of a counted resource for the run of the child.
    Semaphore {
        /// Which.
        semaphore: SemaphoreId,
        /// Waits for a place, instead of failing without one.
        waits: bool,
    },
    /// A decision tree: every tick from the top down to one child, which runs; when another one is chosen, what runs
    /// is aborted before that starts. Failure where it leads to nothing.
    Decide(Box<Decision>),
    /// A state machine; what it carries out are its children.
    Machine(Box<Machine>),
    /// An event comes to the machine around it from outside, after some time: success; a fault in a value is failure,
    /// and nothing comes.
    Send {
        /// The event.
        leaf: LeafId,
        /// One per parameter, in the event's order; read at once.
        args: Vec<Arg>,
        /// Seconds, a `double` expression; 0: it is there in the next tick.
        delay: Expr,
        /// What [`Cancel`](Self::Cancel) knows it by, a `string` expression.
        id: Option<Expr>,
    },
    /// What was sent under that name by the machine around it and has not come yet never comes: success.
    Cancel {
        /// A `string` expression.
        id: Expr,
    },
    /// A composite or decorator of the host's.
    Own {
        /// Which one.
        leaf: LeafId,
        /// One per parameter, in the leaf's order; read at the start.
        args: Vec<Arg>,
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
            Kind::Unset { .. } => "unset",
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
            Kind::UtilitySelector { .. } => "utility-selector",
            Kind::If => "if",
            Kind::ReactiveIf => "reactive-if",
            Kind::TryCatch { .. } => "try-catch",
            Kind::Switch { .. } => "switch",
            Kind::Invert => "invert",
            Kind::ForceSuccess { .. } => "force-success",
            Kind::ForceFailure { .. } => "force-failure",
            Kind::UntilFailure { .. } => "until-failure",
            Kind::UntilSuccess { .. } => "until-success",
            Kind::KeepRunningUntilFailure => "keep-running-until-failure",
            Kind::RunOnce { .. } => "run-once",
            Kind::Limit { .. } => "limit",
            Kind::Cooldown { .. } => "cooldown",
            Kind::Timeout { .. } => "timeout",
            Kind::Delay { .. } => "delay",
            Kind::Chance { .. } => "chance",
            Kind::ForEach { .. } => "for-each",
            Kind::Repeat { .. } => "repeat",
            Kind::Retry { .. } => "retry",
            Kind::Interrupt { .. } => "interrupt",
            Kind::Interruptible { .. } => "interruptible",
            Kind::SubtreeBy { .. } => "subtree-by",
            Kind::SimpleParallel { .. } => "simple-parallel",
            Kind::Service { .. } => "service",
            Kind::Semaphore { .. } => "semaphore",
            Kind::Decide(_) => "decide",
            Kind::Machine(_) => "machine",
            Kind::Own { .. } => "node",
            Kind::Send { .. } => "send",
            Kind::Cancel { .. } => "cancel",
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
            Kind::Condition { leaf, .. }
            | Kind::Action { leaf, .. }
            | Kind::Service { leaf, .. }
            | Kind::Send { leaf, .. }
            | Kind::Own { leaf, .. }
            | Kind::Emit { leaf, .. } => Some(*leaf),
            _ => None,
        }
    }

    /// Whether it is a composite: a node that may have several children.
    pub fn is_composite(&self) -> bool {
        match self {
            Kind::WeightedSelector { .. }
            | Kind::UtilitySelector { .. }
            | Kind::Switch { .. }
            | Kind::SubtreeBy { .. } => true,
            _ => !matches!(self.children_allowed(), (_, Some(0 | 1))),
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
            | Kind::Unset { .. }
            | Kind::Wait { .. }
            | Kind::Succeed
            | Kind::Fail
            | Kind::Run
            | Kind::Send { .. }
            | Kind::Cancel { .. }
            | Kind::Interrupt { .. }
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
            Kind::UtilitySelector { scores, .. } => {
                (scores.len().max(1), Some(scores.len().max(1)))
            }
            Kind::If | Kind::ReactiveIf => (2, Some(3)),
            Kind::TryCatch { .. } => (2, None),
            Kind::Switch { cases, .. } => (cases.len().max(1), Some(cases.len() + 1)),
            Kind::SubtreeBy { cases } => (cases.len().max(1), Some(cases.len().max(1))),
            Kind::SimpleParallel { .. } => (2, Some(2)),
            Kind::Machine(_) | Kind::Decide(_) => (0, None),
            Kind::Own { .. } => (1, None),
            Kind::Invert
            | Kind::ForceSuccess { .. }
            | Kind::ForceFailure { .. }
            | Kind::Interruptible { .. }
            | Kind::Service { .. }
            | Kind::Semaphore { .. }
            | Kind::UntilFailure { .. }
            | Kind::UntilSuccess { .. }
            | Kind::KeepRunningUntilFailure
            | Kind::RunOnce { .. }
            | Kind::Limit { .. }
            | Kind::Cooldown { .. }
            | Kind::Timeout { .. }
            | Kind::Delay { .. }
            | Kind::Chance { .. }
            | Kind::ForEach { .. }
            | Kind::Repeat { .. }
            | Kind::Retry { .. }
            | Kind::OnChange { .. }
            | Kind::Scope { .. } => (1, Some(1)),
        }
    }
}
