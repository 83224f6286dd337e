//! Curves with names, and scores that are written to keys.

use super::property::{Named, Plain, Property, Shape};
use super::utility::{
    AT, COMBINE, COMPENSATE, CURVES, EXPONENT, MID, OFFSET, SLOPE, STEEP, WEIGHT,
};
use super::{Block, Children, Special, Spot, Word, declarations::DOC, key_text};
use treemind_core::Kind;
use treemind_core::behaviour::{Combine, Scoring};

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[&RATE];

const NUMBER: Plain = Plain(Shape::Number);

static CURVE_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Curve)));
static FROM: Property<Plain> =
    Property::new("from", NUMBER, "the number at which it begins").without("`0`");
static TO: Property<Plain> =
    Property::new("to", NUMBER, "the number at which it ends").without("`1`");
static SHAPE: Property<Plain> =
    Property::new("shape", Plain(Shape::Words(&CURVES)), "the kind of curve").without("`linear`");

pub(super) static NAMED_CURVE: Word = Word::new(
    "curve",
    "A curve from 0 to 1 with a name, which expressions call like a function.",
)
.value(&CURVE_NAME, "its name: expressions call the curve by it")
.with(&[
    &FROM, &TO, &SHAPE, &SLOPE, &OFFSET, &EXPONENT, &MID, &STEEP, &AT, &DOC,
])
.block(Block::May(&[Spot::Points]));

static RATED: Property<Plain> = Property::value(Plain(Shape::WrittenKeyInBraces));

static RATE: Word = Word::new(
    "rate",
    "Writes a score to a key: how strongly something speaks for it, from 0 to 1.",
)
.value(
    &RATED,
    "the key: in braces; a `float` or a `double`, which is written",
)
.with(&[&COMBINE, &COMPENSATE, &WEIGHT])
.block(Block::Must(&[Spot::Considered, Spot::Score]))
.by(Children::None, Special::Rate, |kind, to| {
    let Kind::Rate { key, score } = kind else {
        return;
    };
    let key = key_text(to.behaviour(), *key);
    to.value(&format!("\"{{{key}}}\""));
    if let Scoring::Combined(combine, _) = &score.made {
        let is_compensated = *combine == (Combine::Product { compensated: true });
        let word = match combine {
            Combine::Product { .. } => Combine::Product { compensated: false },
            other => *other,
        };
        COMBINE.show(&word, to);
        if is_compensated {
            to.property(COMPENSATE.name, "#true");
        }
    }
    if let Some(weight) = &score.weight {
        to.property(WEIGHT.name, &to.number(weight));
    }
});
