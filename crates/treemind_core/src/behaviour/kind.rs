//! The kinds of nodes, and the facts about each of them.

// long: every kind of node in one enumeration, with what each may have.

use super::decision::{Decision, DecisionStep};
use super::find::{Find, FindFrom};
use super::machine::{Machine, Trigger};
use super::options::{
    Arg, Audience, Awaited, Counting, Judging, LogPart, Pace, Skips, Threshold, Times, Yields,
};
use super::planner::Planner;
use super::policy::PolicyRun;
use super::rules::{self, Rule};
use super::utility::{Policy, Score};
use crate::expr::{Assign, Expr};
use crate::ids::{KeyId, LabelId, LeafId, SemaphoreId};
use crate::status::Status;
use crate::value::Type;

/// The kind of a node, with its options.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// Asks the host.
    Condition {
        /// The condition.
        leaf: LeafId,
        /// One per parameter, in the leaf's order.
        args: Vec<Arg>,
        /// Whether success and failure are exchanged.
        negated: bool,
    },
    /// A task of the host.
    Action {
        /// The action.
        leaf: LeafId,
        /// One per parameter, in the leaf's order.
        args: Vec<Arg>,
    },
    /// A `bool` expression: success or failure; a fault counts as failure.
    Check {
        /// The expression.
        expr: Expr,
    },
    /// Statements in order: success; after a fault the rest is skipped and the answer is failure.
    Set {
        /// The statements.
        assigns: Vec<Assign>,
    },
    /// Removes the value of an optional key, or all items of a list: success.
    Unset {
        /// The key, which must be optional or a list.
        key: KeyId,
        /// Whether a key of the agent counts as not written afterwards, instead of as written. Only for imported
        /// dialects.
        forgets: bool,
    },
    /// Running until the time has passed since its start, then success; with 0, success at once.
    Wait {
        /// Seconds, a `double` expression evaluated at the start. A negative or not finite value is a fault, and
        /// failure.
        secs: Expr,
        /// The largest number of seconds that are added at random, drawn uniformly; a `double` expression evaluated
        /// at the start.
        jitter: Option<Expr>,
    },
    /// Success.
    Succeed,
    /// Failure.
    Fail,
    /// Running.
    Run,
    /// Children in order, remembering the running one; the first failure ends it.
    Sequence {
        /// When it answers running between two children.
        yields: Yields,
    },
    /// Children in order, remembering the running one; the first success ends it.
    Selector {
        /// When it answers running between two children.
        yields: Yields,
    },
    /// Like `Sequence`, but after a failure the next run begins at the child that failed.
    StickySequence {
        /// When it answers running between two children.
        yields: Yields,
        /// Whether an abort forgets that child.
        reset_on_abort: bool,
        /// Whether, at a failure, children before the one that failed that were skipped and are still open stay
        /// open, out of reach of everything except the next run and the removal of the agent. Only for imported
        /// dialects.
        leaves_open: bool,
    },
    /// Like `Sequence`, but starting from the first child in every tick.
    ReactiveSequence,
    /// Like `Selector`, but starting from the first child in every tick.
    ReactiveSelector,
    /// Children that contain only conditions are asked in every tick, the others run once. The first failure ends
    /// it, and it succeeds when all the others have succeeded.
    Monitor,
    /// Ticks every child that has not finished, in every tick. It checks the thresholds after each child, success
    /// first.
    Parallel {
        /// The successes that make it succeed.
        success: Threshold,
        /// The failures that make it fail; it also fails when `success` can no longer be reached.
        failure: Threshold,
        /// How skipped children count.
        skips: Skips,
        /// When the thresholds are checked.
        judging: Judging,
    },
    /// Ticks every child to its end, then fails if at least `max_failures` have failed, otherwise succeeds.
    ParallelAll {
        /// How many failures make it fail; with 0, it always fails.
        max_failures: u32,
    },
    /// Draws uniformly among the children not yet tried in this run; the first success ends it.
    RandomSelector {
        /// Whether it draws among all children instead, once per tick, until one succeeds.
        replacement: bool,
    },
    /// Draws uniformly among the children not yet tried in this run; the first failure ends it.
    RandomSequence {
        /// Whether it draws among all children instead, once per tick, until one fails.
        replacement: bool,
    },
    /// Like `RandomSelector` without replacement, but in proportion to weights.
    WeightedSelector {
        /// A `double` expression per child, evaluated at every draw. A child whose weight is not above 0, or
        /// faults, is never drawn; when nothing can be drawn, the answer is failure.
        weights: Vec<Expr>,
    },
    /// The child with the highest score runs; when it fails, the next best runs in the same tick.
    UtilitySelector {
        /// One per child. A score that faults, or is not a finite number above 0, is 0, and a child with the score
        /// 0 is never chosen; when no child can be chosen, the answer is failure.
        scores: Vec<Score>,
        /// Which child is chosen.
        policy: Policy,
        /// How much another score must exceed that of the running child to replace it; a `double` expression, 0 or
        /// more.
        hysteresis: Expr,
        /// Whether it computes the scores in every tick, even while a child runs.
        reactive: bool,
        /// Whether a child that fails ends it with failure.
        fails: bool,
    },
    /// Two or three children: test, then, else. The test is asked at the start, and the chosen branch runs to its end.
    If {
        /// Whether the test is asked again unless the branch answered running last, also while something in the branch
        /// is open. If it fails then, what is open in the branch stays open, out of reach of everything except the next
        /// run and the removal of the agent. With two children only, and only for imported dialects.
        asks_again: bool,
        /// Whether a branch that is skipped in the middle of its run stays open. Only for imported dialects.
        leaves_open: bool,
    },
    /// Two or three children: test, then, else. The test is asked in every tick; when its answer changes, the
    /// running branch is aborted and the other one starts.
    ReactiveIf {
        /// Whether a branch that is skipped in the middle of its run stays open. Only for imported dialects.
        leaves_open: bool,
    },
    /// All children but the last as a sequence; if it fails, the last one runs, and then the answer is failure.
    TryCatch {
        /// Whether the last child is also ticked, once, when the others are aborted.
        on_abort: bool,
    },
    /// Runs the first child whose test holds. The tests are evaluated in every tick; when the choice changes, the
    /// running child is aborted.
    Switch {
        /// A `bool` expression per child; a child without one is the default.
        cases: Vec<Expr>,
        /// Whether the choice is made at the start and kept until the end.
        once: bool,
        /// Whether a child that is skipped in the middle of its run stays open.
        leaves_open: bool,
    },
    /// Exchanges success and failure.
    Invert,
    /// Turns failure into success.
    ForceSuccess {
        /// Whether it also answers success while the child is running; the child then continues.
        even_running: bool,
    },
    /// Turns success into failure.
    ForceFailure {
        /// Whether it also answers failure while the child is running; the child then continues.
        even_running: bool,
    },
    /// Runs its child until the child fails, then succeeds.
    UntilFailure {
        /// How it repeats.
        pace: Pace,
    },
    /// Runs its child until the child succeeds.
    UntilSuccess {
        /// How it repeats.
        pace: Pace,
    },
    /// Turns success and skipped of the child into running; the child's failure ends it.
    KeepRunningUntilFailure,
    /// Keeps the first result of the child for ever.
    RunOnce {
        /// Whether it is skipped after that, instead of giving the child's result.
        then_skip: bool,
    },
    /// Allows at most this many runs in the agent's lifetime, counted at their starts; then it fails.
    Limit {
        /// The number of runs, an `int` expression evaluated at each start.
        runs: Expr,
        /// Whether they are counted from 0 in each run of the parent node.
        per_parent: bool,
    },
    /// Fails until a time has passed since the end of its child's last run; an abort counts as an end too.
    Cooldown {
        /// Seconds, a `double` expression evaluated at the end of a run.
        secs: Expr,
        /// Whether it is skipped instead of failing.
        else_skipped: bool,
    },
    /// When the time since its start has passed, the child is aborted and the answer is failure. The time is
    /// checked before the child is ticked.
    Timeout {
        /// Seconds, a `double` expression evaluated at the start.
        secs: Expr,
        /// A child that is skipped at once does not end the run: the time goes on. If it passes while the child is not
        /// running, this run has no limit.
        across_skips: bool,
    },
    /// Running for a time; the child is ticked first in the tick in which the time has passed.
    Delay {
        /// Seconds, a `double` expression evaluated at the start.
        secs: Expr,
        /// A child that is skipped at once does not end the run: it is ticked again without waiting.
        across_skips: bool,
    },
    /// Runs its child with a probability, otherwise fails.
    Chance {
        /// 0 to 1, a `double` expression evaluated at the start.
        probability: Expr,
    },
    /// Runs its child once for each item of a list, with the item in a key; the child's failure ends it.
    ForEach {
        /// The key that holds the item; it has the type of the items.
        var: KeyId,
        /// The list. It is read whenever a run of the child is about to begin.
        list: KeyId,
        /// The answer when the list is empty at the start: success, failure or skipped.
        if_empty: Status,
        /// How many runs of the child may end in one tick before it continues in the next; 1 or more.
        max_runs: u32,
    },
    /// Success after this many successes of the child; its failure ends the loop with failure.
    Repeat {
        /// The number of successes.
        times: Times,
        /// How it repeats.
        pace: Pace,
        /// What is counted.
        counting: Counting,
        /// Whether the child's failure also counts as a run, and does not end the loop.
        ignores_result: bool,
    },
    /// Failure after this many failures of the child; its success ends the loop with success.
    Retry {
        /// The number of failures.
        times: Times,
        /// How it repeats.
        pace: Pace,
        /// What is counted.
        counting: Counting,
        /// Whether the child's success also counts as a run, and does not end the loop.
        ignores_result: bool,
    },
    /// Ends the running [`Interruptible`](Kind::Interruptible)s of a label in this agent; fails if none is running.
    Interrupt {
        /// The label.
        label: LabelId,
        /// Their answer: success or failure.
        result: Status,
    },
    /// Its child can be aborted by [`Interrupt`](Kind::Interrupt).
    Interruptible {
        /// The label.
        label: LabelId,
    },
    /// Like a `Switch` that looks once: runs the tree with a given name. If there is no such tree, this is a fault,
    /// and failure.
    SubtreeBy {
        /// A `bool` expression per child.
        cases: Vec<Expr>,
    },
    /// The first child is the task. The second runs in the background, and is started again whenever it has ended.
    SimpleParallel {
        /// Whether, at the end of the task, it waits for the other child instead of aborting it.
        waits: bool,
    },
    /// Calls a service of the host before its child, at the start and then once per interval.
    Service {
        /// The service.
        leaf: LeafId,
        /// One per parameter, in the leaf's order; evaluated at each call.
        args: Vec<Arg>,
        /// Seconds, a `double` expression evaluated at each call; 0: every tick.
        interval: Expr,
        /// The largest number of seconds that are added at random, drawn uniformly; a `double` expression evaluated
        /// at each call.
        jitter: Option<Expr>,
    },
    /// Holds a place of a semaphore during the run of the child.
    Semaphore {
        /// The semaphore.
        semaphore: SemaphoreId,
        /// Whether it waits for a place, instead of failing without one.
        waits: bool,
        /// What it bids for a place, a `double` expression without `random`; only for a semaphore with a
        /// [bidding](super::Bidding).
        bid: Option<Expr>,
    },
    /// A decision tree: in every tick it goes from the top down to one child, which runs. When another child is
    /// chosen, the running one is aborted first. Failure where it leads to nothing.
    Decide(Box<Decision>),
    /// A planner: it pursues the goal with the highest score by a plan; its children are the steps.
    Planner(Box<Planner>),
    /// Looks at its rules one after the other, and ticks the tasks of those that fire once: success if one fired, else
    /// failure.
    Rules {
        /// One or more, and at most [`MAX_RULES`](super::MAX_RULES).
        rules: Vec<Rule>,
        /// Whether no other rule is looked at after one that has fired.
        first: bool,
    },
    /// Writes a score to a `float` or `double` key: success. Failure, without a write, if the score faults or is not
    /// finite.
    Rate {
        /// The key.
        key: KeyId,
        /// The score.
        score: Box<Score>,
    },
    /// Looks at candidates, some in each tick, and writes the best one to a key: success. Failure if there is none.
    Find(Box<Find>),
    /// Runs a small neural network and writes outputs of it to `float` or `double` keys: success. Failure, without a
    /// write, if an input faults, or if an input or output is not finite.
    Policy(Box<PolicyRun>),
    /// A state machine; its children are what it carries out.
    Machine(Box<Machine>),
    /// Sends an event to the machine around it, from outside, after a delay: success. A fault in a value is
    /// failure, and nothing is sent.
    Send {
        /// The event.
        leaf: LeafId,
        /// One per parameter, in the event's order; evaluated at once.
        args: Vec<Arg>,
        /// Seconds, a `double` expression; 0: the event arrives in the next tick.
        delay: Expr,
        /// The id for [`Cancel`](Self::Cancel), a `string` expression.
        id: Option<Expr>,
    },
    /// Cancels the delayed events with an id that the machine around it has sent and that have not arrived yet:
    /// success.
    Cancel {
        /// A `string` expression.
        id: Expr,
    },
    /// A composite or decorator of the host.
    Own {
        /// The composite or decorator.
        leaf: LeafId,
        /// One per parameter, in the leaf's order; evaluated at the start.
        args: Vec<Arg>,
    },
    /// Success when the key was written since this node last looked, else failure.
    Changed {
        /// The key.
        key: KeyId,
    },
    /// Runs its child when the key was written since this node last looked.
    OnChange {
        /// The key.
        key: KeyId,
        /// Whether it answers running instead of skipped when the key was not written.
        else_running: bool,
        /// Whether its child stays open when it is aborted, and when the child is skipped in the middle of its run: out
        /// of reach of everything except the next run and the removal of the agent. Only for imported dialects.
        leaves_open: bool,
    },
    /// Sets keys to their defaults when a run of the child begins.
    Scope {
        /// The keys, which must be the agent's own.
        keys: Vec<KeyId>,
    },
    /// Sends a text to the host: success.
    Log {
        /// The text.
        text: Vec<LogPart>,
    },
    /// Emits an event to the host, and to machines: success. A fault in a value is failure, and nothing is emitted; so
    /// is an agent that does not live, and a 17th event to an [`Audience`] in one tick of an agent.
    Emit {
        /// The event.
        leaf: LeafId,
        /// One per parameter, in the event's order.
        args: Vec<Arg>,
        /// Who receives it at the end of the tick; `None`: the agent itself, whose machines receive it at once.
        to: Option<Audience>,
    },
    /// Whether an event has arrived since the agent's last tick. It takes the first one that it has not looked at in
    /// this tick and for which the test holds: success, and keys are written. Other nodes may take it, too.
    Received {
        /// What it looks for.
        awaited: Box<Awaited>,
        /// Whether it answers running, instead of failure, when nothing fits.
        waits: bool,
    },
}

