//! Nodes that run their child again.

use super::forms::{Choice, Flag, MaxRuns};
use super::property::{AnyProperty, Form, Plain, Property, Shape, Shaped};
use super::read::{Read, Show};
use super::{Children, Word};
use crate::code::Code;
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Value as Written, shortened};
use treemind_core::behaviour::{Counting, Pace, Times, Yields};
use treemind_core::{Expr, Kind, Type, Value};

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[
    &FOREVER,
    &REPEAT,
    &RETRY,
    &UNTIL_FAILURE,
    &UNTIL_SUCCESS,
    &KEEP_RUNNING_UNTIL_FAILURE,
];

/// The words of `yields=`.
const YIELDS: &[(&str, Yields)] = &[
    ("always", Yields::Always),
    ("fresh", Yields::Fresh),
    ("never", Yields::Never),
];

/// For lists, which continue at once by default.
pub(super) static LIST_YIELDS: Property<Choice<Yields>> = Property::new(
    "yields",
    Choice::or(YIELDS, Yields::Never),
    "when it answers running between two children: `never`, `always` (one child per tick), `fresh` (after a child that began and ended in this tick)",
)
.seldom(&[], "The next child follows in the same tick.");

static LOOP_YIELDS: Property<Choice<Yields>> = Property::new(
    "yields",
    Choice::or(YIELDS, Yields::Always),
    "when it answers running between two runs: `always` (one run per tick), `fresh` (after a run that began and ended in this tick), `never` (all runs in one tick; after `max-runs` it answers running, with a fault)",
)
.seldom(&[], "One run per tick.");
static MAX_RUNS: Property<MaxRuns> = Property::new(
    "max-runs",
    MaxRuns,
    "how many runs may end in one tick, a number from 1; all loops of an agent together go back 100 000 times in one tick at most",
)
.seldom(&[], "It matters only with several runs in one tick.");

const PACE: &[&dyn AnyProperty] = &[&LOOP_YIELDS, &MAX_RUNS];

fn pace(from: &mut (dyn Read<'_> + '_)) -> Option<Pace> {
    let yields = LOOP_YIELDS.read(from);
    let max_runs = MAX_RUNS.read(from);
    Some(Pace {
        yields: yields?,
        max_runs: max_runs?,
    })
}

