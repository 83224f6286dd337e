//! What a node may answer and may leave open, as far as this is known before anything runs.
//!
//! Lowering and the warnings of documents use this. The reference interpreter must not, because then it would prove
//! nothing.

use super::{
    Arg, Behaviour, Decision, Form, Guards, Hooks, Key, Kind, Leaf, LeafKind, Life, Machine, Scope,
    StateKind, Times, Yields,
};
use crate::expr::{Change, Expr};
use crate::ids::SemaphoreId;
use crate::status::Status;
use crate::time::nanos_of_secs;
use crate::value::Value;
use std::ops::BitOr;

/// A set of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statuses(u8);

impl Statuses {
    /// No answer.
    pub const NONE: Statuses = Statuses(0);
    /// Only success.
    pub const SUCCESS: Statuses = Statuses(1);
    /// Only failure.
    pub const FAILURE: Statuses = Statuses(2);
    /// Only running.
    pub const RUNNING: Statuses = Statuses(4);
    /// Only skipped.
    pub const SKIPPED: Statuses = Statuses(8);
    /// Every answer.
    pub const ANY: Statuses = Statuses(15);

    /// Whether the set contains one of the other answers.
    pub fn has(self, others: Statuses) -> bool {
        self.0 & others.0 != 0
    }

    /// The answers in both sets.
    #[must_use]
    pub fn only(self, others: Statuses) -> Statuses {
        Statuses(self.0 & others.0)
    }

    /// The set without the other answers.
    #[must_use]
    pub fn without(self, others: Statuses) -> Statuses {
        Statuses(self.0 & !others.0)
    }

    /// The set with the other answers added, if `holds`.
    #[must_use]
    fn with_if(self, holds: bool, others: Statuses) -> Statuses {
        if holds { self | others } else { self }
    }

    /// The set with `from` replaced by `to`.
    #[must_use]
    fn turned(self, from: Statuses, to: Statuses) -> Statuses {
        self.without(from).with_if(self.has(from), to)
    }
}

impl BitOr for Statuses {
    type Output = Statuses;

    fn bitor(self, other: Statuses) -> Statuses {
        Statuses(self.0 | other.0)
    }
}

impl From<Status> for Statuses {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => Statuses::SUCCESS,
            Status::Failure => Statuses::FAILURE,
            Status::Running => Statuses::RUNNING,
            Status::Skipped => Statuses::SKIPPED,
        }
    }
}

/// What is known about a node before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// What it may answer.
    pub answers: Statuses,
    /// Whether it may still be running at the end of a tick although none of its children is. This ignores
    /// conditions that answer running, as hosts hardly ever do that, and loops that stop because their budget ends.
    pub takes_time: bool,
    /// Whether it asks something: a condition, a check or a key.
    pub asks: bool,
    /// Whether it contains only nodes that a `monitor` ticks in every tick.
    pub watched: bool,
    /// Whether it may answer skipped and leave something open.
    pub stays_open: bool,
    /// Whether it may end and leave something running.
    pub loose: bool,
}

impl Summary {
    /// The summary of an unknown node.
    pub const UNKNOWN: Summary = Summary {
        answers: Statuses::ANY,
        takes_time: false,
        asks: false,
        watched: false,
        stays_open: true,
        loose: true,
    };

    /// Whether it may answer skipped.
    pub fn skips(&self) -> bool {
        self.answers.has(Statuses::SKIPPED)
    }

    /// The same node with guards before it and statements after it.
    #[must_use]
    pub fn with(mut self, guards: &Guards, hooks: &Hooks) -> Summary {
        // With statements it does more than ask.
        self.asks &= hooks.is_empty();
        if guards.is_empty() {
            return self;
        }
        // Any of them may cause a fault, which counts as failure.
        self.answers = (self.answers | Statuses::FAILURE)
            .with_if(guards.succeed_if.is_some(), Statuses::SUCCESS)
            .with_if(guards.skip_if.is_some(), Statuses::SKIPPED);
        if guards.while_holds.is_some() {
            self.answers = self.answers
                | match guards.while_else {
                    // Nothing can be running here.
                    Status::Running => Statuses::SKIPPED,
                    other => other.into(),
                };
        }
        self
    }

    fn answering(mut self, answers: Statuses) -> Summary {
        self.answers = answers;
        self
    }

    fn watched_if(mut self, watched: bool) -> Summary {
        self.watched = watched;
        self
    }

    fn open_if(mut self, stays_open: bool) -> Summary {
        self.stays_open = stays_open;
        self
    }