/// Groups of kinds that are lowered, run and checked alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// No children.
    Leaf,
    /// Children one after another, in order.
    List,
    /// Children one after another, in a random order or in the order of scores.
    Draw,
    /// Children side by side.
    Parallel,
    /// A test or an expression decides which child runs.
    Choice,
    /// One child, whose answer is changed or which may be aborted.
    Wrapper,
    /// One child, with a check before it is ticked.
    Gate,
    /// One child, again and again.
    Loop,
    /// The children are carried out by its states.
    Machine,
    /// The children are the steps of plans.
    Planner,
    /// The host decides which children run.
    Host,
}

impl Family {
    /// Whether its nodes can have several children.
    pub fn is_composite(self) -> bool {
        match self {
            Family::List
            | Family::Draw
            | Family::Parallel
            | Family::Choice
            | Family::Machine
            | Family::Planner
            | Family::Host => true,
            Family::Leaf | Family::Wrapper | Family::Gate | Family::Loop => false,
        }
    }
}

/// The facts about a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The keyword in documents.
    pub keyword: &'static str,
    /// The family, which decides how it is lowered, run and checked.
    pub family: Family,
    /// The number of its children: the least, and the most if there is a limit.
    pub children: (usize, Option<usize>),
}

/// How a node uses a key that it names itself; expressions only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Access {
    /// It reads the content of the key.
    Read,
    /// It reads the handle of an agent, of type `entity`.
    Address,
    /// It looks whether the key was written.
    Watch,
    /// It writes the key.
    Write,
    /// It writes the key, which must be the agent's own.
    WriteOwn,
}

