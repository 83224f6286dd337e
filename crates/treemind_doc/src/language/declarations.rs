//! The top level of a document, and declarations.

use super::decisions::LIST;
use super::forms::{Choice, Count};
use super::machines::{IN_MACHINE, MODE};
use super::networks::NETWORK;
use super::planners::PLANNER;
use super::property::{AnyProperty, Named, Plain, Property, Shape};
use super::rates::NAMED_CURVE;
use super::testing::TEST;
use super::{Block, Spot, Word};
use crate::said;
use treemind_core::behaviour::{Merge, Scope};

/// The types of keys and parameters.
pub(crate) const TYPES: &[&str] = &[
    "bool", "int", "float", "double", "enum", "entity", "vec2", "vec3", "string", "any",
];

const LITERAL: Plain = Plain(Shape::Literal);
const NUMBER: Plain = Plain(Shape::Number);
const FLAG: Plain = Plain(Shape::Flag);

pub(super) static DOC: Property<Plain> = Property::new(
    "doc",
    Plain(Shape::Text),
    "What it is for, in a sentence for people.",
)
.first_day();

static PATH: Property<Plain> = Property::value(Plain(Shape::Text));
static IMPORT: Word = Word::new(
    "import",
    "Another file whose definitions belong to this document.",
)
.value(&PATH, "the file: its path, relative to this one");

pub(super) static RUNS_TREE: Property<Plain> = Property::new(
    "tree",
    Plain(Shape::Names(Named::Tree)),
    "the tree that runs",
);
pub(super) static RUNS_MACHINE: Property<Plain> = Property::new(
    "machine",
    Plain(Shape::Names(Named::Machine)),
    "the machine that runs",
);
pub(super) static RUNS_DECISION: Property<Plain> = Property::new(
    "decide",
    Plain(Shape::Names(Named::Decision)),
    "the decision tree that runs",
);
pub(super) static RUNS_PLANNER: Property<Plain> = Property::new(
    "planner",
    Plain(Shape::Names(Named::Planner)),
    "the planner that runs",
)
.seldom(
    &["tree"],
    "A tree may hold planners beside what is not planned.",
);
static MAIN: Word = Word::new("main", "What runs when nothing else is specified.")
    .first_day()
    .with(&[&RUNS_TREE, &RUNS_MACHINE, &RUNS_DECISION, &RUNS_PLANNER]);

pub(crate) static SCOPE: Property<Choice<Scope>> = Property::new(
    "scope",
    Choice::new(&[
        ("agent", Scope::Agent),
        ("group", Scope::Group),
        ("world", Scope::World),
    ]),
    "who shares the keys",
);
static BLACKBOARD: Word = Word::new("blackboard", "Keys, with their types.")
    .first_day()
    .with(&[&SCOPE])
    .block(Block::Must(&[Spot::Key]));

static LEAVES_BLOCK: Word = Word::new(
    "leaves",
    "What the game provides: conditions, actions, services, sensors, events.",
)
.first_day()
.block(Block::Must(&[Spot::Leaves]));

pub(super) static MAILBOX: Property<Plain> = Property::new(
    "mailbox",
    NUMBER,
    "how many events the mailbox of an agent keeps that runs it, from 1 to 256; 16 without it",
)
.seldom(&[], "It keeps up to 16 events.");

static TREE_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Tree)));
static TREE: Word = Word::new("tree", "A behaviour tree.")
    .first_day()
    .value(&TREE_NAME, "its name: others use the tree by it")
    .with(&[&DOC, &MAILBOX])
    .block(Block::Must(&[Spot::Key, Spot::Port, Spot::Task]));

static MACHINE_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Machine)));
static MACHINE: Word = Word::new("machine", "A state machine.")
    .value(&MACHINE_NAME, "its name: others use the machine by it")
    .with(&[&DOC, &MODE, &MAILBOX])
    .block(IN_MACHINE);

static DECISION_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Decision)));
static DECIDE: Word = Word::new("decide", "A decision tree.")
    .value(
        &DECISION_NAME,
        "its name: others use the decision tree by it",
    )
    .with(&[&DOC, &MAILBOX])
    .block(LIST);

