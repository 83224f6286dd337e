//! Tests of a document: what happens to an agent, and what is expected of it.

use super::declarations::{DOC, RUNS_DECISION, RUNS_MACHINE, RUNS_PLANNER, RUNS_TREE};
use super::forms::Choice;
use super::property::{Named, Plain, Property, Shape};
use super::{Block, Spot, Word};
use crate::{Said, said};
use treemind_core::{Outcome, Status, Type};

const NUMBER: Plain = Plain(Shape::Number);
const TRACED: Plain = Plain(Shape::AllNames(Named::Traced));
const GOALS: Plain = Plain(Shape::AllNames(Named::Goal));
const TEST_EXPRESSION: Plain = Plain(Shape::Expr(Type::Bool));

static NAME: Property<Plain> = Property::value(Plain(Shape::Text));
static RUNS_ARCHETYPE: Property<Plain> = Property::new(
    "archetype",
    Plain(Shape::Names(Named::Archetype)),
    "the archetype that runs",
);
static STEP_TIME: Property<Plain> =
    Property::new("dt", NUMBER, "the time between two ticks, in seconds").without("`0.1`");
static SEED: Property<Plain> =
    Property::new("seed", NUMBER, "the seed of all random numbers").without("`0`");

static AS_PLANNED: Property<Plain> = Property::new(
    "as-planned",
    Plain(Shape::Flag),
    "when a step of a planner succeeds, what it gives is written, so that a plan can be played without a game",
)
.seldom(&[], "The test says with `given` what steps achieve.");

pub(super) static TEST: Word = Word::new("test", "A test of the document.")
    .value(&NAME, "its name: a sentence that says what it shows")
    .with(&[
        &RUNS_TREE,
        &RUNS_MACHINE,
        &RUNS_DECISION,
        &RUNS_PLANNER,
        &RUNS_ARCHETYPE,
        &STEP_TIME,
        &SEED,
        &AS_PLANNED,
        &DOC,
    ])
    .block(Block::Must(&[Spot::Test]));

/// How scripts and tests write the answers of leaves.
pub(crate) const ANSWER: Choice<Status> = Choice::new(&[
    ("S", Status::Success),
    ("F", Status::Failure),
    ("R", Status::Running),
    ("K", Status::Skipped),
]);

/// What to write in place of something that is no answer.
pub(crate) fn answers_help() -> Said {
    said!("use S (success), F (failure), R (running) or K (skipped), separated by spaces")
}

static NAMES: Property<Plain> = Property::value(TRACED);
static ANSWERS: Property<Plain> = Property::new(
    "answers",
    Plain(Shape::Text),
    "its answers, one per call; the last one repeats",
);
static ITEMS: Property<Plain> = Property::new(
    "items",
    Plain(Shape::Text),
    "what a leaf of the kind `candidates` lists: `items=\"0,0 3,4\"`",
);
static VALUES: Property<Plain> = Property::new(
    "values",
    Plain(Shape::Text),
    "the numbers of a measure, one for each candidate: `values=\"0.2 0.9\"`; the last one repeats",
);
static EACH_RUN: Property<Plain> = Property::new(
    "each-run",
    Plain(Shape::Flag),
    "the answers begin anew when a run has ended: after success, failure or skipped, or when it was aborted",
);

// The words of guards and hooks, for what a leaf answers by itself.
static FAIL_IF: Property<Plain> = Property::new(
    "fail-if",
    TEST_EXPRESSION,
    "an expression: if it holds when the last answer is due, the answer is failure",
);
static SUCCEED_IF: Property<Plain> = Property::new(
    "succeed-if",
    TEST_EXPRESSION,
    "an expression: if it holds when the last answer is due, the answer is success",
);
static SKIP_IF: Property<Plain> = Property::new(
    "skip-if",
    TEST_EXPRESSION,
    "an expression: if it holds when the last answer is due, the answer is skipped",
);
const STATEMENTS: Plain = Plain(Shape::Statements(&[]));
static ON_SUCCESS: Property<Plain> = Property::new(
    "on-success",
    STATEMENTS,
    "statements that the leaf carries out as it answers success",
);
static ON_FAILURE: Property<Plain> = Property::new(
    "on-failure",
    STATEMENTS,
    "statements that the leaf carries out as it answers failure",
);
static ON_END: Property<Plain> = Property::new(
    "on-end",
    STATEMENTS,
    "statements that the leaf carries out as it answers success or failure, after those",
);