/// A part of a node other than its children.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum KindPart<'k> {
    /// An expression of a given type.
    Expr {
        /// The expression.
        expr: &'k Expr,
        /// The required type.
        ty: Type,
        /// Whether `random` is allowed in it.
        may_draw: bool,
    },
    /// A leaf of the host, with one argument per parameter.
    Leaf(LeafId, &'k [Arg]),
    /// A statement.
    Assign(&'k Assign),
    /// A statement that is only foreseen, and never carried out on the blackboard.
    Foreseen(&'k Assign),
    /// A key.
    Key(KeyId, Access),
    /// A label of an `interruptible`.
    Label(LabelId),
    /// A semaphore.
    Semaphore(SemaphoreId),
    /// The score of a child; its expressions are `double`s without `random`.
    Score(&'k Score),
}

impl<'k> KindPart<'k> {
    pub(super) fn drawing(expr: &'k Expr, ty: Type) -> Self {
        KindPart::Expr {
            expr,
            ty,
            may_draw: true,
        }
    }

    pub(super) fn test(expr: &'k Expr, ty: Type) -> Self {
        KindPart::Expr {
            expr,
            ty,
            may_draw: false,
        }
    }

    /// Calls `each` with every expression in it.
    pub fn for_each_expr(self, each: &mut dyn FnMut(&'k Expr)) {
        match self {
            KindPart::Expr { expr, .. } => each(expr),
            KindPart::Leaf(_, args) => args.iter().filter_map(Arg::expr).for_each(each),
            KindPart::Assign(assign) | KindPart::Foreseen(assign) => each(&assign.value),
            KindPart::Score(score) => score.exprs().for_each(each),
            KindPart::Key(..) | KindPart::Label(_) | KindPart::Semaphore(_) => {}
        }
    }
}

impl Kind {
    /// The facts about this kind.
    pub fn facts(&self) -> Facts {
        use Family::{Choice, Draw, Gate, Host, Leaf, List, Loop, Wrapper};
        const NONE: (usize, Option<usize>) = (0, Some(0));
        const ONE: (usize, Option<usize>) = (1, Some(1));
        const SOME: (usize, Option<usize>) = (1, None);
        let each_of = |count: usize| (count.max(1), Some(count.max(1)));
        let (keyword, family, children) = match self {
            Kind::Condition { .. } => ("condition", Leaf, NONE),
            Kind::Action { .. } => ("action", Leaf, NONE),
            Kind::Check { .. } => ("check", Leaf, NONE),
            Kind::Set { .. } => ("set", Leaf, NONE),
            Kind::Unset { .. } => ("unset", Leaf, NONE),
            Kind::Wait { .. } => ("wait", Leaf, NONE),
            Kind::Succeed => ("succeed", Leaf, NONE),
            Kind::Fail => ("fail", Leaf, NONE),
            Kind::Run => ("run", Leaf, NONE),
            Kind::Interrupt { .. } => ("interrupt", Leaf, NONE),
            Kind::Send { .. } => ("send", Leaf, NONE),
            Kind::Cancel { .. } => ("cancel", Leaf, NONE),
            Kind::Changed { .. } => ("changed", Leaf, NONE),
            Kind::Log { .. } => ("log", Leaf, NONE),
            Kind::Emit { .. } => ("emit", Leaf, NONE),
            Kind::Rate { .. } => ("rate", Leaf, NONE),
            Kind::Find(_) => ("find", Leaf, NONE),
            Kind::Policy(_) => ("policy", Leaf, NONE),
            Kind::Rules { rules, .. } => ("rules", Choice, each_of(rules::children(rules))),
            Kind::Received { waits: false, .. } => ("received", Leaf, NONE),
            Kind::Received { waits: true, .. } => ("wait-for-event", Leaf, NONE),
            Kind::Sequence { .. } => ("sequence", List, SOME),
            Kind::Selector { .. } => ("selector", List, SOME),
            Kind::StickySequence { .. } => ("sticky-sequence", List, SOME),
            Kind::ReactiveSequence => ("reactive-sequence", List, SOME),
            Kind::ReactiveSelector => ("reactive-selector", List, SOME),
            Kind::TryCatch { .. } => ("try-catch", List, (2, None)),
            Kind::Monitor => ("monitor", Family::Parallel, SOME),
            Kind::Parallel { .. } => ("parallel", Family::Parallel, SOME),
            Kind::ParallelAll { .. } => ("parallel-all", Family::Parallel, SOME),
            Kind::SimpleParallel { .. } => ("simple-parallel", Family::Parallel, (2, Some(2))),
            Kind::RandomSelector { .. } => ("random-selector", Draw, SOME),
            Kind::RandomSequence { .. } => ("random-sequence", Draw, SOME),
            Kind::WeightedSelector { weights } => {
                ("weighted-selector", Draw, each_of(weights.len()))
            }
            Kind::UtilitySelector { scores, .. } => {
                ("utility-selector", Draw, each_of(scores.len()))
            }
            Kind::If { asks_again, .. } => {
                ("if", Choice, (2, Some(if *asks_again { 2 } else { 3 })))
            }
            Kind::ReactiveIf { .. } => ("reactive-if", Choice, (2, Some(3))),
            Kind::Switch { cases, .. } => (
                "switch",
                Choice,
                (cases.len().max(1), Some(cases.len() + 1)),
            ),
            Kind::SubtreeBy { cases } => ("subtree-by", Choice, each_of(cases.len())),
            Kind::Decide(_) => ("decide", Choice, (0, None)),
            Kind::Invert => ("invert", Wrapper, ONE),
            Kind::ForceSuccess { .. } => ("force-success", Wrapper, ONE),
            Kind::ForceFailure { .. } => ("force-failure", Wrapper, ONE),
            Kind::Interruptible { .. } => ("interruptible", Wrapper, ONE),
            Kind::Semaphore { .. } => ("semaphore", Wrapper, ONE),
            Kind::RunOnce { .. } => ("run-once", Gate, ONE),
            Kind::Limit { .. } => ("limit", Gate, ONE),
            Kind::Cooldown { .. } => ("cooldown", Gate, ONE),
            Kind::Timeout { .. } => ("timeout", Gate, ONE),
            Kind::Delay { .. } => ("delay", Gate, ONE),
            Kind::Chance { .. } => ("chance", Gate, ONE),
            Kind::Service { .. } => ("service", Gate, ONE),
            Kind::OnChange { .. } => ("on-change", Gate, ONE),
            Kind::Scope { .. } => ("scope", Gate, ONE),
            Kind::UntilFailure { .. } => ("until-failure", Loop, ONE),
            Kind::UntilSuccess { .. } => ("until-success", Loop, ONE),
            Kind::KeepRunningUntilFailure => ("keep-running-until-failure", Loop, ONE),
            Kind::ForEach { .. } => ("for-each", Loop, ONE),
            Kind::Repeat {
                times: Times::Forever,
                pace,
                ignores_result: true,
                ..
            } if *pace == Pace::default() => ("forever", Loop, ONE),
            Kind::Repeat { .. } => ("repeat", Loop, ONE),
            Kind::Retry { .. } => ("retry", Loop, ONE),
            Kind::Machine(_) => ("machine", Family::Machine, (0, None)),
            Kind::Planner(planner) => ("planner", Family::Planner, (planner.steps.len(), None)),
            Kind::Own { .. } => ("node", Host, SOME),
        };
        Facts {
            keyword,
            family,
            children,
        }
    }

    /// A test of a decision tree, or of those of a machine's transitions, by its number in traces.
    pub fn test(&self, number: usize) -> Option<&DecisionStep> {
        match self {
            Kind::Decide(decision) => decision.steps.get(number),
            Kind::Machine(machine) => machine.test(number),
            _ => None,
        }
    }

    /// Whether it evaluates an expression when it is aborted, other than those of its hooks.
    pub fn reads_when_aborted(&self) -> bool {
        matches!(self, Kind::Cooldown { .. })
    }

    /// Calls `see` with every part other than its children, in the order in which they are written.
    pub fn parts<'k>(&'k self, see: &mut dyn FnMut(KindPart<'k>)) {
        use KindPart as P;
        match self {
            Kind::Condition { leaf, args, .. }
            | Kind::Action { leaf, args }
            | Kind::Own { leaf, args } => see(P::Leaf(*leaf, args)),
            Kind::Emit { leaf, args, to } => {
                see(P::Leaf(*leaf, args));
                if let Some(Audience::Agent(key)) = to {
                    see(P::Key(*key, Access::Address));
                }
            }
            Kind::Service {
                leaf,
                args,
                interval,
                jitter,
            } => {
                see(P::Leaf(*leaf, args));
                see(P::drawing(interval, Type::Double));
                jitter
                    .iter()
                    .for_each(|secs| see(P::drawing(secs, Type::Double)));
            }
            Kind::Send {
                leaf,
                args,
                delay,
                id,
            } => {
                see(P::Leaf(*leaf, args));
                see(P::drawing(delay, Type::Double));
                id.iter().for_each(|id| see(P::drawing(id, Type::Text)));
            }
            Kind::Cancel { id } => see(P::drawing(id, Type::Text)),
            Kind::Check { expr } => see(P::drawing(expr, Type::Bool)),
            Kind::Set { assigns } => assigns.iter().for_each(|assign| see(P::Assign(assign))),
            Kind::Unset { key, .. } => see(P::Key(*key, Access::Write)),
            Kind::Changed { key } | Kind::OnChange { key, .. } => {
                see(P::Key(*key, Access::Watch));
            }
            Kind::Scope { keys } => {
                keys.iter()
                    .for_each(|key| see(P::Key(*key, Access::WriteOwn)));
            }
            Kind::ForEach { var, list, .. } => {
                see(P::Key(*var, Access::WriteOwn));
                see(P::Key(*list, Access::Read));
            }
            Kind::Log { .. } => self.logged().for_each(|key| see(P::Key(key, Access::Read))),
            Kind::Wait { secs, jitter } => {
                see(P::drawing(secs, Type::Double));
                jitter
                    .iter()
                    .for_each(|secs| see(P::drawing(secs, Type::Double)));
            }
            Kind::Cooldown { secs, .. } | Kind::Timeout { secs, .. } | Kind::Delay { secs, .. } => {
                see(P::drawing(secs, Type::Double));
            }
            Kind::Chance { probability } => see(P::drawing(probability, Type::Double)),
            Kind::Limit { runs, .. } => see(P::drawing(runs, Type::Int)),
            Kind::Repeat { times, .. } | Kind::Retry { times, .. } => match times {
                Times::Count(count) | Times::Reread(count) => see(P::drawing(count, Type::Int)),
                Times::Forever => {}
            },
            Kind::WeightedSelector { weights } => {
                weights
                    .iter()
                    .for_each(|weight| see(P::test(weight, Type::Double)));
            }
            Kind::UtilitySelector {
                scores, hysteresis, ..
            } => {
                scores.iter().for_each(|score| see(P::Score(score)));
                see(P::test(hysteresis, Type::Double));
            }
            Kind::Switch { cases, .. } | Kind::SubtreeBy { cases } => {
                cases.iter().for_each(|case| see(P::test(case, Type::Bool)));
            }
            Kind::Interrupt { label, .. } | Kind::Interruptible { label } => {
                see(P::Label(*label));
            }
            Kind::Semaphore { semaphore, bid, .. } => {
                see(P::Semaphore(*semaphore));
                bid.iter().for_each(|bid| see(P::test(bid, Type::Double)));
            }
            Kind::Decide(decision) => decision.parts(see),
            Kind::Rules { rules, .. } => rules::parts(rules, see),
            Kind::Rate { key, score } => {
                see(P::Score(score));
                see(P::Key(*key, Access::Write));
            }
            Kind::Find(find) => find.parts(see),
            Kind::Policy(policy) => policy.parts(see),
            Kind::Machine(machine) => machine.parts(see),
            Kind::Planner(planner) => planner.parts(see),
            Kind::Received { awaited, .. } => {
                for (_, key) in &awaited.shown {
                    see(P::Key(*key, Access::WriteOwn));
                }
                awaited
                    .test
                    .iter()
                    .for_each(|test| see(P::test(test, Type::Bool)));
                for (_, key) in &awaited.bound {
                    see(P::Key(*key, Access::Write));
                }
            }
            Kind::Succeed
            | Kind::Fail
            | Kind::Run
            | Kind::Sequence { .. }
            | Kind::Selector { .. }
            | Kind::StickySequence { .. }
            | Kind::ReactiveSequence
            | Kind::ReactiveSelector
            | Kind::Monitor
            | Kind::Parallel { .. }
            | Kind::ParallelAll { .. }
            | Kind::RandomSelector { .. }
            | Kind::RandomSequence { .. }
            | Kind::If { .. }
            | Kind::ReactiveIf { .. }
            | Kind::TryCatch { .. }
            | Kind::Invert
            | Kind::ForceSuccess { .. }
            | Kind::ForceFailure { .. }
            | Kind::UntilFailure { .. }
            | Kind::UntilSuccess { .. }
            | Kind::KeepRunningUntilFailure
            | Kind::RunOnce { .. }
            | Kind::SimpleParallel { .. } => {}
        }
    }

    /// The keyword in documents.
    pub fn keyword(&self) -> &'static str {
        self.facts().keyword
    }

    /// The leaf of the host that it uses, if any; of several, the first.
    pub fn leaf(&self) -> Option<LeafId> {
        let mut found = None;
        self.parts(&mut |part| {
            if let KindPart::Leaf(leaf, _) = part {
                found.get_or_insert(leaf);
            }
        });
        found
    }

    /// The list that a [`Kind::Find`] looks through, if the host does not list its candidates.
    pub fn listed(&self) -> Option<KeyId> {
        match self {
            Kind::Find(find) => match find.from {
                FindFrom::List(list) => Some(list),
                FindFrom::Leaf(..) => None,
            },
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
}

impl Decision {
    fn parts<'k>(&'k self, see: &mut dyn FnMut(KindPart<'k>)) {
        for step in &self.steps {
            step.parts(see);
        }
    }
}

impl Machine {
    /// The tests of its states and transitions; what they carry out are the children of its node.
    fn parts<'k>(&'k self, see: &mut dyn FnMut(KindPart<'k>)) {
        for test in self.states.iter().flat_map(|state| &state.enter_if) {
            see(KindPart::test(test, Type::Bool));
        }
        for transition in &self.transitions {
            for key in &transition.payload {
                see(KindPart::Key(*key, Access::WriteOwn));
            }
            if let Some(test) = &transition.when {
                see(KindPart::test(test, Type::Bool));
            }
            if let Trigger::After(secs) = &transition.trigger {
                see(KindPart::drawing(secs, Type::Double));
            }
        }
        self.deciders.iter().for_each(|decider| decider.parts(see));
    }
}
