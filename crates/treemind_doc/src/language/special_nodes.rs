//! Nodes that contain or refer to something special: other definitions, cases, items of a list, their own keys.

use super::forms::{Choice, Flag};
use super::leaves::PARAMETERS;
use super::property::{Named, Plain, Property, Shape};
use super::{Block, Children, Special, Spot, Word};
use treemind_core::behaviour::Mode;
use treemind_core::{Kind, MAX_RUNS_PER_TICK, Status, Type};

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[
    &SUBTREE,
    &SUBTREE_BY,
    &SWITCH,
    &FOR_EACH,
    &SCOPE,
    &MACHINE,
    &DECIDE,
    &PLANNER,
];

static TREE: Property<Plain> = Property::value(Plain(Shape::Names(Named::Tree)));
static INHERIT: Property<Flag> = Property::new(
    "inherit",
    Flag,
    "names that are not ports refer to the caller's keys",
)
.seldom(&[], "It gets what it needs through its ports.");

static SEES: Property<Flag> = Property::new(
    "inherit",
    Flag,
    "names that are not ports refer to the caller's keys; without it a tree sees its own keys and the document's",
)
.seldom(&[], "It gets what it needs through its ports.");

static KEEPS_NAME: Property<Flag> = Property::new(
    "keeps-name",
    Flag,
    "the root of the tree is inserted as it is, without the name of this place",
)
.imported_only();

static SUBTREE: Word = Word::new(
    "subtree",
    "Runs another tree of the document in this place: write it once, use it wherever it fits.",
)
.value(&TREE, "the name: which tree")
.with(&[&SEES, &KEEPS_NAME])
.block(PARAMETERS)
// The outline shows its content in its place.
.by(Children::None, Special::Subtree, |_, _| {});

static MACHINE_NAME: Property<Plain> = Property::value(Plain(Shape::Names(Named::Machine)));

static MACHINE: Word = Word::new(
    "machine",
    "Runs a state machine of the document as a task, until it reaches one of its final states.",
)
.value(&MACHINE_NAME, "the name: which machine")
.with(&[&INHERIT])
.block(PARAMETERS)
.by(Children::None, Special::Machine, |kind, to| {
    if let Kind::Machine(machine) = kind
        && machine.mode == Mode::Statechart
    {
        super::MODE.show(&machine.mode, to);
    }
});

static DECISION: Property<Plain> = Property::value(Plain(Shape::Names(Named::Decision)));

static DECIDE: Word = Word::new("decide", "Runs a decision tree of the document as a task: its tests lead down to one thing to do, and are asked again in every tick.")
    .value(&DECISION, "the name: which decision tree")
    .with(&[&INHERIT])
    .block(PARAMETERS)
    .by(Children::None, Special::Decide, |_, _| {});

static PLANNER_NAME: Property<Plain> = Property::value(Plain(Shape::Names(Named::Planner)));

static PLANNER: Word = Word::new("planner", "Runs a planner of the document as a task: it chooses a goal, finds the steps that lead there, and carries them out.")
    .seldom(&["utility-selector", "selector"], "They choose among things to do that you have put in order; a planner finds the order by itself.")
    .value(&PLANNER_NAME, "the name: which planner")
    .with(&[&INHERIT])
    .block(PARAMETERS)
    .by(Children::None, Special::Planner, super::planners::show);

static CHOOSER: Property<Plain> = Property::value(Plain(Shape::KeyInBraces));
static OF: Property<Plain> = Property::new(
    "of",
    Plain(Shape::AllNames(Named::Tree)),
    "only these trees: `of=\"flee fight\"`",
)
.without("all");

static SUBTREE_BY: Word = Word::new("subtree-by", "Runs another tree of the document in this place; a key says which. The choice can be made elsewhere and written to the key.")
    .seldom(&["switch", "subtree"], "A `switch` with a `subtree` in each case says which value leads to which tree, and can give the tree arguments.")
    .value(&CHOOSER, "the key: in braces: `\"{plan}\"`; read at the start")
    .with(&[&OF])
    // The outline shows its cases on separate lines.
    .by(Children::None, Special::SubtreeBy, |_, _| {});