    fn slow_if(mut self, takes_time: bool) -> Summary {
        self.takes_time = takes_time;
        self
    }

    fn asking(mut self) -> Summary {
        self.asks = true;
        self
    }
}

/// The declarations that nodes refer to.
#[derive(Clone, Copy)]
pub struct Declared<'d> {
    /// The blackboard.
    pub keys: &'d [Key],
    /// What the host provides.
    pub leaves: &'d [Leaf],
    /// Whether conditions and actions may answer skipped. A host may have them do so, but hardly any does, so warnings
    /// leave it out.
    pub leaves_skip: bool,
    /// Whether agents share a counted resource.
    pub is_shared: &'d dyn Fn(SemaphoreId) -> bool,
}

impl Behaviour {
    /// The summary of each of its nodes.
    pub fn summaries(&self) -> Vec<Summary> {
        let declared = Declared {
            keys: &self.keys,
            leaves: &self.leaves,
            leaves_skip: true,
            is_shared: &|semaphore| self.semaphores[semaphore.index()].scope != Scope::Agent,
        };
        let mut found = vec![Summary::UNKNOWN; self.nodes.len()];
        let mut children = Vec::new();
        // Children come after their parents, so going backwards needs no recursion.
        for (index, node) in self.nodes.iter().enumerate().rev() {
            children.clear();
            children.extend(node.children.iter().map(|child| found[child.index()]));
            let itself = node.kind.summary(&children, declared);
            found[index] = itself.with(&node.guards, &node.hooks);
        }
        found
    }
}