static ARCHETYPE_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Archetype)));
static ENTITY_NUMBER: Property<Plain> = Property::new("number", NUMBER, "what a table calls it")
    .seldom(&[], "The name is enough, except for tables with numbers.");
static EVERY: Property<Plain> =
    Property::new("every", NUMBER, "it is ticked only once in this many ticks")
        .seldom(&[], "The agent is ticked in every tick.");
static ARCHETYPE: Word = Word::new(
    "archetype",
    "A character: a tree, and what its keys start with.",
)
.value(&ARCHETYPE_NAME, "its name: games and maps ask for it")
.with(&[
    &RUNS_TREE,
    &RUNS_MACHINE,
    &RUNS_DECISION,
    &RUNS_PLANNER,
    &EVERY,
    &ENTITY_NUMBER,
    &DOC,
])
.block(Block::May(&[Spot::Archetype]));

pub(super) const TOP: &[&Word] = &[
    &IMPORT,
    &MAIN,
    &BLACKBOARD,
    &LEAVES_BLOCK,
    &TREE,
    &MACHINE,
    &DECIDE,
    &PLANNER,
    &ARCHETYPE,
    &NAMED_CURVE,
    &NETWORK,
    &TEST,
];

/// Its properties are keys.
static GIVEN: Word = Word::new("given", "the starting value of a key");

pub(super) const ARCHETYPE_BLOCK: &[&Word] = &[&GIVEN];

static KEY_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Key)));
static TYPE: Property<Plain> =
    Property::new("type", Plain(Shape::Type), "the type of its value").first_day();
static START: Property<Plain> =
    Property::new("default", LITERAL, "what it holds at first").first_day();
static OPTIONAL: Property<Plain> = Property::new("optional", FLAG, "it may hold nothing");
static ITEMS: Property<Plain> =
    Property::new("list", NUMBER, "it is a list with room for this many items");
static SENSOR: Property<Plain> = Property::new(
    "sensor",
    Plain(Shape::Names(Named::Leaf)),
    "the sensor that computes it",
);
static INTERVAL: Property<Plain> = Property::new(
    "interval",
    NUMBER,
    "after how many seconds its sensor is asked again",
)
.seldom(
    &[],
    "The sensor is asked in each tick in which the key is read.",
);

pub(crate) static MERGE: Property<Choice<Merge>> = Property::new(
    "merge",
    Choice::new(&[
        ("last", Merge::Last),
        ("add", Merge::Add),
        ("min", Merge::Min),
        ("max", Merge::Max),
    ]),
    "for a shared key: what becomes of the values that several agents write in one tick",
)
.seldom(&[], "The value that was written last stays.");

/// The properties of a port; a key also has a sensor, and a shared one says how values are merged.
const PORT_PROPERTIES: &[&dyn AnyProperty] = &[&TYPE, &START, &OPTIONAL, &ITEMS, &DOC];

static DECLARED_KEY: Word = Word::new("key", "a key")
    .first_day()
    .value(
        &KEY_NAME,
        "its name: letters, digits and `_`, as expressions use it",
    )
    .with(&[
        &TYPE, &START, &OPTIONAL, &ITEMS, &MERGE, &DOC, &SENSOR, &INTERVAL,
    ])
    .block(Block::May(&[Spot::KeyBlock, Spot::Given]));

pub(super) const KEY: &[&Word] = &[&DECLARED_KEY];

const fn port(name: &'static str, doc: &'static str) -> Word {
    Word::new(name, doc)
        .value(
            &KEY_NAME,
            "its name: letters, digits and `_`, as expressions use it",
        )
        .with(PORT_PROPERTIES)
        .block(Block::May(&[Spot::KeyBlock]))
}

static IN: Word = port("in", "a port that is read");
static OUT: Word = port("out", "a port that is written");
static INOUT: Word = port("inout", "a port that is read and written").seldom(
    &["in", "out"],
    "Each of them says which way the value goes.",
);

pub(super) const PORTS: &[&Word] = &[&IN, &OUT, &INOUT];