static ASKED: Property<Plain> = Property::value(Plain(Shape::Expr(Type::Any)));
static ONCE: Property<Flag> = Property::new(
    "once",
    Flag,
    "the choice is made at the start, and kept until the end",
);

static SWITCH_LEAVES_OPEN: Property<Flag> = Property::new(
    "leaves-open",
    Flag,
    "a child that is skipped in the middle of its run stays open",
)
.imported_only();

static SWITCH: Word = Word::new(
    "switch",
    "Chooses a child by a value: each child has a case.",
)
.value(
    &ASKED,
    "the expression: the value that the cases are compared with, of any type",
)
.with(&[&ONCE, &SWITCH_LEAVES_OPEN])
.by(Children::Cases, Special::Switch, |kind, to| {
    if let Kind::Switch {
        once, leaves_open, ..
    } = kind
    {
        ONCE.show(once, to);
        SWITCH_LEAVES_OPEN.show(leaves_open, to);
    }
});

const LITERAL: Plain = Plain(Shape::Literal);
const CHILD: Block = Block::Must(&[Spot::Task]);

pub(super) static CASE_VALUE: Property<Plain> = Property::value(LITERAL);
pub(super) static LEAST: Property<Plain> =
    Property::new("min", LITERAL, "the least value that it takes");
pub(super) static MOST: Property<Plain> =
    Property::new("max", LITERAL, "the greatest value that it takes");
pub(super) static DISABLED: Property<Flag> =
    Property::new("disabled", Flag, "As if it were not there.");

static CASE: Word = Word::new("case", "what a `switch` does at a value, or in a range")
    .value(&CASE_VALUE, "a value: of the type of what the `switch` asks; without one, `min=` and `max=` give a range")
    .with(&[&LEAST, &MOST, &DISABLED])
    .block(CHILD);
static DEFAULT: Word = Word::new(
    "default",
    "what a `switch` does when no `case` takes the value",
)
.with(&[&DISABLED])
.block(CHILD);

pub(super) const CASES: &[&Word] = &[&CASE, &DEFAULT];

static ITEM: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Item)));
static IN: Property<Plain> = Property::new(
    "in",
    Plain(Shape::KeyInBraces),
    "the list, in braces: `in=\"{spotted}\"`",
)
.without("required");
pub(crate) static IF_EMPTY: Property<Choice<Status>> = Property::new(
    "if-empty",
    Choice::new(&[
        ("success", Status::Success),
        ("failure", Status::Failure),
        ("skipped", Status::Skipped),
    ]),
    "the answer when there is no item at the start: `success`, `failure` or `skipped`",
);
static MAX_RUNS: Property<Plain> = Property::new(
    "max-runs",
    Plain(Shape::Number),
    "after this many runs in one tick it answers running, with a fault, and continues in the next tick; the same happens when all loops of the agent together have gone back 100 000 times in the tick",
)
.without("`1000`");

static FOR_EACH: Word = Word::new("for-each", "Runs its child for each item of a list.")
    .value(&ITEM, "a name: of the key that holds the item: either an existing key of the type of the items, or a new one, which only the nodes below can use")
    .with(&[&IN, &IF_EMPTY, &MAX_RUNS])
    .by(Children::One, Special::ForEach, |kind, to| {
        if let Kind::ForEach {
            var,
            list,
            if_empty,
            max_runs,
        } = kind
        {
            let of = to.behaviour();
            let (var, list) = (of.key(*var).name.clone(), of.key(*list).name.clone());
            to.value(&var);
            to.property(IN.name, &format!("\"{{{list}}}\""));
            IF_EMPTY.show(if_empty, to);
            if *max_runs != MAX_RUNS_PER_TICK {
                to.property(MAX_RUNS.name, &max_runs.to_string());
            }
        }
    });

static SCOPE: Word = Word::new(
    "scope",
    "Gives its child keys of its own, which start at their defaults in each run.",
)
.seldom(&["key"], "In front of the root of a tree, it also declares a key of that tree alone, but one that keeps its value from run to run.")
.block(Block::Must(&[Spot::Key, Spot::Task, Spot::Score]))
.by(Children::One, Special::Scope, |kind, to| {
    if let Kind::Scope { keys } = kind {
        for key in keys {
            let name = to.name(&to.behaviour().key(*key).name);
            to.value(&name);
        }
    }
});
