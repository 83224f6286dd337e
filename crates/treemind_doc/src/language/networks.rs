//! Small neural networks, and nodes that run them.

use super::leaves::PARAMETERS;
use super::property::{Named, Plain, Property, Shape};
use super::{Block, Children, Special, Spot, Word, declarations::DOC, key_text};
use treemind_core::{Kind, Type};

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[&POLICY];

static NETWORK_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Network)));
static FROM: Property<Plain> = Property::new(
    "from",
    Plain(Shape::Text),
    "the file with its weights, relative to this one",
)
.without("required");

pub(super) static NETWORK: Word = Word::new(
    "network",
    "A small neural network, whose weights are in a file; a `policy` runs it.",
)
.seldom(
    &["decide", "utility-selector"],
    "They are written and read by people; a network is trained elsewhere.",
)
.value(&NETWORK_NAME, "its name: a `policy` runs the network by it")
.with(&[&FROM, &DOC])
.block(Block::Must(&[Spot::Network]));

static INPUT_EXPR: Property<Plain> = Property::value(Plain(Shape::Expr(Type::Double)));
static INPUT: Word = Word::new("in", "what an input of a network is: an expression").value(
    &INPUT_EXPR,
    "the expression: a number, as the network was trained with it",
);
static OUTPUT_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Output)));
static OUTPUT: Word = Word::new("out", "the name of an output of a network").value(
    &OUTPUT_NAME,
    "its name: a `policy` writes the output to a key by it",
);

pub(super) const PARTS: &[&Word] = &[&INPUT, &OUTPUT];

static RUN: Property<Plain> = Property::value(Plain(Shape::Names(Named::Network)));

static POLICY: Word = Word::new(
    "policy",
    "Runs a small neural network, and writes what comes out of it to keys.",
)
.seldom(
    &["rate", "utility-selector"],
    "They weigh reasons that you write down; a network has learned them elsewhere.",
)
.value(&RUN, "the name: which network")
.block(PARAMETERS)
.by(Children::None, Special::Policy, |kind, to| {
    let Kind::Policy(policy) = kind else {
        return;
    };
    let name = to.name(policy.network.name());
    to.value(&name);
    for (output, key) in &policy.outputs {
        let key = key_text(to.behaviour(), *key);
        let name = to.name(&policy.network.outputs()[*output]);
        to.property(&name, &format!("\"{{{key}}}\""));
    }
});