/// The conditions of a leaf in a test, in the order in which they are asked, with their answers.
pub(crate) const ANSWERED_IF: [(&str, Status); 3] = [
    ("fail-if", Status::Failure),
    ("succeed-if", Status::Success),
    ("skip-if", Status::Skipped),
];
/// The statements of a leaf in a test, with the answers after which they are carried out.
pub(crate) const CARRIED_OUT: [(&str, &[Status]); 3] = [
    ("on-success", &[Status::Success]),
    ("on-failure", &[Status::Failure]),
    ("on-end", &[Status::Success, Status::Failure]),
];

/// The words of a leaf in a test for what depends on keys.
pub(crate) fn by_keys() -> impl Iterator<Item = &'static str> {
    let conditions = ANSWERED_IF.iter().map(|(name, _)| *name);
    conditions.chain(CARRIED_OUT.iter().map(|(name, _)| *name))
}

static LEAF: Word = Word::new("leaf", "how conditions and actions answer from now on")
    .value(&NAMES, "the names: of leaves, or the `name=` of nodes")
    .with(&[
        &ANSWERS,
        &EACH_RUN,
        &FAIL_IF,
        &SUCCEED_IF,
        &SKIP_IF,
        &ON_SUCCESS,
        &ON_FAILURE,
        &ON_END,
        &ITEMS,
        &VALUES,
    ]);

/// Its properties are keys.
static GIVEN: Word = Word::new("given", "the values of keys from now on");

static LIST: Property<Plain> = Property::value(Plain(Shape::Key));
static GIVEN_LIST: Word = Word::new(
    "given-list",
    "the items of a list from now on, after its name",
)
.seldom(&["given"], "It sets keys that hold one value.")
.value(&LIST, "the key: its name; the items stand behind it");

static EVENT: Property<Plain> = Property::value(Plain(Shape::Names(Named::Event)));
static SEND: Word = Word::new("send", "an event that the game sends")
    .value(&EVENT, "the event: declared in `leaves`");

pub(crate) static RESULT: Property<Choice<Option<bool>>> = Property::new(
    "result",
    Choice::or(&[("success", Some(true)), ("failure", Some(false))], None),
    "how it ended",
);
static REPORT: Word = Word::new("report", "an action with `reports=#true` ends")
    .seldom(
        &["leaf"],
        "It says what an action answers when it is ticked, not that it ends between two ticks.",
    )
    .value(&NAMES, "the names: of actions with `reports=#true`")
    .with(&[&RESULT]);

static TIMES: Property<Plain> = Property::value(NUMBER);
static TICK: Word = Word::new("tick", "ticks that pass")
    .value(&TIMES, "the number: how many ticks; one without it")
    .with(&[&STEP_TIME]);

static ABORT: Word = Word::new("abort", "the game aborts the agent").seldom(
    &["given", "leaf"],
    "They change what the agent finds, so that it gives up by itself.",
);

/// The words for the answer of the root.
pub(crate) const STATUSES: Choice<Option<Status>> = Choice::or(
    &[
        ("success", Some(Status::Success)),
        ("failure", Some(Status::Failure)),
        ("running", Some(Status::Running)),
        ("skipped", Some(Status::Skipped)),
    ],
    None,
);
static STATUS: Property<Choice<Option<Status>>> = Property::value(STATUSES);
static ACTIVE: Property<Plain> =
    Property::new("active", TRACED, "nodes and states that are running");
static INACTIVE: Property<Plain> =
    Property::new("inactive", TRACED, "nodes and states that are not running");
static RAN: Property<Plain> = Property::new("ran", TRACED, "nodes that were ticked");
static STARTED: Property<Plain> = Property::new("started", TRACED, "actions that started");
static STOPPED: Property<Plain> = Property::new("stopped", TRACED, "actions that stopped");
pub(crate) static OUTCOME: Property<Choice<Option<Outcome>>> = Property::new(
    "outcome",
    Choice::or(
        &[
            ("success", Some(Outcome::Success)),
            ("failure", Some(Outcome::Failure)),
            ("aborted", Some(Outcome::Aborted)),
        ],
        None,
    ),
    "how they stopped",
);
static CHOSEN: Property<Plain> =
    Property::new("chosen", TRACED, "the only actions that were ticked");
static FIRED: Property<Plain> = Property::new(
    "fired",
    Plain(Shape::AllNames(Named::Rule)),
    "rules that fired, by their names, with spaces between them",
);
static EMITTED: Property<Plain> = Property::new(
    "emitted",
    Plain(Shape::AllNames(Named::Event)),
    "events that the agent emitted",
);
static THAT: Property<Plain> =
    Property::new("that", TEST_EXPRESSION, "an expression that must hold");
