//! Nodes around one child.

use super::forms::{Choice, Flag, Seconds, never};
use super::leaves::{KeyName, Label, NamedKey};
use super::property::{Form, Property, Shape, Shaped};
use super::read::{Read, Show};
use super::{Children, Word};
use crate::code::Code;
use crate::said;
use crate::syntax::Value as Written;
use treemind_core::{Expr, Kind, Type, Value};

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[
    &INVERT,
    &FORCE_SUCCESS,
    &FORCE_FAILURE,
    &RUN_ONCE,
    &LIMIT,
    &COOLDOWN,
    &TIMEOUT,
    &DELAY,
    &CHANCE,
    &INTERRUPTIBLE,
    &ON_CHANGE,
];

static INVERT: Word =
    Word::new("invert", "Swaps success and failure.").task(Children::One, node!(Invert));

static EVEN_RUNNING: Property<Flag> = Property::new(
    "even-running",
    Flag,
    "answers at once, in every tick, while the child keeps running",
)
.seldom(&[], "It answers when its child has ended.");

static FORCE_SUCCESS: Word = Word::new("force-success", "Succeeds even when its child fails.")
    .with(&[&EVEN_RUNNING])
    .task(
        Children::One,
        node!(ForceSuccess {
            even_running: EVEN_RUNNING
        }),
    );

static FORCE_FAILURE: Word = Word::new(
    "force-failure",
    "Fails even when its child succeeds, so that a `selector` moves on to its next child.",
)
.seldom(
    &["invert"],
    "It also makes a success a failure, but a failure becomes a success.",
)
.with(&[&EVEN_RUNNING])
.task(
    Children::One,
    node!(ForceFailure {
        even_running: EVEN_RUNNING
    }),
);

static THEN: Property<Choice<bool>> = Property::new(
    "then",
    Choice::new(&[("answer", false), ("skipped", true)]),
    "after the first end: `answer`, the same answer again, or `skipped`",
);

static RUN_ONCE: Word = Word::new("run-once", "Runs its child once in the life of the agent.")
    .with(&[&THEN])
    .task(Children::One, node!(RunOnce { then_skip: THEN }));

static RUNS: Property<Runs> = Property::value(Runs);
static PER: Property<Choice<bool>> = Property::new(
    "per",
    Choice::new(&[("agent", false), ("parent", true)]),
    "`parent`: counts within a run of the node directly above; the next run of that node begins at 0 again. Not allowed at the root of a tree, which has no node above",
);

static LIMIT: Word = Word::new(
    "limit",
    "Limits how many times its child runs, in the life of the agent or in a run of the node above.",
)
.seldom(
    &["run-once", "cooldown"],
    "They allow one run in the life of the agent, or one within a given number of seconds.",
)
.value(
    &RUNS,
    "the number: how many runs, an `int` expression or a number; read at each start",
)
.with(&[&PER])
.task(
    Children::One,
    node!(Limit {
        runs: RUNS,
        per_parent: PER
    }),
);

static PAUSE: Property<Seconds> = Property::value(Seconds("cooldown 2.0"));
static ELSE: Property<Choice<bool>> = Property::new(
    "else",
    Choice::new(&[("failure", false), ("skipped", true)]),
    "the answer while it is cooling: `failure` or `skipped`",
);

static COOLDOWN: Word = Word::new(
    "cooldown",
    "Pauses after each run of its child, and fails during the pause.",
)
.value(&PAUSE, "the seconds: measured by the clock that ticks advance; a `double` expression or a number, read at the end of a run")
.with(&[&ELSE])
.task(
    Children::One,
    node!(Cooldown {
        secs: PAUSE,
        else_skipped: ELSE
    }),
);

static AT_MOST: Property<Seconds> = Property::value(Seconds("timeout 5.0"));

static ACROSS_SKIPS: Property<Flag> = Property::new(
    "across-skips",
    Flag,
    "a child that is skipped at once does not end the run, so the time goes on",
)
.imported_only();

static TIMEOUT: Word = Word::new(
    "timeout",
    "Limits how long its child may take: a child that takes longer is aborted, and the answer is failure.",
)
.value(&AT_MOST, "the seconds: measured by the clock that ticks advance; a `double` expression or a number, read at the start")
.with(&[&ACROSS_SKIPS])
.task(
    Children::One,
    (
        |from| {
            let (secs, across_skips) = (AT_MOST.read(from), ACROSS_SKIPS.read(from));
            let (secs, across_skips) = (secs?, across_skips?);
            if secs == Expr::Value(Value::Double(0.0)) {
                let message = said!("`timeout 0` never runs its child: its time is over at once");
                never(message, from);
            }
            Some(Kind::Timeout { secs, across_skips })
        },
        |kind, to| {
            if let Kind::Timeout { secs, across_skips } = kind {
                AT_MOST.show(secs, to);
                ACROSS_SKIPS.show(across_skips, to);
            }
        },
    ),
);

static BEFORE: Property<Seconds> = Property::value(Seconds("delay 0.5"));