static ENUM_VALUE: Property<Plain> = Property::value(Plain(Shape::Declares(Named::EnumValue)));
static VALUE: Word = Word::new("value", "values of an enumeration").value(
    &ENUM_VALUE,
    "the names: of the values, in their order; the first is the default",
);
static FIRST_ITEM: Property<Plain> = Property::value(LITERAL);
static DEFAULT: Word = Word::new("default", "the items that a list starts with").value(
    &FIRST_ITEM,
    "the items: of the type of the list, as many as it has at first",
);

pub(super) const KEY_BLOCK: &[&Word] = &[&VALUE, &DEFAULT];

static LEAF_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Leaf)));
static INSTANT: Property<Plain> = Property::new("instant", FLAG, "it ends at once");
static REPORTS: Property<Plain> = Property::new("reports", FLAG, "its end is reported").seldom(
    &[],
    "The action says in each tick whether it is still running.",
);
pub(crate) static COMPOSITE_MIN: Property<Count> = Property::new(
    "min",
    Count(|| said!("without a child it is an action")),
    "the minimum number of its children",
);
pub(crate) static COMPOSITE_MAX: Property<Count> = Property::new(
    "max",
    Count(|| said!("without a child it is an action")),
    "the maximum number of its children",
);

const LEAF_PROPERTIES: &[&dyn AnyProperty] = &[&DOC, &ENTITY_NUMBER];

const fn leaf(name: &'static str, doc: &'static str) -> Word {
    Word::new(name, doc)
        .value(&LEAF_NAME, "its name: nodes use it by that")
        .with(LEAF_PROPERTIES)
        .block(Block::May(&[Spot::LeafBlock]))
}

static CONDITION: Word = leaf("condition", "what the game is asked").first_day();
static ACTION: Word = leaf("action", "what the game does").first_day().with(&[
    &DOC,
    &INSTANT,
    &REPORTS,
    &ENTITY_NUMBER,
]);
static SERVICE: Word = leaf("service", "what the game does at intervals");
static COMPOSITE: Word = leaf(
    "composite",
    "a node of the game's own with several children",
)
.seldom(
    &["action"],
    "It is also code of the game, but has no children.",
)
.with(&[&DOC, &COMPOSITE_MIN, &COMPOSITE_MAX, &ENTITY_NUMBER]);
static DECORATOR: Word = leaf("decorator", "a node of the game's own with one child").seldom(
    &["action"],
    "It is also code of the game, but has no child.",
);
static SENSOR_LEAF: Word = leaf("sensor", "what computes a key");
static EVENT: Word = leaf("event", "what may happen");
static CANDIDATES_TYPE: Property<Plain> = Property::new(
    "type",
    Plain(Shape::Type),
    "the type of what it lists: `vec2`, `vec3` or `entity`",
);
static CANDIDATES: Word = leaf("candidates", "what lists the candidates of a `find`").with(&[
    &DOC,
    &CANDIDATES_TYPE,
    &ENTITY_NUMBER,
]);
static MEASURE: Word = leaf(
    "measure",
    "what computes a number for each candidate of a `find`",
);

pub(super) const LEAVES: &[&Word] = &[
    &CONDITION,
    &ACTION,
    &SERVICE,
    &COMPOSITE,
    &DECORATOR,
    &SENSOR_LEAF,
    &EVENT,
    &CANDIDATES,
    &MEASURE,
];

static PARAM_NAME: Property<Plain> = Property::value(Plain(Shape::Declares(Named::Param)));
static BY_KEY: Property<Plain> = Property::new(
    "by-key",
    FLAG,
    "nodes may give a key itself, `\"{path}\"`: the leaf reads and writes it, even while it is unset",
)
.seldom(&[], "The leaf gets the value that the key has at the start.");
static PARAM: Word = Word::new("param", "a parameter of a leaf")
    .first_day()
    .value(&PARAM_NAME, "its name: nodes give it a value by it")
    .with(&[&TYPE, &START, &BY_KEY, &DOC])
    .block(Block::May(&[Spot::KeyBlock]));

pub(super) const LEAF_BLOCK: &[&Word] = &[&PARAM];