impl Kind {
    /// The summary of a node of this kind with these children, without its guards and statements.
    pub fn summary(&self, children: &[Summary], declared: Declared<'_>) -> Summary {
        use Statuses as S;
        let first = children.first().copied().unwrap_or(Summary::UNKNOWN);
        let any_open = children.iter().any(|child| child.stays_open);
        let any_loose = children.iter().any(|child| child.loose);
        let any_skips = children.iter().any(Summary::skips);
        let all_skip = children.iter().all(Summary::skips);
        let all_watched = children.iter().all(|child| child.watched);
        let union = children
            .iter()
            .fold(S::NONE, |all, child| all | child.answers);
        let any_if_all_skip = S::ANY.without(S::SKIPPED).with_if(all_skip, S::SKIPPED);
        let plain = Summary {
            answers: S::NONE,
            takes_time: false,
            asks: children.iter().any(|child| child.asks),
            watched: false,
            stays_open: false,
            // Composites abort what is loose in them.
            loose: any_loose && !self.facts().family.is_composite(),
        };
        let list = |answers| plain.answering(answers).watched_if(all_watched);
        let gate = |answers| plain.answering(answers).open_if(any_open);
        let wrapper = |answers| list(answers).open_if(all_skip && any_open);
        let keeps_open_if_all_skip = |answers| plain.answering(answers).open_if(all_skip);
        match self {
            Kind::Condition { .. } => {
                let answers = S::ANY
                    .without(S::SKIPPED)
                    .with_if(declared.leaves_skip, S::SKIPPED);
                plain.answering(answers).asking().watched_if(true)
            }
            Kind::Changed { .. } => {
                let answers = S::SUCCESS | S::FAILURE;
                plain.answering(answers).asking().watched_if(true)
            }
            Kind::Check { expr } => {
                let answers = match expr {
                    Expr::Value(Value::Bool(true)) => S::SUCCESS,
                    Expr::Value(Value::Bool(false)) => S::FAILURE,
                    _ => S::SUCCESS | S::FAILURE,
                };
                plain.answering(answers).asking().watched_if(true)
            }
            Kind::Succeed => plain.answering(S::SUCCESS).watched_if(true),
            Kind::Fail => plain.answering(S::FAILURE).watched_if(true),
            Kind::Run => plain.answering(S::RUNNING).watched_if(true).slow_if(true),
            Kind::Action { leaf, .. } => {
                let mut action = action(plain, declared.leaves[leaf.index()].kind);
                if !declared.leaves_skip {
                    action.answers = action.answers.without(S::SKIPPED);
                }
                action
            }
            Kind::Log { .. } | Kind::Unset { .. } => plain.answering(S::SUCCESS),
            Kind::Emit { args, to, .. } => {
                let mut exprs = args.iter().filter_map(Arg::expr);
                let faults = to.is_some() || exprs.any(|expr| may_fault(expr, declared.keys));
                plain.answering(S::SUCCESS.with_if(faults, S::FAILURE))
            }
            Kind::Set { assigns } => {
                // A list may be full.
                let faults = assigns.iter().any(|assign| {
                    assign.change == Change::Add || may_fault(&assign.value, declared.keys)
                });
                plain.answering(S::SUCCESS.with_if(faults, S::FAILURE))
            }
            Kind::Received { waits: false, .. } => {
                let answers = S::SUCCESS | S::FAILURE;
                plain.answering(answers).asking().watched_if(true)
            }
            Kind::Received { waits: true, .. } => {
                plain.answering(S::SUCCESS | S::RUNNING).slow_if(true)
            }
            Kind::Send { .. } | Kind::Cancel { .. } => plain.answering(S::SUCCESS | S::FAILURE),
            Kind::Interrupt { .. } => plain.answering(S::ANY.without(S::SKIPPED)),
            Kind::Wait { secs, jitter } => wait(plain, secs, jitter.as_ref()),
            Kind::Sequence { yields } | Kind::StickySequence { yields, .. } => {
                let answers = through(children, S::SUCCESS, S::FAILURE);
                yielding(list(answers), *yields)
            }
            Kind::Selector { yields } => {
                let answers = through(children, S::FAILURE, S::SUCCESS);
                yielding(list(answers), *yields)
            }
            Kind::ReactiveSequence => list(through(children, S::SUCCESS, S::FAILURE)),
            Kind::ReactiveSelector => list(through(children, S::FAILURE, S::SUCCESS)),
            Kind::TryCatch { on_abort } => {
                let answers = try_catch(children);
                list(answers).open_if(*on_abort && answers.has(S::SKIPPED))
            }
            Kind::RandomSelector { replacement: true }
            | Kind::RandomSequence { replacement: true } => {
                list(S::ANY.without(S::SKIPPED)).slow_if(true)
            }
            Kind::RandomSelector { replacement: false }
            | Kind::RandomSequence { replacement: false }
            | Kind::WeightedSelector { .. }
            | Kind::UtilitySelector { .. } => list(any_if_all_skip),
            Kind::Monitor | Kind::ParallelAll { .. } => wrapper(any_if_all_skip),
            Kind::Parallel { judging, .. } => {
                wrapper(any_if_all_skip).slow_if(judging.repeat_finished)
            }
            // The background child may keep it running; it can be skipped only when the task is.
            Kind::SimpleParallel { waits } => plain
                .answering(first.answers.with_if(*waits, S::RUNNING))
                .open_if(first.skips()),
            Kind::If {
                asks_again,
                leaves_open,
            } => {
                let any_branch = any_open && (*asks_again || *leaves_open);
                list(chosen(children)).open_if(first.stays_open || any_branch)
            }
            Kind::ReactiveIf { leaves_open } => {
                list(chosen(children)).open_if(any_skips || *leaves_open && any_open)
            }
            // A case may cause a fault, and there may be no default.
            Kind::Switch { leaves_open, .. } => {
                list(union | S::FAILURE).open_if(*leaves_open && any_open)
            }
            Kind::SubtreeBy { .. } => list(union | S::FAILURE),
            Kind::Decide(decision) => plain.answering(decided(decision, children)),
            Kind::Find(find) if find.per_tick >= find.max => {
                plain.answering(S::SUCCESS | S::FAILURE)
            }
            Kind::Find(_) => plain.answering(S::ANY.without(S::SKIPPED)).slow_if(true),
            Kind::Rules { .. } | Kind::Rate { .. } | Kind::Policy(_) => {
                plain.answering(S::SUCCESS | S::FAILURE)
            }
            Kind::Invert => wrapper(inverted(first.answers)),
            Kind::ForceSuccess { even_running } => Summary {
                loose: *even_running || any_loose,
                ..wrapper(forced(first.answers, S::SUCCESS, *even_running))
            },
            Kind::ForceFailure { even_running } => Summary {
                loose: *even_running || any_loose,
                ..wrapper(forced(first.answers, S::FAILURE, *even_running))
            },
            Kind::Interruptible { .. } => gate(first.answers | S::SUCCESS | S::FAILURE),
            Kind::Semaphore {
                semaphore, waits, ..
            } => {
                let is_shared = (declared.is_shared)(*semaphore);
                // Places of a shared semaphore are given between ticks.
                let answers = first.answers | S::RUNNING;
                gate(answers.with_if(!*waits, S::FAILURE)).slow_if(*waits || is_shared)
            }
            Kind::Service { .. } | Kind::Scope { .. } => gate(first.answers),
            Kind::RunOnce { then_skip } => gate(first.answers.with_if(*then_skip, S::SKIPPED)),
            Kind::Cooldown {
                else_skipped: true, ..
            } => gate(first.answers | S::SKIPPED),
            Kind::Cooldown {
                else_skipped: false,
                ..
            }
            | Kind::Limit { .. }
            | Kind::Chance { .. } => gate(first.answers | S::FAILURE),
            Kind::Timeout { across_skips, .. } => {
                let stays_open = any_open || *across_skips && first.skips();
                gate(first.answers | S::FAILURE).open_if(stays_open)
            }
            Kind::OnChange {
                else_running,
                leaves_open,
                ..
            } => {
                let unwritten = if *else_running {
                    S::RUNNING
                } else {
                    S::SKIPPED
                };
                gate(first.answers | unwritten)
                    .slow_if(*else_running)
                    .open_if(any_open && !leaves_open)
            }
            Kind::Delay { secs, across_skips } => {
                let faults = !is_duration(secs, None);
                let answers = (first.answers | S::RUNNING).with_if(faults, S::FAILURE);
                let stays_open = any_open || *across_skips && first.skips();
                gate(answers).slow_if(!is_zero(secs)).open_if(stays_open)
            }
            Kind::KeepRunningUntilFailure => {
                let answers = first.answers.only(S::FAILURE) | S::RUNNING;
                plain.answering(answers).slow_if(true)
            }
            Kind::ForEach { if_empty, .. } => {
                // It also answers running when a tick allows no more runs.
                let ended = first.answers.has(S::SUCCESS | S::SKIPPED);
                let answers =
                    (first.answers.only(S::FAILURE) | S::RUNNING).with_if(ended, S::SUCCESS);
                plain.answering(answers | (*if_empty).into())
            }
            Kind::UntilFailure { pace } => keeps_open_if_all_skip(until(first.answers, S::FAILURE))
                .slow_if(pace.yields != Yields::Never),
            Kind::UntilSuccess { pace } => keeps_open_if_all_skip(until(first.answers, S::SUCCESS))
                .slow_if(pace.yields != Yields::Never),
            Kind::Repeat {
                times,
                pace,
                ignores_result,
                ..
            } => {
                let child = deaf(first.answers, *ignores_result, S::FAILURE);
                keeps_open_if_all_skip(looped(times, child, S::SUCCESS, S::FAILURE))
                    .slow_if(pace.yields != Yields::Never)
            }
            Kind::Retry {
                times,
                pace,
                ignores_result,
                ..
            } => {
                let child = deaf(first.answers, *ignores_result, S::SUCCESS);
                keeps_open_if_all_skip(looped(times, child, S::FAILURE, S::SUCCESS))
                    .slow_if(pace.yields != Yields::Never)
            }
            Kind::Machine(machine) => plain.answering(ends_of(machine)).slow_if(true),
            Kind::Planner(_) => plain.answering(S::ANY.without(S::SKIPPED)).slow_if(true),
            // A host may decide anything.
            Kind::Own { .. } => plain.answering(S::ANY).open_if(true).slow_if(true),
        }
    }
}

