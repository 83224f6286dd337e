//! The words of state machines.

use super::declarations::DOC;
use super::forms::{Choice, Flag};
use super::leaves;
use super::property::{Named, Plain, Property, Shape};
use super::special_nodes::DISABLED;
use super::{Block, Spot, Word};
use treemind_core::Type;
use treemind_core::behaviour::{Depth, DoneWith, Mode};

pub(crate) static MODE: Property<Choice<Mode>> = Property::new(
    "mode",
    Choice::new(&[("alarm", Mode::Alarm), ("statechart", Mode::Statechart)]),
    "how events are taken",
)
.seldom(
    &[],
    "The outermost transition comes first, and a tick takes one step.",
);

pub(super) const IN_MACHINE: Block = Block::Must(&[Spot::Key, Spot::Port, Spot::State]);
const IN_STATE: Block = Block::May(&[Spot::State]);

static STATE_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::State)));
static FINAL: Property<Flag> = Property::new("final", Flag, "nothing leads out of it");
pub(crate) static RESULT: Property<Choice<bool>> = Property::new(
    "result",
    Choice::new(&[("success", true), ("failure", false)]),
    "what the machine answers when it ends there",
);
static ENTER_IF: Property<Plain> = Property::new(
    "enter-if",
    Plain(Shape::Expr(Type::Bool)),
    "when it does not hold, transitions to it are not taken",
)
.seldom(&["when"], "It stands on each transition to the state.");

static STATE: Word = Word::new("state", "a state")
    .value(&STATE_NAME, "its name: transitions lead there by it")
    .with(&[&FINAL, &RESULT, &ENTER_IF, &DOC, &DISABLED])
    .block(IN_STATE);
static PARALLEL: Word = Word::new("parallel", "a state whose states are all active")
    .seldom(
        &["state"],
        "Only one of the states in it is active at a time.",
    )
    .value(&STATE_NAME, "its name: transitions lead there by it")
    .with(&[&ENTER_IF, &DOC, &DISABLED])
    .block(IN_STATE);

static TARGETS: Property<Plain> = Property::value(Plain(Shape::AllNames(Named::State)));
const DEPTHS: Choice<Depth> = Choice::new(&[("shallow", Depth::Shallow), ("deep", Depth::Deep)]);
pub(crate) static HISTORY: Property<Choice<Depth>> =
    Property::new("history", DEPTHS, "it goes back to where it was").without("none");
static INITIAL: Word = Word::new("initial", "the initial state")
    .value(
        &TARGETS,
        "the name: of the state that is entered first; one for each region",
    )
    .with(&[&HISTORY]);

const TASKS: Block = Block::Must(&[Spot::Task]);

static ENTRY: Word = Word::new("entry", "tasks carried out when the state is entered")
    .with(&[&DISABLED])
    .block(TASKS);
static EXIT: Word = Word::new("exit", "tasks carried out when the state is left")
    .with(&[&DISABLED])
    .block(TASKS);
static DO: Word = Word::new("do", "the activity of the state")
    .with(&[&DISABLED])
    .block(TASKS);

static TO: Property<Plain> =
    Property::new("to", Plain(Shape::AllNames(Named::State)), "where it leads");
static WHEN: Property<Plain> = Property::new(
    "when",
    Plain(Shape::Expr(Type::Bool)),
    "it is taken only while this holds",
);
static ON: Property<Plain> = Property::new(
    "on",
    Plain(Shape::AllNames(Named::Event)),
    "the event that it waits for",
);
static AFTER: Property<Plain> = Property::new(
    "after",
    Plain(Shape::Expr(Type::Double)),
    "how many seconds after the state was entered it is taken",
);
pub(crate) static DONE: Property<Choice<DoneWith>> = Property::new(
    "done",
    Choice::new(&[
        ("any", DoneWith::Any),
        ("success", DoneWith::Success),
        ("failure", DoneWith::Failure),
    ]),
    "it is taken when the activity of the state has ended with this result",
)
.without("none");
static PRIORITY: Property<Plain> = Property::new(
    "priority",
    Plain(Shape::Number),
    "the transition with the greatest number is taken",
)
.seldom(
    &[],
    "The outer state comes first, then the order of the text.",
)
.without("`0`");
pub(crate) static KIND: Property<Choice<bool>> = Property::new(
    "kind",
    Choice::new(&[("external", false), ("local", true)]),
    "`local`: it does not leave its own state",
)
.seldom(
    &[],
    "A transition to a state inside its own state leaves that state, and enters it again.",
);
static REENTER: Property<Flag> = Property::new(
    "reenter",
    Flag,
    "active states that it leads to are entered again",
)
.seldom(&[], "A state that is active already is not entered again.");
static PUSH: Property<Plain> = Property::new(
    "push",
    Plain(Shape::AllNames(Named::State)),
    "where it leads; where it was is remembered",
);
static POP: Property<Flag> = Property::new("pop", Flag, "it goes back to where it was");
static DECIDES: Property<Plain> = Property::new(
    "decide",
    Plain(Shape::Names(Named::Decision)),
    "the decision tree that says where it leads",
)
.seldom(&["to"], "It names the state itself.");
static TRANSITION: Word = Word::new("transition", "a transition from one state to another")
    .with(&[
        &TO, &WHEN, &ON, &AFTER, &DONE, &PRIORITY, &KIND, &REENTER, &HISTORY, &PUSH, &POP,
        &DECIDES, &DOC, &DISABLED,
    ])
    .block(Block::May(&[Spot::Transition, Spot::Task]));

static DEFERRED: Property<Plain> = Property::value(Plain(Shape::AllNames(Named::Event)));
static DEFER: Word = Word::new("defer", "events that wait")
    .seldom(
        &["transition"],
        "A transition on the event takes it at once; an event that no transition takes is gone.",
    )
    .value(
        &DEFERRED,
        "the events: kept until a state is entered that does not defer them",
    );

pub(super) const STATE_BLOCK: &[&Word] = &[
    &INITIAL,
    &STATE,
    &PARALLEL,
    &ENTRY,
    &EXIT,
    &DO,
    &TRANSITION,
    &DEFER,
];

const TESTS: Block = Block::Must(&[Spot::When]);

static CONDITIONS: Word = Word::new(
    "when",
    "conditions that must hold in addition to those on the line",
)
.block(TESTS);

pub(super) const TRANSITION_BLOCK: &[&Word] = &[&CONDITIONS];

static ALL: Word = Word::new("all", "holds if all its conditions hold")
    .seldom(&["when"], "All the conditions in the block must hold, and the expression of `when=` on the line may have `&&`, `||` and `!`.").block(TESTS);
static ANY: Word = Word::new("any", "holds if one of its conditions holds")
    .seldom(&["when"], "All the conditions in the block must hold, and the expression of `when=` on the line may have `&&`, `||` and `!`.").block(TESTS);
static NOT: Word = Word::new("not", "holds if its condition does not hold")
    .seldom(&["when"], "All the conditions in the block must hold, and the expression of `when=` on the line may have `&&`, `||` and `!`.").block(TESTS);

pub(super) const WHEN_BLOCK: &[&Word] = &[&leaves::CONDITION, &leaves::CHECK, &ALL, &ANY, &NOT];
