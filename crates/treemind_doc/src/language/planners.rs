//! The words of planners other than their steps.

use super::declarations::{DOC, MAILBOX};
use super::forms::{Choice, Count};
use super::property::{Named, Plain, Property, Shape};
use super::read::Show;
use super::special_nodes::DISABLED;
use super::utility::Hysteresis;
use super::{Block, Spot, Word};
use crate::said;
use treemind_core::behaviour::Replan;
use treemind_core::{Kind, Type};

static NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Planner)));
pub(crate) static REPLAN: Property<Choice<Replan>> = Property::new(
    "replan",
    Choice::new(&[("broken", Replan::Broken), ("changed", Replan::Changed)]),
    "when it looks for another plan: if the rest of the plan no longer works, or also if a fact has changed",
);
pub(crate) static HYSTERESIS: Property<Hysteresis> = Property::new(
    "hysteresis",
    Hysteresis,
    "by how much the score of another goal has to exceed that of the goal that is pursued; 0 or more",
);
pub(crate) static EVERY: Property<Count> = Property::new(
    "every",
    Count(|| said!("use at least 1, which lets it think in every tick")),
    "it thinks only in every so many ticks",
)
.without("`1`")
.seldom(&[], "It thinks in every tick.");
pub(crate) static SLICE: Property<Count> = Property::new(
    "slice",
    Count(|| said!("use at least 1: a search has to get on")),
    "how many situations a search looks at each time it thinks",
)
.without("`256`")
.seldom(&[], "Most searches end in the tick in which they begin.");
pub(crate) static MAX_EXPANSIONS: Property<Count> = Property::new(
    "max-expansions",
    Count(|| said!("use at least 1: a search looks at the present situation at least")),
    "how many situations a search looks at before it gives up, at most 65536",
)
.without("`4096`")
.seldom(&[], "It is enough for most planners.");
pub(crate) static MAX_STEPS: Property<Count> = Property::new(
    "max-steps",
    Count(|| said!("use at least 1: a plan has a step")),
    "how many steps a plan may have, at most 32",
)
.without("`16`")
.seldom(&[], "It is enough for most plans.");

pub(super) static PLANNER: Word = Word::new(
    "planner",
    "A planner: goals, and steps from which it makes plans.",
)
.seldom(
    &["tree"],
    "It says itself what comes first and what comes next.",
)
.value(&NAME, "its name: trees run the planner by it")
.with(&[
    &DOC,
    &REPLAN,
    &HYSTERESIS,
    &EVERY,
    &SLICE,
    &MAX_EXPANSIONS,
    &MAX_STEPS,
    &MAILBOX,
])
.block(Block::Must(&[
    Spot::Key,
    Spot::Port,
    Spot::Planner,
    Spot::Task,
]));

const TEST: Plain = Plain(Shape::Expr(Type::Bool));

static GOAL_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Goal)));
static WANTS: Property<Plain> = Property::new(
    "wants",
    TEST,
    "what shall hold; the planner finds the cheapest steps that lead there",
);
static DOES: Property<Plain> = Property::new(
    "does",
    Plain(Shape::Names(Named::PlanTask)),
    "the task that shall be done; its methods say how",
);
static OPEN: Property<Plain> = Property::new("when", TEST, "it is pursued only while this holds");
static SCORE: Property<Plain> = Property::new(
    "score",
    Plain(Shape::Expr(Type::Double)),
    "how much it matters; the goal with the best score is pursued",
)
.without("`1`");
static WEIGHT: Property<Plain> = Property::new(
    "weight",
    Plain(Shape::Expr(Type::Double)),
    "a factor of its score",
)
.seldom(&["score"], "A factor can stand in the score itself.");
static GOAL: Word = Word::new("goal", "what a planner may want")
    .value(
        &GOAL_NAME,
        "its name: shown in reasons; tests ask for it with `expect goal=NAME`",
    )
    .with(&[&WANTS, &DOES, &OPEN, &SCORE, &WEIGHT, &DOC, &DISABLED])
    .block(Block::May(&[Spot::Score]));

static TASK_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::PlanTask)));
static TASK: Word = Word::new("task", "something to do, with the ways to do it")
    .value(&TASK_NAME, "its name: goals and methods use the task by it")
    .with(&[&DOC, &DISABLED])
    .block(Block::Must(&[Spot::Method]));

static USED: Property<Plain> = Property::value(Plain(Shape::Names(Named::Planner)));
static USE: Word = Word::new("use", "takes the steps and tasks of another planner")
    .value(&USED, "the name: which planner")
    .with(&[&DISABLED]);

static ITEM: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Item)));
static OF: Property<Plain> = Property::new(
    "of",
    Plain(Shape::Key),
    "a key with an enumeration, whose values are taken, or a list, whose items at the start are taken",
)
.without("required");
static EACH: Word = Word::new(
    "each",
    "a step for each value of an enumeration, or each item of a list",
)
.seldom(&["action"], "Most planners name their steps one by one.")
.value(&ITEM, "a name: of the item, which only the block can use")
.with(&[&OF, &DISABLED])
.block(Block::Must(&[Spot::Task]));

pub(super) const PARTS: &[&Word] = &[&GOAL, &TASK, &USE, &EACH];

static NAMES: Property<Plain> = Property::value(Plain(Shape::AllNames(Named::Planned)));
static POSSIBLE: Property<Plain> =
    Property::new("when", TEST, "it is possible only when this holds");
static METHOD: Word = Word::new(
    "method",
    "a way to do a task: steps and tasks, one after the other",
)
.value(
    &NAMES,
    "the names: of steps and tasks, in their order; none if nothing is to be done",
)
.with(&[&POSSIBLE, &DOC, &DISABLED]);

pub(super) const METHODS: &[&Word] = &[&METHOD];

/// Whether a word occurs only in planners.
pub(crate) fn has(name: &str) -> bool {
    Spot::Planner.has(name) || Spot::Method.has(name)
}

/// Whether the nodes in the block of this word are steps of a planner.
#[cfg(feature = "edit")]
pub(crate) fn holds_steps(word: &str) -> bool {
    HOLD_STEPS.contains(&word)
}

/// The words in whose blocks the nodes are steps.
pub(super) static HOLD_STEPS: [&str; 2] = ["planner", EACH.name];

/// The options of a planner, which are read with what is in it.
pub(crate) fn options() -> [&'static str; 6] {
    [
        REPLAN.name,
        HYSTERESIS.name,
        EVERY.name,
        SLICE.name,
        MAX_EXPANSIONS.name,
        MAX_STEPS.name,
    ]
}

/// Writes the options of a planner.
pub(super) fn show(kind: &Kind, to: &mut (dyn Show + '_)) {
    let Kind::Planner(planner) = kind else {
        return;
    };
    let unless = |value: u32, usual: u32| (value != usual).then_some(value);
    REPLAN.show(&planner.replan, to);
    HYSTERESIS.show(&planner.hysteresis, to);
    EVERY.show(&unless(planner.every, 1), to);
    SLICE.show(&unless(planner.slice, 256), to);
    MAX_EXPANSIONS.show(&unless(planner.max_expansions, 4096), to);
    MAX_STEPS.show(&unless(planner.max_steps, 16), to);
}