static DELAY: Word = Word::new("delay", "Waits before each run of its child.")
    .seldom(
        &["wait"],
        "In a `sequence`, before the work, it makes the same pause.",
    )
    .value(&BEFORE, "the seconds: measured by the clock that ticks advance; a `double` expression or a number, read at the start; 0 is no pause")
    .with(&[&ACROSS_SKIPS])
    .task(
        Children::One,
        node!(Delay {
            secs: BEFORE,
            across_skips: ACROSS_SKIPS
        }),
    );

static PROBABILITY: Property<Probability> = Property::value(Probability);

static CHANCE: Word = Word::new("chance", "Runs its child with a given probability.")
    .value(
        &PROBABILITY,
        "the probability: 0 to 1, a `double` expression or a number; read at each start",
    )
    .task(
        Children::One,
        node!(Chance {
            probability: PROBABILITY
        }),
    );

static LABEL: Property<Label> = Property::value(Label(true));

static INTERRUPTIBLE: Word = Word::new(
    "interruptible",
    "Lets an `interrupt` cut off its child, from anywhere in the tree of the same agent.",
)
.seldom(&["reactive-selector"], "A more important child of it cuts off a less important one, but nothing elsewhere in the tree can.")
.value(&LABEL, "the label: several nodes may have the same label: one `interrupt` cuts off all of them that are running")
.task(Children::One, node!(Interruptible { label: LABEL }));

static KEY: Property<KeyName> = Property::value(KeyName(NamedKey::Read));
static WITHOUT: Property<Choice<bool>> = Property::new(
    "else",
    Choice::new(&[("skipped", false), ("running", true)]),
    "the answer if the key was not written: `skipped`, or `running`, to wait for a write",
);

static STAYS_OPEN: Property<Flag> = Property::new(
    "leaves-open",
    Flag,
    "its child stays open when it is aborted, and when it is skipped in the middle of its run",
)
.imported_only();

static ON_CHANGE: Word = Word::new("on-change", "Runs its child whenever a key was written.")
    .seldom(&["check"], "Before the work in a `reactive-sequence`, it asks for the value of the key, not whether the key was written.")
    .value(&KEY, "the key: by its name")
    .with(&[&WITHOUT, &STAYS_OPEN])
    .task(
        Children::One,
        node!(OnChange {
            key: KEY,
            else_running: WITHOUT,
            leaves_open: STAYS_OPEN
        }),
    );

/// The number of runs of a `limit`.
#[derive(Clone, Copy)]
struct Runs;

impl Shaped for Runs {
    fn shape(&'static self) -> Shape {
        Shape::Expr(Type::Int)
    }
}

impl Form for Runs {
    type Value = Expr;

    fn read<'n>(&self, _: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Expr> {
        let example = "limit 3` or `limit \"=lives\"";
        let entry = from.value(&said!("the number of runs"), example)?;
        if let Written::Decimal(..) = &entry.value {
            let message = said!("`limit` must be a whole number of runs");
            from.sink()
                .error(Code::BadNumber, entry.value_span.clone(), message);
            return None;
        }
        let runs = from.number(entry, Type::Int, &said!("the count of `limit`"))?;
        match runs {
            Expr::Value(Value::Int(..0)) => {
                let message = said!("a count cannot be negative");
                from.sink()
                    .error(Code::BadNumber, entry.value_span.clone(), message)
                    .with_help(said!("remove the node if there is no limit"));
                return None;
            }
            Expr::Value(Value::Int(0)) => {
                never(
                    said!("`limit 0` never runs its child: it fails at once"),
                    from,
                );
            }
            _ => {}
        }
        Some(runs)
    }

    fn show(&self, _: &str, value: &Expr, to: &mut (dyn Show + '_)) {
        to.value(&to.number(value));
    }
}

/// The probability of a `chance`.
#[derive(Clone, Copy)]
struct Probability;

impl Shaped for Probability {
    fn shape(&'static self) -> Shape {
        Shape::Expr(Type::Double)
    }
}

impl Form for Probability {
    type Value = Expr;

    fn read<'n>(&self, _: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Expr> {
        let entry = from.value(&said!("a probability"), "chance 0.5")?;
        let probability =
            from.number(entry, Type::Double, &said!("the probability of `chance`"))?;
        if let Expr::Value(Value::Double(value)) = probability {
            if !(0.0..=1.0).contains(&value) {
                let message = said!("a probability must be between 0 and 1");
                let diagnostic =
                    from.sink()
                        .error(Code::BadNumber, entry.value_span.clone(), message);
                if (2.0..=100.0).contains(&value) {
                    let share = value / 100.0;
                    diagnostic.with_help(said!("for {} of 100 runs, write `{}`", value, share));
                }
                return None;
            }
            if value == 0.0 {
                never(
                    said!("`chance 0` never runs its child: it always fails"),
                    from,
                );
            }
        }
        Some(probability)
    }

    fn show(&self, _: &str, value: &Expr, to: &mut (dyn Show + '_)) {
        to.value(&to.number(value));
    }
}
