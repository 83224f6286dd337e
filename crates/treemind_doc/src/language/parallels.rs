//! Nodes that run their children side by side, and limits on how many may run at once.

use super::forms::{Amount, Choice, Count, Flag};
use super::property::{Form, Named, Property, Shape, Shaped, Words};
use super::read::{Read, Show};
use super::{Children, Word};
use crate::code::Code;
use crate::syntax::{Value as Written, shortened};
use crate::{Said, said};
use treemind_core::behaviour::{Judging, Scope, Skips, Threshold};
use treemind_core::{Expr, Kind, SemaphoreId, Type, Value};

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[&PARALLEL, &PARALLEL_ALL, &SIMPLE_PARALLEL, &SEMAPHORE];

static SUCCESS: Property<Reached> = Property::new(
    "success",
    Reached(Threshold::All),
    "how many successes make it succeed: `all`, `all-but-1` and so on, `one`, or a number from 1 to the number of children",
);
static FAILURE: Property<Reached> = Property::new(
    "failure",
    Reached(Threshold::Count(1)),
    "how many failures make it fail, with the same values",
);
static SKIPPED: Property<Choice<Skips>> = Property::new(
    "skipped",
    Choice::new(&[
        ("absent", Skips::Absent),
        ("absent-even-all", Skips::AbsentEvenAll),
        ("pending", Skips::Pending),
    ]),
    "`pending`: a child that is skipped has to succeed or fail later; `absent-even-all`: like `absent`, but if all children are skipped, the node succeeds, as in BehaviorTree.CPP",
);
static CHECK: Property<Choice<bool>> = Property::new(
    "check",
    Choice::new(&[("each", false), ("end", true)]),
    "when the thresholds are checked: after `each` child, so that later ones are no longer ticked, or at the `end` of the tick",
);
static REPEAT_FINISHED: Property<Flag> = Property::new(
    "repeat-finished",
    Flag,
    "children that have ended are ticked again in the next tick; only the answers of the current tick count, and the node does not fail because `success` can no longer be met",
);

static PARALLEL: Word = Word::new(
    "parallel",
    "Runs its children at the same time, until enough of them have ended.",
)
.with(&[&SUCCESS, &FAILURE, &SKIPPED, &CHECK, &REPEAT_FINISHED])
.task(
    Children::Many,
    (
        |from| {
            from.no_values();
            let success = SUCCESS.read(from);
            let failure = FAILURE.read(from);
            let skips = SKIPPED.read(from);
            let repeat_finished = REPEAT_FINISHED.read(from);
            let at_end = CHECK.read(from);
            Some(Kind::Parallel {
                success: success?,
                failure: failure?,
                skips: skips?,
                judging: Judging {
                    at_end: at_end?,
                    repeat_finished: repeat_finished?,
                },
            })
        },
        |kind, to| {
            if let Kind::Parallel {
                success,
                failure,
                skips,
                judging,
            } = kind
            {
                SUCCESS.show(success, to);
                FAILURE.show(failure, to);
                SKIPPED.show(skips, to);
                CHECK.show(&judging.at_end, to);
                REPEAT_FINISHED.show(&judging.repeat_finished, to);
            }
        },
    ),
);

static MAX_FAILURES: Property<Failures> = Property::new(
    "max-failures",
    Failures,
    "this many failures make it fail; from 1 to the number of children",
);

static PARALLEL_ALL: Word = Word::new(
    "parallel-all",
    "Runs its children at the same time, waits until all have ended, and then counts the failures.",
)
.seldom(
    &["parallel"],
    "It ends as soon as enough of its children have ended, and aborts the others.",
)
.with(&[&MAX_FAILURES])
.task(
    Children::Many,
    node!(ParallelAll {
        max_failures: MAX_FAILURES
    }),
);

static FINISH: Property<Choice<bool>> = Property::new(
    "finish",
    Choice::new(&[("immediate", false), ("delayed", true)]),
    "what happens to the background when the task ends: it is aborted (`immediate`), or waited for (`delayed`)",
);

static SIMPLE_PARALLEL: Word = Word::new(
    "simple-parallel",
    "Runs a task, and something else beside it: walk there, and look around on the way.",
)
.seldom(
    &["parallel"],
    "All its children count for its answer, not only the first.",
)
.with(&[&FINISH])
.task(Children::Two, node!(SimpleParallel { waits: FINISH }))
.of_children("write the task, and then the node that runs in the background");

static NAME: Property<Places> = Property::value(Places);
pub(crate) static MAX: Property<Count> = Property::new(
    "max",
    Count(|| said!("use at least 1: a semaphore without a place never lets its child run")),
    "how many places there are, a number from 1; other nodes with that name may leave it out or give the same number",
)
.without("required once");
pub(crate) static SCOPE: Property<Choice<Scope>> = Property::new(
    "scope",
    Choice::new(&[
        ("agent", Scope::Agent),
        ("group", Scope::Group),
        ("world", Scope::World),
    ]),
    "who shares them: `agent`, the branches of one tree; `group`; `world`, all agents. Given once, it applies to all nodes with that name",
);
static WAIT: Property<Flag> = Property::new(
    "wait",
    Flag,
    "answers running instead of failure as long as there is no place",
);

