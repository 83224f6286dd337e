//! `utility-selector`, and the scores of its children.

use super::forms::{Choice, Count, Flag};
use super::property::{Form, Plain, Property, Shape, Shaped, Words};
use super::read::{Read, Show};
use super::{Block, Children, Spot, Word};
use crate::code::Code;
use crate::said;
use crate::syntax::{Entry, Value as Written, plain_word};
use treemind_core::behaviour::{Combine, Policy};
use treemind_core::{Expr, Kind, Type, Value};

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[&UTILITY_SELECTOR];

pub(super) const POLICIES: Choice<Policy> = Choice::new(&[
    ("highest", Policy::Highest),
    ("weighted-random", Policy::WeightedRandom),
    // The number is set by `top=`.
    ("top", Policy::Top(0)),
]);

static POLICY: Property<Choice<Policy>> = Property::new(
    "policy",
    POLICIES,
    "Which child runs: the one with the best score, one that is drawn in proportion to the scores, or one of the `top` best.",
);
static TOP: Property<Count> = Property::new(
    "top",
    Count(|| said!("use at least 1")),
    "From how many of the best children `policy=top` draws.",
);
static HYSTERESIS: Property<Hysteresis> = Property::new(
    "hysteresis",
    Hysteresis,
    "by how much another child has to exceed the running child, in units of the score; 0 or more",
);
static REACTIVE: Property<Flag> = Property::new(
    "reactive",
    Flag,
    "reads the scores on every tick, even while a child runs",
);
/// A choice if it is one word; statements mean the same as on any node.
static ON_FAILURE: Property<Plain> = Property::new(
    "on-failure",
    Plain(Shape::Statements(&["next", "fail"])),
    "`fail`: a child that fails ends it; `next`: the next best runs. Statements are a hook as on any node",
)
.without("`next`");
static FAILS: Property<Choice<bool>> = Property::new(
    "on-failure",
    Choice::new(&[("next", false), ("fail", true)]),
    "",
);

static UTILITY_SELECTOR: Word = Word::new(
    "utility-selector",
    "Gives each child a score, and runs the best one.",
)
.with(&[&POLICY, &TOP, &HYSTERESIS, &REACTIVE, &ON_FAILURE])
.task(
    Children::Many,
    (
        |from| {
            from.no_values();
            let policy = policy(from);
            let reactive = REACTIVE.read(from);
            let hysteresis = HYSTERESIS.read(from);
            let fails = match from.property(ON_FAILURE.name) {
                Some(entry) if is_choice_of_failure(entry) => FAILS.read(from),
                _ => Some(false),
            };
            no_effect(policy, reactive == Some(true), from);
            let scores = from.scores();
            Some(Kind::UtilitySelector {
                scores: scores?,
                policy: policy?,
                hysteresis: hysteresis?,
                reactive: reactive?,
                fails: fails?,
            })
        },
        |kind, to| {
            let Kind::UtilitySelector {
                scores: _,
                policy,
                hysteresis,
                reactive,
                fails,
            } = kind
            else {
                return;
            };
            let top = match policy {
                Policy::Top(best) => Some(*best),
                _ => None,
            };
            // It is always shown, because so much depends on it.
            let word = top.map_or(*policy, |_| Policy::Top(0));
            to.property(POLICY.name, POLICIES.word(word));
            TOP.show(&top, to);
            HYSTERESIS.show(hysteresis, to);
            REACTIVE.show(reactive, to);
            FAILS.show(fails, to);
        },
    ),
);

fn policy(from: &mut (dyn Read<'_> + '_)) -> Option<Policy> {
    let policy = POLICY.read(from);
    let top = TOP.read(from);
    let (policy, top) = (policy?, top?);
    let children = from.children();
    match (policy, top, from.property(TOP.name)) {
        (Policy::Top(_), Some(top), Some(entry)) if top as usize > children => {
            let message = said!("`top` is {}, but there are only {} children", top, children);
            from.sink()
                .error(Code::BadNumber, entry.value_span.clone(), message)
                .with_help(said!(
                    "to draw among all of them, write `policy=weighted-random`"
                ));
            None
        }
        (Policy::Top(_), Some(top), _) => Some(Policy::Top(top)),
        (Policy::Top(_), None, _) => {
            let message =
                said!("`policy=top` needs `top`, the number of best children to draw from");
            let span = from.node().name.span.clone();
            from.sink()
                .error(Code::MissingValue, span, message)
                .with_help(said!("try `policy=top top=3`"));
            None
        }
        (_, Some(_), Some(entry)) => {
            let message = said!("`top` is only allowed with `policy=top`");
            from.sink()
                .error(Code::Contradiction, entry.span.clone(), message)
                .with_help(said!("remove it, or write `policy=top`"));
            None
        }
        (policy, ..) => Some(policy),
    }
}

/// Warns of a `hysteresis` when the running child is never replaced.
fn no_effect(policy: Option<Policy>, reactive: bool, from: &mut (dyn Read<'_> + '_)) {
    let why = if !reactive {
        said!(
            "add `reactive={}`: without it, a running child is never replaced",
            "#true"
        )
    } else if policy == Some(Policy::WeightedRandom) {
        said!(
            "remove it: with `policy=weighted-random`, a child runs until it ends or its score is 0"
        )
    } else {
        return;
    };
    if let Some(entry) = from.property(HYSTERESIS.name) {
        from.sink()
            .warning(
                Code::NoEffect,
                entry.span.clone(),
                said!("`hysteresis` has no effect here"),
            )
            .with_help(why);
    }
}