fn show_pace(pace: &Pace, to: &mut (dyn Show + '_)) {
    LOOP_YIELDS.show(&pace.yields, to);
    MAX_RUNS.show(&pace.max_runs, to);
}

static UNTIL_FAILURE: Word = Word::new(
    "until-failure",
    "Runs its child again and again until it fails, and then succeeds.",
)
.seldom(
    &["repeat"],
    "`repeat forever` also ends with the first failure, but then it fails.",
)
.with(PACE)
.task(
    Children::One,
    (
        |from| {
            from.no_values();
            Some(Kind::UntilFailure { pace: pace(from)? })
        },
        |kind, to| {
            if let Kind::UntilFailure { pace } = kind {
                show_pace(pace, to);
            }
        },
    ),
);

static UNTIL_SUCCESS: Word = Word::new(
    "until-success",
    "Runs its child again and again until it works.",
)
.seldom(&["retry"], "`retry forever` does the same.")
.with(PACE)
.task(
    Children::One,
    (
        |from| {
            from.no_values();
            Some(Kind::UntilSuccess { pace: pace(from)? })
        },
        |kind, to| {
            if let Kind::UntilSuccess { pace } = kind {
                show_pace(pace, to);
            }
        },
    ),
);

static KEEP_RUNNING_UNTIL_FAILURE: Word = Word::new(
    "keep-running-until-failure",
    "Runs its child for ever, one run per tick, until it fails.",
)
.seldom(
    &["repeat"],
    "`repeat forever` does the same, except that it is skipped when its child is.",
)
.task(Children::One, node!(KeepRunningUntilFailure));

const COUNTS: Choice<Counting> =
    Choice::new(&[("runs", Counting::Runs), ("ticks", Counting::Ticks)]);

static TIMES: Property<Number> = Property::value(Number);
static COUNT: Property<Choice<Counting>> = Property::new(
    "count",
    COUNTS,
    "what the number counts: `runs` of the child that have ended, or `ticks` that reached the loop; after that many ticks a live child is aborted, and the answer is success",
)
.seldom(&[], "The number counts runs.");
static RETRY_COUNT: Property<Choice<Counting>> = Property::new(
    "count",
    COUNTS,
    "what the number counts: `runs` of the child that have ended, or `ticks` that reached the loop; after that many ticks a live child is aborted, and the answer is failure",
)
.seldom(&[], "The number counts runs.");
static ON_FAILURE: Property<Plain> =
    Property::new("on-failure", Plain(Shape::Statements(&["continue"])), "`continue`: a failure is a run like any other. Statements are a hook as on any node, so a loop has one or the other")
        .without("ends the loop");
static ON_SUCCESS: Property<Plain> =
    Property::new("on-success", Plain(Shape::Statements(&["continue"])), "`continue`: a success is a run like any other. Statements are a hook as on any node, so a loop has one or the other")
        .without("ends the loop");

static REREADS: Property<Flag> = Property::new(
    "rereads",
    Flag,
    "the number is read again in each tick, and by `retry` after each run",
)
.imported_only();

/// The line of a `repeat` or `retry`.
struct Counted {
    times: Times,
    pace: Pace,
    counting: Counting,
    ignores_result: bool,
}

static REPEAT: Word = Word::new(
    "repeat",
    "Runs its child a given number of times; a failure ends it.",
)
.value(&TIMES, "the number: how many runs: a number, an `int` expression such as `\"ammo\"`, or `forever`; 0 is success at once")
.with(&[&LOOP_YIELDS, &COUNT, &MAX_RUNS, &ON_FAILURE, &REREADS])
.task(
    Children::One,
    (
        |from| {
            let Counted {
                times,
                pace,
                counting,
                ignores_result,
            } = counted(&COUNT, &ON_FAILURE, from)?;
            Some(Kind::Repeat {
                times,
                pace,
                counting,
                ignores_result,
            })
        },
        |kind, to| {
            if let Kind::Repeat {
                times,
                pace,
                counting,
                ignores_result,
            } = kind
            {
                TIMES.show(times, to);
                REREADS.show(&matches!(times, Times::Reread(_)), to);
                COUNT.show(counting, to);
                show_pace(pace, to);
                if *ignores_result {
                    to.property(ON_FAILURE.name, "continue");
                }
            }
        },
    ),
);

static FOREVER: Word = Word::new(
    "forever",
    "Runs its child again and again, one run per tick, whatever it answers.",
)
.task(
    Children::One,
    (
        |from| {
            from.no_values();
            Some(Kind::Repeat {
                times: Times::Forever,
                pace: Pace::default(),
                counting: Counting::Runs,
                ignores_result: true,
            })
        },
        // It is the kind that says nothing more.
        |_, _| {},
    ),
);

static RETRY: Word = Word::new(
    "retry",
    "Runs its child until it works, at most a given number of times.",
)
.value(&TIMES, "the number: how many runs: a number, an `int` expression such as `\"ammo\"`, or `forever`; 0 is failure at once")
.with(&[&LOOP_YIELDS, &RETRY_COUNT, &MAX_RUNS, &ON_SUCCESS, &REREADS])
.task(
    Children::One,
    (
        |from| {
            let Counted {
                times,
                pace,
                counting,
                ignores_result,
            } = counted(&RETRY_COUNT, &ON_SUCCESS, from)?;
            Some(Kind::Retry {
                times,
                pace,
                counting,
                ignores_result,
            })
        },
        |kind, to| {
            if let Kind::Retry {
                times,
                pace,
                counting,
                ignores_result,
            } = kind
            {
                TIMES.show(times, to);
                REREADS.show(&matches!(times, Times::Reread(_)), to);
                RETRY_COUNT.show(counting, to);
                show_pace(pace, to);
                if *ignores_result {
                    to.property(ON_SUCCESS.name, "continue");
                }
            }
        },
    ),
);

fn counted(
    count: &Property<Choice<Counting>>,
    hook: &Property<Plain>,
    from: &mut (dyn Read<'_> + '_),
) -> Option<Counted> {
    let times = TIMES.read(from);
    let pace = pace(from);
    let counting = count.read(from);
    let rereads = REREADS.read(from);
    let ignores_result = from.property(hook.name).is_some_and(is_continue);
    let (times, pace, counting) = (times?, pace?, counting?);
    let times = match times {
        Times::Count(count) if rereads? => Times::Reread(count),
        times => times,
    };
    if times == Times::Forever
        && counting == Counting::Ticks
        && let Some(entry) = from.property(count.name)
    {
        let message = said!("`count=` has no meaning with `forever`");
        from.sink()
            .error(Code::Contradiction, entry.span.clone(), message)
            .with_help(said!("remove `count=`, or give a number of ticks"));
        return None;
    }
    Some(Counted {
        times,
        pace,
        counting,
        ignores_result,
    })
}

/// Whether it is the word `continue`, and not statements. KDL and JSON read it the same way, so quotes make no
/// difference.
pub(crate) fn is_continue(entry: &Entry) -> bool {
    matches!(&entry.value, Written::Text(text) if text.value == "continue")
}

/// How often a loop runs its child.
#[derive(Clone, Copy)]
struct Number;

impl Shaped for Number {
    fn shape(&'static self) -> Shape {
        Shape::Times
    }
}

impl Form for Number {
    type Value = Times;

    fn read<'n>(&self, _: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Times> {
        let name = from.node().name.value.as_str();
        let example = format!("{name} 3`, `{name} forever` or `{name} \"=shots\"");
        let entry = from.value(&said!("a number, or `forever`"), &example)?;
        if let Written::Text(text) = &entry.value {
            if text.value == "forever" {
                return Some(Times::Forever);
            }
            let known = from.has_key(&text.value);
            let meant = ["infinite", "always", "inf", "endless"].contains(&text.value.as_str());
            if !known && (meant || suggest::nearest(&text.value, ["forever"]).is_some()) {
                let message = said!("`{}` is neither a number nor a key", shortened(&text.value));
                from.sink()
                    .error(Code::BadChoice, text.span.clone(), message)
                    .with_help(suggest::meant("forever"));
                return None;
            }
        }
        if let Written::Decimal(value, _) = &entry.value {
            let message = said!("`{}` must be a whole number of runs", name);
            let diagnostic = from
                .sink()
                .error(Code::BadNumber, entry.value_span.clone(), message);
            if value.is_infinite() {
                diagnostic.with_help(said!("write `{} forever`", name));
            }
            return None;
        }
        let what = said!("the count of `{}`", name);
        let count = from.number(entry, Type::Int, &what)?;
        match count {
            Expr::Value(Value::Int(..0)) => {
                let message = said!("a count cannot be negative");
                from.sink()
                    .error(Code::BadNumber, entry.value_span.clone(), message)
                    .with_help(said!("for no limit, write `{} forever`", name));
                return None;
            }
            Expr::Value(Value::Int(0)) => {
                let (node, span) = (from.node(), entry.value_span.clone());
                let sink = from.sink();
                let (count, word) = (sink.slice(&span), sink.word(&node.name));
                let message = match (sink.is_foreign(), name == REPEAT.name) {
                    (true, true) => said!(
                        "with `{}`, `{}` never runs its child: it succeeds at once",
                        count,
                        word
                    ),
                    (true, false) => said!(
                        "with `{}`, `{}` never runs its child: it fails at once",
                        count,
                        word
                    ),
                    (false, true) => {
                        said!("`{} 0` never runs its child: it succeeds at once", name)
                    }
                    (false, false) => {
                        said!("`{} 0` never runs its child: it fails at once", name)
                    }
                };
                let help = sink.say(
                    said!("to switch a node off for now, use `disabled={}`", "#true"),
                    said!("for no limit, write `-1`"),
                );
                sink.warning(Code::LoopOfZero, span, message)
                    .with_help(help);
            }
            _ => {}
        }
        Some(Times::Count(count))
    }

    fn show(&self, _: &str, times: &Times, to: &mut (dyn Show + '_)) {
        match times {
            Times::Forever => to.value("forever"),
            Times::Count(count) | Times::Reread(count) => to.value(&to.number(count)),
        }
    }
}