pub(crate) static FOR: Property<Choice<bool>> = Property::new(
    "for",
    Choice::new(&[("first", false), ("best", true)]),
    "who gets a free place: `first`, whoever has waited longest; `best`, whoever has the highest `bid`. `best` needs `scope=group` or `scope=world`. Given once, it applies to all nodes with that name",
);
static BID: Property<Bid> = Property::new(
    "bid",
    Bid,
    "with `for=best`, which requires it: an expression for what this node bids; with 0 or less it gets no place",
);
pub(crate) static HYSTERESIS: Property<Amount> = Property::new(
    "hysteresis",
    Amount,
    "with `for=best`: by how much a bid has to exceed that of a holder, which then loses its place; a number from 0. Without it, nobody loses a place. Given once",
);
pub(crate) static MIN_HOLD: Property<Amount> = Property::new(
    "min-hold",
    Amount,
    "with `hysteresis`: for so many seconds a holder cannot lose its place. Given once",
);

static SEMAPHORE: Word = Word::new("semaphore", "Holds one of a limited number of places while its child runs. The places may be a door, two path finders, or three positions around the player.")
    .seldom(&["check", "set"], "With a counter in a shared `blackboard`, they also keep others out. But the counter has to be put right when the work is aborted, and two agents can begin in the same tick.")
    .value(&NAME, "the name: of the semaphore, which all nodes with that name in the document share")
    .with(&[&MAX, &SCOPE, &WAIT, &FOR, &BID, &HYSTERESIS, &MIN_HOLD])
    .task(
        Children::One,
        (
            |from| {
                // The limits were already collected from all nodes with the same name.
                let (max, scope) = (MAX.read(from), SCOPE.read(from));
                let waits = WAIT.read(from);
                let (best, hysteresis) = (FOR.read(from), HYSTERESIS.read(from));
                let min_hold = MIN_HOLD.read(from);
                let bid = BID.read(from);
                let semaphore = NAME.read(from);
                let (_, _, _, _, _) = (max?, scope?, best?, hysteresis?, min_hold?);
                Some(Kind::Semaphore {
                    semaphore: semaphore?,
                    waits: waits?,
                    bid: bid?,
                })
            },
            |kind, to| {
                if let Kind::Semaphore {
                    semaphore,
                    waits,
                    bid,
                } = kind
                {
                    NAME.show(semaphore, to);
                    let semaphore = to.behaviour().semaphores()[semaphore.index()].clone();
                    MAX.show(&Some(semaphore.places), to);
                    SCOPE.show(&semaphore.scope, to);
                    WAIT.show(waits, to);
                    FOR.show(&semaphore.bidding.is_some(), to);
                    BID.show(bid, to);
                    if let Some(bidding) = semaphore.bidding {
                        HYSTERESIS.show(&bidding.hysteresis, to);
                        let min_hold = Some(bidding.min_hold).filter(|secs| *secs > 0.0);
                        MIN_HOLD.show(&min_hold, to);
                    }
                }
            },
        ),
    );

/// What a node bids for a place.
#[derive(Clone, Copy)]
struct Bid;

impl Shaped for Bid {
    fn shape(&'static self) -> Shape {
        Shape::Expr(Type::Double)
    }
}

impl Form for Bid {
    type Value = Option<Expr>;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Option<Expr>> {
        let Some(entry) = from.property(name) else {
            return Some(None);
        };
        let bid = from.not_negative(entry, &format!("`{name}`").into())?;
        if bid == Expr::Value(Value::Double(0.0)) {
            let message = said!("with a bid of 0, this is never given a place");
            from.sink()
                .warning(Code::NeverRuns, entry.value_span.clone(), message)
                .with_help(said!("write a number above 0, or an expression"));
        }
        Some(Some(bid))
    }

    fn show(&self, name: &str, value: &Option<Expr>, to: &mut (dyn Show + '_)) {
        if let Some(value) = value {
            to.property(name, &to.number(value));
        }
    }
}

/// How many children must have given an answer.
#[derive(Clone, Copy)]
struct Reached(Threshold);

impl Words for Reached {
    fn words(&self) -> Vec<&'static str> {
        vec!["all", "one"]
    }

    fn pattern(&self) -> Option<&'static str> {
        Some("^all-but-[1-9][0-9]*$")
    }
}

impl Shaped for Reached {
    fn shape(&'static self) -> Shape {
        Shape::WordsOrNumber(self)
    }

    fn default(&self) -> Option<String> {
        Some(format!("`{}`", threshold(self.0)))
    }
}