fn action(plain: Summary, leaf: LeafKind) -> Summary {
    use Statuses as S;
    match leaf {
        LeafKind::Action {
            life: Life::Instant,
        } => plain.answering(S::ANY.without(S::RUNNING)),
        LeafKind::Action {
            life: Life::Reported,
        } => plain
            .answering(S::ANY.without(S::SKIPPED))
            .open_if(true)
            .slow_if(true),
        _ => plain.answering(S::ANY).open_if(true).slow_if(true),
    }
}

fn wait(plain: Summary, secs: &Expr, jitter: Option<&Expr>) -> Summary {
    use Statuses as S;
    let is_over = is_zero(secs) && jitter.is_none();
    let answers = if is_over {
        S::SUCCESS
    } else if is_duration(secs, jitter) {
        S::SUCCESS | S::RUNNING
    } else {
        S::ANY.without(S::SKIPPED)
    };
    plain.answering(answers).slow_if(!is_over)
}

/// Whether an expression is known to give a valid duration, whatever is drawn.
fn is_duration(secs: &Expr, jitter: Option<&Expr>) -> bool {
    let number = |expr: &Expr| match expr {
        Expr::Value(value) => Some(value.as_double()),
        _ => None,
    };
    let most_added = jitter.map_or(Some(0.0), number);
    number(secs).zip(most_added).is_some_and(|(secs, added)| {
        [secs, secs + added]
            .map(nanos_of_secs)
            .iter()
            .all(Option::is_some)
    })
}