/// `on-failure=` of a `utility-selector` is a choice if it is one word, with or without quotes; otherwise it is
/// statements.
pub(crate) fn is_choice_of_failure(entry: &Entry) -> bool {
    matches!(&entry.value, Written::Text(text) if plain_word(&text.value))
}

/// How much better another child has to be.
#[derive(Clone, Copy)]
pub(crate) struct Hysteresis;

impl Shaped for Hysteresis {
    fn shape(&'static self) -> Shape {
        Shape::Expr(Type::Double)
    }

    fn default(&self) -> Option<String> {
        Some("`0.0`".to_owned())
    }
}

impl Form for Hysteresis {
    type Value = Expr;

    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Expr> {
        match from.property(name) {
            None => Some(Expr::Value(Value::Double(0.0))),
            Some(entry) => from.not_negative(entry, &format!("`{name}`").into()),
        }
    }

    fn show(&self, name: &str, value: &Expr, to: &mut (dyn Show + '_)) {
        if *value != Expr::Value(Value::Double(0.0)) {
            to.property(name, &to.number(value));
        }
    }
}

/// How considerations are combined into one number. `compensate=` changes the product.
pub(crate) static COMBINE: Property<Choice<Combine>> = Property::new(
    "combine",
    Choice::new(&[
        ("product", Combine::Product { compensated: false }),
        ("min", Combine::Min),
        ("max", Combine::Max),
        ("average", Combine::Average),
    ]),
    "how the considerations become one number",
);
pub(super) static COMPENSATE: Property<Flag> = Property::new(
    "compensate",
    Flag,
    "the factors of a product are raised, since a product of many numbers below 1 is small",
);
pub(super) static WEIGHT: Property<Plain> = Property::new(
    "weight",
    Plain(Shape::Expr(Type::Double)),
    "the factor by which it is multiplied",
);

static SCORE: Word = Word::new("score", "the score of a child of a `utility-selector`")
    .with(&[&COMBINE, &COMPENSATE, &WEIGHT])
    .block(Block::Must(&[Spot::Considered]));

pub(super) const SCORES: &[&Word] = &[&SCORE];

const PARAMETER: Plain = Plain(Shape::Number);

/// The curves by name, the usual one first, with their parameters and what these are where they are not written.
pub(crate) static CURVES: Curves = Curves(&[
    ("linear", &[("slope", 1.0), ("offset", 0.0)]),
    ("power", &[("exponent", 2.0)]),
    ("logistic", &[("mid", 0.5), ("steep", 10.0)]),
    ("exponential", &[("steep", 4.0)]),
    ("step", &[("at", 0.5)]),
    ("points", &[]),
]);

/// The parameters of a curve with their defaults.
pub(crate) type Defaults = &'static [(&'static str, f64)];

pub(crate) struct Curves(pub(crate) &'static [(&'static str, Defaults)]);

impl Curves {
    /// The parameters of a curve; none if there is no such curve.
    pub(crate) fn parameters(&self, name: &str) -> Defaults {
        let own = self.0.iter().find(|(curve, _)| *curve == name);
        own.map_or(&[], |(_, parameters)| parameters)
    }
}

impl Words for Curves {
    fn words(&self) -> Vec<&'static str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }
}

static CONSIDERED_VALUE: Property<Plain> = Property::value(Plain(Shape::Expr(Type::Double)));
static CURVE: Property<Plain> = Property::new(
    "curve",
    Plain(Shape::Words(&CURVES)),
    "the curve for its value",
);
pub(super) static SLOPE: Property<Plain> = Property::new("slope", PARAMETER, "of a linear curve");
pub(super) static OFFSET: Property<Plain> = Property::new("offset", PARAMETER, "of a linear curve");
pub(super) static EXPONENT: Property<Plain> =
    Property::new("exponent", PARAMETER, "of a power curve");
pub(super) static MID: Property<Plain> = Property::new("mid", PARAMETER, "of a logistic curve");
pub(super) static STEEP: Property<Plain> =
    Property::new("steep", PARAMETER, "of a logistic or exponential curve");
pub(super) static AT: Property<Plain> = Property::new("at", PARAMETER, "of a step");

static CONSIDER: Word = Word::new("consider", "one thing that a score takes into account")
    .value(
        &CONSIDERED_VALUE,
        "the expression: a number, which the curve makes one from 0 to 1",
    )
    .with(&[
        &CURVE, &WEIGHT, &SLOPE, &OFFSET, &EXPONENT, &MID, &STEEP, &AT,
    ])
    .block(Block::May(&[Spot::Points]));

pub(super) const CONSIDERED: &[&Word] = &[&CONSIDER];

static COORDINATES: Property<Plain> = Property::value(PARAMETER);
static POINT: Word = Word::new("point", "a point of a curve")
    .seldom(
        &["consider"],
        "Its `curve=` names a curve, such as `linear` or `logistic`.",
    )
    .value(
        &COORDINATES,
        "two numbers: where the point is from the left, and how high, both from 0 to 1",
    );

pub(super) const POINTS: &[&Word] = &[&POINT];
