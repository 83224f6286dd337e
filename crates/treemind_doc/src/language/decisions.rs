//! The words of decision trees other than tasks.

use super::forms::Count;
use super::leaves::NEGATED;
use super::property::{Named, Plain, Property, Shape};
use super::special_nodes::{CASE_VALUE, DISABLED, LEAST, MOST};
use super::{Block, Spot, Word};
use crate::said;
use treemind_core::Type;

/// The places of a list, whose lines continue one another.
const LINES: &[Spot] = &[Spot::Decision, Spot::DecidedState, Spot::Task];

/// The block of a definition.
pub(super) const LIST: Block = Block::Must(&[
    Spot::Key,
    Spot::Port,
    Spot::Branch,
    Spot::Decision,
    Spot::DecidedState,
    Spot::Task,
]);
const INNER: Block = Block::Must(LINES);
const TWO_SIDES: Block = Block::Must(&[Spot::Side, Spot::Decision, Spot::DecidedState, Spot::Task]);

const LEAF: Plain = Plain(Shape::Names(Named::Leaf));

static TESTED: Property<Plain> = Property::value(Plain(Shape::Expr(Type::Bool)));
static TEST: Word = Word::new("test", "asks an expression")
    .value(&TESTED, "the expression: of type `bool`")
    .with(&[&DISABLED])
    .block(TWO_SIDES);

static SUBJECT: Property<Plain> = Property::value(Plain(Shape::Expr(Type::Any)));
static RANGE: Word = Word::new("range", "asks whether a value is between two numbers")
    .seldom(
        &["test"],
        "It compares in an expression: `test \"x in 1..=3\"`.",
    )
    .value(&SUBJECT, "the expression: the number whose range decides")
    .with(&[&LEAST, &MOST, &DISABLED])
    .block(TWO_SIDES);

static ASKED: Property<Plain> = Property::value(LEAF);
static NAME: Property<Plain> = Property::new(
    "name",
    Plain(Shape::Declares(Named::Node)),
    "Shown in tools and traces; unique among its siblings.",
);
static ASK: Word = Word::new("test-condition", "asks a condition of the game")
    .value(&ASKED, "the name: of a condition in `leaves`")
    .with(&[&NEGATED, &NAME, &super::declarations::DOC, &DISABLED])
    .block(Block::Must(&[
        Spot::Side,
        Spot::Given,
        Spot::Decision,
        Spot::DecidedState,
        Spot::Task,
    ]));

static SWITCH: Word = Word::new("switch", "chooses by a value")
    .value(
        &SUBJECT,
        "the expression: the value that the cases are compared with",
    )
    .with(&[&DISABLED])
    .block(Block::Must(&[Spot::DecisionCase]));

static SECONDS: Property<Plain> = Property::new(
    "timeout",
    Plain(Shape::Expr(Type::Double)),
    "for how many seconds a draw is kept",
)
.without("always");
pub(crate) static TIMEOUT_TICKS: Property<Count> = Property::new(
    "timeout-ticks",
    Count(|| said!("use at least 1, which draws in every tick")),
    "for how many ticks a draw is kept",
)
.without("always");
static RANDOM: Word = Word::new("random", "draws one of its options")
    .with(&[&SECONDS, &TIMEOUT_TICKS, &DISABLED])
    .block(Block::Must(&[Spot::Option]));

static HYSTERESIS: Property<Plain> = Property::new(
    "hysteresis",
    Plain(Shape::Expr(Type::Double)),
    "by how much another score must exceed that of a state that is active",
)
.without("`0`");
static BEST: Word = Word::new("best", "leads to the state with the highest score")
    .seldom(
        &["test"],
        "A test has a reason that can be read; scores weigh many reasons against each other.",
    )
    .with(&[&HYSTERESIS, &DISABLED])
    .block(Block::Must(&[Spot::Option]));

static GOAL: Property<Plain> = Property::value(Plain(Shape::Names(Named::Branch)));
static GOTO: Word = Word::new("goto", "leads to a branch")
    .value(&GOAL, "the name: which branch")
    .with(&[&DISABLED]);

static NONE: Word = Word::new("none", "leads to nothing").with(&[&DISABLED]);

pub(super) const DECISION: &[&Word] = &[&TEST, &RANGE, &ASK, &SWITCH, &RANDOM, &BEST, &GOTO, &NONE];

static BRANCH_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Branch)));
static BRANCH: Word = Word::new("branch", "a part that `goto` leads to")
    .value(&BRANCH_NAME, "its name: `goto` leads there by it")
    .with(&[&DISABLED])
    .block(INNER);

pub(super) const BRANCHES: &[&Word] = &[&BRANCH];

static YES: Word = Word::new("yes", "where a test leads if it holds")
    .with(&[&DISABLED])
    .block(INNER);
static NO: Word = Word::new("no", "where a test leads if it does not hold")
    .with(&[&DISABLED])
    .block(INNER);

pub(super) const SIDES: &[&Word] = &[&YES, &NO];

static CASE: Word = Word::new("case", "where a `switch` leads at a value, or in a range")
    .value(&CASE_VALUE, "a value: of the type of what the `switch` asks; without one, `min=` and `max=` give a range")
    .with(&[&LEAST, &MOST, &DISABLED])
    .block(INNER);
static DEFAULT: Word = Word::new(
    "default",
    "where a `switch` leads when no `case` takes the value",
)
.with(&[&DISABLED])
.block(INNER);

pub(super) const CASES: &[&Word] = &[&CASE, &DEFAULT];

static SHARE: Property<Plain> = Property::value(Plain(Shape::Expr(Type::Double)));
static OPTION: Word = Word::new(
    "option",
    "an option, with its weight in a draw, or its score in a `best`",
)
.value(
    &SHARE,
    "a number or an expression: its weight in a draw, or its score",
)
.with(&[&DISABLED])
.block(INNER);

pub(super) const OPTIONS: &[&Word] = &[&OPTION];

static STATES_NAMED: Property<Plain> = Property::value(Plain(Shape::AllNames(Named::State)));
static STATE: Word = Word::new("state", "the state that a transition leads to")
    .seldom(
        &["transition"],
        "For a few states, a transition for each, with its own `when=`, is easier to follow.",
    )
    .value(
        &STATES_NAMED,
        "the names: of the states that the transition leads to",
    )
    .with(&[&DISABLED])
    .block(Block::May(&[Spot::Task]));

pub(super) const STATES: &[&Word] = &[&STATE];

/// The places of the words of decision trees.
const OWN: [Spot; 5] = [
    Spot::Decision,
    Spot::Branch,
    Spot::Side,
    Spot::Option,
    Spot::DecisionCase,
];

/// The words that occur only in decision trees, except `switch`.
pub(crate) fn words<'a>() -> impl Iterator<Item = &'a str> + Clone {
    let own = OWN.into_iter().filter(|spot| *spot != Spot::DecisionCase);
    own.flat_map(Spot::names)
}

/// Whether a word of a decision tree is a list, or contains lists: nodes below it also belong to the decision tree.
pub(crate) fn is_list(name: &str) -> bool {
    let found = super::find(&OWN, name);
    found.is_some_and(|word| !word.holds().is_empty())
}
