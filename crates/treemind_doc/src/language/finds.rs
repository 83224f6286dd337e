//! `find`: the best of several candidates.

use super::forms::{Choice, Count};
use super::property::{Named, Plain, Property, Shape};
use super::special_nodes::DISABLED;
use super::utility::{COMBINE, COMPENSATE, POLICIES, WEIGHT};
use super::{Block, Children, Special, Spot, Word, key_text::key_text};
use crate::said;
use treemind_core::behaviour::{FindFrom, Policy};
use treemind_core::{Kind, Type};

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[&FIND];

/// How many candidates a `find` takes, and how many it looks at in a tick, where it does not say.
pub(crate) const USUAL_CANDIDATES: u32 = 64;

static ITEM: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Item)));
static IN: Property<Plain> = Property::new(
    "in",
    Plain(Shape::NamesOrKey(Named::Leaf)),
    "where the candidates come from: a leaf that lists them, or a list in braces",
)
.without("required");
static INTO: Property<Plain> = Property::new(
    "into",
    Plain(Shape::WrittenKeyInBraces),
    "the key that gets the best one, in braces; a list gets the best ones, as many as fit",
)
.without("required");
pub(crate) static MAX: Property<Count> = Property::new(
    "max",
    Count(|| said!("use at least 1")),
    "how many candidates it takes, up to 256: the first ones",
)
.without("`64`");
pub(crate) static PER_TICK: Property<Count> = Property::new(
    "per-tick",
    Count(|| said!("use at least 1")),
    "how many candidates it looks at in one tick",
)
.without("`64`");
pub(crate) static FOUND_POLICY: Property<Choice<Policy>> = Property::new(
    "policy",
    POLICIES,
    "which one is chosen: the one with the best score, one that is drawn in proportion to the scores, or one of the `top` best",
);
pub(crate) static FOUND_TOP: Property<Count> = Property::new(
    "top",
    Count(|| said!("use at least 1")),
    "from how many of the best candidates `policy=top` draws",
);

static FIND: Word = Word::new(
    "find",
    "Finds the best of several candidates, such as a place to hide, and writes it to a key.",
)
.value(
    &ITEM,
    "a name: of the key that holds a candidate, which only the block can use",
)
.with(&[&IN, &INTO, &MAX, &PER_TICK, &FOUND_POLICY, &FOUND_TOP])
.block(Block::May(&[Spot::Found, Spot::Given]))
.by(Children::None, Special::Find, |kind, to| {
    let Kind::Find(find) = kind else {
        return;
    };
    let behaviour = to.behaviour();
    let name = |key| key_text(behaviour, key).into_owned();
    let (item, into) = (name(find.item), name(find.into));
    let (from, leaf) = match &find.from {
        FindFrom::Leaf(leaf, args) => (to.name(&behaviour.leaf(*leaf).name), Some((*leaf, args))),
        FindFrom::List(list) => (format!("\"{{{}}}\"", name(*list)), None),
    };
    to.value(&item);
    to.property(IN.name, &from);
    if let Some((leaf, args)) = leaf {
        to.args(leaf, args);
    }
    to.property(INTO.name, &format!("\"{{{into}}}\""));
    let usual = |count: u32| Some(count).filter(|count| *count != USUAL_CANDIDATES);
    MAX.show(&usual(find.max), to);
    PER_TICK.show(&usual(find.per_tick), to);
    let top = match find.policy {
        Policy::Top(best) => Some(best),
        _ => None,
    };
    FOUND_POLICY.show(&top.map_or(find.policy, |_| Policy::Top(0)), to);
    FOUND_TOP.show(&top, to);
});

static KEPT: Property<Plain> = Property::value(Plain(Shape::Expr(Type::Bool)));
static KEEP: Word = Word::new(
    "keep",
    "what has to hold for a candidate of a `find`: all others are out",
)
.value(
    &KEPT,
    "the expression: of type `bool`, over the candidate and keys",
)
.with(&[&DISABLED]);

static FOUND_SCORE_VALUE: Property<Plain> = Property::value(Plain(Shape::Expr(Type::Double)));
static FOUND_SCORE: Word = Word::new(
    "score",
    "how good a candidate of a `find` is: an expression, or several things that are considered",
)
.value(&FOUND_SCORE_VALUE, "the expression: a number, of which the greatest is best; without it, the block has considerations")
.with(&[&COMBINE, &COMPENSATE, &WEIGHT])
.block(Block::May(&[Spot::Considered]));

pub(super) const FOUND: &[&Word] = &[&KEEP, &FOUND_SCORE];
