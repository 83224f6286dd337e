//! The properties that every node of a tree may have.

use super::forms::{Choice, Flag};
use super::property::{AnyProperty, Named, Plain, Property, Shape};
use treemind_core::{Status, Type};

/// What a `when` aborts when its answer changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aborts {
    None,
    /// When it begins to hold, it aborts a later child.
    Lower,
    /// It also aborts its own node when it no longer holds.
    Both,
}

static NAME: Property<Plain> = Property::new(
    "name",
    Plain(Shape::Declares(Named::Node)),
    "Shown in tools and traces; unique among its siblings.",
)
.first_day();
static DOC: Property<Plain> = Property::new(
    "doc",
    Plain(Shape::Text),
    "What it is for, in a sentence for people.",
)
.first_day();
static DISABLED: Property<Flag> = Property::new("disabled", Flag, "As if it were not there.");
static ALLOW: Property<Plain> = Property::new(
    "allow",
    Plain(Shape::Text),
    "Codes of warnings, separated by spaces, that are not reported for this node and the nodes in it.",
)
.seldom(&[], "The help of a warning says what to change.");

/// General properties of any node.
const PLAIN: &[&dyn AnyProperty] = &[&NAME, &DOC, &DISABLED, &ALLOW];

const TEST: Plain = Plain(Shape::Expr(Type::Bool));
const HOOK: Plain = Plain(Shape::Statements(&[]));

static FAIL_IF: Property<Plain> = Property::new(
    "fail-if",
    TEST,
    "An expression: if it holds when the node is about to start, the answer is failure.",
)
.seldom(
    &["when"],
    "It says the opposite: what must hold for the node to start.",
);
static SUCCEED_IF: Property<Plain> = Property::new(
    "succeed-if",
    TEST,
    "An expression: if it holds when the node is about to start, the answer is success.",
)
.seldom(
    &["when"],
    "The node fails when it does not hold, and cannot succeed without a run.",
);
static SKIP_IF: Property<Plain> = Property::new(
    "skip-if",
    TEST,
    "An expression: if it holds when the node is about to start, it is as if the node were not there.",
)
.seldom(&["when"], "The node fails when it does not hold; a `selector` goes on to its next child either way.");
static WHEN: Property<Plain> = Property::new(
    "when",
    TEST,
    "An expression: if it does not hold when the node is about to start, the answer is failure.",
);
static WHILE: Property<Plain> = Property::new(
    "while",
    TEST,
    "An expression, evaluated in every tick: if it does not hold, the node is aborted and gives the answer of `while-else`.",
);
pub(crate) static WHILE_ELSE: Property<Choice<Status>> = Property::new(
    "while-else",
    Choice::new(&[
        ("skipped", Status::Skipped),
        ("failure", Status::Failure),
        ("success", Status::Success),
    ]),
    "The answer of a node whose `while` does not hold.",
)
.seldom(&["while"], "By itself, it has the node skipped.");
pub(crate) static ABORTS: Property<Choice<Aborts>> = Property::new(
    "aborts",
    Choice::new(&[
        ("none", Aborts::None),
        ("lower", Aborts::Lower),
        ("both", Aborts::Both),
    ]),
    "Whether its `when` takes over from a lower sibling (`lower`), and also ends the node itself (`both`).",
)
.below(&["selector"])
.seldom(&["reactive-selector"], "It asks its children from the first in every tick, without a word on each of them.");
static ON_SUCCESS: Property<Plain> = Property::new("on-success", HOOK, "Statements after success.");
static ON_FAILURE: Property<Plain> = Property::new("on-failure", HOOK, "Statements after failure.");
static ON_ABORT: Property<Plain> = Property::new(
    "on-abort",
    HOOK,
    "Statements when the node is cut off in the middle of a run.",
);
static ON_END: Property<Plain> =
    Property::new("on-end", HOOK, "Statements after success or failure.");

static ON_FAULT: Property<Plain> = Property::new(
    "on-fault",
    Plain(Shape::WrittenKeyInBraces),
    "A key in braces, of type `string`: what went wrong in this node or below it, as a word such as `unset` or `overflow`.",
);

/// Tests before any node, and statements after it.
pub(super) const GUARDS_AND_HOOKS: &[&dyn AnyProperty] = &[
    &FAIL_IF,
    &SUCCEED_IF,
    &SKIP_IF,
    &WHEN,
    &WHILE,
    &WHILE_ELSE,
    &ABORTS,
    &ON_SUCCESS,
    &ON_FAILURE,
    &ON_ABORT,
    &ON_END,
    &ON_FAULT,
];

static WEIGHT: Property<Plain> = Property::new(
    "weight",
    Plain(Shape::Expr(Type::Double)),
    "Under a `weighted-selector`, its share of the draws; under a `utility-selector`, a factor of its score.",
)
.below(&["weighted-selector", "utility-selector"]);
static SCORE: Property<Plain> = Property::new(
    "score",
    Plain(Shape::Expr(Type::Double)),
    "Under a `utility-selector`: an expression for the score of this child.",
)
.below(&["utility-selector"]);

pub(crate) static GIVES: Property<Plain> = Property::new(
    "gives",
    HOOK,
    "In a planner: statements about what this step achieves. They are for plans only, and are never carried out.",
)
.below(&super::planners::HOLD_STEPS);
pub(crate) static COST: Property<Plain> = Property::new(
    "cost",
    Plain(Shape::Expr(Type::Double)),
    "In a planner: an expression for what this step costs; 1 without it.",
)
.below(&super::planners::HOLD_STEPS);

/// Properties of a node that have a meaning only under some parents.
pub(crate) const PLACED: &[&dyn AnyProperty] = &[&WEIGHT, &SCORE, &GIVES, &COST];

/// All these properties.
pub(crate) const ALL: [&[&dyn AnyProperty]; 3] = [PLAIN, GUARDS_AND_HOOKS, PLACED];

/// A property that every node may have.
pub(crate) fn common(name: &str) -> Option<&'static dyn AnyProperty> {
    let all = ALL.into_iter().flatten();
    all.copied().find(|one| one.name() == name)
}

/// Whether a node below this word may have a property that every node may have in the right place.
#[cfg(feature = "edit")]
pub(crate) fn is_read_below(parent: &str, name: &str) -> bool {
    common(name).is_none_or(|row| row.below().is_empty() || row.below().contains(&parent))
}

/// Whether a property with this name belongs to the node itself, whatever the node is, and is never a parameter.
pub(crate) fn is_common_property(name: &str) -> bool {
    common(name).is_some()
}

/// The properties that every node may have in any place.
pub(crate) fn of_all_tasks<'a>() -> impl Iterator<Item = &'a str> + Clone {
    let all = PLAIN.iter().chain(GUARDS_AND_HOOKS);
    all.map(|one| -> &'a str { one.name() })
}

pub(crate) fn is_guard_or_hook(name: &str) -> bool {
    GUARDS_AND_HOOKS.iter().any(|one| one.name() == name)
}