impl Form for Reached {
    type Value = Threshold;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Threshold> {
        let Some(entry) = from.property(name) else {
            return Some(self.0);
        };
        let span = entry.value_span.clone();
        match &entry.value {
            Written::Bad => None,
            Written::Text(text) if text.value == "all" => Some(Threshold::All),
            Written::Text(text) if text.value == "one" => Some(Threshold::Count(1)),
            Written::Text(text) if from.sink().is_foreign() => imported(&text.value),
            Written::Text(text) if all_but(&text.value).is_some_and(|less| less > 0) => {
                let children = from.children();
                let less = all_but(&text.value).filter(|less| (*less as usize) < children);
                if less.is_none() {
                    let children = counted(children);
                    let message = said!(
                        "`{}={}` leaves none of {}",
                        name,
                        shortened(&text.value),
                        children
                    );
                    from.sink().error(Code::BadThreshold, span, message);
                }
                less.map(Threshold::AllBut)
            }
            Written::Int(0) if !from.sink().is_foreign() => {
                let message = said!("`{}=0` would end this node before it starts", name);
                from.sink()
                    .error(Code::BadThreshold, span, message)
                    .with_help(said!("use at least `one`"));
                None
            }
            Written::Int(count) => {
                let children = from.children();
                let fits = u32::try_from(*count)
                    .ok()
                    .filter(|count| *count as usize <= children);
                if fits.is_none() {
                    let message = if *count < 0 {
                        said!("`{}` cannot be negative", name)
                    } else {
                        let children = counted(children);
                        said!("`{}={}` cannot be reached with {}", name, count, children)
                    };
                    from.sink().error(Code::BadThreshold, span, message);
                }
                fits.map(Threshold::Count)
            }
            _ => {
                let message = said!(
                    "`{}` must be `all`, `all-but-1` and so on, `one` or a number of children",
                    name
                );
                from.sink().error(Code::BadChoice, span, message);
                None
            }
        }
    }

    /// Always shown, because the two thresholds belong together.
    fn show(&self, name: &str, value: &Threshold, to: &mut (dyn Show + '_)) {
        to.property(name, &threshold(*value));
    }
}

/// What readers of other systems say, too: the reverse of [`threshold`].
fn imported(text: &str) -> Option<Threshold> {
    let exactly = || text.strip_prefix("exactly-")?.parse().ok();
    let all_but = all_but(text).map(Threshold::AllBut);
    all_but.or_else(|| exactly().map(Threshold::Exactly))
}

/// The number in `all-but-1`.
fn all_but(text: &str) -> Option<u32> {
    text.strip_prefix("all-but-")?.parse().ok()
}

fn threshold(threshold: Threshold) -> String {
    match threshold {
        Threshold::All | Threshold::AllBut(0) => "all".to_owned(),
        Threshold::AllBut(count) => format!("all-but-{count}"),
        Threshold::Exactly(count) => format!("exactly-{count}"),
        Threshold::Count(1) => "one".to_owned(),
        Threshold::Count(count) => count.to_string(),
    }
}

/// How many failures make a `parallel-all` fail.
#[derive(Clone, Copy)]
struct Failures;

impl Shaped for Failures {
    fn shape(&'static self) -> Shape {
        Shape::Number
    }

    fn default(&self) -> Option<String> {
        Some("1".to_owned())
    }
}

impl Form for Failures {
    type Value = u32;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<u32> {
        let Some(entry) = from.property(name) else {
            return Some(1);
        };
        let message = match &entry.value {
            Written::Bad => return None,
            Written::Int(0) if !from.sink().is_foreign() => {
                let message = said!("with `max-failures=0` this node would always fail");
                from.sink()
                    .error(Code::BadThreshold, entry.value_span.clone(), message)
                    .with_help(said!("use at least 1, or `force-failure` to always fail"));
                return None;
            }
            Written::Int(..0) => said!("`{}` cannot be negative", name),
            Written::Int(count) => {
                let children = from.children();
                let fits = u32::try_from(*count).ok();
                if let Some(count) = fits.filter(|count| *count as usize <= children) {
                    return Some(count);
                }
                let children = counted(children);
                said!("`{}={}` cannot be reached with {}", name, count, children)
            }
            _ => {
                let message = said!("`{}` must be a number of children", name);
                from.sink()
                    .error(Code::WrongType, entry.value_span.clone(), message);
                return None;
            }
        };
        from.sink()
            .error(Code::BadThreshold, entry.value_span.clone(), message);
        None
    }

    fn show(&self, name: &str, value: &u32, to: &mut (dyn Show + '_)) {
        to.property(name, &value.to_string());
    }
}

fn counted(children: usize) -> Said {
    match children {
        1 => said!("1 child"),
        count => said!("{} children", count),
    }
}

/// The name of a semaphore.
#[derive(Clone, Copy)]
struct Places;

impl Shaped for Places {
    fn shape(&'static self) -> Shape {
        Shape::Declares(Named::Semaphore)
    }
}

impl Form for Places {
    type Value = SemaphoreId;

    fn read<'n>(&self, _: &str, from: &mut (dyn Read<'n> + '_)) -> Option<SemaphoreId> {
        from.semaphore()
    }

    fn show(&self, _: &str, value: &SemaphoreId, to: &mut (dyn Show + '_)) {
        let name = to.name(&to.behaviour().semaphores()[value.index()].name);
        to.value(&name);
    }
}
