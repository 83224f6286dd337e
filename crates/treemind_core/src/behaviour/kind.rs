//! The kinds of nodes, and what holds of each of them.

// long: every kind of node in one enumeration, with what each may have.

use super::decision::Decision;
use super::machine::{Machine, Trigger};
use super::options::{Arg, Counting, Judging, LogPart, Pace, Skips, Threshold, Times, Yields};
use super::utility::{Policy, Score};
use crate::expr::{Assign, Expr};
use crate::ids::{KeyId, LabelId, LeafId, SemaphoreId};
use crate::status::Status;
use crate::value::Type;

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

/// What kinds have in common that are built, run and checked alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// No children.
    Leaf,
    /// Children one after the other, in order.
    List,
    /// Children one after the other, in an order that is drawn or scored.
    Draw,
    /// Children side by side.
    Parallel,
    /// A test or an expression says which child runs.
    Choice,
    /// One child, whose answer is changed or which is cut off.
    Wrapper,
    /// One child, which is looked at before it is ticked.
    Gate,
    /// One child, again and again.
    Loop,
    /// The children are what its states carry out.
    Machine,
    /// The host decides about the children.
    Host,
}

impl Family {
    /// Whether its nodes may have several children.
    pub fn is_composite(self) -> bool {
        match self {
            Family::List
            | Family::Draw
            | Family::Parallel
            | Family::Choice
            | Family::Machine
            | Family::Host => true,
            Family::Leaf | Family::Wrapper | Family::Gate | Family::Loop => false,
        }
    }
}

/// What holds of a node of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The word that documents use.
    pub keyword: &'static str,
    /// What it is built, run and checked like.
    pub family: Family,
    /// How many children it must have: at least, and at most if there is a limit.
    pub children: (usize, Option<usize>),
}

/// What a node does with a key that it names itself; expressions only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It looks at what the key holds.
    Read,
    /// It looks whether the key was written.
    Watch,
    /// It writes the key.
    Write,
    /// It writes the key, which every agent must have to itself.
    WriteOwn,
}

/// What a node is made of beside its children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KindPart<'k> {
    /// An expression of that type.
    Expr {
        /// The expression.
        expr: &'k Expr,
        /// What it must be.
        ty: Type,
        /// Whether `random` may stand in it.
        may_draw: bool,
    },
    /// What the host provides, with one argument per parameter.
    Leaf(LeafId, &'k [Arg]),
    /// A statement.
    Assign(&'k Assign),
    /// A key.
    Key(KeyId, Access),
    /// A label of what can be interrupted.
    Label(LabelId),
    /// A counted resource.
    Semaphore(SemaphoreId),
    /// What speaks for a child; its expressions are `double`s without `random`.
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
            KindPart::Assign(assign) => each(&assign.value),
            KindPart::Score(score) => score.exprs().for_each(each),
            KindPart::Key(..) | KindPart::Label(_) | KindPart::Semaphore(_) => {}
        }
    }
}

impl Kind {
    /// What holds of it.
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
            Kind::If => ("if", Choice, (2, Some(3))),
            Kind::ReactiveIf => ("reactive-if", Choice, (2, Some(3))),
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
            Kind::Repeat { .. } => ("repeat", Loop, ONE),
            Kind::Retry { .. } => ("retry", Loop, ONE),
            Kind::Machine(_) => ("machine", Family::Machine, (0, None)),
            Kind::Own { .. } => ("node", Host, SOME),
        };
        Facts {
            keyword,
            family,
            children,
        }
    }

    /// Whether it reads an expression when it is aborted, besides those of its hooks.
    pub fn reads_when_aborted(&self) -> bool {
        matches!(self, Kind::Cooldown { .. })
    }

    /// Calls `see` with everything that it is made of beside its children, in the order in which it is written.
    pub fn parts<'k>(&'k self, see: &mut dyn FnMut(KindPart<'k>)) {
        use KindPart as P;
        match self {
            Kind::Condition { leaf, args, .. }
            | Kind::Action { leaf, args }
            | Kind::Emit { leaf, args }
            | Kind::Own { leaf, args } => see(P::Leaf(*leaf, args)),
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
            Kind::Unset { key } => see(P::Key(*key, Access::Write)),
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
            Kind::Cooldown { secs, .. } | Kind::Timeout { secs } | Kind::Delay { secs } => {
                see(P::drawing(secs, Type::Double));
            }
            Kind::Chance { probability } => see(P::drawing(probability, Type::Double)),
            Kind::Limit { runs, .. } => see(P::drawing(runs, Type::Int)),
            Kind::Repeat { times, .. } | Kind::Retry { times, .. } => match times {
                Times::Count(count) => see(P::drawing(count, Type::Int)),
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
            Kind::Semaphore { semaphore, .. } => see(P::Semaphore(*semaphore)),
            Kind::Decide(decision) => decision.parts(see),
            Kind::Machine(machine) => machine.parts(see),
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
            | Kind::If
            | Kind::ReactiveIf
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

    /// The word that documents use.
    pub fn keyword(&self) -> &'static str {
        self.facts().keyword
    }

    /// The leaf of the host's that it stands for, if it does.
    pub fn leaf(&self) -> Option<LeafId> {
        let mut found = None;
        self.parts(&mut |part| {
            if let KindPart::Leaf(leaf, _) = part {
                found = Some(leaf);
            }
        });
        found
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
    /// What its states and transitions test; what they carry out are the children of its node.
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