fn is_zero(secs: &Expr) -> bool {
    *secs == Expr::Value(Value::Double(0.0))
}

/// Whether an expression may cause a fault, as far as a quick look shows.
fn may_fault(expr: &Expr, keys: &[Key]) -> bool {
    match expr {
        Expr::Value(_) => false,
        Expr::Key(key, _) => keys[key.index()].form != Form::One,
        _ => true,
    }
}

/// A list that may answer running between two children.
fn yielding(list: Summary, yields: Yields) -> Summary {
    let waits = yields != Yields::Never;
    let answers = list.answers.with_if(waits, Statuses::RUNNING);
    list.answering(answers).slow_if(waits)
}

/// A list that continues after `on` and ends after `end`.
fn through(children: &[Summary], on: Statuses, end: Statuses) -> Statuses {
    let mut all = Statuses::NONE;
    let mut reaches_end = true;
    for child in children {
        all = all | child.answers.only(end | Statuses::RUNNING);
        if !child.answers.has(on | Statuses::SKIPPED) {
            reaches_end = false;
            break;
        }
    }
    let all_skip = children.iter().all(Summary::skips);
    all.with_if(all_skip, Statuses::SKIPPED)
        .with_if(reaches_end, on)
}

fn try_catch(children: &[Summary]) -> Statuses {
    let (caught, tried) = match children.split_last() {
        Some((last, tried)) => (last.answers, tried),
        None => (Statuses::ANY, children),
    };
    let tried = through(tried, Statuses::SUCCESS, Statuses::FAILURE);
    let fails = tried.has(Statuses::FAILURE);
    tried.with_if(fails, caught.only(Statuses::RUNNING))
}

/// A test and the branches that it chooses from.
fn chosen(children: &[Summary]) -> Statuses {
    use Statuses as S;
    let branch = |index: usize| {
        let child = children.get(index);
        child.map_or(S::FAILURE, |child| child.answers)
    };
    let test = children.first().map_or(S::ANY, |child| child.answers);
    test.only(S::RUNNING | S::SKIPPED)
        .with_if(test.has(S::SUCCESS), branch(1))
        .with_if(test.has(S::FAILURE), branch(2))
}

fn decided(decision: &Decision, children: &[Summary]) -> Statuses {
    let asked = decision.asked(children.len());
    let leaves = children.iter().zip(asked).filter(|(_, asked)| !asked);
    let all = leaves.fold(Statuses::NONE, |all, (leaf, _)| all | leaf.answers);
    all.with_if(decision.may_lead_to_nothing(), Statuses::FAILURE)
}

fn inverted(child: Statuses) -> Statuses {
    use Statuses as S;
    child
        .without(S::SUCCESS | S::FAILURE)
        .with_if(child.has(S::SUCCESS), S::FAILURE)
        .with_if(child.has(S::FAILURE), S::SUCCESS)
}

/// A child whose end is answered as `to`, and with `even_running` also while it is running.
fn forced(child: Statuses, to: Statuses, even_running: bool) -> Statuses {
    let ended = child.turned(Statuses::SUCCESS | Statuses::FAILURE, to);
    if even_running {
        ended.turned(Statuses::RUNNING, to)
    } else {
        ended
    }
}

/// A child whose `end` ends its loop, unless the loop ignores it.
fn deaf(child: Statuses, ignores: bool, end: Statuses) -> Statuses {
    if ignores { child.without(end) } else { child }
}

/// A loop that succeeds when its child answers `end`.
fn until(child: Statuses, end: Statuses) -> Statuses {
    let goes_on = child.only(Statuses::SKIPPED) | Statuses::RUNNING;
    goes_on.with_if(child.has(end), Statuses::SUCCESS)
}

/// A loop that continues after `on` and ends after `end`.
fn looped(times: &Times, child: Statuses, on: Statuses, end: Statuses) -> Statuses {
    let runs = child.only(end | Statuses::SKIPPED) | Statuses::RUNNING;
    match times {
        Times::Forever => runs,
        Times::Count(Expr::Value(_)) => runs | on,
        // Its count may cause a fault, and then it fails.
        Times::Count(_) | Times::Reread(_) => runs | on | Statuses::FAILURE,
    }
}

fn ends_of(machine: &Machine) -> Statuses {
    let states = machine.children(0);
    let ends = states.filter_map(|state| match machine.states[state].kind {
        StateKind::Final { success } => Some(Statuses::from(Status::from(success))),
        StateKind::Atomic | StateKind::Composite { .. } | StateKind::Parallel => None,
    });
    ends.fold(Statuses::RUNNING, BitOr::bitor)
}
