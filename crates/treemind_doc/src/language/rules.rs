//! `rules`: what a character says and notes when something comes to hold.

use super::forms::{Choice, Flag, MoreSeconds};
use super::property::{Named, Plain, Property, Shape};
use super::special_nodes::DISABLED;
use super::{Block, Children, Special, Spot, Word};
use treemind_core::{Kind, Type};

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[&RULES];

/// Whether a pass ends at the first rule that fires.
pub(crate) static FIRE: Property<Choice<bool>> = Property::new(
    "fire",
    Choice::new(&[("all", false), ("first", true)]),
    "`first`: no other rule is looked at after one that has fired",
);

static RULES: Word = Word::new(
    "rules",
    "Does something at once whenever something comes to hold: for remarks and notes, beside what the character does.",
)
.with(&[&FIRE])
.block(Block::Must(&[Spot::Rule, Spot::Score]))
.by(Children::Cases, Special::Rules, |kind, to| {
    if let Kind::Rules { first, .. } = kind {
        FIRE.show(first, to);
    }
});

static RULE_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Rule)));
static WHEN: Property<Plain> = Property::new(
    "when",
    Plain(Shape::Expr(Type::Bool)),
    "an expression: the rule fires when it begins to hold",
)
.without("required");
static PRIORITY: Property<Plain> = Property::new(
    "priority",
    Plain(Shape::Number),
    "rules with a higher number come first; of equals, those that are written first",
)
.without("`0`");
pub(crate) static COOLDOWN: Property<MoreSeconds> = Property::new(
    "cooldown",
    MoreSeconds,
    "for so many seconds after it has fired, it does not fire again",
);
pub(crate) static AGAIN: Property<Flag> = Property::new(
    "again",
    Flag,
    "it fires again while its `when` goes on to hold",
);

static RULE: Word = Word::new("rule", "what `rules` do when something comes to hold")
    .value(
        &RULE_NAME,
        "its name: shown in traces and reasons; tests ask for it with `expect fired=NAME`",
    )
    .with(&[&WHEN, &PRIORITY, &COOLDOWN, &AGAIN, &DISABLED])
    .block(Block::Must(&[Spot::Task]));

pub(super) const RULE_BLOCK: &[&Word] = &[&RULE];