static FAULT: Property<Plain> = Property::new(
    "fault",
    Plain(Shape::Flag),
    "a fault happened; without it, faults fail the test",
);
static PLAN: Property<Plain> = Property::new(
    "plan",
    Plain(Shape::AllNames(Named::Planned)),
    "the plan that is followed: its steps from the one in progress on",
);
static GOAL: Property<Plain> = Property::new("goal", GOALS, "the goal that is pursued");
static PLAN_COST: Property<Plain> =
    Property::new("plan-cost", NUMBER, "what the plan cost when it was made");
static NO_PLAN: Property<Plain> =
    Property::new("no-plan", GOALS, "goals for which no plan was found");
static EXPECT: Word = Word::new("expect", "what is expected after the ticks before it")
    .value(
        &STATUS,
        "the answer: `running`, `success`, `failure` or `skipped`, of the root in the last tick",
    )
    .with(&[
        &ACTIVE, &INACTIVE, &RAN, &STARTED, &STOPPED, &OUTCOME, &CHOSEN, &FIRED, &EMITTED, &PLAN,
        &GOAL, &PLAN_COST, &NO_PLAN, &THAT, &FAULT,
    ]);

static NEVER: Word = Word::new("never", "nodes that are not ticked in the whole test")
    .value(&NAMES, "the names: of leaves, nodes and states");

static RULE: Property<Plain> = Property::value(TEST_EXPRESSION);
static ALWAYS: Word = Word::new("always", "what holds after every tick")
    .value(&RULE, "the expression: of type `bool`");
static WITHIN: Property<Plain> = Property::new("within", NUMBER, "within how many ticks");
static EVENTUALLY: Word = Word::new("eventually", "what holds after some tick")
    .value(&RULE, "the expression: of type `bool`")
    .with(&[&WITHIN]);

static COLUMN: Property<Plain> = Property::value(Plain(Shape::AllNames(Named::Column)));
static TABLE: Word = Word::new("table", "cases, each of which runs the test once")
    .value(&COLUMN, "the columns: keys, leaves and `expect`")
    .block(Block::Must(&[Spot::Row]));

static CELL: Property<Plain> = Property::value(Plain(Shape::Literal));
static ROW: Word =
    Word::new("row", "a case: a value per column").value(&CELL, "the cells: one for each column");

pub(super) const ROWS: &[&Word] = &[&ROW];

static RUNS: Property<Plain> =
    Property::new("runs", NUMBER, "how often it is tried").without("`100`");
static TICKS: Property<Plain> =
    Property::new("ticks", NUMBER, "how many ticks each try has").without("`100`");
static RANDOM: Word = Word::new("random", "tries in which the game behaves at random")
    .with(&[&RUNS, &TICKS, &SEED])
    .block(Block::Must(&[Spot::Random]));

static POSSIBLE: Property<Plain> = Property::new(
    "answers",
    Plain(Shape::Text),
    "its answers, of which one is drawn in each tick",
);
static RANDOM_LEAF: Word = Word::new("leaf", "conditions and actions that answer at random")
    .value(&NAMES, "the names: of leaves, or the `name=` of nodes")
    .with(&[&POSSIBLE]);
static KEY: Property<Plain> = Property::value(Plain(Shape::Key));
const LIMIT: Plain = Plain(Shape::Literal);
static LEAST: Property<Plain> = Property::new("min", LIMIT, "the smallest value");
static MOST: Property<Plain> = Property::new("max", LIMIT, "the largest value");
static MOST_ITEMS: Property<Plain> = Property::new(
    "max-items",
    NUMBER,
    "how many items a list gets at most; without it, as many as it has room for",
);
static CHANCE: Property<Plain> = Property::new(
    "chance",
    NUMBER,
    "how likely this is in each tick, from 0 to 1",
)
.without("`1.0`");
static RANDOM_KEY: Word = Word::new("key", "a key that gets random values")
    .value(&KEY, "the key: its name")
    .with(&[&LEAST, &MOST, &MOST_ITEMS, &CHANCE]);
static RANDOM_SEND: Word = Word::new("send", "an event that is sent at random")
    .value(&EVENT, "the event: declared in `leaves`")
    .with(&[&CHANCE]);

pub(super) const RANDOM_BLOCK: &[&Word] = &[&RANDOM_LEAF, &RANDOM_KEY, &RANDOM_SEND];

pub(super) const STEPS: &[&Word] = &[
    &GIVEN,
    &GIVEN_LIST,
    &LEAF,
    &SEND,
    &REPORT,
    &TICK,
    &ABORT,
    &EXPECT,
    &NEVER,
    &ALWAYS,
    &EVENTUALLY,
    &TABLE,
    &RANDOM,
];
